// What an iteration takes: a small measured model of the time on either backend, for Backend::automatic, and memory.
#pragma once

#include <cstddef>
#include <span>

#include "core/context.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Seconds for the mean repulsions of one iteration of every atom; what else an iteration takes is the host's either
// way.
double cpu_seconds(const Problem& problem, std::span<const Atom> atoms, int threads);
// As many as have a millisecond of work each in an iteration: more would wait for one another, which costs
// much where other programs are on the processors.
int useful_threads(const Problem& problem, std::span<const Atom> atoms, int threads);
// Infinite where there is no device. Devices are left alone where there is nothing to choose.
double cuda_seconds(const Context& context, const Problem& problem, std::span<const Atom> atoms);

// Bytes of main memory, at most, while all atoms are iterated side by side on the CPU.
std::size_t bytes_needed(const Problem& problem, std::span<const Atom> atoms);

}  // namespace legato::dfr
