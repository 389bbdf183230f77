#include "tmm/memory.hpp"

#include <algorithm>

#include "tmm/engine.hpp"
#include "tmm/given_slices.hpp"

namespace legato::tmm {

MemoryNeeds memory_needs(const Problem& problem) {
    constexpr std::int64_t number = sizeof(double);
    const std::int64_t channels = problem.channels(), head = sizeof(Point) + sizeof(PointState);
    const std::int64_t blocks = problem.rule == Rule::blocks ? most_blocks : 0;
    const std::int64_t slices =
        problem.given ? problem.n_ortho * channels * (2 + static_cast<std::int64_t>(problem.given->directions())) : 0;
    return {0, head + number * slices + number * (2 * channels * channels + (4 + blocks) * channels) + 16 * channels};
}

// Leaves a fifth of a device's memory for the buffers that all slots share.
MemoryLimit memory_limit(const Context& context, Backend backend) {
    MemoryLimit limit = free_memory(context, backend);
    if (backend != Backend::cuda) return limit;
    const std::int64_t bytes = limit.bytes / 10 * 8;
    return {bytes, text("only ", bytes, " bytes of device memory can be used")};
}

std::size_t batch_size(const Problem& problem) {
    constexpr std::int64_t bytes = std::int64_t{64} << 20;
    return static_cast<std::size_t>(std::max<std::int64_t>(bytes / memory_needs(problem).each, 1));
}

}  // namespace legato::tmm
