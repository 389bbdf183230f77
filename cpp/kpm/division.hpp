// The division of the samples into blocks for the parts of all ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "kpm/engine.hpp"

namespace legato::kpm {

// Returns the blocks of a round, which begins after `done` samples: one block for each part, or fewer at the end. The
// blocks follow each other in the order of samples. None is wider than `block_width`. The last vectors of a realisation
// or of the run are divided evenly.
std::vector<Block> blocks_of_round(const Problem& problem, std::int64_t done, std::size_t parts, int block_width);

}  // namespace legato::kpm
