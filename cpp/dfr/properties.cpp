#include "dfr/properties.hpp"

#include <algorithm>
#include <cmath>

#include "dfr/moments.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/radial_function.hpp"

namespace legato::dfr {
namespace {

using Component = RadialFunction (*)(int, double);

double moment_of(const Matrix& coefficients, std::size_t orbital, const std::vector<RadialFunction>& functions,
                 int power) {
    double sum = 0;
    for (std::size_t p = 0; p < coefficients.rows; ++p)
        for (std::size_t q = 0; q < coefficients.rows; ++q) {
            const PairDensity pair = pair_density(functions[p], functions[q]);
            double element = 0;
            for (std::size_t i = 0; i < 3; ++i)
                if (pair.coefficient[i] != 0.0)
                    element +=
                        pair.coefficient[i] * moment(pair.power + 2 * static_cast<int>(i) + power, pair.exponent);
            sum += coefficients(p, orbital) * coefficients(q, orbital) * element;
        }
    return sum;
}

// Returns the sum at r of the functions with these coefficients.
double sum_at(double r, const Matrix& coefficients, std::size_t orbital, const std::vector<RadialFunction>& functions) {
    double sum = 0;
    for (std::size_t p = 0; p < coefficients.rows; ++p) sum += coefficients(p, orbital) * value(functions[p], r);
    return sum;
}

// Adds electrons f(r)^2 for each r, where f is the sum of the functions with these coefficients.
void add_square(const Matrix& coefficients, std::size_t orbital, const std::vector<RadialFunction>& functions,
                double electrons, std::span<const double> r, std::vector<double>& density) {
    for (std::size_t i = 0; i < r.size(); ++i) {
        const double sum = sum_at(r[i], coefficients, orbital, functions);
        density[i] += electrons * sum * sum;
    }
}

std::vector<RadialFunction> functions_of(Component component, int species, const std::vector<double>& exponents) {
    std::vector<RadialFunction> functions;
    functions.reserve(exponents.size());
    for (const double zeta : exponents) functions.push_back(component(species, zeta));
    return functions;
}

// Returns 1 or -1, so that the product with P is positive in the innermost lobe. It begins where |P| first exceeds 1e-6
// of its maximum: further in, the rounding errors of the coefficients of steep functions can exceed P.
double sign_of(const Matrix& large, std::size_t orbital, const std::vector<RadialFunction>& functions) {
    const auto by_exponent = [](const RadialFunction& a, const RadialFunction& b) { return a.exponent < b.exponent; };
    const auto [diffuse, steep] = std::minmax_element(functions.begin(), functions.end(), by_exponent);
    const double first = 0.01 / std::sqrt(steep->exponent), last = 6.0 / std::sqrt(diffuse->exponent);
    std::vector<double> values;
    for (double r = first; r < last; r *= 1.05) values.push_back(sum_at(r, large, orbital, functions));
    double maximum = 0;
    for (const double p : values) maximum = std::max(maximum, std::fabs(p));
    for (const double p : values)
        if (std::fabs(p) > 1e-6 * maximum) return std::copysign(1.0, p);
    return 1.0;
}

}  // namespace

double occupation(const Configuration& configuration, int species, std::size_t orbital) {
    for (const OccupiedShell& shell : occupied_shells(configuration, static_cast<std::size_t>(species)))
        if (shell.index == orbital) return shell.electrons;
    return 0.0;
}

double radial_moment(const Atom& atom, const AtomResult& result, int species, std::size_t orbital, int power) {
    const auto s = static_cast<std::size_t>(species);
    const Species& spinors = result.species[s];
    return moment_of(spinors.large, orbital, functions_of(large_component, species, atom.exponents[s]), power) +
           moment_of(spinors.small, orbital, functions_of(small_component, species, atom.exponents[s]), power);
}

RadialValues radial_functions(const Atom& atom, const AtomResult& result, int species, std::size_t orbital,
                              std::span<const double> r) {
    const auto s = static_cast<std::size_t>(species);
    const Species& spinors = result.species[s];
    const auto large = functions_of(large_component, species, atom.exponents[s]),
               small = functions_of(small_component, species, atom.exponents[s]);
    const double sign = sign_of(spinors.large, orbital, large);
    RadialValues values;
    for (const double at : r) {
        values.large.push_back(sign * sum_at(at, spinors.large, orbital, large));
        values.small.push_back(sign * sum_at(at, spinors.small, orbital, small));
    }
    return values;
}

std::vector<double> radial_density(const Atom& atom, const AtomResult& result, std::span<const double> r) {
    std::vector<double> density(r.size());
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const int species = static_cast<int>(s);
        const Species& spinors = result.species[s];
        const auto large = functions_of(large_component, species, atom.exponents[s]),
                   small = functions_of(small_component, species, atom.exponents[s]);
        for (const OccupiedShell& shell : occupied_shells(atom.configuration, s)) {
            add_square(spinors.large, shell.index, large, shell.electrons, r, density);
            add_square(spinors.small, shell.index, small, shell.electrons, r, density);
        }
    }
    return density;
}

}  // namespace legato::dfr
