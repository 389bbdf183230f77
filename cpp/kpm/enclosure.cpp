#include "kpm/enclosure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.hpp"
#include "kpm/spectrum.hpp"

namespace legato::kpm {
namespace {

// Moments 0 .. count - 1 are tested. An error of a moment changes the Toeplitz matrix by at most twice that error in
// the spectral norm, and the smoothed density by no more. `tolerance` is twice the sum of these changes, relative to
// mu_0. Half of it is left for the rounding of the tests themselves, and for that of steps in single precision. The
// latter is not added for each moment, because the worst case of all moments together would hide states that are
// outside. Lattices whose start vector is the very end of the interval used a part of that half. If the tolerance would
// exceed `most`, fewer moments are tested.
struct Tested {
    std::size_t count;
    double tolerance;
};
Tested tested(const Rescaling& rescaling, const Rounding& rounding, std::size_t moments) {
    constexpr double most = 0.1;
    double tolerance = 0;
    for (std::size_t n = 1; n < moments; ++n) {
        const double of_products = 8 * rounding.element * static_cast<double>(n);
        const double more =
            4 * (moment_rounding(rescaling, rounding.stored, static_cast<std::int64_t>(n)) + of_products);
        if (tolerance + more > most) return {n, tolerance};
        tolerance += more;
    }
    return {moments, tolerance};
}

// Returns the order up to which the Toeplitz matrix of r, with r_0 = 1, is positive definite. It is positive definite
// if all reflection coefficients of Durbin's recursion are within (-1, 1) (G. H. Golub and C. F. Van Loan, Matrix
// Computations, section 4.7).
std::size_t positive_order(std::span<const double> r) {
    std::vector<double> a(r.size()), before(r.size());
    double error = 1;
    for (std::size_t k = 1; k < r.size(); ++k) {
        double sum = r[k];
        for (std::size_t j = 1; j < k; ++j) sum += before[j] * r[k - j];
        const double reflection = -sum / error;
        if (!(std::abs(reflection) < 1)) return k;
        for (std::size_t j = 1; j < k; ++j) a[j] = before[j] + reflection * before[k - j];
        a[k] = reflection;
        error *= (1 - reflection) * (1 + reflection);
        std::swap(a, before);
    }
    return r.size();
}

}  // namespace

Rounding rounding_of(Precision precision) {
    const double stored = precision == Precision::single ? epsilon(precision) / 2 : 0.0;
    return {epsilon(precision), stored, stored};
}

// A step is y' = a T x + b x - y with the hops T. If the spectrum lies within the interval, |a T x| is at most 2 |T| /
// half_width of |x|, |b x| and the sum of both are at most 2 |x|, and y' is at most as large as x. T x is added up in
// pairs of neighbours, 2 |t| in each direction, then in fours and sixes, which rounds 8/3 of its largest norm in all.
// It is rounded once more when it is multiplied, and its factor is rounded as much. b x is rounded twice, too, and each
// of the two sums once.
Rounding rounding_in_single(const Lattice& lattice, const Rescaling& rescaling) {
    Rounding rounding = rounding_of(Precision::single);
    double neighbours = 0;
    for (const std::int64_t extent : lattice.extents) neighbours += extent > 1 ? 2 : 0;
    const double hops = neighbours * std::min(std::abs(lattice.hopping) / rescaling.half_width, 1.0);
    rounding.step *= (8.0 / 3 + 2) * 2 * hops + 2 * 2 + 2 + 1;
    return rounding;
}

Rounding rounding_of(const Problem& problem, const Hamiltonian& hamiltonian, Backend backend, Format format,
                     const Rescaling& rescaling) {
    const auto* lattice = std::get_if<Lattice>(&hamiltonian);
    const bool in_single =
        lattice && problem.precision == Precision::single && backend == Backend::cuda && format == Format::stencil;
    return in_single ? rounding_in_single(*lattice, rescaling) : rounding_of(problem.precision);
}

// T_n is within [-1, 1] on the spectrum if the spectrum is within the bounds. Rounding grows at most with n^2, at the
// ends of the bounds. So does the rounding of an energy when the centre is subtracted. For vectors that are stored or
// computed with less than double precision, rounding is at most n (n + 2) / 2 times that of a step. It occurs once at
// each of n / 2 steps, and as much again at each step that follows.
double moment_rounding(const Rescaling& rescaling, double step, std::int64_t n) {
    const auto order = static_cast<double>(n);
    const double in_double = 1e-9 + 4 * epsilon(Precision::double_) *
                                        (1 + std::abs(rescaling.centre) / rescaling.half_width) * order * order;
    return in_double + step * order * (order + 2) / 2;
}

bool is_bounded(double moment, double zeroth, const Rescaling& rescaling, double step, std::size_t n) {
    return std::abs(moment) <= zeroth * (1 + moment_rounding(rescaling, step, static_cast<std::int64_t>(n)));
}

std::string evidence_of_states_outside(std::span<const double> moments, std::int64_t sample, const Rescaling& rescaling,
                                       const Rounding& rounding, std::int64_t sites) {
    const double zeroth = moments[0];
    const Tested test = tested(rescaling, rounding, moments.size());
    if (!(zeroth > 0) || test.count < 2) return {};
    std::vector<double> r(moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(test.count));
    for (double& moment : r) moment /= zeroth;
    const auto largest =
        std::max_element(r.begin(), r.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(*largest) > 2)  // |T_n| is at most 1 within the bounds
        return text("moment ", largest - r.begin(), " of sample ", sample, " is ", *largest, " times moment 0");

    const Spectrum jackson{r};
    const std::vector<double> smoothed =  // its mean is 1
        weighted_density_at_nodes(jackson, static_cast<int>(std::bit_ceil(2 * test.count)));
    const auto lowest = std::min_element(smoothed.begin(), smoothed.end());
    if (*lowest < -test.tolerance) {
        const double e = energy_of_node(jackson, static_cast<std::size_t>(lowest - smoothed.begin()), smoothed.size());
        const double density = *lowest / (std::numbers::pi * std::sqrt((1 - e) * (1 + e)));
        return text("the density of states that ", test.count, " moments of sample ", sample,
                    " give with Jackson's kernel is negative, ", density * zeroth / rescaling.half_width,
                    " at the energy ", rescaling.centre + rescaling.half_width * e);
    }

    constexpr double most_orders = 256;
    const double cheap = std::sqrt(static_cast<double>(sites) * static_cast<double>(moments.size()) / 64);
    r.resize(std::min(r.size(), static_cast<std::size_t>(std::clamp(cheap, 64.0, most_orders))));
    for (std::size_t n = 1; n < r.size(); ++n) r[n] /= 1 + test.tolerance;
    const std::size_t order = positive_order(r);
    if (order == r.size()) return {};
    return text("no density of states without negative values within these bounds has the first ", order + 1,
                " moments of sample ", sample);
}

}  // namespace legato::kpm
