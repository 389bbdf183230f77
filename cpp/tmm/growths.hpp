// Exponents and errors of a point from the sums that it keeps.
#pragma once

#include <vector>

#include "tmm/engine.hpp"

namespace legato::tmm {

// Average of ln R of a column, and its relative error, which is NaN if unknown.
struct Growth {
    double mean, error;
    double error_alone = error;  // of a single replica
};

// Returns the exponents per slice and their relative errors, for all columns of a point with at least one cycle. The
// first column comes first.
std::vector<Growth> growths_per_slice(const Problem& problem, const PointState& state);

// Replaces the blocks of a point by the averages and errors of its result. The engine has tested the smallest exponent
// by its own column only. If its final error exceeds epsilon, the point has not converged.
void replace_blocks(const Problem& problem, PointState& state);

}  // namespace legato::tmm
