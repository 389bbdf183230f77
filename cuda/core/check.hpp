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

// Makes a device the current one of the calling thread, and restores the previous one at the end.
class DeviceScope {
  public:
    explicit DeviceScope(int device) {
        check(cudaGetDevice(&before_), "cudaGetDevice");
        check(cudaSetDevice(device), "cudaSetDevice");
    }
    ~DeviceScope() { clear_error(cudaSetDevice(before_)); }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

  private:
    int before_ = 0;
};

// The same for functions that must not throw.
class CurrentDevice {
  public:
    explicit CurrentDevice(int device) noexcept {
        clear_error(cudaGetDevice(&before_));
        clear_error(cudaSetDevice(device));
    }
    ~CurrentDevice() { clear_error(cudaSetDevice(before_)); }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

  private:
    int before_ = 0;
};

}  // namespace legato::cuda
