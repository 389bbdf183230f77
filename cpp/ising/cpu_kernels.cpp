#include "ising/cpu_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "ising/lane_words.hpp"
#include "ising/neighbours.hpp"

namespace legato::ising {
namespace {

// Loads at most `count` words into the first lanes. The other lanes are 0.
Words load(const std::uint32_t* from, std::uint32_t count) {
    if (count >= lanes) return load(from);
#if defined(__AVX512F__)
    return reinterpret_cast<Words>(_mm512_maskz_loadu_epi32(static_cast<__mmask16>((1u << count) - 1), from));
#else
    Words words{};
    for (std::uint32_t lane = 0; lane < count; ++lane) words[lane] = from[lane];
    return words;
#endif
}

// Computes the second neighbours along x for words begin .. end - 1 of a row of the other colour. The first neighbours
// are the words of the same number.
void copy_shifted(const Packing& p, const std::uint32_t* row, bool odd, std::uint32_t begin, std::uint32_t end,
                  std::uint32_t* __restrict to) {
    if (odd) {
        const std::uint32_t inner = std::min(end, p.width - 1);
        for (std::uint32_t k = begin; k < inner; ++k) *to++ = row[k] >> 1 | row[k + 1] << 31;
        if (inner < end) *to = bits_after(p, row, inner);
    } else {
        if (begin == 0) *to++ = bits_before(p, row, 0);
        for (std::uint32_t k = std::max(begin, 1u); k < end; ++k) *to++ = row[k] << 1 | row[k - 1] >> 31;
    }
}

// Computes the same for whole rows with so few words that a loop over each row would cost more than its words.
template <std::uint32_t Width>
void take_narrow(const Packing& p, const std::uint32_t* row, bool odd, std::uint32_t rows,
                 std::uint32_t* __restrict to) {
    const std::uint32_t shift = p.last_bits - 1, turned = p.flip_x ? 1 : 0;
    for (std::uint32_t r = 0; r < rows; ++r, odd = !odd, row += Width, to += Width) {
        if (odd) {
            for (std::uint32_t k = 0; k + 1 < Width; ++k) to[k] = row[k] >> 1 | row[k + 1] << 31;
            to[Width - 1] = row[Width - 1] >> 1 | ((row[0] ^ turned) & 1) << shift;
        } else {
            to[0] = row[0] << 1 | ((row[Width - 1] >> shift ^ turned) & 1);
            for (std::uint32_t k = 1; k < Width; ++k) to[k] = row[k] << 1 | row[k - 1] >> 31;
        }
    }
}

bool take_narrow(const Packing& p, const std::uint32_t* row, bool odd, std::uint32_t rows, std::uint32_t* to) {
    static constexpr void (*of_width[])(const Packing&, const std::uint32_t*, bool, std::uint32_t, std::uint32_t*) = {
        take_narrow<1>, take_narrow<2>, take_narrow<3>, take_narrow<4>};
    if (p.width > std::size(of_width)) return false;
    of_width[p.width - 1](p, row, odd, rows, to);
    return true;
}

void next_row(const Packing& p, Place& at) {
    at.word = 0;
    ++at.row;
    if (++at.y == p.rows_y) at.y = 0, ++at.z;
}

// Copies the neighbours of all words. Planes of a few words use this, because separate pieces for their edges do not
// pay.
template <int Neighbours>
void take_copies(const Packing& p, const std::uint32_t* own, const std::uint32_t* other, std::uint32_t end,
                 Piece& piece) {
    piece.count = std::min(Piece::capacity, end - piece.first);
    piece.spins = own + piece.first;
    Place at = place_of(p, piece.first);
    for (std::uint32_t i = 0; i < piece.count; ++i) {
        std::uint32_t n[Neighbours];
        neighbours_of(p, other, piece.local_colour, at, n);
        for (int k = 0; k < Neighbours; ++k) piece.copies[k][i] = n[k];
        if (++at.word == p.width) next_row(p, at);
    }
    for (int k = 0; k < Neighbours; ++k) piece.n[k] = piece.copies[k], piece.turned[k] = 0;
}

// Takes rows of a plane that are all inside, or all at an edge.
void take_rows(const Packing& p, const std::uint32_t* own, const std::uint32_t* other, std::uint32_t end,
               Piece& piece) {
    Place at = place_of(p, piece.first);
    const std::size_t plane = static_cast<std::size_t>(p.rows_y) * p.width, to_end_y = plane - p.width,
                      to_end_z = (p.rows_z - 1) * plane;
    const bool first_y = at.y == 0, last_y = at.y + 1 == p.rows_y, first_z = at.z == 0, last_z = at.z + 1 == p.rows_z;
    const std::size_t end_of_rows = at.z * plane + (first_y ? p.width : last_y ? plane : to_end_y);
    piece.count =
        std::min(Piece::capacity, static_cast<std::uint32_t>(std::min<std::size_t>(end_of_rows, end)) - piece.first);
    const std::uint32_t* const here = other + piece.first;
    const auto edge = [&](int k, bool across, bool flip, const std::uint32_t* there, const std::uint32_t* inside) {
        piece.n[k] = across ? there : inside;
        piece.turned[k] = across && flip ? ~0u : 0u;
    };
    piece.spins = own + piece.first;
    piece.n[0] = here;
    piece.n[1] = piece.copies[1];
    edge(2, first_y, p.flip_y, here + to_end_y, here - p.width);
    edge(3, last_y, p.flip_y, here - to_end_y, here + p.width);
    if (p.cubic) {
        edge(4, first_z, p.flip_z, here + to_end_z, here - plane);
        edge(5, last_z, p.flip_z, here - to_end_z, here + plane);
    }
    for (std::uint32_t done = 0; done < piece.count; next_row(p, at)) {
        const std::uint32_t* const row = other + static_cast<std::size_t>(at.row) * p.width;
        const bool odd = is_odd(piece.local_colour, at.y, at.z);
        const std::uint32_t rows = at.word == 0 ? (piece.count - done) / p.width : 0;
        if (rows > 0 && take_narrow(p, row, odd, rows, piece.copies[1] + done)) {
            done += rows * p.width;
            at.row += rows - 1;
            at.y += rows - 1;
        } else {
            const std::uint32_t behind = std::min(p.width, at.word + piece.count - done);
            copy_shifted(p, row, odd, at.word, behind, piece.copies[1] + done);
            done += behind - at.word;
        }
    }
}

void take(const Packing& p, const std::uint32_t* own, const std::uint32_t* other, std::uint32_t first,
          std::uint32_t end, Piece& piece) {
    constexpr std::uint64_t few = 64;
    piece.first = first;
    piece.valid = p.width == 1 ? p.last_mask() : ~0u;
    if (std::uint64_t{p.rows_y} * p.width > few) return take_rows(p, own, other, end, piece);
    return p.cubic ? take_copies<6>(p, own, other, end, piece) : take_copies<4>(p, own, other, end, piece);
}

void flip(const Packing& p, const Piece& piece, std::uint32_t* __restrict own) {
    own += piece.first;
    for (std::uint32_t i = 0; i < piece.count; ++i) own[i] ^= piece.flips[i];
    if (p.last_bits == 32) return;
    for (std::uint32_t i = p.width - 1 - piece.first % p.width; i < piece.count; i += p.width) own[i] &= p.last_mask();
}

PieceSums measure(const Packing& p, const Piece& piece, const std::uint32_t* other) {
    const int neighbours = p.cubic ? 6 : 4;
    std::uint32_t up = 0, unequal = 0, bonds = 0, word = piece.first % p.width;
    for (std::uint32_t i = 0; i < piece.count; ++i) {
        const std::uint32_t own = piece.spins[i], valid = valid_bits(p, word);
        up += static_cast<std::uint32_t>(std::popcount(own) + std::popcount(other[piece.first + i]));
        bonds += static_cast<std::uint32_t>(neighbours * std::popcount(valid));
        for (int k = 0; k < neighbours; ++k)
            unequal += static_cast<std::uint32_t>(std::popcount((own ^ piece.neighbour(k, i)) & valid));
        if (++word == p.width) word = 0;
    }
    return {up, std::int64_t{bonds} - unequal};
}

using Keys = random::PhiloxKeys<philox_rounds>;

[[gnu::always_inline]] inline void draw_words(const Piece& piece, const Keys& keys, Words index, std::uint32_t draw,
                                              Words* words) {
    random::philox_lanes(keys, index, static_cast<std::uint32_t>(piece.sweep), piece.stream.number,
                         purpose(draw, piece.colour, piece.sweep), words);
}

// Appends the open lanes with numbers below `end` of each vector to its array. All arrays have `filled` words before.
// Returns the new number of words.
template <int Arrays>
std::uint32_t append(const Words& open, std::uint32_t end, const Words (&vectors)[Arrays],
                     std::uint32_t* const (&arrays)[Arrays], std::uint32_t filled) {
#if defined(__AVX512F__)
    const auto there = static_cast<__mmask16>(end >= 16 ? 0xffffu : (1u << end) - 1);
    const auto as_vector = [](const Words& words) { return reinterpret_cast<__m512i>(words); };
    const __mmask16 kept = _mm512_mask_test_epi32_mask(there, as_vector(open), as_vector(open));
    for (int i = 0; i < Arrays; ++i)
        store(arrays[i] + filled, reinterpret_cast<Words>(_mm512_maskz_compress_epi32(kept, as_vector(vectors[i]))));
    return filled + static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(kept)));
#else
    for (std::uint32_t lane = 0; lane < std::min<std::uint32_t>(end, lanes); ++lane) {
        if (open[lane] == 0) continue;
        for (int i = 0; i < Arrays; ++i) arrays[i][filled] = vectors[i][lane];
        ++filled;
    }
    return filled;
#endif
}

