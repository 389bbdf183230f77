// Replicas of a point: when they are compared, and their average.
#pragma once

#include <cstdint>

#include "tmm/engine.hpp"

namespace legato::tmm {

// Returns the problem of a sequence. With replicas a sequence does not converge by itself.
Problem problem_of_sequence(const Problem& problem);

// Returns the number of cycles at which the replicas are compared next, if they were last compared at `cycles`, or at 0
// at first. It is the end of a block from which on a point can converge, or max_cycles().
std::int64_t next_comparison(const Problem& problem, std::int64_t cycles);

// Adds the sums of a replica to those of earlier ones. `sum` is empty at first.
void add_replica(PointState& sum, const PointState& replica);
// Divides by the number of replicas.
void divide(PointState& sum, std::int64_t replicas);

}  // namespace legato::tmm
