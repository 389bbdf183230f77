// Metropolis' algorithm for lattices that fit into the shared memory of all blocks together. A lattice is divided into
// slabs (cpp/ising/slab.hpp), and a block has a slab and makes all sweeps of a batch. After a half-sweep a block passes
// its first and its last layer to its neighbours through device memory, and waits for theirs, but for no other block.
#pragma once

#include <cstdint>

#include "ising/slab.hpp"
#include "ising/slab_part.cuh"

namespace legato::ising {

struct SlabBatch {
    std::int64_t first_sweep, sweeps, measure_every;
    std::uint32_t slabs, strip;  // of a lattice; rows of a column
    ValuesLayout values;
    std::int64_t* measured;      // [measurements][systems][values], zero at first
    unsigned long long* passed;  // [systems][slabs][even and odd half-sweeps][first and last layer][words of a layer],
                                 // zero at first
};

inline constexpr unsigned most_threads_of_slab = 512;

inline std::size_t words_of_passing(const Packing& lattice) {
    return std::size_t{4} * words_of_layer(lattice);
}

// Passes layers to the neighbours, and takes theirs. A word is passed together with the number of its half-sweep, so
// that a neighbour waits for the word itself. Half-sweeps are counted from 1 in a batch. A slab overwrites what it has
// passed two half-sweeps later, when its neighbours have taken it, because they have passed the layers after it.
struct Passing {
    unsigned long long* passed;           // of the lattice
    std::uint32_t slab, slabs, of_layer;  // words of a layer
    bool turned_below, turned_above;

    __device__ volatile unsigned long long* place(std::uint32_t of_slab, std::uint32_t half_sweep,
                                                  std::uint32_t last) const {
        return passed + ((std::size_t{of_slab} * 2 + half_sweep % 2) * 2 + last) * of_layer;
    }
    // Passes word i of the first or the last layer.
    __device__ void pass(std::uint32_t word, std::uint32_t i, std::uint32_t half_sweep, bool last) const {
        place(slab, half_sweep, last ? 1 : 0)[i] = static_cast<unsigned long long>(half_sweep) << 32 | word;
    }
    // `stored`: the words of a colour, with halos; `end`: the number of the first word of the halo above.
    __device__ void pass_all(const std::uint32_t* stored, std::uint32_t end, std::uint32_t half_sweep) const {
        for (std::uint32_t i = threadIdx.x; i < of_layer; i += blockDim.x) {
            pass(stored[of_layer + i], i, half_sweep, false);
            pass(stored[end - of_layer + i], i, half_sweep, true);
        }
    }
    __device__ void take(std::uint32_t* stored, std::uint32_t end, std::uint32_t half_sweep) const {
        const std::uint32_t below = slab == 0 ? slabs - 1 : slab - 1, above = slab + 1 == slabs ? 0 : slab + 1;
        for (std::uint32_t i = threadIdx.x; i < 2 * of_layer; i += blockDim.x)
            if (i < of_layer)
                stored[i] = wait_for(place(below, half_sweep, 1) + i, half_sweep) ^ (turned_below ? ~0u : 0u);
            else
                stored[end + i - of_layer] =
                    wait_for(place(above, half_sweep, 0) + i - of_layer, half_sweep) ^ (turned_above ? ~0u : 0u);
        __syncthreads();
    }
    __device__ static std::uint32_t wait_for(const volatile unsigned long long* word, std::uint32_t half_sweep) {
        unsigned long long now = *word;
        while (now >> 32 != half_sweep) now = *word;
        return static_cast<std::uint32_t>(now);
    }
};

// The slab of a block: the packing of its stored layers, of which the first and the last one are halos.
struct BlockSlab {
    Packing packing;
    SlabNumbers numbers;
    std::uint32_t first_word;  // of its own layers, in the lattice

    __device__ BlockSlab(const Packing& lattice, std::uint32_t slab, std::uint32_t slabs) : packing(lattice) {
        const std::uint32_t layers = layers_of(lattice), of_layer = words_of_layer(lattice),
                            first = static_cast<std::uint32_t>(std::uint64_t{layers} * slab / slabs),
                            end = static_cast<std::uint32_t>(std::uint64_t{layers} * (slab + 1) / slabs);
        (lattice.cubic ? packing.rows_z : packing.rows_y) = end - first + 2;
        first_word = first * of_layer;
        numbers = {first_word - of_layer, first % 2 == 0 ? 1u : 0u};
    }
};

// A slab in shared memory, and how it is updated.
struct ResidentSlab {
    const Packing& packing;
    SlabNumbers numbers;
    SlabPart part;
    Passing passing;
    std::uint32_t* spins;

