// Every CUDA call passes through check(), which turns a failure into an Error that names the call.
#pragma once

#include <cuda_runtime.h>

#include "core/error.hpp"

namespace legato::cuda {

inline void check(cudaError_t result, const char* call) {
    if (result == cudaSuccess) return;
    cudaGetLastError();
    const Status status = result == cudaErrorMemoryAllocation ? Status::out_of_memory : Status::device_error;
    fail(status, "CUDA: ", call, ": ", cudaGetErrorString(result));
}

// Clears an error, for destructors, which cannot throw. The runtime keeps an error until it is read, and a later call
// would report it.
inline void clear_error(cudaError_t result) noexcept {
    if (result != cudaSuccess) cudaGetLastError();
}

inline int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
    return value;
}

[[noreturn]] inline void out_of_memory(std::size_t bytes) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    clear_error(cudaMemGetInfo(&free, &total));
    fail(Status::out_of_memory, "CUDA: ", bytes, " bytes of device memory are needed, but only ", free, " are free");
}

// Allocates page-locked host memory.
inline void* page_locked(std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t result = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        fail(Status::out_of_memory, "CUDA: ", bytes, " bytes of page-locked host memory cannot be allocated");
    }
    check(result, "cudaHostAlloc");
    return memory;
}

// Makes a device the current one of the calling thread, and restores the previous one at the end. It does not throw.
class CurrentDevice {
  public:
    explicit CurrentDevice(int device) noexcept {
        clear_error(result_ = cudaGetDevice(&before_));
        if (result_ == cudaSuccess) clear_error(result_ = cudaSetDevice(device));
    }
    ~CurrentDevice() { clear_error(cudaSetDevice(before_)); }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

    cudaError_t result() const { return result_; }

  private:
    int before_ = 0;
    cudaError_t result_ = cudaSuccess;
};

// The same, but throws if the device cannot be made the current one.
class DeviceScope : CurrentDevice {
  public:
    explicit DeviceScope(int device) : CurrentDevice(device) { check(result(), "cudaSetDevice"); }
};

}  // namespace legato::cuda
