// Counter-based random numbers: Philox4x32-10 (Salmon et al., SC11) of Random123. They are bitwise identical on host
// and device.
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace legato::random {

struct UniformPair {
    double first, second;  // in (0, 1), 52 bits each
};

LEGATO_HOST_DEVICE inline double uniform52(std::uint32_t high, std::uint32_t low) {
    const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 12;
    return (static_cast<double>(bits) + 0.5) * (1.0 / 4503599627370496.0);
}

// Returns four random words. The key is the seed, and the counter is (position, site, stream).
LEGATO_HOST_DEVICE inline r123::Philox4x32::ctr_type philox_words(std::uint64_t seed, std::uint32_t stream,
                                                                  std::uint64_t position, std::uint32_t site) {
    const r123::Philox4x32::ctr_type counter = {
        {static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position >> 32), site, stream}};
    const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    return r123::Philox4x32()(counter, key);
}

LEGATO_HOST_DEVICE inline UniformPair philox_pair(std::uint64_t seed, std::uint32_t stream, std::uint64_t position,
                                                  std::uint32_t site) {
    const r123::Philox4x32::ctr_type words = philox_words(seed, stream, position, site);
    return {uniform52(words[0], words[1]), uniform52(words[2], words[3])};
}

// Returns a standard normal number by the transform of Box and Muller.
LEGATO_HOST_DEVICE inline double normal(UniformPair u) {
    return std::sqrt(-2.0 * std::log(u.first)) * std::cos(6.283185307179586477 * u.second);
}

}  // namespace legato::random
