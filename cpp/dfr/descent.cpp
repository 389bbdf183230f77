#include "dfr/descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace legato::dfr {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(std::vector<double>& a, const std::vector<double>& b, double factor) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

double largest(const std::vector<double>& a) {
    double value = 0;
    for (const double x : a) value = std::max(value, std::abs(x));
    return value;
}

// Returns exp(k) of an antisymmetric matrix, by its series for k / 2^n and n squarings.
Matrix exponential(Matrix k) {
    double norm = 0;
    for (const double x : k.values) norm += x * x;
    const int halvings = norm > 0 ? std::max(0, 1 + static_cast<int>(std::ceil(0.5 * std::log2(norm)))) : 0;
    for (double& x : k.values) x = std::ldexp(x, -halvings);
    Matrix sum(k.rows, k.rows), term(k.rows, k.rows);
    for (std::size_t i = 0; i < k.rows; ++i) sum(i, i) = term(i, i) = 1.0;
    constexpr int terms = 14;  // 2^-15 / 15! is 2e-17
    for (int n = 1; n <= terms; ++n) {
        term = product(term, k);
        for (double& x : term.values) x /= n;
        legato::add(sum, term);
    }
    for (int n = 0; n < halvings; ++n) sum = product(sum, sum);
    return sum;
}

}  // namespace

Descent::Descent(std::vector<Shells> shells, std::vector<Matrix> spinors)
    : shells_(std::move(shells)), spinors_(std::move(spinors)) {}

// Calls visit(species, to, from, electrons, negative) for each rotation of the column `from` of U into the column `to`.
// 2 `electrons` F(to, from) is the derivative of the energy. `negative` is true for `to` of negative energy.
template <class Visit>
void Descent::for_each_rotation(const Visit& visit) const {
    for (std::size_t s = 0; s < shells_.size(); ++s) {
        const Shells& of = shells_[s];
        const std::size_t virtuals = of.negative + of.occupied();
        for (std::size_t shell = 0; shell < of.occupied(); ++shell) {
            const std::size_t from = of.negative + shell;
            const double electrons = of.electrons(shell);
            for (std::size_t to = 0; to < of.negative; ++to) visit(s, to, from, electrons, true);
            if (of.open() == 1 && shell < of.closed)
                visit(s, of.negative + of.closed, from, of.degeneracy - of.open_electrons, false);
            for (std::size_t to = virtuals; to < spinors_[s].columns; ++to) visit(s, to, from, electrons, false);
        }
    }
}

Descent::Derivatives Descent::derivatives_of(const std::vector<Matrix>& fock) const {
    constexpr double least_distance = 0.01;  // hartree; the Hessian of diffuse states is larger than their distances
    std::vector<Matrix> f;
    for (std::size_t s = 0; s < fock.size(); ++s)
        f.push_back(transposed_product(spinors_[s], product(fock[s], spinors_[s])));
    Derivatives all;
    for_each_rotation([&](std::size_t s, std::size_t to, std::size_t from, double electrons, bool negative) {
        const double distance = f[s](to, to) - f[s](from, from);
        all.first.push_back(2.0 * electrons * f[s](to, from));
        all.second.push_back(2.0 * electrons * (negative ? distance : std::max(distance, least_distance)));
        all.is_negative.push_back(negative);
    });
    return all;
}

// Returns true if the energy has fallen by a small part of what the derivative `slope_` predicts. Where rounding hides
// the difference, the new derivative along the step must be smaller instead.
bool Descent::has_fallen(double energy, double slope) const {
    const double change = energy - base_.energy - length_ * (rise_ + length_ * bend_);
    constexpr double rounding = 1e-12;
    if (std::abs(change) <= rounding * std::abs(energy)) return std::abs(slope) <= std::abs(slope_);
    return change <= 1e-4 * length_ * slope_;
}

