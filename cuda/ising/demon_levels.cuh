// Data by which the demons of each temperature are drawn on the device.
#pragma once

#include "ising/demon_draws.hpp"

namespace legato::ising {

struct DemonLevel {
    LevelProbability probability;
    std::int64_t first;           // first number of the binomial table
    std::uint32_t offset, count;  // position and number of its thresholds
    bool rare;
};

struct DemonLevels {
    const DemonLevel* levels;                    // [temperatures][3]
    const std::uint64_t* thresholds;             // thresholds of all tables
    std::uint32_t blocks_per_beta, first_block;  // first_block: number in the run of block 0

    __device__ const DemonLevel& of(std::uint32_t block, std::uint32_t level) const {
        return levels[(first_block + block) / blocks_per_beta * demon_levels + level];
    }
};

}  // namespace legato::ising
