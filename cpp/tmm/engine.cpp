#include "tmm/engine.hpp"

#include "core/device.hpp"
#include "random/lfsr113.hpp"
#include "tmm/disorder.hpp"

namespace legato::tmm {
namespace {

void append(std::vector<std::uint32_t>& words, const random::Lfsr113& generator) {
    words.insert(words.end(), {generator.z1, generator.z2, generator.z3, generator.z4});
}

}  // namespace

PointState initial_state(const Problem& problem) {
    const auto sites = static_cast<std::size_t>(problem.sites());
    PointState state;
    state.interval = problem.max_growth > 0 ? 1 : problem.n_ortho;
    state.log_norms.assign(sites, 0.0);
    state.log_norms2.assign(sites, 0.0);
    state.psi.assign(2 * sites * sites, 0.0);
    for (std::size_t j = 0; j < sites; ++j) state.psi[j * 2 * sites + j] = 1.0;
    if (problem.random_stream == RandomStream::lfsr113) append(state.random, random::seeded_lfsr113(problem.seed));
    if (problem.random_stream == RandomStream::lfsr113_per_site)
        for (std::int64_t i = 0; i < problem.sites(); ++i)
            append(state.random, random::seeded_lfsr113(per_site_seed(i)));
    return state;
}

MemoryNeeds memory_needs(const Problem& problem) {
    constexpr std::int64_t number = sizeof(double);
    const std::int64_t sites = problem.sites(), head = sizeof(Point) + sizeof(PointState);
    return {0, head + number * (2 * sites * sites + 4 * sites) + 16 * sites};
}

// A fifth of a device's memory is left for what its kernels share.
MemoryLimit memory_limit(const Context& context, Backend backend) {
    MemoryLimit limit = free_memory(context, backend);
    if (backend != Backend::cuda) return limit;
    const std::int64_t bytes = limit.bytes / 10 * 8;
    return {bytes, text("only ", bytes, " bytes of device memory can be used")};
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    std::size_t points) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, problem, points);
    return make_cpu_engine(context, problem, points);
}

}  // namespace legato::tmm
