#include "dfr/properties.hpp"

#include <cmath>

#include "dfr/moments.hpp"
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

// Adds electrons f(r)^2 for each r, where f is the sum of the functions with these coefficients.
void add_square(const Matrix& coefficients, std::size_t orbital, const std::vector<RadialFunction>& functions,
                double electrons, std::span<const double> r, std::vector<double>& density) {
    if (coefficients.rows == 0) return;
    for (std::size_t i = 0; i < r.size(); ++i) {
        double sum = 0;
        for (std::size_t p = 0; p < functions.size(); ++p) sum += coefficients(p, orbital) * value(functions[p], r[i]);
        density[i] += electrons * sum * sum;
    }
}

std::vector<RadialFunction> functions_of(Component component, int species, const std::vector<double>& exponents) {
    std::vector<RadialFunction> functions;
    functions.reserve(exponents.size());
    for (const double zeta : exponents) functions.push_back(component(species, zeta));
    return functions;
}

}  // namespace

double occupation(const Configuration& configuration, int species, std::size_t orbital) {
    const auto s = static_cast<std::size_t>(species), closed = static_cast<std::size_t>(configuration.closed[s]);
    if (orbital < closed) return degeneracy_of(species);
    return orbital == closed ? configuration.electrons[s] : 0.0;
}

double radial_moment(const Atom& atom, const AtomResult& result, int species, std::size_t orbital, int power) {
    const auto s = static_cast<std::size_t>(species);
    const Species& spinors = result.species[s];
    return moment_of(spinors.large, orbital, functions_of(large_component, species, atom.exponents[s]), power) +
           moment_of(spinors.small, orbital, functions_of(small_component, species, atom.exponents[s]), power);
}

std::vector<double> radial_density(const Atom& atom, const AtomResult& result, std::span<const double> r) {
    std::vector<double> density(r.size());
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const int species = static_cast<int>(s);
        const Species& spinors = result.species[s];
        const auto large = functions_of(large_component, species, atom.exponents[s]),
                   small = functions_of(small_component, species, atom.exponents[s]);
        for (std::size_t a = 0; a < spinors.large.columns; ++a) {
            const double electrons = occupation(atom.configuration, species, a);
            if (electrons == 0.0) break;
            add_square(spinors.large, a, large, electrons, r, density);
            add_square(spinors.small, a, small, electrons, r, density);
        }
    }
    return density;
}

}  // namespace legato::dfr
