#include "core/cpu_level.hpp"
#include "ising/demon_kernels.hpp"

namespace legato::ising {

extern const DemonKernels demon_kernels_baseline;
#ifdef LEGATO_X86_64_LEVELS
extern const DemonKernels demon_kernels_v3;
extern const DemonKernels demon_kernels_v4;
#endif

const DemonKernels& demon_kernels() {
#ifdef LEGATO_X86_64_LEVELS
    return best_for_this_cpu(demon_kernels_baseline, &demon_kernels_v3, &demon_kernels_v4);
#else
    return demon_kernels_baseline;
#endif
}

}  // namespace legato::ising
