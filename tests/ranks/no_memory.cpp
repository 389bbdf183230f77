#include "no_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

namespace {

constexpr long never = std::numeric_limits<long>::max();
thread_local long left = never;
thread_local std::size_t largest = 0;

}  // namespace

namespace ranks {

void memory_runs_out(long after) {
    left = after;
}
void memory_is_back() {
    left = never;
}

std::size_t largest_allocation() {
    return std::exchange(largest, 0);
}

MemoryAgain::MemoryAgain() : kept_(std::exchange(left, never)) {}
MemoryAgain::~MemoryAgain() {
    left = kept_;
}

}  // namespace ranks

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    if (left != never && left-- <= 0) return nullptr;
    largest = std::max(largest, size);
    return std::malloc(size);
}
void* operator new(std::size_t size) {
    if (void* const memory = operator new(size, std::nothrow)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
