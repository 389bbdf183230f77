// Launches that begin while the one before still runs, so that short ones follow each other closely (programmatic
// dependent launch, from compute capability 9.0 on; before, they wait as any other).
#pragma once

#include "core/check.hpp"

namespace legato::ising {

// In the kernel: from here on the next launch may begin.
__device__ inline void let_next_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// In the kernel, before it looks at anything that another has written, or writes what another looks at.
__device__ inline void wait_for_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

class EarlyLaunch {
  public:
    explicit EarlyLaunch(int device) : known_(cuda::attribute(cudaDevAttrComputeCapabilityMajor, device) >= 9) {}

    // Every kernel launched so has to wait_for_launch_before().
    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), dim3 grid, unsigned threads, Arguments... arguments) const {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = dim3(threads);
        config.attrs = &early;
        config.numAttrs = known_ ? 1 : 0;
        cuda::check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "cudaLaunchKernelEx");
    }

  private:
    bool known_;
};

}  // namespace legato::ising
