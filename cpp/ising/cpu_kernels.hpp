// The innermost loops of Metropolis' algorithm on a CPU. cpu_kernels.cpp is compiled once for every instruction set,
// and cpu_kernels() gives the best that this processor has.
#pragma once

#include <cstdint>

#include "ising/lattice.hpp"
#include "ising/metropolis.hpp"

namespace legato::ising {

// Words first .. first + count - 1 of a colour, taken out of the lattice with those around them. Arrays are 64-byte
// aligned, and may be read and written up to the next multiple of 16 words.
struct Piece {
    static constexpr std::uint32_t capacity = 1024;

    Stream stream;
    std::int64_t sweep = 0;
    std::uint32_t colour = 0, first = 0, count = 0;
    alignas(64) std::uint32_t spins[capacity];
    alignas(64) std::uint32_t flips[capacity];
    alignas(64) std::uint32_t undecided[capacity];
    alignas(64) std::uint32_t n[6][capacity];  // as neighbours.hpp has them
};

struct CpuKernels {
    const char* instruction_set;

    // Fills spins and n.
    void (*take)(const Packing& packing, const std::uint32_t* own, const std::uint32_t* other, Piece& piece);
    // Fills flips, and undecided; those of surplus bits mean nothing.
    void (*decide_square)(const Acceptance<2>& acceptance, Piece& piece);
    void (*decide_cubic)(const Acceptance<3>& acceptance, Piece& piece);
    void (*decide_square_general)(const Acceptance<5>& acceptance, Piece& piece);
    void (*decide_cubic_general)(const Acceptance<7>& acceptance, Piece& piece);
};

const CpuKernels& cpu_kernels();

}  // namespace legato::ising
