// Weighted nonlinear least squares: the parameters at which chi^2 of a model is smallest. The minimiser is the method
// of Levenberg and Marquardt of MINPACK (J. J. More, in Numerical Analysis, Lecture Notes in Mathematics 630 (1978)).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fss/model.hpp"
#include "fss/problem.hpp"

namespace legato::fss {

struct Minimum {
    bool converged = false;
    double chi2 = 0;
    std::vector<double> parameters;
    bool determined = true;  // false: to rounding, chi^2 does not depend on a combination of the parameters
};

// Finds a minimum for values[data] from the given parameters, which must be valid. All else of the data is that of the
// problem. It has not converged if chi^2 was evaluated more than `most` times.
Minimum minimise(const Model& model, const Problem& problem, std::span<const double> values,
                 std::vector<double> parameters, int most);

// A start of a search: x_c, nu, y and b_2. All other b and c are 0.
struct Start {
    double critical_point = 0, exponent = 1, irrelevant_exponent = -1, b2 = 0;
    double chi2 = 0;                 // with the best a_jk; infinite if there are none
    std::vector<double> parameters;  // with them
};

// Finds the best a_jk of a start, which solve a linear problem. `data` are the numbers of the data to use.
void solve_linear(const Model& model, const Problem& problem, std::span<const std::size_t> data, Start& start);

}  // namespace legato::fss
