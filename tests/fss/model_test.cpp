// The scaling function: its value by the formulas of the header, and its derivatives by differences.
#define BOOST_TEST_MODULE fss_model
#include "fss/model.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

using namespace legato::fss;

namespace {

Params orders(int n1, int n2, int m1, int m2) {
    Params params;
    params.relevant_order = n1;
    params.irrelevant_order = n2;
    params.relevant_expansion = m1;
    params.irrelevant_expansion = m2;
    return params;
}

// x_c, nu, y, and different small numbers for all other parameters
std::vector<double> some_parameters(const Model& model) {
    std::vector<double> parameters(model.parameters());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        parameters[i] = 0.3 * std::cos(1.7 * static_cast<double>(i) + 1);
    parameters[Model::critical_point] = 2.5;
    parameters[Model::exponent] = 1.4;
    if (model.is_corrected()) parameters[model.irrelevant_exponent()] = -0.8;
    return parameters;
}

// The formulas of capi/include/legato/fss.h, term by term.
double value_by_terms(const Params& p, const std::vector<double>& parameters, double size, double control) {
    std::size_t next = 0;
    const double w = control - parameters[next++], nu = parameters[next++];
    const double y = p.irrelevant_order > 0 ? parameters[next++] : 0;
    double u1 = w, u2 = 1;
    for (int j = 2; j <= p.relevant_expansion; ++j) u1 += parameters[next++] * std::pow(w, j);
    for (int j = 1; j <= p.irrelevant_expansion; ++j) u2 += parameters[next++] * std::pow(w, j);
    const double phi1 = u1 * std::pow(size, 1 / nu), phi2 = u2 * std::pow(size, y);
    double sum = 0;
    for (int k = 0; k <= p.irrelevant_order; ++k)
        for (int j = 0; j <= p.relevant_order; ++j) sum += parameters[next++] * std::pow(phi1, j) * std::pow(phi2, k);
    BOOST_TEST(next == parameters.size());
    return sum;
}

const std::vector<Params> all_orders = {orders(1, 0, 1, 0), orders(3, 0, 2, 0), orders(12, 0, 8, 0),
                                        orders(3, 1, 2, 0), orders(4, 2, 3, 2), orders(12, 4, 8, 8)};

}  // namespace

BOOST_AUTO_TEST_CASE(values) {
    for (const Params& params : all_orders) {
        const Model model(params);
        BOOST_TEST(model.parameters() <= Model::most_parameters);
        const std::vector<double> parameters = some_parameters(model);
        for (const double size : {1.0, 4.0, 11.0})
            for (const double control : {2.5, 2.1, 3.2}) {
                const double expected = value_by_terms(params, parameters, size, control);
                BOOST_TEST(model.value(parameters, model.fields(parameters, size, control)) == expected,
                           boost::test_tools::tolerance(1e-11));
            }
    }
}

BOOST_AUTO_TEST_CASE(derivatives) {
    for (const Params& params : all_orders) {
        const Model model(params);
        const std::vector<double> parameters = some_parameters(model);
        const double size = 3, control = 2.9;
        std::vector<double> gradient(parameters.size());
        model.gradient(parameters, size, control, gradient);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const auto at = [&](double shift) {
                std::vector<double> shifted = parameters;
                shifted[i] += shift;
                return value_by_terms(params, shifted, size, control);
            };
            // Central differences with two steps; the error is of the order of the fourth power of the step.
            const double h = 1e-3;
            const double difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            BOOST_TEST(std::fabs(gradient[i] - difference) < 1e-7 * (1 + std::fabs(difference)),
                       "parameter " << i << ": " << gradient[i] << " is not " << difference);
        }
    }
}
