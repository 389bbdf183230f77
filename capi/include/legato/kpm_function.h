/** @file
 * Functions of a Hamiltonian that are applied to vectors. f(H)|v> is computed by the Chebyshev expansion of f in the
 * energy interval, f(H) = sum_n c_n T_n(H~). Each term takes one product with H. */
#ifndef LEGATO_KPM_FUNCTION_H
#define LEGATO_KPM_FUNCTION_H

#include <legato/kpm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A function f(H) of a Hamiltonian, which is applied to vectors. */
typedef struct legato_kpm_function legato_kpm_function;

/** Function f(E) of the energy that a legato_kpm_function applies. It has up to two parameters, `first` and `second`;
 * `second` is 0 if it is not named here. */
typedef enum legato_kpm_function_kind {
    LEGATO_KPM_FUNCTION_KIND_EVOLUTION = 0,   /**< exp(-i E t), first = t */
    LEGATO_KPM_FUNCTION_KIND_BOLTZMANN = 1,   /**< exp(-beta E), first = beta */
    LEGATO_KPM_FUNCTION_KIND_FERMI = 2,       /**< 1 / (1 + exp((E - mu) / T)), first = mu, second = T, above 0 */
    LEGATO_KPM_FUNCTION_KIND_STEP = 3,        /**< erfc((E - mu) / w) / 2, first = mu, second = w, above 0 */
    LEGATO_KPM_FUNCTION_KIND_GAUSSIAN = 4,    /**< exp(-(E - E0)^2 / (2 w^2)), first = E0, second = w, above 0 */
    LEGATO_KPM_FUNCTION_KIND_SQUARE_ROOT = 5, /**< sqrt(E - E0), first = E0, at most the lower end of the interval */
    LEGATO_KPM_FUNCTION_KIND_RESOLVENT = 6    /**< 1 / (E0 + i eta - E), first = E0, second = eta, not 0 */
} legato_kpm_function_kind;

/** Computes f at energies[n] into values[2 n], real and imaginary parts alternating. A return value other than 0 stops
 * the call with LEGATO_STATUS_CANCELLED. */
typedef int (*legato_kpm_function_callback)(void* user, int64_t n, const double energies[], double values[]);

/** Creates a function of a Hamiltonian, or of its realisation number `realisation` if the lattice has random disorder.
 * Range of realisation: [0, params.realisations - 1]; it has the on-site energies of a computation of moments with the
 * same seed. The parameters moments, start_vectors and vectors are ignored. With a real Hamiltonian, block_width counts
 * real vectors, and a complex vector is two of them. The bounds of the spectrum are found in this call, as by
 * legato_kpm_create. */
LEGATO_API int32_t legato_kpm_function_create(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                              const legato_kpm_hamiltonian* hamiltonian, int64_t realisation,
                                              legato_kpm_function** kpm_function);

/** Destroys a function; NULL is allowed. */
LEGATO_API int32_t legato_kpm_function_destroy(legato_kpm_function* kpm_function);

/** Sets f, one of legato_kpm_function_kind. Range of `first` and `second`: [-1e100, 1e100], and of a width or
 * temperature [1e-100, 1e100]. If the call fails, the earlier function remains.
 *
 * The truncation, which is the sum of |c_n| of all terms left out, is at most `tolerance` times the largest |f| in the
 * energy interval. Range of tolerance: [1e-14, 0.5]. The truncation is a proven upper limit for
 * LEGATO_KPM_FUNCTION_KIND_EVOLUTION, otherwise an estimate from a longer expansion. A function that needs more than
 * 1048576 terms is refused.
 *
 * *terms becomes the number of terms, *bound the bound of the error of f(H)|v>, relative to the norm of v: the
 * truncation and an estimate of the largest possible rounding errors, because of which it can exceed the tolerance. It
 * holds if the spectrum lies within the energy interval. */
LEGATO_API int32_t legato_kpm_function_set(legato_kpm_function* kpm_function, int32_t kind, double first, double second,
                                           double tolerance, LEGATO_NULLABLE int64_t* terms,
                                           LEGATO_NULLABLE double* bound);

/** Does the same for f from a callback, which is only used in this call, for 2048 or more energies. It gives finite
 * values, |f| <= 1e100. Features of f that are narrower than a thousandth of the energy interval may be missed. */
LEGATO_API int32_t legato_kpm_function_set_callback(legato_kpm_function* kpm_function,
                                                    legato_kpm_function_callback callback, void* user, double tolerance,
                                                    LEGATO_NULLABLE int64_t* terms, LEGATO_NULLABLE double* bound);

/** Computes f(H)|v> for n_vectors complex vectors, 1 to 1048576. `in` and `out` have 2 n_vectors D elements: vector
 * after vector, site after site, real and imaginary parts alternating. They may be the same array, but must not overlap
 * otherwise. `callback` may be NULL. It reports vectors as points and terms of all blocks as cycles.
 *
 * If the call does not succeed, vectors that are not finished are unchanged in `out`; legato_kpm_function_get_state
 * tells how many are. The status is LEGATO_STATUS_NUMERICAL_ERROR if the recursion proves that the bounds do not
 * enclose the spectrum. If several ranks share the work, all of them pass the same vectors and get all results. */
LEGATO_API int32_t legato_kpm_function_apply(legato_kpm_function* kpm_function, int64_t n_vectors, const double in[],
                                             double out[], legato_progress_callback callback, void* user);

/** Does the same for real vectors of n_vectors D elements. A complex Hamiltonian or function is refused. */
LEGATO_API int32_t legato_kpm_function_apply_real(legato_kpm_function* kpm_function, int64_t n_vectors,
                                                  const double in[], double out[], legato_progress_callback callback,
                                                  void* user);

/** Reads the choices of a function: `moments` is the number of terms or 0, `samples` the number of vectors of the last
 * call that applied it, `samples_done` that of the finished ones. */
LEGATO_API int32_t legato_kpm_function_get_state(legato_kpm_function* kpm_function, legato_kpm_state* state);

#ifdef __cplusplus
}
#endif

#endif
