#include "tmm/engine.hpp"

#include <cmath>

#include "random/lfsr113.hpp"
#include "tmm/building_blocks.hpp"
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
    const auto sites = static_cast<std::size_t>(problem.sites());
    for (std::size_t j = 0; j < sites; ++j) {
        const double angle = 2 * M_PI *
                             random::philox_pair(static_cast<std::uint64_t>(problem.seed), stream, beyond_all_slices,
                                                 static_cast<std::uint32_t>(j))
                                 .first;
        state.psi[(2 * j + 0) * sites + j] = std::cos(angle);
        state.psi[(2 * j + 1) * sites + j] = std::sin(angle);
    }
}

// Starts with columns of isotropic random directions: normal numbers, orthonormalised. In a clean bar, columns along
// the sites may not contain the solution that grows fastest.
void start_isotropic(const Problem& problem, std::uint32_t stream, int threads, PointState& state) {
    const auto sites = static_cast<std::size_t>(problem.sites());
    std::vector<double> newest(sites * sites), before(sites * sites), log_norms(sites);
    in_parallel(sites, threads, [&](std::size_t j) {
        for (std::size_t i = 0; i < 2 * sites; ++i)
            (i < sites ? newest : before)[j * sites + i % sites] =
                random::normal(random::philox_pair(static_cast<std::uint64_t>(problem.seed), stream,
                                                   beyond_all_slices + j, static_cast<std::uint32_t>(i)));
    });
    orthonormalise(sites, Layout::site_first, newest.data(), before.data(), log_norms.data(), threads);
    for (std::size_t j = 0; j < sites; ++j)
        for (std::size_t i = 0; i < sites; ++i) {
            state.psi[2 * j * sites + i] = newest[j * sites + i];
            state.psi[(2 * j + 1) * sites + i] = before[j * sites + i];
        }
}

}  // namespace

PointState initial_state(const Problem& problem, std::uint32_t stream, int threads) {
    const auto sites = static_cast<std::size_t>(problem.sites());
    PointState state;
    state.interval = problem.max_growth > 0 ? 1 : problem.n_ortho;
    state.log_norms.assign(sites, 0.0);
    state.log_norms2.assign(sites, 0.0);
    state.psi.assign(2 * sites * sites, 0.0);
    for (std::size_t j = 0; j < sites; ++j) state.psi[j * 2 * sites + j] = 1.0;
    if (problem.rule == Rule::blocks) {
        if (problem.hopping == 0 || sites == 1)
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
