// Every form of operator new, also for the C++ libraries that the program has loaded.
#include <cstdlib>
#include <new>

#include "wrapped.hpp"

namespace {

constexpr auto kind = legato::tests::Failure::memory;

}  // namespace

LEGATO_FAILS(aligned_alloc, nullptr, void*, (std::size_t alignment, std::size_t size), (alignment, size))

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
    std::free(memory);
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
