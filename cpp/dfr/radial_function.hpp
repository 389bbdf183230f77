// Basis functions and products of two of them.
#pragma once

#include <array>

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

using PairDensity = GaussianPolynomial<3>;
PairDensity pair_density(const RadialFunction& p, const RadialFunction& q);

double value(const RadialFunction& function, double r);

}  // namespace legato::dfr
