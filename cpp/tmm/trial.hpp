// Timing trials of tmm, by which AUTO chooses the backend: some cycles of the points of the run.
#pragma once

#include <span>

#include "core/trial.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// Returns the timing trial of a run. Context, problem and points must outlive it. A device without a kernel for the
// problem or without the memory is left out; a lack of memory is logged.
Trial trial_of(const Context& context, const Problem& problem, std::span<const Point> points);

// Returns the timing trial for a caller that multiplies and orthonormalises step by step and expects `cycles` cycles.
Trial trial_of_steps(const Context& context, const Problem& problem, double cycles);

}  // namespace legato::tmm
