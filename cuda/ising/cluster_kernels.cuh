// Sweeps of Swendsen and Wang's algorithm on a device, with the bits of the CPU (cpp/ising/cpu_clusters.hpp). A warp
// has a tile of a lattice: 32 rows of one piece (clusters.hpp), a lane for each row. A sweep has three launches:
// label_tiles() finds the clusters of each tile, join_tiles() connects them across the edges of tiles, and turn_tiles()
// turns clusters over.
#pragma once

#include <cstdint>

#include "ising/cluster_measurement.hpp"
#include "ising/cluster_tiles.hpp"
#include "ising/clusters.hpp"
#include "ising/measurement_kernels.cuh"

namespace legato::ising {

// What sweeps need of all systems.
struct DeviceClusters {
    Packing packing;
    Tiles tiles;
    bool has_field;
    const BondChance *chances, *chances_of_field;  // [systems]
    const Stream* streams;                         // [systems]
    std::uint32_t* spins;                          // [systems][2][words]
    std::uint32_t* occupied;                       // bonds of colour 0, [systems][words][directions]
    std::uint64_t* along;                          // BondsOf::along(), [systems][words]
    std::uint64_t* firsts;                         // sites that are the first of a cluster of a tile, [systems][words]
    std::uint16_t* labels;                         // first sites in the tile, [systems][tiles][32 rows][64]
    std::uint32_t* leads_to;                       // [systems][numbers of sites]; only that of `firsts` is used
    std::int32_t* magnetisations;                  // the same; of clusters
};

// One system, with pointers of its own.
template <int Dimensions>
struct ClusterSystem {
    static constexpr std::uint32_t neighbours = 2 * Dimensions;

    const DeviceClusters& d;
    std::size_t number;

    __device__ const Packing& packing() const { return d.packing; }
    __device__ std::size_t words() const { return d.packing.words(); }
    __device__ std::uint32_t* spins() const { return d.spins + number * 2 * words(); }
    __device__ std::uint32_t* occupied(std::uint32_t word) const {
        return d.occupied + (number * words() + word) * neighbours;
    }
    __device__ std::uint64_t& along(std::uint32_t word) const { return d.along[number * words() + word]; }
    __device__ std::uint64_t& firsts(std::uint32_t word) const { return d.firsts[number * words() + word]; }
    __device__ std::uint16_t* labels(std::uint32_t tile, std::uint32_t lane) const {
        return d.labels + ((number * d.tiles.count(d.packing) + tile) * 32 + lane) * sites_of_piece;
    }
    __device__ std::uint32_t* leads_to() const { return d.leads_to + number * numbers_of_sites(d.packing); }
    __device__ std::int32_t* magnetisations() const { return d.magnetisations + number * numbers_of_sites(d.packing); }
    __device__ BondsOf<Dimensions> bonds(std::int64_t sweep) const {
        return {d.packing,         spins(), d.chances[number], d.chances_of_field[number], d.has_field,
                d.streams[number], sweep};
    }
};

// A row of a tile.
struct TileRow {
    Place at;
    std::uint32_t word, y, z;  // y, z: in the tile
    bool is_there;             // false beyond the end of the lattice
};
__device__ inline TileRow row_of_tile(const Packing& p, const Tiles& tiles, std::uint32_t tile, std::uint32_t lane) {
    const std::uint32_t above = tile / p.width;
    TileRow row{};
    row.y = lane % tiles.rows_y;
    row.z = lane / tiles.rows_y;
    row.at.word = tile - above * p.width;
    row.at.y = above % tiles.along_y * tiles.rows_y + row.y;
    row.at.z = above / tiles.along_y * tiles.rows_z + row.z;
    row.at.row = row.at.z * p.rows_y + row.at.y;
    row.word = row.at.row * p.width + row.at.word;
    row.is_there = row.at.y < p.rows_y && row.at.z < p.rows_z;
    return row;
}
__device__ inline std::uint32_t tile_of(const Packing& p, const Tiles& tiles, const Place& at) {
    return (at.z / tiles.rows_z * tiles.along_y + at.y / tiles.rows_y) * p.width + at.word;
}
__device__ inline std::uint32_t lane_of(const Tiles& tiles, const Place& at) {
    return at.z % tiles.rows_z * tiles.rows_y + at.y % tiles.rows_y;
}

// Site x of row `lane` has the number 64 lane + x in its tile. Its place in shared memory keeps the same sites of
// different rows in different banks.
__device__ inline std::uint32_t in_banks(std::uint32_t site) {
    return (site & ~63u) | ((site + (site >> 6)) & 63);
}

// As ClusterSites, for sites of a tile in shared memory (Banks) and of a lattice in device memory.
template <bool Banks>
struct DeviceSites {
    volatile std::uint32_t* leads_to;

