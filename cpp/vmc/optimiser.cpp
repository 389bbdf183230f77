#include "vmc/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/matrix.hpp"
#include "core/parameter.hpp"
#include "vmc/solver.hpp"

namespace legato::vmc {
namespace {

// Largest distance of a survey's states from its centre: 1 - overlap^2.
constexpr double survey_distance = 0.02;
// Largest distance from the survey's centre, in units of its columns. Farther off the survey is repeated, because the
// curvature changes with the parameters. With a distance of 2 the errors were 1.7 times too small for a gap whose
// curvature changes from 0.020 to 0.008 within 1.5 columns.
constexpr double survey_reach = 0.5;
constexpr double survey_doubt = 2;  // the same in units of the position's errors; the larger distance counts

std::vector<std::size_t> free_of(const Optimisation& optimisation) {
    std::vector<std::size_t> free;
    for (std::size_t a = 0; a < variational_parameters; ++a)
        if (optimisation.free[a]) free.push_back(a);
    return free;
}

std::vector<double> gradient_of(const OptimisationStep& step, const std::vector<std::size_t>& free) {
    std::vector<double> g(free.size());
    std::transform(free.begin(), free.end(), g.begin(), [&](std::size_t a) { return step.gradient[a].mean; });
    return g;
}

Matrix free_part(const ParameterMatrix& matrix, const std::vector<std::size_t>& free) {
    Matrix part(free.size(), free.size());
    for (std::size_t i = 0; i < free.size(); ++i)
        for (std::size_t j = 0; j < free.size(); ++j) part(i, j) = matrix[free[i]][free[j]];
    return part;
}

void add_to(Matrix& sum, const Matrix& m, double factor) {
    for (std::size_t i = 0; i < m.values.size(); ++i) sum.values[i] += factor * m.values[i];
}

double dot(const std::vector<double>& x, const std::vector<double>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

std::vector<double> column_of(const Matrix& m, std::size_t j) {
    return {m.column(j), m.column(j) + m.rows};
}

// Returns the sum of the columns times coefficients. products() returns the scalar products of the columns with a
// vector.
std::vector<double> combined(const Matrix& columns, const std::vector<double>& z) {
    std::vector<double> x(columns.rows);
    for (std::size_t j = 0; j < columns.columns; ++j)
        for (std::size_t i = 0; i < columns.rows; ++i) x[i] += columns(i, j) * z[j];
    return x;
}
std::vector<double> products(const Matrix& columns, const std::vector<double>& x) {
    std::vector<double> z;
    for (std::size_t j = 0; j < columns.columns; ++j) z.push_back(dot(column_of(columns, j), x));
    return z;
}

bool has_no_gradient(const OptimisationStep& step) {
    return std::all_of(step.gradient.begin(), step.gradient.end(),
                       [](const statistics::Estimate& g) { return g.mean == 0 && g.error == 0; });
}

// Returns the inverse of a symmetric matrix with positive eigenvalues.
Matrix inverse(const Matrix& m) {
    Matrix all(m.rows, m.rows);
    for (std::size_t j = 0; j < m.rows; ++j) {
        std::vector<double> unit(m.rows);
        unit[j] = 1;
        if (!solve_symmetric(m, unit))
            fail(Status::numerical_error, "vmc.optimiser: the matrix of curvatures is singular");
        std::copy(unit.begin(), unit.end(), all.column(j));
    }
    return all;
}

// The eigenvectors of the metric of the free parameters that change the state, and their eigenvalues.
struct Directions {
    Matrix vectors;  // columns
    std::vector<double> values;
};

// Returns the directions that change the state. If the state depends on fewer combinations than there are parameters,
// rounding leaves a remainder of the metric along the others. By the Cauchy-Schwarz inequality it is at most the square
// of sum |v| sqrt(rounding). Along an eigenvalue of 1e-8 the parameters would have to move 10^4 times farther than
// along the largest for the same change of the state. No step reaches so far, but the error of the gradient, which is
// proportional to the square root of the eigenvalue, would still move them.
Directions directions_of(const Gradient& gradient, const std::vector<std::size_t>& free) {
    constexpr double least = 1e-8;  // smallest eigenvalue in units of the largest
    Matrix vectors = free_part(gradient.metric, free);
    const std::vector<double> values = diagonalise(vectors);
    Directions directions{Matrix(free.size(), 0), {}};
    for (std::size_t a = 0; a < values.size(); ++a) {
        double rounding = 0;
        for (std::size_t i = 0; i < free.size(); ++i)
            rounding += std::abs(vectors(i, a)) * std::sqrt(gradient.rounding[free[i]]);
        if (values[a] <= std::max(rounding * rounding, least * values.back())) continue;
        directions.values.push_back(values[a]);
        directions.vectors.values.insert(directions.vectors.values.end(), vectors.column(a), vectors.column(a + 1));
        ++directions.vectors.columns;
    }
    return directions;
}

// Returns V^T M V for the directions V.
Matrix projected(const Matrix& vectors, const Matrix& m) {
    return transposed_product(vectors, product(m, vectors));
}

// Solves (S + shift diag S) x = g within the directions that change the state.
std::array<double, variational_parameters> direction(const Gradient& gradient, const Optimisation& o) {
    const std::vector<std::size_t> free = free_of(o);
    const Matrix vectors = directions_of(gradient, free).vectors;
    Matrix metric = free_part(gradient.metric, free);
    std::vector<double> g;
    for (std::size_t i = 0; i < free.size(); ++i) {
        metric(i, i) *= 1 + o.shift;
        g.push_back(gradient.energy[free[i]].mean);
    }
    std::vector<double> x = products(vectors, g);
    if (!x.empty() && !solve_symmetric(projected(vectors, metric), x))
        fail(Status::numerical_error, "vmc.optimiser.shift: ", o.shift,
             " leaves the metric of the parameters singular");
    const std::vector<double> moves = combined(vectors, x);
    std::array<double, variational_parameters> all{};
    for (std::size_t i = 0; i < free.size(); ++i) all[free[i]] = moves[i];
    return all;
}

// chi^2 of values against 0, by the covariance of their errors, within the combinations that have errors.
struct ChiSquare {
    double value = 0;
    std::size_t freedom = 0;
};

ChiSquare chi_square(Matrix covariance, const std::vector<double>& values) {
    // The same bound as in directions_of(). The covariance has no more directions than the metric.
    constexpr double least = 1e-8;
    const std::vector<double> variances = diagonalise(covariance), along = products(covariance, values);
    ChiSquare sum;
    for (std::size_t a = 0; a < variances.size(); ++a) {
        if (variances[a] <= 0 || variances[a] <= least * variances.back()) continue;
        sum.value += along[a] * along[a] / variances[a];
        ++sum.freedom;
    }
    return sum;
}

}  // namespace

double& parameter_of(PairParameters& pair, std::size_t parameter) {
    switch (static_cast<Parameter>(parameter)) {
        case Parameter::delta:
            return pair.delta;
        case Parameter::mu:
            return pair.mu;
        case Parameter::t_prime:
            return pair.variational_t_prime;
        default:
            return pair.variational_t_double_prime;
    }
}

void validate(const Optimisation& o) {
    Problem problem = o.problem;
    problem.gradients = true;
    validate(problem);
    require_integer("vmc.optimiser.free", static_cast<std::int64_t>(free_of(o).size()), 1, variational_parameters);
    require_parameters("vmc.optimiser", o);
    if (problem.bins == 1 && problem.chains == 1)
        fail(Status::invalid_argument,
             "vmc.params.bins: 1 with vmc.params.chains = 1; allowed are 2 to 1048576: the "
             "errors of an optimisation's gradients are unknown with a single bin");
}

Optimiser::Optimiser(Context& context, const Optimisation& optimisation)
    : context_(context), optimisation_(optimisation) {
    validate(optimisation);
    Comparison comparison;
    add_problem(comparison, optimisation.problem);
    comparison.add_parameters("vmc.optimiser", optimisation);
    comparison.require_same(context);
    optimisation_.problem.gradients = true;
    optimisation_.problem.gradients_by = optimisation.free;
    for (std::size_t a = 0; a < variational_parameters; ++a) next_[a] = parameter_of(optimisation_.problem.pair, a);
}

// Returns the survey whose steps come right before the refinement. Q = D^T H D follows from H d = (G(+) - G(-)) / 2 for
// the columns d of D. If no refinement step has a gradient, there was no survey, and D has no columns.
std::optional<Optimiser::Survey> Optimiser::latest_survey() const {
    const std::vector<std::size_t> free = free_of(optimisation_);
    const std::size_t n = free.size(), end = steps_.size() - refinements();
    std::size_t first = end;
    while (first > 0 && steps_[first - 1].stage == Stage::survey) --first;
    const std::size_t columns = (end - first) / 2;
    const bool under_way = !planned_.empty() || (end - first) % 2 != 0;
    const bool none = refinements() > 0 && std::all_of(steps_.end() - static_cast<std::ptrdiff_t>(refinements()),
                                                       steps_.end(), has_no_gradient);
    if (under_way || (columns == 0 && !none)) return std::nullopt;
    Survey survey{std::vector<double>(n), Matrix(n, columns), Matrix(columns, columns), {}, true};
    if (columns == 0) return survey;
    Matrix changes(n, columns);
    std::vector<double> errors;
    for (std::size_t a = 0; a < columns; ++a) {
        const OptimisationStep &plus = steps_[first + 2 * a], &minus = steps_[first + 2 * a + 1];
        for (std::size_t i = 0; i < n; ++i) {
            survey.centre[i] = (plus.parameters[free[i]] + minus.parameters[free[i]]) / 2;
            survey.columns(i, a) = (plus.parameters[free[i]] - minus.parameters[free[i]]) / 2;
            changes(i, a) = (plus.gradient[free[i]].mean - minus.gradient[free[i]].mean) / 2;
        }
        const std::vector<double> d = column_of(survey.columns, a);
        survey.covariances.push_back(free_part(plus.covariance, free));
        add_to(survey.covariances.back(), free_part(minus.covariance, free), 1);
        for (double& element : survey.covariances.back().values) element /= 4;
        errors.push_back(std::sqrt(dot(d, combined(survey.covariances.back(), d))));
    }
    const Matrix q = transposed_product(survey.columns, changes);
    for (std::size_t a = 0; a < columns; ++a) {
        for (std::size_t b = 0; b < columns; ++b) survey.curvature(a, b) = (q(a, b) + q(b, a)) / 2;
        survey.resolved = survey.resolved && q(a, a) > 2 * errors[a];
    }
    Matrix vectors = survey.curvature;
    survey.resolved = survey.resolved && diagonalise(vectors).front() > 0;
    return survey;
}

std::size_t Optimiser::refinements() const {
    std::size_t count = 0;
    while (count < steps_.size() && steps_[steps_.size() - 1 - count].stage == Stage::refinement) ++count;
    return count;
}

bool Optimiser::is_quiet(const OptimisationStep& step, const Survey* survey) const {
    const std::vector<std::size_t> free = free_of(optimisation_);
    const double most = optimisation_.significance;
    for (const statistics::Estimate& g : step.gradient)
        if (std::abs(g.mean) > most * g.error) return false;
    const std::vector<double> g = gradient_of(step, free);
    const ChiSquare all = chi_square(free_part(step.covariance, free), g);
    if (all.value > most * most * static_cast<double>(all.freedom)) return false;
    if (!survey) return true;
    const std::vector<double> along = products(survey->columns, g);
    return dot(along, combined(inverse(survey->curvature), along)) / 2 <= step.energy.error;
}

bool Optimiser::has_converged() const {
    const auto quiet = static_cast<std::size_t>(optimisation_.quiet_steps);
    if (refinements() < quiet) return false;
    const std::optional<Survey> survey = latest_survey();
    if (!survey) return false;  // a new survey is under way: the last one was too far off
    return std::all_of(steps_.end() - static_cast<std::ptrdiff_t>(quiet), steps_.end(),
                       [&](const OptimisationStep& s) { return is_quiet(s, &*survey); });
}

bool Optimiser::finished() const {
    return converged() || std::ssize(steps_) >= optimisation_.steps;
}

Progress Optimiser::progress() const {
    return {std::ssize(steps_), optimisation_.steps, sweeps_};
}

// Every step has random numbers of its own.
Problem Optimiser::problem_of_next() const {
    Problem problem = optimisation_.problem;
    for (std::size_t a = 0; a < variational_parameters; ++a) parameter_of(problem.pair, a) = next_[a];
    if (optimisation_.seeds_of_steps)
        problem.seed = static_cast<std::int64_t>(static_cast<std::uint64_t>(problem.seed) + steps_.size());
    else
        problem.run = static_cast<std::uint32_t>(steps_.size());
    for (int level = 0; level < level_; ++level) problem.sweeps_per_bin *= optimisation_.refinement;
    return problem;
}

bool Optimiser::step(Reporter& reporter) {
    if (finished()) return true;
    Solver solver(context_, problem_of_next());
    const std::int64_t before = sweeps_;
    solver.run([&](const Progress& of_step) {
        sweeps_ = before + of_step.cycles_done;
        reporter.report();
        return true;
    });
    const Gradient gradient = solver.gradient();
    OptimisationStep step{next_, solver.averages().energy, no_gradient, stage_, gradient.covariance};
    for (const std::size_t a : free_of(optimisation_)) {
        step.gradient[a] = gradient.energy[a];
        if (std::isnan(gradient.energy[a].error))
            fail(Status::numerical_error, "vmc.optimiser: the chains of step ", steps_.size(),
                 " have hardly moved, so that the errors of its gradient are unknown; begin with other parameters of "
                 "the state");
    }
    take(step, gradient);
    context_.log(LogLevel::info, text("vmc: step ", steps_.size(), ", delta ", step.parameters[0], ", mu ",
                                      step.parameters[1], ", t' ", step.parameters[2], ", t'' ", step.parameters[3],
                                      ": energy ", step.energy.mean, " +- ", step.energy.error));
    reporter.report();
    return true;
}

// Appends a step and plans the next one. If the planning throws, the step is removed and can be repeated.
void Optimiser::take(const OptimisationStep& step, const Gradient& gradient) {
    std::vector<Parameters> planned = planned_;
    const Parameters next = next_;
    const auto stage = stage_;
    const int level = level_;
    steps_.push_back(step);
    try {
        plan(gradient);
        share_plan();
    } catch (...) {
        steps_.pop_back();
        planned_ = std::move(planned);
        next_ = next;
        stage_ = stage;
        level_ = level;
        throw;
    }
}

// Takes the plan of rank 0, because eigenvectors may differ in their last digits between processors.
void Optimiser::share_plan() {
    steps_.back().stage = of_first_rank(context_, steps_.back().stage);
    stage_ = of_first_rank(context_, stage_);
    level_ = of_first_rank(context_, level_);
    next_ = of_first_rank(context_, next_);
    take_of_first_rank(context_, planned_);
    converged_ = of_first_rank(context_, has_converged());
}

// Chooses the next step. If the state depends on none of the free parameters, there is nothing to survey, and the stage
// is the refinement.
void Optimiser::plan(const Gradient& gradient) {
    if (stage_ == Stage::survey) return end_survey();
    if (stage_ == Stage::refinement && latest_survey()) return refine(gradient);
    const bool none = directions_of(gradient, free_of(optimisation_)).values.empty();
    stage_ = steps_.back().stage = none ? Stage::refinement : Stage::descent;
    if (none) return;
    if (!is_quiet(steps_.back(), nullptr)) return descend(gradient);
    level_ = std::max(level_, 1);
    begin_survey(gradient);
}

// Changes the next parameters, by at most largest_move. The gap keeps its sign: at 0 the state has another number of
// divergent amplitudes.
void Optimiser::move_by(Parameters moves) {
    double longest = 0;
    for (const double m : moves) longest = std::max(longest, std::abs(m));
    const double shorter = longest > optimisation_.largest_move ? optimisation_.largest_move / longest : 1;
    const double delta = next_[0];
    for (std::size_t a = 0; a < variational_parameters; ++a) next_[a] += shorter * moves[a];
    if (next_[0] / delta < 0.5) next_[0] = delta / 2;
}

void Optimiser::descend(const Gradient& gradient) {
    const double factor = optimisation_.time * static_cast<double>(sites_of(optimisation_.problem.lattice)) / 2;
    Parameters moves = direction(gradient, optimisation_);
    for (double& m : moves) m *= -factor;
    move_by(moves);
}

// Plans pairs of points along each eigenvector of the metric. Their distance is chosen so that the state changes by the
// same amount along each of them, but not so far that the curvature changes much with the gap.
void Optimiser::begin_survey(const Gradient& gradient) {
    const std::vector<std::size_t> free = free_of(optimisation_);
    const auto [vectors, values] = directions_of(gradient, free);
    std::vector<Parameters> points;
    for (std::size_t a = 0; a < values.size(); ++a) {
        double length = optimisation_.largest_move / 2;
        if (values[a] * length * length > survey_distance) length = std::sqrt(survey_distance / values[a]);
        if (free[0] == 0) length = std::min(length, std::abs(next_[0] / (4 * vectors(0, a))));
        for (const double side : {1.0, -1.0}) {
            points.push_back(next_);
            for (std::size_t i = 0; i < free.size(); ++i) points.back()[free[i]] += side * length * vectors(i, a);
        }
    }
    stage_ = Stage::survey;
    next_ = points.front();
    planned_.assign(points.begin() + 1, points.end());
}

void Optimiser::end_survey() {
    if (!planned_.empty()) {
        next_ = planned_.front();
        planned_.erase(planned_.begin());
        return;
    }
    stage_ = Stage::refinement;
    const std::vector<std::size_t> free = free_of(optimisation_);
    const std::optional<Survey> survey = latest_survey();
    for (std::size_t i = 0; i < free.size(); ++i) next_[free[i]] = survey->centre[i];
    if (survey->resolved) return;
    stage_ = Stage::descent;
    level_ = std::min(level_ + 1, highest_optimisation_level);
}

// Moves to the mean of the minima that the refinement's steps predict, each from its gradient. If the minimum is too
// far from the survey's centre, a new survey begins.
void Optimiser::refine(const Gradient& gradient) {
    const std::vector<std::size_t> free = free_of(optimisation_);
    const Survey survey = *latest_survey();
    const Matrix inverse_curvature = inverse(survey.curvature);
    const std::size_t count = refinements();
    Parameters moves{};
    for (std::size_t step = steps_.size() - count; step < steps_.size(); ++step) {
        const std::vector<double> along = products(survey.columns, gradient_of(steps_[step], free));
        const std::vector<double> newton = combined(survey.columns, combined(inverse_curvature, along));
        for (std::size_t i = 0; i < free.size(); ++i)
            moves[free[i]] +=
                (steps_[step].parameters[free[i]] - newton[i] - next_[free[i]]) / static_cast<double>(count);
    }
    move_by(moves);
    std::vector<double> off;
    for (std::size_t i = 0; i < free.size(); ++i) off.push_back(next_[free[i]] - survey.centre[i]);
    const std::vector<double> along = products(survey.columns, off);
    const Matrix of_gradient = projected(survey.columns, slope_of(survey, count).covariance),
                 of_place = product(product(inverse_curvature, of_gradient), inverse_curvature);
    for (std::size_t a = 0; a < along.size(); ++a) {
        const std::vector<double> column = column_of(survey.columns, a);
        const double reach = std::max(survey_reach, survey_doubt * std::sqrt(of_place(a, a)));
        if (std::abs(along[a]) > reach * dot(column, column)) return begin_survey(gradient);
    }
}

Optimiser::Slope Optimiser::slope_of(const Survey& survey, std::size_t last) const {
    const std::vector<std::size_t> free = free_of(optimisation_);
    const std::size_t n = free.size();
    const auto share = 1 / static_cast<double>(last);
    Slope slope{std::vector<double>(n), Matrix(n, n)};
    for (std::size_t step = steps_.size() - last; step < steps_.size(); ++step) {
        add_to(slope.covariance, free_part(steps_[step].covariance, free), share * share);
        for (std::size_t i = 0; i < n; ++i) slope.gradient[i] += steps_[step].gradient[free[i]].mean * share;
    }
    const std::vector<double> way = combined(inverse(survey.curvature), products(survey.columns, slope.gradient));
    for (std::size_t a = 0; a < way.size(); ++a) add_to(slope.covariance, survey.covariances[a], way[a] * way[a]);
    return slope;
}

Optimum Optimiser::optimum() const {
    Optimum optimum;
    for (std::size_t a = 0; a < variational_parameters; ++a)
        optimum.parameters[a] = {steps_.empty() ? next_[a] : steps_.back().parameters[a], 0};
    const std::vector<std::size_t> free = free_of(optimisation_);
    if (!converged()) {
        for (const std::size_t a : free) {
            optimum.parameters[a].error = statistics::unknown;
            for (const std::size_t b : free) optimum.covariance[a][b] = optimum.curvature[a][b] = statistics::unknown;
        }
        return optimum;
    }
    const std::size_t n = free.size(), count = static_cast<std::size_t>(optimisation_.quiet_steps);
    const auto share = 1 / static_cast<double>(count);
    const Survey survey = *latest_survey();
    const auto [gradient, errors] = slope_of(survey, count);
    std::vector<double> mean(n);
    for (std::size_t step = steps_.size() - count; step < steps_.size(); ++step)
        for (std::size_t i = 0; i < n; ++i) mean[i] += steps_[step].parameters[free[i]] * share;
    // H^-1 = D Q^-1 D^T and H = D^-T Q D^-1. The columns of D are orthogonal: D^-1 is D^T with each row divided by the
    // squared length of the column.
    const Matrix inverse_h = product_transposed(product(survey.columns, inverse(survey.curvature)), survey.columns);
    Matrix scaled = survey.columns;
    for (std::size_t a = 0; a < scaled.columns; ++a) {
        const std::vector<double> column = column_of(survey.columns, a);
        for (std::size_t i = 0; i < n; ++i) scaled(i, a) /= dot(column, column);
    }
    const Matrix h = product_transposed(product(scaled, survey.curvature), scaled);
    const Matrix covariance = product(product(inverse_h, errors), inverse_h);
    const std::vector<double> newton = combined(inverse_h, gradient);
    optimum.gain = dot(gradient, newton) / 2;
    for (std::size_t i = 0; i < n; ++i) {
        optimum.parameters[free[i]] = {mean[i] - newton[i], std::sqrt(covariance(i, i))};
        for (std::size_t j = 0; j < n; ++j) {
            optimum.covariance[free[i]][free[j]] = covariance(i, j);
            optimum.curvature[free[i]][free[j]] = h(i, j);
        }
    }
    return optimum;
}

std::array<double, variational_parameters> Optimiser::parameters() const {
    Parameters means{};
    const Optimum found = optimum();
    for (std::size_t a = 0; a < variational_parameters; ++a) means[a] = found.parameters[a].mean;
    return means;
}

}  // namespace legato::vmc
