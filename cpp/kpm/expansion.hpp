// Chebyshev expansions of functions of the energy,
//     f(centre + half_width x) = factor sum_n c_n T_n(x),    -1 <= x <= 1,
// and bounds of their errors.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kpm/bounds.hpp"

namespace legato::kpm {

enum class FunctionKind : int {
    evolution = 0,    // exp(-i E t), first = t
    boltzmann = 1,    // exp(-beta E), first = beta
    fermi = 2,        // 1 / (1 + exp((E - mu) / T)), first = mu, second = T
    step = 3,         // erfc((E - mu) / w) / 2, first = mu, second = w
    gaussian = 4,     // exp(-(E - E_0)^2 / (2 w^2)), first = E_0, second = w
    square_root = 5,  // sqrt(E - E_0), first = E_0
    resolvent = 6,    // 1 / (E_0 + i eta - E), first = E_0, second = eta
};

// Computes f at each energy.
using EnergyFunction = std::function<void(std::span<const double> energies, std::span<std::complex<double>> values)>;

inline constexpr std::int64_t max_terms = 1 << 20;
inline constexpr double least_tolerance = 1e-14;

struct Expansion {
    std::vector<double> real, imaginary;  // of c_n; `imaginary` is empty if all of them are 0
    std::complex<double> factor = 1;
    double largest = 1;     // largest |f| in the energy interval, at the energies where it was computed
    double truncation = 0;  // sum of |c_n| of the terms that are left out
    double argument = 0;    // change of f by the rounding of numbers such as half_width t

    std::size_t terms() const { return real.size(); }
    bool is_real() const { return imaginary.empty() && factor.imag() == 0; }
};

// Returns the shortest expansion whose truncation is at most `tolerance` times the largest |f|. Throws an
// invalid_argument that names the field, the value and the range if f is not finite in the energy interval, or if more
// than max_terms terms are needed.
//
// The coefficients of exp(-i E t) are (2 - delta_n0) (-i)^n J_n(half_width t), and its truncation is an upper limit:
// Kapteyn's inequality bounds the terms that are not computed (NIST Digital Library of Mathematical
// Functions, 10.14.8). Those of other functions come from a cosine transform with at least twice as many points as
// there are terms. The terms beyond this number count as much as those in its second half, which is an estimate.
// Coefficients that decay at least as fast as 1 / n^2 contribute no more.
Expansion expansion_of(FunctionKind kind, double first, double second, const Rescaling& rescaling, double tolerance);
Expansion expansion_of(const EnergyFunction& f, const Rescaling& rescaling, double tolerance);

// Returns J_0(z) .. J_(count - 1)(z), accurate to rounding of z, for z >= 0.
std::vector<double> bessel_functions(double z, std::size_t count);
// Returns an upper limit of the sum of |J_n(z)| over all n >= first. It is 1 / 0 unless first > z >= 0.
double bessel_tail(double z, std::size_t first);

// Returns an estimate of the error by rounding, relative to the norm of the vector. Each step of the recursion adds an
// error of `step` times this norm, which later steps multiply by Chebyshev polynomials of the second kind; each sum is
// rounded by `sum` of its value at each term. The amplification is computed at some energies between those that belong
// to x = -largest_x and largest_x, with the sign that makes it largest. It is usually far more than the true error.
double rounding_of(const Expansion& expansion, double largest_x, double step, double sum);

}  // namespace legato::kpm
