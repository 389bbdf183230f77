// The memory of an engine's slots.
#pragma once

#include "core/context.hpp"
#include "core/memory.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// Returns the bytes of each slot, of either engine, in the memory where the engine computes. Slices of the
// caller for one cycle are counted; what a thread needs for the slices that it multiplies is not.
MemoryNeeds memory_needs(const Problem& problem);
// Returns the bytes that all slots together may take there.
MemoryLimit memory_limit(const Context& context, Backend backend);
// Returns the number of points whose states the host copies at a time, at least 1. It depends on the problem alone.
std::size_t batch_size(const Problem& problem);

}  // namespace legato::tmm
