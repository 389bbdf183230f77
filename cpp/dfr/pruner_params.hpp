// Written by tools/parameters.py from capi/include/legato/dfr_pruner.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::dfr {

// Parameters that all prunings of a list share.
struct PrunerParams {
    // A pruning ends when the next set would have a larger error. The error of a set is relative_error, plus
    // spinor_weight x spinor_error. Range [1e-12, 1], default 1e-5.
    double largest_error = 1e-5;
    // An optimisation ends when a step changes the error by less than this fraction of the error of the set that loses
    // a function. Range [1e-6, 1], default 0.01.
    double tolerance = 0.01;
    // Largest number of energies of an optimisation. Range [1, 1000000], default 500.
    std::int64_t max_energies = 500;
    // Weight of the spinors, as in legato_dfr_optimiser_params. Range [0, 1e6], default 0.
    double spinor_weight = 0;
    // With a seed other than 0, legato_dfr_pruner_add_element starts from other parameters: alpha and the largest
    // exponent change by random factors up to 1.5, delta and gamma by factors up to 2. Range [0, 1000000], default 0.
    std::int64_t seed = 0;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<PrunerParams> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.largest_error, Range("largest_error", 1e-12, 1.0));
    visit(p.tolerance, Range("tolerance", 1e-06, 1.0));
    visit(p.max_energies, Range("max_energies", 1, 1000000));
    visit(p.spinor_weight, Range("spinor_weight", 0.0, 1000000.0));
    visit(p.seed, Range("seed", 0, 1000000));
}

}  // namespace legato::dfr
