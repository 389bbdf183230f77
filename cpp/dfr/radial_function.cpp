#include "dfr/radial_function.hpp"

#include <cmath>

#include "dfr/moments.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {

RadialFunction large_component(int species, double exponent) {
    const int l = l_of(species);
    return {l + 1, exponent, {1.0 / std::sqrt(moment(2 * l + 2, 2.0 * exponent)), 0.0}};
}

RadialFunction small_component(int species, double exponent) {
    const int l = l_of(species), kappa = kappa_of(species);
    // <g^S|g^S> = 4 zeta^2 M(2l+4, 2 zeta) for either sign of kappa: the other terms cancel.
    const double norm = 1.0 / (2.0 * exponent * std::sqrt(moment(2 * l + 4, 2.0 * exponent)));
    return {l, exponent, {(l + 1 + kappa) * norm, -2.0 * exponent * norm}};
}

// The norms are proportional to zeta^((2l+3)/4) and zeta^((2l+1)/4).
GaussianPolynomial<2> large_derivative(int species, double exponent) {
    const RadialFunction g = large_component(species, exponent);
    return {g.power, exponent, {0.25 * (2 * l_of(species) + 3) * g.coefficient[0], -exponent * g.coefficient[0]}};
}

GaussianPolynomial<3> small_derivative(int species, double exponent) {
    const RadialFunction g = small_component(species, exponent);
    const double quarter = 0.25 * (2 * l_of(species) + 1);
    return {g.power,
            exponent,
            {quarter * g.coefficient[0], (quarter + 1.0) * g.coefficient[1] - exponent * g.coefficient[0],
             -exponent * g.coefficient[1]}};
}

}  // namespace legato::dfr
