// Makes memory run out once, at a chosen allocation.
#pragma once

#include <atomic>

namespace legato::tests {

extern std::atomic<long> until_no_memory;  // operator new throws once, after so many calls

}  // namespace legato::tests
