// Metropolis' algorithm on the device. Lattices in device memory take a launch for each colour. Small lattices are in
// the shared memory of a block, which makes all sweeps of a batch.
#pragma once

#include "core/dependent_launch.cuh"
#include "ising/coarse_words.cuh"
#include "ising/measurement_kernels.cuh"
#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"

namespace legato::ising {

// Data of all systems for a launch. Pointers are to device memory.
template <class C>
struct DeviceSystems {
    Packing packing;
    const Acceptance<C::count>* acceptance;  // [systems]
    const Stream* streams;                   // [systems]
    std::uint32_t* spins;                    // [systems][2][words]
    Counters* counters;
};

// Data of one system for a block.
template <class C>
struct Rules {
    Acceptance<C::count> acceptance;
    alignas(16) std::uint32_t keys[philox_rounds][2];
    Stream stream;
};

template <class C>
__device__ void take_rules(const DeviceSystems<C>& all, std::uint32_t system, Rules<C>& rules) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(all.acceptance + system);
    auto* const to = reinterpret_cast<std::uint32_t*>(&rules.acceptance);
    for (unsigned i = threadIdx.x; i < sizeof rules.acceptance / sizeof *to; i += blockDim.x) to[i] = from[i];
    if (threadIdx.x == 0) {
        rules.stream = all.streams[system];
        random::take_round_keys(rules.stream.seed, rules.keys);
    }
    __syncthreads();
}

// Returns the flips of a word's sites. Those of surplus bits are meaningless.
template <class C>
__device__ std::uint32_t flips_of(const Rules<C>& rules, std::uint32_t index, std::int64_t sweep, std::uint32_t colour,
                                  std::uint32_t s, const std::uint32_t (&n)[C::neighbours]) {
    std::uint32_t u[coarse_bits];
    coarse_words(rules.keys, rules.stream.number, index, sweep, colour, u);
    const Decision<std::uint32_t> decision = decide<C, std::uint32_t>(rules.acceptance, s, n, u);
    if (decision.undecided == 0) return decision.flips;
    return decision.flips |
           decide_tail<C>(rules.acceptance, s, n, decision.undecided, rules.stream, index, sweep, colour);
}

// A column of at most `strip` rows of one plane. A thread goes down the column: the word below becomes the next word
// itself.
struct Column {
    std::uint32_t word, z, begin, end;  // `begin`, `end`: rows of the plane
    std::int32_t after, before;         // offsets to the words of the row with the bits beyond the ends of this word
    std::uint32_t after_shift, before_shift;  // positions where these bits go to, and come from
    std::uint32_t after_flip, before_flip;
    std::uint32_t valid;

    __device__ Column(const Packing& p, std::uint32_t strip, std::uint32_t number) {
        const std::uint32_t strips = (p.rows_y + strip - 1) / strip, strip_and_z = number / p.width;
        word = number % p.width;
        z = strip_and_z / strips;
        begin = (strip_and_z - z * strips) * strip;
        end = min(begin + strip, p.rows_y);
        take_sides(p);
    }
    __device__ Column(const Packing& p, std::uint32_t of_word, std::uint32_t of_plane, std::uint32_t first_row,
                      std::uint32_t end_row)
        : word(of_word), z(of_plane), begin(first_row), end(end_row) {
        take_sides(p);
    }
    __device__ void take_sides(const Packing& p) {
        const bool first = word == 0, last = word + 1 == p.width;
        const auto around = static_cast<std::int32_t>(p.width) - 1;
        after = last ? -around : 1;
        before = first ? around : -1;
        after_shift = last ? p.last_bits - 1 : 31;
        before_shift = first ? p.last_bits - 1 : 31;
        after_flip = last && p.flip_x ? 1 : 0;
        before_flip = first && p.flip_x ? 1u << before_shift : 0;
        valid = valid_bits(p, word);
    }
    // Returns the second neighbours along x, from a word of the row and the one at its side. Bits beyond the row's end
    // are meaningless.
    __device__ std::uint32_t second_neighbours(bool odd, std::uint32_t centre, std::uint32_t side) const {
        return odd ? centre >> 1 | (side ^ after_flip) << after_shift
                   : centre << 1 | (side ^ before_flip) >> before_shift;
    }
    // Computes the neighbours along z. `here`: the other colour's word.
    __device__ void along_z(const Packing& p, const std::uint32_t* here, std::size_t plane, std::uint32_t& down,
                            std::uint32_t& up) const {
        const std::uint32_t flip = p.flip_z ? ~0u : 0u;
        const std::size_t to_end = (p.rows_z - 1) * plane;
        down = z == 0 ? here[to_end] ^ flip : *(here - plane);
        up = z + 1 == p.rows_z ? *(here - to_end) ^ flip : here[plane];
    }
};

