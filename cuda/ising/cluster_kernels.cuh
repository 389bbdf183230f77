// Sweeps of Swendsen and Wang's algorithm on a device, with the bits of the CPU (cpp/ising/cpu_clusters.hpp). A warp
// has a tile of a lattice: 32 rows of one piece (clusters.hpp), a lane for each row. A sweep has three launches:
// label_tiles() finds the clusters of each tile, join_tiles() connects them across the edges of tiles, and turn_tiles()
// turns clusters over. Magnetisations are those before clusters are turned over. This changes nothing: only even powers
// are measured, and the cluster with the ghost is not turned over.
#pragma once

#include <cstdint>

#include "ising/cluster_measurement.hpp"
#include "ising/cluster_tiles.hpp"
#include "ising/clusters.hpp"
#include "ising/measurement_kernels.cuh"

namespace legato::ising {

// What sweeps need of all systems.
struct DeviceClusters {
    std::size_t first;  // system of a launch
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

__device__ inline std::uint32_t lowest_bit(std::uint64_t bits) {
    return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(bits)) - 1);
}
__device__ inline std::uint64_t of_lane(std::uint64_t value, std::uint32_t lane) {
    return __shfl_sync(~0u, static_cast<unsigned long long>(value), static_cast<int>(lane));
}
__device__ inline std::uint64_t of_lane_after(std::uint64_t value, std::uint32_t lanes) {
    return __shfl_down_sync(~0u, static_cast<unsigned long long>(value), lanes);
}

// As ClusterSites, for sites in shared memory (numbers of 16 bits) or in device memory (32 bits). All lanes of a warp
// make each step together. With a separate loop for each lane, a sweep took four times as many instructions.
template <class Number>
struct DeviceSites {
    volatile Number* leads_to;

    __device__ volatile Number& to(std::uint32_t site) const { return leads_to[site]; }

    // A step of M. Rem's algorithm (E. W. Dijkstra, A Discipline of Programming, 1976, chapter 23) towards connecting
    // two sites. Returns whether they are connected. The higher one of the sites that they lead to is replaced by the
    // lower one, and remains to be connected. Only what is still there may be replaced: a plain store loses
    // connections.
    __device__ bool connect_step(std::uint32_t& a, std::uint32_t& b) const {
        const std::uint32_t to_a = to(a), to_b = to(b), high = max(to_a, to_b), low = min(to_a, to_b);
        if (high == low) return true;
        const bool a_is_higher = to_a > to_b;
        const std::uint32_t site = a_is_higher ? a : b;
        if (!replace(site, high, low)) return false;
        (a_is_higher ? a : b) = high;
        return high == site;
    }
    // Connects two sites of each lane for which this is wanted.
    __device__ void connect(bool wanted, std::uint32_t a, std::uint32_t b) const {
        while (__any_sync(~0u, wanted))
            if (wanted) wanted = !connect_step(a, b);
    }
    // Connects the two sites that ends(bit) returns for each bit of a lane.
    template <class Ends>
    __device__ void connect_all(std::uint64_t bits, const Ends& ends) const {
        uint2 next{};
        for (bool is_open = false; __any_sync(~0u, is_open || bits != 0);) {
            if (!is_open && bits != 0) {
                next = ends(lowest_bit(bits));
                bits &= bits - 1;
                is_open = true;
            }
            if (is_open) is_open = !connect_step(next.x, next.y);
        }
    }
    // Returns the first sites of the clusters of sites, once all are connected. All lanes of a warp call this.
    __device__ std::uint32_t first_of(bool wanted, std::uint32_t site) const {
        std::uint32_t next = wanted ? to(site) : site;
        while (__any_sync(~0u, next != site))
            if (next != site) {
                site = next;
                next = to(site);
            }
        return site;
    }

  private:
    // Replaces what a site leads to. Returns whether it led to `from`.
    __device__ bool replace(std::uint32_t site, std::uint32_t from, std::uint32_t by) const {
        auto* const numbers = const_cast<Number*>(leads_to);
        if constexpr (sizeof(Number) == sizeof(from)) {
            return atomicCAS(numbers + site, from, by) == from;
        } else {
            std::uint32_t* const word = reinterpret_cast<std::uint32_t*>(numbers) + site / 2;
            const std::uint32_t both = *const_cast<volatile std::uint32_t*>(word), shift = 16 * (site % 2);
            return (both >> shift & 0xffff) == from && atomicCAS(word, both, both ^ (from ^ by) << shift) == both;
        }
    }
};

