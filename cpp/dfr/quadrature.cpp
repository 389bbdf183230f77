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

// A kernel is a sum of such terms.
struct KernelTerm {
    std::vector<double>* to;
    int nu;
    bool is_odd;
    double factor;
};

void add_mirrored(const KernelTerm& term, const std::vector<double>& kernel) {
    const std::size_t reach = kernel.size();
    std::vector<double>& to = *term.to;
    for (std::size_t n = 0; n < reach; ++n) {
        to[reach - 1 + n] += term.factor * kernel[n];
        if (n > 0) to[reach - 1 - n] += (term.is_odd ? -term.factor : term.factor) * kernel[n];
    }
}

// Computes T_nu and U_nu only for the nu that occur, and adds the terms in their order.
void add_terms(const std::vector<KernelTerm>& terms, std::size_t reach, int threads) {
    int most = 0;
    for (const KernelTerm& term : terms) most = std::max(most, term.nu);
    std::vector<std::vector<double>> tables(2 * static_cast<std::size_t>(most) + 2);
    const auto place = [](const KernelTerm& term) { return 2 * static_cast<std::size_t>(term.nu) + term.is_odd; };
    std::vector<char> occurs(tables.size());
    for (const KernelTerm& term : terms) occurs[place(term)] = true;
    in_parallel(tables.size(), threads, [&](std::size_t i) {
        const int nu = static_cast<int>(i / 2);
        if (occurs[i]) tables[i] = i % 2 ? band_limited_odd_kernel(nu, reach) : band_limited_kernel(nu, reach);
    });
    for (const KernelTerm& term : terms) add_mirrored(term, tables[place(term)]);
}

void append_magnetic(Interaction interaction, Kernels& kernels, int s, int t, std::vector<KernelTerm>& terms) {
    const std::size_t place = kernels.place(s, t);
    for (const MagneticTerm& m : magnetic_terms(interaction, s, t)) {
        terms.push_back({&kernels.magnetic[large_large][place], m.nu, false, m.large_large});
        terms.push_back({&kernels.magnetic[small_small][place], m.nu, false, m.small_small});
        terms.push_back({&kernels.magnetic[large_small][place], m.nu, false, m.large_small});
        if (m.odd != 0.0) terms.push_back({&kernels.magnetic[large_small][place], m.nu, true, m.odd});
    }
}

}  // namespace

Kernels make_kernels(Interaction interaction, std::size_t reach, int species, int threads) {
    const auto pairs = static_cast<std::size_t>(species) * static_cast<std::size_t>(species);
    const std::vector<double> empty(2 * reach - 1);
    Kernels kernels{reach, species, empty, std::vector(pairs, empty), {}};
    if (interaction != Interaction::coulomb) kernels.magnetic.fill(std::vector(pairs, empty));
    std::vector<KernelTerm> terms{{&kernels.coulomb, 0, false, 1.0}};
    for (int s = 0; s < species; ++s)
        for (int t = 0; t < species; ++t) {
            for (int nu = 0; 2 * nu <= twice_j_of(s) + twice_j_of(t); ++nu) {
                const double b = exchange_coefficient(s, t, nu);
                if (b != 0.0) terms.push_back({&kernels.exchange[kernels.place(s, t)], nu, false, b});
            }
            append_magnetic(interaction, kernels, s, t, terms);
        }
    add_terms(terms, reach, threads);
    return kernels;
}

Quadratures make_quadratures(const Problem& problem, std::span<const Atom> atoms, int threads) {
    Quadratures all;
    all.atoms.resize(atoms.size());
    in_parallel(atoms.size(), threads, [&](std::size_t i) { all.atoms[i] = make_quadrature(problem, atoms[i]); });
    std::size_t reach = 0, species = 0;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        reach = std::max(reach, all.atoms[i].grid.points);
        species = std::max(species, atoms[i].exponents.size());
    }
    all.kernels = make_kernels(problem.interaction, reach, static_cast<int>(species), threads);
    return all;
}

void remove_coulomb(Kernels& kernels) {
    std::fill(kernels.coulomb.begin(), kernels.coulomb.end(), 0.0);
    for (std::vector<double>& kernel : kernels.exchange) std::fill(kernel.begin(), kernel.end(), 0.0);
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