    __device__ volatile std::uint32_t& to(std::uint32_t site) const { return leads_to[Banks ? in_banks(site) : site]; }
    __device__ std::uint32_t first_of(std::uint32_t site) const {
        for (std::uint32_t next = to(site); next != site;) {
            const std::uint32_t after = to(next);
            if (after != next) to(site) = after;  // halves the way
            site = next;
            next = after;
        }
        return site;
    }
    __device__ void connect(std::uint32_t a, std::uint32_t b) const {
        for (;;) {
            a = first_of(a);
            b = first_of(b);
            if (a == b) return;
            if (a < b) {
                const std::uint32_t c = a;
                a = b;
                b = c;
            }
            if (atomicCAS(const_cast<std::uint32_t*>(&to(a)), a, b) == a) return;
        }
    }
};

__device__ inline std::uint64_t of_lane_after(std::uint64_t value, std::uint32_t lanes) {
    return __shfl_down_sync(~0u, static_cast<unsigned long long>(value), lanes);
}

template <class Visit>
__device__ void for_each_bit(std::uint64_t bits, const Visit& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(__ffsll(static_cast<long long>(bits)) - 1));
}

inline constexpr unsigned warps_of_tiles = 4;

// Draws the bonds of a tile, and finds its clusters.
template <int Dimensions>
__global__ void __launch_bounds__(32 * warps_of_tiles)
    label_tiles(const __grid_constant__ DeviceClusters d, std::int64_t sweep, bool is_measured) {
    __shared__ std::uint32_t leads_to[warps_of_tiles][32 * sites_of_piece];
    const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * warps_of_tiles + warp;
    const Packing& p = d.packing;
    if (tile >= d.tiles.count(p)) return;
    const ClusterSystem<Dimensions> system{d, blockIdx.y};
    const DeviceSites<true> sites{leads_to[warp]};
    const TileRow row = row_of_tile(p, d.tiles, tile, lane);
    const BondsOf<Dimensions> bonds = system.bonds(sweep);

    std::uint32_t occupied[2 * Dimensions] = {};
    std::uint64_t along = 0, all = 0;
    if (row.is_there) {
        bonds.candidates(row.word, row.at, occupied);
        for (std::uint32_t k = 0; k < 2 * Dimensions; ++k) {
            occupied[k] = occupied_bonds(bonds.chance, bonds.stream, row.word, sweep, k, occupied[k]);
            system.occupied(row.word)[k] = occupied[k];
        }
        along = bonds.along(row.at, occupied[0], occupied[1]);
        all = bonds.sites(row.at);
        system.along(row.word) = along;
    }
    const std::uint64_t starts = (~along | 1) & all;
    // Numbers beyond the end of the lattice are clusters of their own.
    for_each_bit(~along | 1, [&](std::uint32_t x) { sites.to(64 * lane + x) = 64 * lane + x; });
    __syncwarp();
    for (std::uint32_t axis = 1; axis < Dimensions; ++axis) {
        const std::uint32_t lanes = axis == 1 ? 1 : d.tiles.rows_y;
        const auto from_after = static_cast<std::uint32_t>(of_lane_after(occupied[2 * axis], lanes));
        const std::uint64_t along_after = of_lane_after(along, lanes);
        const bool has_after = axis == 1 ? row.y + 1 < d.tiles.rows_y && row.at.y + 1 < p.rows_y
                                         : row.z + 1 < d.tiles.rows_z && row.at.z + 1 < p.rows_z;
        if (!row.is_there || !has_after) continue;
        const std::uint64_t across = bonds.across(row.at, occupied[2 * axis + 1], from_after);
        for_each_bit(across & ~(across << 1 & along & along_after), [&](std::uint32_t x) {
            sites.connect(64 * lane + start_of_run(along, x), 64 * (lane + lanes) + start_of_run(along_after, x));
        });
    }
    __syncwarp();
    std::uint64_t firsts = 0;
    for_each_bit(starts, [&](std::uint32_t x) {
        const std::uint32_t first = sites.first_of(64 * lane + x);
        sites.to(64 * lane + x) = first;
        if (first != 64 * lane + x) return;
        firsts |= std::uint64_t{1} << x;
        system.leads_to()[site_number(row.word, x)] = site_number(row.word, x);
        if (is_measured) system.magnetisations()[site_number(row.word, x)] = 0;
    });
    if (row.is_there) system.firsts(row.word) = firsts;
    if (tile == 0 && lane == 0) {
        system.leads_to()[ghost_site] = ghost_site;
        system.magnetisations()[ghost_site] = 0;
    }
    __syncwarp();
    // Lanes have the sites of a row.
    for (std::uint32_t r = 0; r < 32; ++r) {
        const std::uint64_t of_row = __shfl_sync(~0u, static_cast<unsigned long long>(along), static_cast<int>(r));
        const auto label = [&](std::uint32_t x) { return sites.to(64 * r + start_of_run(of_row, x)); };
        reinterpret_cast<std::uint32_t*>(system.labels(tile, r))[lane] = label(2 * lane) | label(2 * lane + 1) << 16;
    }
}