__host__ __device__ inline std::uint64_t columns_of(const Packing& p, std::uint32_t strip) {
    return std::uint64_t{p.width} * ((p.rows_y + strip - 1) / strip) * p.rows_z;
}

// The numbers of stored words in the lattice, and the colours that its sites would have if the first stored layer had
// number 0: those of a whole lattice.
struct WholeLattice {
    __device__ std::uint32_t number(std::uint32_t stored) const { return stored; }
    __device__ std::uint32_t local_colour(std::uint32_t colour) const { return colour; }
};

// Updates a column. `spins`: those of both colours, in any memory. The words of a row are read while the row before is
// computed.
template <class C, class Count, class Numbers = WholeLattice>
__device__ void update_column(const Packing& p, const Rules<C>& rules, std::uint32_t* spins, const Column& at,
                              std::int64_t sweep, std::uint32_t colour, Count&& count, const Numbers& numbers = {}) {
    const std::size_t words = p.words(), plane = static_cast<std::size_t>(p.rows_y) * p.width;
    const std::size_t first = at.z * plane + static_cast<std::size_t>(at.begin) * p.width + at.word;
    std::uint32_t* own = spins + colour * words + first;
    const std::uint32_t* other = spins + (1 - colour) * words + first;
    const std::size_t to_end = plane - p.width;
    const std::uint32_t flip_y = p.flip_y ? ~0u : 0u;
    const auto side_of = [&](const std::uint32_t* row, bool odd) { return row[odd ? at.after : at.before]; };
    const auto below_of = [&](const std::uint32_t* row, std::uint32_t y) {
        return y + 1 == p.rows_y ? *(row - to_end) ^ flip_y : row[p.width];
    };
    bool odd = is_odd(numbers.local_colour(colour), at.begin, at.z);
    std::uint32_t above = at.begin == 0 ? other[to_end] ^ flip_y : *(other - p.width);
    std::uint32_t centre = *other, below = below_of(other, at.begin), side = side_of(other, odd), s = *own;
    std::uint32_t index = numbers.number(static_cast<std::uint32_t>(first));
    std::uint32_t opaque = 0;
    for (std::uint32_t y = at.begin; y < at.end; ++y) {
        asm volatile("" : "+r"(opaque));  // reading the rules again is better than keeping them in registers
        std::uint32_t n[C::neighbours];
        n[0] = centre;
        n[1] = at.second_neighbours(odd, centre, side);
        n[2] = above;
        n[3] = below;
        if constexpr (C::dimensions == 3) at.along_z(p, other, plane, n[4], n[5]);
        std::uint32_t* const here = own;
        const std::uint32_t now = s;
        const bool more = y + 1 < at.end;
        own += p.width;
        other += p.width;
        odd = !odd;
        above = centre;
        centre = below;
        if (more) {
            s = *own;
            side = side_of(other, odd);
            below = below_of(other, y + 1);
        }
        const std::uint32_t flips = flips_of<C>((&rules)[opaque], index, sweep, colour, now, n) & at.valid;
        *here = now ^ flips;
        count(now, n, at.valid, flips);
        index += p.width;
    }
}

// Least number of blocks of 256 threads on a multiprocessor, such that no registers are spilled.
template <class C, bool Counting>
constexpr int least_blocks = Counting                            ? 2
                             : C::dimensions == 2 && !C::general ? 4
                                                                 : 3;

