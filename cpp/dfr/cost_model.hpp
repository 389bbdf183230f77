// A small measured model of how long an iteration takes on either backend, for Backend::automatic.
#pragma once

#include <cstddef>
#include <span>

#include "core/context.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// As many as have a millisecond of work each in an iteration: more would wait for one another, which costs
// much where other programs are on the processors.
int useful_threads(const Context& context, const Problem& problem, std::span<const Atom> atoms);

// Seconds for the mean repulsions of one iteration of every atom; what else an iteration takes is the host's either
// way. Those of a device `never` where there is no choice.
double cpu_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms);
double cuda_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms);

}  // namespace legato::dfr
