// The larger of two deviations, or the one that is no number: then no comparison with a bound holds.
#pragma once

#include <cmath>

namespace legato {

inline double larger(double a, double b) {
    return std::isnan(a) || b <= a ? a : b;
}

}  // namespace legato
