// Written by tools/parameters.py from capi/include/legato/vmc.h. Change that instead.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::vmc {

// Kind of cluster.
enum class Cluster : int {
    // L^2 + 1 sites with odd L: the square lattice with the periods (L, 1) and (-1, L)
    tilted = 0,
    // a rectangle of Lx x Ly sites
    rectangular = 1,
};

// Boundary along an axis.
enum class Boundary : int {
    // a site at the opposite edge is the neighbour
    periodic = 0,
    // hopping and phi change sign across the boundary; spins do not
    antiperiodic = 1,
};

// Gap function.
enum class Gap : int {
    // Delta_k = (Delta/2) (cos kx - cos ky)
    a = 0,
    // Delta_k = Delta (cos kx - cos ky)
    b = 1,
};

struct Lattice {
    // One of legato_vmc_cluster, default LEGATO_VMC_CLUSTER_TILTED.
    Cluster cluster = Cluster::tilted;
    // Length L, an odd number, used with LEGATO_VMC_CLUSTER_TILTED. Range [3, 63], default 9.
    int length = 9;
    // Extents Lx and Ly with at most 4096 sites in all, used with LEGATO_VMC_CLUSTER_RECTANGULAR. Range [3, 1024],
    // default 8.
    std::array<int, 2> extents{8, 8};
    // Boundaries in x and y, used with LEGATO_VMC_CLUSTER_RECTANGULAR. One of legato_vmc_boundary, default
    // LEGATO_VMC_BOUNDARY_PERIODIC.
    std::array<Boundary, 2> boundary{Boundary::periodic, Boundary::periodic};
};

struct Couplings {
    // Hopping t of the Hamiltonian between nearest neighbours. Range [-1e6, 1e6], default 1.
    double t = 1;
    // Hopping t' of the Hamiltonian between second neighbours, along diagonals. Range [-1e6, 1e6], default 0.
    double t_prime = 0;
    // Hopping t'' of the Hamiltonian between third neighbours, two sites along an axis. Range [-1e6, 1e6], default 0.
    double t_double_prime = 0;
    // Exchange J of the Hamiltonian. Range [-1e6, 1e6], default 0.3.
    double j = 0.3;
};

struct PairParameters {
    // One of legato_vmc_gap, default LEGATO_VMC_GAP_A.
    Gap gap = Gap::a;
    // Parameter t of xi_k. Range [-1e6, 1e6], default 1.
    double variational_t = 1;
    // Parameter t' of xi_k. Range [-1e6, 1e6], default 0.
    double variational_t_prime = 0;
    // Parameter t'' of xi_k. Range [-1e6, 1e6], default 0.
    double variational_t_double_prime = 0;
    // Parameter Delta of Delta_k. Range [-1e6, 1e6], default 1.5.
    double delta = 1.5;
    // Parameter mu of xi_k. Range [-1e6, 1e6], default 0.
    double mu = 0;
};

// Parameters of a run. Sites count from 0. In a tilted cluster (x, y) has the number x - L y modulo L^2 + 1, in a
// rectangular one x + Lx y.
struct Params {
    Lattice lattice;
    Couplings couplings;
    PairParameters pair;
    // Number of electrons, even and at most the number of sites. Range [2, 4096], default 74.
    int electrons = 74;
    // Number of independent chains. Range [1, 1048576], default 16.
    int chains = 16;
    // Number of attempts per electron in a sweep, null attempts included. Range [1, 100], default 1.
    int sweep_factor = 1;
    // Number of sweeps of each chain before its first bin. Range [0, 1099511627776], default 200.
    std::int64_t thermalisation = 200;
    // Number of bins of each chain. Range [1, 1048576], default 20.
    std::int64_t bins = 20;
    // Number of sweeps in a bin; a measurement follows each of them. bins times sweeps_per_bin is at most 2^40. Range
    // [1, 1099511627776], default 100.
    std::int64_t sweeps_per_bin = 100;
    // Share of the attempts whose target is a nearest neighbour of the electron; the target of the others is any site.
    // Range [0, 1], default 0.5.
    double neighbour_share = 0.5;
    // Largest number of sweeps between two recomputations of the inverse of M. Range [1, 1000000], default 20.
    int recompute_interval = 20;
    // Largest number of configurations that are tried to find the first one of a chain. Range [1, 1073741824], default
    // 1000.
    int start_attempts = 1000;
    // If the updated inverse differs from the recomputed one by more than this (relative), the interval between
    // recomputations is halved. Range [1e-14, 1], default 1e-6.
    double drift_bound = 1e-6;
    // Smallest reciprocal condition number, in the 1-norm, that M may have in the first configuration of a chain. Range
    // [0, 1], default 1e-12.
    double least_reciprocal_condition = 1e-12;
    // Seed of the random numbers. Runs with different seeds share no random numbers. Any value, default 1.
    std::int64_t seed = 1;
    // 1: measure the correlations at all distances that legato_vmc_structure_factors needs; 0: do not. Range [0, 1],
    // default 0.
    bool correlations = false;
    // 1: measure correlations of singlet pairs on bonds, at all distances; 0: do not. Range [0, 1], default 0.
    bool pair_correlations = false;
    // 1: measure the averages that give the gradient of the energy and the metric; 0: do not. If it is 1, delta must
    // not be 0. Range [0, 1], default 0.
    bool gradients = false;
    // Element p is 1: include the derivative with respect to parameter p (legato_vmc_parameter), which costs time; 0:
    // leave it out. Range [0, 1], default 1.
    std::array<bool, 4> gradients_by{true, true, true, true};
};

