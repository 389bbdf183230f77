#include "kpm/division.hpp"

#include <algorithm>

namespace legato::kpm {
namespace {

std::int64_t quotient_rounded_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

std::vector<Block> blocks_of_round(const Problem& problem, std::int64_t done, std::size_t parts, int block_width) {
    const std::int64_t vectors = vectors_of(problem), samples = all_vectors_of(problem);
    const bool fixed = has_fixed_vectors(problem);
    const std::int64_t widest =
        std::min<std::int64_t>(block_width, quotient_rounded_up(samples - done, static_cast<std::int64_t>(parts)));
    std::vector<Block> blocks;
    for (auto idle = static_cast<std::int64_t>(parts); idle > 0 && done < samples; --idle) {
        const std::int64_t of_realisation = done % vectors, left = vectors - of_realisation;
        // Full blocks are the fastest ones, but a narrow block beside full ones would leave its part idle.
        const std::int64_t width =
            left >= idle * widest ? widest : quotient_rounded_up(left, quotient_rounded_up(left, widest));
        blocks.push_back(
            {problem.start_vectors, done / vectors, fixed ? of_realisation : done, static_cast<int>(width)});
        done += width;
    }
    return blocks;
}

}  // namespace legato::kpm
