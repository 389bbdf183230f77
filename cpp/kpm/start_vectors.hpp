// Elements of the random start vectors and of the disorder, the same on host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "kpm/problem.hpp"
#include "random/philox.hpp"

namespace legato::kpm {

// Streams of one seed; `index` counts the vectors of all realisations, or the realisations.
inline constexpr std::uint32_t vector_stream = 0x4b504d01u, disorder_stream = 0x4b504d02u;

// Sites beyond 2^32 go into the stream's upper half of the position.
LEGATO_HOST_DEVICE inline random::UniformPair random_pair(std::uint64_t seed, std::uint32_t stream, std::uint64_t index,
                                                          std::uint64_t site) {
    return random::philox_pair(seed, stream, index | (site >> 32) << 40, static_cast<std::uint32_t>(site));
}

LEGATO_HOST_DEVICE inline double start_element(StartVectors kind, std::uint64_t seed, std::uint64_t vector,
                                               std::uint64_t site) {
    const random::UniformPair u = random_pair(seed, vector_stream, vector, site);
    switch (kind) {
        case StartVectors::gaussian:
            return random::normal(u);
        case StartVectors::uniform:
            return std::sqrt(12.0) * (u.first - 0.5);
        default:
            return u.first < 0.5 ? -1.0 : 1.0;
    }
}

LEGATO_HOST_DEVICE inline double on_site_energy(OnSite kind, double energy, double disorder, std::uint64_t seed,
                                                std::uint64_t realisation, std::uint64_t site) {
    if (kind == OnSite::box)
        return energy + disorder * (random_pair(seed, disorder_stream, realisation, site).first - 0.5);
    if (kind == OnSite::gaussian)
        return energy + disorder * random::normal(random_pair(seed, disorder_stream, realisation, site));
    return energy;
}

}  // namespace legato::kpm
