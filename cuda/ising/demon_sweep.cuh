// The microcanonical sweep with demons (ising/demon_step.hpp): a colour of the checkerboard at a time.
//
// Memory traffic: the spin and the three levels of the demon of every site take 16 bytes to read and 16 to write. The
// spins of the other colour are read once more for each colour, in all 4 bytes for a site if they fit into no cache.
// The minimum is therefore 32 bytes for a site and sweep, or 36 if the lattice is larger than the L2 cache. A block of
// threads takes a tile of rows, so that most of the neighbours in other rows are in the L1 cache.
#pragma once

#include "core/dependent_launch.cuh"
#include "ising/demon_step.hpp"

namespace legato::ising {

// Adjacent words that are loaded and stored together.
template <int Width>
struct alignas(4 * Width) WordRun {
    std::uint32_t word[Width];
};

template <int Width>
__device__ WordRun<Width> load(const std::uint32_t* from) {
    return *reinterpret_cast<const WordRun<Width>*>(from);
}
template <int Width>
__device__ void store(std::uint32_t* to, const WordRun<Width>& run) {
    *reinterpret_cast<WordRun<Width>*>(to) = run;
}

// Returns the run with words i and i ^ within exchanged.
template <int Width>
__device__ WordRun<Width> exchanged(WordRun<Width> run, std::uint32_t within) {
#pragma unroll
    for (int distance = 1; distance < Width; distance *= 2) {
        const std::uint32_t changed = (within & distance) != 0 ? ~0u : 0u;
#pragma unroll
        for (int i = 0; i < Width; ++i) {
            if ((i & distance) != 0) continue;
            const std::uint32_t unlike = (run.word[i] ^ run.word[i ^ distance]) & changed;
            run.word[i] ^= unlike;
            run.word[i ^ distance] ^= unlike;
        }
    }
    return run;
}

// The neighbours of a run: those along its row with the same number (`same`) and with a different one (`shifted`), and
// those in other rows (`across`).
template <int Dimensions, int Width>
struct Surroundings {
    WordRun<Width> same, shifted, across[2 * Dimensions - 2];
};

// Returns the neighbours of the run of sites that begins at a column of a row. `other`: the other colour's spins.
// `Divided` is true if a lattice has several parts, which takes registers.
template <int Dimensions, int Width, bool Divided>
__device__ Surroundings<Dimensions, Width> surroundings(const Parts& parts, const std::uint32_t* other,
                                                        std::uint32_t colour, std::uint32_t row, std::uint32_t column) {
    const Packing& p = parts.packing;
    const RowNeighbours around = row_neighbours(parts, colour, row);
    const std::uint32_t* const here = other + row * p.bits;
    Surroundings<Dimensions, Width> s;
    s.same = load<Width>(here + column);
#pragma unroll
    for (int k = 0; k < 2 * Dimensions - 2; ++k) {
        s.across[k] = load<Width>(other + around.row[k] * p.bits + column);
        if (Divided && around.rotates[k]) {
            const PartShift& face_shift = across_face(parts, k);
#pragma unroll
            for (int i = 0; i < Width; ++i) s.across[k].word[i] = face_shift.rotated(s.across[k].word[i]);
        }
#pragma unroll
        for (int i = 0; i < Width; ++i) s.across[k].word[i] ^= around.flip[k];
    }
    const bool wraps = around.odd ? column + Width == p.bits : column == 0;
    const std::uint32_t next = around.odd ? (wraps ? 0 : column + Width) : (wraps ? p.bits : column) - 1;
    std::uint32_t beyond = here[next];
    if constexpr (Divided) {
        if (wraps) beyond = (around.odd ? parts.next[0] : parts.previous[0])(beyond);
    } else {
        beyond ^= wraps && p.flip_x ? ~0u : 0u;
    }
#pragma unroll
    for (int i = 0; i < Width; ++i) {
        const std::uint32_t after = i + 1 < Width ? s.same.word[i + 1 < Width ? i + 1 : 0] : beyond;
        const std::uint32_t before = i > 0 ? s.same.word[i > 0 ? i - 1 : 0] : beyond;
        s.shifted.word[i] = around.odd ? after : before;
    }
    return s;
}

// Updates a run of sites. `words` are those of a block: spins [2][sites / 2], demons [3][sites], sites of a part.
template <int Dimensions, int Width, bool Divided>
__device__ void exchange_run(const Parts& parts, std::uint32_t sites, std::uint32_t* words, const DemonMoves& moves,
                             std::uint32_t colour, std::uint32_t row, std::uint32_t column) {
    const std::uint32_t half = sites / 2, index = row * parts.packing.bits + column;
    std::uint32_t* const own = words + (colour == 0 ? 0 : half) + index;
    // Spins are loaded first, because the place of the demons is known later.
    WordRun<Width> spins = load<Width>(own), level[demon_levels];
    const Surroundings<Dimensions, Width> s =
        surroundings<Dimensions, Width, Divided>(parts, words + (colour == 0 ? half : 0), colour, row, column);
    // The demons of a run are a run, too, whose members have changed places.
    std::uint32_t* const demons =
        words + sites + (demon_of(moves, (colour == 0 ? 0 : half) + index, sites) & ~(Width - 1u));
#pragma unroll
    for (int l = 0; l < demon_levels; ++l)
        level[l] = exchanged(load<Width>(demons + static_cast<std::size_t>(l) * sites), moves.within);
    const std::uint32_t resting = moves.resting_site[colour] - index;
#pragma unroll
    for (int i = 0; i < Width; ++i) {
        std::uint32_t spin = spins.word[i], unequal[2 * Dimensions];
        unequal[0] = spin ^ s.same.word[i];
        unequal[1] = spin ^ s.shifted.word[i];
#pragma unroll
        for (int k = 0; k < 2 * Dimensions - 2; ++k) unequal[2 + k] = spin ^ s.across[k].word[i];
        Demon demon{{level[0].word[i], level[1].word[i], level[2].word[i]}};
        exchange_energy<Dimensions>(spin, demon, unequal);
        if constexpr (Divided) {
            const std::uint32_t rest = resting == i ? moves.resting_bits[colour] : 0;
            spin = chosen(rest, spins.word[i], spin);
#pragma unroll
            for (int l = 0; l < demon_levels; ++l)
                demon.level[l] = moves.part_shift.rotated(chosen(rest, level[l].word[i], demon.level[l]));
        } else {
            if (resting == i) continue;
        }
        spins.word[i] = spin;
#pragma unroll
        for (int l = 0; l < demon_levels; ++l) level[l].word[i] = demon.level[l];
    }
    store(own, spins);
#pragma unroll
    for (int l = 0; l < demon_levels; ++l)
        store(demons + static_cast<std::size_t>(l) * sites, exchanged(level[l], moves.within));
}

// Data that the kernels share.
struct DemonBlocks {
    Parts parts;
    std::uint32_t sites, sites_of_system;  // sites of a part; sites of a lattice
    std::uint32_t blocks;
    // Replicas of each temperature and seed. Systems of a full block without surplus.
    std::uint32_t replicas, systems, blocks_per_seed;
    std::uint32_t first_block;  // number in the run of block 0
    std::uint32_t* words;       // [blocks][4 sites]
    const Stream* streams;      // [blocks]

