// Kernels for lattices that fit into the shared memory of a multiprocessor. A block of threads loads a block of systems
// and makes all sweeps of a batch, so that device memory is hardly used.
#pragma once

#include "ising/demon_draws.cuh"

namespace legato::ising {

inline constexpr std::uint32_t most_small_threads = 512;

// The sweeps of one launch. counts: [measurements][blocks][values][32]. `demons` is the value of the first level.
struct SmallBatch {
    std::int64_t first_sweep, sweeps, measure_every, refresh_interval;
    bool draw, by_numbers;
    unsigned long long* counts;
    std::uint32_t values, demons;
};

// Shared memory: a block's words [4 sites], then this.
struct SmallBlock {
    DemonMoves moves[2];
    std::uint32_t counts[2 + demon_levels][32];  // spins up, unequal bonds, demons
};

template <int Digits>
__device__ void add_in_shared(const BitCounts<Digits>& of_thread, std::uint32_t (&counts)[32]) {
    const std::uint32_t total = warp_total(of_thread);
    if (total > 0) atomicAdd(&counts[threadIdx.x % 32], total);
}

// Largest number of sites. There are so many threads that none counts more than its digits hold.
inline constexpr std::uint32_t most_small_sites = 30 * most_small_threads;

template <int Dimensions, bool Divided>
__device__ void count_spins_in_shared(const DemonBlocks& d, const std::uint32_t* words, SmallBlock& block) {
    const std::uint32_t half = d.sites / 2;
    BitCounts<5> up;
    BitCounts<7> unequal;
    for (std::uint32_t i = threadIdx.x; i < half; i += blockDim.x) {
        const DemonSite site = demon_site(d.parts.packing, i);
        const Surroundings<Dimensions, 1> s =
            surroundings<Dimensions, 1, Divided>(d.parts, words + half, 0, site.row, site.column);
        const std::uint32_t own = words[i], same = s.same.word[0];
        up.add(own, same, 0, 0);
        unequal.add(own ^ same, own ^ s.shifted.word[0], own ^ s.across[0].word[0], own ^ s.across[1].word[0]);
        if constexpr (Dimensions == 3) unequal.add(own ^ s.across[2].word[0], own ^ s.across[3].word[0], 0, 0);
    }
    add_in_shared(up, block.counts[0]);
    add_in_shared(unequal, block.counts[1]);
}

__device__ inline void count_demons_in_shared(const DemonBlocks& d, const std::uint32_t* words, std::uint32_t level,
                                              SmallBlock& block) {
    BitCounts<5> current;
    for (std::uint32_t i = threadIdx.x; i < d.sites; i += blockDim.x) current.add(words[(level + 1) * d.sites + i]);
    add_in_shared(current, block.counts[2 + level]);
}

// Makes the counts that are wanted. Measured counts go to device memory. Rare levels that are drawn next are cleared.
template <int Dimensions, bool Divided>
__device__ void count_in_shared(const DemonBlocks& d, const DemonLevels& levels, std::uint32_t* words,
                                SmallBlock& block, bool measures, bool draws, unsigned long long* magnetisation,
                                unsigned long long* demons) {
    if (measures) count_spins_in_shared<Dimensions, Divided>(d, words, block);
    for (std::uint32_t level = 0; level < demon_levels; ++level)
        if (measures || !levels.of(blockIdx.x, level).rare) count_demons_in_shared(d, words, level, block);
    __syncthreads();
    if (measures)
        for (std::uint32_t i = threadIdx.x; i < 32 * (2 + demon_levels); i += blockDim.x)
            (i < 64 ? magnetisation + i : demons + i - 64)[0] = block.counts[i / 32][i % 32];
    for (std::uint32_t level = 0; draws && level < demon_levels; ++level)
        if (levels.of(blockIdx.x, level).rare)
            clear_bits(words + (level + 1) * d.sites, d.parts.bits_of(d.systems_of(blockIdx.x)), threadIdx.x, d.sites,
                       blockDim.x);
    __syncthreads();
}

// Draws demons by numbers. Each warp has a level of a system.
__device__ inline void draw_numbers_in_shared(const DemonBlocks& d, const DemonLevels& levels, const Stream& stream,
                                              std::uint32_t* words, const SmallBlock& block, std::int64_t sweep) {
    const std::uint32_t systems = d.systems_of(blockIdx.x), parts = d.parts.count();
    for (std::uint32_t which = threadIdx.x / 32; which < systems * demon_levels; which += blockDim.x / 32) {
        const std::uint32_t level = which / systems, system = which - level * systems;
        const DemonLevel& draw = levels.of(blockIdx.x, level);
        const auto wanted = static_cast<std::uint32_t>(binomial_number_of_warp(
            draw, levels.thresholds + draw.offset, number_for_count(stream, sweep, level, system)));
        std::uint32_t current = 0;
        for (std::uint32_t part = 0; !draw.rare && part < parts; ++part)
            current += block.counts[2 + level][system * parts + part];
        change_demons(WarpTeam(), {d.parts, words + (level + 1) * d.sites, d.sites_of_system, level, system}, stream,
                      sweep, current, wanted);
    }
}

template <int Dimensions, int Width, bool Divided>
__device__ void sweep_in_shared(const DemonBlocks& d, std::uint32_t* words, const DemonMoves& moves) {
    const std::uint32_t runs = d.parts.packing.bits / Width, all = runs * d.parts.packing.rows();
    for (std::uint32_t colour = 0; colour < 2; ++colour) {
        for (std::uint32_t i = threadIdx.x; i < all; i += blockDim.x) {
            const std::uint32_t row = i / runs;
            exchange_run<Dimensions, Width, Divided>(d.parts, d.sites, words, moves, colour, row,
                                                     (i - row * runs) * Width);
        }
        __syncthreads();
    }
}

template <int Dimensions, int Width, bool Divided>
__global__ void __launch_bounds__(most_small_threads)
    advance_in_shared(const __grid_constant__ DemonBlocks d, const __grid_constant__ DemonLevels levels,
                      const __grid_constant__ SmallBatch batch) {
    extern __shared__ uint4 shared[];
    std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(shared);
    SmallBlock& block = *reinterpret_cast<SmallBlock*>(words + 4 * d.sites);
    uint4* const home = reinterpret_cast<uint4*>(d.words_of(blockIdx.x));
    const Stream stream = d.streams[blockIdx.x];
    for (std::uint32_t i = threadIdx.x; i < d.sites; i += blockDim.x) shared[i] = home[i];
    if (threadIdx.x == 0) block.moves[0] = demon_moves(stream, batch.first_sweep, d.parts);
    __syncthreads();
    unsigned long long* counts = batch.counts + std::size_t{blockIdx.x} * 32 * batch.values;
    for (std::int64_t s = 0; s < batch.sweeps; ++s) {
        const std::int64_t sweep = batch.first_sweep + s;
        // The moves of the next sweep are drawn while other warps are busy.
        if (threadIdx.x == 0) block.moves[(s + 1) % 2] = demon_moves(stream, sweep + 1, d.parts);
        for (std::uint32_t i = threadIdx.x; i < 32 * (2 + demon_levels); i += blockDim.x)
            block.counts[i / 32][i % 32] = 0;
        sweep_in_shared<Dimensions, Width, Divided>(d, words, block.moves[s % 2]);
        const bool measures = batch.measure_every > 0 && (s + 1) % batch.measure_every == 0;
        const bool draws = batch.draw && (sweep + 1) % batch.refresh_interval == 0;
        const bool by_numbers = draws && batch.by_numbers;
        if (measures || by_numbers)
            count_in_shared<Dimensions, Divided>(d, levels, words, block, measures, by_numbers, counts,
                                                 counts + 32 * batch.demons);
        if (measures) counts += std::size_t{d.blocks} * 32 * batch.values;
        if (by_numbers)
            draw_numbers_in_shared(d, levels, stream, words, block, sweep);
        else if (draws)
            for (std::uint32_t i = threadIdx.x; i < demon_levels * d.sites; i += blockDim.x) {
                const std::uint32_t level = i / d.sites;
                words[d.sites + i] =
                    draw_demons(levels.of(blockIdx.x, level).probability, stream, sweep, level, i - level * d.sites);
            }
        __syncthreads();
    }
    for (std::uint32_t i = threadIdx.x; i < d.sites; i += blockDim.x) home[i] = shared[i];
}

}  // namespace legato::ising
