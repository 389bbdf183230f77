#include "core/cpu_level.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"

namespace legato {
namespace {

constexpr std::array<const char*, 3> names{"baseline", "v3", "v4"};

CpuLevel best_level() {
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

CpuLevel chosen_level() {
    const CpuLevel best = best_level();
    const char* const wish = std::getenv("LEGATO_CPU_LEVEL");
    if (!wish || !*wish) return best;
    for (std::size_t level = 0; level <= static_cast<std::size_t>(best); ++level)
        if (std::string_view(wish) == names[level]) return static_cast<CpuLevel>(level);
    fail(Status::invalid_argument, "LEGATO_CPU_LEVEL: \"", wish, "\" is not one of baseline, v3, v4, or above ",
         names[static_cast<std::size_t>(best)], ", the best of this processor and this build");
}

}  // namespace

bool has_fused_operations(CpuLevel level) {
    return level != CpuLevel::baseline;
}

// Chooses the level once per process, because objects keep the kernels with which they began.
CpuLevel cpu_level() {
    static const CpuLevel level = chosen_level();
    return level;
}

}  // namespace legato
