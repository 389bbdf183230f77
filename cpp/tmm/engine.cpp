#include "tmm/engine.hpp"

#include <cmath>

#include "random/lfsr113.hpp"
#include "tmm/building_blocks.hpp"
#include "tmm/couplings.hpp"
#include "tmm/disorder.hpp"

namespace legato::tmm {
namespace {

void append(std::vector<std::uint32_t>& words, const random::Lfsr113& generator) {
    words.insert(words.end(), {generator.z1, generator.z2, generator.z3, generator.z4});
}

constexpr std::uint64_t beyond_all_slices = std::uint64_t{1} << 63;  // position of the start's numbers in the stream

// Starts chains that no hopping couples. Each column must stay on one chain, so only the angle of its pair (psi_1,
// psi_0) is random.
void start_uncoupled(const Problem& problem, std::uint32_t stream, PointState& state) {
    const auto channels = static_cast<std::size_t>(problem.channels());
    const auto components = static_cast<std::size_t>(problem.components());
    for (std::size_t j = 0; j < channels; ++j) {
        const double angle = 2 * M_PI *
                             random::philox_pair(static_cast<std::uint64_t>(problem.seed), stream, beyond_all_slices,
                                                 static_cast<std::uint32_t>(j / components))
                                 .first;
        state.psi[(2 * j + 0) * channels + j] = std::cos(angle);
        state.psi[(2 * j + 1) * channels + j] = std::sin(angle);
    }
}

// Starts with columns of isotropic random directions: normal numbers, orthonormalised. In a clean bar, columns along
// the sites may not contain the solution that grows fastest.
void start_isotropic(const Problem& problem, std::uint32_t stream, int threads, PointState& state) {
    const auto channels = static_cast<std::size_t>(problem.channels());
    const auto components = static_cast<std::size_t>(problem.components());
    std::vector<double> newest(channels * channels), before(channels * channels), log_norms(channels);
    in_parallel(channels / components, threads, [&](std::size_t j) {
        for (std::size_t i = 0; i < 2 * channels; ++i) {
            const double drawn =
                random::normal(random::philox_pair(static_cast<std::uint64_t>(problem.seed), stream,
                                                   beyond_all_slices + j, static_cast<std::uint32_t>(i)));
            std::vector<double>& half = i < channels ? newest : before;
            const std::size_t channel = i % channels, part = channel % components;
            for (std::size_t unit = 0; unit < components; ++unit) {
                const std::size_t to = part ^ unit;  // component of the product with this unit
                half[(j * components + unit) * channels + channel - part + to] =
                    unit_sign(static_cast<int>(to), static_cast<int>(unit)) * drawn;
            }
        }
    });
    orthonormalise(channels, Layout::site_first, newest.data(), before.data(), log_norms.data(), threads);
    for (std::size_t j = 0; j < channels; ++j)
        for (std::size_t i = 0; i < channels; ++i) {
            state.psi[2 * j * channels + i] = newest[j * channels + i];
            state.psi[(2 * j + 1) * channels + i] = before[j * channels + i];
        }
}

}  // namespace

PointState initial_state(const Problem& problem, std::uint32_t stream, int threads) {
    const auto channels = static_cast<std::size_t>(problem.channels());
    PointState state;
    state.interval = problem.max_growth > 0 ? 1 : problem.n_ortho;
    state.log_norms.assign(channels, 0.0);
    state.log_norms2.assign(channels, 0.0);
    state.psi.assign(2 * channels * channels, 0.0);
    for (std::size_t j = 0; j < channels; ++j) state.psi[j * 2 * channels + j] = 1.0;
    if (problem.rule == Rule::blocks) {
        if (problem.hopping == 0 || problem.sites() == 1)
            start_uncoupled(problem, stream, state);
        else
            start_isotropic(problem, stream, threads, state);
    }
    if (problem.random_stream == RandomStream::lfsr113) append(state.random, random::seeded_lfsr113(problem.seed));
    if (problem.random_stream == RandomStream::lfsr113_per_site)
        for (std::int64_t i = 0; i < problem.sites(); ++i)
            append(state.random, random::seeded_lfsr113(per_site_seed(i)));
    return state;
}

}  // namespace legato::tmm
