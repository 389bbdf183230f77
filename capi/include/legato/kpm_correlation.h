/** @file
 * Double expansions: moments of two operators,
 *
 *     mu_mn = (1/D) Tr[A T_m(H~) B T_n(H~)],    m, n = 0 .. N - 1,
 *
 * of which conductivities and other response functions are sums (A. Weisse, G. Wellein, A. Alvermann and H. Fehske,
 * Rev. Mod. Phys. 78, 275 (2006), section II.D.2). The trace is estimated by R random vectors |r> in each of S
 * realisations of the disorder, by the mean of <r| A T_m(H~) B T_n(H~) |r> / D. If the Hamiltonian has vacancies, D is
 * the number of the sites that remain in a realisation, and A and B act on these sites only. */
#ifndef LEGATO_KPM_CORRELATION_H
#define LEGATO_KPM_CORRELATION_H

#include <legato/kpm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A computation of the moments of two operators. */
typedef struct legato_kpm_correlation legato_kpm_correlation;

/** Creates a computation with random start vectors. The Hermitian operators A and B are Hamiltonians with the same
 * number of sites as `hamiltonian`: matrices or lattices of any kind. Random on-site energies and vacancies are allowed
 * only in an operator that is the same handle as `hamiltonian`. Given vacancies of an operator must be vacancies of the
 * Hamiltonian, too. If `a` and `b` are the same handle, the operator is stored once.
 * Vectors are complex if one of the three is, with one exception: random vectors other than phases remain real if the
 * Hamiltonian is real and the elements of each operator are all real or all imaginary. The velocities of a real
 * Hamiltonian are imaginary. NULL for `params` stands for the defaults.
 *
 * Of the parameters, `moments` is the number N of orders on each side. The parameter format is for the Hamiltonian;
 * that of the operators is chosen. start_vectors must not be LEGATO_KPM_START_VECTORS_SITES,
 * LEGATO_KPM_START_VECTORS_CALLER or LEGATO_KPM_START_VECTORS_WAVES. LEGATO_KPM_START_VECTORS_PHASE needs a complex
 * Hamiltonian or operator. Only LEGATO_KPM_PRECISION_DOUBLE is available, and each part has whole vectors:
 * LEGATO_KPM_DIVISION_LATTICE is refused. The parameter block_width is ignored. The bounds of the spectrum are found in
 * this call, as by legato_kpm_create.
 *
 * The computation keeps N + min(N, 64) + 3 vectors in memory, or as many as fit into the free memory or memory_budget,
 * but at least 6. With fewer vectors than that, some of them are computed several times. The results are bitwise
 * identical in all these cases. The moments of each sample are kept, 16 N^2 bytes in the memory of the host. The work
 * for each random vector grows with 8 N^2 D for complex vectors, and with 2 N^2 D for real ones. Returns
 * LEGATO_STATUS_OUT_OF_MEMORY if the moments or 6 vectors do not fit. */
LEGATO_API int32_t legato_kpm_correlation_create(legato_context* context,
                                                 LEGATO_NULLABLE const legato_kpm_params* params,
                                                 const legato_kpm_hamiltonian* hamiltonian,
                                                 const legato_kpm_hamiltonian* a, const legato_kpm_hamiltonian* b,
                                                 legato_kpm_correlation** correlation);

/** Creates a computation with start vectors from `callback`, R for each of S realisations. They have 2 D numbers, real
 * and imaginary parts alternating, if the Hamiltonian or an operator is complex, and D numbers otherwise. The parameter
 * start_vectors is ignored. The callback is used until the computation is destroyed. */
LEGATO_API int32_t legato_kpm_correlation_create_given(legato_context* context,
                                                       LEGATO_NULLABLE const legato_kpm_params* params,
                                                       const legato_kpm_hamiltonian* hamiltonian,
                                                       const legato_kpm_hamiltonian* a, const legato_kpm_hamiltonian* b,
                                                       legato_kpm_vector_callback callback, void* user,
                                                       legato_kpm_correlation** correlation);

