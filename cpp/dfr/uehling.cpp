#include "dfr/uehling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "dfr/fermi_nucleus.hpp"
#include "dfr/properties.hpp"
#include "dfr/radial_nodes.hpp"

namespace legato::dfr {
namespace {

// The trapezoidal rule in u for integrals over t = cosh u with the weight (1 + 1/(2 t^2)) (t^2 - 1)^(1/2) / t^2 dt. Its
// error is about e^(-pi^2 / step) for functions that are analytic between the poles at u = +- i pi/2.
struct SpectralRule {
    struct Node {
        double t, weight;
    };
    std::vector<Node> nodes;

    explicit SpectralRule(double step) {
        constexpr double last = 100.0;
        for (int i = 1; i * step < last; ++i) {
            const double t = std::cosh(i * step), square = t * t;
            nodes.push_back({t, step * (1.0 - 1.0 / square) * (1.0 + 0.5 / square)});
        }
    }
};

// Returns the integral of e^(-x t) times a positive function. The sum ends where its terms have become negligible.
template <class F>
double spectral_integral(double x, F&& f) {
    static const SpectralRule coarse(0.2), fine(0.05);
    // e^(-x cosh u) is a Gaussian of the width x^(-1/2) if x is large.
    constexpr double large = 4.0;
    double sum = 0;
    for (const auto& [t, weight] : (x > large ? fine : coarse).nodes) {
        const double term = weight * std::exp(-x * t) * f(t);
        sum += term;
        if (term <= 1e-17 * sum) break;
    }
    return sum;
}

double k1(double x) {
    return spectral_integral(x, [](double) { return 1.0; });
}

// Returns K_0(x) - K_0(y) for x <= y without cancellation.
double k0_difference(double x, double y) {
    return spectral_integral(x, [x, y](double t) { return -std::expm1((x - y) * t) / t; });
}

// The charge density of a nucleus of finite size, normalised to 1, in panels between which it is smooth.
struct Charge {
    std::vector<double> ends;
    double scale = 0;
    const Nucleus& nucleus;
    FermiDistribution fermi;

    explicit Charge(const Nucleus& of) : nucleus(of), fermi(of) {
        switch (nucleus.model) {
            case NuclearModel::sphere:
                ends = {0.0, nucleus.radius};
                scale = 3.0 / (4.0 * std::numbers::pi * std::pow(nucleus.radius, 3));
                break;
            case NuclearModel::gaussian: {
                const double width = 1.0 / std::sqrt(nucleus.exponent);
                for (int i = 0; i <= 7; ++i) ends.push_back(i * width);
                scale = std::pow(nucleus.exponent / std::numbers::pi, 1.5);
                break;
            }
            case NuclearModel::fermi: {
                ends = fermi.panels();
                // The narrow panels near the centre are for steep basis functions only.
                const double least = std::min(fermi.a, fermi.radius);
                std::erase_if(ends, [least](double r) { return r > 0.0 && r < least; });
                scale = 1.0 / (4.0 * std::numbers::pi * fermi.moment(2));
                break;
            }
            case NuclearModel::point:
                break;
        }
    }