// Decides by the eight highest bits, which two of the three draws give. They are enough for most words.
template <class C>
void decide_by_eight_bits(const Acceptance<C::count>& acceptance, const Keys& keys, Piece& piece) {
    constexpr int arrays = C::count + 3;
    std::uint32_t* to[arrays] = {piece.place, piece.undecided};
    for (int k = 0; k <= C::count; ++k) to[2 + k] = piece.chances[k];
    piece.open = 0;
    Words number = random::lanes_from(0);
    for (std::uint32_t i = 0; i < piece.count; i += lanes, number += lanes) {
        Words n[C::neighbours], u[8];
        for (int k = 0; k < C::neighbours; ++k) n[k] = load(piece.n[k] + i, piece.count - i) ^ piece.turned[k];
        draw_words(piece, keys, number + piece.number, 0, u);
        draw_words(piece, keys, number + piece.number, 1, u + 4);
        const Chances<C::count, Words> chances =
            chances_of<C, Words>(acceptance, load(piece.spins + i, piece.count - i), n);
        const Comparison<Words> with_q = compare<0, 8>(acceptance, chances, u);
        store(piece.flips + i, ~(chances.uphill & ~with_q.below));
        const Words open = (chances.uphill | chances.balanced) & with_q.equal & piece.valid;
        if (!any_bit(open)) continue;
        Words kept[arrays] = {number, open, chances.uphill, chances.balanced};
        for (int k = 0; k < C::count - 1; ++k) kept[4 + k] = chances.later[k];
        piece.open = append(open, piece.count - i, kept, to, piece.open);
    }
}

