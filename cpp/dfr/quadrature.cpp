#include "dfr/quadrature.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "dfr/coupling.hpp"
#include "dfr/radial_function.hpp"

namespace legato::dfr {

LogGrid grid_of(const Atom& atom) {
    double smallest = largest_exponent, largest = smallest_exponent;
    for (const auto& exponents : atom.exponents)
        for (const double zeta : exponents) {
            smallest = std::min(smallest, zeta);
            largest = std::max(largest, zeta);
        }
    return make_log_grid(smallest, largest);
}

namespace {

std::vector<double> radii_of(const LogGrid& grid) {
    std::vector<double> radii(grid.points);
    for (std::size_t i = 0; i < radii.size(); ++i) radii[i] = grid.radius(i);
    return radii;
}

template <class Component>
Matrix table(const LogGrid& grid, const std::vector<double>& radii, int species, const std::vector<double>& exponents,
             Component component) {
    Matrix values(grid.points, exponents.size());
    for (std::size_t p = 0; p < exponents.size(); ++p) {
        const auto function = component(species, exponents[p]);
        for (std::size_t i = 0; i < grid.points; ++i)
            values(i, p) = std::sqrt(grid.step * radii[i]) * value(function, radii[i]);
    }
    return values;
}

Quadrature make_quadrature(const Problem& problem, const Atom& atom) {
    Quadrature q;
    q.grid = grid_of(atom);
    const std::vector<double> radii = radii_of(q.grid);
    for (const double r : radii) q.inverse_root_radius.push_back(1.0 / std::sqrt(r));
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const int species = static_cast<int>(s);
        q.large.push_back(table(q.grid, radii, species, atom.exponents[s], large_component));
        if (problem.relativistic) q.small.push_back(table(q.grid, radii, species, atom.exponents[s], small_component));
    }
    return q;
}

void add_mirrored(double factor, const std::vector<double>& kernel, std::vector<double>& to) {
    const std::size_t reach = kernel.size();
    to.resize(2 * reach - 1);
    for (std::size_t n = 0; n < reach; ++n) {
        to[reach - 1 + n] += factor * kernel[n];
        if (n > 0) to[reach - 1 - n] += factor * kernel[n];
    }
}

// Computes T_nu only for nu = 0 and for the nu that occur in an exchange term.
Kernels make_kernels(std::size_t reach, int species, int threads) {
    struct Term {
        std::size_t pair, nu;
        double coefficient;
    };
    const auto count = static_cast<std::size_t>(species);
    Kernels kernels{reach, species, {}, std::vector<std::vector<double>>(count * count)};
    std::vector<std::vector<double>> of_nu(static_cast<std::size_t>(twice_j_of(species - 1)) + 1);
    std::vector<Term> terms;
    std::vector<char> occurs(of_nu.size());
    for (std::size_t pair = 0; pair < count * count; ++pair)
        for (std::size_t nu = 0; nu < of_nu.size(); ++nu) {
            const int s = static_cast<int>(pair / count), t = static_cast<int>(pair % count);
            const double b = exchange_coefficient(s, t, static_cast<int>(nu));
            if (b == 0.0) continue;
            terms.push_back({pair, nu, b});
            occurs[nu] = true;
        }
    in_parallel(of_nu.size(), threads, [&](std::size_t nu) {
        if (occurs[nu]) of_nu[nu] = band_limited_kernel(static_cast<int>(nu), reach);
    });
    add_mirrored(1.0, of_nu[0], kernels.coulomb);
    for (const Term& term : terms) add_mirrored(term.coefficient, of_nu[term.nu], kernels.exchange[term.pair]);
    return kernels;
}

}  // namespace

Quadratures make_quadratures(const Problem& problem, std::span<const Atom> atoms, int threads) {
    Quadratures all;
    all.atoms.resize(atoms.size());
    in_parallel(atoms.size(), threads, [&](std::size_t i) { all.atoms[i] = make_quadrature(problem, atoms[i]); });
    std::size_t reach = 0, species = 0;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        reach = std::max(reach, all.atoms[i].grid.points);
        species = std::max(species, atoms[i].exponents.size());
    }
    all.kernels = make_kernels(reach, static_cast<int>(species), threads);
    return all;
}

void append_derivatives(Quadrature& quadrature, const Atom& atom) {
    const std::vector<double> radii = radii_of(quadrature.grid);
    const auto append = [&](std::vector<Matrix>& functions, auto derivative) {
        for (std::size_t s = 0; s < functions.size(); ++s) {
            const Matrix added = table(quadrature.grid, radii, static_cast<int>(s), atom.exponents[s], derivative);
            functions[s].values.insert(functions[s].values.end(), added.values.begin(), added.values.end());
            functions[s].columns += added.columns;
        }
    };
    append(quadrature.large, large_derivative);
    append(quadrature.small, small_derivative);
}

}  // namespace legato::dfr
