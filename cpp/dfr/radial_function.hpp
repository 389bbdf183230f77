// Basis functions and products of two of them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace legato::dfr {

// The function sum over i of coefficient[i] r^(power + 2i) e^(-exponent r^2).
template <int Terms>
struct GaussianPolynomial {
    int power = 0;
    double exponent = 0;
    std::array<double, Terms> coefficient{};
};

// The two components of the basis function with exponent zeta of a species, each normalised to 1:
//   g^L = N^L r^(l+1) e^(-zeta r^2),
//   g^S = N^S (d/dr + kappa/r) [r^(l+1) e^(-zeta r^2)] = N^S [(l+1+kappa) r^l - 2 zeta r^(l+2)] e^(-zeta r^2).
using RadialFunction = GaussianPolynomial<2>;
RadialFunction large_component(int species, double exponent);
RadialFunction small_component(int species, double exponent);

// Their derivatives with respect to ln zeta.
GaussianPolynomial<2> large_derivative(int species, double exponent);
GaussianPolynomial<3> small_derivative(int species, double exponent);

using PairDensity = GaussianPolynomial<3>;

template <int P, int Q>
GaussianPolynomial<P + Q - 1> pair_density(const GaussianPolynomial<P>& p, const GaussianPolynomial<Q>& q) {
    GaussianPolynomial<P + Q - 1> pair{p.power + q.power, p.exponent + q.exponent, {}};
    for (std::size_t i = 0; i < P; ++i)
        for (std::size_t j = 0; j < Q; ++j) pair.coefficient[i + j] += p.coefficient[i] * q.coefficient[j];
    return pair;
}

template <int Terms>
double value(const GaussianPolynomial<Terms>& function, double r) {
    const double r2 = r * r;
    double power = 1.0, sum = 0.0;
    for (int i = 0; i < function.power; ++i) power *= r;
    for (std::size_t i = Terms; i-- > 0;) sum = sum * r2 + function.coefficient[i];
    return power * sum * std::exp(-function.exponent * r2);
}

}  // namespace legato::dfr
