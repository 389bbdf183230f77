// The innermost loops of Metropolis' algorithm on a CPU. They are compiled once for every instruction set
// (core/cpu_level.hpp).
#pragma once

#include <cstdint>

#include "core/cpu_level.hpp"
#include "ising/lattice.hpp"
#include "ising/metropolis.hpp"

namespace legato::ising {

// Words first .. first + count - 1 of a colour, with their neighbours.
struct Piece {
    static constexpr std::uint32_t capacity = 512, margin = 16;

    Stream stream;
    std::int64_t sweep = 0;
    std::uint32_t colour = 0, first = 0, count = 0;
    std::uint32_t number = 0;        // number of word `first` in the lattice
    std::uint32_t local_colour = 0;  // slab.hpp
    const std::uint32_t* spins = nullptr;
    const std::uint32_t* n[6] = {};  // neighbours in the order of neighbours.hpp: see neighbour(k, i)
    std::uint32_t turned[6] = {};
    std::uint32_t valid = ~0u;                  // mask outside which no word has sites
    alignas(64) std::uint32_t flips[capacity];  // flips; those of surplus bits are meaningless
    alignas(64) std::uint32_t copies[6][capacity];

    // Words with sites that the first eight bits leave undecided. In the end `undecided` has the sites of these words
    // that all twelve bits leave undecided.
    std::uint32_t open = 0;
    alignas(64) std::uint32_t place[capacity + margin];
    alignas(64) std::uint32_t undecided[capacity + margin];
    alignas(64) std::uint32_t chances[8][capacity + margin];  // uphill, balanced, later

    std::uint32_t neighbour(int k, std::uint32_t i) const { return n[k][i] ^ turned[k]; }
};

// The numbers of spins up, and of aligned bonds of the even sites.
struct PieceSums {
    std::int64_t up = 0, aligned = 0;
};

struct CpuKernels {
    // Sets `piece` to the words from `first` on, as many as possible before `end`. Its colours are set before.
    void (*take)(const Packing& packing, const std::uint32_t* own, const std::uint32_t* other, std::uint32_t first,
                 std::uint32_t end, Piece& piece);
    // Sets `flips`, and `undecided` of the open words.
    void (*decide_square)(const Acceptance<2>& acceptance, Piece& piece);
    void (*decide_cubic)(const Acceptance<3>& acceptance, Piece& piece);
    void (*decide_square_general)(const Acceptance<5>& acceptance, Piece& piece);
    void (*decide_cubic_general)(const Acceptance<7>& acceptance, Piece& piece);
    void (*flip)(const Packing& packing, const Piece& piece, std::uint32_t* own);
    PieceSums (*measure)(const Packing& packing, const Piece& piece, const std::uint32_t* other);

    static const CpuKernels baseline, v3, v4;
};

inline const CpuKernels& cpu_kernels() {
    return best_kernels<CpuKernels>();
}

}  // namespace legato::ising
