// What AUTO tries on either backend: the mean repulsions of an iteration of the atoms.
#pragma once

#include <span>

#include "core/trial.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// As many as have a millisecond of work each in an iteration: more would wait for one another, which costs
// much where other programs are on the processors.
int useful_threads(const Context& context, const Problem& problem, std::span<const Atom> atoms);

// Context, problem and atoms must outlive it. What else an iteration takes is the host's either way. A backend without
// the memory is left out, and that is logged.
Trial trial_of(const Context& context, const Problem& problem, std::span<const Atom> atoms);

}  // namespace legato::dfr
