// What AUTO tries on either backend: some sweeps of all systems of the run.
#pragma once

#include "core/trial.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// Context and model must outlive it. A backend without the memory is left out, and that is logged.
Trial trial_of(const Context& context, const Model& model);

}  // namespace legato::ising
