// A small measured model of how long a computation takes on either backend, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Seconds for all samples; infinite where the leanest engine does not fit the memory that there is, which is then
// logged.
double cpu_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);
// Infinite where there is no device, too.
double cuda_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
