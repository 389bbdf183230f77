// What AUTO tries on either backend: some cycles of the points of the run.
#pragma once

#include <span>

#include "core/trial.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// Context, problem and points must outlive it. A backend without the memory, and a device without a kernel for the
// problem, is left out; the former is logged.
Trial trial_of(const Context& context, const Problem& problem, std::span<const Point> points);

// The trial for a caller that multiplies and orthonormalises by itself, with the number of cycles that it expects.
Trial trial_of_steps(const Context& context, const Problem& problem, double cycles);

}  // namespace legato::tmm
