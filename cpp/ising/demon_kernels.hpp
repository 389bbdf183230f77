// The innermost loops with demons on a CPU. They are compiled once for every instruction set (core/cpu_level.hpp).
#pragma once

#include <cstdint>

#include "core/cpu_level.hpp"
#include "ising/demon_draws.hpp"

namespace legato::ising {

// Sites of one row, one colour and one part that are updated together.
struct DemonPiece {
    static constexpr std::uint32_t capacity = 256;

    std::uint32_t count = 0, site = 0;  // `site`: number of the first site in the sweep
    std::uint32_t* spins = nullptr;
    const std::uint32_t* neighbours[6] = {};  // neighbours of the first site; those of the other sites follow
    std::uint32_t flips[6] = {};              // masks that change the neighbours' signs
    // Scratch memory. `shifted` may have the neighbours along the row with a different number, `across` those in other
    // parts.
    alignas(64) std::uint32_t shifted[capacity];
    alignas(64) std::uint32_t across[4][capacity];
    alignas(64) std::uint32_t place[capacity];
    alignas(64) std::uint32_t level[demon_levels][capacity];
};

struct DemonKernels {
    // demons: [3][sites]
    void (*exchange_square)(const DemonMoves& moves, std::uint32_t sites, std::uint32_t* demons, DemonPiece& piece);
    void (*exchange_cubic)(const DemonMoves& moves, std::uint32_t sites, std::uint32_t* demons, DemonPiece& piece);
    // Draws all demons of the sites first .. first + count - 1. demons: [3][sites].
    void (*draw)(const LevelProbabilities& levels, const Stream& stream, std::int64_t sweep, std::uint32_t first,
                 std::uint32_t count, std::uint32_t sites, std::uint32_t* demons);
    // Number of proposals in a call of propose(), whose `first` must be even.
    static constexpr std::uint32_t proposals = 32;
    void (*propose)(const Stream& stream, std::int64_t sweep, std::uint32_t level, std::uint32_t system,
                    std::uint32_t first, std::uint32_t sites, std::uint32_t (&proposed)[proposals]);

    static const DemonKernels baseline, v3, v4;
};

inline const DemonKernels& demon_kernels() {
    return best_kernels<DemonKernels>();
}

}  // namespace legato::ising
