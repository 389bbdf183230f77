// How long a series remembers.
#pragma once

#include <cstddef>
#include <span>

#include "statistics/estimate.hpp"

namespace legato::statistics {

// The integrated autocorrelation time, in values, 1/2 + sum over t of C(t) / C(0), and its error: summed up to the
// window that balances the error of what is summed against what is left out (U. Wolff, Comput. Phys. Commun. 156, 143
// (2004), with S = 1.5). 0.5 where values are independent; NaN where it is unknown, as of constant values. `values`
// are `series` independent series one after the other, all of the same length.
Estimate integrated_autocorrelation_time(std::span<const double> values, std::size_t series = 1);

}  // namespace legato::statistics
