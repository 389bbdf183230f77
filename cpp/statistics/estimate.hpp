// Means and their errors, for independent values, for series of correlated values, and for functions of means.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace legato::statistics {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// A mean and its standard error. The error is NaN if it is unknown, for example for a single value. It is 0 only if all
// values are the same.
struct Estimate {
    double mean = unknown, error = unknown;
};
inline constexpr Estimate exactly_zero{0, 0};

// Returns the mean of independent values of the same weight.
Estimate mean_of(std::span<const double> values);

// Result of a binning analysis (H. Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989)). Pairs of neighbours
// are averaged repeatedly, until the bins are so long that the error from their spread is no longer too small.
struct Binning {
    Estimate estimate;
    std::vector<double> errors;  // errors with 1, 2, 4, ... values in a bin, while there are `least_bins` bins
    // Integrated autocorrelation time, in units of the distance of values. It is 0.5 for independent values, and NaN if
    // it is unknown, for example for constant values.
    double autocorrelation_time = unknown;
    // True if the means of the series differ by more than the spread within them explains. Their correlations then last
    // longer than the series, and the error is that of the means of independent series.
    bool series_differ = false;
};
inline constexpr std::size_t least_bins = 32;

// Analyses `series` independent series of the same length, which are one after the other in `values`. A bin is always
// within one series.
Binning binning(std::span<const double> values, std::size_t series = 1);

// Returns the mean of each series. If a quantity is conserved within a series, only mean_of() of these means gives the
// right error.
std::vector<double> means_of_series(std::span<const double> values, std::size_t series);

// Returns a function of the means of several quantities, without the bias of order 1 / count, and its error.
// values[count][quantities] are averages over independent bins, which must be much longer than any correlation. If the
// function is not finite when one of the bins is left out, the result is the plain function of all means, and its error
// is unknown.
Estimate jackknife(std::span<const double> values, std::size_t quantities,
                   const std::function<double(std::span<const double>)>& function);

// Does the same for bins that may be correlated and are `series` independent series. The error is found by binning.
Estimate binned_jackknife(std::span<const double> values, std::size_t quantities, std::size_t series,
                          const std::function<double(std::span<const double>)>& function);

}  // namespace legato::statistics
