// The timing trial of `auto`: the mean repulsions of one iteration of the atoms on either backend.
#pragma once

#include <span>

#include "core/trial.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Returns the number of threads, such that each has a millisecond of work in an iteration. More threads would wait for
// one another, which is costly if other programs use the processors.
int useful_threads(const Context& context, const Problem& problem, std::span<const Atom> atoms);

// Returns the timing trial. Context, problem and atoms must outlive it. The rest of an iteration runs on the host with
// either backend and is not timed. A backend with too little memory is left out, which is logged.
// With `gradients`, the device must also have memory for the derivatives of all atoms.
Trial trial_of(const Context& context, const Problem& problem, std::span<const Atom> atoms, bool gradients = false);

}  // namespace legato::dfr
