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

PairDensity pair_density(const RadialFunction& p, const RadialFunction& q) {
    return {
        p.power + q.power,
        p.exponent + q.exponent,
        {p.coefficient[0] * q.coefficient[0], p.coefficient[0] * q.coefficient[1] + p.coefficient[1] * q.coefficient[0],
         p.coefficient[1] * q.coefficient[1]}};
}

double value(const RadialFunction& function, double r) {
    const double r2 = r * r;
    double power = 1.0;
    for (int i = 0; i < function.power; ++i) power *= r;
    return power * (function.coefficient[0] + function.coefficient[1] * r2) * std::exp(-function.exponent * r2);
}

}  // namespace legato::dfr
