#include "ising/cpu_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "ising/neighbours.hpp"
#include "random/philox_lanes.hpp"

namespace legato::ising {
namespace {

using random::lanes;
using Words = random::LaneWords;

Words load(const std::uint32_t* from) {
    Words words;
    std::memcpy(&words, from, sizeof words);
    return words;
}
void store(std::uint32_t* to, Words words) {
    std::memcpy(to, &words, sizeof words);
}

void copy(std::uint32_t* to, const std::uint32_t* from, std::uint32_t count, bool flip) {
    const std::uint32_t mask = flip ? ~0u : 0u;
    for (std::uint32_t i = 0; i < count; ++i) to[i] = from[i] ^ mask;
}

// Words begin .. end - 1 of a row.
void take_part(const Packing& p, const std::uint32_t* own, const std::uint32_t* other, std::uint32_t colour,
               const Place& at, std::uint32_t begin, std::uint32_t end, Piece& piece, std::uint32_t to) {
    const std::size_t start = static_cast<std::size_t>(at.row) * p.width;
    const std::uint32_t* const row = other + start;
    const std::uint32_t count = end - begin;
    std::memcpy(piece.spins + to, own + start + begin, count * sizeof *own);
    std::memcpy(piece.n[0] + to, row + begin, count * sizeof *own);
    std::uint32_t* const aside = piece.n[1] + to - begin;
    if (is_odd(colour, at.y, at.z)) {
        const std::uint32_t inner = std::min(end, p.width - 1);
        for (std::uint32_t k = begin; k < inner; ++k) aside[k] = row[k] >> 1 | row[k + 1] << 31;
        if (inner < end) aside[inner] = bits_after(p, row, inner);
    } else {
        if (begin == 0) aside[0] = bits_before(p, row, 0);
        for (std::uint32_t k = std::max(begin, 1u); k < end; ++k) aside[k] = row[k] << 1 | row[k - 1] >> 31;
    }
    const std::uint32_t* const here = row + begin;
    const std::size_t to_end_y = static_cast<std::size_t>(p.rows_y - 1) * p.width;
    const bool first_y = at.y == 0, last_y = at.y + 1 == p.rows_y;
    copy(piece.n[2] + to, first_y ? here + to_end_y : here - p.width, count, first_y && p.flip_y);
    copy(piece.n[3] + to, last_y ? here - to_end_y : here + p.width, count, last_y && p.flip_y);
    if (!p.cubic) return;
    const std::size_t plane = static_cast<std::size_t>(p.rows_y) * p.width, to_end_z = (p.rows_z - 1) * plane;
    const bool first_z = at.z == 0, last_z = at.z + 1 == p.rows_z;
    copy(piece.n[4] + to, first_z ? here + to_end_z : here - plane, count, first_z && p.flip_z);
    copy(piece.n[5] + to, last_z ? here - to_end_z : here + plane, count, last_z && p.flip_z);
}

// Rows of a few words are not worth loops of their own.
template <int Neighbours>
void take_words(const Packing& p, const std::uint32_t* own, const std::uint32_t* other, Piece& piece) {
    Place at = place_of(p, piece.first);
    for (std::uint32_t i = 0; i < piece.count; ++i) {
        std::uint32_t n[Neighbours];
        neighbours_of(p, other, piece.colour, at, n);
        piece.spins[i] = own[piece.first + i];
        for (int k = 0; k < Neighbours; ++k) piece.n[k][i] = n[k];
        if (++at.word < p.width) continue;
        at.word = 0;
        ++at.row;
        if (++at.y == p.rows_y) at.y = 0, ++at.z;
    }
}

void take(const Packing& p, const std::uint32_t* own, const std::uint32_t* other, Piece& piece) {
    constexpr std::uint32_t few = 8;
    if (p.width < few) return p.cubic ? take_words<6>(p, own, other, piece) : take_words<4>(p, own, other, piece);
    Place at = place_of(p, piece.first);
    for (std::uint32_t done = 0; done < piece.count;) {
        const std::uint32_t end = std::min(p.width, at.word + piece.count - done);
        take_part(p, own, other, piece.colour, at, at.word, end, piece, done);
        done += end - at.word;
        at.word = 0;
        ++at.row;
        if (++at.y == p.rows_y) at.y = 0, ++at.z;
    }
}

template <class C>
void decide_piece(const Acceptance<C::count>& acceptance, Piece& piece) {
    for (std::uint32_t i = 0; i < piece.count; i += lanes) {
        Words n[C::neighbours];
        for (int k = 0; k < C::neighbours; ++k) n[k] = load(piece.n[k] + i);
        Words u[coarse_bits];
        for (std::uint32_t draw = 0; draw < coarse_draws; ++draw)
            random::philox_lanes(piece.stream.seed, piece.first + i, static_cast<std::uint32_t>(piece.sweep),
                                 piece.stream.number, purpose(draw, piece.colour, piece.sweep), u + 4 * draw);
        const Decision<Words> decision = decide<C, Words>(acceptance, load(piece.spins + i), n, u);
        store(piece.flips + i, decision.flips);
        store(piece.undecided + i, decision.undecided);
    }
}

}  // namespace

extern const CpuKernels LEGATO_ISING_KERNELS;
const CpuKernels LEGATO_ISING_KERNELS{LEGATO_CPU_ISA,
                                      take,
                                      decide_piece<Classes<2, false>>,
                                      decide_piece<Classes<3, false>>,
                                      decide_piece<Classes<2, true>>,
                                      decide_piece<Classes<3, true>>};

}  // namespace legato::ising