// Calls visit(bit) for the bits of each lane. All lanes of a warp call this.
template <class Visit>
__device__ void for_each_bit(std::uint64_t bits, const Visit& visit) {
    for (; __any_sync(~0u, bits != 0); bits &= bits - 1)
        if (bits != 0) visit(lowest_bit(bits));
}
// Calls visit(whether there is a run, its start, its sites) for the runs of each lane. All lanes of a warp call this,
// and are there in each visit.
template <class Visit>
__device__ void for_each_run(std::uint64_t along, std::uint64_t sites, const Visit& visit) {
    for (std::uint64_t starts = (~along | 1) & sites; __any_sync(~0u, starts != 0);) {
        const std::uint64_t later = starts & (starts - 1), end = later & (~later + 1);
        visit(starts != 0, lowest_bit(starts | std::uint64_t{1} << 63), (end - (starts & (~starts + 1))) & sites);
        starts = later;
    }
}

// Magnetisations of clusters in shared memory. Two share a word, the second one multiplied by 2^16. Together their
// absolute values are at most 2^15, which tells 2^15 from -2^15; the sign of the second one is lost if it is 2^15.
struct PairedSums {
    std::uint32_t* words;

    __device__ void add(std::uint32_t site, std::int32_t sum) const {
        atomicAdd(&words[site / 2], static_cast<std::uint32_t>(sum) << 16 * (site % 2));
    }
    __device__ std::int32_t operator[](std::uint32_t site) const {
        const std::uint32_t both = words[site / 2];
        const std::int32_t first = static_cast<std::int16_t>(both),
                           second = static_cast<std::int32_t>(both - static_cast<std::uint32_t>(first)) >> 16;
        const bool is_all = first == -32768 && second == 1;
        return site % 2 == 0 ? (is_all ? 32768 : first) : (is_all ? 0 : second);
    }
};
__device__ inline std::int32_t magnetisation_of(std::uint64_t sites, std::uint64_t up) {
    return 2 * __popcll(static_cast<long long>(sites & up)) - __popcll(static_cast<long long>(sites));
}

// Site x of row r has the number tile_stride r + x in a tile. Numbers of 16 bits of the same sites of all rows are in
// different banks of shared memory.
inline constexpr std::uint32_t tile_stride = sites_of_piece + 2, numbers_of_tile = 32 * tile_stride;
inline constexpr unsigned warps_of_tiles = 4;

// Writes the labels of a tile, whose sites are connected. Returns the first sites of clusters in the row of each lane.
// A lane has two sites of a row, one row after the other. Sites of earlier rows already lead to the first site of their
// cluster, so that the loop is short.
template <int Dimensions>
__device__ std::uint64_t label_rows(const ClusterSystem<Dimensions>& system, const DeviceSites<std::uint16_t>& sites,
                                    std::uint32_t tile, const TileRow& row, std::uint64_t along) {
    const std::uint32_t lane = threadIdx.x % 32;
    std::uint32_t* const labels = reinterpret_cast<std::uint32_t*>(system.labels(tile, 0)) + lane;
    std::uint32_t even = 0, odd = 0;
    for (std::uint32_t r = 0; r < 32; ++r) {
        const std::uint64_t of_row = of_lane(along, r);
        const std::uint32_t word = __shfl_sync(~0u, row.word, static_cast<int>(r)), x = tile_stride * r + 2 * lane,
                            start = tile_stride * r + start_of_run(of_row, 2 * lane),
                            next_start = (of_row >> (2 * lane + 1) & 1) != 0 ? start : x + 1;
        std::uint32_t first = sites.to(start), next_first = sites.to(next_start);
        for (bool is_open = true; __any_sync(~0u, is_open);) {
            const std::uint32_t after = sites.to(first), next_after = sites.to(next_first);
            is_open = after != first || next_after != next_first;
            first = after;
            next_first = next_after;
        }
        __syncwarp();
        sites.to(start) = static_cast<std::uint16_t>(first);
        sites.to(next_start) = static_cast<std::uint16_t>(next_first);
        labels[32 * r] = first | next_first << 16;
        const bool is_there = __shfl_sync(~0u, row.is_there, static_cast<int>(r));
        const std::uint32_t site = site_number(word, 2 * lane);
        if (is_there && first == x) system.leads_to()[site] = site;
        if (is_there && next_first == x + 1) system.leads_to()[site + 1] = site + 1;
        const std::uint32_t of_even = __ballot_sync(~0u, first == x), of_odd = __ballot_sync(~0u, next_first == x + 1);
        if (lane == r) even = of_even, odd = of_odd;
        __syncwarp();
    }
    return spread(even) | spread(odd) << 1;
}

