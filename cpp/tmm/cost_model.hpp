// A small measured model of how long a cycle takes on either backend, for Backend::automatic.
#pragma once

#include <cstddef>

#include "core/context.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// Seconds for one cycle of every point; those of a device `never` where there is no choice, no kernel for the problem
// or too little memory, which is then logged.
double cpu_seconds(const Context& context, const Problem& problem, std::size_t points);
double cuda_seconds(const Context& context, const Problem& problem, std::size_t points);

// What a single call of one cycle adds on the device: launch, transfers, waiting.
inline constexpr double cuda_seconds_per_call = 60e-6;

}  // namespace legato::tmm
