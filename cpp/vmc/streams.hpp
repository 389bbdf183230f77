// The random numbers of a chain, the same on host and device. They are Philox words with the seed as key. Their counter
// consists of the run, the chain and the number of the chain's attempt. Neither different seeds nor different runs of a
// seed share random numbers.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "random/philox.hpp"

namespace legato::vmc {

// Streams of the first run of a seed. Those of run i are greater by 256 i, modulo 2^32.
inline constexpr std::uint32_t move_stream = 0x564d4301u, start_stream = 0x564d4302u;
inline constexpr std::uint32_t most_runs = 1u << 24;
LEGATO_HOST_DEVICE inline std::uint32_t stream_of_run(std::uint32_t stream, std::uint32_t run) {
    return stream + 256 * run;
}

// Returns a number in 0 .. count - 1. Some numbers have one more of the 2^32 words than others.
LEGATO_HOST_DEVICE inline std::uint32_t below(std::uint32_t count, std::uint32_t word) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(word) * count >> 32);
}
// Returns a number in (0, 1).
LEGATO_HOST_DEVICE inline double uniform32(std::uint32_t word) {
    return (static_cast<double>(word) + 0.5) * (1.0 / 4294967296.0);
}

// The random choices of an attempt: the electron (up electrons first); the target, which is a nearest neighbour or any
// site; and the threshold that the acceptance is compared with.
struct Attempt {
    std::uint32_t electron;
    bool to_neighbour;
    std::uint32_t target;  // number of the neighbour, or the site
    double threshold;
};
LEGATO_HOST_DEVICE inline Attempt draw_attempt(std::uint64_t seed, std::uint32_t run, std::uint32_t chain,
                                               std::int64_t number, std::uint32_t electrons, std::uint32_t sites,
                                               double neighbour_share) {
    const auto words =
        random::philox_words(seed, stream_of_run(move_stream, run), static_cast<std::uint64_t>(number), chain);
    const bool to_neighbour = uniform32(words[1]) < neighbour_share;
    return {below(electrons, words[0]), to_neighbour, below(to_neighbour ? 4 : sites, words[2]), uniform32(words[3])};
}

}  // namespace legato::vmc
