// Results of a finite-size scaling fit.
#pragma once

#include <cstdint>

#include "statistics/estimate.hpp"

namespace legato::fss {

enum class FitStatus : int {
    waiting = 0,
    converged = 1,
    undetermined = 2,   // to rounding, chi^2 does not depend on a combination of the parameters
    not_converged = 3,  // no minimum with nu > 0 and y < 0 was found
};

// What the values from synthetic data tell about a value. NaN: unknown.
struct Spread {
    double error = statistics::unknown;  // half of the width of the central interval that contains 68.27 % of them
    double low = statistics::unknown, high = statistics::unknown;  // central interval that contains 95 % of them
};

}  // namespace legato::fss
