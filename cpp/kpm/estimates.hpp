// What follows from a solver's moments, with standard errors from the spread of its samples.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kpm/solver.hpp"
#include "kpm/spectrum.hpp"

namespace legato::kpm {

struct Estimate {
    std::vector<double> value, error;  // error: 0 where nothing can be told
};

inline constexpr std::int64_t mean_of_samples = -1;

// The moments of one sample so far, or their mean.
Spectrum spectrum_of(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda);

// `what` is linear in the moments; it is applied to the mean, or to one sample, and for the errors, if these are
// wanted, to each independent sample.
Estimate estimate(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const Spectrum&)>& what);

// One value. Its error is half the way between the chemical potentials of electrons -+ the error of their number there.
// Where states are few within the error it is as large as the gap, which a division by their density would miss.
Estimate chemical_potential(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, double electrons,
                            double temperature, bool with_error);

}  // namespace legato::kpm
