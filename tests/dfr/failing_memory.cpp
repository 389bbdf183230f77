#include "failing_memory.hpp"

#include <cstdlib>
#include <new>

namespace legato::tests {

std::atomic<long> until_no_memory{-1};

}  // namespace legato::tests

void* operator new(std::size_t size) {
    using legato::tests::until_no_memory;
    if (until_no_memory.load() >= 0 && until_no_memory.fetch_sub(1) == 0) throw std::bad_alloc();
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
