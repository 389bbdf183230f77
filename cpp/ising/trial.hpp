// The timing trial by which `auto` chooses a backend: some sweeps of all systems of the run.
#pragma once

#include "core/trial.hpp"
#include "ising/engine.hpp"

namespace legato::ising {

// Returns the trial. Context and model must outlive it. A backend without enough memory is left out, which is logged.
Trial trial_of(const Context& context, const Model& model, const Sharings& shared, const Loaded& loaded);

}  // namespace legato::ising