// Returns the number of the first site of a cluster of a tile.
template <int Dimensions>
__device__ std::uint32_t first_in_tile(const ClusterSystem<Dimensions>& system, const Place& at, std::uint32_t x) {
    const Packing& p = system.packing();
    const Tiles& tiles = system.d.tiles;
    const std::uint32_t tile = tile_of(p, tiles, at), first = system.labels(tile, lane_of(tiles, at))[x];
    return site_number(row_of_tile(p, tiles, tile, first / sites_of_piece).word, first % sites_of_piece);
}

// Numbers of the warps of join_tiles() for bonds along x, along y and z, and with the ghost.
struct JoinWarps {
    std::uint32_t along, across_y, across_z, with_ghost;

    __host__ __device__ std::uint32_t count() const { return along + across_y + across_z + with_ghost; }
};
inline JoinWarps join_warps(const Packing& p, const Tiles& tiles, bool has_field) {
    const std::uint32_t words = (p.words() + 31) / 32;
    return {words, tiles.along_y * p.rows_z * p.width, p.cubic ? tiles.along_z * p.rows_y * p.width : 0,
            has_field ? words : 0};
}

// Connects two pieces across the last row or plane of a tile. A warp has the bonds.
template <int Dimensions>
__device__ void join_across(const ClusterSystem<Dimensions>& system, const DeviceSites<false>& sites,
                            std::uint32_t edge, std::uint32_t axis, std::uint32_t lane) {
    const Packing& p = system.packing();
    const Tiles& tiles = system.d.tiles;
    Place at{};
    at.word = edge % p.width;
    const std::uint32_t above = edge / p.width;
    if (axis == 1) {
        at.y = min((above % tiles.along_y + 1) * tiles.rows_y, p.rows_y) - 1;
        at.z = above / tiles.along_y;
    } else {
        at.y = above % p.rows_y;
        at.z = min((above / p.rows_y + 1) * tiles.rows_z, p.rows_z) - 1;
    }
    at.row = at.z * p.rows_y + at.y;
    const std::uint32_t word = at.row * p.width + at.word, after = piece_after(p, at, word, axis);
    const Place there = place_of(p, after);
    const BondsOf<Dimensions> bonds = system.bonds(0);
    const std::uint64_t across =
                            bonds.across(at, system.occupied(word)[2 * axis + 1], system.occupied(after)[2 * axis]),
                        single = across & ~(across << 1 & system.along(word) & system.along(after));
    for (std::uint32_t x = lane; x < sites_of_piece; x += 32)
        if ((single >> x & 1) != 0) sites.connect(first_in_tile(system, at, x), first_in_tile(system, there, x));
}

template <int Dimensions>
__global__ void __launch_bounds__(256)
    join_tiles(const __grid_constant__ DeviceClusters d, JoinWarps warps, std::int64_t sweep) {
    const Packing& p = d.packing;
    const ClusterSystem<Dimensions> system{d, blockIdx.y};
    const DeviceSites<false> sites{system.leads_to()};
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % 32;
    std::uint32_t warp = thread / 32;
    if (warp < warps.along) {
        const std::uint32_t word = thread;
        if (word >= p.words() || (system.along(word) & 1) == 0) return;
        const PiecePair pair = connected_pieces(p, place_of(p, word), word);
        const Place before = place_of(p, pair.before);
        sites.connect(first_in_tile(system, before, last_site(p, before.word)),
                      first_in_tile(system, place_of(p, pair.after), 0));
        return;
    }
    warp -= warps.along;
    if (warp < warps.across_y) return join_across(system, sites, warp, 1, lane);
    warp -= warps.across_y;
    if (warp < warps.across_z) return join_across(system, sites, warp, 2, lane);
    const std::uint32_t word = thread - 32 * (warps.along + warps.across_y + warps.across_z);
    if (warp - warps.across_z >= warps.with_ghost || word >= p.words()) return;
    const Place at = place_of(p, word);
    const std::uint64_t with_ghost = system.bonds(sweep).with_ghost(word, at);
    for_each_bit(with_ghost & ~(with_ghost << 1 & system.along(word)),
                 [&](std::uint32_t x) { sites.connect(first_in_tile(system, at, x), ghost_site); });
}

