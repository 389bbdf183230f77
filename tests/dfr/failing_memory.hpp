// Memory that runs out once, at a chosen allocation.
#pragma once

#include <atomic>

namespace legato::tests {

extern std::atomic<long> until_no_memory;  // allocations by operator new; never if negative

}  // namespace legato::tests
