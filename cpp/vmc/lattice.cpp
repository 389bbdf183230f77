#include "vmc/lattice.hpp"

#include <cmath>
#include <numbers>

#include "core/parameter.hpp"

namespace legato::vmc {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

constexpr std::array<std::array<std::array<int, 2>, neighbours_of_shell>, shells> steps{{
    {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}},
    {{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}},
    {{{2, 0}, {0, 2}, {-2, 0}, {0, -2}}},
}};

std::int64_t floored_quotient(std::int64_t a, std::int64_t n) {
    return a >= 0 ? a / n : -((-a + n - 1) / n);
}
std::int64_t modulo(std::int64_t a, std::int64_t n) {
    return a - n * floored_quotient(a, n);
}

// Returns 2 pi numerator / denominator, reduced to [0, 2 pi).
double angle(std::int64_t numerator, std::int64_t denominator) {
    return two_pi * static_cast<double>(modulo(numerator, denominator)) / static_cast<double>(denominator);
}

}  // namespace

void validate(const Lattice& lattice) {
    require_parameters("vmc.params", lattice);
    if (lattice.cluster == Cluster::tilted && lattice.length % 2 == 0)
        fail(Status::invalid_argument, "vmc.params.length: ", lattice.length,
             " is even; a tilted cluster of length^2 + 1 sites is bipartite for odd lengths only");
    if (lattice.cluster == Cluster::rectangular && sites_of(lattice) > max_sites)
        fail(Status::invalid_argument, "vmc.params.extents: ", lattice.extents[0], " x ", lattice.extents[1],
             " are more than ", max_sites, " sites");
}

std::int64_t sites_of(const Lattice& lattice) {
    if (lattice.cluster == Cluster::tilted) return std::int64_t{lattice.length} * lattice.length + 1;
    return std::int64_t{lattice.extents[0]} * lattice.extents[1];
}

std::array<int, 2> nearest_image(const Lattice& lattice, std::size_t site) {
    const auto s = static_cast<std::int64_t>(site);
    if (lattice.cluster == Cluster::rectangular)
        return {static_cast<int>(s % lattice.extents[0]), static_cast<int>(s / lattice.extents[0])};
    const std::int64_t sites = sites_of(lattice), length = lattice.length;
    std::array<int, 2> nearest{static_cast<int>(s), 0};
    std::int64_t least = s * s;
    for (std::int64_t y = -length; y <= length; ++y) {
        const std::int64_t to_the_right = modulo(s + length * y, sites);
        for (const std::int64_t x : {to_the_right, to_the_right - sites}) {
            if (x * x + y * y >= least) continue;
            least = x * x + y * y;
            nearest = {static_cast<int>(x), static_cast<int>(y)};
        }
    }
    return nearest;
}

Geometry::Geometry(const Lattice& lattice) : lattice_(lattice), sites_(static_cast<std::size_t>(sites_of(lattice))) {
    for (const auto& shell : steps)
        for (std::size_t site = 0; site < sites_; ++site)
            for (const auto& step : shell) neighbours_.push_back(moved(site, step[0], step[1]));
}

// Returns the site at this displacement. The sites of a tilted cluster form a cyclic group: (x, y) -> x - L y maps
// (L, 1) and (-1, L) to 0 modulo the number of sites.
SignedSite Geometry::moved(std::size_t site, int dx, int dy) const {
    const auto [x, y] = position(site);
    if (lattice_.cluster == Cluster::tilted)
        return {static_cast<std::int32_t>(modulo(static_cast<std::int64_t>(site) + dx - lattice_.length * dy,
                                                 static_cast<std::int64_t>(sites_))),
                1.0};
    const std::array<std::int64_t, 2> to{x + dx, y + dy};
    std::array<std::int64_t, 2> within{};
    double sign = 1;
    for (std::size_t d = 0; d < 2; ++d) {
        within[d] = modulo(to[d], lattice_.extents[d]);
        const bool odd = floored_quotient(to[d], lattice_.extents[d]) % 2 != 0;
        if (odd && lattice_.boundary[d] == Boundary::antiperiodic) sign = -sign;
    }
    return {static_cast<std::int32_t>(within[0] + lattice_.extents[0] * within[1]), sign};
}

SignedSite Geometry::difference(std::size_t a, std::size_t b) const {
    if (lattice_.cluster == Cluster::tilted) return {static_cast<std::int32_t>((a + sites_ - b) % sites_), 1.0};
    const std::array<int, 2> from = position(b);
    std::array<int, 2> to = position(a);
    double sign = 1;
    for (std::size_t d = 0; d < 2; ++d) {
        to[d] -= from[d];
        if (to[d] >= 0) continue;
        to[d] += lattice_.extents[d];
        if (lattice_.boundary[d] == Boundary::antiperiodic) sign = -sign;
    }
    return {to[0] + lattice_.extents[0] * to[1], sign};
}

std::array<int, 2> Geometry::position(std::size_t site) const {
    const auto s = static_cast<int>(site);
    if (lattice_.cluster == Cluster::tilted) return {s, 0};
    return {s % lattice_.extents[0], s / lattice_.extents[0]};
}

// Returns m of a rectangular cluster, where k = pi (mx / Lx, my / Ly). m is even, or odd if the boundary is
// antiperiodic.
std::array<std::int64_t, 2> Geometry::twice_momentum(std::size_t k) const {
    const auto n = position(k);
    return {2 * n[0] + static_cast<int>(lattice_.boundary[0]), 2 * n[1] + static_cast<int>(lattice_.boundary[1])};
}

std::array<double, 2> Geometry::wave_vector(std::size_t k) const {
    if (lattice_.cluster == Cluster::tilted) {
        const auto n = static_cast<std::int64_t>(k), sites = static_cast<std::int64_t>(sites_);
        return {angle(n, sites), angle(-lattice_.length * n, sites)};
    }
    const auto m = twice_momentum(k);
    return {angle(m[0], 2 * std::int64_t{lattice_.extents[0]}), angle(m[1], 2 * std::int64_t{lattice_.extents[1]})};
}

double Geometry::phase(std::size_t k, std::size_t site) const {
    if (lattice_.cluster == Cluster::tilted)
        return angle(static_cast<std::int64_t>(k * site), static_cast<std::int64_t>(sites_));
    const auto m = twice_momentum(k);
    const auto [x, y] = position(site);
    const std::int64_t lx = lattice_.extents[0], ly = lattice_.extents[1];
    return angle(m[0] * x * ly + m[1] * y * lx, 2 * lx * ly);
}

}  // namespace legato::vmc