    // Passes the words of a column that are in the first or the last layer.
    __device__ void pass(const Column& column, std::uint32_t colour, std::uint32_t half_sweep) const {
        const Packing& p = packing;
        const std::uint32_t* const stored = spins + colour * p.words();
        const auto pass_row = [&](std::uint32_t row, std::uint32_t i, bool last) {
            passing.pass(stored[row * p.width + column.word], i, half_sweep, last);
        };
        if (!p.cubic) {
            if (column.begin == 1) pass_row(1, column.word, false);
            if (column.end == part.end) pass_row(part.end - 1, column.word, true);
            return;
        }
        if (column.z != 1 && column.z + 1 != part.end) return;
        for (std::uint32_t y = column.begin; y < column.end; ++y) {
            if (column.z == 1) pass_row(p.rows_y + y, y * p.width + column.word, false);
            if (column.z + 1 == part.end) pass_row(column.z * p.rows_y + y, y * p.width + column.word, true);
        }
    }
    // Takes the halos of the other colour, and updates a colour. `column`: this thread's first column.
    template <class C, class Count>
    __device__ void update(const Rules<C>& rules, Column column, std::int64_t sweep, std::uint32_t colour,
                           std::uint32_t half_sweep, Count& count) const {
        const std::uint32_t words = packing.words();
        passing.take(spins + (1 - colour) * words, words - passing.of_layer, half_sweep);
        const auto columns = static_cast<std::uint32_t>(part.columns(packing));
        for (std::uint32_t i = threadIdx.x; i < columns;) {
            update_column<C>(packing, rules, spins, column, sweep, colour, count, numbers);
            pass(column, colour, half_sweep + 1);
            i += blockDim.x;
            if (i < columns) column = part.column(packing, i);
        }
    }
};

// Makes the sweeps of a batch, with a block for each slab of each system. All blocks run at the same time.
template <class C, bool Counting>
__global__ void __launch_bounds__(most_threads_of_slab, 1)
    advance_slabs(const __grid_constant__ DeviceSystems<C> all, const __grid_constant__ SlabBatch batch) {
    extern __shared__ std::uint32_t spins[];
    __shared__ Rules<C> rules;
    __shared__ Packing packing;
    const Packing& lattice = all.packing;
    const std::uint32_t system = blockIdx.x / batch.slabs, slab = blockIdx.x - system * batch.slabs,
                        systems = gridDim.x / batch.slabs, thread = threadIdx.x;
    const BlockSlab block(lattice, slab, batch.slabs);
    if (thread == 0) packing = block.packing;
    take_rules(all, system, rules);
    const std::uint32_t layers = layers_of(packing), words = packing.words(), of_layer = words_of_layer(packing),
                        own = words - 2 * of_layer;
    const bool flips = packing.cubic ? packing.flip_z : packing.flip_y;
    const ResidentSlab here{packing,
                            block.numbers,
                            {1, packing.cubic ? 1 : batch.strip, layers - 1, batch.strip},
                            {batch.passed + std::size_t{system} * batch.slabs * 4 * of_layer, slab, batch.slabs,
                             of_layer, flips && slab == 0, flips && slab + 1 == batch.slabs},
                            spins};
    std::uint32_t* const kept = all.spins + std::size_t{system} * 2 * lattice.words() + block.first_word;
    for (std::uint32_t i = thread; i < own; i += blockDim.x)
        for (std::uint32_t colour = 0; colour < 2; ++colour)
            spins[colour * words + of_layer + i] = kept[colour * lattice.words() + i];
    __syncthreads();
    const auto columns = static_cast<std::uint32_t>(here.part.columns(packing));
    const Column first = here.part.column(packing, min(thread, columns - 1));
    std::int64_t* measured = batch.measured + system * static_cast<std::size_t>(batch.values.count);
    std::int64_t until_measurement = batch.measure_every;
    Tally<C, Counting> tally;
    std::uint32_t half_sweep = 1;
    here.passing.pass_all(spins + words, words - of_layer, half_sweep);
    for (std::int64_t sweep = batch.first_sweep; sweep < batch.first_sweep + batch.sweeps; ++sweep) {
        here.update(rules, first, sweep, 0, half_sweep++, tally);
        if (--until_measurement != 0) {
            here.update(rules, first, sweep, 1, half_sweep++, tally);
            continue;
        }
        until_measurement = batch.measure_every;
        Measuring<C, Counting> measuring{tally, {}, 0};
        here.update(rules, first, sweep, 1, half_sweep++, measuring);
        measuring.sums.add_to(measured, measuring.sites);
        measured += systems * static_cast<std::size_t>(batch.values.count);
    }
    __syncthreads();
    for (std::uint32_t i = thread; i < own; i += blockDim.x)
        for (std::uint32_t colour = 0; colour < 2; ++colour)
            kept[colour * lattice.words() + i] = spins[colour * words + of_layer + i];
    tally.add_to(all.counters);
}

}  // namespace legato::ising
