// Conductivities from the moments of a double expansion,
//     mu_mn = (1/D) Tr[A T_m(H~) B T_n(H~)],    m, n = 0 .. N - 1,
// with Hermitian operators A and B, such as velocities: the current of A is sigma_AB times the field along B. Units:
// hbar = e = 1, and a volume of 1 for each site, so that e^2 / h is 1 / (2 pi). All conductivities are real. With f the
// Fermi function and delta, G+ and G- expanded in Chebyshev polynomials with the factors of a kernel, the Kubo-Bastin
// formula is
//     sigma_AB(mu, T) = i int dE f(E) Tr[A dG+/dE B delta(E - H) - A delta(E - H) B dG-/dE] / D
// (A. Crepieux and P. Bruno, Phys. Rev. B 64, 014416 (2001), appendix A; for the expansion Garcia, Covaci and
// Rappoport, Phys. Rev. Lett. 114, 116602 (2015), who exchange A and B). For sharp eigenstates it is
//     sigma_AB = (i/D) sum_jk [f(E_k) - f(E_j)] <j|A|k><k|B|j> / [(E_k - E_j)(E_k - E_j - i0)].
// Its part that is symmetric in A and B is the Kubo-Greenwood formula, and its antisymmetric part the Hall conductivity
// (sigma_AB - sigma_BA) / 2. With A = v_x and B = v_y, filled bands in two dimensions give -C / (2 pi) times the area
// of a site, where C = (1/2 pi) sum over the bands of int d^2k i [<d_x u|d_y u> - <d_y u|d_x u>] is the Chern number. A
// low density n of electrons in n_flux flux quanta for each area gives n / (2 pi n_flux), with the sign of the flux.
//
// All functions throw an invalid_argument that names the field, the value and the range.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "kpm/spectrum.hpp"

namespace legato::kpm {

struct DoubleSpectrum {
    std::size_t count = 0;                      // N
    std::vector<std::complex<double>> moments;  // mu_mn at [m * N + n]
    double centre = 0, half_width = 1;
    Kernel kernel = Kernel::jackson;
    double lambda = 4.0;
    Effort effort{};
};

inline constexpr double max_double_moment = 1e80;  // limit of the absolute value

// These functions return conductivities at chemical potentials mu and a temperature T >= 0 in units of energy. They
// take O(N^2) operations in all, and O(N) for each mu if T = 0.
//
// Kubo-Greenwood:
//     sigma(mu, 0) = pi Tr[A delta(mu - H) B delta(mu - H)] / D,    sigma(mu, T) = int dE [-df/dE] sigma(E, 0).
// It is 0 outside the interval. The integral is a sum over the Chebyshev nodes of the energy, so many that its error is
// less than rounding if -df/dE is negligible at both ends of the interval.
std::vector<double> greenwood(const DoubleSpectrum& spectrum, std::span<const double> chemical_potentials,
                              double temperature);

// The antisymmetric part of the Kubo-Bastin formula. The integral over the energy is exact but for rounding, at any
// temperature: the integrand is a polynomial times f(E) / sqrt(1 - e^2). What the tails of the kernel give at the two
// ends of the interval is subtracted, so that filled bands in the whole interval give 0.
std::vector<double> hall(const DoubleSpectrum& spectrum, std::span<const double> chemical_potentials,
                         double temperature);

// The Kubo-Bastin formula, which is the sum of both.
std::vector<double> bastin(const DoubleSpectrum& spectrum, std::span<const double> chemical_potentials,
                           double temperature);

// Returns the real part of the optical conductivity at frequencies omega > 0,
//     sigma(omega) = (pi / omega) int dE [f(E) - f(E + omega)] Tr[A delta(E - H) B delta(E + omega - H)] / D.
// With delta functions of finite width, it is an accurate function of omega where omega exceeds the width. It takes
// O(N^2 log N) operations in all and O(N log N) for each frequency. The rounding is 1e-16 half_width / omega; below
// 1e-7 half_width the result is the limit for omega = 0, the Kubo-Greenwood conductivity.
std::vector<double> optical(const DoubleSpectrum& spectrum, std::span<const double> frequencies,
                            double chemical_potential, double temperature);

}  // namespace legato::kpm
