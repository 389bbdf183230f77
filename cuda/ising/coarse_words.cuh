// The twelve words by which Metropolis' algorithm decides a word of spins. Three counters of Philox go through its
// rounds together, so that the keys are read once, and what they have in common is computed once. The words are those
// of random_words.hpp.
#pragma once

#include <cstdint>

#include "ising/metropolis.hpp"
#include "random/philox_keys.hpp"

namespace legato::ising {

__device__ inline void philox_round(std::uint32_t* c, std::uint32_t k0, std::uint32_t k1) {
    const std::uint64_t a = std::uint64_t{c[0]} * PHILOX_M4x32_0, b = std::uint64_t{c[2]} * PHILOX_M4x32_1;
    c[0] = static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0;
    c[1] = static_cast<std::uint32_t>(b);
    c[2] = static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1;
    c[3] = static_cast<std::uint32_t>(a);
}

__device__ inline void coarse_words(const std::uint32_t (&keys)[philox_rounds][2], std::uint32_t stream,
                                    std::uint32_t index, std::int64_t sweep, std::uint32_t colour,
                                    std::uint32_t (&u)[coarse_bits]) {
#pragma unroll
    for (std::uint32_t draw = 0; draw < coarse_draws; ++draw) {
        u[4 * draw] = index;
        u[4 * draw + 1] = static_cast<std::uint32_t>(sweep);
        u[4 * draw + 2] = stream;
        u[4 * draw + 3] = purpose(draw, colour, sweep);
    }
#pragma unroll
    for (unsigned round = 0; round < philox_rounds; ++round) {
#pragma unroll
        for (int draw = 0; draw < coarse_draws; ++draw) philox_round(u + 4 * draw, keys[round][0], keys[round][1]);
    }
}

}  // namespace legato::ising
