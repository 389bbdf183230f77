// The limit on the dynamic shared memory of kernels.
#pragma once

#include "core/check.hpp"

namespace legato::cuda {

// Lets a kernel have all the shared memory that a block of the current device, `device`, can have. The limit belongs to
// the process, not to a launch. It is always the same, so that no engine and no thread reduces it for another.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, int device) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    const int bytes =
        attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device) - static_cast<int>(attributes.sharedSizeBytes);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
}

}  // namespace legato::cuda
