// A small measured model of how long a run takes, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

double cpu_seconds(const Context& context, const Model& model);

}  // namespace legato::vmc
