// Which of the instruction sets that the innermost loops are compiled for this processor has.
#pragma once

namespace legato {

// x86-64-v4, -v3, or what every processor has: the first where there is such a level.
template <class T>
const T& best_for_this_cpu(const T& baseline, [[maybe_unused]] const T* v3, [[maybe_unused]] const T* v4) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (v4 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        return *v4;
    if (v3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return *v3;
#endif
    return baseline;
}

}  // namespace legato