// The bonds between a piece and the one after it along y or z. Bonds that add no connection are left out.
struct BondsAcross {
    std::uint64_t along, along_after, all;

    __device__ BondsAcross(std::uint64_t along, std::uint64_t along_after, std::uint64_t across)
        : along(along), along_after(along_after), all(across & ~(across << 1 & along & along_after)) {}

    // The first bond of each run of the piece after; a carry runs through the sites after it.
    __device__ std::uint64_t first() const {
        const std::uint64_t inside = along_after & ~std::uint64_t{1}, after = all << 1 & inside;
        return all & ~(inside & (~(inside + after) | after));
    }
    // Returns the sites of a bond. The arguments are the numbers of the first sites of both pieces.
    __device__ uint2 ends(std::uint32_t here, std::uint32_t there, std::uint32_t x) const {
        return {here + start_of_run(along, x), there + start_of_run(along_after, x)};
    }
    // Links each run of the piece after, which leads to itself so far, to the first run that it is connected to. No
    // other thread changes these runs meanwhile, so that nothing has to be waited for.
    __device__ void link_first(const DeviceSites<std::uint16_t>& sites, bool wanted, std::uint32_t here,
                               std::uint32_t there) const {
        for_each_bit(wanted ? first() : 0, [&](std::uint32_t x) {
            const uint2 bond = ends(here, there, x);
            sites.to(bond.y) = static_cast<std::uint16_t>(bond.x);
        });
    }
};

// Writes the magnetisations of the clusters of a tile, whose labels are known.
template <int Dimensions>
__device__ void add_runs(const ClusterSystem<Dimensions>& system, const DeviceSites<std::uint16_t>& sites,
                         const PairedSums& sums, const TileRow& row, std::uint64_t along, std::uint64_t up,
                         std::uint64_t all, std::uint64_t firsts) {
    const std::uint32_t lane = threadIdx.x % 32;
    for (std::uint32_t i = lane; i < numbers_of_tile / 2; i += 32) sums.words[i] = 0;
    __syncwarp();
    for_each_run(along, all, [&](bool is_there, std::uint32_t x, std::uint64_t run) {
        if (is_there) sums.add(sites.to(tile_stride * lane + x), magnetisation_of(run, up));
    });
    __syncwarp();
    for_each_bit(firsts, [&](std::uint32_t x) {
        system.magnetisations()[site_number(row.word, x)] = sums[tile_stride * lane + x];
    });
}