    // Returns the number of systems of a block without surplus.
    __device__ std::uint32_t systems_of(std::uint32_t block) const {
        return min(systems, replicas - (first_block + block) % blocks_per_seed * systems);
    }

    __device__ std::uint32_t* words_of(std::uint32_t block) const {
        return words + static_cast<std::size_t>(block) * 4 * sites;
    }
};

inline constexpr int sweep_threads = 256;

// The tile of a block of systems that a block of threads takes: rows of 2^log_columns runs.
struct Tiling {
    int log_columns;
    std::uint32_t across, tiles;  // tiles of a row; all tiles

    Tiling(const Packing& p, int width) {
        const std::uint32_t runs = p.bits / static_cast<std::uint32_t>(width);
        log_columns = 0;
        while (log_columns < 5 && (1u << log_columns) < runs) ++log_columns;
        across = (runs + (1u << log_columns) - 1) >> log_columns;
        const std::uint32_t rows = sweep_threads >> log_columns;
        tiles = across * ((p.rows() + rows - 1) / rows);
    }
};

template <int Dimensions, int Width, bool Divided>
__global__ void __launch_bounds__(sweep_threads)
    exchange_energies(const __grid_constant__ DemonBlocks d, const __grid_constant__ Tiling tiling,
                      std::uint32_t colour, std::int64_t sweep) {
    __shared__ DemonMoves moves;
    const std::uint32_t block = blockIdx.x / tiling.tiles, tile = blockIdx.x - block * tiling.tiles;
    const std::uint32_t tile_row = tile / tiling.across, tile_column = tile - tile_row * tiling.across;
    const std::uint32_t in_row = threadIdx.x & ((1u << tiling.log_columns) - 1);
    const std::uint32_t column = ((tile_column << tiling.log_columns) + in_row) * Width;
    const std::uint32_t row = tile_row * (sweep_threads >> tiling.log_columns) + (threadIdx.x >> tiling.log_columns);
    cuda::allow_next_launch();
    if (threadIdx.x == 0) moves = demon_moves(d.streams[block], sweep, d.parts);
    cuda::wait_for_previous_launch();
    __syncthreads();
    if (column >= d.parts.packing.bits || row >= d.parts.packing.rows()) return;
    exchange_run<Dimensions, Width, Divided>(d.parts, d.sites, d.words_of(block), moves, colour, row, column);
}

}  // namespace legato::ising
