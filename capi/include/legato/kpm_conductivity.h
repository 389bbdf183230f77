/** @file
 * Conductivities from the moments of a double expansion (kpm_correlation.h) whose operators A and B are velocities
 * (legato_kpm_velocity_create), or other Hermitian operators. The current of A is sigma_AB times the field along B.
 *
 * Units: hbar = e = 1, and a volume of 1 for each site. e^2 / h is 1 / (2 pi). Divide by the volume of a site (in two
 * dimensions its area, that of a unit cell divided by the number of orbitals), and multiply by 2 for electrons with two
 * spin directions. If the Hamiltonian has vacancies, D counts the remaining sites only; divide by the volume of all
 * sites for each remaining one. With f the Fermi function and mu the chemical potential,
 *
 *     sigma_AB(mu, T) = i int dE f(E) Tr[A dG+/dE B delta(E - H) - A delta(E - H) B dG-/dE] / D
 *
 * (A. Crepieux and P. Bruno, Phys. Rev. B 64, 014416 (2001)). G and delta are expanded in Chebyshev polynomials with
 * the factors of a kernel (J. H. Garcia, L. Covaci and T. G. Rappoport, Phys. Rev. Lett. 114, 116602 (2015)), and the
 * integral over E is exact. The part that is symmetric in A and B is the Kubo-Greenwood formula; the antisymmetric part
 * is the Hall conductivity. */
#ifndef LEGATO_KPM_CONDUCTIVITY_H
#define LEGATO_KPM_CONDUCTIVITY_H

#include <legato/kpm_correlation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @name Conductivities
 * `kernel` is one of legato_kpm_kernel; lambda is used with LEGATO_KPM_KERNEL_LORENTZ only. The temperature is in units
 * of energy, in [0, 1e100]. The number n of results has the range [1, 67108864], a chemical potential the range
 * [-1e100, 1e100].
 *
 * The results are those of the mean of all finished samples. `error` receives their standard errors, from the same
 * spread as the errors of legato_kpm_correlation_moments: the function is applied to the moments of each realisation,
 * or of each random vector. They are NaN with a single sample. They do not contain the systematic error of N moments
 * and the kernel, a broadening by about pi half_width / N.
 *
 * The functions use all threads of the context. The results are bitwise identical for any number of threads.
 * legato_kpm_correlation_set_progress sets a callback that can stop them. Since version 0.2. */
/** @{ */
/** Computes the Kubo-Greenwood conductivity at chemical_potentials[n] into conductivity[n],
 *
 *     sigma(mu, 0) = pi Tr[A delta(mu - H) B delta(mu - H)] / D,    sigma(mu, T) = int dE [-df/dE] sigma(E, 0).
 *
 * It is the symmetric part (sigma_AB + sigma_BA) / 2, and 0 outside the energy interval at T = 0. The integral takes so
 * many Chebyshev nodes that its error is less than rounding, as long as -df/dE is negligible at the ends of the energy
 * interval. */
LEGATO_API int32_t legato_kpm_conductivity_greenwood(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                                     double temperature, int32_t n, const double chemical_potentials[],
                                                     double conductivity[], LEGATO_NULLABLE double error[]);

/** Computes the Hall conductivity (sigma_AB - sigma_BA) / 2, the antisymmetric part of the Kubo-Bastin formula. For A =
 * v_x, B = v_y and the Fermi energy in a gap it is an integer times the area of a site divided by 2 pi: minus the sum
 * of the Chern numbers (1 / 2 pi) int d^2k i [<d_x u|d_y u> - <d_y u|d_x u>] of the filled bands. In a weak field of b
 * flux quanta for each site, n electrons for each site at the minimum of a band give the classical n / (2 pi b).
 *
 * What the tails of the kernel give at the two ends of the energy interval, where there are no states, is subtracted.
 */
LEGATO_API int32_t legato_kpm_conductivity_hall(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                                double temperature, int32_t n, const double chemical_potentials[],
                                                double conductivity[], LEGATO_NULLABLE double error[]);

/** Computes the Kubo-Bastin conductivity sigma_AB, the sum of both. */
LEGATO_API int32_t legato_kpm_conductivity_bastin(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                                  double temperature, int32_t n, const double chemical_potentials[],
                                                  double conductivity[], LEGATO_NULLABLE double error[]);

/** Computes the real part of the optical conductivity at frequencies[n] into conductivity[n],
 *
 *     sigma(omega) = (pi / omega) int dE [f(E) - f(E + omega)] Tr[A delta(E - H) B delta(E + omega - H)] / D.
 *
 * Range of a frequency: [1e-100, 1e100]. At frequencies from the width of the energy interval on, it is 0. The rounding
 * grows as 1e-16 half_width / omega; below 1e-7 half_width the result is the limit for omega = 0, the Kubo-Greenwood
 * conductivity. 8 N^2 and 8 P^2 bytes of memory are used, where P is the power of two from 2 N on.
 */
LEGATO_API int32_t legato_kpm_conductivity_optical(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                                   double chemical_potential, double temperature, int32_t n,
                                                   const double frequencies[], double conductivity[],
                                                   LEGATO_NULLABLE double error[]);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
