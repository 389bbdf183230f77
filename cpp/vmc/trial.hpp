// The timing trial by which `auto` chooses a backend: some sweeps of the run's chains.
#pragma once

#include "core/trial.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// Returns the trial. Context and model must outlive it. A backend without enough memory is left out, which is logged.
Trial trial_of(const Context& context, const Model& model);

}  // namespace legato::vmc
