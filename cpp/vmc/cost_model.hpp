// A small measured model of how long a run takes, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// Of one sweep of one chain and the measurement after it, on one thread.
double cpu_seconds_per_sweep(const Model& model);
double cpu_seconds(const Context& context, const Model& model);

}  // namespace legato::vmc
