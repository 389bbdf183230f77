#include "dfr/fermi_nucleus.hpp"

#include <algorithm>

#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

// Number of terms of exp(-x) for x <= 1 that are used.
constexpr int exponential_terms = 19;
// Largest power of r in the product of a function and the derivative of another.
constexpr int largest_power = 2 * max_l + 8;

// Returns int_end^inf r^m e^(-p r^2) dr for odd m. All terms are positive.
double outer_moment(int m, double p, double end) {
    const double x = p * end * end;
    const int k = (m - 1) / 2;
    double term = 1.0, sum = 1.0, factor = 0.5 / p;
    for (int j = 1; j <= k; ++j) {
        term *= x / j;
        sum += term;
        factor *= j / p;
    }
    return factor * std::exp(-x) * sum;
}

}  // namespace

FermiDistribution::FermiDistribution(double half_density_radius, double skin)
    : radius(half_density_radius), a(skin / (4.0 * std::log(3.0))) {}

// f has poles at radius +- i pi a. Near the centre the panels are as narrow as the steepest basis functions.
std::vector<double> FermiDistribution::panels() const {
    const double least = 0.3 / std::sqrt(largest_exponent);
    return panel_ends(0.0, end(), [&](double r) {
        return std::min(std::max(r, least), std::max(4.0 * a, 0.5 * std::fabs(r - radius)));
    });
}

double FermiDistribution::moment(int power) const {
    const std::vector<double> ends = panels();
    double sum = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        sum += panel_integral(ends[i], ends[i + 1], [&](double r) { return std::pow(r, power) * (*this)(r); });
    return sum;
}

double fermi_radius(double rms, double skin) {
    double low = 0, high = std::sqrt(5.0 / 3.0) * rms;
    if (FermiDistribution(low, skin).mean_square() >= rms * rms) return 0;
    for (double middle = 0.5 * high; middle > low && middle < high; middle = 0.5 * (low + high))
        (FermiDistribution(middle, skin).mean_square() < rms * rms ? low : high) = middle;
    return low;
}

// U(r) = [int_0^r t^2 f dt / r + int_r^inf t f dt] / int t^2 f dt. Both integrals are summed from where they are 0, so
// that all terms are positive.
FermiPotential::FermiPotential(const Nucleus& nucleus) {
    const FermiDistribution f(nucleus);
    const std::vector<double> ends = f.panels();
    end_ = ends.back();
    const auto once = [&](double r) { return r * f(r); };
    const auto twice = [&](double r) { return r * r * f(r); };
    const std::size_t panels = ends.size() - 1;
    std::vector<double> inside(panels + 1), outside(panels + 1);
    for (std::size_t i = 0; i < panels; ++i) inside[i + 1] = inside[i] + panel_integral(ends[i], ends[i + 1], twice);
    for (std::size_t i = panels; i-- > 0;) outside[i] = outside[i + 1] + panel_integral(ends[i], ends[i + 1], once);
    for (std::size_t i = 0; i < panels; ++i) {
        const std::size_t first = nodes_.size();
        append_nodes(ends[i], ends[i + 1], nodes_);
        for (std::size_t k = first; k < nodes_.size(); ++k) {
            const double r = nodes_[k].r, charge = inside[i] + panel_integral(ends[i], r, twice),
                         shells = outside[i + 1] + panel_integral(r, ends[i + 1], once);
            nodes_[k].weight *= (charge / r + shells) / inside.back();
        }
    }
    moments_.resize(largest_power / 2 + 1 + exponential_terms);
    for (const RadialNode& node : nodes_) {
        const double x = node.r / end_, square = x * x;
        double term = node.weight;
        for (double& moment : moments_) {
            moment += term;
            term *= square;
        }
    }
}

// A density with exponent p ends within the nucleus, or varies little inside it. The powers of all densities are even.
template <int Terms>
double FermiPotential::operator()(const GaussianPolynomial<Terms>& density) const {
    double sum = density.exponent * end_ * end_ > 1.0 ? near(density) : near_by_moments(density);
    for (int i = 0; i < Terms; ++i) {
        const double coefficient = density.coefficient[static_cast<std::size_t>(i)];
        if (coefficient != 0.0) sum += coefficient * outer_moment(density.power + 2 * i - 1, density.exponent, end_);
    }
    return sum;
}

template <int Terms>
double FermiPotential::near(const GaussianPolynomial<Terms>& density) const {
    constexpr double none = 100.0;  // exp(-100) times any power is below rounding
    double sum = 0;
    for (const RadialNode& node : nodes_) {
        if (density.exponent * node.r * node.r > none) break;
        sum += node.weight * value(density, node.r);
    }
    return sum;
}

template <int Terms>
double FermiPotential::near_by_moments(const GaussianPolynomial<Terms>& density) const {
    const double square = end_ * end_, x = density.exponent * square;
    double power = std::pow(end_, density.power), sum = 0;
    for (int i = 0; i < Terms; ++i, power *= square) {
        const double coefficient = density.coefficient[static_cast<std::size_t>(i)];
        if (coefficient == 0.0) continue;
        const double* const moment = moments_.data() + density.power / 2 + i;
        double term = 1.0, part = 0;
        for (int k = 0; k < exponential_terms; ++k) {
            part += term * moment[k];
            term *= -x / (k + 1);
        }
        sum += coefficient * power * part;
    }
    return sum;
}

template double FermiPotential::operator()(const GaussianPolynomial<3>&) const;
template double FermiPotential::operator()(const GaussianPolynomial<4>&) const;

}  // namespace legato::dfr
