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
    std::uint32_t slabs;  // of a lattice
    ValuesLayout values;
    std::int64_t* measured;  // [measurements][systems][values], zero at first
    std::uint32_t* passed;   // [systems][slabs][even and odd half-sweeps][first and last layer][words of a layer]
    std::uint32_t* flags;    // half-sweeps whose layers a slab has passed, [systems][slabs], zero at first
};

inline constexpr unsigned threads_of_slabs = 512;

inline std::size_t words_of_passing(const Packing& lattice) {
    return std::size_t{4} * words_of_layer(lattice);
}

// Passes layers to the neighbours, and takes theirs. Half-sweeps are counted from 1 in a batch. A slab overwrites what
// it has passed two half-sweeps later, when its neighbours have taken it, because they have passed the layers after it.
struct Passing {
    std::uint32_t *passed, *flags;     // of the lattice
    std::uint32_t slab, slabs, layer;  // words of a layer
    bool turned_below, turned_above;

    __device__ std::uint32_t* place(std::uint32_t of_slab, std::uint32_t half_sweep, std::uint32_t last) const {
        return passed + ((std::size_t{of_slab} * 2 + half_sweep % 2) * 2 + last) * layer;
    }
    // `stored`: the words of a colour, with halos; `end`: the number of the words of the halo above.
    __device__ void pass(const std::uint32_t* stored, std::uint32_t end, std::uint32_t half_sweep) const {
        for (std::uint32_t i = threadIdx.x; i < layer; i += blockDim.x) {
            __stcg(place(slab, half_sweep, 0) + i, stored[layer + i]);
            __stcg(place(slab, half_sweep, 1) + i, stored[end - layer + i]);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags + slab), "r"(half_sweep) : "memory");
        }
    }
    __device__ void take(std::uint32_t* stored, std::uint32_t end, std::uint32_t half_sweep) const {
        const std::uint32_t below = slab == 0 ? slabs - 1 : slab - 1, above = slab + 1 == slabs ? 0 : slab + 1;
        if (threadIdx.x < 2) wait_for(flags + (threadIdx.x == 0 ? below : above), half_sweep);
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < layer; i += blockDim.x) {
            stored[i] = __ldcg(place(below, half_sweep, 1) + i) ^ (turned_below ? ~0u : 0u);
            stored[end + i] = __ldcg(place(above, half_sweep, 0) + i) ^ (turned_above ? ~0u : 0u);
        }
        __syncthreads();
    }
    __device__ static void wait_for(const std::uint32_t* flag, std::uint32_t half_sweep) {
        std::uint32_t now = 0;
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(flag) : "memory");
        while (static_cast<std::int32_t>(now - half_sweep) < 0);
    }
};

// The slab of a block: the packing of its stored layers, of which the first and the last one are halos.
struct BlockSlab {
    Packing packing;
    SlabNumbers numbers;
    std::uint32_t first_word;  // of its own layers, in the lattice

    __device__ BlockSlab(const Packing& lattice, std::uint32_t slab, std::uint32_t slabs) : packing(lattice) {
        const std::uint32_t layers = lattice.cubic ? lattice.rows_z : lattice.rows_y,
                            of_layer = lattice.words() / layers,
                            first = static_cast<std::uint32_t>(std::uint64_t{layers} * slab / slabs),
                            end = static_cast<std::uint32_t>(std::uint64_t{layers} * (slab + 1) / slabs);
        (lattice.cubic ? packing.rows_z : packing.rows_y) = end - first + 2;
        first_word = first * of_layer;
        numbers = {first_word - of_layer, first % 2 == 0 ? 1u : 0u};
    }
};

// Updates a colour of the layers of a slab. `column`: this thread's first column.
template <class C, class Count>
__device__ void update_block_slab(const Packing& p, const SlabPart& part, const Rules<C>& rules, std::uint32_t* spins,
                                  Column column, std::int64_t sweep, std::uint32_t colour, const SlabNumbers& numbers,
                                  Count& count) {
    const auto columns = static_cast<std::uint32_t>(part.columns(p));
    for (std::uint32_t i = threadIdx.x; i < columns;) {
        update_column<C>(p, rules, spins, column, sweep, colour, count, numbers);
        i += blockDim.x;
        if (i < columns) column = part.column(p, i);
    }
    __syncthreads();
}

// Makes the sweeps of a batch, with a block for each slab of each system. All blocks run at the same time.
template <class C, bool Counting>
__global__ void __launch_bounds__(threads_of_slabs, 1)
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
    const Packing& p = packing;
    const std::uint32_t layers = p.cubic ? p.rows_z : p.rows_y, words = p.words(), of_layer = words / layers,
                        end = words - of_layer;
    const bool flips = p.cubic ? p.flip_z : p.flip_y;
    const Passing passing{batch.passed + std::size_t{system} * batch.slabs * 4 * of_layer,
                          batch.flags + std::size_t{system} * batch.slabs,
                          slab,
                          batch.slabs,
                          of_layer,
                          flips && slab == 0,
                          flips && slab + 1 == batch.slabs};
    std::uint32_t* const kept = all.spins + std::size_t{system} * 2 * lattice.words() + block.first_word;
    for (std::uint32_t i = thread; i < end - of_layer; i += blockDim.x)
        for (std::uint32_t colour = 0; colour < 2; ++colour)
            spins[colour * words + of_layer + i] = kept[colour * lattice.words() + i];
    __syncthreads();
    const SlabPart part{1, 1, layers - 1, 1};
    const Column first = part.column(p, min(thread, static_cast<std::uint32_t>(part.columns(p)) - 1));
    std::int64_t* measured = batch.measured + system * static_cast<std::size_t>(batch.values.count);
    std::int64_t until_measurement = batch.measure_every;
    Tally<C, Counting> tally;
    std::uint32_t half_sweep = 1;
    passing.pass(spins + words, end, half_sweep);
    for (std::int64_t sweep = batch.first_sweep; sweep < batch.first_sweep + batch.sweeps; ++sweep) {
        passing.take(spins + words, end, half_sweep++);
        update_block_slab<C>(p, part, rules, spins, first, sweep, 0, block.numbers, tally);
        passing.pass(spins, end, half_sweep);
        passing.take(spins, end, half_sweep++);
        if (--until_measurement != 0) {
            update_block_slab<C>(p, part, rules, spins, first, sweep, 1, block.numbers, tally);
        } else {
            until_measurement = batch.measure_every;
            Measuring<C, Counting> measuring{tally, {}, 0};
            update_block_slab<C>(p, part, rules, spins, first, sweep, 1, block.numbers, measuring);
            measuring.sums.add_to(measured, measuring.sites);
            measured += systems * static_cast<std::size_t>(batch.values.count);
        }
        passing.pass(spins + words, end, half_sweep);
    }
    for (std::uint32_t i = thread; i < end - of_layer; i += blockDim.x)
        for (std::uint32_t colour = 0; colour < 2; ++colour)
            kept[colour * lattice.words() + i] = spins[colour * words + of_layer + i];
    tally.add_to(all.counters);
}

}  // namespace legato::ising
