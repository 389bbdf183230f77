#include "dfr/quadrature.hpp"

#include <algorithm>
#include <cmath>

#include "dfr/coupling.hpp"
#include "dfr/radial_function.hpp"

namespace legato::dfr {
namespace {

LogGrid grid_of(const Atom& atom) {
    double smallest = largest_exponent, largest = smallest_exponent;
    for (const auto& exponents : atom.exponents)
        for (const double zeta : exponents) {
            smallest = std::min(smallest, zeta);
            largest = std::max(largest, zeta);
        }
    return make_log_grid(smallest, largest);
}

template <class Component>
Matrix table(const LogGrid& grid, int species, const std::vector<double>& exponents, Component component) {
    Matrix values(grid.points, exponents.size());
    for (std::size_t p = 0; p < exponents.size(); ++p) {
        const RadialFunction function = component(species, exponents[p]);
        for (std::size_t i = 0; i < grid.points; ++i) {
            const double r = grid.radius(i);
            values(i, p) = std::sqrt(grid.step * r) * value(function, r);
        }
    }
    return values;
}

void add_mirrored(double factor, const std::vector<double>& kernel, std::vector<double>& to) {
    const std::size_t points = kernel.size();
    to.resize(2 * points - 1);
    for (std::size_t n = 0; n < points; ++n) {
        to[points - 1 + n] += factor * kernel[n];
        if (n > 0) to[points - 1 - n] += factor * kernel[n];
    }
}

}  // namespace

Quadrature make_quadrature(const Problem& problem, const Atom& atom) {
    Quadrature q;
    q.grid = grid_of(atom);
    for (std::size_t i = 0; i < q.grid.points; ++i) q.inverse_root_radius.push_back(1.0 / std::sqrt(q.grid.radius(i)));
    const int species = static_cast<int>(atom.exponents.size());
    for (int s = 0; s < species; ++s) {
        q.large.push_back(table(q.grid, s, atom.exponents[static_cast<std::size_t>(s)], large_component));
        if (problem.relativistic)
            q.small.push_back(table(q.grid, s, atom.exponents[static_cast<std::size_t>(s)], small_component));
    }
    q.exchange.resize(static_cast<std::size_t>(species * species));
    const int nu_max = twice_j_of(species - 1);
    for (int nu = 0; nu <= nu_max; ++nu) {
        const std::vector<double> kernel = band_limited_kernel(nu, q.grid);
        if (nu == 0) add_mirrored(1.0, kernel, q.coulomb);
        for (int s = 0; s < species; ++s)
            for (int t = 0; t < species; ++t)
                if (const double b = exchange_coefficient(s, t, nu); b != 0.0)
                    add_mirrored(b, kernel, q.exchange[static_cast<std::size_t>(s * species + t)]);
    }
    return q;
}

}  // namespace legato::dfr
