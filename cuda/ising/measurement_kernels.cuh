// The measurements of packed lattices on the device, and the counts of attempts. All are integers, so that the order in
// which threads add does not matter.
#pragma once

#include <cstdint>

#include "ising/metropolis.hpp"
#include "ising/neighbours.hpp"

namespace legato::ising {

// MeasuredValues for the device.
struct ValuesLayout {
    std::int32_t count, dimensions;
    std::int32_t correlations[3];  // -1: not measured
    std::int32_t distances[3];
    std::int32_t planes;
};

__device__ inline void add(std::int64_t* to, std::int64_t value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
}

// Adds the sum over the threads of a warp. All of them must call it, and one of them adds.
__device__ inline void add_of_warp(std::int64_t* to, int value) {
    const int sum = __reduce_add_sync(~0u, value);
    if (threadIdx.x % 32 == 0 && sum != 0) add(to, sum);
}

// Numbers of spins up, and of unequal neighbours. `own` are the odd sites, whose neighbours n[0] are all the even
// sites.
template <int Neighbours>
struct SpinSums {
    std::uint32_t up = 0, unequal = 0;

    __device__ void add(std::uint32_t own, const std::uint32_t (&n)[Neighbours], std::uint32_t valid) {
        up += __popc(own) + __popc(n[0]);
        std::uint32_t x[Neighbours];
#pragma unroll
        for (int k = 0; k < Neighbours; ++k) x[k] = (own ^ n[k]) & valid;
        const std::uint32_t odd = x[0] ^ x[1] ^ x[2], two = majority(x[0], x[1], x[2]);
        if constexpr (Neighbours == 4) {
            unequal += __popc(odd ^ x[3]) + 2 * (__popc(two) + __popc(odd & x[3]));
        } else {
            const std::uint32_t odd2 = x[3] ^ x[4] ^ x[5], two2 = majority(x[3], x[4], x[5]);
            unequal += __popc(odd ^ odd2) + 2 * (__popc(two) + __popc(two2) + __popc(odd & odd2));
        }
    }
    // Adds the sums of a warp, whose threads must all call it. `sites` is the number of valid bits of this thread's
    // words.
    __device__ void add_to(std::int64_t* measured, std::uint32_t sites) const {
        const std::uint32_t of_warp = __reduce_add_sync(~0u, up), unequal_of_warp = __reduce_add_sync(~0u, unequal);
        const std::uint32_t bits = __reduce_add_sync(~0u, sites);
        if (threadIdx.x % 32 != 0) return;
        ising::add(measured + MeasuredValues::magnetisation, 2 * (std::int64_t{of_warp} - bits));
        ising::add(measured + MeasuredValues::bonds,
                   Neighbours * std::int64_t{bits} - 2 * std::int64_t{unequal_of_warp});
    }
};

// Measures the words first, first + step, ... before `end` of both colours. `spins`: those of both colours. The odd
// sites have the local colour `odd`, which is 1 if the first layer has number 0. All threads of a warp must call it.
template <int Neighbours>
__device__ void measure_spins(const Packing& p, const std::uint32_t* spins, std::uint32_t first, std::uint32_t end,
                              std::uint32_t step, std::uint32_t odd, std::int64_t* measured) {
    const std::uint32_t words = p.words();
    SpinSums<Neighbours> sums;
    std::uint32_t sites = 0;
    for (std::uint32_t index = first; index < end; index += step) {
        const Place at = place_of(p, index);
        const std::uint32_t valid = valid_bits(p, at.word);
        std::uint32_t n[Neighbours];
        neighbours_of(p, spins, odd, at, n);
        sums.add(spins[words + index], n, valid);
        sites += __popc(valid);
    }
    sums.add_to(measured, sites);
}

template <int Neighbours>
__device__ void measure_correlations(const Packing& p, const ValuesLayout& values, const std::uint32_t* spins,
                                     std::uint32_t first, std::uint32_t step, std::int64_t* measured) {
    if (values.correlations[0] < 0) return;
    const std::uint32_t words = p.words();
    for (int axis = 0; axis < values.dimensions; ++axis) {
        for (std::int32_t r = 1; r <= values.distances[axis]; ++r) {
            int sum = 0;
            for (std::uint32_t colour = 0; colour < 2; ++colour) {
                const std::uint32_t* const own = spins + std::size_t{colour} * words;
                for (std::uint32_t i = first; i < words; i += step) {
                    const Place at = place_of(p, i);
                    const std::uint32_t valid = valid_bits(p, at.word),
                                        there = spins_at_distance(p, spins, colour, at, axis,
                                                                  static_cast<std::uint32_t>(r));
                    sum += __popc(valid) - 2 * __popc((own[i] ^ there) & valid);
                }
            }
            add_of_warp(measured + values.correlations[axis] + r - 1, sum);
        }
    }
    for (std::uint32_t colour = 0; colour < 2; ++colour) {
        const std::uint32_t* const own = spins + std::size_t{colour} * words;
        for (std::uint32_t i = first; i < words; i += step) {
            const Place at = place_of(p, i);
            const int sum = 2 * __popc(own[i]) - __popc(valid_bits(p, at.word));
            add(measured + values.planes + (p.cubic ? at.z : at.y), sum);
        }
    }
}

// Measures lattices in device memory: gridDim.y systems, [systems][2][words].
template <int Neighbours>
__global__ void __launch_bounds__(256) measure_lattices(const __grid_constant__ Packing p, ValuesLayout values,
                                                        const std::uint32_t* spins, std::int64_t* measured) {
    const std::size_t system = blockIdx.y;
    spins += system * 2 * p.words();
    measured += system * static_cast<std::size_t>(values.count);
    const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    measure_spins<Neighbours>(p, spins, first, p.words(), step, 1, measured);
    measure_correlations<Neighbours>(p, values, spins, first, step, measured);
}

// AcceptanceCounts on the device.
struct Counters {
    unsigned long long attempts[7][2], flips[7][2];
};

// The counts of a thread. It is empty if attempts are not counted.
template <class C, bool Counting>
struct Tally {
    std::uint32_t attempts[C::neighbours + 1][2] = {}, flips[C::neighbours + 1][2] = {};

    __device__ void operator()(std::uint32_t s, const std::uint32_t (&n)[C::neighbours], std::uint32_t valid,
                               std::uint32_t flipped) {
        for_each_environment<C::dimensions>(s, n, valid, [&](int aligned, int spin, std::uint32_t sites) {
            attempts[aligned][spin] += __popc(sites);
            flips[aligned][spin] += __popc(sites & flipped);
        });
    }
    // Adds the counts of a warp, whose threads must all call it.
    __device__ void add_to(Counters* counters) {
        const auto add_up = [](unsigned long long& to, std::uint32_t of_thread) {
            const std::uint32_t of_warp = __reduce_add_sync(~0u, of_thread);
            if (threadIdx.x % 32 == 0 && of_warp > 0) atomicAdd(&to, static_cast<unsigned long long>(of_warp));
        };
        for (int aligned = 0; aligned <= C::neighbours; ++aligned) {
            for (int spin = 0; spin < 2; ++spin) {
                add_up(counters->attempts[aligned][spin], attempts[aligned][spin]);
                add_up(counters->flips[aligned][spin], flips[aligned][spin]);
            }
        }
    }
};
template <class C>
struct Tally<C, false> {
    __device__ void operator()(std::uint32_t, const std::uint32_t (&)[C::neighbours], std::uint32_t, std::uint32_t) {}
    __device__ void add_to(Counters*) {}
};

}  // namespace legato::ising
