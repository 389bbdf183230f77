#include "kpm/disorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/parallel.hpp"
#include "kpm/start_vectors.hpp"

namespace legato::kpm {
namespace {

// Returns the range of the normal random numbers of the disorder in all realisations. The Box-Muller transform of u is
// bounded by sqrt(-2 ln u). As soon as some numbers are known, a number whose u is not small cannot be an extreme, and
// is not computed.
Interval normal_range(std::int64_t sites, std::uint64_t seed, std::int64_t realisations, int threads) {
    constexpr double rounding = 1e-9;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    std::mutex mutex;
    in_team(threads, [&](const Team& team) {
        double small = 1, low = std::numeric_limits<double>::infinity(), high = -low;
        const auto [first, last] = team.share(static_cast<std::size_t>(sites));
        for (std::int64_t s = 0; s < realisations; ++s)
            for (std::uint64_t site = first; site < last; ++site) {
                const random::UniformPair u = random_pair(seed, disorder_stream, static_cast<std::uint64_t>(s), site);
                if (u.first > small) continue;
                const double normal = random::normal(u);
                low = std::min(low, normal);
                high = std::max(high, normal);
                const double reach = std::min(high, -low);
                if (reach > 0) small = std::exp(-reach * reach / 2) * (1 + rounding);
            }
        const std::lock_guard lock(mutex);
        lowest = std::min(lowest, low);
        highest = std::max(highest, high);
    });
    return {lowest, highest};
}

}  // namespace

Interval disorder_range(OnSite on_site, double disorder, std::int64_t sites, std::uint64_t seed,
                        std::int64_t realisations, int threads) {
    if (on_site == OnSite::box || on_site == OnSite::binary) return {-disorder / 2, disorder / 2};
    if (on_site != OnSite::normal) return {0, 0};
    const Interval normal = normal_range(sites, seed, realisations, threads);
    return {disorder * normal.lowest, disorder * normal.highest};
}

}  // namespace legato::kpm
