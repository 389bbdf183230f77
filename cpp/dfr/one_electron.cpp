#include "dfr/one_electron.hpp"

#include <cmath>
#include <vector>

#include "dfr/moments.hpp"
#include "dfr/nuclear_attraction.hpp"

namespace legato::dfr {

OneElectron one_electron(const Problem& problem, const Nucleus& nucleus, int species,
                         std::span<const double> exponents) {
    const std::size_t n = exponents.size();
    const int l = l_of(species);
    const NuclearAttraction attraction(nucleus);
    OneElectron h{Matrix(n, n), Matrix(n, n), Matrix(n, n), Matrix(n, n), Matrix(n, n)};
    std::vector<RadialFunction> larges, smalls;
    for (const double zeta : exponents) {
        larges.push_back(large_component(species, zeta));
        smalls.push_back(small_component(species, zeta));
    }
    for (std::size_t q = 0; q < n; ++q)
        for (std::size_t p = 0; p <= q; ++p) {
            const double zeta_p = exponents[p], zeta_q = exponents[q];
            const RadialFunction &large_p = larges[p], &large_q = larges[q], &small_p = smalls[p], &small_q = smalls[q];
            const PairDensity large = pair_density(large_p, large_q);
            const double overlap = large.coefficient[0] * moment(large.power, large.exponent);
            // This holds for either sign of kappa, as for the norm in small_component().
            const double overlap_small =
                small_p.coefficient[1] * small_q.coefficient[1] * moment(2 * l + 4, zeta_p + zeta_q);
            const double ratio_p = -2.0 * zeta_p * large_p.coefficient[0] / small_p.coefficient[1],
                         ratio_q = -2.0 * zeta_q * large_q.coefficient[0] / small_q.coefficient[1];
            h.overlap_large(p, q) = h.overlap_large(q, p) = p == q ? 1.0 : overlap;
            h.overlap_small(p, q) = h.overlap_small(q, p) = p == q ? 1.0 : overlap_small;
            h.nuclear_large(p, q) = h.nuclear_large(q, p) = attraction(large);
            if (problem.relativistic) {
                h.kinetic(p, q) = problem.speed_of_light * ratio_q * overlap_small;
                h.kinetic(q, p) = problem.speed_of_light * ratio_p * overlap_small;
                h.nuclear_small(p, q) = h.nuclear_small(q, p) = attraction(pair_density(small_p, small_q));
            } else {
                h.kinetic(p, q) = h.kinetic(q, p) = 0.5 * ratio_p * ratio_q * overlap_small;
            }
        }
    return h;
}

// The overlaps are (2 (zeta_p zeta_q)^(1/2) / (zeta_p + zeta_q))^(l+3/2) and the same with l + 5/2. In (d/dr + kappa/r)
// g^L = ratio g^S, the ratio N^L / N^S is proportional to zeta^(1/2).
OneElectronDerivatives one_electron_derivatives(const Problem& problem, const Nucleus& nucleus, int species,
                                                std::span<const double> exponents) {
    const std::size_t n = exponents.size(), order = problem.relativistic ? 2 * n : n;
    const int l = l_of(species);
    const double c = problem.speed_of_light;
    const NuclearAttraction attraction(nucleus);
    OneElectronDerivatives d{Matrix(order, order), Matrix(order, order)};
    std::vector<RadialFunction> larges, smalls;
    for (const double zeta : exponents) {
        larges.push_back(large_component(species, zeta));
        smalls.push_back(small_component(species, zeta));
    }
    const auto ratio = [&](std::size_t p) { return std::sqrt((2 * l + 3) * exponents[p]); };
    for (std::size_t p = 0; p < n; ++p) {
        const auto large_p = large_derivative(species, exponents[p]);
        const auto small_p = small_derivative(species, exponents[p]);
        for (std::size_t q = 0; q < n; ++q) {
            const double zeta_p = exponents[p], zeta_q = exponents[q], sum = zeta_p + zeta_q;
            const double root = 2.0 * std::sqrt(zeta_p) * std::sqrt(zeta_q) / sum,
                         change = 0.5 * (zeta_q - zeta_p) / sum;
            const double small = std::pow(root, l + 2.5), small_change = (l + 2.5) * change * small;
            const double kinetic = ratio(p) * (0.5 * small + small_change);
            d.overlap(p, q) = (l + 1.5) * change * std::pow(root, l + 1.5);
            d.one_electron(p, q) = attraction(pair_density(large_p, larges[q]));
            if (problem.relativistic) {
                d.overlap(n + p, n + q) = small_change;
                d.one_electron(p, n + q) = c * kinetic;
                d.one_electron(n + p, q) = c * ratio(q) * small_change;
                d.one_electron(n + p, n + q) =
                    attraction(pair_density(small_p, smalls[q])) - 2.0 * c * c * small_change;
            } else {
                d.one_electron(p, q) += 0.5 * ratio(q) * kinetic;
            }
        }
    }
    return d;
}

}  // namespace legato::dfr
