// What AUTO tries on either backend: a block of vectors and some steps of the recursion.
#pragma once

#include "core/trial.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Context, problem and Hamiltonian must outlive it. A backend without the memory is left out, and that is logged.
Trial trial_of(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
