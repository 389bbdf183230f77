// Sweeps of Swendsen and Wang's algorithm on a device for lattices that fit into shared memory: a block has a lattice
// and makes all sweeps of a batch. A thread has one piece of 64 sites after the other (clusters.hpp). The bits are
// those of the CPU.
#pragma once

#include <cstdint>

#include "ising/cluster_kernels.cuh"

namespace legato::ising {

// The memory of a lattice in a block.
template <int Dimensions>
struct SmallLattice {
    static constexpr std::uint32_t neighbours = 2 * Dimensions;

    std::uint32_t words;
    std::uint64_t* along;     // [words]
    std::uint32_t* spins;     // [2][words]
    std::uint32_t* occupied;  // [words][neighbours]
    std::uint32_t* leads_to;  // [numbers of sites]; the highest bit of a first site tells whether it is turned over
    std::int32_t* magnetisations;  // [numbers of sites]

    static constexpr std::uint32_t turned = 1u << 31;

    LEGATO_HOST_DEVICE static std::size_t bytes(const Packing& p) {
        return p.words() * (sizeof(std::uint64_t) + (2 + neighbours) * sizeof(std::uint32_t)) +
               numbers_of_sites(p) * 2 * sizeof(std::uint32_t);
    }
    __device__ SmallLattice(const Packing& p, std::uint64_t* memory)
        : words(p.words()),
          along(memory),
          spins(reinterpret_cast<std::uint32_t*>(along + words)),
          occupied(spins + 2 * words),
          leads_to(occupied + neighbours * words),
          magnetisations(reinterpret_cast<std::int32_t*>(leads_to + numbers_of_sites(p))) {}

    // Calls visit(word, place) for the pieces of a thread.
    template <class Visit>
    __device__ void for_each_piece(const Packing& p, const Visit& visit) const {
        for (std::uint32_t word = threadIdx.x; word < words; word += blockDim.x) visit(word, place_of(p, word));
    }
    __device__ std::uint32_t first_of_run(std::uint32_t word, std::uint32_t x) const {
        return site_number(word, start_of_run(along[word], x));
    }
    __device__ DeviceSites<true> sites() const { return {leads_to}; }
    __device__ std::int32_t& magnetisation(std::uint32_t site) const { return magnetisations[in_banks(site)]; }
};

// Draws bonds, and makes the runs of each piece.
template <int Dimensions>
__device__ void make_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds) {
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place& at) {
        std::uint32_t occupied[2 * Dimensions];
        bonds.candidates(word, at, occupied);
#pragma unroll
        for (std::uint32_t k = 0; k < 2 * Dimensions; ++k) {
            occupied[k] = occupied_bonds(bonds.chance, bonds.stream, word, bonds.sweep, k, occupied[k]);
            a.occupied[2 * Dimensions * word + k] = occupied[k];
        }
        const std::uint64_t along = bonds.along(at, occupied[0], occupied[1]);
        a.along[word] = along;
        for_each_bit((~along | 1) & bonds.sites(at), [&](std::uint32_t x) {
            const std::uint32_t site = site_number(word, x);
            a.sites().to(site) = site;
            a.magnetisation(site) = 0;
        });
    });
    if (threadIdx.x == 0) {
        a.sites().to(ghost_site) = ghost_site;
        a.magnetisation(ghost_site) = 0;
    }
}

// Connects runs.
template <int Dimensions>
__device__ void connect_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds) {
    const Packing& p = bonds.packing;
    const DeviceSites<true> sites = a.sites();
    a.for_each_piece(p, [&](std::uint32_t word, const Place& at) {
        const std::uint64_t along = a.along[word];
        if ((along & 1) != 0) {
            const PiecePair pair = connected_pieces(p, at, word);
            sites.connect(a.first_of_run(pair.before, last_site(p, pair.before % p.width)),
                          a.first_of_run(pair.after, 0));
        }
#pragma unroll
        for (std::uint32_t axis = 1; axis < Dimensions; ++axis) {
            const std::uint32_t after = piece_after(p, at, word, axis);
            const std::uint64_t across = bonds.across(at, a.occupied[2 * Dimensions * word + 2 * axis + 1],
                                                      a.occupied[2 * Dimensions * after + 2 * axis]),
                                along_after = a.along[after];
            for_each_bit(across & ~(across << 1 & along & along_after), [&](std::uint32_t x) {
                sites.connect(site_number(word, start_of_run(along, x)),
                              site_number(after, start_of_run(along_after, x)));
            });
        }
        if (!bonds.has_field) return;
        const std::uint64_t with_ghost = bonds.with_ghost(word, at);
        for_each_bit(with_ghost & ~(with_ghost << 1 & along),
                     [&](std::uint32_t x) { sites.connect(a.first_of_run(word, x), ghost_site); });
    });
}

