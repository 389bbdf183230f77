// The random on-site potential that a site of a slice draws. Host and device use the same code.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "random/lfsr113.hpp"
#include "random/philox.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

// Returns how many numbers a site draws from an lfsr113 stream.
LEGATO_HOST_DEVICE constexpr int draws_per_site(Disorder kind) {
    return kind == Disorder::gaussian ? 20 : 1;
}

// Returns V from the next draws_per_site numbers of an lfsr113 generator, in TMSEXD's order of operations.
LEGATO_HOST_DEVICE inline double potential(Disorder kind, double strength, random::Lfsr113& generator) {
    if (kind == Disorder::gaussian) {
        double sum = 0;
        for (int i = 0; i < 20; ++i) sum += 2.0 * (generator.next() - 0.5);
        return strength * sum * std::sqrt(3.0 / 20.0);
    }
    const double v = strength * (generator.next() - 0.5);
    return kind == Disorder::uniform ? v : v * std::sqrt(12.0);
}

// Returns V of the philox stream. `stream` is the index of the point.
LEGATO_HOST_DEVICE inline double potential(Disorder kind, double strength, std::uint64_t seed, std::uint32_t stream,
                                           std::uint64_t slice, std::uint32_t site) {
    const random::UniformPair u = random::philox_pair(seed, stream, slice, site);
    if (kind == Disorder::gaussian) return strength * random::normal(u);
    const double v = strength * (u.first - 0.5);
    return kind == Disorder::uniform ? v : v * std::sqrt(12.0);
}

// Returns the seed of a site (0-based) in the per-site stream.
LEGATO_HOST_DEVICE constexpr std::int64_t per_site_seed(std::int64_t site) {
    return 1277 + site;
}

}  // namespace legato::tmm
