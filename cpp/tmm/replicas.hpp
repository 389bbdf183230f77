// Replicas of a point: when they are compared, and their average.
#pragma once

#include <cstdint>

#include "tmm/engine.hpp"

namespace legato::tmm {

// Returns the problem of a sequence. With replicas a sequence neither converges by itself nor ends at
// max_multiplications: it pauses there, and its sums remain for the comparison.
Problem problem_of_sequence(const Problem& problem);

// Returns the first number of cycles beyond `cycles`, and at least `least`, at which replicas can be compared. It is
// the end of a block from which on a point can converge, or max_cycles().
std::int64_t next_comparison(const Problem& problem, std::int64_t cycles, std::int64_t least = 0);

// Estimates from the average over the replicas, which have not converged, before how many cycles they need not be
// compared again.
std::int64_t wanted_cycles(const Problem& problem, const PointState& average);

// Adds the sums of a replica to those of earlier ones. `sum` is empty at first.
void add_replica(PointState& sum, const PointState& replica);
// Divides by the number of replicas.
void divide(PointState& sum, std::int64_t replicas);

}  // namespace legato::tmm
