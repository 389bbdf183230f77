#include "dfr/large_basis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "dfr/fermi_nucleus.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {
namespace {

// Returns the slowest decay that any shell can have, k = q/n. It applies to all species, because the exchange carries
// the tail of the outermost spinor into all of them.
double slowest_decay(const Nucleus& nucleus, const Configuration& configuration) {
    constexpr double least_charge = 0.25;  // lower bound for negative ions
    const double electrons = number_of_electrons(configuration);
    int n = 1;
    for (std::size_t s = 0; s < configuration.closed.size(); ++s) {
        const int species = static_cast<int>(s), count = shells(configuration, s);
        if (count > 0) n = std::max(n, l_of(species) + count);
    }
    return std::max(nucleus.charge - std::max(electrons - 1.0, 0.0), least_charge) / n;
}

double smallest_needed(const Problem& problem, double decay, int species, const BasisTolerance& tolerance) {
    const double square = decay * decay, tail = square / (-4.0 * std::log(tolerance.error)),
                 least = std::min(tolerance.error, tolerance.fall);
    const int kappa = kappa_of(species);
    if (!problem.relativistic || kappa < 0) return tail;
    const double fall = std::pow(decay / problem.speed_of_light, 4);
    return std::min(tail, square * std::pow(least / fall, 1.0 / (kappa + 0.5)));
}

double largest_needed(const Problem& problem, const Nucleus& nucleus, int species, double error) {
    const double unit = nucleus.charge * nucleus.charge;
    double largest = unit * std::pow(error, -2.0 / (2 * l_of(species) + 3));
    if (problem.relativistic) {
        const double kappa = std::abs(kappa_of(species)), a = nucleus.charge / problem.speed_of_light;
        // A finite nucleus may have Z > c.
        const double gamma = std::sqrt(std::max(kappa * kappa - a * a, 1e-2)), missing = kappa - gamma;
        largest = std::max(largest, unit * std::pow(20.0 * missing * missing / error, 1.0 / gamma));
    }
    // Spinors inside a finite nucleus are smooth on the scale of its radius.
    constexpr double finer = 100.0;
    if (nucleus.model == NuclearModel::gaussian) largest = std::min(largest, finer * nucleus.exponent);
    if (nucleus.model == NuclearModel::sphere)
        largest = std::min(largest, finer * 2.5 / (nucleus.radius * nucleus.radius));
    if (nucleus.model == NuclearModel::fermi)
        largest = std::min(largest, finer * 1.5 / FermiDistribution(nucleus).mean_square());
    return largest;
}

std::vector<double> even_tempered(double smallest, double largest, double ratio) {
    const double range = std::log(largest / smallest);
    const double steps = std::clamp(std::ceil(range / std::log(ratio)), 1.0, max_functions - 1.0);
    std::vector<double> exponents;
    for (double k = 0; k <= steps; ++k) exponents.push_back(smallest * std::exp(range * (k / steps)));
    exponents.back() = largest;  // rounding must not exceed the bound
    return exponents;
}

}  // namespace

BasisTolerance tolerance_for(double error) {
    return {error, std::exp(-11.9 / std::log(error)), std::min(0.1 * error, BasisTolerance{}.fall)};
}

std::vector<std::vector<double>> large_basis(const Problem& problem, const Nucleus& nucleus,
                                             const Configuration& configuration, const BasisTolerance& tolerance) {
    const double decay = slowest_decay(nucleus, configuration);
    std::vector<std::vector<double>> exponents(configuration.closed.size());
    for (std::size_t s = 0; s < exponents.size(); ++s) {
        if (shells(configuration, s) == 0) continue;
        const int species = static_cast<int>(s);
        const double largest = largest_needed(problem, nucleus, species, tolerance.error),
                     smallest = smallest_needed(problem, decay, species, tolerance);
        exponents[s] = even_tempered(std::max(smallest, smallest_exponent), std::min(largest, largest_exponent),
                                     std::pow(tolerance.ratio, 1.0 / (1.0 + 0.05 * l_of(species))));
    }
    return exponents;
}

double cut_off_error(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration,
                     double tolerance) {
    const double a = nucleus.charge / problem.speed_of_light,
                 scale = nucleus.charge * nucleus.charge / largest_exponent;  // (Z r0)^2
    bool is_complete = true;
    double error = 0;
    for (std::size_t s = 0; s < configuration.closed.size(); ++s) {
        if (shells(configuration, s) == 0) continue;
        const int species = static_cast<int>(s);
        is_complete &= largest_needed(problem, nucleus, species, tolerance) <= largest_exponent;
        const double kappa = std::abs(kappa_of(species));
        const double gamma = std::sqrt(std::max(kappa * kappa - a * a, 0.0)), missing = kappa - gamma;
        error += 20.0 * missing * missing * std::pow(scale, gamma);
    }
    return is_complete ? 0.0 : error;
}

double limit_error(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration) {
    return large_basis_error + cut_off_error(problem, nucleus, configuration);
}

bool large_basis_is_complete(const Problem& problem, const Nucleus& nucleus, const Configuration& configuration) {
    return cut_off_error(problem, nucleus, configuration) == 0.0;
}

}  // namespace legato::dfr
