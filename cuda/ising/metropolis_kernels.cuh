// Metropolis' algorithm on the device: lattices in device memory, a launch for each colour, or small ones in the shared
// memory of a block, which carries its lattice through a whole stretch.
#pragma once

#include "ising/measurement_kernels.cuh"
#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"

namespace legato::ising {

// What a launch knows of all systems; pointers to device memory.
template <class C>
struct DeviceSystems {
    Packing packing;
    const Acceptance<C::count>* acceptance;  // [systems]
    const Stream* streams;                   // [systems]
    std::uint32_t* spins;                    // [systems][2][words]
    Counters* counters;                      // only where attempts are counted
};

template <class C>
__device__ void take_acceptance(const DeviceSystems<C>& all, std::uint32_t system, Acceptance<C::count>& here) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(all.acceptance + system);
    auto* const to = reinterpret_cast<std::uint32_t*>(&here);
    for (unsigned i = threadIdx.x; i < sizeof here / sizeof *to; i += blockDim.x) to[i] = from[i];
    __syncthreads();
}

// The flips of a word's sites; those of surplus bits mean nothing.
template <class C>
__device__ std::uint32_t flips_of(const Acceptance<C::count>& acceptance, const Stream& stream, std::uint32_t index,
                                  std::int64_t sweep, std::uint32_t colour, std::uint32_t s,
                                  const std::uint32_t (&n)[C::neighbours]) {
    const auto source = [&](std::uint32_t draw, std::uint32_t(&u)[4]) {
        const auto words = random_words(stream, index, sweep, colour, draw);
        for (int i = 0; i < 4; ++i) u[i] = words[i];
    };
    const Decision<std::uint32_t> decision = decide<C, std::uint32_t>(acceptance, s, n, source);
    if (decision.undecided == 0) return decision.flips;
    return decision.flips | decide_tail<C>(acceptance, s, n, decision.undecided, stream, index, sweep, colour);
}

// Where a thread finds its column of words, and what belongs to its ends.
struct Column {
    std::uint32_t after, before;              // words of the row that hold the bits beyond this one's ends
    std::uint32_t after_shift, before_shift;  // where these bits go to, and come from
    std::uint32_t after_flip, before_flip;
    std::uint32_t valid;

    __device__ Column(const Packing& p, std::uint32_t word) {
        const bool first = word == 0, last = word + 1 == p.width;
        after = last ? 0 : word + 1;
        before = first ? p.width - 1 : word - 1;
        after_shift = last ? p.last_bits - 1 : 31;
        before_shift = first ? p.last_bits - 1 : 31;
        after_flip = last && p.flip_x ? 1 : 0;
        before_flip = first && p.flip_x ? 1u << before_shift : 0;
        valid = valid_bits(p, word);
    }
    // Of the row's word and the one at its side the neighbours along x; bits beyond the row's end mean nothing.
    __device__ std::uint32_t aside(bool odd, std::uint32_t centre, std::uint32_t side) const {
        return odd ? centre >> 1 | (side ^ after_flip) << after_shift
                   : centre << 1 | (side ^ before_flip) >> before_shift;
    }
};

// A thread goes down a column of `strip` rows: what was below a word is next the word itself.
template <class C, bool Counting>
__global__ void __launch_bounds__(256) update_colour(const __grid_constant__ DeviceSystems<C> all, std::int64_t sweep,
                                                     std::uint32_t colour, std::uint32_t strip) {
    __shared__ Acceptance<C::count> acceptance;
    const Packing& p = all.packing;
    const std::uint32_t system = blockIdx.y;
    take_acceptance(all, system, acceptance);
    const std::uint32_t strips = (p.rows_y + strip - 1) / strip, thread = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t word = thread % p.width, strip_and_z = thread / p.width, z = strip_and_z / strips;
    Tally<C> tally;
    if (z < p.rows_z) {
        const Stream stream = all.streams[system];
        std::uint32_t* const spins = all.spins + static_cast<std::size_t>(system) * 2 * p.words();
        const std::size_t plane = static_cast<std::size_t>(p.rows_y) * p.width;
        std::uint32_t* const own = spins + colour * static_cast<std::size_t>(p.words()) + z * plane;
        const std::uint32_t* const other = spins + (1 - colour) * static_cast<std::size_t>(p.words()) + z * plane;
        const Column column(p, word);
        const std::uint32_t flip_y = p.flip_y ? ~0u : 0u, begin = (strip_and_z - z * strips) * strip,
                            end = min(begin + strip, p.rows_y);
        const std::uint32_t flip_down = z == 0 && p.flip_z ? ~0u : 0u,
                            flip_up = z + 1 == p.rows_z && p.flip_z ? ~0u : 0u;
        const std::uint32_t* const down = z == 0 ? other + (p.rows_z - 1) * plane : other - plane;
        const std::uint32_t* const up = z + 1 == p.rows_z ? other - (p.rows_z - 1) * plane : other + plane;
        std::uint32_t n[C::neighbours];
        std::uint32_t above =
            begin == 0 ? other[plane - p.width + word] ^ flip_y : other[(begin - 1) * std::size_t{p.width} + word];
        std::uint32_t centre = other[begin * std::size_t{p.width} + word];
        for (std::uint32_t y = begin; y < end; ++y) {
            const std::size_t row = static_cast<std::size_t>(y) * p.width;
            const bool odd = is_odd(colour, y, z);
            const std::uint32_t side = other[row + (odd ? column.after : column.before)];
            const std::uint32_t below = y + 1 == p.rows_y ? other[word] ^ flip_y : other[row + p.width + word];
            n[0] = centre;
            n[1] = column.aside(odd, centre, side);
            n[2] = above;
            n[3] = below;
            if constexpr (C::dimensions == 3) {
                n[4] = down[row + word] ^ flip_down;
                n[5] = up[row + word] ^ flip_up;
            }
            const std::uint32_t s = own[row + word], index = (z * p.rows_y + y) * p.width + word;
            const std::uint32_t flips = flips_of<C>(acceptance, stream, index, sweep, colour, s, n) & column.valid;
            own[row + word] = s ^ flips;
            if constexpr (Counting) tally.add(s, n, column.valid, flips);
            above = centre;
            centre = below ^ (y + 1 == p.rows_y ? flip_y : 0);
        }
    }
    if constexpr (Counting) tally.add_to(*all.counters);
}

