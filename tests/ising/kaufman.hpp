// Computes the Ising model on a periodic L x L lattice exactly (B. Kaufman, Phys. Rev. 76, 1232 (1949)): ln Z and its
// derivatives with respect to beta, term by term.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace legato::ising::tests {

// A function and its first two derivatives with respect to beta.
struct Taylor {
    double f = 0, d = 0, dd = 0;

    Taylor operator+(Taylor o) const { return {f + o.f, d + o.d, dd + o.dd}; }
    Taylor operator*(double c) const { return {c * f, c * d, c * dd}; }
    Taylor operator*(Taylor o) const { return {f * o.f, d * o.f + f * o.d, dd * o.f + 2 * d * o.d + f * o.dd}; }
    // Returns g(f) from g and its derivatives g1 and g2 at f.
    Taylor through(double g, double g1, double g2) const { return {g, g1 * d, g2 * d * d + g1 * dd}; }
};

// These return ln(2 cosh(x / 2)) and, for |x| > 0, ln(2 sinh(|x| / 2)).
inline Taylor log_2cosh(Taylor x) {
    const double h = x.f / 2, t = std::tanh(h);
    return x.through(std::fabs(h) + std::log1p(std::exp(-2 * std::fabs(h))), t / 2, (1 - t * t) / 4);
}
inline Taylor log_2sinh(Taylor x) {
    const double h = std::fabs(x.f) / 2, c = 1 / std::tanh(x.f / 2);
    return x.through(h + std::log1p(-std::exp(-2 * h)), c / 2, (1 - c * c) / 4);
}

struct Kaufman {
    double energy, specific_heat;  // values per spin
};

inline Kaufman kaufman(int length, double beta) {
    const double s = std::sinh(2 * beta), c = std::cosh(2 * beta);
    // cosh gamma_l is cosh^2 2 beta / sinh 2 beta - cos(pi l / L); gamma_0 = 2 beta + ln tanh beta changes its sign.
    const auto gamma = [&](int l) -> Taylor {
        if (l == 0) return {2 * beta + std::log(std::tanh(beta)), 2 + 2 / s, -4 * c / (s * s)};
        const double f = c * c / s - std::cos(std::numbers::pi * l / length), d = 2 * c * (1 - 1 / (s * s)),
                     dd = 4 * s * (1 - 1 / (s * s)) + 8 * c * c / (s * s * s), root = std::sqrt(f * f - 1);
        return Taylor{f, d, dd}.through(std::acosh(f), 1 / root, -f / (root * root * root));
    };
    // The products over odd and even l of 2 cosh and 2 sinh of L gamma_l / 2 are stored as logarithms and a sign.
    std::array<Taylor, 4> products{};
    double sign = 1;
    for (int r = 0; r < length; ++r) {
        const Taylor odd = gamma(2 * r + 1) * length, even = gamma(2 * r) * length;
        products[0] = products[0] + log_2cosh(odd);
        products[1] = products[1] + log_2sinh(odd);
        products[2] = products[2] + log_2cosh(even);
        products[3] = products[3] + log_2sinh(even);
        if (even.f < 0) sign = -1;
    }
    // The logarithm of their sum follows. The last product has the sign.
    const double largest = products[0].f;
    Taylor sum{};
    for (std::size_t i = 0; i < 4; ++i) {
        const double e = std::exp(products[i].f - largest) * (i == 3 ? sign : 1);
        sum = sum + products[i].through(e, e, e);
    }
    const Taylor log_sum = sum.through(largest + std::log(sum.f), 1 / sum.f, -1 / (sum.f * sum.f));
    const double sites = static_cast<double>(length) * length;
    // The prefactor is (2 sinh 2 beta)^(N / 2).
    const double d = log_sum.d / sites + c / s, dd = log_sum.dd / sites - 2 / (s * s);
    return {-d, beta * beta * dd};
}

}  // namespace legato::ising::tests
