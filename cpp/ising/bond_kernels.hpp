// Draws the occupied bonds of clusters on a CPU. The innermost loop is compiled once for every instruction set
// (core/cpu_level.hpp).
#pragma once

#include <cstdint>

#include "core/cpu_level.hpp"
#include "ising/clusters.hpp"

namespace legato::ising {

// Words of bonds that are drawn together: those of up to 16 words in all directions.
struct BondBatch {
    static constexpr std::uint32_t capacity = 96;

    std::uint32_t count = 0;
    alignas(64) std::uint32_t index[capacity] = {};  // number of the word
    alignas(64) std::uint32_t direction[capacity] = {};
    alignas(64) std::uint32_t bonds[capacity] = {};      // candidates; draw_bonds() leaves the occupied ones
    alignas(64) std::uint32_t purpose[capacity] = {};    // of the first draw
    alignas(64) std::uint32_t undecided[capacity] = {};  // bonds that the coarse draws leave undecided

    void add(std::uint32_t word, std::uint32_t direction_there, std::uint32_t candidates) {
        index[count] = word;
        direction[count] = direction_there;
        bonds[count++] = candidates;
    }
};

struct BondKernels {
    // Makes the coarse draws of a batch.
    void (*draw)(const BondChance& chance, const Stream& stream, std::int64_t sweep, BondBatch& batch);

    static const BondKernels baseline, v3, v4;
};

inline const BondKernels& bond_kernels() {
    return best_kernels<BondKernels>();
}

// Draws as occupied_bonds() does.
inline void draw_bonds(const BondKernels& kernels, const BondChance& chance, const Stream& stream, std::int64_t sweep,
                       BondBatch& batch) {
    for (std::uint32_t i = 0; i < batch.count; ++i)
        batch.purpose[i] = purpose(bond_draw + coarse_draws * batch.direction[i], 0, sweep);
    kernels.draw(chance, stream, sweep, batch);
    for (std::uint32_t i = 0; i < batch.count; ++i)
        if (batch.undecided[i] != 0)
            batch.bonds[i] |= tail_bonds(chance, stream, batch.index[i], sweep, batch.direction[i], batch.undecided[i]);
}

}  // namespace legato::ising