// Decides which clusters are turned over.
template <int Dimensions>
__device__ void decide_clusters(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds) {
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place& at) {
        for_each_bit((~a.along[word] | 1) & bonds.sites(at), [&](std::uint32_t x) {
            const std::uint32_t site = site_number(word, x);
            if (a.sites().to(site) == site && is_turned(bonds.stream, bonds.sweep, site))
                a.sites().to(site) = site | SmallLattice<Dimensions>::turned;
        });
    });
}

// Turns clusters over, and adds the magnetisations of runs to those of their clusters.
template <int Dimensions>
__device__ void turn_runs(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds, bool is_measured) {
    constexpr std::uint32_t turned = SmallLattice<Dimensions>::turned;
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place& at) {
        const std::uint64_t all = bonds.sites(at), up = bonds.up(word, at);
        std::uint64_t turned_sites = 0;
        for (std::uint64_t starts = (~a.along[word] | 1) & all; starts != 0;) {
            const std::uint64_t start = starts & (~starts + 1);
            starts ^= start;
            const std::uint64_t run = ((starts & (~starts + 1)) - start) & all;
            std::uint32_t site =
                site_number(word, static_cast<std::uint32_t>(__ffsll(static_cast<long long>(start)) - 1));
            std::uint32_t next = a.sites().to(site);
            while ((next & ~turned) != site) {
                site = next & ~turned;
                next = a.sites().to(site);
            }
            const std::uint64_t turned_here = (next & turned) != 0 ? run : 0;
            turned_sites |= turned_here;
            if (is_measured)
                atomicAdd(&a.magnetisation(site), 2 * __popcll(static_cast<long long>(run & (up ^ turned_here))) -
                                                      __popcll(static_cast<long long>(run)));
        }
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        a.spins[word] ^= every_second(turned_sites >> odd);
        a.spins[a.words + word] ^= every_second(turned_sites >> (1 - odd));
    });
}

// Adds the sums over clusters to the values of a measurement.
template <int Dimensions>
__device__ void add_clusters(const SmallLattice<Dimensions>& a, const BondsOf<Dimensions>& bonds, std::int64_t* to) {
    ClusterSums sums;
    if (threadIdx.x == 0) sums.add_ghost(a.magnetisation(ghost_site));
    a.for_each_piece(bonds.packing, [&](std::uint32_t word, const Place& at) {
        for_each_bit((~a.along[word] | 1) & bonds.sites(at), [&](std::uint32_t x) {
            const std::uint32_t site = site_number(word, x);
            if ((a.sites().to(site) & ~SmallLattice<Dimensions>::turned) == site) sums.add(a.magnetisation(site));
        });
    });
    for (std::size_t i = 0; i < ClusterSums::count; ++i) {
        long long sum = sums[i];
        for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
        if (threadIdx.x % 32 == 0 && sum != 0) add(to + i, sum);
    }
}

struct SmallBatch {
    std::int64_t first_sweep, sweeps, measure_every;
    ValuesLayout values;
    std::size_t clusters;
    std::int64_t* measured;  // [measurements][systems][values]
};

template <int Dimensions>
__global__ void __launch_bounds__(256) advance_clusters(const __grid_constant__ DeviceClusters d, SmallBatch batch) {
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
        make_runs(a, bonds);
        __syncthreads();
        connect_runs(a, bonds);
        __syncthreads();
        decide_clusters(a, bonds);
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
