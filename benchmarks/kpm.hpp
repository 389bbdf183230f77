#pragma once

#include "common.hpp"

// Returns the seconds of a step of the recursion by cuSPARSE, for a matrix in compressed rows counted from 1; 0 if it
// cannot be measured.
double cusparse_step(const std::vector<int64_t>& row_start, const std::vector<int32_t>& column,
                     const std::vector<double>& element, int vectors);
