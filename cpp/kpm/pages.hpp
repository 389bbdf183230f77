// Large arrays whose pages are allocated near the threads that write them first.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace legato::kpm {

// Allocates numbers without setting them to zero. The memory has large pages if the array fills one and the system has
// them.
template <class Number>
struct PageAllocator {
    using value_type = Number;
    static constexpr std::size_t line = 64, large_page = std::size_t{1} << 21;

    PageAllocator() = default;
    template <class Other>
    explicit PageAllocator(const PageAllocator<Other>&) {}

    Number* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(Number);
        void* memory = nullptr;
        if (posix_memalign(&memory, bytes < large_page ? line : large_page, bytes) != 0) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (bytes >= large_page) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint; its result does not matter
#endif
        return static_cast<Number*>(memory);
    }
    void deallocate(Number* memory, std::size_t) {
        std::free(memory);
    }

    template <class Other, class... Arguments>
    void construct(Other* at, Arguments&&... arguments) {
        if constexpr (sizeof...(Arguments) == 0)
            ::new (static_cast<void*>(at)) Other;
        else
            ::new (static_cast<void*>(at)) Other(std::forward<Arguments>(arguments)...);
    }

    bool operator==(const PageAllocator&) const = default;
};

template <class Number>
using Pages = std::vector<Number, PageAllocator<Number>>;

}  // namespace legato::kpm