// Turns the clusters of a tile over.
template <int Dimensions>
__global__ void __launch_bounds__(32 * warps_of_tiles)
    turn_tiles(const __grid_constant__ DeviceClusters d, std::int64_t sweep) {
    __shared__ std::uint64_t turned_firsts[warps_of_tiles][32];
    const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * warps_of_tiles + warp;
    const Packing& p = d.packing;
    if (tile >= d.tiles.count(p)) return;
    const ClusterSystem<Dimensions> system{d, blockIdx.y};
    const DeviceSites<false> sites{system.leads_to()};
    const TileRow row = row_of_tile(p, d.tiles, tile, lane);
    const Stream stream = d.streams[blockIdx.y];
    std::uint64_t turned = 0;
    for_each_bit(row.is_there ? system.firsts(row.word) : 0, [&](std::uint32_t x) {
        const std::uint32_t number = site_number(row.word, x), first = sites.first_of(number);
        sites.to(number) = first;
        if (is_turned(stream, sweep, first)) turned |= std::uint64_t{1} << x;
    });
    turned_firsts[warp][lane] = turned;
    __syncwarp();
    // Lanes have the sites of a row.
    std::uint32_t even = 0, odd = 0;
    for (std::uint32_t r = 0; r < 32; ++r) {
        const std::uint32_t labels = reinterpret_cast<const std::uint32_t*>(system.labels(tile, r))[lane];
        const auto is_turned_here = [&](std::uint32_t label) {
            return static_cast<int>(turned_firsts[warp][label / 64] >> label % 64 & 1);
        };
        const std::uint32_t of_even = __ballot_sync(~0u, is_turned_here(labels & 0xffff)),
                            of_odd = __ballot_sync(~0u, is_turned_here(labels >> 16));
        if (lane == r) even = of_even, odd = of_odd;
    }
    if (!row.is_there) return;
    const std::uint32_t valid = valid_bits(p, row.at.word);
    std::uint32_t* const spins = system.spins() + row.word;
    const bool odd_row = is_odd(0, row.at.y, row.at.z);
    spins[0] ^= (odd_row ? odd : even) & valid;
    spins[p.words()] ^= (odd_row ? even : odd) & valid;
}

// Adds the magnetisations of the runs of a tile to those of their clusters. Clusters have been turned over.
template <int Dimensions>
__global__ void __launch_bounds__(32 * warps_of_tiles) add_magnetisations(const __grid_constant__ DeviceClusters d) {
    __shared__ std::int32_t sums[warps_of_tiles][32 * sites_of_piece];
    const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * warps_of_tiles + warp;
    const Packing& p = d.packing;
    if (tile >= d.tiles.count(p)) return;
    const ClusterSystem<Dimensions> system{d, blockIdx.y};
    const TileRow row = row_of_tile(p, d.tiles, tile, lane);
    const std::uint64_t firsts = row.is_there ? system.firsts(row.word) : 0;
    for_each_bit(firsts, [&](std::uint32_t x) { sums[warp][in_banks(64 * lane + x)] = 0; });
    __syncwarp();
    if (row.is_there) {
        const BondsOf<Dimensions> bonds = system.bonds(0);
        const std::uint64_t all = bonds.sites(row.at), up = bonds.up(row.word, row.at);
        const std::uint16_t* const labels = system.labels(tile, lane);
        for (std::uint64_t starts = (~system.along(row.word) | 1) & all; starts != 0;) {
            const std::uint64_t start = starts & (~starts + 1);
            starts ^= start;
            const std::uint64_t run = ((starts & (~starts + 1)) - start) & all;
            const std::uint32_t first = labels[__ffsll(static_cast<long long>(start)) - 1];
            atomicAdd(&sums[warp][in_banks(first)],
                      2 * __popcll(static_cast<long long>(run & up)) - __popcll(static_cast<long long>(run)));
        }
    }
    __syncwarp();
    for_each_bit(firsts, [&](std::uint32_t x) {
        const std::int32_t sum = sums[warp][in_banks(64 * lane + x)];
        if (sum != 0) atomicAdd(&system.magnetisations()[system.leads_to()[site_number(row.word, x)]], sum);
    });
}

// Adds the sums over clusters to the values of a measurement, [systems][values].
template <int Dimensions>
__global__ void __launch_bounds__(256) measure_clusters(const __grid_constant__ DeviceClusters d, std::size_t values,
                                                        std::size_t clusters, std::int64_t* measured) {
    const ClusterSystem<Dimensions> system{d, blockIdx.y};
    const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
    ClusterSums sums;
    if (word == 0) sums.add_ghost(system.magnetisations()[ghost_site]);
    for_each_bit(word < d.packing.words() ? system.firsts(word) : 0, [&](std::uint32_t x) {
        const std::uint32_t site = site_number(word, x);
        if (system.leads_to()[site] == site) sums.add(system.magnetisations()[site]);
    });
    std::int64_t* const to = measured + blockIdx.y * values + clusters;
    for (std::size_t i = 0; i < ClusterSums::count; ++i) {
        long long sum = sums[i];
        for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
        if (threadIdx.x % 32 == 0 && sum != 0) add(to + i, sum);
    }
}

}  // namespace legato::ising
