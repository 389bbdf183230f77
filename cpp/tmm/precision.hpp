// The limit on how far columns may grow apart between two orthonormalisations. Beyond it, rounding errors spoil the
// slow columns. Host and device use the same code.
//
// Gram-Schmidt leaves the part of column j that the columns before it do not contain. Rounding errors of the size eps
// |x_j| remain in this part, so that the relative error of its norm R_jj is about eps |x_j| / R_jj. In a bar |x_j| is
// of the size of the largest R_ii, because every column contains the solution that grows fastest. The measure is
// therefore the growth max R_ii / min R_ii, which is known without cost. At the limit the error is 2e-6 at worst, and
// the exponents of two programs that round differently agree within some 1e-7. At a growth of 1e12 they differ by 1e-5.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace legato::tmm {

inline constexpr double most_growth = 1e10;
inline constexpr double log_most_growth = 23.025850929940457;  // ln most_growth
inline constexpr double log_seen_growth = 30;                  // largest growth that is not hidden by rounding errors

LEGATO_HOST_DEVICE inline bool loses_precision(double log_growth) {
    return log_growth > log_most_growth;
}

// Returns a shorter interval between orthonormalisations after `slices` multiplications whose growth was beyond the
// limit. It follows from the growth per slice, with a margin. A growth beyond log_seen_growth counts as
// log_seen_growth, so that the interval does not depend on rounding errors; one reduction may then not be enough.
LEGATO_HOST_DEVICE inline std::int64_t shortened_interval(std::int64_t slices, double log_growth) {
    const double seen = log_growth < log_seen_growth ? log_growth : log_seen_growth;
    const auto fits = static_cast<std::int64_t>(0.9 * log_most_growth / seen * static_cast<double>(slices));
    return fits < 1 ? 1 : fits < slices ? fits : slices - 1;
}

}  // namespace legato::tmm
