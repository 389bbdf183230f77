#pragma once

#include "common.hpp"

// Seconds of a step of the recursion by cuSPARSE, for a matrix in compressed rows counted from 1; 0 where it cannot be
// had.
double cusparse_step(const std::vector<int64_t>& row_start, const std::vector<int32_t>& column,
                     const std::vector<double>& element, int vectors);
