#include "dfr/coupling.hpp"

#include <cmath>
#include <cstdlib>

#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

double factorial(int n) {
    return std::tgamma(n + 1.0);
}

}  // namespace

// Uses Racah's formula. The arguments of all factorials are integers, although j and j' are not.
double exchange_coefficient(int species, int other, int nu) {
    const int j = twice_j_of(species), k = twice_j_of(other);
    if ((l_of(species) + l_of(other) + nu) % 2 != 0 || 2 * nu < std::abs(j - k) || 2 * nu > j + k) return 0.0;
    // 3j symbol (a b c; alpha beta gamma) with a = j, b = nu, c = j', alpha = 1/2, beta = 0, gamma = -1/2.
    const int a_plus_b_minus_c = (j + 2 * nu - k) / 2, a_minus_b_plus_c = (j - 2 * nu + k) / 2,
              b_plus_c_minus_a = (2 * nu + k - j) / 2, all = (j + 2 * nu + k) / 2;
    const int a_plus = (j + 1) / 2, a_minus = (j - 1) / 2, c_plus = (k + 1) / 2, c_minus = (k - 1) / 2;
    const double triangle =
        factorial(a_plus_b_minus_c) * factorial(a_minus_b_plus_c) * factorial(b_plus_c_minus_a) / factorial(all + 1);
    const double weights =
        factorial(a_plus) * factorial(a_minus) * factorial(nu) * factorial(nu) * factorial(c_plus) * factorial(c_minus);
    double sum = 0;
    const int shift1 = (k - 2 * nu + 1) / 2;  // c - b + alpha
    const int shift2 = (k - j) / 2;           // c - a - beta
    for (int t = 0; t <= all; ++t) {
        const int d1 = a_plus_b_minus_c - t, d2 = a_minus - t, d3 = nu - t, d4 = shift1 + t, d5 = shift2 + t;
        if (d1 < 0 || d2 < 0 || d3 < 0 || d4 < 0 || d5 < 0) continue;
        sum += (t % 2 ? -1.0 : 1.0) /
               (factorial(t) * factorial(d1) * factorial(d2) * factorial(d3) * factorial(d4) * factorial(d5));
    }
    return triangle * weights * sum * sum;
}

}  // namespace legato::dfr
