// The random numbers of a run, the same on host and device. They are words of Philox with seven rounds, the fewest that
// pass all of BigCrush (J. K. Salmon et al., SC11, table 2). The key is the seed. The counter is
//     index:   number of the word that is drawn for, or as in demon_draws.hpp
//     sweep:   the lower 32 bits of its number
//     stream:  number of the block's stream (problem.hpp)
//     purpose: the draw + 128 colour + 256 (sweep / 2^32), where sweep / 2^32 < 2^16, + 2^24 kind (clusters.hpp)
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "random/philox.hpp"

namespace legato::ising {

inline constexpr unsigned philox_rounds = 7;
using Philox = r123::Philox4x32_R<philox_rounds>;

// Draws of Metropolis' algorithm. Draws 0 .. 2 make the 12 words that decide nearly all sites of a word. Draw 32 + b
// decides bit b if these leave it undecided. start_draw gives the random spins at the start.
inline constexpr std::uint32_t tail_draw = 32, start_draw = 64;

struct Stream {
    std::uint64_t seed = 0;
    std::uint32_t number = 0;
};

LEGATO_HOST_DEVICE inline std::uint32_t purpose(std::uint32_t draw, std::uint32_t colour, std::int64_t sweep) {
    return draw + 128 * colour + 256 * static_cast<std::uint32_t>(static_cast<std::uint64_t>(sweep) >> 32);
}

LEGATO_HOST_DEVICE inline Philox::ctr_type random_words(const Stream& stream, std::uint32_t index, std::int64_t sweep,
                                                        std::uint32_t colour, std::uint32_t draw) {
    const Philox::ctr_type counter = {
        {index, static_cast<std::uint32_t>(sweep), stream.number, purpose(draw, colour, sweep)}};
    const Philox::key_type key = {
        {static_cast<std::uint32_t>(stream.seed), static_cast<std::uint32_t>(stream.seed >> 32)}};
    return Philox()(counter, key);
}

}  // namespace legato::ising
