/** @file
 * Green's functions between different vectors of a Hamiltonian, <l| G(E + i0) |r>, from the moments
 *
 *     mu_n = <l| T_n(H~) |r>,    H~ = (H - centre) / half_width,    n = 0 .. N - 1,
 *     G(E + i0) = -i [g_0 mu_0 + 2 sum_(n>0) g_n mu_n exp(-i n arccos e)] / sqrt(half_width^2 - (E - centre)^2),
 *
 * with e = (E - centre) / half_width and the factors g_n of a legato_kpm_kernel. The vectors are sites, or vectors of
 * the caller. Formulas: A. Weisse, G. Wellein, A. Alvermann and H. Fehske, Rev. Mod. Phys. 78, 275 (2006), section
 * II.D.1. LEGATO_KPM_KERNEL_LORENTZ with lambda = 4 broadens like E + i eta with eta = lambda half_width / N. Since
 * version 0.2. */
#ifndef LEGATO_KPM_GREEN_H
#define LEGATO_KPM_GREEN_H

#include <legato/kpm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A computation of Green's functions between n_left vectors on the left and n_right vectors on the right. A sample is
 * a vector on the right in one realisation, realisation by realisation. */
typedef struct legato_kpm_green legato_kpm_green;

/** Creates a computation with the sites left[n_left] and right[n_right], counted from 0. NULL stands for vectors of the
 * caller on this side, which `callback` gives: vector number v on the right as sample v, and vector number v on the
 * left as sample n_right + v. If the Hamiltonian is real, so are the vectors. The callback may be called again for the
 * same vector, and must then give the same elements; it is used until the computation is destroyed. It is NULL if both
 * sides are sites. Range of n_left and n_right: [1, 1048576]. Sites that are given vacancies of a lattice are refused.
 * Elements of vectors at vacancies count as 0: all moments of a random vacancy are 0 in the realisations that have it.
 *
 * Each part keeps two vectors and the caller's vectors on the left in its memory; one product with H gives a moment of
 * all pairs with a vector on the right. The moments of all pairs and realisations, 8 bytes each or 16 if the
 * Hamiltonian is complex, are in the memory of the host. The parameters moments, realisations, seed, format,
 * memory_budget and those of the bounds are used. LEGATO_KPM_PRECISION_SINGLE and LEGATO_KPM_DIVISION_LATTICE are
 * refused. */
LEGATO_API int32_t legato_kpm_green_create(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                           const legato_kpm_hamiltonian* hamiltonian, int64_t n_left,
                                           LEGATO_NULLABLE const int64_t left[], int64_t n_right,
                                           LEGATO_NULLABLE const int64_t right[], legato_kpm_vector_callback callback,
                                           void* user, legato_kpm_green** green);

/** Destroys a computation; NULL is allowed. */
LEGATO_API int32_t legato_kpm_green_destroy(legato_kpm_green* green);

/** Runs until all samples are finished, as legato_kpm_run. `callback` may be NULL. It reports samples as points and
 * moments of a sample as cycles. */
LEGATO_API int32_t legato_kpm_green_run(legato_kpm_green* green, legato_progress_callback callback, void* user);

/** Computes up to `rounds` more rounds: a sample of each part. *samples_done becomes the number of all finished
 * samples. */
LEGATO_API int32_t legato_kpm_green_advance(legato_kpm_green* green, int64_t rounds,
                                            LEGATO_NULLABLE int64_t* samples_done);

/** Reads the choices and the progress of a computation; block_width is 1. */
LEGATO_API int32_t legato_kpm_green_get_state(legato_kpm_green* green, legato_kpm_state* state);

/** Reads the first n moments of the vectors left_first .. left_first + left_count - 1 on the left with the vectors
 * right_first .. right_first + right_count - 1 on the right, counted from 0, into mean[right_count][left_count][n][2],
 * real and imaginary parts alternating, and their standard errors into error[right_count][left_count][n][2]. Means and
 * errors are those of legato_kpm_green_functions. Range of n: [1, N]. */
LEGATO_API int32_t legato_kpm_green_moments(legato_kpm_green* green, int64_t left_first, int64_t left_count,
                                            int64_t right_first, int64_t right_count, int32_t n, double mean[],
                                            LEGATO_NULLABLE double error[]);

/** Computes the retarded Green's functions of the same vectors at energies[n] into
 * value[right_count][left_count][n][2], real and imaginary parts alternating. They are means over the realisations in
 * which the vector on the right is finished. error[right_count][left_count][n][2] receives the standard errors of the
 * real and of the imaginary part, from the spread of the realisations. With a single realisation they are NaN if the
 * disorder is random, and otherwise 0.
 *
 * Kernel, lambda and energies are those of legato_kpm_greens_function. The function uses all threads of the context.
 * The results are bitwise identical for any number of threads, and do not depend on the other pairs. The callback of
 * legato_kpm_green_set_progress can stop it; some rows are then filled in, the others are unchanged. The advanced
 * function is <l| G(E - i0) |r> = conj(<r| G(E + i0) |l>). */
LEGATO_API int32_t legato_kpm_green_functions(legato_kpm_green* green, int64_t left_first, int64_t left_count,
                                              int64_t right_first, int64_t right_count, int32_t kernel, double lambda,
                                              int32_t n, const double energies[], double value[],
                                              LEGATO_NULLABLE double error[]);

/** Sets the callback of legato_kpm_green_functions and legato_kpm_green_moments; NULL stands for none. It is called a
 * few times a second, and reports pairs as points and as cycles. A return value other than 0 ends the function with
 * LEGATO_STATUS_CANCELLED. The callback is used until another one is set or the computation is destroyed. It cannot
 * call legato_kpm_green_run or legato_kpm_green_advance for the same computation. */
LEGATO_API int32_t legato_kpm_green_set_progress(legato_kpm_green* green, legato_progress_callback callback,
                                                 void* user);

/** Saves the finished samples to an HDF5 file, as legato_kpm_save. */
LEGATO_API int32_t legato_kpm_green_save(legato_kpm_green* green, const char* path);

/** Resumes a saved computation, as legato_kpm_resume. `callback` and `user` are those of legato_kpm_green_create. */
LEGATO_API int32_t legato_kpm_green_resume(legato_context* context, const char* path,
                                           const legato_kpm_hamiltonian* hamiltonian,
                                           legato_kpm_vector_callback callback, void* user, legato_kpm_green** green);

/** Reads the parameters in use, for instance after legato_kpm_green_resume. */
LEGATO_API int32_t legato_kpm_green_get_params(legato_kpm_green* green, legato_kpm_params* params);

#ifdef __cplusplus
}
#endif

#endif
