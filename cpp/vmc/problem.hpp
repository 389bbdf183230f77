// What variational Monte Carlo computes: averages of the t-t'-t''-J model
//     H = - sum_shells t_shell sum_<ij>,sigma (c+_i c_j + h.c.) + J sum_<ij> (S_i.S_j - n_i n_j / 4)
// without doubly occupied sites, <ij> of the J term nearest neighbours, in the projected BCS state of a fixed electron
// number, by Markov chains that visit configurations with probability |Psi|^2.
#pragma once

#include <array>
#include <cstdint>

#include "vmc/lattice.hpp"
#include "vmc/pair_function.hpp"

namespace legato::vmc {

struct Couplings {
    double t = 1, t_prime = 0, t_double_prime = 0, j = 0.3;
};

struct Problem {
    Lattice lattice;
    int electrons = 74;  // even; half of them up
    Couplings couplings;
    PairParameters pair;

    int chains = 16;
    std::int64_t warm_up = 200;         // sweeps of each chain before the first bin
    std::int64_t bins = 20;             // of each chain
    std::int64_t sweeps_per_bin = 100;  // each followed by a measurement
    int sweep_factor = 1;               // a sweep is this many attempts for every electron, null ones included
    double neighbour_share = 0.5;  // of proposals to one of the four nearest neighbours; the others are to any site
    int recompute_interval = 20;   // sweeps between inverses anew, at most
    double drift_bound = 1e-6;     // relative drift of an inverse beyond which the interval is halved
    int start_attempts = 1000;     // for a chain's first configuration
    double least_reciprocal_condition = 1e-12;  // of its matrix, in the 1-norm
    std::int64_t seed = 1;
    std::uint32_t run = 0;           // number of this run among those that share the seed: an optimisation's step
    bool correlations = false;       // measure those of spins and of charges at all distances
    bool pair_correlations = false;  // measure those of singlet pairs on bonds, at all distances
    bool gradients = false;  // measure what the energy's derivatives by the pair function's parameters follow from
    std::array<bool, variational_parameters> gradients_by{true, true, true, true};  // by which of these; others are 0
};

inline constexpr int max_chains = 1 << 20;
// Of M M^-1 - 1 at the start: rounding adds up, and large clusters' matrices are worse conditioned.
inline double largest_residual(std::size_t order) {
    const double size = static_cast<double>(order) / 128;
    return size > 1 ? 1e-8 * size * size : 1e-8;
}

// Ns (1 - doping) rounded up to an even number.
int electrons_at(const Lattice& lattice, double doping);

// Throws an invalid_argument that names the field, the value and the range.
void validate(const Problem& problem);

// What all chains share.
struct Model {
    explicit Model(const Problem& p);  // a valid one; throws an invalid_argument where it has no pair function

    Problem problem;
    Geometry geometry;
    PairFunction pair;
    std::vector<std::int32_t> displacements;       // [sites][sites] r_b - r_a by number; empty without any correlations
    std::vector<std::vector<double>> derivatives;  // of it, by each Parameter; empty without gradients

    std::size_t pairs() const { return static_cast<std::size_t>(problem.electrons / 2); }
    std::size_t order() const { return pairs() + pair.modes; }  // of the matrix
    std::int64_t attempts_per_sweep() const { return std::int64_t{problem.sweep_factor} * problem.electrons; }
};

}  // namespace legato::vmc
