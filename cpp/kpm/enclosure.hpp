// What shows that a part of the spectrum lies outside the interval [-1, 1] of the rescaled Hamiltonian.
//
// The moments of a start vector are those of a positive density. If its spectrum lies within the interval, then
// |mu_n| <= mu_0, the density is nowhere negative after smoothing with Jackson's positive kernel, and the Toeplitz
// matrix mu_|j-k| is positive semidefinite: with x = cos(theta) it holds the trigonometric moments of a positive
// density in theta. Conversely, moments with these properties belong to a density within the interval, so that no test
// of the first N moments finds more than the Toeplitz matrix of order N. Half as many steps of Lanczos's method with
// the same start vector would not show more either: their Gauss quadrature follows from the same moments.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kpm/bounds.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// What is rounded beside double precision, at most: an element of a vector, relative to it, and a vector relative to
// its norm, when it is stored, and by a whole step.
struct Rounding {
    double element = 0, stored = 0, step = 0;
};

// Of steps that are computed in double precision, whatever the vectors are stored in.
Rounding rounding_of(Precision precision);
// Of a lattice's steps that are computed in single precision, too, as those of a GPU are.
Rounding rounding_in_single(const Lattice& lattice, const Rescaling& rescaling);
Rounding rounding_of(const Problem& problem, const Hamiltonian& hamiltonian, Backend backend, Format format,
                     const Rescaling& rescaling);

// Returns how far rounding moves moment n at most, relative to mu_0, if the spectrum lies within the interval and each
// step rounds its vector by `step`.
double moment_rounding(const Rescaling& rescaling, double step, std::int64_t n);

// Returns a sentence that tells what in the moments of sample number `sample` cannot be if the spectrum lies within the
// interval; an empty string if they do not exclude that. `sites` limits the work to a small part of what the moments
// took.
std::string evidence_of_states_outside(std::span<const double> moments, std::int64_t sample, const Rescaling& rescaling,
                                       const Rounding& rounding, std::int64_t sites);

}  // namespace legato::kpm