// Returns the length at the minimum of the cubic polynomial that has both energies and both derivatives.
double Descent::shorter_step(double energy, double slope) const {
    const double change = energy - base_.energy - length_ * (rise_ + length_ * bend_);
    const double d = slope_ + slope - 3.0 * change / length_, square = d * d - slope_ * slope;
    double length = 0.5 * length_;
    if (square >= 0) {
        const double root = std::sqrt(square);
        length = length_ * (1.0 - (slope + root - d) / (slope - slope_ + 2.0 * root));
    }
    if (!std::isfinite(length)) return 0.5 * length_;
    return std::clamp(length, 0.1 * length_, 0.5 * length_);
}

// Adds the last step to the pairs that the direction is made of.
void Descent::remember(const Derivatives& here) {
    Pair pair{rotations_, here.first, 0.0};
    add(pair.change, base_.derivatives, -1.0);
    for (std::size_t i = 0; i < pair.step.size(); ++i)
        pair.step[i] = here.is_negative[i] ? 0.0 : length_ * pair.step[i];
    pair.curvature = dot(pair.step, pair.change);
    if (pair.curvature <= 1e-12 * std::sqrt(dot(pair.step, pair.step) * dot(pair.change, pair.change))) return;
    for (std::size_t i = 0; i < pair.step.size(); ++i)
        if (here.is_negative[i]) pair.change[i] = 0.0;
    constexpr std::size_t most = 40;
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > most) pairs_.pop_front();
}

// Returns minus the inverse of the BFGS matrix times the derivatives. For rotations into states of negative energy the
// matrix is diagonal.
std::vector<double> Descent::direction(const Derivatives& here) const {
    std::vector<double> d = here.first, factors(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
        factors[k] = dot(pairs_[k].step, d) / pairs_[k].curvature;
        add(d, pairs_[k].change, -factors[k]);
    }
    for (std::size_t i = 0; i < d.size(); ++i) d[i] /= -here.second[i];
    for (std::size_t k = 0; k < pairs_.size(); ++k)
        add(d, pairs_[k].step, -factors[k] - dot(pairs_[k].change, d) / pairs_[k].curvature);
    return d;
}

std::vector<Matrix> Descent::rotated(const std::vector<Matrix>& spinors, double length) const {
    std::vector<Matrix> k(spinors.size());
    for (std::size_t s = 0; s < k.size(); ++s) k[s] = Matrix(spinors[s].rows, spinors[s].rows);
    std::size_t i = 0;
    for_each_rotation([&](std::size_t s, std::size_t to, std::size_t from, double, bool) {
        k[s](to, from) = length * rotations_[i];
        k[s](from, to) = -k[s](to, from);
        ++i;
    });
    for (std::size_t s = 0; s < k.size(); ++s) k[s] = product(spinors[s], exponential(std::move(k[s])));
    return k;
}

void Descent::advance(double energy, const std::vector<Matrix>& fock) {
    const Derivatives here = derivatives_of(fock);
    if (has_begun_) {
        double slope = 0;
        for (std::size_t i = 0; i < rotations_.size(); ++i)
            if (!here.is_negative[i]) slope += here.first[i] * rotations_[i];
        if (!has_fallen(energy, slope)) {
            const double length = shorter_step(energy, slope);
            spinors_ = rotated(base_.spinors, length);
            length_ = length;
            return;
        }
        remember(here);
    }
    const auto slope_along = [&](const std::vector<double>& d) {
        double sum = 0;
        for (std::size_t i = 0; i < d.size(); ++i)
            if (!here.is_negative[i]) sum += d[i] * here.first[i];
        return sum;
    };
    std::vector<double> d = direction(here);
    if (!(slope_along(d) < 0)) {
        pairs_.clear();
        d = direction(here);
    }
    base_ = {energy, here.first, spinors_};
    rotations_ = std::move(d);
    slope_ = slope_along(rotations_);
    rise_ = bend_ = 0;
    for (std::size_t i = 0; i < rotations_.size(); ++i)
        if (here.is_negative[i]) {
            rise_ += rotations_[i] * here.first[i];
            bend_ += 0.5 * here.second[i] * rotations_[i] * rotations_[i];
        }
    constexpr double largest_rotation = 0.3;
    length_ = std::min(1.0, largest_rotation / largest(rotations_));
    has_begun_ = true;
    spinors_ = rotated(base_.spinors, length_);
}

}  // namespace legato::dfr
