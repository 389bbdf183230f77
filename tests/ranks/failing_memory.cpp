#include "failing_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "in_memory.hpp"

void* operator new(std::size_t size) {
    using ranks::allocations_left;
    if (!ranks::in_transport && allocations_left > 0 && --allocations_left == 0) throw std::bad_alloc();
    void* const memory = std::malloc(std::max<std::size_t>(size, 1));
    if (!memory) throw std::bad_alloc();
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
