#include "dfr/properties.hpp"

#include <cmath>

#include "dfr/moments.hpp"
#include "dfr/radial_function.hpp"

namespace legato::dfr {
namespace {

using Component = RadialFunction (*)(int, double);

double moment_of(const Matrix& coefficients, std::size_t orbital, int species, const std::vector<double>& exponents,
                 Component component, int power) {
    double sum = 0;
    for (std::size_t p = 0; p < coefficients.rows; ++p)
        for (std::size_t q = 0; q < coefficients.rows; ++q) {
            const PairDensity pair = pair_density(component(species, exponents[p]), component(species, exponents[q]));
            double element = 0;
            for (std::size_t i = 0; i < 3; ++i)
                if (pair.coefficient[i] != 0.0)
                    element +=
                        pair.coefficient[i] * moment(pair.power + 2 * static_cast<int>(i) + power, pair.exponent);
            sum += coefficients(p, orbital) * coefficients(q, orbital) * element;
        }
    return sum;
}

double value_of(const Matrix& coefficients, std::size_t orbital, int species, const std::vector<double>& exponents,
                Component component, double r) {
    double sum = 0;
    for (std::size_t p = 0; p < coefficients.rows; ++p)
        sum += coefficients(p, orbital) * value(component(species, exponents[p]), r);
    return sum;
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
    double sum = moment_of(spinors.large, orbital, species, atom.exponents[s], large_component, power);
    if (spinors.small.rows > 0)
        sum += moment_of(spinors.small, orbital, species, atom.exponents[s], small_component, power);
    return sum;
}

double radial_density(const Atom& atom, const AtomResult& result, double r) {
    double sum = 0;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const int species = static_cast<int>(s);
        const Species& spinors = result.species[s];
        for (std::size_t a = 0; a < spinors.large.columns; ++a) {
            const double electrons = occupation(atom.configuration, species, a);
            if (electrons == 0.0) break;
            const double large = value_of(spinors.large, a, species, atom.exponents[s], large_component, r);
            const double small = spinors.small.rows == 0
                                     ? 0.0
                                     : value_of(spinors.small, a, species, atom.exponents[s], small_component, r);
            sum += electrons * (large * large + small * small);
        }
    }
    return sum;
}

}  // namespace legato::dfr
