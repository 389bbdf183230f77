// Spinors with which the iterations of an atom begin.
#pragma once

#include <memory>
#include <vector>

#include "core/matrix.hpp"

namespace legato::dfr {

// The occupied spinors of the same atom in another basis. `small` is empty without relativity.
struct StartSpinors {
    std::vector<std::vector<double>> exponents;  // [species][function] of the other basis
    std::vector<Matrix> large, small;            // [species] [functions x occupied shells]
};

using Start = std::shared_ptr<const StartSpinors>;  // null: the iterations begin with a screened nucleus

// Returns the overlap of functions r^power exp(-zeta r^2) that are normalised to 1, [to x from]. The overlap of small
// components has the same form, with the power l + 2.
Matrix overlap(const std::vector<double>& to, const std::vector<double>& from, int power);

// Projects the spinors of a species on a basis and makes them orthonormal, one after the other. The basis has these
// exponents; the columns of `large` and `small` are the coefficients of its orthonormal functions. Returns the
// spinors over the orthonormal functions, [large.columns + small.columns x occupied].
Matrix projected(const StartSpinors& start, int species, const std::vector<double>& exponents, const Matrix& large,
                 const Matrix& small);

}  // namespace legato::dfr
