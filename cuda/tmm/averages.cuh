// Averages over the blocks of many slots, formed on the device.
#pragma once

#include <cstdint>

#include "tmm/convergence.hpp"
#include "tmm/slot.cuh"

namespace legato::tmm {

// Slots list[0 .. count - 1].
struct ChosenSlots {
    Slots slots;
    const std::size_t* list;
    std::size_t count;
    int sites;
};

// Forms the average and the error of every column (growth_in_blocks), [count][sites]. Without a cycle they are 0.
static __global__ void average_blocks_of(ChosenSlots chosen, std::int64_t burn_in, double* means, double* errors) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                      sites = static_cast<std::size_t>(chosen.sites);
    if (i >= chosen.count * sites) return;
    const std::size_t slot = chosen.list[i / sites], column = i % sites;
    const std::int64_t cycles = chosen.slots.heads[slot].cycles;
    BlockAverage growth{0, 0};
    if (cycles > 0)
        growth = growth_in_blocks(chosen.slots.blocks + slot * most_blocks * sites + column, chosen.sites, cycles,
                                  chosen.slots.log_norms[slot * sites + column], burn_in);
    means[i] = growth.mean;
    errors[i] = growth.error;
}

// Estimates the number of cycles after which each point converges, [count]: its error decreases with the square root
// of their number. An unknown error counts as infinite.
static __global__ void estimate_cycles(ChosenSlots chosen, Problem problem, float* cycles) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                      sites = static_cast<std::size_t>(chosen.sites);
    if (i >= chosen.count) return;
    const std::size_t slot = chosen.list[i], last = slot * sites + sites - 1;
    const std::int64_t done = chosen.slots.heads[slot].cycles;
    const double error = done == 0 ? NAN
                         : problem.rule == Rule::tmsexd
                             ? relative_error(chosen.slots.log_norms[last], chosen.slots.log_norms2[last], done)
                             : growth_in_blocks(chosen.slots.blocks + slot * most_blocks * sites + sites - 1,
                                                chosen.sites, done, chosen.slots.log_norms[last], problem.burn_in)
                                   .error;
    const double ratio = error / problem.epsilon, wanted = static_cast<double>(done) * ratio * ratio;
    cycles[i] = wanted < 1e30 ? static_cast<float>(wanted) : 1e30f;
}

}  // namespace legato::tmm
