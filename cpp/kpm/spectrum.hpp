// Quantities that follow from moments: kernels, density of states, Green's function, electron numbers.
//     rho(E) = [g_0 mu_0 + 2 sum_(n>0) g_n mu_n T_n(e)] / (pi sqrt(half_width^2 - (E - centre)^2)),
//     e = (E - centre) / half_width
// (Weisse et al., Rev. Mod. Phys. 78, 275 (2006), sections II.B to II.D). All functions throw an invalid_argument that
// names the field, the value and the range.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

namespace legato::kpm {

enum class Kernel : int { jackson = 0, lorentz = 1, fejer = 2, dirichlet = 3 };

// Returns the factors g_n for N moments. `lambda` belongs to the Lorentz kernel (3 to 5 in practice).
std::vector<double> kernel_factors(Kernel kernel, int moments, double lambda = 4.0);

// How a quantity at many energies is computed. The results are bitwise identical for any number of threads.
struct Effort {
    int threads = 1;
    std::function<void()> pause{};  // called every few milliseconds in the calling thread; it may throw
};

struct Spectrum {
    std::vector<double> moments;  // mu_n
    double centre = 0, half_width = 1;
    Kernel kernel = Kernel::jackson;
    double lambda = 4.0;
    Effort effort{};
    std::vector<double> factors{};  // kernel_factors() if they are known, otherwise empty
};

// Returns the density of states at any energies. It is 0 at the ends of the interval and beyond. Errors follow from the
// spread of the samples if this function is applied to each of them.
std::vector<double> density_of_states(const Spectrum& spectrum, std::span<const double> energies);

struct Curve {
    std::vector<double> energies, density;
};
// Returns the density of states at the `points` >= N Chebyshev nodes E_k = centre + half_width cos(pi (k + 1/2) /
// points), in ascending order of energy. It uses a fast cosine transform: O(points log points) if `points` has small
// prime factors.
Curve density_at_nodes(const Spectrum& spectrum, int points);

// Returns the same density times pi half_width sin(theta_k), k = 0 .. points - 1, where E_k = centre + half_width
// cos(theta_k). The order is descending in energy. No division by numbers that are tiny at the ends is needed.
std::vector<double> weighted_density_at_nodes(const Spectrum& spectrum, int points);
double energy_of_node(const Spectrum& spectrum, std::size_t k, std::size_t points);

inline constexpr int max_points = 1 << 26;

// Returns G(E + i0) of the local moments at each energy; its imaginary part is -pi rho. It is real outside the
// interval. An energy at the ends of the interval is refused, because G does not exist there.
std::vector<std::complex<double>> greens_function(const Spectrum& spectrum, std::span<const double> energies);

// Returns the number of states for each site below each energy, from 0 to mu_0. The integral is exact.
std::vector<double> integrated_density(const Spectrum& spectrum, std::span<const double> energies);

inline constexpr double max_chemical_potential = 1e105;  // larger than that of few electrons at the highest temperature
// These functions return the number of electrons for each site (one per state) at a chemical potential and temperature,
// and the chemical potential that gives a number of electrons between 0 and mu_0. They are accurate to rounding. The
// temperature is in units of energy; 0 is allowed.
double electron_number(const Spectrum& spectrum, double chemical_potential, double temperature);
double chemical_potential(const Spectrum& spectrum, double electrons, double temperature);

// Returns electron_number() at many chemical potentials.
std::vector<double> electron_numbers(const Spectrum& spectrum, std::span<const double> chemical_potentials,
                                     double temperature);

}  // namespace legato::kpm
