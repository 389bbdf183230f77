// Allocations that fail in one thread. A test that uses this has failing_memory.cpp among its sources.
#pragma once

namespace ranks {

// The allocation of this thread that will fail, counted from 1; 0 for none. Those of the transport do not count.
inline thread_local int allocations_left = 0;

}  // namespace ranks
