// The autocorrelation time of a series.
#pragma once

#include <cstddef>
#include <span>

#include "statistics/estimate.hpp"

namespace legato::statistics {

// Returns the integrated autocorrelation time 1/2 + sum over t >= 1 of C(t) / C(0), in units of the distance of values,
// and its error. The sum ends at the window that balances its statistical error and the neglected rest (U. Wolff,
// Comput. Phys. Commun. 156, 143 (2004), with S = 1.5). The time is 0.5 for independent values. It is NaN if it is
// unknown, for example for constant values. `values` are `series` independent series one after the other, all of the
// same length.
Estimate integrated_autocorrelation_time(std::span<const double> values, std::size_t series = 1);

}  // namespace legato::statistics