/** Destroys a computation; NULL is allowed. */
LEGATO_API int32_t legato_kpm_correlation_destroy(legato_kpm_correlation* correlation);

/** Runs until all samples are finished. `callback` may be NULL. It reports samples as points and steps of the
 * recursions as cycles. A stopped run continues with the next call, which begins the samples under way again.
 *
 * The function returns LEGATO_STATUS_NUMERICAL_ERROR if a sample proves that the bounds do not enclose the spectrum, as
 * legato_kpm_run does. The computation cannot continue after that, but the samples before this one can be read. */
LEGATO_API int32_t legato_kpm_correlation_run(legato_kpm_correlation* correlation, legato_progress_callback callback,
                                              void* user);

/** Computes up to `rounds` more random vectors. If several ranks or devices share the work, each of them computes a
 * vector at the same time, and these count as one. *samples_done becomes the number of all finished samples. */
LEGATO_API int32_t legato_kpm_correlation_advance(legato_kpm_correlation* correlation, int64_t rounds,
                                                  LEGATO_NULLABLE int64_t* samples_done);

/** Reads the choices and the progress of a computation. The format is that of the Hamiltonian, and block_width the
 * number of vectors on the left side, T_m(H~) A |r>, that are in memory at the same time. */
LEGATO_API int32_t legato_kpm_correlation_get_state(legato_kpm_correlation* correlation, legato_kpm_state* state);

/** Reads the moments mu_mn for m, n = 0 .. n_orders - 1, averaged over all finished samples, into
 * mean[2 n_orders n_orders], and their standard errors into error[2 n_orders n_orders]. Real and imaginary part of
 * mu_mn are at 2 (m n_orders + n) and after it; their errors have the same places. Range of n_orders: [1, N].
 *
 * If the disorder is random and two or more realisations are finished, the errors follow from the spread of the
 * realisations' means, otherwise from the spread of the vectors. They are NaN with a single sample. */
LEGATO_API int32_t legato_kpm_correlation_moments(legato_kpm_correlation* correlation, int32_t n_orders,
                                                  LEGATO_NULLABLE double mean[], LEGATO_NULLABLE double error[]);

/** Reads the moments of one sample, <r| A T_m(H~) B T_n(H~) |r> / D, in the same order into
 * moments[2 n_orders n_orders]. Samples count from 0, realisation by realisation. */
LEGATO_API int32_t legato_kpm_correlation_sample(legato_kpm_correlation* correlation, int64_t sample, int32_t n_orders,
                                                 double moments[]);

/** Sets the callback of the functions that compute quantities from the moments, such as conductivities; NULL stands for
 * none. It is used as that of legato_kpm_set_progress. */
LEGATO_API int32_t legato_kpm_correlation_set_progress(legato_kpm_correlation* correlation,
                                                       legato_progress_callback callback, void* user);

/** Saves the finished samples to an HDF5 file, as legato_kpm_save does. The Hamiltonian and the operators are not
 * saved.
 */
LEGATO_API int32_t legato_kpm_correlation_save(legato_kpm_correlation* correlation, const char* path);

/** Resumes a saved computation, as legato_kpm_resume does. A Hamiltonian or an operator that differs from that of the
 * saved run is refused. `callback` and `user` are those of legato_kpm_correlation_create_given. They are NULL for any
 * other computation. */
LEGATO_API int32_t legato_kpm_correlation_resume(legato_context* context, const char* path,
                                                 const legato_kpm_hamiltonian* hamiltonian,
                                                 const legato_kpm_hamiltonian* a, const legato_kpm_hamiltonian* b,
                                                 legato_kpm_vector_callback callback, void* user,
                                                 legato_kpm_correlation** correlation);

/** Reads the parameters in use, for instance after legato_kpm_correlation_resume. */
LEGATO_API int32_t legato_kpm_correlation_get_params(legato_kpm_correlation* correlation, legato_kpm_params* params);

#ifdef __cplusplus
}
#endif

#endif
