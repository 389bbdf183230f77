#include "fss/least_squares.hpp"

#include <cminpack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/matrix.hpp"

namespace legato::fss {
namespace {

struct Fit {
    const Model& model;
    const Problem& problem;
    std::span<const double> values;
};

// A residual where the model has no value. Its square is finite, so that the minimiser takes a shorter step.
constexpr double no_value = 1e100;

// MINPACK calls this function: flag 1 asks for the residuals, flag 2 for their derivatives, one column for each
// parameter.
int evaluate(void* fit, int data, int parameters, const double* at, double* residuals, double* derivatives, int rows,
             int flag) {
    const auto& [model, problem, values] = *static_cast<const Fit*>(fit);
    const std::span<const double> here(at, static_cast<std::size_t>(parameters));
    const bool valid = model.is_valid(here);
    for (std::size_t i = 0; i < static_cast<std::size_t>(data); ++i) {
        if (flag == 1) {
            const double value = model.value(here, model.fields(here, problem.length[i], problem.control[i]));
            const double residual = (value - values[i]) / problem.error[i];
            residuals[i] = valid && std::fabs(residual) < no_value ? residual : no_value;
            continue;
        }
        std::array<double, Model::most_parameters> gradient;
        model.gradient(here, problem.length[i], problem.control[i], std::span(gradient).first(here.size()));
        for (std::size_t j = 0; j < here.size(); ++j)
            derivatives[j * static_cast<std::size_t>(rows) + i] = gradient[j] / problem.error[i];
    }
    return 0;
}

// Returns true if a change of x_c by the range of the data, of nu to 2 nu or of y to 2 y would change the fitted values
// by their rounding only. Then F is constant to rounding.
bool is_constant(const Fit& fit, std::span<const double> parameters, const Matrix& derivatives) {
    const auto norm = [&](const auto& element) {
        double squares = 0;
        for (std::size_t i = 0; i < fit.values.size(); ++i) squares += element(i) * element(i);
        return std::sqrt(squares);
    };
    const double rounding = 1e-13 * norm([&](std::size_t i) { return fit.values[i] / fit.problem.error[i]; });
    const auto [least, most] = std::minmax_element(fit.problem.control.begin(), fit.problem.control.end());
    const double change_of_y = fit.model.is_corrected() ? parameters[fit.model.irrelevant_exponent()] : 0;
    const std::array changes = {*most - *least, parameters[Model::exponent], change_of_y};
    for (std::size_t j = 0; j < (fit.model.is_corrected() ? 3U : 2U); ++j)
        if (!(norm([&](std::size_t i) { return derivatives(i, j) * changes[j]; }) > rounding)) return true;
    return false;
}

// Returns false if the columns of the derivatives are linearly dependent to rounding, or one of them is 0.
bool are_independent(Matrix scaled) {
    for (std::size_t j = 0; j < scaled.columns; ++j) {
        const std::span column(scaled.column(j), scaled.rows);
        double most = 0, squares = 0;
        for (const double element : column) most = std::max(most, std::fabs(element));
        if (!(most > 0 && std::isfinite(most))) return false;
        for (double& element : column) element /= most;
        for (const double element : column) squares += element * element;
        for (double& element : column) element /= std::sqrt(squares);
    }
    Matrix products = transposed_product(scaled, scaled);
    return diagonalise(products).front() > 1e-14 * static_cast<double>(scaled.columns);
}

}  // namespace

Minimum minimise(const Model& model, const Problem& problem, std::span<const double> values,
                 std::vector<double> parameters, int most) {
    const std::size_t data = values.size(), count = parameters.size();
    Fit fit{model, problem, values};
    Matrix derivatives(data, count);
    std::vector<double> residuals(data), work(5 * count + data);
    std::vector<int> pivots(count);
    double* const scale = work.data();
    int evaluations = 0, derivative_evaluations = 0;
    const int rows = static_cast<int>(data), columns = static_cast<int>(count);
    constexpr double tolerance = 1e-13, first_step = 1;
    const int info =
        lmder(&evaluate, &fit, rows, columns, parameters.data(), residuals.data(), derivatives.values.data(), rows,
              tolerance, tolerance, 0.0, most, scale, 1, first_step, 0, &evaluations, &derivative_evaluations,
              pivots.data(), scale + count, scale + 2 * count, scale + 3 * count, scale + 4 * count, scale + 5 * count);
    Minimum minimum;
    for (const double residual : residuals) minimum.chi2 += residual * residual;
    // 1 to 4: converged; 6 to 8: converged, and the tolerance is below rounding; 5: too many evaluations
    minimum.converged =
        info > 0 && info != 5 && std::isfinite(minimum.chi2) && minimum.chi2 < no_value && model.is_valid(parameters);
    if (minimum.converged) {
        evaluate(&fit, rows, columns, parameters.data(), residuals.data(), derivatives.values.data(), rows, 2);
        minimum.determined = !is_constant(fit, parameters, derivatives) && are_independent(derivatives);
    }
    minimum.parameters = std::move(parameters);
    return minimum;
}

void solve_linear(const Model& model, const Problem& problem, std::span<const std::size_t> data, Start& start) {
    std::vector<double>& parameters = start.parameters;
    parameters.assign(model.parameters(), 0.0);
    parameters[Model::critical_point] = start.critical_point;
    parameters[Model::exponent] = start.exponent;
    if (model.is_corrected()) parameters[model.irrelevant_exponent()] = start.irrelevant_exponent;
    if (model.is_curved()) parameters[model.b2()] = start.b2;
    const std::size_t columns = model.linear();
    Matrix monomials(data.size(), columns);
    std::vector<double> values(data.size()), row(columns);
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t at = data[i];
        model.monomials(model.fields(parameters, problem.length[at], problem.control[at]), row);
        for (std::size_t j = 0; j < columns; ++j) monomials(i, j) = row[j] / problem.error[at];
        values[i] = problem.value[at] / problem.error[at];
    }
    start.chi2 = least_squares(std::move(monomials), values);
    if (!std::isfinite(start.chi2)) return;
    std::copy_n(values.begin(), columns, parameters.end() - static_cast<std::ptrdiff_t>(columns));
}

}  // namespace legato::fss
