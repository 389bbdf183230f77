// A small measured model of how long a cycle takes on either backend, for Backend::automatic.
#pragma once

#include <cstddef>

#include "core/context.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// Seconds for one cycle of every point.
double cpu_seconds_per_cycle(const Problem& problem, std::size_t points, int threads);
double cuda_seconds_per_cycle(const Problem& problem, std::size_t points);

// What a single call of one cycle adds on the device: launch, transfers, waiting.
inline constexpr double cuda_seconds_per_call = 60e-6;

}  // namespace legato::tmm
