// The innermost loops of a method are compiled once for every instruction set: each time LEGATO_CPU_LEVEL names the
// table that is defined, a struct of function pointers with a static member for each level. Nothing inline from a
// header may be called there: the linker would keep one copy for all instruction sets.
#pragma once

namespace legato {

enum class CpuLevel { baseline, v3, v4 };  // what every processor has, x86-64-v3, x86-64-v4

// The best of those compiled that this processor has; a lower one where LEGATO_CPU_LEVEL (baseline, v3, v4) names it,
// to find out whether a result depends on it. Throws invalid_argument for what is none of these, or not there.
CpuLevel cpu_level();

// Where each level has multiplication and addition in one operation, rounded once, results have the same bits with all
// of them; without it, at the baseline, last digits differ.
bool has_fused_operations(CpuLevel level);

template <class Kernels>
const Kernels& best_kernels() {
#ifdef LEGATO_X86_64_LEVELS
    const CpuLevel level = cpu_level();
    if (level == CpuLevel::v4) return Kernels::v4;
    if (level == CpuLevel::v3) return Kernels::v3;
#endif
    return Kernels::baseline;
}

}  // namespace legato
