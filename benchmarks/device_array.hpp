// Memory and timing on a GPU, for work that the benchmarks do without the library.
#pragma once

#include <cuda_runtime_api.h>

#include "common.hpp"

namespace benchmarks {

// An array on the GPU. Its data is null if there is not enough memory.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t size) {
        const std::size_t bytes = std::max<std::size_t>(size, 1) * sizeof(T);
        if (cudaMalloc(&data_, bytes) != cudaSuccess)
            data_ = nullptr;
        else
            cudaMemset(data_, 0, bytes);
    }
    explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
        if (data_) cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return static_cast<T*>(data_); }

  private:
    void* data_ = nullptr;
};

// Returns the seconds for one of `launches` launches in a row, the best of three times; 0 if one fails.
template <class Launch>
double device_seconds(int launches, const Launch& launch) {
    cudaEvent_t begin = nullptr, end = nullptr;
    bool good = cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess;
    const double best = best_of(3, [&] {
        float milliseconds = 0;
        good = good && cudaEventRecord(begin) == cudaSuccess;
        for (int i = 0; good && i < launches; ++i) good = launch();
        good = good && cudaEventRecord(end) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess &&
               cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess;
        return milliseconds * 1e-3 / launches;
    });
    if (begin) cudaEventDestroy(begin);
    if (end) cudaEventDestroy(end);
    return good ? best : 0;
}

}  // namespace benchmarks
