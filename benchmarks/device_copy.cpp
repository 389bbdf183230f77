#include "kpm.hpp"

#ifdef LEGATO_BENCH_CUDA
#include <cuda_runtime_api.h>

#include <algorithm>

double device_copy_bandwidth() {
    constexpr std::size_t bytes = std::size_t{1} << 30;
    constexpr int copies = 10;
    void *from = nullptr, *to = nullptr;
    cudaEvent_t begin = nullptr, end = nullptr;
    float milliseconds = 0;
    double best = 0;
    const bool ready = cudaMalloc(&from, bytes) == cudaSuccess && cudaMalloc(&to, bytes) == cudaSuccess &&
                       cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess &&
                       cudaMemset(from, 1, bytes) == cudaSuccess && cudaMemset(to, 2, bytes) == cudaSuccess;
    for (int repeat = 0; ready && repeat < 3; ++repeat) {
        bool good = cudaEventRecord(begin, nullptr) == cudaSuccess;
        for (int i = 0; i < copies; ++i)
            good = good && cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr) == cudaSuccess;
        good = good && cudaEventRecord(end, nullptr) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess &&
               cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess;
        if (good) best = std::max(best, 2.0 * copies * bytes / (milliseconds * 1e-3));
    }
    if (begin) cudaEventDestroy(begin);
    if (end) cudaEventDestroy(end);
    cudaFree(from);
    cudaFree(to);
    return best;
}
#else
double device_copy_bandwidth() {
    return 0;
}
#endif