// Updates a colour of lattices in device memory, gridDim.y systems. The next launch may begin early, and waits for this
// one before it reads a spin.
template <class C, bool Counting>
__global__ void __launch_bounds__(256, (least_blocks<C, Counting>))
    update_colour(const __grid_constant__ DeviceSystems<C> all, std::int64_t sweep, std::uint32_t colour,
                  std::uint32_t strip) {
    __shared__ Rules<C> rules;
    const Packing& p = all.packing;
    take_rules(all, blockIdx.y, rules);
    cuda::allow_next_launch();
    cuda::wait_for_previous_launch();
    const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    Tally<C, Counting> tally;
    if (number < columns_of(p, strip))
        update_column<C>(p, rules, all.spins + static_cast<std::size_t>(blockIdx.y) * 2 * p.words(),
                         Column(p, strip, number), sweep, colour, tally);
    tally.add_to(all.counters);
}

struct BlockBatch {
    std::int64_t first_sweep, sweeps, measure_every;
    std::uint32_t strip;
    std::int64_t* measured;  // [measurements][systems][values], zero at first
    ValuesLayout values;
};

// Updates a colour of a lattice by one block. `column`: this thread's first column.
template <class C, class Count>
__device__ void update_lattice(const Packing& p, std::uint32_t strip, const Rules<C>& rules, std::uint32_t* spins,
                               Column column, std::int64_t sweep, std::uint32_t colour, Count& count) {
    const auto columns = static_cast<std::uint32_t>(columns_of(p, strip));
    for (std::uint32_t i = threadIdx.x; i < columns;) {
        update_column<C>(p, rules, spins, column, sweep, colour, count);
        i += blockDim.x;
        if (i < columns) column = Column(p, strip, i);
    }
    __syncthreads();
}

// Measures the state after a sweep while its last colour is updated.
template <class C, bool Counting>
struct Measuring {
    Tally<C, Counting>& tally;
    SpinSums<C::neighbours> sums;
    std::uint32_t sites;

    __device__ void operator()(std::uint32_t s, const std::uint32_t (&n)[C::neighbours], std::uint32_t valid,
                               std::uint32_t flips) {
        tally(s, n, valid, flips);
        sums.add(s ^ flips, n, valid);
        sites += __popc(valid);
    }
};

// Makes the sweeps of a batch, with a block for each system. Its spins stay in shared memory.
template <class C, bool Counting>
__global__ void __launch_bounds__(512, 2)
    advance_lattices(const __grid_constant__ DeviceSystems<C> all, const __grid_constant__ BlockBatch batch) {
    extern __shared__ std::uint32_t spins[];
    __shared__ Rules<C> rules;
    const Packing& p = all.packing;
    const std::uint32_t system = blockIdx.x, words = p.words(), thread = threadIdx.x;
    take_rules(all, system, rules);
    std::uint32_t* const kept = all.spins + static_cast<std::size_t>(system) * 2 * words;
    for (std::uint32_t i = thread; i < 2 * words; i += blockDim.x) spins[i] = kept[i];
    __syncthreads();
    const Column first(p, batch.strip, thread);
    std::int64_t* measured = batch.measured + system * static_cast<std::size_t>(batch.values.count);
    std::int64_t until_measurement = batch.measure_every;
    Tally<C, Counting> tally;
    for (std::int64_t sweep = batch.first_sweep; sweep < batch.first_sweep + batch.sweeps; ++sweep) {
        update_lattice<C>(p, batch.strip, rules, spins, first, sweep, 0, tally);
        if (--until_measurement != 0) {
            update_lattice<C>(p, batch.strip, rules, spins, first, sweep, 1, tally);
            continue;
        }
        until_measurement = batch.measure_every;
        Measuring<C, Counting> measuring{tally, {}, 0};
        update_lattice<C>(p, batch.strip, rules, spins, first, sweep, 1, measuring);
        measuring.sums.add_to(measured, measuring.sites);
        measure_correlations<C::neighbours>(p, batch.values, spins, thread, blockDim.x, measured);
        measured += gridDim.x * static_cast<std::size_t>(batch.values.count);
        __syncthreads();
    }
    for (std::uint32_t i = thread; i < 2 * words; i += blockDim.x) kept[i] = spins[i];
    tally.add_to(all.counters);
}

}  // namespace legato::ising
