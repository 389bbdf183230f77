// Means and their errors: independent values, series whose values are correlated, and functions of means.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace legato::statistics {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// The error is one standard error: NaN where it is unknown, as of a single value, and 0 only of values that are all the
// same.
struct Estimate {
    double mean = unknown, error = unknown;
};
inline constexpr Estimate exactly_zero{0, 0};

// Of independent values of the same weight.
Estimate mean_of(std::span<const double> values);

// The binning analysis (H. Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989)): neighbours are averaged in
// pairs again and again, until the bins are so long that the error that follows from their spread is no longer too
// small.
struct Binning {
    Estimate estimate;
    std::vector<double> errors;  // with 1, 2, 4, ... values in a bin, as long as there are `least_bins` bins
    // Integrated autocorrelation time, in values: 0.5 where they are independent; NaN where it is unknown, as of
    // constant values.
    double autocorrelation_time = unknown;
    // The means of the series differ by more than the spread within them explains. They then remember their start for
    // longer than they last, and the error is that of independent series.
    bool series_differ = false;
};
inline constexpr std::size_t least_bins = 32;

// `values` are `series` independent series one after the other, all of the same length; bins do not reach beyond
// theirs.
Binning binning(std::span<const double> values, std::size_t series = 1);

// The mean of each series; their mean_of is the only error that is right where something is conserved within a series.
std::vector<double> means_of_series(std::span<const double> values, std::size_t series);

// A function of means of several quantities, values [count][quantities] of independent bins, much longer than any
// correlation: the function of all their means, without the bias of order 1 / count, and its error. Where the function
// is not finite without one of the bins this is the plain function of all means, with an unknown error.
Estimate jackknife(std::span<const double> values, std::size_t quantities,
                   const std::function<double(std::span<const double>)>& function);

// The same of bins that may be correlated, `series` independent series of them: the error by binning.
Estimate binned_jackknife(std::span<const double> values, std::size_t quantities, std::size_t series,
                          const std::function<double(std::span<const double>)>& function);

}  // namespace legato::statistics