// Draws the bonds of a tile, finds its clusters, and computes their magnetisations before they are turned over.
template <int Dimensions, bool Measured>
__global__ void __launch_bounds__(32 * warps_of_tiles)
    label_tiles(const __grid_constant__ DeviceClusters d, std::int64_t sweep) {
    __shared__ std::uint32_t leads_to[warps_of_tiles][numbers_of_tile / 2];
    __shared__ std::uint32_t sums[warps_of_tiles][Measured ? numbers_of_tile / 2 : 1];
    const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * warps_of_tiles + warp;
    const Packing& p = d.packing;
    if (tile >= d.tiles.count(p)) return;
    const ClusterSystem<Dimensions> system{d, d.first + blockIdx.y};
    const DeviceSites<std::uint16_t> sites{reinterpret_cast<std::uint16_t*>(leads_to[warp])};
    const TileRow row = row_of_tile(p, d.tiles, tile, lane);
    const BondsOf<Dimensions> bonds = system.bonds(sweep);
    for (std::uint32_t i = lane; i < numbers_of_tile / 2; i += 32) leads_to[warp][i] = 0x10000 * (2 * i + 1) + 2 * i;

    std::uint32_t occupied[2 * Dimensions] = {};
    std::uint64_t along = 0, all = 0, up = 0;
    if (row.is_there) {
        bonds.candidates(row.word, row.at, occupied);
        for (std::uint32_t k = 0; k < 2 * Dimensions; ++k) {
            occupied[k] = occupied_bonds(bonds.chance, bonds.stream, row.word, sweep, k, occupied[k]);
            system.occupied(row.word)[k] = occupied[k];
        }
        along = bonds.along(row.at, occupied[0], occupied[1]);
        all = bonds.sites(row.at);
        if (Measured) up = bonds.up(row.word, row.at);
        system.along(row.word) = along;
    }
    __syncwarp();
#pragma unroll
    for (std::uint32_t axis = 1; axis < Dimensions; ++axis) {
        const std::uint32_t lanes = axis == 1 ? 1 : d.tiles.rows_y;
        const auto from_after = static_cast<std::uint32_t>(of_lane_after(occupied[2 * axis], lanes));
        const std::uint64_t along_after = of_lane_after(along, lanes);
        const bool has_after = axis == 1 ? row.y + 1 < d.tiles.rows_y && row.at.y + 1 < p.rows_y
                                         : row.z + 1 < d.tiles.rows_z && row.at.z + 1 < p.rows_z;
        const std::uint32_t here = tile_stride * lane, there = tile_stride * (lane + lanes);
        const BondsAcross across(
            along, along_after,
            row.is_there && has_after ? bonds.across(row.at, occupied[2 * axis + 1], from_after) : 0);
        const bool has_links = axis == 1;
        across.link_first(sites, has_links, here, there);
        __syncwarp();
        sites.connect_all(has_links ? across.all & ~across.first() : across.all,
                          [&](std::uint32_t x) { return across.ends(here, there, x); });
        __syncwarp();
    }
    const std::uint64_t firsts = label_rows(system, sites, tile, row, along) & all;
    if (row.is_there) system.firsts(row.word) = firsts;
    if (Measured) add_runs(system, sites, PairedSums{sums[warp]}, row, along, up, all, firsts);
    if (tile == 0 && lane == 0) {
        system.leads_to()[ghost_site] = ghost_site;
        system.magnetisations()[ghost_site] = 0;
    }
}

