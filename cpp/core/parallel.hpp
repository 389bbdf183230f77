// Loops over independent pieces of work.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace legato {

// work(i) for i in 0..count-1 on `threads` threads; the first exception comes out, and what has not begun then does
// not.
template <class Work>
void in_parallel(std::size_t count, int threads, Work&& work) {
    std::exception_ptr first;
    std::mutex mutex;
    std::atomic<bool> failed = false;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (count > 1)
    for (std::size_t i = 0; i < count; ++i) {
        if (failed) continue;
        try {
            work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!first) first = std::current_exception();
            failed = true;
        }
    }
    if (first) std::rethrow_exception(first);
}

}  // namespace legato