// Decides the open sites by the four other bits.
template <class C>
void decide_open_words(const Acceptance<C::count>& acceptance, const Keys& keys, Piece& piece) {
    for (std::uint32_t i = 0; i < piece.open; i += lanes) {
        Chances<C::count, Words> chances{load(piece.chances[0] + i), load(piece.chances[1] + i), {}};
        for (int k = 0; k < C::count - 1; ++k) chances.later[k] = load(piece.chances[2 + k] + i);
        Words u[4];
        draw_words(piece, keys, load(piece.place + i) + piece.number, 2, u);
        const Comparison<Words> with_q = compare<8, 4>(acceptance, chances, u);
        const Words open = load(piece.undecided + i), uphill = open & chances.uphill, flips = uphill & with_q.below,
                    rest = open & chances.balanced & with_q.equal;
        store(piece.undecided + i, uphill & with_q.equal);
        for (std::uint32_t lane = 0; lane < lanes && i + lane < piece.open; ++lane) {
            std::uint32_t& word = piece.flips[piece.place[i + lane]];
            word = (word | flips[lane]) & ~rest[lane];
        }
    }
}

template <class C>
void decide_piece(const Acceptance<C::count>& acceptance, Piece& piece) {
    Keys keys(piece.stream.seed);
    asm volatile("" : "+m"(keys));  // reading the keys from memory costs nothing
    decide_by_eight_bits<C>(acceptance, keys, piece);
    decide_open_words<C>(acceptance, keys, piece);
}

constexpr CpuKernels table{take,
                           decide_piece<Classes<2, false>>,
                           decide_piece<Classes<3, false>>,
                           decide_piece<Classes<2, true>>,
                           decide_piece<Classes<3, true>>,
                           flip,
                           measure};

}  // namespace

const CpuKernels CpuKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::ising
