// The data and the orders of a finite-size scaling fit. capi/include/legato/fss.h has the formulas.
#pragma once

#include <cstdint>
#include <vector>

#include "fss/params.hpp"

namespace legato::fss {

inline constexpr std::int64_t max_data = 100'000;

struct Problem : Params {
    std::vector<double> length, control, value, error;  // [data]
};

// Throws an invalid_argument that names the wrong field.
void validate(const Problem& problem);

// Checks lengths and control parameters at which a fit is to be evaluated.
void validate_places(const char* field, const std::vector<double>& length, const std::vector<double>& control);

}  // namespace legato::fss
