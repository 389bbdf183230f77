// The timing trial of `auto`: a block of vectors and some steps of the recursion on either backend.
#pragma once

#include "core/trial.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Returns the timing trial. Context, problem and Hamiltonian must outlive it. A backend with too little memory is left
// out, which is logged.
Trial trial_of(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
