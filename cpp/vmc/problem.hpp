// The problem of variational Monte Carlo: averages of the t-t'-t''-J model
//     H = - sum_shells t_shell sum_<ij>,sigma (c+_i c_j + h.c.) + J sum_<ij> (S_i.S_j - n_i n_j / 4)
// without doubly occupied sites. <ij> of the J term are nearest neighbours. The state is the projected BCS state with a
// fixed number of electrons. Markov chains visit its configurations with a probability proportional to |Psi|^2.
#pragma once

#include <array>
#include <cstdint>

#include "core/comparison.hpp"
#include "vmc/lattice.hpp"
#include "vmc/pair_function.hpp"

namespace legato::vmc {

struct Problem : Params {
    PairTable table;
    std::uint32_t run = 0;  // number of this run among the runs with the same seed: the step of an optimisation
};

// Returns the largest element of |M M^-1 - 1| that is allowed at the start. It grows with the order: rounding errors
// add up, and the matrices of large clusters are worse conditioned.
inline double largest_residual(std::size_t order) {
    const double size = static_cast<double>(order) / 128;
    return size > 1 ? 1e-8 * size * size : 1e-8;
}

// Returns Ns (1 - doping) rounded up to an even number. Ns is the number of sites.
int electrons_at(const Lattice& lattice, double doping);

// Throws an invalid_argument that names the field, the value and the range.
void validate(const Problem& problem);

// Adds the arguments that are the same on all ranks. The problem must stay unchanged until the comparison.
void add_problem(Comparison& comparison, const Problem& problem);

// Data that all chains share.
struct Model {
    // Throws an invalid_argument if the pair function is undefined or has more modes than there are pairs. p must be
    // valid.
    explicit Model(const Problem& p);

    Problem problem;
    Geometry geometry;
    PairFunction pair;
    // [sites][sites], the number of the displacement r_b - r_a. Empty if no correlations are measured.
    std::vector<std::int32_t> displacements;
    // pair_derivative() for each Parameter. Empty without gradients.
    std::vector<std::vector<double>> derivatives;

    std::size_t pairs() const { return static_cast<std::size_t>(problem.electrons / 2); }
    std::size_t order() const { return pairs() + pair.modes; }  // order of the determinant matrix
    std::int64_t attempts_per_sweep() const { return std::int64_t{problem.sweep_factor} * problem.electrons; }
};

}  // namespace legato::vmc
