#include "dfr/spinor_error.hpp"

#include <limits>

#include "core/parallel.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

// Subtracts from `error` what one component of the spinors of a species has in common with the functions, and adds to
// the gradient. With the coefficients c = S^-1 u of the projection, u_p = <p|phi>, and p' = dp / d ln zeta_p, the
// derivative of u^T S^-1 u is 2 c_p (<p'|phi> - sum_q c_q <p'|q>).
void project(const std::vector<double>& exponents, const std::vector<double>& of_spinors, const Matrix& spinors,
             int power, double& error, std::vector<double>& gradient) {
    const auto derivative = [&](Matrix overlaps, const std::vector<double>& others) {
        for (std::size_t q = 0; q < overlaps.columns; ++q)
            for (std::size_t p = 0; p < overlaps.rows; ++p)
                overlaps(p, q) *= 0.5 * (power + 0.5) * (others[q] - exponents[p]) / (others[q] + exponents[p]);
        return overlaps;
    };
    const Matrix s = overlap(exponents, exponents, power), t = overlap(exponents, of_spinors, power),
                 u = product(t, spinors);
    Matrix c = u, rest = product(derivative(t, of_spinors), spinors);
    if (!solve_positive(s, c)) error = std::numeric_limits<double>::quiet_NaN();
    error -= trace_product(u, c);
    add(rest, product(derivative(s, exponents), c), -1.0);
    for (std::size_t a = 0; a < c.columns; ++a)
        for (std::size_t p = 0; p < c.rows; ++p) gradient[p] -= 2.0 * c(p, a) * rest(p, a);
}

}  // namespace

SpinorError spinor_error(const StartSpinors& spinors, const std::vector<std::vector<double>>& exponents) {
    SpinorError sum;
    for (std::size_t s = 0; s < exponents.size(); ++s) {
        const int l = l_of(static_cast<int>(s));
        const Matrix &large = spinors.large[s], &small = spinors.small[s];
        std::vector<double> gradient(exponents[s].size());
        double error = static_cast<double>(large.columns);
        if (large.columns > 0) project(exponents[s], spinors.exponents[s], large, l + 1, error, gradient);
        if (small.columns > 0) project(exponents[s], spinors.exponents[s], small, l + 2, error, gradient);
        sum.error += error;
        sum.gradient.push_back(std::move(gradient));
    }
    return sum;
}

std::vector<SpinorError> spinor_errors(const std::vector<Start>& spinors, const std::vector<Atom>& atoms, int threads) {
    std::vector<SpinorError> errors(atoms.size());
    in_parallel(atoms.size(), threads,
                [&](std::size_t i) { errors[i] = spinor_error(*spinors[i], atoms[i].exponents); });
    return errors;
}

}  // namespace legato::dfr
