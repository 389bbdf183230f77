// The innermost loops of a method are compiled once for every instruction set. A struct of function pointers has a
// static member for each level, and the macro LEGATO_CPU_LEVEL names the member that a compilation defines. These files
// must not call inline functions of headers: the linker would keep one copy for all instruction sets.
#pragma once

namespace legato {

enum class CpuLevel { baseline, v3, v4 };  // baseline is what every processor has; x86-64-v3; x86-64-v4

// Returns the best compiled level that this processor has. The environment variable LEGATO_CPU_LEVEL (baseline, v3, v4)
// selects a lower one, to test whether a result depends on it. Throws invalid_argument if it names another level, or
// one above the best.
CpuLevel cpu_level();

// Returns true if the level multiplies and adds in one operation that is rounded once. All such levels give bitwise
// identical results. The baseline has no such operation, and its last digits differ.
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
