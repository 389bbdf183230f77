/** @file
 * Results for each site of legato_kpm_create_local, or for each wave vector of legato_kpm_create_waves: local densities
 * of states rho_i(E), spectral functions A(k, E), and Green's functions.
 *
 * The numbers first .. first + count - 1 are those of sites or wave vectors, from 0. The results are means over the
 * realisations in which they are finished. With legato_kpm_create_given they are numbers of vectors, which should then
 * be the same in every realisation, and moments have the factor 1/D. Random start vectors are refused.
 *
 * The errors follow from the spread of the realisations. With a single realisation they are NaN if the disorder is
 * random, and otherwise 0. `error` may be NULL.
 *
 * The functions use all threads of the context. The results are bitwise identical for any number of threads, and those
 * of a row do not depend on the other rows. The callback of legato_kpm_set_progress can stop the functions; it reports
 * rows as points and as cycles. Some rows of the tables are then filled in, the others are unchanged. Kernel, lambda
 * and energies are those of legato_kpm_density_of_states. Since version 0.2. */
#ifndef LEGATO_KPM_LOCAL_H
#define LEGATO_KPM_LOCAL_H

#include <legato/kpm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Reads the first n moments of each site or wave vector into mean[count][n], and their standard errors into
 * error[count][n]. Range of n: [1, N]. */
LEGATO_API int32_t legato_kpm_local_moments(legato_kpm* kpm, int64_t first, int64_t count, int32_t n, double mean[],
                                            LEGATO_NULLABLE double error[]);

/** Computes the density of each site or wave vector at energies[n] into density[count][n]. */
LEGATO_API int32_t legato_kpm_local_densities(legato_kpm* kpm, int64_t first, int64_t count, int32_t kernel,
                                              double lambda, int32_t n, const double energies[], double density[],
                                              LEGATO_NULLABLE double error[]);

/** Computes the density of each site or wave vector at n >= N Chebyshev nodes into density[count][n], by fast cosine
 * transforms. energies[n] receives the nodes, as in legato_kpm_density_at_nodes. */
LEGATO_API int32_t legato_kpm_local_densities_at_nodes(legato_kpm* kpm, int64_t first, int64_t count, int32_t kernel,
                                                       double lambda, int32_t n, double energies[], double density[],
                                                       LEGATO_NULLABLE double error[]);

/** Computes the Green's function G(E + i0) of each site or wave vector at energies[n] into green[count][n][2], real and
 * imaginary parts alternating. An energy at an end of the energy interval is refused. */
LEGATO_API int32_t legato_kpm_local_greens_functions(legato_kpm* kpm, int64_t first, int64_t count, int32_t kernel,
                                                     double lambda, int32_t n, const double energies[], double green[],
                                                     LEGATO_NULLABLE double error[]);

#ifdef __cplusplus
}
#endif

#endif
