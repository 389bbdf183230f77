// The innermost loops of a method are compiled once for every instruction set: each time LEGATO_CPU_LEVEL names the
// table that is defined, a struct of function pointers with a static member for each level. Nothing inline from a
// header may be called there: the linker would keep one copy for all instruction sets.
#pragma once

namespace legato {

enum class CpuLevel { baseline, v3, v4 };  // what every processor has, x86-64-v3, x86-64-v4

// The best of those compiled that this processor has.
inline CpuLevel cpu_level() {
#ifdef LEGATO_X86_64_LEVELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        return CpuLevel::v4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return CpuLevel::v3;
#endif
    return CpuLevel::baseline;
}

template <class Kernels>
const Kernels& best_kernels() {
#ifdef LEGATO_X86_64_LEVELS
    if (cpu_level() == CpuLevel::v4) return Kernels::v4;
    if (cpu_level() == CpuLevel::v3) return Kernels::v3;
#endif
    return Kernels::baseline;
}

}  // namespace legato
