// Estimated seconds of a run on either backend, for AUTO's choice, and how long the steps are by which a run goes on.
#pragma once

#include "core/context.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// Of a sweep of all systems, with its share of the draws of demons, on the mean over the run.
double cpu_sweep_seconds(const Context& context, const Model& model);
double cuda_sweep_seconds(const Model& model);

// Of the whole run; those of a device `never` where there is no choice, or too little memory, which is then logged.
double cpu_seconds(const Context& context, const Model& model);
double cuda_seconds(const Context& context, const Model& model);

}  // namespace legato::ising
