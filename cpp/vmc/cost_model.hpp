// A small measured model of how long a run takes, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// Of one sweep of all chains and the measurement after it: on one thread, on a device.
double cpu_seconds_per_sweep(const Model& model);
double cuda_seconds_per_sweep(const Model& model);

// Of a run. Infinite where there is no choice, or a device's memory is too small, which is then logged.
double cpu_seconds(const Context& context, const Model& model);
double cuda_seconds(const Context& context, const Model& model);

}  // namespace legato::vmc
