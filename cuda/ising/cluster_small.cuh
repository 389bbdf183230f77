// Sweeps of Swendsen and Wang's algorithm on a device for lattices that fit into shared memory: a block has a lattice
// and makes all sweeps of a batch. A lane has one piece of 64 sites after the other (clusters.hpp). The bits are those
// of the CPU.
#pragma once

#include <cstdint>

#include "ising/cluster_kernels.cuh"

namespace legato::ising {

// The memory of a lattice in a block. Sites have the numbers of cluster_tiles.hpp, the ghost has 0.
template <int Dimensions>
struct SmallLattice {
    static constexpr std::uint32_t bonds_across = 2 * (Dimensions - 1);

    std::uint32_t words, stride, numbers, inverse_of_stride;
    std::uint64_t* along;       // BondsOf::along(); in the end sites that are the first of a cluster, [words]
    std::uint64_t* turned;      // turned_of(), [words]
    std::uint32_t* spins;       // [2][words]
    std::uint32_t* occupied;    // bonds of colour 0 along y and z, [words][bonds_across]
    PairedSums magnetisations;  // [numbers]
    std::uint16_t* leads_to;    // [numbers]

    __device__ SmallLattice(const Packing& p, std::uint64_t* memory)
        : words(p.words()),
          stride(stride_in_block(p)),
          numbers(numbers_in_block(p)),
          inverse_of_stride(0xffffffffu / stride + 1),
          along(memory),
          turned(along + words),
          spins(reinterpret_cast<std::uint32_t*>(turned + words)),
          occupied(spins + 2 * words),
          magnetisations{occupied + bonds_across * words},
          leads_to(reinterpret_cast<std::uint16_t*>(magnetisations.words + numbers / 2)) {}

    // Calls visit(word, place, whether there is such a piece) for the pieces of a lane. All lanes call it equally
    // often.
    template <class Visit>
    __device__ void for_each_piece(const Packing& p, const Visit& visit) const {
        const std::uint32_t lane = threadIdx.x % 32;
        for (std::uint32_t first = threadIdx.x - lane; first < words; first += blockDim.x) {
            const std::uint32_t word = min(first + lane, words - 1);
            visit(word, place_of(p, word), first + lane < words);
        }
    }
    __device__ DeviceSites<std::uint16_t> sites() const { return {leads_to}; }
    __device__ std::uint32_t number(std::uint32_t word, std::uint32_t x) const { return stride * (word + 1) + x; }
    __device__ std::uint32_t first_of_run(std::uint32_t word, std::uint32_t x) const {
        return number(word, start_of_run(along[word], x));
    }
    // Returns whether the cluster with this first site is turned over. Numbers are below 2^16, for which the product
    // with the inverse, which is rounded up, divides exactly.
    __device__ bool is_turned(std::uint32_t first) const {
        const std::uint32_t piece = __umulhi(first, inverse_of_stride);
        return first != ghost_site && (turned[piece - 1] >> (first - stride * piece) & 1) != 0;
    }
};

// Draws bonds, makes the runs of each piece, and decides which clusters are turned over.
template <int Dimensions>
__device__ void make_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds, bool is_measured) {
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place& at, bool is_there) {
        std::uint32_t occupied[2 * Dimensions];
        bonds.candidates(word, at, occupied);
#pragma unroll
        for (std::uint32_t k = 0; k < 2 * Dimensions; ++k) {
            occupied[k] = occupied_bonds(bonds.chance, bonds.stream, word, bonds.sweep, k, occupied[k]);
            if (k >= 2 && is_there) a.occupied[a.bonds_across * word + k - 2] = occupied[k];
        }
        const std::uint64_t along = bonds.along(at, occupied[0], occupied[1]);
        if (is_there) {
            a.along[word] = along;
            a.turned[word] = turned_of(bonds.stream, bonds.sweep, word + 1);
        }
    });
    auto* const pairs = reinterpret_cast<std::uint32_t*>(a.leads_to);
    for (std::uint32_t i = threadIdx.x; i < a.numbers / 2; i += blockDim.x) pairs[i] = 0x10000 * (2 * i + 1) + 2 * i;
    if (!is_measured) return;
    for (std::uint32_t i = threadIdx.x; i < a.numbers / 2; i += blockDim.x) a.magnetisations.words[i] = 0;
}

// The bonds of a piece with the one after it along an axis.
template <int Dimensions>
__device__ BondsAcross bonds_across(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds,
                                    const Place& at, std::uint32_t word, std::uint32_t after, std::uint32_t axis) {
    const std::uint32_t* const occupied = a.occupied + 2 * (axis - 1);
    return {a.along[word], a.along[after],
            bonds.across(at, occupied[a.bonds_across * word + 1], occupied[a.bonds_across * after])};
}

// Links runs to those before along y, except across the boundary.
template <int Dimensions>
__device__ void link_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds) {
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place& at, bool is_there) {
        const std::uint32_t after = piece_after(bonds.packing, at, word, 1);
        bonds_across(a, bonds, at, word, after, 1)
            .link_first(a.sites(), is_there && after > word, a.number(word, 0), a.number(after, 0));
    });
}

