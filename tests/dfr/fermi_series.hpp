// Potential and moments of the Fermi distribution 1 / [1 + exp((r - c)/a)] from series (F. A. Parpia and A. K. Mohanty,
// Phys. Rev. A 46, 3735 (1992)), independently of the library's quadrature.
#pragma once

#include <cmath>
#include <numbers>

namespace legato::dfr::tests {

using Extended = long double;
inline constexpr Extended pi = std::numbers::pi_v<Extended>;

// Returns L_k(x) = sum over j > 0 of (-1)^(j-1) e^(-jx) / j^k for x >= 0. The alternating series is accelerated (H.
// Cohen, F. Rodriguez Villegas and D. Zagier, Exp. Math. 9, 3 (2000)); the error is below 1e-20.
inline Extended decaying_series(int k, Extended x) {
    constexpr int n = 30;
    static const Extended root_power = std::pow(3 + std::sqrt(Extended(8)), n);
    Extended d = root_power, b = -1, sum = 0;
    d = (d + 1 / d) / 2;
    Extended c = -d, exponential = 1;
    const Extended ratio = std::exp(-x);
    for (int j = 0; j < n; ++j) {
        Extended power = 1;
        for (int i = 0; i < k; ++i) power *= j + 1;
        c = b - c;
        sum += c * (exponential *= ratio) / power;
        b *= Extended(j + n) * (j - n) / ((j + Extended(0.5L)) * (j + 1));
    }
    return sum / d;
}

// Returns the same function, -Li_k(-e^(-x)), for any x and k = 2, 3 or 5, where k = 5 needs x <= 0.
inline Extended series(int k, Extended x) {
    if (x >= 0) return decaying_series(k, x);
    const Extended y = -x, square = y * y, pi2 = pi * pi;
    if (k == 2) return pi2 / 6 + square / 2 - decaying_series(2, y);
    if (k == 3) return y * (pi2 + square) / 6 + decaying_series(3, y);
    return y * (7 * pi2 * pi2 / 360 + square * (pi2 / 36 + square / 120)) + decaying_series(5, y);
}

// Returns the potential U(r) of a unit charge. Near the centre it is a Taylor series, because the closed form cancels.
inline Extended fermi_potential(Extended c, Extended a, Extended r) {
    const Extended x = (r - c) / a, y = r / a;
    if (y < 1e-4L) {
        const Extended f = 1 / (1 + std::exp(-c / a));
        return (series(2, -c / a) - y * y * f * (1 - y * (1 - f) / 2) / 6) / (2 * a * series(3, -c / a));
    }
    return (1 - (series(2, x) * r / a + 2 * series(3, x)) / (2 * series(3, -c / a))) / r;
}

// Returns <r^2>.
inline Extended fermi_mean_square(Extended c, Extended a) {
    return a * a * 12 * series(5, -c / a) / series(3, -c / a);
}

}  // namespace legato::dfr::tests
