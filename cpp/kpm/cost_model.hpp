// A small measured model of how long a computation takes on either backend, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Seconds for all samples.
double cpu_seconds(const Problem& problem, const Hamiltonian& hamiltonian, int threads);
// Infinite where there is no device.
double cuda_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
