// Tests that show that a part of the spectrum lies outside the interval [-1, 1] of the rescaled Hamiltonian.
//
// The moments of a start vector are those of a positive density. If its spectrum lies within the interval, three
// properties follow:
//   - |mu_n| <= mu_0;
//   - the density is nowhere negative after smoothing with Jackson's positive kernel;
//   - the Toeplitz matrix mu_|j-k| is positive semidefinite, because with x = cos(theta) it contains the trigonometric
//     moments of a positive density in theta.
// Conversely, moments with these properties belong to a density within the interval. No test of the first N moments can
// therefore find more than the Toeplitz matrix of order N. Half as many steps of Lanczos's method with the same start
// vector would not show more either, because their Gauss quadrature follows from the same moments.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kpm/bounds.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Upper limits of the rounding errors beyond those of double precision. `element` is the error of an element of a
// vector, relative to this element. `stored` and `step` are errors of a whole vector, relative to its norm: of storing
// it, and of a whole step.
struct Rounding {
    double element = 0, stored = 0, step = 0;
};

// Returns the rounding of steps that are computed in double precision, for any precision of the stored vectors.
Rounding rounding_of(Precision precision);
// Returns the rounding of a lattice's steps that are also computed in single precision, as on a GPU.
Rounding rounding_in_single(const Lattice& lattice, const Rescaling& rescaling);
Rounding rounding_of(const Problem& problem, const Hamiltonian& hamiltonian, Backend backend, Format format,
                     const Rescaling& rescaling);

// Returns the largest change of moment n by rounding, relative to mu_0. It is valid if the spectrum lies within the
// interval and each step rounds its vector by `step`.
double moment_rounding(const Rescaling& rescaling, double step, std::int64_t n);
// Returns whether moment n is at most moment 0, but for rounding, as it is if the spectrum lies within the interval.
bool is_bounded(double moment, double zeroth, const Rescaling& rescaling, double step, std::size_t n);

// Returns a sentence that names a property of the moments of sample number `sample` that is impossible if the spectrum
// lies within the interval. Returns an empty string if there is none. `sites` limits the work to a small part of that
// for the moments.
std::string evidence_of_states_outside(std::span<const double> moments, std::int64_t sample, const Rescaling& rescaling,
                                       const Rounding& rounding, std::int64_t sites);

}  // namespace legato::kpm
