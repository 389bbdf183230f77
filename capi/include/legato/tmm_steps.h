/** @file
 * The steps of the transfer-matrix method on arrays of the caller, for programs that keep their own loop; the drop-ins
 * for legacy Fortran programs are made of them. Who can hand over the whole run takes legato/tmm.h, which is faster.
 *
 * A slice has N sites (1, M or M^2 in 1, 2 or 3 dimensions; in 3D site i = x + M y), and N states are carried, in two
 * square arrays psi_a, psi_b of N*N doubles. There are two ways. legato_tmm_multiply and legato_tmm_orthonormalise
 * leave the arrays complete when they return; they run on the CPU, on the context's threads where the slice is wide,
 * and a context that asks for CUDA is refused with LEGATO_NO_DEVICE. A legato_tmm_propagation keeps the arrays to
 * itself, on the GPU where that is faster, and queues multiplications until the orthonormalisation that follows them.
 */
#ifndef LEGATO_TMM_STEPS_H
#define LEGATO_TMM_STEPS_H

#include <legato/tmm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** As Fortran declares the arrays, column-major. */
typedef enum legato_tmm_layout {
    LEGATO_TMM_SITE_FIRST = 0, /**< psi(site, state): element (i, j) at psi[i + N * j] */
    LEGATO_TMM_STATE_FIRST = 1 /**< psi(state, site) */
} legato_tmm_layout;

/** (psi_a, psi_b) = (this slice, the one before) becomes (this slice, the next one):
 *
 *     psi_b(i) <- diagonal(i) psi_a(i) - hopping * (sum of the transverse neighbours of i in psi_a) - psi_b(i)
 *
 * dimension 1, 2, 3; width M as in legato_tmm_params; boundary: legato_tmm_boundary, HARD_WALL in 1D. A neighbour that
 * is reached twice (M = 2, periodic) counts twice, and with M = 1 a site is its own neighbour. diagonal[N]: E - V, not
 * checked for being finite, nor are the arrays. psi_a and psi_b must not overlap. */
LEGATO_API int32_t legato_tmm_multiply(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                       double hopping, int32_t layout, const double diagonal[], const double psi_a[],
                                       double psi_b[]);

/** Multiplies one kind of narrow bar: legato_tmm_narrow_step. The arguments are those of legato_tmm_multiply. */
typedef void (*legato_tmm_step)(double hopping, const double diagonal[], const double psi_a[], double psi_b[]);

/** Finds what legato_tmm_multiply does for a bar of width 1 to 8, for loops that multiply by the million. The function
 * checks nothing and works in the caller's floating-point environment; in the default one its results are the bits of
 * legato_tmm_multiply. dimension, width, boundary and layout are as there. step becomes NULL where the bar is wider. It
 * is valid in every thread until the library is unloaded. */
LEGATO_API int32_t legato_tmm_narrow_step(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                          int32_t layout, legato_tmm_step* step);

/** Orthonormalises the n vectors of 2n components, vector j being state j of psi_a over state j of psi_b, in their
 * order (modified Gram-Schmidt, in blocks from n = 48). log_norms[n] becomes ln R_jj, the logarithm of the norm that
 * was left of vector j. 1 <= n <= 4096. Keeps 16 n^2 bytes for the calling thread. LEGATO_NUMERICAL_ERROR where such a
 * norm is zero or not finite: log_norms is NaN from there on, and psi_a and psi_b are as they were.
 *
 * ln R_jj is off by about 10^-16 |vector j| / R_jj, and Q^T Q - 1 is of the same size. LEGATO_PRECISION_LOST where that
 * ratio is above 10^10: the result is there, that of modified Gram-Schmidt without blocks, but rounding errors have got
 * into the vectors of the smallest R_jj. Orthonormalise more often. */
LEGATO_API int32_t legato_tmm_orthonormalise(legato_context* context, int64_t n, int32_t layout, double psi_a[],
                                             double psi_b[], double log_norms[]);

/** The two slices of a loop that stays with the program. */
typedef struct legato_tmm_propagation legato_tmm_propagation;

/** A propagation; the arguments as of legato_tmm_multiply. The backend is the context's, AUTO taking the faster one for
 * 10000 cycles of 10 multiplications and an orthonormalisation; legato_context_backend tells which. */
LEGATO_API int32_t legato_tmm_propagation_create(legato_context* context, int32_t dimension, int64_t width,
                                                 int32_t boundary, double hopping, int32_t layout,
                                                 legato_tmm_propagation** propagation);

/** The same where another number of cycles is expected, 1 to 1e15. Nothing but AUTO's choice depends on it. */
LEGATO_API int32_t legato_tmm_propagation_create_for(legato_context* context, int32_t dimension, int64_t width,
                                                     int32_t boundary, double hopping, int32_t layout, double cycles,
                                                     legato_tmm_propagation** propagation);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_tmm_propagation_destroy(legato_tmm_propagation* propagation);

/** Copies this slice and the one before, [N*N] each, and forgets what was queued. Comes before all calls
 * that follow. */
LEGATO_API int32_t legato_tmm_propagation_load(legato_tmm_propagation* propagation, const double current[],
                                               const double previous[]);

/** Queues one multiplication, which takes N doubles: the current slice becomes the previous one. diagonal[N]: E - V,
 * copied. */
LEGATO_API int32_t legato_tmm_propagation_multiply(legato_tmm_propagation* propagation, const double diagonal[]);

/** Does what is queued and orthonormalises; log_norms[N] as of legato_tmm_orthonormalise. LEGATO_NUMERICAL_ERROR where
 * a norm is zero or not finite: log_norms is NaN, here and in every later call until the next load.
 * LEGATO_PRECISION_LOST as of legato_tmm_orthonormalise, the result computed on the CPU; the propagation goes on. On
 * the GPU the growth, largest to smallest R_jj, shows that it may be so: the columns loaded must not differ in length
 * by more than some powers of ten. */
LEGATO_API int32_t legato_tmm_propagation_orthonormalise(legato_tmm_propagation* propagation, double log_norms[]);

/** The two slices as they stand, what is queued included. The propagation goes on unchanged. LEGATO_NUMERICAL_ERROR,
 * and nothing written, after an orthonormalisation that failed. */
LEGATO_API int32_t legato_tmm_propagation_store(legato_tmm_propagation* propagation, double current[],
                                                double previous[]);

#ifdef __cplusplus
}
#endif

#endif
