// Written by tools/parameters.py from capi/include/legato/ising.h. Change that instead.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::ising {

// Algorithm that updates the spins.
enum class Algorithm : int {
    // Metropolis algorithm; a word holds spins of one lattice
    metropolis = 0,
    // demons; a word holds spins of up to 32 lattices, and a refresh draws at random which levels of each demon are
    // occupied
    demon_naive = 1,
    // demons; a refresh draws, for each level, the number of demons in which it is occupied, and changes as many demons
    // as needed
    demon_binomial = 2,
    // demons; they are refreshed like binomial demons, but only during the thermalisation
    demon_microcanonical = 3,
    // a sweep divides the lattice into clusters and turns each over with probability 1/2 (R. H. Swendsen and J.-S.
    // Wang, Phys. Rev. Lett. 58, 86 (1987)); with correlations on the CPU only. Since version 0.2.
    swendsen_wang = 4,
    // a sweep turns over the cluster of one random site (U. Wolff, Phys. Rev. Lett. 62, 361 (1989)); on the CPU only.
    // Since version 0.2.
    wolff = 5,
};

// Boundary along an axis.
enum class Boundary : int {
    // a site at the opposite edge is the neighbour
    periodic = 0,
    // couplings across the boundary have the opposite sign
    antiperiodic = 1,
};

// First configuration.
enum class Start : int {
    // all spins up
    up = 0,
    // each spin up or down with probability 1/2
    random = 1,
};

struct Lattice {
    // Dimension of the lattice. Range [2, 3], default 2.
    int dimension = 2;
    // Extents L1, L2, L3: even numbers from 2 on; L3 is 1 in two dimensions. There are at most 2^37 sites, 3e9 with
    // demons, and L2 L3 ceil(L1 / 64) is at most 2^31, or 2^25 - 1 with clusters. Range [1, 1048576], default 64,64,1.
    std::array<std::int64_t, 3> extents{64, 64, 1};
    // Boundary along each axis; the third is LEGATO_ISING_BOUNDARY_PERIODIC in two dimensions. One of
    // legato_ising_boundary, default LEGATO_ISING_BOUNDARY_PERIODIC.
    std::array<Boundary, 3> boundary{Boundary::periodic, Boundary::periodic, Boundary::periodic};
};

// Parameters that all systems of a run share.
struct Params {
    Lattice lattice;
    // One of legato_ising_algorithm, default LEGATO_ISING_ALGORITHM_METROPOLIS.
    Algorithm algorithm = Algorithm::metropolis;
    // Number of replicas, which are independent lattices with the same beta and seed. Demons are fastest with 1, 2, 4,
    // 8, 16 or a multiple of 32 replicas. Range [1, 1048576], default 1.
    int replicas = 1;
    // Field h / J, used with LEGATO_ISING_ALGORITHM_METROPOLIS, LEGATO_ISING_ALGORITHM_SWENDSEN_WANG and
    // LEGATO_ISING_ALGORITHM_WOLFF; it must be 0 with demons. Range [-1e6, 1e6], default 0.
    double field = 0;
    // Number of sweeps before the first measurement. Range [0, 1099511627776], default 1000.
    std::int64_t thermalisation = 1000;
    // Number of sweeps between two measurements. sweeps_per_measurement times measurements_per_bin times bins is at
    // most 2^40. Range [1, 1099511627776], default 1.
    std::int64_t sweeps_per_measurement = 1;
    // Number of measurements in a bin; see also sweeps_per_measurement. Range [1, 1099511627776], default 1000.
    std::int64_t measurements_per_bin = 1000;
    // Number of bins; reliable errors need at least 32. Range [1, 1048576], default 32.
    std::int64_t bins = 32;
    // Number of sweeps between two refreshes of the demons, at most the number of all sweeps. Microcanonical demons
    // (LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL) are refreshed only in the thermalisation; refresh_interval is then
    // at most `thermalisation`. Without a thermalisation they are never refreshed: all demons begin empty, and the
    // total energy stays that of the first configuration. Range [1, 1099511627776], default 1.
    std::int64_t refresh_interval = 1;
    // One of legato_ising_start, default LEGATO_ISING_START_UP.
    Start start = Start::up;
    // 1: keep m and e of every measurement; 0: keep sums over bins only. Range [0, 1], default 0.
    bool time_series = false;
    // 1: measure <s_x s_(x+r)> along the axes, with clusters of Swendsen and Wang on the CPU only; 0: do not. Range [0,
    // 1], default 0.
    bool correlations = false;
    // 1: count attempts and flips; 0: do not; used with LEGATO_ISING_ALGORITHM_METROPOLIS. It must be 0 with demons and
    // clusters. Range [0, 1], default 0.
    bool acceptance = false;
};

inline constexpr std::int64_t max_extents = 1048576;
inline constexpr std::int64_t max_bins = 1048576;

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<Lattice> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.dimension, Range("dimension", 2, 3).saved_as("dimensions"));
    visit(p.extents, Range("extents", 1, 1048576));
    visit(p.boundary, Range("boundary", 0, 1));
}

template <std::derived_from<Params> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    for_each_parameter(p.lattice, visit);
    visit(p.algorithm, Range("algorithm", 0, 5));
    visit(p.replicas, Range("replicas", 1, 1048576));
    visit(p.field, Range("field", -1000000.0, 1000000.0,
                         p.algorithm == Algorithm::metropolis || p.algorithm == Algorithm::swendsen_wang ||
                             p.algorithm == Algorithm::wolff));
    visit(p.thermalisation, Range("thermalisation", 0LL, 1099511627776LL));
    visit(p.sweeps_per_measurement, Range("sweeps_per_measurement", 1LL, 1099511627776LL));
    visit(p.measurements_per_bin, Range("measurements_per_bin", 1LL, 1099511627776LL));
    visit(p.bins, Range("bins", 1, 1048576));
    visit(p.refresh_interval, Range("refresh_interval", 1LL, 1099511627776LL));
    visit(p.start, Range("start", 0, 1));
    visit(p.time_series, Range("time_series", 0, 1));
    visit(p.correlations, Range("correlations", 0, 1));
    visit(p.acceptance, Range("acceptance", 0, 1, p.algorithm == Algorithm::metropolis));
}

}  // namespace legato::ising
