// Launches that begin while the previous one still runs, so that short ones follow each other closely (programmatic
// dependent launch, from compute capability 9.0 on). On older devices they wait as any other launch.
#pragma once

#include "core/check.hpp"

namespace legato::ising {

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

class DependentLaunch {
  public:
    explicit DependentLaunch(int device) : known_(cuda::attribute(cudaDevAttrComputeCapabilityMajor, device) >= 9) {}

    // Launches a kernel, which must call wait_for_previous_launch().
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
