// Written by tools/parameters.py from capi/include/legato/vmc_optimiser.h. Change that instead.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::vmc {

// Parameters of an optimisation.
struct OptimiserParams {
    // Element p is 1: parameter p (legato_vmc_parameter) is varied; 0: it is fixed. At least one is varied. Range [0,
    // 1], default 1,1,0,0.
    std::array<bool, 4> free{true, true, false, false};
    // Largest number of steps. Range [1, 1000000], default 40.
    int steps = 40;
    // Number of quiet steps of the refinement that end the optimisation. Range [1, 1000], default 3.
    int quiet_steps = 3;
    // Factor by which sweeps_per_bin of the run is multiplied in survey and refinement. After a survey that is not
    // conclusive, because a curvature is not positive beyond two errors, the factor is the square of this number in all
    // stages. Range [1, 1000], default 4.
    int refinement = 4;
    // Imaginary time of a descent step, in units of 1 / t. Range [1e-6, 1e3], default 0.2.
    double time = 0.2;
    // Largest change of a parameter in one step. All changes of a step are reduced by the same factor. Range [1e-6,
    // 1e3], default 0.2.
    double largest_move = 0.2;
    // Relative shift of the diagonal of the metric. Range [0, 1e3], default 1e-3.
    double shift = 1e-3;
    // Number of standard errors within which a component of the gradient is not significantly different from 0. Range
    // [0, 100], default 2.
    double significance = 2;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<OptimiserParams> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.free, Range("free", 0, 1));
    visit(p.steps, Range("steps", 1, 1000000));
    visit(p.quiet_steps, Range("quiet_steps", 1, 1000));
    visit(p.refinement, Range("refinement", 1, 1000));
    visit(p.time, Range("time", 1e-06, 1000.0));
    visit(p.largest_move, Range("largest_move", 1e-06, 1000.0));
    visit(p.shift, Range("shift", 0.0, 1000.0));
    visit(p.significance, Range("significance", 0.0, 100.0));
}

}  // namespace legato::vmc
