#include "core/cpu_level.hpp"
#include "ising/cpu_kernels.hpp"

namespace legato::ising {

extern const CpuKernels cpu_kernels_baseline;
#ifdef LEGATO_X86_64_LEVELS
extern const CpuKernels cpu_kernels_v3;
extern const CpuKernels cpu_kernels_v4;
#endif

const CpuKernels& cpu_kernels() {
#ifdef LEGATO_X86_64_LEVELS
    return best_for_this_cpu(cpu_kernels_baseline, &cpu_kernels_v3, &cpu_kernels_v4);
#else
    return cpu_kernels_baseline;
#endif
}

}  // namespace legato::ising
