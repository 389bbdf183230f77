// What AUTO tries on either backend: some sweeps of the run's chains.
#pragma once

#include "core/trial.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// Context and model must outlive it. A backend without the memory is left out, and that is logged.
Trial trial_of(const Context& context, const Model& model);

}  // namespace legato::vmc
