// What follows from moments: kernels, density of states, Green's function, electron numbers.
//     rho(E) = [g_0 mu_0 + 2 sum_(n>0) g_n mu_n T_n(e)] / (pi sqrt(half_width^2 - (E - centre)^2)),
//     e = (E - centre) / half_width
// (Weisse et al., Rev. Mod. Phys. 78, 275 (2006), sections II.B to II.D). All throw an invalid_argument that names the
// field, the value and the range.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace legato::kpm {

enum class Kernel : int { jackson = 0, lorentz = 1, fejer = 2, dirichlet = 3 };

// g_n for N moments; `lambda` is of the Lorentz kernel (3 to 5 in practice).
std::vector<double> kernel_factors(Kernel kernel, int moments, double lambda = 4.0);

struct Spectrum {
    std::vector<double> moments;  // mu_n
    double centre = 0, half_width = 1;
    Kernel kernel = Kernel::jackson;
    double lambda = 4.0;
};

// At any energies; 0 at the ends of the interval and beyond. Errors of the samples' spread are had by applying this to
// each.
std::vector<double> density_of_states(const Spectrum& spectrum, std::span<const double> energies);

// At the `points` >= N Chebyshev nodes E_k = centre + half_width cos(pi (k + 1/2) / points), ascending in energy, by a
// fast cosine transform: O(points log points) where `points` has small prime factors.
struct Curve {
    std::vector<double> energies, density;
};
Curve density_at_nodes(const Spectrum& spectrum, int points);

// The same density times pi half_width sin(theta_k), k = 0 .. points - 1, with E_k = centre + half_width cos(theta_k):
// descending in energy, without divisions by what is tiny at the ends.
std::vector<double> weighted_density_at_nodes(const Spectrum& spectrum, int points);
double energy_of_node(const Spectrum& spectrum, std::size_t k, std::size_t points);

inline constexpr int max_points = 1 << 26;

// G(E + i0) of the local moments at each energy; its imaginary part is -pi rho. Beyond the interval it is real; at its
// ends, where it has none, an energy is refused.
std::vector<std::complex<double>> greens_function(const Spectrum& spectrum, std::span<const double> energies);

// States for each site below each energy, from 0 to mu_0, exactly integrated.
std::vector<double> integrated_density(const Spectrum& spectrum, std::span<const double> energies);

// Electrons for each site (one a state) at a chemical potential and temperature (in units of energy; 0 allowed), to
// rounding; and the chemical potential that gives a number of electrons between 0 and mu_0.
inline constexpr double max_chemical_potential = 1e105;  // that of few electrons at the highest temperature is less
double electron_number(const Spectrum& spectrum, double chemical_potential, double temperature);
double chemical_potential(const Spectrum& spectrum, double electrons, double temperature);

}  // namespace legato::kpm
