// How much main memory a computation may take.
#pragma once

#include <cstddef>

namespace legato {

// Bytes that the system says can be had without swapping, and within `ulimit -v`; a large guess where it does not say.
std::size_t available_memory();

}  // namespace legato
