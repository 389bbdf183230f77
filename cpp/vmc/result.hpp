// The results of variational Monte Carlo.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "statistics/estimate.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// Local values of a configuration: energies per site, correlations per nearest-neighbour bond.
enum class Observable : int {
    energy = 0,
    kinetic_up = 1,
    kinetic_down = 2,
    exchange = 3,         // J (S.S - n n / 4)
    spin_spin = 4,        // <S_i.S_j>
    density_density = 5,  // <n_i n_j>
    energy_squared = 6,   // square of the energy per site
};
inline constexpr std::size_t observables = 7;

// The next local values, if gradients are wanted: O_a, E O_a, O_a O_b for b <= a, and d E / d parameter a, whose
// average is 0. Here O_a = d ln Psi / d parameter a, and E is the energy per site.
inline constexpr std::size_t pairs_of_parameters = variational_parameters * (variational_parameters + 1) / 2;
inline constexpr std::size_t most_local_values = observables + 3 * variational_parameters + pairs_of_parameters;
using LocalValues = std::array<double, most_local_values>;

// The next local values, if correlations are wanted: S^z_i S^z_(i+r) and n_i n_(i+r), means over i, for all
// displacements r, [2][sites]. F_ab(r) (pair_correlation.hpp) follows, if pair correlations are wanted: [2][2][sites].
inline std::size_t index_of_correlations(const Problem& problem) {
    return problem.gradients ? most_local_values : observables;
}
inline std::size_t index_of_pair_correlations(const Problem& problem) {
    const auto sites = static_cast<std::size_t>(sites_of(problem.lattice));
    return index_of_correlations(problem) + (problem.correlations ? 2 * sites : 0);
}
inline std::size_t local_values_of(const Problem& problem) {
    const auto sites = static_cast<std::size_t>(sites_of(problem.lattice));
    return index_of_pair_correlations(problem) + (problem.pair_correlations ? 4 * sites : 0);
}
constexpr std::size_t index_of_derivative(std::size_t a) {
    return observables + a;
}
constexpr std::size_t index_of_energy_derivative(std::size_t a) {
    return observables + variational_parameters + a;
}
constexpr std::size_t index_of_derivatives(std::size_t a, std::size_t b) {
    const std::size_t high = a > b ? a : b, low = a > b ? b : a;
    return observables + 2 * variational_parameters + high * (high + 1) / 2 + low;
}
constexpr std::size_t index_of_energy_slope(std::size_t a) {
    return observables + 2 * variational_parameters + pairs_of_parameters + a;
}

inline double& value_of(LocalValues& values, Observable observable) {
    return values[static_cast<std::size_t>(observable)];
}

// Numbers of attempts, by their target: any site (0) or a nearest neighbour (1).
struct MoveCounts {
    std::array<std::int64_t, 2> attempts{}, nulls{}, hops{}, hops_accepted{}, exchanges{}, exchanges_accepted{};

    MoveCounts& operator+=(const MoveCounts& other) {
        for (std::size_t i = 0; i < 2; ++i) {
            attempts[i] += other.attempts[i];
            nulls[i] += other.nulls[i];
            hops[i] += other.hops[i];
            hops_accepted[i] += other.hops_accepted[i];
            exchanges[i] += other.exchanges[i];
            exchanges_accepted[i] += other.exchanges_accepted[i];
        }
        return *this;
    }
    bool operator==(const MoveCounts&) const = default;
};

// The averages. Errors allow for autocorrelation. They are NaN if they are unknown: for a single bin, or for chains
// that hardly move.
struct Averages {
    std::int64_t bins_done = 0;  // number of bins of each chain
    statistics::Estimate energy, kinetic_up, kinetic_down, kinetic, exchange, spin_spin, density_density;
    statistics::Estimate variance;  // variance of the local energy per site over configurations
    // Integrated autocorrelation time of the energy, 0.5 without correlations.
    double autocorrelation_sweeps = statistics::unknown;
    bool bins_are_short = false;          // bins shorter than 20 autocorrelation times, or these are unknown
    bool chains_differ = false;           // the chains' energies differ by more than their fluctuations explain
    MoveCounts moves;                     // counts, thermalisation included
    double largest_drift = 0;             // largest relative drift of an inverse before it was recomputed
    std::int64_t recompute_interval = 0;  // interval at the end, in sweeps
};

// The structure factors S(q) = sum_r cos(q.r) <S^z_i S^z_(i+r)> and N(q) = sum_r cos(q.r) (<n_i n_(i+r)> - <n>^2) at
// all wave vectors of the periodic cluster.
struct StructureFactors {
    std::vector<std::array<double, 2>> wave_vectors;
    std::vector<statistics::Estimate> spin, charge;
};

// The correlations F_ab(r) = <B+_a(i) B_b(i + r)> of singlet pairs on bonds along a, b = x (0), y (1), defined in
// pair_correlation.hpp. f: [a][b][sites] by the number of the displacement r.
struct PairCorrelations {
    std::array<std::array<std::vector<statistics::Estimate>, 2>, 2> f;
};

inline constexpr std::array<statistics::Estimate, variational_parameters> no_gradient{
    statistics::exactly_zero, statistics::exactly_zero, statistics::exactly_zero, statistics::exactly_zero};
using ParameterMatrix = std::array<std::array<double, variational_parameters>, variational_parameters>;

// The gradient of the energy per site by the pair function's parameters, from correlated sampling:
//     2 (<E O_a + d_a E> - <E> <O_a>).
// E O_a is as large as 1 / Psi^2 near nodes. If nodes are dense, its mean has no finite variance, and it misses the
// contributions of configurations without amplitude. Together with d_a E it is (H d_a Psi) / Psi, which behaves as well
// as E. The metric is that of stochastic reconfiguration, <O_a O_b> - <O_a> <O_b> (S. Sorella, Phys. Rev. B 64, 024512
// (2001)). Everything is 0 for parameters on which the state does not depend.
struct Gradient {
    std::array<statistics::Estimate, variational_parameters> energy = no_gradient;
    ParameterMatrix covariance{};  // covariance of the errors of `energy`
    ParameterMatrix metric{};
    // Upper bounds of the rounding errors of the metric's diagonal.
    std::array<double, variational_parameters> rounding{};
};

}  // namespace legato::vmc
