#include "tmm/cpu_kernels.hpp"

namespace legato::tmm {

extern const CpuKernels cpu_kernels_baseline;
#ifdef LEGATO_X86_64_LEVELS
extern const CpuKernels cpu_kernels_v3;
extern const CpuKernels cpu_kernels_v4;
#endif

const CpuKernels& cpu_kernels() {
#ifdef LEGATO_X86_64_LEVELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        return cpu_kernels_v4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return cpu_kernels_v3;
#endif
    return cpu_kernels_baseline;
}

}  // namespace legato::tmm
