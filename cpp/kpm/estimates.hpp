// What follows from a solver's moments, with standard errors from the spread of its samples.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kpm/solver.hpp"
#include "kpm/spectrum.hpp"

namespace legato::kpm {

struct Estimate {
    std::vector<double> value, error;  // one standard error; 0 if the value is exact, NaN if the error is unknown
};

inline constexpr std::int64_t mean_of_samples = -1;

// The moments of one sample so far, or their mean.
Spectrum spectrum_of(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda);

// Applies `what`, which is linear in the moments, to the mean or to one sample, and for the errors of the mean to each
// independent sample. Local moments of one Hamiltonian have the error 0. Otherwise the error of one sample, or of the
// mean of one, is NaN.
Estimate estimate(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const Spectrum&)>& what);

// Returns one value. With dn the error of the number of electrons, let half(k) be half the width of the interval
// mu(n - k dn) .. mu(n + k dn). Then the error is half(k) / k, where k is 1 unless half(k) / k for k = 2, 3 or 4 is
// larger by more than a half: then a gap is so near that the density of states at mu(n) says nothing of it. Where
// mu(n) lies in the outer quarters of its interval, as at the edge of a gap, the value is the middle of the interval;
// else it is mu(n). The ends of the interval of the spectrum stand in for numbers that no chemical potential gives.
Estimate chemical_potential(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, double electrons,
                            double temperature);

}  // namespace legato::kpm
