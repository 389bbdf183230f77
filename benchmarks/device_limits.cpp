#include "limits.hpp"

#ifdef LEGATO_BENCH_CUDA
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "device_array.hpp"

namespace benchmarks {
namespace {

double copy_bandwidth() {
    constexpr std::size_t bytes = std::size_t{1} << 30;
    const DeviceArray<char> from(bytes), to(bytes);
    if (!from.data() || !to.data()) return 0;
    const double seconds = device_seconds(
        10, [&] { return cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice) == cudaSuccess; });
    return seconds > 0 ? 2.0 * bytes / seconds : 0;
}

// Returns the operations per second of cuBLAS's matrix product in double precision.
double product_rate() {
    constexpr int n = 4096;
    const DeviceArray<double> a(std::vector<double>(n * n, 1e-3)), b(std::vector<double>(n * n, 1e-3)), c(n * n);
    cublasHandle_t handle = nullptr;
    if (!a.data() || !b.data() || !c.data() || cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 0;
    const double one = 1, zero = 0;
    const double seconds = device_seconds(10, [&] {
        return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a.data(), n, b.data(), n, &zero, c.data(),
                           n) == CUBLAS_STATUS_SUCCESS;
    });
    cublasDestroy(handle);
    return seconds > 0 ? 2.0 * n * n * n / seconds : 0;
}

}  // namespace

Limit device_limit() {
    return {copy_bandwidth(), product_rate()};
}

}  // namespace benchmarks
#else
namespace benchmarks {

Limit device_limit() {
    return {};
}

}  // namespace benchmarks
#endif