inline constexpr int max_chains = 1048576;

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<Lattice> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.cluster, Range("cluster", 0, 1));
    visit(p.length, Range("length", 3, 63, p.cluster == Cluster::tilted));
    visit(p.extents[0], Range("extents[0]", 3, 1024, p.cluster == Cluster::rectangular).saved_as("extent_x"));
    visit(p.extents[1], Range("extents[1]", 3, 1024, p.cluster == Cluster::rectangular).saved_as("extent_y"));
    visit(p.boundary[0], Range("boundary[0]", 0, 1, p.cluster == Cluster::rectangular).saved_as("boundary_x"));
    visit(p.boundary[1], Range("boundary[1]", 0, 1, p.cluster == Cluster::rectangular).saved_as("boundary_y"));
}

template <std::derived_from<Couplings> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.t, Range("t", -1000000.0, 1000000.0));
    visit(p.t_prime, Range("t_prime", -1000000.0, 1000000.0));
    visit(p.t_double_prime, Range("t_double_prime", -1000000.0, 1000000.0));
    visit(p.j, Range("j", -1000000.0, 1000000.0));
}

template <std::derived_from<PairParameters> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.gap, Range("gap", 0, 1));
    visit(p.variational_t, Range("variational_t", -1000000.0, 1000000.0));
    visit(p.variational_t_prime, Range("variational_t_prime", -1000000.0, 1000000.0));
    visit(p.variational_t_double_prime, Range("variational_t_double_prime", -1000000.0, 1000000.0));
    visit(p.delta, Range("delta", -1000000.0, 1000000.0));
    visit(p.mu, Range("mu", -1000000.0, 1000000.0));
}

template <std::derived_from<Params> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    for_each_parameter(p.lattice, visit);
    for_each_parameter(p.couplings, visit);
    for_each_parameter(p.pair, visit);
    visit(p.electrons, Range("electrons", 2, 4096));
    visit(p.chains, Range("chains", 1, 1048576));
    visit(p.sweep_factor, Range("sweep_factor", 1, 100));
    visit(p.thermalisation, Range("thermalisation", 0LL, 1099511627776LL).saved_as("warm_up"));
    visit(p.bins, Range("bins", 1, 1048576));
    visit(p.sweeps_per_bin, Range("sweeps_per_bin", 1LL, 1099511627776LL));
    visit(p.neighbour_share, Range("neighbour_share", 0.0, 1.0));
    visit(p.recompute_interval, Range("recompute_interval", 1, 1000000));
    visit(p.start_attempts, Range("start_attempts", 1, 1073741824));
    visit(p.drift_bound, Range("drift_bound", 1e-14, 1.0));
    visit(p.least_reciprocal_condition, Range("least_reciprocal_condition", 0.0, 1.0));
    visit(p.seed, Range("seed"));
    visit(p.correlations, Range("correlations", 0, 1));
    visit(p.pair_correlations, Range("pair_correlations", 0, 1));
    visit(p.gradients, Range("gradients", 0, 1));
    visit(p.gradients_by, Range("gradients_by", 0, 1));
}

}  // namespace legato::vmc
