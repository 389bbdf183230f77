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

// Projects the spinors of a species on a basis and makes them orthonormal, one after the other. The basis has these
// exponents; the columns of `large` and `small` are the coefficients of its orthonormal functions. Returns the
// spinors over the orthonormal functions, [large.columns + small.columns x occupied].
Matrix projected(const StartSpinors& start, int species, const std::vector<double>& exponents, const Matrix& large,
                 const Matrix& small);

}  // namespace legato::dfr
