// Wraps every form of operator new, also for the C++ libraries that the program has loaded, and aligned_alloc.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "wrapped.hpp"

namespace {

constexpr auto kind = legato::tests::Failure::memory;

// Blocks from aligned_alloc that have not been freed.
std::array<std::atomic<void*>, 256> aligned_blocks{};

bool replace(void* from, void* to) noexcept {
    return std::any_of(aligned_blocks.begin(), aligned_blocks.end(), [&](std::atomic<void*>& block) {
        void* expected = from;
        return block.compare_exchange_strong(expected, to);
    });
}

}  // namespace

#define LEGATO_ALIGNED(name)                                                  \
    extern "C" void* __real_##name(std::size_t alignment, std::size_t size);  \
    extern "C" void* __wrap_##name(std::size_t alignment, std::size_t size) { \
        if (legato::tests::fails(kind, #name)) return nullptr;                \
        void* const memory = __real_##name(alignment, size);                  \
        if (memory && replace(nullptr, memory)) ++legato::tests::live_blocks; \
        return memory;                                                        \
    }
LEGATO_ALIGNED(aligned_alloc)

#define LEGATO_FREE(name)                                                     \
    extern "C" void __real_##name(void* memory);                              \
    extern "C" void __wrap_##name(void* memory) {                             \
        if (memory && replace(memory, nullptr)) --legato::tests::live_blocks; \
        __real_##name(memory);                                                \
    }
LEGATO_FREE(free)

namespace {

void* allocated(std::size_t size, std::align_val_t alignment = std::align_val_t{0}) noexcept {
    if (legato::tests::fails(kind, "operator new")) return nullptr;
    const auto align = static_cast<std::size_t>(alignment);
    void* const memory =
        align > 0 ? __real_aligned_alloc(align, (size + align - 1) / align * align) : std::malloc(size);
    if (memory) ++legato::tests::live_blocks;
    return memory;
}

void* required(void* memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
}

void release(void* memory) noexcept {
    if (memory) --legato::tests::live_blocks;
    __real_free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
    return required(allocated(size));
}
void* operator new[](std::size_t size) {
    return required(allocated(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return required(allocated(size, alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocated(size);
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete[](void* memory) noexcept {
    release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    release(memory);
}
