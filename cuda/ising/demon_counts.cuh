// Counts of bits in the words of blocks, for all 32 bits at once. Threads add up words digit by digit. A warp
// transposes the sums, so that each of its threads has all that belongs to one bit, and adds them to the block's
// counts.
#pragma once

#include "ising/bit_counts.hpp"
#include "ising/demon_levels.cuh"
#include "ising/demon_measurement.hpp"
#include "ising/demon_sweep.cuh"

namespace legato::ising {

using Counts = BitCounts<8>;
inline constexpr std::uint32_t count_threads = 256, whole_warp = ~0u;

// Transposes the bits of a warp: thread b gets bits b of all threads' words, that of thread 0 lowest.
__device__ inline std::uint32_t transposed(std::uint32_t word) {
    const std::uint32_t lane = threadIdx.x % 32;
    std::uint32_t low = 0x0000ffffu;
#pragma unroll
    for (std::uint32_t distance = 16; distance > 0; distance /= 2, low ^= low << distance) {
        const std::uint32_t partner = __shfl_xor_sync(whole_warp, word, distance);
        word = (lane & distance) == 0 ? (word & low) | (partner & low) << distance
                                      : (word & ~low) | (partner & ~low) >> distance;
    }
    return word;
}

// Returns in thread b the number of bits b. All threads of the warp must call it.
template <int Digits>
__device__ std::uint32_t warp_total(const BitCounts<Digits>& counts) {
    std::uint32_t total = 0;
#pragma unroll
    for (int k = 0; k < Digits; ++k)
        if (__any_sync(whole_warp, counts.digit[k] != 0))
            total += static_cast<std::uint32_t>(__popc(transposed(counts.digit[k]))) << k;
    return total;
}

// Adds the counts of all threads of a block, which are first summed in its shared memory. All threads must call it.
__device__ inline void add_up(const Counts& of_thread, std::uint32_t (&shared)[32], unsigned long long* counts) {
    if (threadIdx.x < 32) shared[threadIdx.x] = 0;
    __syncthreads();
    const std::uint32_t total = warp_total(of_thread);
    if (total > 0) atomicAdd(&shared[threadIdx.x % 32], total);
    __syncthreads();
    if (threadIdx.x < 32 && shared[threadIdx.x] > 0) atomicAdd(counts + threadIdx.x, shared[threadIdx.x]);
    __syncthreads();
}

// The place of counts, [values][32] for each block of systems.
struct CountsAt {
    unsigned long long* counts;
    std::uint32_t of_block;