// Connects runs.
template <int Dimensions>
__device__ void connect_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds) {
    const Packing& p = bonds.packing;
    const DeviceSites<std::uint16_t> sites = a.sites();
    a.for_each_piece(p, [&](std::uint32_t word, const Place& at, bool is_there) {
        const std::uint64_t along = a.along[word];
        const std::uint32_t here = a.number(word, 0);
        const PiecePair pair = connected_pieces(p, at, word);
        sites.connect(is_there && (along & 1) != 0, a.first_of_run(pair.before, last_site(p, pair.before % p.width)),
                      a.first_of_run(pair.after, 0));
#pragma unroll
        for (std::uint32_t axis = 1; axis < Dimensions; ++axis) {
            const std::uint32_t after = piece_after(p, at, word, axis), there = a.number(after, 0);
            const BondsAcross across = bonds_across(a, bonds, at, word, after, axis);
            const std::uint64_t linked = axis == 1 && after > word ? across.first() : 0;
            sites.connect_all(is_there ? across.all & ~linked : 0,
                              [&](std::uint32_t x) { return across.ends(here, there, x); });
        }
        if (!bonds.has_field) return;
        const std::uint64_t with_ghost = bonds.with_ghost(word, at);
        sites.connect_all(is_there ? with_ghost & ~(with_ghost << 1 & along) : 0, [&](std::uint32_t x) {
            return uint2{here + start_of_run(along, x), ghost_site};
        });
    });
}

// Turns clusters over, and adds the magnetisations of runs to those of their clusters.
template <int Dimensions>
__device__ void turn_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds, bool is_measured) {
    const Packing& p = bonds.packing;
    a.for_each_piece(p, [&](std::uint32_t word, const Place& at, bool is_there) {
        const std::uint64_t up = is_there ? bonds.up(word, at) : 0, along = is_there ? a.along[word] : 0;
        std::uint64_t turned = 0, firsts = 0;
        for_each_run(along, is_there ? bonds.sites(at) : 0, [&](bool is_run, std::uint32_t x, std::uint64_t run) {
            const std::uint32_t site = a.number(word, x), first = a.sites().first_of(is_run, site);
            if (!is_run) return;
            if (first == site) firsts |= std::uint64_t{1} << x;
            if (a.is_turned(first)) turned |= run;
            if (is_measured) a.magnetisations.add(first, magnetisation_of(run, up));
        });
        if (!is_there) return;
        a.along[word] = firsts;
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        a.spins[word] ^= every_second(turned >> odd);
        a.spins[a.words + word] ^= every_second(turned >> (1 - odd));
    });
}

// Adds the sums over clusters to the values of a measurement.
template <int Dimensions>
__device__ void add_clusters(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds, std::int64_t* to) {
    ClusterSums sums;
    if (threadIdx.x == 0) sums.add_ghost(a.magnetisations[ghost_site]);
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place&, bool is_there) {
        for_each_bit(is_there ? a.along[word] : 0,
                     [&](std::uint32_t x) { sums.add(a.magnetisations[a.number(word, x)]); });
    });
    add_of_warp(sums, to);
}

struct SmallBatch {
    std::int64_t first_sweep, sweeps, measure_every;
    ValuesLayout values;
    std::size_t clusters;
    std::int64_t* measured;  // [measurements][systems][values]
};

inline constexpr unsigned most_threads_of_lattice = 1024;

template <int Dimensions>
__global__ void __launch_bounds__(most_threads_of_lattice)
    advance_clusters(const __grid_constant__ DeviceClusters d, SmallBatch batch) {
    extern __shared__ std::uint64_t cluster_memory[];
    const Packing& p = d.packing;
    const SmallLattice<Dimensions> a(p, cluster_memory);
    const std::size_t system = blockIdx.x;
    std::uint32_t* const spins = d.spins + system * 2 * a.words;
    for (std::uint32_t i = threadIdx.x; i < 2 * a.words; i += blockDim.x) a.spins[i] = spins[i];
    BondsOf<Dimensions> bonds{p,           a.spins,           d.chances[system], d.chances_of_field[system],
                              d.has_field, d.streams[system], batch.first_sweep};
    std::int64_t* measured = batch.measured + system * static_cast<std::size_t>(batch.values.count);
    __syncthreads();
    for (std::int64_t s = 1; s <= batch.sweeps; ++s, ++bonds.sweep) {
        const bool is_measured = batch.measure_every > 0 && s % batch.measure_every == 0;
        make_runs(a, bonds, is_measured);
        __syncthreads();
        link_runs(a, bonds);
        __syncthreads();
        connect_runs(a, bonds);
        __syncthreads();
        turn_runs(a, bonds, is_measured);
        __syncthreads();
        if (!is_measured) continue;
        measure_spins<2 * Dimensions>(p, a.spins, threadIdx.x, a.words, blockDim.x, 1, measured);
        add_clusters(a, bonds, measured + batch.clusters);
        measured += gridDim.x * static_cast<std::size_t>(batch.values.count);
        __syncthreads();
    }
    for (std::uint32_t i = threadIdx.x; i < 2 * a.words; i += blockDim.x) spins[i] = a.spins[i];
}

}  // namespace legato::ising