// Steps of a block's threads through the words of a lattice.
struct Walk {
    std::uint32_t step, words, y, z;

    __device__ Walk(const Packing& p, std::uint32_t threads) : step(threads) {
        const std::uint32_t rows = threads / p.width;
        words = threads % p.width;
        z = rows / p.rows_y;
        y = rows % p.rows_y;
    }
    __device__ void next(const Packing& p, Place& at) const {
        at.word += words;
        at.y += y;
        if (at.word >= p.width) at.word -= p.width, ++at.y;
        at.z += z;
        if (at.y >= p.rows_y) at.y -= p.rows_y, ++at.z;
        at.row = at.z * p.rows_y + at.y;
    }
};

struct BlockStretch {
    std::int64_t first_sweep, sweeps, measure_every;
    std::int64_t* measured;  // [measurements][systems][values], zero at first
    ValuesLayout values;
};

// A block for each system: its spins stay in shared memory.
template <class C, bool Counting>
__global__ void __launch_bounds__(1024)
    carry_lattices(const __grid_constant__ DeviceSystems<C> all, const __grid_constant__ BlockStretch stretch) {
    extern __shared__ std::uint32_t spins[];
    __shared__ Acceptance<C::count> acceptance;
    const Packing& p = all.packing;
    const std::uint32_t system = blockIdx.x, words = p.words();
    take_acceptance(all, system, acceptance);
    std::uint32_t* const kept = all.spins + static_cast<std::size_t>(system) * 2 * words;
    for (std::uint32_t i = threadIdx.x; i < 2 * words; i += blockDim.x) spins[i] = kept[i];
    __syncthreads();
    const Stream stream = all.streams[system];
    const Walk walk(p, blockDim.x);
    const Place begin = place_of(p, threadIdx.x);
    std::int64_t* measured = stretch.measured + system * static_cast<std::size_t>(stretch.values.count);
    std::int64_t until_measurement = stretch.measure_every;
    Tally<C> tally;
    for (std::int64_t i = 0; i < stretch.sweeps; ++i) {
        for (std::uint32_t colour = 0; colour < 2; ++colour) {
            std::uint32_t* const own = spins + colour * words;
            const std::uint32_t* const other = spins + (1 - colour) * words;
            Place at = begin;
            for (std::uint32_t index = threadIdx.x; index < words; index += walk.step, walk.next(p, at)) {
                std::uint32_t n[C::neighbours];
                neighbours_of(p, other, colour, at, n);
                const std::uint32_t s = own[index], valid = valid_bits(p, at.word);
                const std::uint32_t flips =
                    flips_of<C>(acceptance, stream, index, stretch.first_sweep + i, colour, s, n) & valid;
                own[index] = s ^ flips;
                if constexpr (Counting) tally.add(s, n, valid, flips);
            }
            __syncthreads();
        }
        if (--until_measurement != 0) continue;
        until_measurement = stretch.measure_every;
        measure_words<C::neighbours>(p, stretch.values, spins, threadIdx.x, blockDim.x, measured);
        measured += gridDim.x * static_cast<std::size_t>(stretch.values.count);
    }
    for (std::uint32_t i = threadIdx.x; i < 2 * words; i += blockDim.x) kept[i] = spins[i];
    if constexpr (Counting) tally.add_to(*all.counters);
}

}  // namespace legato::ising
