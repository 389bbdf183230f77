// Numerical solutions of the Dirac equation for one electron in 1s1/2, without basis functions.
#pragma once

#include <cmath>

namespace legato::dfr::tests {

// Integrates the Riccati equation of u = Q/P for s1/2 over x = ln r by the classical Runge-Kutta method.
template <class Potential>
long double riccati(const Potential& potential, long double c, long double energy, long double u, long double from,
                    long double to, int steps) {
    using Real = long double;
    const auto slope = [&](Real x, Real y) {
        const Real r = std::exp(x), e = (energy - potential(r)) / c;
        return -2 * y - r * (e + (2 * c + e) * y * y);
    };
    const Real h = (to - from) / steps;
    for (int i = 0; i < steps; ++i) {
        const Real x = from + i * h, k1 = slope(x, u), k2 = slope(x + h / 2, u + h / 2 * k1),
                   k3 = slope(x + h / 2, u + h / 2 * k2), k4 = slope(x + h, u + h * k3);
        u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return u;
}

// Returns the energy of 1s from numerical solutions outwards and inwards that meet at r = 1/Z. `potential(r)` is -z/r
// outside of the nucleus, and finite at r = 0.
template <class Potential>
long double numerical_1s(const Potential& potential, long double z, long double c, int steps) {
    using Real = long double;
    const Real first = 1e-9L, last = 60 / z, matching = -std::log(z);
    const auto mismatch = [&](Real energy) {
        const Real start = -(energy - potential(first)) / (3 * c) * first;
        const Real decay = std::sqrt(-energy * (2 + energy / (c * c)));
        const Real end = -decay / (2 * c + energy / c);
        return riccati(potential, c, energy, start, std::log(first), matching, steps) -
               riccati(potential, c, energy, end, std::log(last), matching, steps);
    };
    const Real a = z / c, point = -z * z / (1 + std::sqrt(std::fmax(1 - a * a, Real(0))));
    Real x0 = point * 0.999L, x1 = point * 0.998L, f0 = mismatch(x0), f1 = mismatch(x1);
    for (int i = 0; i < 30 && std::fabs(x1 - x0) > 1e-15L * std::fabs(x1); ++i) {
        const Real next = x1 - f1 * (x1 - x0) / (f1 - f0);
        x0 = x1;
        f0 = f1;
        x1 = next;
        f1 = mismatch(x1);
    }
    return x1;
}

// Extrapolates the energy, whose error is of fourth order in the step.
template <class Potential>
long double extrapolated_1s(const Potential& potential, long double z, long double c, int steps = 2000) {
    const long double coarse = numerical_1s(potential, z, c, steps), fine = numerical_1s(potential, z, c, 2 * steps);
    return fine + (fine - coarse) / 15;
}

}  // namespace legato::dfr::tests
