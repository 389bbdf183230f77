// Quantities that follow from a solver's moments, with standard errors from the spread of its samples.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kpm/conductivity.hpp"
#include "kpm/correlation.hpp"
#include "kpm/solver.hpp"
#include "kpm/spectrum.hpp"

namespace legato::kpm {

struct Estimate {
    std::vector<double> value, error;  // one standard error; 0 if the value is exact, NaN if the error is unknown
};

inline constexpr std::int64_t mean_of_samples = -1;

// Returns the spectrum with the moments of one finished sample, or with their mean so far.
Spectrum spectrum_of(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda);

// Applies `what`, which is linear in the moments, to the mean or to one sample. For the errors of the mean, `what` is
// also applied to each independent sample. Local moments of one Hamiltonian have the error 0. Otherwise the error of
// one sample, or of the mean of one, is NaN.
Estimate estimate(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const Spectrum&)>& what);

// Does the same with the mean of the moments of a double expansion. They are never exact.
Estimate estimate(const Correlation& correlation, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const DoubleSpectrum&)>& what);

// Sites or wave vectors, which are numbers of samples of a realisation.
struct Places {
    std::int64_t first = 0, count = 0;
};

// Applies `what`, which is linear in the moments and gives `n` values, to the mean over the realisations of each place.
// Writes value[count][n], and error[count][n] unless it is empty: the standard error from the spread of the
// realisations; with one realisation 0, or NaN if the disorder is random. Refuses random start vectors, which are not
// the same in each realisation.
void estimate_places(const Solver& solver, const Places& places, Kernel kernel, double lambda, std::size_t n,
                     const std::function<std::vector<double>(const Spectrum&)>& what, std::span<double> value,
                     std::span<double> error);

// Returns one value. Let dn be the error of the number of electrons, and half(k) half the width of the interval mu(n -
// k dn) .. mu(n + k dn). The error is half(1), unless half(k) / k for k = 2, 3 or 4 is larger by more than a half; then
// it is the largest of these. In that case a gap is so near that the density of states at mu(n) does not show it. If
// mu(n) lies in the outer quarters of the interval that gives the error, as at the edge of a gap, the value is the
// middle of this interval. Otherwise it is mu(n). The ends of the interval of the spectrum replace chemical potentials
// that do not exist.
Estimate chemical_potential(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, double electrons,
                            double temperature);

}  // namespace legato::kpm