    double density(double r) const {
        if (nucleus.model == NuclearModel::gaussian) return scale * std::exp(-nucleus.exponent * r * r);
        if (nucleus.model == NuclearModel::fermi) return scale * fermi(r);
        return scale;
    }
};

// K_0(2 c |r - s|) has a singularity x ln x at s = r, and decays within a few 1/c. Panels become shorter towards this
// point.
std::vector<double> graded(const std::vector<double>& ends, double c, double r) {
    constexpr double ratio = 4.0, least = 1e-5;
    std::vector<double> all = ends;
    const double last = ends.back();
    if (r < last) all.push_back(r);
    const auto add = [&](double distance) {
        for (const double s : {r - distance, r + distance})
            if (s > 0.0 && s < last) all.push_back(s);
    };
    for (double distance = std::max(r, last); distance > least * std::min(r, 1.0 / c); distance /= ratio) add(distance);
    for (int i = 1; i <= 20; ++i) add(i / c);
    std::sort(all.begin(), all.end());
    return all;
}

// Folds the point potential with the charge. The integral over angles gives
//     int rho(s) h(|r - s|) d^3 s = (2 pi / r) int_0^inf s rho(s) [K_0(2 c |r - s|) - K_0(2 c (r + s))] / (2 c) ds.
double folded(const Charge& charge, double c, double r) {
    const std::vector<double> ends = graded(charge.ends, c, r);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        if (ends[i + 1] > ends[i])
            sum += panel_integral(ends[i], ends[i + 1], [&](double s) {
                return s * charge.density(s) * k0_difference(2.0 * c * std::fabs(r - s), 2.0 * c * (r + s));
            });
    return std::numbers::pi / (c * r) * sum;
}

double potential(const Charge& charge, double c, double r) {
    const double point = charge.nucleus.model == NuclearModel::point ? k1(2.0 * c * r) / r : folded(charge, c, r);
    return -2.0 * charge.nucleus.charge / (3.0 * std::numbers::pi * c) * point;
}

// Returns the largest width of a panel at r. The potential is as smooth as the charge density, and smoother than 1/c.
// The density of a sphere has its only singularity at the surface.
double largest_width(const Charge& charge, double c, double r) {
    double smooth = 0;
    if (charge.nucleus.model == NuclearModel::sphere) smooth = 0.3 * std::fabs(charge.nucleus.radius - r);
    const auto end = std::upper_bound(charge.ends.begin(), charge.ends.end(), r);
    if (charge.nucleus.model != NuclearModel::sphere && end != charge.ends.begin() && end != charge.ends.end())
        smooth = 0.5 * (*end - *(end - 1));
    return std::max(4.0 / c, smooth);
}

// Returns nodes for the density of the electrons. The widths of panels double from the centre on, up to
// largest_width().
std::vector<RadialNode> electron_nodes(const Atom& atom, double c, const Charge& charge) {
    double smallest = largest_exponent, largest = smallest_exponent;
    for (const auto& exponents : atom.exponents)
        for (const double zeta : exponents) {
            smallest = std::min(smallest, zeta);
            largest = std::max(largest, zeta);
        }
    // Beyond the end, the density or the potential is less than e^(-40). The potential of a finite nucleus is smooth
    // near the centre, that of a point diverges as ln(r) / r.
    const bool point = charge.ends.empty();
    const double scale = 1.0 / std::max(std::sqrt(largest), c), range = 20.0 / c + (point ? 0.0 : charge.ends.back());
    const double first = point ? 1e-7 * scale : std::min(0.3 * scale, 0.25 * charge.ends[1]);
    std::vector<double> ends = panel_ends(
                            0.0, std::min(std::sqrt(20.0 / smallest), range),
                            [&](double r) { return std::min(std::max(r, first), largest_width(charge, c, r)); }),
                        borders = charge.ends;
    const double last = ends.back();
    // At the surface of a sphere the potential has a singularity x^3 ln x.
    if (charge.nucleus.model == NuclearModel::sphere)
        for (const double distance : {0.2, 0.04, 0.008})
            for (const double sign : {-1.0, 1.0}) borders.push_back(charge.ends[1] * (1.0 + sign * distance));
    for (const double border : borders)
        if (border > first && border < last) ends.push_back(border);
    std::sort(ends.begin(), ends.end());
    std::vector<RadialNode> nodes;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        if (ends[i + 1] > ends[i]) append_nodes(ends[i], ends[i + 1], nodes);
    return nodes;
}

}  // namespace

double uehling_potential(const Nucleus& nucleus, double speed_of_light, double r) {
    return potential(Charge(nucleus), speed_of_light, r);
}

double uehling_energy(const Problem& problem, const Atom& atom, const AtomResult& result, int threads) {
    if (result.species.empty()) return std::numeric_limits<double>::quiet_NaN();
    const Charge charge(atom.nucleus);
    const std::vector<RadialNode> nodes = electron_nodes(atom, problem.speed_of_light, charge);
    std::vector<double> radii;
    radii.reserve(nodes.size());
    for (const RadialNode& node : nodes) radii.push_back(node.r);
    const std::vector<double> density = radial_density(atom, result, radii);
    std::vector<double> parts(nodes.size());
    in_parallel(nodes.size(), threads, [&](std::size_t i) {
        if (density[i] != 0.0)
            parts[i] = nodes[i].weight * density[i] * potential(charge, problem.speed_of_light, nodes[i].r);
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace legato::dfr
