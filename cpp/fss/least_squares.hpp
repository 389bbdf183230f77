// Weighted nonlinear least squares: the parameters at which chi^2 of a model is smallest. The minimiser is the method
// of Levenberg and Marquardt of MINPACK (J. J. More, in Numerical Analysis, Lecture Notes in Mathematics 630 (1978)).
#pragma once

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

// Finds the minimum for values[data] from the given parameters, which must be valid. All else of the data is that of
// the problem.
Minimum minimise(const Model& model, const Problem& problem, std::span<const double> values,
                 std::vector<double> parameters);

// Returns the parameters with given x_c, nu and y, b = c = 0 and the best a_jk for them, which solve a linear problem.
// It uses every `stride`-th datum. `chi2` becomes infinite if there is no solution.
std::vector<double> linear_start(const Model& model, const Problem& problem, std::size_t stride, double critical_point,
                                 double exponent, double irrelevant_exponent, double& chi2);

}  // namespace legato::fss
