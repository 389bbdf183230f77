// Every CUDA call goes through check(): a failure becomes an Error that names the call.
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

}  // namespace legato::cuda
