#include "core/blas.hpp"

#include <mutex>

extern "C" {
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) void openblas_set_num_threads(int);
}

namespace legato {
namespace {

// OpenBLAS keeps one setting for the process: the first guard saves it, the last restores it.
std::mutex mutex;
int guards = 0;
int saved_threads = 0;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    const std::lock_guard lock(mutex);
    if (guards++ > 0) return;
    saved_threads = openblas_get_num_threads();
    if (saved_threads != 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    const std::lock_guard lock(mutex);
    if (--guards == 0 && saved_threads != 1) openblas_set_num_threads(saved_threads);
}

}  // namespace legato