// Returns the number of the first site of a cluster of a tile.
template <int Dimensions>
__device__ std::uint32_t first_in_tile(const ClusterSystem<Dimensions>& system, const Place& at, std::uint32_t x) {
    const Packing& p = system.packing();
    const Tiles& tiles = system.d.tiles;
    const std::uint32_t tile = tile_of(p, tiles, at), first = system.labels(tile, lane_of(tiles, at))[x];
    return site_number(row_of_tile(p, tiles, tile, first / tile_stride).word, first % tile_stride);
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
__device__ void join_across(const ClusterSystem<Dimensions>& system, const DeviceSites<std::uint32_t>& sites,
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
    const BondsAcross across(system.along(word), system.along(after),
                             bonds.across(at, system.occupied(word)[2 * axis + 1], system.occupied(after)[2 * axis]));
    for (std::uint32_t x = lane; x < sites_of_piece; x += 32) {
        const bool wanted = (across.all >> x & 1) != 0;
        sites.connect(wanted, wanted ? first_in_tile(system, at, x) : 0, wanted ? first_in_tile(system, there, x) : 0);
    }
}

template <int Dimensions>
__global__ void __launch_bounds__(256)
    join_tiles(const __grid_constant__ DeviceClusters d, JoinWarps warps, std::int64_t sweep) {
    const Packing& p = d.packing;
    const ClusterSystem<Dimensions> system{d, d.first + blockIdx.y};
    const DeviceSites<std::uint32_t> sites{system.leads_to()};
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % 32;
    std::uint32_t warp = thread / 32;
    if (warp < warps.along) {
        const std::uint32_t word = min(thread, p.words() - 1);
        const bool wanted = thread < p.words() && (system.along(word) & 1) != 0;
        const PiecePair pair = connected_pieces(p, place_of(p, word), word);
        const Place before = place_of(p, pair.before);
        sites.connect(wanted, wanted ? first_in_tile(system, before, last_site(p, before.word)) : 0,
                      wanted ? first_in_tile(system, place_of(p, pair.after), 0) : 0);
        return;
    }
    warp -= warps.along;
    if (warp < warps.across_y) return join_across(system, sites, warp, 1, lane);
    warp -= warps.across_y;
    if (warp < warps.across_z) return join_across(system, sites, warp, 2, lane);
    if (warp - warps.across_z >= warps.with_ghost) return;
    const std::uint32_t number = thread - 32 * (warps.along + warps.across_y + warps.across_z),
                        word = min(number, p.words() - 1);
    const Place at = place_of(p, word);
    const std::uint64_t with_ghost = number < p.words() ? system.bonds(sweep).with_ghost(word, at) : 0;
    sites.connect_all(with_ghost & ~(with_ghost << 1 & system.along(word)), [&](std::uint32_t x) {
        return uint2{first_in_tile(system, at, x), ghost_site};
    });
}

// Sums of the magnetisations of some clusters of a lattice, found by their first sites. A warp adds to the lattice's
// once for each of them: very many clusters of tiles belong to the largest one.
struct SumsOfWarp {
    static constexpr std::uint32_t count = 64, free = ~0u;
    std::uint32_t firsts[count];
    std::int32_t sums[count];

    __device__ void clear(std::uint32_t lane) {
        for (std::uint32_t i = lane; i < count; i += 32) firsts[i] = free, sums[i] = 0;
    }
    __device__ void add(std::uint32_t first, std::int32_t sum, std::int32_t* of_lattice) {
        const std::uint32_t i = (first ^ first / count) % count, before = atomicCAS(&firsts[i], free, first);
        if (before == free || before == first)
            atomicAdd(&sums[i], sum);
        else
            atomicAdd(&of_lattice[first], sum);
    }
    __device__ void add_to(std::int32_t* of_lattice, std::uint32_t lane) const {
        for (std::uint32_t i = lane; i < count; i += 32)
            if (sums[i] != 0) atomicAdd(&of_lattice[firsts[i]], sums[i]);
    }
};

// Finds the first site in the lattice for each first site of a tile, and decides whether it is turned over: a bit of
// `turned` with the number in the tile. Each lane has as many sites as others; `list` has space for all of a tile. If
// this is a measurement, adds the magnetisations of the clusters of the tile to those of the lattice, and leaves only
// sites that are the first in the lattice in `firsts`.
template <bool Measured, int Dimensions>
__device__ void turn_firsts(const ClusterSystem<Dimensions>& system, const TileRow& row, std::uint16_t* list,
                            std::uint32_t* turned, std::uint32_t* roots, SumsOfWarp& sums, std::int64_t sweep) {
    const DeviceSites<std::uint32_t> sites{system.leads_to()};
    const Stream stream = system.d.streams[system.number];
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint64_t firsts = row.is_there ? system.firsts(row.word) : 0;
    const auto own = static_cast<std::uint32_t>(__popcll(static_cast<long long>(firsts)));
    std::uint32_t end = own;  // of the sites of the lanes up to this one
    for (std::uint32_t lanes = 1; lanes < 32; lanes *= 2) {
        const std::uint32_t before = __shfl_up_sync(~0u, end, lanes);
        if (lane >= lanes) end += before;
    }
    std::uint16_t* to = list + end - own;
    for_each_bit(firsts, [&](std::uint32_t x) { *to++ = static_cast<std::uint16_t>(sites_of_piece * lane + x); });
    for (std::uint32_t i = lane; i < numbers_of_tile / 32; i += 32) turned[i] = 0;
    if (Measured) {
        roots[lane] = roots[lane + 32] = 0;
        sums.clear(lane);
    }
    __syncwarp();
    const std::uint32_t count = __shfl_sync(~0u, end, 31);
    for (std::uint32_t i = lane; i - lane < count; i += 32) {
        const bool is_there = i < count;
        const std::uint32_t site = is_there ? list[i] : 0, r = site / sites_of_piece,
                            word = __shfl_sync(~0u, row.word, static_cast<int>(r)),
                            number = site_number(word, site % sites_of_piece), first = sites.first_of(is_there, number),
                            in_tile = site + r * (tile_stride - sites_of_piece);
        if (!is_there) continue;
        if (is_turned(stream, sweep, first)) atomicOr(&turned[in_tile / 32], 1u << in_tile % 32);
        if (!Measured) continue;
        if (first == number)
            atomicOr(&roots[site / 32], 1u << site % 32);
        else
            sums.add(first, system.magnetisations()[number], system.magnetisations());
    }
    __syncwarp();
    if (!Measured) return;
    sums.add_to(system.magnetisations(), lane);
    if (row.is_there) system.firsts(row.word) = roots[2 * lane] | std::uint64_t{roots[2 * lane + 1]} << 32;
}

// Turns the clusters of a tile over.
template <int Dimensions, bool Measured>
__global__ void __launch_bounds__(32 * warps_of_tiles)
    turn_tiles(const __grid_constant__ DeviceClusters d, std::int64_t sweep) {
    __shared__ std::uint16_t lists[warps_of_tiles][32 * sites_of_piece];
    __shared__ std::uint32_t turned_firsts[warps_of_tiles][numbers_of_tile / 32], roots[warps_of_tiles][2 * 32];
    __shared__ SumsOfWarp sums[warps_of_tiles];
    const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * warps_of_tiles + warp;
    const Packing& p = d.packing;
    if (tile >= d.tiles.count(p)) return;
    const ClusterSystem<Dimensions> system{d, d.first + blockIdx.y};
    const TileRow row = row_of_tile(p, d.tiles, tile, lane);
    turn_firsts<Measured>(system, row, lists[warp], turned_firsts[warp], roots[warp], sums[warp], sweep);
    // Lanes have the sites of a row.
    const auto* const labels = reinterpret_cast<const std::uint32_t*>(system.labels(tile, 0)) + lane;
    std::uint32_t even = 0, odd = 0;
#pragma unroll 16
    for (std::uint32_t r = 0; r < 32; ++r) {
        const std::uint32_t both = labels[32 * r];
        const auto is_turned_here = [&](std::uint32_t label) {
            return static_cast<int>(turned_firsts[warp][label / 32] >> label % 32 & 1);
        };
        const std::uint32_t of_even = __ballot_sync(~0u, is_turned_here(both & 0xffff)),
                            of_odd = __ballot_sync(~0u, is_turned_here(both >> 16));
        if (lane == r) even = of_even, odd = of_odd;
    }
    if (!row.is_there) return;
    const std::uint32_t valid = valid_bits(p, row.at.word);
    std::uint32_t* const spins = system.spins() + row.word;
    const bool odd_row = is_odd(0, row.at.y, row.at.z);
    spins[0] ^= (odd_row ? odd : even) & valid;
    spins[p.words()] ^= (odd_row ? even : odd) & valid;
}

// Adds the sums over the threads of a warp to the values of a measurement. All threads must call it.
__device__ inline void add_of_warp(const ClusterSums& sums, std::int64_t* to) {
    for (std::size_t i = 0; i < ClusterSums::count; ++i) {
        long long sum = sums[i];
        for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
        if (threadIdx.x % 32 == 0 && sum != 0) add(to + i, sum);
    }
}

// Adds the sums over clusters to the values of a measurement, [systems][values]. `firsts` are those of the lattice.
template <int Dimensions>
__global__ void __launch_bounds__(256) measure_clusters(const __grid_constant__ DeviceClusters d, std::size_t values,
                                                        std::size_t clusters, std::int64_t* measured) {
    const ClusterSystem<Dimensions> system{d, d.first + blockIdx.y};
    const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
    ClusterSums sums;
    if (word == 0) sums.add_ghost(system.magnetisations()[ghost_site]);
    for_each_bit(word < d.packing.words() ? system.firsts(word) : 0,
                 [&](std::uint32_t x) { sums.add(system.magnetisations()[site_number(word, x)]); });
    add_of_warp(sums, measured + system.number * values + clusters);
}

}  // namespace legato::ising
