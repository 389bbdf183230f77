#include "tmm/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/cpu_level.hpp"
#include "core/device.hpp"
#include "tmm/engine.hpp"

namespace legato::tmm {
namespace {

// Seconds a multiply-add takes where its columns fill the vector registers, by instruction set.
double seconds_per_multiply_add() {
    switch (cpu_level()) {
        case CpuLevel::v4:
            return 32e-12;
        case CpuLevel::v3:
            return 64e-12;
        default:
            return 250e-12;
    }
}

bool has_kernel([[maybe_unused]] const Context& context, [[maybe_unused]] const Problem& problem) {
    if constexpr (with_cuda) return cuda_engine_takes(context, problem);
    return false;
}

}  // namespace

// Fitted to legato-bench on a Xeon with AVX-512: 0.13, 0.56, 5.3, 29, 1370 and 68700 us at N = 1, 8, 32, 64, 256, 1024.
double cpu_seconds(const Context& context, const Problem& problem, std::size_t points) {
    const auto n = static_cast<double>(problem.sites()), slices = static_cast<double>(problem.n_ortho);
    const double each = seconds_per_multiply_add();
    const double multiply = slices * n * (1e-9 + 8 * each * n), orthonormalise = n * 15e-9 + 2 * n * n * n * each;
    return (100e-9 + multiply + orthonormalise) * std::ceil(static_cast<double>(points) / context.threads());
}

// Fitted to legato-bench on an H200: 3.5, 5.3, 25, 40, 166 and 690 us at N = 8, 16, 32, 64, 256, 1024 and n_ortho = 10;
// about 16000 / N points go side by side in registers, 66 at N = 100 in shared memory, and one on the whole device.
double cuda_seconds(const Context& context, const Problem& problem, std::size_t points) {
    if (!context.has_choice() || !has_kernel(context, problem) ||
        !fits_memory(context, "tmm", Backend::cuda, memory_needs(problem).bytes(1),
                     memory_limit(context, Backend::cuda)))
        return never;
    const auto n = static_cast<double>(problem.sites()), slices = static_cast<double>(problem.n_ortho);
    const bool small = n <= 16;
    const double time = small ? 1.5e-6 + (0.1e-6 + 4e-9 * n) * slices + 0.1e-6 * n : 0.6e-6 * n + 0.5e-6 * slices;
    const double at_once = n <= 32 ? 16000 / n : n < 200 ? std::max(660000 / (n * n), 1.0) : 1.0;
    return time * std::ceil(static_cast<double>(points) / at_once);
}

}  // namespace legato::tmm
