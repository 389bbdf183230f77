// A small measured model of how long a computation takes on either backend, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Seconds for all samples; `never` where the leanest engine finds too little memory, which is then logged, and on a
// device where there is no choice.
double cpu_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);
double cuda_seconds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
