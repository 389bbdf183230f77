// Large arrays whose pages belong to the threads that write them first.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace legato::kpm {

// Uninitialised numbers, in large pages where the system has them.
template <class Number>
class Pages {
  public:
    Pages() = default;
    explicit Pages(std::size_t count) {
        constexpr std::size_t large_page = std::size_t{1} << 21;
        const std::size_t bytes = (count * sizeof(Number) + large_page - 1) / large_page * large_page;
        void* const memory = std::aligned_alloc(large_page, bytes);
        if (!memory) throw std::bad_alloc();
        values_.reset(static_cast<Number*>(memory));
#ifdef MADV_HUGEPAGE
        madvise(memory, bytes, MADV_HUGEPAGE);  // only a wish: what it answers does not matter
#endif
    }

    Number* data() const {
        return values_.get();
    }

  private:
    struct Free {
        void operator()(Number* p) const { std::free(p); }
    };
    std::unique_ptr<Number[], Free> values_;
};

}  // namespace legato::kpm
