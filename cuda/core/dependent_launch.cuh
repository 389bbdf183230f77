// Launches that begin while the previous one still runs, so that short ones follow each other closely (programmatic
// dependent launch, from compute capability 9.0 on). On older devices they wait as any other launch.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/check.hpp"

namespace legato::cuda {

// Allows the next launch to begin. It is called in the kernel.
__device__ inline void allow_next_launch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Waits for the previous launch. A kernel calls it before it reads what another has written, or writes what another
// reads.
__device__ inline void wait_for_previous_launch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// What a launch consists of.
struct LaunchSize {
    dim3 grid;
    unsigned threads;
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

class DependentLaunch {
  public:
    explicit DependentLaunch(int device) : known_(code_of(device) >= least) {}

    // Launches a kernel, which must call wait_for_previous_launch().
    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), const LaunchSize& size, const Arguments&... arguments) const {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = size.grid;
        config.blockDim = dim3(size.threads);
        config.dynamicSmemBytes = size.shared_bytes;
        config.stream = size.stream;
        config.attrs = &early;
        config.numAttrs = known_ ? 1 : 0;
        check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "cudaLaunchKernelEx");
    }

  private:
    static constexpr int least = 900;

    // Returns the compute capability that the device's code was compiled for, times 100.
    static int code_of(int device) {
        const int capability = 100 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
                               10 * attribute(cudaDevAttrComputeCapabilityMinor, device);
        int newest = 0;
        for (const int compiled : {__CUDA_ARCH_LIST__})
            if (compiled <= capability) newest = std::max(newest, compiled);
        return newest;
    }

    bool known_;
};

}  // namespace legato::cuda
