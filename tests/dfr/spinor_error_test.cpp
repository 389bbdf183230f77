// Tests the part of spinors that a basis cannot represent.
#define BOOST_TEST_MODULE dfr_spinor_error
#include "dfr/spinor_error.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "dfr/candidate.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/optimiser.hpp"
#include "dfr/optimiser_state.hpp"
#include "dfr/radial_function.hpp"
#include "silent_context.hpp"

using namespace legato;
using namespace legato::dfr;
using legato::dfr::tests::context;

namespace {

Candidate candidate_of(int element, int functions) {
    Candidate candidate{
        make_nucleus(element, NuclearModel::gaussian), average_of_configuration(ground_configuration(element)), {}};
    const std::size_t species = candidate.configuration.closed.size();
    candidate.basis = {{WellTempered{0.06, 3.0, 6.0, 1.0}},
                       std::vector<int>(species, 0),
                       std::vector<ExponentRange>(species, ExponentRange{1, functions})};
    return candidate;
}

// Returns the occupied spinors in a large basis.
Start spinors_of(const Candidate& candidate, const Problem& problem = {}) {
    const Start spinors = find_limits(context(), problem, {candidate}).starts[0];
    BOOST_TEST_REQUIRE(spinors != nullptr);
    return spinors;
}

// Returns what is left of a component of a spinor after a fit on a grid.
double left(int species, const std::vector<double>& exponents, const std::vector<double>& of_spinor,
            const double* coefficients, RadialFunction (*component)(int, double)) {
    constexpr std::size_t points = 1500;
    constexpr double step = 0.015;
    Matrix functions(points, exponents.size());
    std::vector<double> values(points);
    for (std::size_t i = 0; i < points; ++i) {
        const double r = std::exp(-15.0 + step * static_cast<double>(i)), root = std::sqrt(step * r);
        for (std::size_t p = 0; p < exponents.size(); ++p)
            functions(i, p) = root * value(component(species, exponents[p]), r);
        for (std::size_t q = 0; q < of_spinor.size(); ++q)
            values[i] += root * coefficients[q] * value(component(species, of_spinor[q]), r);
    }
    return least_squares(functions, values);
}

}  // namespace

// In one Gaussian function, another one with the ratio x of exponents has the overlap (2 x^(1/2) / (1 + x))^(l + 3/2).
BOOST_AUTO_TEST_CASE(one_function) {
    for (const int species : {0, 2, 3}) {
        const auto s = static_cast<std::size_t>(species);
        StartSpinors spinors;
        spinors.exponents.resize(s + 1);
        spinors.large.resize(s + 1);
        spinors.small.resize(s + 1);
        spinors.exponents[s] = {0.7};
        spinors.large[s] = Matrix(1, 1);
        spinors.large[s](0, 0) = 1;
        std::vector<std::vector<double>> exponents(s + 1);
        exponents[s] = {2.1};
        const int l = (species + 1) / 2;
        const double overlap = std::pow(2 * std::sqrt(3.0) / 4.0, l + 1.5);
        BOOST_TEST(spinor_error(spinors, exponents).error == 1 - overlap * overlap,
                   boost::test_tools::tolerance(1e-13));
        exponents[s] = {0.7};
        BOOST_TEST(std::fabs(spinor_error(spinors, exponents).error) < 1e-15);
        exponents[s] = {0.7, 0.7};
        BOOST_TEST(std::isnan(spinor_error(spinors, exponents).error));
    }
}

// The norm of what is missing is that of the rest of a fit on a grid, for both components and signs of kappa.
BOOST_AUTO_TEST_CASE(a_fit_on_a_grid) {
    const Candidate argon = candidate_of(18, 8);
    const Start spinors = spinors_of(argon);
    const auto exponents = exponents_of(argon.basis);
    double sum = 0;
    for (std::size_t s = 0; s < exponents.size(); ++s)
        for (std::size_t a = 0; a < spinors->large[s].columns; ++a) {
            const auto species = static_cast<int>(s);
            sum += left(species, exponents[s], spinors->exponents[s], spinors->large[s].column(a), large_component);
            sum += left(species, exponents[s], spinors->exponents[s], spinors->small[s].column(a), small_component);
        }
    const double error = spinor_error(*spinors, exponents).error;
    BOOST_TEST(error > 1e-3);
    BOOST_TEST(error == sum, boost::test_tools::tolerance(1e-8));
    // The basis of the spinors misses nothing.
    BOOST_TEST(std::fabs(spinor_error(*spinors, spinors->exponents).error) < 1e-12);
}

BOOST_AUTO_TEST_CASE(derivatives) {
    for (const int relativistic : {0, 1}) {
        Problem problem;
        problem.relativistic = relativistic;
        const Candidate neon = candidate_of(10, 6);
        const Start spinors = spinors_of(neon, problem);
        auto exponents = exponents_of(neon.basis);
        const auto gradient = spinor_error(*spinors, exponents).gradient;
        for (std::size_t s = 0; s < exponents.size(); ++s)
            for (double& exponent : exponents[s]) {
                constexpr double step = 1e-3;
                const double at = exponent;
                const auto error = [&](double t) {
                    exponent = at * std::exp(t);
                    return spinor_error(*spinors, exponents).error;
                };
                const double difference =
                    (8 * (error(step) - error(-step)) - (error(2 * step) - error(-2 * step))) / (12 * step);
                exponent = at;
                const double derivative = gradient[s][static_cast<std::size_t>(&exponent - exponents[s].data())];
                BOOST_TEST(std::fabs(derivative - difference) < 1e-11 + 1e-8 * std::fabs(difference));
            }
    }
}

