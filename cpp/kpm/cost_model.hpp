// A small measured model of how long a computation takes on the CPU, for Backend::automatic.
#pragma once

#include "kpm/problem.hpp"

namespace legato::kpm {

// Seconds for all samples.
double cpu_seconds(const Problem& problem, const Hamiltonian& hamiltonian, int threads);

}  // namespace legato::kpm