    __device__ unsigned long long* of(std::uint32_t block, std::size_t value) const {
        return counts + static_cast<std::size_t>(block) * of_block + 32 * value;
    }
};

// Largest number of words that a thread counts before it adds up, a multiple of eight.
inline constexpr std::uint32_t words_of_thread = 56, words_of_chunk = count_threads * words_of_thread;

__device__ inline Counts count_chunk(const std::uint32_t* words, std::uint32_t first, std::uint32_t end) {
    Counts counts;
    constexpr std::uint32_t at_once = 8;
    for (std::uint32_t i = first + threadIdx.x; i < end; i += at_once * count_threads) {
        std::uint32_t word[at_once];
#pragma unroll
        for (std::uint32_t k = 0; k < at_once; ++k) {
            const std::uint32_t at = i + k * count_threads;
            word[k] = at < end ? words[at] : 0;
        }
#pragma unroll
        for (std::uint32_t k = 0; k < at_once; k += 4) counts.add(word[k], word[k + 1], word[k + 2], word[k + 3]);
    }
    return counts;
}

// Clears bits in words first, first + step, ... before `end`.
__device__ inline void clear_bits(std::uint32_t* words, std::uint32_t bits, std::uint32_t first, std::uint32_t end,
                                  std::uint32_t step) {
    if (bits == ~0u)
        for (std::uint32_t i = first; i < end; i += step) words[i] = 0;
    else
        for (std::uint32_t i = first; i < end; i += step) words[i] &= ~bits;
}

// Counts the demons' levels. If demons are drawn next, rare levels are cleared. A rare level is then counted only if it
// is measured.
__global__ void __launch_bounds__(count_threads)
    count_demons(const __grid_constant__ DemonBlocks d, const __grid_constant__ CountsAt at, std::uint32_t chunks,
                 std::uint32_t of_chunk, bool measured, bool drawn, const __grid_constant__ DemonLevels levels) {
    __shared__ std::uint32_t shared[32];
    cuda::allow_next_launch();
    cuda::wait_for_previous_launch();
    const std::uint32_t block = blockIdx.x / chunks, chunk = blockIdx.x - block * chunks, level = blockIdx.y;
    const std::uint32_t first = chunk * of_chunk, end = min(d.sites, first + of_chunk);
    std::uint32_t* const words = d.words_of(block) + static_cast<std::size_t>(level + 1) * d.sites;
    const bool clear = drawn && levels.of(block, level).rare;
    if (measured || !clear) add_up(count_chunk(words, first, end), shared, at.of(block, level));
    if (clear) clear_bits(words, d.parts.bits_of(d.systems_of(block)), first + threadIdx.x, end, count_threads);
}

// Numbers of sites of a colour.
inline constexpr std::uint32_t sites_of_thread = 40, sites_of_chunk = count_threads * sites_of_thread;

// Counts spins up, and unequal bonds.
template <int Dimensions>
__global__ void __launch_bounds__(count_threads)
    count_spins(const __grid_constant__ DemonBlocks d, const __grid_constant__ CountsAt at, std::uint32_t chunks) {
    __shared__ std::uint32_t shared[32];
    cuda::allow_next_launch();
    cuda::wait_for_previous_launch();
    static_assert(sites_of_thread * 2 * Dimensions <= Counts::largest);
    const std::uint32_t block = blockIdx.x / chunks, chunk = blockIdx.x - block * chunks, half = d.sites / 2;
    const std::uint32_t first = chunk * sites_of_chunk, end = min(half, first + sites_of_chunk);
    const std::uint32_t* const even = d.words_of(block);
    Counts up, unequal;
    for (std::uint32_t i = first + threadIdx.x; i < end; i += count_threads) {
        const DemonSite site = demon_site(d.parts.packing, i);
        const Surroundings<Dimensions, 1> s =
            surroundings<Dimensions, 1, true>(d.parts, even + half, 0, site.row, site.column);
        const std::uint32_t own = even[i], same = s.same.word[0];
        up.add(own, same, 0, 0);
        unequal.add(own ^ same, own ^ s.shifted.word[0], own ^ s.across[0].word[0], own ^ s.across[1].word[0]);
        if constexpr (Dimensions == 3) unequal.add(own ^ s.across[2].word[0], own ^ s.across[3].word[0], 0, 0);
    }
    add_up(up, shared, at.of(block, MeasuredValues::magnetisation));
    add_up(unequal, shared, at.of(block, MeasuredValues::bonds));
}

// Counts unequal pairs of sites at distances 1 .. distances along an axis.
__global__ void __launch_bounds__(count_threads)
    count_pairs(const __grid_constant__ DemonBlocks d, const __grid_constant__ CountsAt at, std::uint32_t chunks,
                int axis, std::uint32_t distances) {
    __shared__ std::uint32_t shared[32];
    cuda::allow_next_launch();
    cuda::wait_for_previous_launch();
    const std::uint32_t block = blockIdx.x / chunks, chunk = blockIdx.x - block * chunks, half = d.sites / 2;
    const std::uint32_t first = chunk * words_of_chunk, end = min(d.sites, first + words_of_chunk);
    const std::uint32_t* const spins = d.words_of(block);
    for (std::uint32_t r = blockIdx.y + 1; r <= distances; r += gridDim.y) {
        Counts unequal;
        for (std::uint32_t i = first + threadIdx.x; i < end; i += count_threads) {
            const std::uint32_t colour = i < half ? 0 : 1;
            const DemonSite site = demon_site(d.parts.packing, i - (i < half ? 0 : half));
            unequal.add(spins[i] ^ spin_at_distance(d.parts, spins, colour, site, axis, r));
        }
        add_up(unequal, shared, at.of(block, r - 1));
    }
}

// Counts spins up in the planes (lines) of parts across the last axis.
__global__ void __launch_bounds__(count_threads)
    count_planes(const __grid_constant__ DemonBlocks d, const __grid_constant__ CountsAt at, std::uint32_t planes,
                 std::uint32_t chunks) {
    __shared__ std::uint32_t shared[32];
    cuda::allow_next_launch();
    cuda::wait_for_previous_launch();
    const std::uint32_t block = blockIdx.x / chunks, chunk = blockIdx.x - block * chunks, half = d.sites / 2;
    const std::uint32_t of_plane = half / planes;
    const std::uint32_t first = chunk * words_of_chunk, end = min(of_plane, first + words_of_chunk);
    for (std::uint32_t plane = blockIdx.y; plane < planes; plane += gridDim.y)
        for (std::uint32_t colour = 0; colour < 2; ++colour) {
            const std::uint32_t* const words =
                d.words_of(block) + (colour == 0 ? 0 : half) + static_cast<std::size_t>(plane) * of_plane;
            add_up(count_chunk(words, first, end), shared, at.of(block, plane));
        }
}

}  // namespace legato::ising
