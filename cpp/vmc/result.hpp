// What variational Monte Carlo gives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "statistics/estimate.hpp"

namespace legato::vmc {

// Local values of a configuration: energies per site, correlations per nearest-neighbour bond.
enum class Observable : int {
    energy = 0,
    kinetic_up = 1,
    kinetic_down = 2,
    exchange = 3,         // J (S.S - n n / 4)
    spin_spin = 4,        // <S_i.S_j>
    density_density = 5,  // <n_i n_j>
    energy_squared = 6,   // the square of the first
};
inline constexpr std::size_t observables = 7;
using LocalValues = std::array<double, observables>;

inline double& value_of(LocalValues& values, Observable observable) {
    return values[static_cast<std::size_t>(observable)];
}

// Attempts by where they lead: any site (0), a nearest neighbour (1).
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

struct Averages {
    std::int64_t bins_done = 0;  // of each chain
    statistics::Estimate energy, kinetic_up, kinetic_down, kinetic, exchange, spin_spin, density_density;
    statistics::Estimate variance;      // of the local energy per site, between configurations
    double autocorrelation_sweeps = 0;  // integrated time of the energy, 0.5 where there is none; 0 where bins are few
    MoveCounts moves;                   // warm-up included
    double largest_drift = 0;           // relative, of an inverse before it was computed anew
    std::int64_t recompute_interval = 0;  // sweeps, at the end
};

}  // namespace legato::vmc
