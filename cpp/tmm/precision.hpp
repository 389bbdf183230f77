// How far the waves may grow apart between two orthonormalisations before rounding errors spoil the slow ones; on host
// and device alike.
//
// Gram-Schmidt leaves of column j what the columns before it do not contain. Rounding errors of the size eps |x_j| stay
// in it, so that its norm R_jj is off by about eps |x_j| / R_jj, relative. In a bar |x_j| is of the size of the largest
// R_ii, because every column picks up the fastest wave: hence the growth, max R_ii / min R_ii, which costs nothing to
// know. At the limit the error is 2e-6 at worst, and two programs
// that round differently come to the same exponents within some 1e-7; at 1e12 they differ by 1e-5.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace legato::tmm {

inline constexpr double most_growth = 1e10;
inline constexpr double log_most_growth = 23.025850929940457;  // ln most_growth
inline constexpr double log_seen_growth = 30;                  // beyond it the smallest norms are rounding errors

LEGATO_HOST_DEVICE inline bool loses_precision(double log_growth) {
    return log_growth > log_most_growth;
}

// The interval between orthonormalisations after a stretch whose growth was beyond the limit, from the growth per slice
// and with a margin. Of a greater growth than can be seen one step may not be enough. No rounding error decides.
LEGATO_HOST_DEVICE inline std::int64_t shortened_interval(std::int64_t stretch, double log_growth) {
    const double seen = log_growth < log_seen_growth ? log_growth : log_seen_growth;
    const auto fits = static_cast<std::int64_t>(0.9 * log_most_growth / seen * static_cast<double>(stretch));
    return fits < 1 ? 1 : fits < stretch ? fits : stretch - 1;
}

}  // namespace legato::tmm
