// Vectors of doubles, aligned to 64 bytes for the widest vector instructions.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace legato {

template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    AlignedAllocator() = default;
    template <class U>
    explicit AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
    bool operator==(const AlignedAllocator&) const = default;
};

using AlignedVector = std::vector<double, AlignedAllocator<double>>;

}  // namespace legato
