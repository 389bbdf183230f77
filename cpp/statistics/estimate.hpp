// Means and their errors: independent values, series whose values are correlated, and functions of means.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace legato::statistics {

struct Estimate {
    double mean = 0, error = 0;  // one standard error; 0 where nothing can be told
};

// Of independent values of the same weight.
Estimate mean_of(std::span<const double> values);

// The binning analysis (H. Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989)): neighbours are averaged in
// pairs again and again, until the bins are so long that the error that follows from their spread is no longer too
// small.
struct Binning {
    Estimate estimate;
    std::vector<double> errors;  // with 1, 2, 4, ... values in a bin, as long as there are `least_bins` bins
    // Integrated autocorrelation time, in values: 0.5 where they are independent; 0 where nothing can be told.
    double autocorrelation_time = 0;
};
inline constexpr std::size_t least_bins = 32;

// `values` are `series` independent series one after the other, all of the same length; bins do not reach beyond
// theirs.
Binning binning(std::span<const double> values, std::size_t series = 1);

// A function of means of several quantities, values [count][quantities] of independent bins, much longer than any
// correlation: the function of all their means, without the bias of order 1 / count, and its error.
Estimate jackknife(std::span<const double> values, std::size_t quantities,
                   const std::function<double(std::span<const double>)>& function);

// The same of bins that may be correlated, `series` independent series of them: the error by binning.
Estimate binned_jackknife(std::span<const double> values, std::size_t quantities, std::size_t series,
                          const std::function<double(std::span<const double>)>& function);

}  // namespace legato::statistics
