// The keys of the rounds of Philox4x32, for code that computes the rounds itself. All constants are from Random123.
#pragma once

#include <Random123/philox.h>

#include <cstdint>

#include "core/host_device.hpp"

namespace legato::random {

template <class Word, unsigned Rounds>
LEGATO_HOST_DEVICE inline void take_round_keys(std::uint64_t seed, Word (&keys)[Rounds][2]) {
    auto k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
    for (auto& key : keys) {
        key[0] = k0;
        key[1] = k1;
        k0 += PHILOX_W32_0;
        k1 += PHILOX_W32_1;
    }
}

}  // namespace legato::random
