// A small measured model of how long an iteration takes on either backend, for Backend::automatic.
#pragma once

#include <span>

#include "core/context.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Seconds for the mean repulsions of one iteration of every atom; what else an iteration takes is the host's either
// way.
double cpu_seconds(const Problem& problem, std::span<const Atom> atoms, int threads);
// Infinite where there is no device. Devices are left alone where there is nothing to choose.
double cuda_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms);

}  // namespace legato::dfr
