#include "dfr/extended_balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace legato::dfr {
namespace {

// An exponent factor zeta_i^a zeta_j^b, with indices of functions.
struct Mean {
    std::size_t i, j;
    double a, b, factor = 1;
};

std::vector<Mean> means(const std::vector<double>& exponents, int species) {
    std::vector<Mean> all;
    const std::size_t n = exponents.size();
    if (n == 0) return all;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return exponents[i] < exponents[j]; });
    if (kappa_of(species) > 0)
        for (const double factor : {0.45, 0.2, 0.08, 0.03, 0.008, 0.001})
            all.push_back({order[0], order[0], 0.5, 0.5, factor});
    if (std::abs(kappa_of(species)) > 1 || n == 1) return all;
    for (std::size_t k = n - 1 - (n + 2) / 3; k + 1 < n; ++k) all.push_back({order[k], order[k + 1], 0.5, 0.5});
    all.push_back({order[n - 1], order[n - 2], 2.0, -1.0});
    return all;
}

}  // namespace

Atom with_extended_balance(const Atom& atom) {
    Atom more = atom;
    more.only_small.assign(atom.exponents.size(), 0);
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const std::vector<double>& zeta = atom.exponents[s];
        for (const Mean& m : means(zeta, static_cast<int>(s))) {
            const double exponent = m.factor * std::pow(zeta[m.i], m.a) * std::pow(zeta[m.j], m.b);
            more.exponents[s].push_back(std::clamp(exponent, smallest_exponent, largest_exponent));
            ++more.only_small[s];
        }
    }
    return more;
}

Atom balanced(const Problem& problem, const Atom& atom) {
    const bool extended = problem.relativistic && problem.kinetic_balance == KineticBalance::extended;
    return extended ? with_extended_balance(atom) : atom;
}

ExponentGradient restricted_gradient(const Atom& extended, const ExponentGradient& gradient) {
    ExponentGradient less = gradient;
    for (std::size_t s = 0; s < less.size(); ++s) {
        const auto first = extended.exponents[s].begin();
        const std::size_t n = extended.exponents[s].size() - extended.only_small[s];
        std::size_t at = n;
        for (const Mean& m : means({first, first + static_cast<std::ptrdiff_t>(n)}, static_cast<int>(s))) {
            less[s][m.i] += m.a * gradient[s][at];
            less[s][m.j] += m.b * gradient[s][at++];
        }
        less[s].resize(n);
    }
    return less;
}

}  // namespace legato::dfr
