#include "dfr/moments.hpp"

#include <cmath>

namespace legato::dfr {

double moment(int m, double p) {
    const double half = 0.5 * (m + 1);
    return 0.5 * std::tgamma(half) * std::pow(p, -half);
}

double inner_moment(int m, double p, double radius) {
    const double x = p * radius * radius;
    // The part beyond the radius is less than 1e-80 of the integral in this case.
    if (x > 200.0) return moment(m, p);
    double term = 1.0 / (0.5 * (m + 1)), sum = term;
    for (double a = 0.5 * (m + 1) + 1.0; term > 1e-18 * sum; a += 1.0) {
        term *= x / a;
        sum += term;
    }
    return 0.5 * std::pow(radius, m + 1) * std::exp(-x) * sum;
}

double ordered_moment(int i, int k, double p, double q) {
    const double ratio = p / (p + q);
    double term = std::tgamma(k + 0.5), sum = term;
    for (int j = 1; j <= i; ++j) {
        term *= ratio * (k + j - 0.5) / j;
        sum += term;
    }
    return std::tgamma(i + 1.0) / (4.0 * std::pow(p, i + 1)) * std::pow(p + q, -k - 0.5) * sum;
}

}  // namespace legato::dfr
