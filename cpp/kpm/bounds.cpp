#include "kpm/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/matrix.hpp"
#include "kpm/site_energies.hpp"

namespace legato::kpm {
namespace {

// Number of the random vector of the first realisation; those of the others count downwards. No sample has these
// numbers unless a run has the largest possible size.
constexpr std::int64_t lanczos_vector = (std::int64_t{1} << 40) - 1;

struct Tridiagonal {
    std::vector<double> alpha, beta;  // beta[j] couples j and j + 1; the last one is the norm of the residual
};

// Performs Lanczos's recursion for (H - centre) / half_width with the engine's steps. Vectors are not normalised, only
// scaled by what is known when they are formed. The coefficients follow from the products. While y is still x_(j-1),
//     x_(j+1) = gamma_j (H x_j - alpha_j x_j) - gamma_j beta_j (|x_j| / |x_(j-1)|) x_(j-1),
//     beta_(j+1) = |x_(j+1)| / (gamma_j |x_j|).
Tridiagonal recursion(Engine& engine, int steps, const Rescaling& scale) {
    constexpr double negligible = 1e-13;
    Tridiagonal t;
    double norm2_before = 1, gamma_before = 1, beta = 0.5;
    for (int j = 0;; ++j) {
        double norm2 = 0, energy = 0;
        const double a = 1 / scale.half_width, b = -scale.centre / scale.half_width;
        engine.steps({a, b, 0, false}, 1, {&norm2, 1}, {&energy, 1});
        if (j > 0) {
            beta = std::sqrt(norm2 / norm2_before) / gamma_before;
            t.beta.push_back(beta);
        }
        if (j == steps || !(beta > negligible)) return t;
        const double alpha = energy / norm2, gamma = 1 / beta;
        t.alpha.push_back(alpha);
        const double before = j == 0 ? 0 : gamma / gamma_before * (norm2 / norm2_before);
        engine.steps({gamma * a, gamma * (b - alpha), -before, true}, 1, {&norm2, 1}, {&energy, 1});
        norm2_before = norm2;
        gamma_before = gamma;
    }
}

// Returns the bounds of the rescaled spectrum. Each step rounds its vector by less than epsilon, relative to its size.
Interval widened(const Tridiagonal& t, double sites, double probability, double epsilon) {
    const std::size_t k = t.alpha.size();
    const double rounding = std::max(1e-10, 4 * static_cast<double>(k) * epsilon);
    Matrix matrix(k, k);
    for (std::size_t j = 0; j < k; ++j) {
        matrix(j, j) = t.alpha[j];
        if (j + 1 < k) matrix(j, j + 1) = matrix(j + 1, j) = t.beta[j];
    }
    const std::vector<double> theta = diagonalise(matrix);
    const double lowest = theta.front(), highest = theta.back();
    const auto residual = [&](std::size_t i) { return t.beta.back() * std::abs(matrix(k - 1, i)); };
    // An invariant subspace (beta = 0) contains every eigenvector that overlaps with a normally distributed vector, so
    // that nothing is missed.
    double missed = 0;
    if (t.beta.back() > 1e-13) {
        const double root = std::log(1.648 * std::sqrt(sites) / probability) / (2.0 * static_cast<double>(k) - 1);
        const double eps = root * root;
        missed = eps < 0.25 ? eps / (1 - 2 * eps) * (highest - lowest) : std::numeric_limits<double>::infinity();
    }
    return {lowest - std::max(residual(0), missed) - rounding, highest + std::max(residual(k - 1), missed) + rounding};
}

}  // namespace

Rescaling rescaling_of(const Interval& interval, double margin) {
    const double centre = interval.lowest / 2 + interval.highest / 2;
    const double largest = std::max(std::abs(interval.lowest), std::abs(interval.highest));
    const double half = (interval.highest / 2 - interval.lowest / 2) * (1 + margin);
    if (largest < 1e-100) return {centre, 1.0};
    return {centre, half > 1e-12 * largest ? half : 1e-6 * largest};
}

Interval lanczos_bounds(Engine& engine, const Problem& problem, const Hamiltonian& hamiltonian, const Interval& outer) {
    constexpr double probability = 1e-6;
    const std::int64_t realisations = is_random(hamiltonian) ? problem.realisations : 1;
    const Rescaling scale = rescaling_of(outer, 0.0);
    // With the right phase, the real and the imaginary part of an eigenvector are orthogonal. One of them has at least
    // half of its squared norm. Its squared overlap with the real start vector is therefore at least half of that of a
    // real eigenvector, as if D were twice as large.
    const double lanes = lanes_of(hamiltonian);
    Interval bounds{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    SiteEnergies energies(hamiltonian);
    for (std::int64_t s = 0; s < realisations; ++s) {
        engine.begin({.kind = StartVectors::gaussian,
                      .realisation = s,
                      .first = lanczos_vector - s,
                      .width = 1,
                      .energies = energies.of(s)});
        const Interval one =
            widened(recursion(engine, problem.lanczos_steps, scale), lanes * static_cast<double>(sites_of(hamiltonian)),
                    probability / (2.0 * static_cast<double>(realisations)), epsilon(problem.precision));
        bounds.lowest = std::min(bounds.lowest, scale.centre + scale.half_width * one.lowest);
        bounds.highest = std::max(bounds.highest, scale.centre + scale.half_width * one.highest);
    }
    return {std::max(bounds.lowest, outer.lowest), std::min(bounds.highest, outer.highest)};
}

}  // namespace legato::kpm