// With spinor_weight, NEWUOA and BFGS find the same optimum of the energy and the error of the spinors. Its energy is
// higher than the lowest one, and the spinors are better.
BOOST_AUTO_TEST_CASE(optimum_of_both) {
    Candidate magnesium = candidate_of(12, 9);
    const Start spinors = spinors_of(magnesium);
    OptimiserResult results[2], of_energy;
    for (const auto method : {OptimiserMethod::newuoa, OptimiserMethod::lbfgs}) {
        OptimiserProblem problem;
        problem.field.kinetic_balance = KineticBalance::extended;
        problem.method = method;
        problem.spinor_weight = 0.02;
        Optimiser optimiser(context(), problem, {magnesium});
        optimiser.run({});
        results[method == OptimiserMethod::lbfgs] = optimiser.result(0);
        problem.spinor_weight = 0;
        if (method == OptimiserMethod::newuoa) continue;
        Optimiser without(context(), problem, {magnesium});
        without.run({});
        of_energy = without.result(0);
    }
    for (const OptimiserResult& result : results) {
        BOOST_TEST((result.status == OptimiserStatus::converged));
        BOOST_TEST(result.spinor_error == spinor_error(*spinors, exponents_of(result.basis)).error,
                   boost::test_tools::tolerance(1e-12));
    }
    const auto value = [](const OptimiserResult& result) {
        return value_of(result.energy, result.spinor_error, result.limit, 0.02);
    };
    BOOST_TEST(std::fabs(value(results[1]) - value(results[0])) < 1e-3 * (value(results[1]) - results[1].limit));
    const double better = spinor_error(*spinors, exponents_of(of_energy.basis)).error;
    BOOST_TEST_MESSAGE("errors of the spinors: " << results[1].spinor_error << " and " << better);
    BOOST_TEST(of_energy.spinor_error == 0.0);
    BOOST_TEST(results[1].energy > of_energy.energy);
    BOOST_TEST(results[1].spinor_error < 0.5 * better);
    BOOST_TEST(value(results[1]) < of_energy.energy + 0.02 * std::fabs(of_energy.limit) * better);
}

// A limit that is given does not save the calculation of the spinors.
BOOST_AUTO_TEST_CASE(spinors_of_a_given_limit) {
    Candidate helium = candidate_of(2, 6);
    helium.limit = -2.8616799956;
    OptimiserProblem problem;
    problem.field.relativistic = 0;
    problem.method = OptimiserMethod::lbfgs;
    problem.spinor_weight = 0.01;
    Optimiser optimiser(context(), problem, {helium});
    optimiser.run({});
    BOOST_TEST((optimiser.result(0).status == OptimiserStatus::converged));
    BOOST_TEST(optimiser.result(0).limit == helium.limit);
    BOOST_TEST(optimiser.result(0).spinor_error > 0);
    BOOST_TEST(optimiser.result(0).spinor_error < 1e-3);
}

// A saved run whose spinors cannot be calculated ends with an error.
BOOST_AUTO_TEST_CASE(a_state_without_spinors) {
    const std::filesystem::path file = "dfr_spinor_error_test.state";
    OptimiserProblem problem;
    problem.field.relativistic = 0;
    problem.spinor_weight = 0.01;
    Optimiser optimiser(context(), problem, {candidate_of(10, 6)});
    for (int i = 0; i < 3; ++i) optimiser.advance();
    std::vector<Candidate> unbound = optimiser.candidates();
    unbound[0].nucleus.charge = 1;
    StateWriter writer("dfr_optimiser", 1);
    put_problem(writer, problem);
    put_candidates(writer, unbound);
    put_records(writer, optimiser.records());
    put_limits(writer, find_limits(context(), problem.field, optimiser.candidates()).limits, 1);
    writer.commit(file);
    const auto resumed = Optimiser::resume(context(), file);
    std::filesystem::remove(file);
    BOOST_CHECK_EXCEPTION(resumed->advance(), Error, [](const Error& error) {
        BOOST_TEST_MESSAGE(error.what());
        return error.status() == Status::numerical_error &&
               std::string(error.what()).starts_with("dfr.candidates[0].limit: ");
    });
}

// A state with a weight needs the errors of the spinors.
BOOST_AUTO_TEST_CASE(a_state_without_errors) {
    const std::filesystem::path file = "dfr_spinor_error_test.state";
    OptimiserProblem problem;
    problem.field.relativistic = 0;
    problem.spinor_weight = 0.01;
    Optimiser optimiser(context(), problem, {candidate_of(2, 6)});
    optimiser.advance();
    const EnergyRecord& record = optimiser.records()[0][0];
    const double limit = optimiser.result(0).limit;
    StateWriter writer("dfr_optimiser", 1);
    put_problem(writer, problem);
    put_candidates(writer, optimiser.candidates());
    put_limits(writer, {{limit, limit * (1 + large_basis_error)}}, 1);
    writer.put("energies/count", std::vector<std::int32_t>{1});
    writer.put("energies/energy", std::vector{record.energy});
    writer.put("energies/kind", std::vector{static_cast<std::int32_t>(record.kind)});
    writer.put("energies/x", record.x);
    writer.commit(file);
    BOOST_CHECK_EXCEPTION(Optimiser::resume(context(), file), Error, [](const Error& error) {
        BOOST_TEST_MESSAGE(error.what());
        return error.status() == Status::bad_file &&
               std::string(error.what()).find("entry energies/spinor_error: found none") != std::string::npos;
    });
    std::filesystem::remove(file);
}
