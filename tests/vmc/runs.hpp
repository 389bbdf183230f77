// Functions that the tests of variational Monte Carlo share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "exact.hpp"
#include "vmc/chain.hpp"

namespace legato::vmc::tests {

inline Problem tilted_problem(int length, int electrons) {
    Problem problem;
    problem.lattice.length = length;
    problem.electrons = electrons;
    return problem;
}

inline Problem problem_of(const exact::Reference& reference) {
    Problem problem = tilted_problem(3, reference.electrons);
    problem.pair.delta = reference.delta;
    problem.pair.mu = reference.mu;
    problem.pair.gap = reference.convention_b ? Gap::b : Gap::a;
    return problem;
}

inline Problem rectangular_problem(int lx, int ly, Boundary x, Boundary y, int electrons) {
    Problem problem;
    problem.lattice = {vmc::Cluster::rectangular, 0, {lx, ly}, {x, y}};
    problem.electrons = electrons;
    return problem;
}

inline exact::State state_of(const Problem& problem) {
    const PairParameters& p = problem.pair;
    return {p.variational_t,
            p.variational_t_prime,
            p.variational_t_double_prime,
            p.mu,
            p.gap == Gap::b ? p.delta : p.delta / 2,
            0};
}

inline exact::Couplings couplings_of(const Problem& problem) {
    const vmc::Couplings& c = problem.couplings;
    return {c.t, c.t_prime, c.t_double_prime, c.j};
}

inline exact::Cluster cluster_of(const Problem& problem) {
    const Lattice& l = problem.lattice;
    if (l.cluster == vmc::Cluster::tilted) return exact::tilted(l.length);
    return exact::rectangular(l.extents[0], l.extents[1], static_cast<int>(l.boundary[0]),
                              static_cast<int>(l.boundary[1]));
}

inline exact::Configuration masks_of(const Model& model, const vmc::Configuration& c) {
    exact::Configuration masks{0, 0};
    for (std::size_t i = 0; i < model.pairs(); ++i) {
        masks.up |= std::uint32_t{1} << c.up[i];
        masks.down |= std::uint32_t{1} << c.down[i];
    }
    return masks;
}

// Returns the configuration of the electrons of bit patterns, sorted.
inline vmc::Configuration configuration_of(const Model& model, exact::Configuration masks) {
    const std::vector<int> up = exact::sites_in(masks.up), down = exact::sites_in(masks.down);
    return make_configuration(model, up, down);
}

template <class Action>
std::pair<Status, std::string> failure_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return {error.status(), error.what()};
    }
    return {Status::success, "nothing thrown"};
}

}  // namespace legato::vmc::tests
