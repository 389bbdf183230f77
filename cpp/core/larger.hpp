// larger() returns the larger of two deviations. It returns NaN if one of them is NaN: a deviation of NaN is within no
// bound.
#pragma once

#include <cmath>

namespace legato {

inline double larger(double a, double b) {
    return std::isnan(a) || b <= a ? a : b;
}

}  // namespace legato
