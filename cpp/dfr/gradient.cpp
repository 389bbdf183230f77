#include "dfr/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dfr/one_electron.hpp"
#include "dfr/repulsion_job.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

// Returns a matrix with twice the rows, of which the added ones are zero. An empty matrix stays empty.
Matrix with_zeros(const Matrix& a) {
    Matrix longer(2 * a.rows, a.columns);
    for (std::size_t j = 0; j < a.columns; ++j) std::copy_n(a.column(j), a.rows, longer.column(j));
    return longer;
}

// Adds the elements of the repulsion between derivatives and functions. The engine's functions of a component are n
// functions and n derivatives.
void add_derivative_rows(Matrix& to, const Matrix& repulsion, std::size_t n) {
    for (std::size_t q = 0; q < to.columns; ++q)
        for (std::size_t p = 0; p < to.rows; ++p) to(p, q) += repulsion(p < n ? n + p : 2 * n + p, q < n ? q : n + q);
}

// The shells of a species with the same Fock operator.
struct Shells {
    Matrix coefficients;  // [functions x shells] of large and small components, times the root of `electrons`
    double electrons = 0;
    Matrix fock, fock_derivatives;  // F over the basis functions, and with derivatives as rows
};

std::vector<Shells> shells_of(const Problem& problem, const Atom& atom, const SelfConsistentField& field,
                              const RepulsionJob& job, std::size_t species, const Matrix& one_electron_derivatives) {
    const std::vector<DensityShells> densities = densities_of(atom.configuration);
    const std::size_t n = atom.exponents[species].size();
    std::vector<Shells> all;
    for (std::size_t i = 0; i < field.job().densities.size(); ++i) {
        const Density& density = field.job().densities[i];
        if (density.species != static_cast<int>(species)) continue;
        Shells shells;
        shells.electrons = densities[i].electrons;
        shells.coefficients = Matrix(problem.relativistic ? 2 * n : n, density.large.columns);
        for (std::size_t j = 0; j < density.large.columns; ++j) {
            std::copy_n(density.large.column(j), n, shells.coefficients.column(j));
            if (problem.relativistic) std::copy_n(density.small.column(j), n, shells.coefficients.column(j) + n);
        }
        shells.fock = field.one_electron_of(species);
        add(shells.fock, field.job().repulsion[species]);
        shells.fock_derivatives = one_electron_derivatives;
        add_derivative_rows(shells.fock_derivatives, job.repulsion[species], n);
        if (densities[i].open >= 0) {
            const std::size_t target = target_of(atom.configuration, densities[i].open);
            add(shells.fock, field.job().repulsion[target]);
            add_derivative_rows(shells.fock_derivatives, job.repulsion[target], n);
        }
        all.push_back(std::move(shells));
    }
    return all;
}

}  // namespace

Atom with_derivatives(Atom atom) {
    for (std::vector<double>& exponents : atom.exponents) {
        const std::vector<double> once = exponents;
        exponents.insert(exponents.end(), once.begin(), once.end());
    }
    return atom;
}

RepulsionJob derivative_job(const SelfConsistentField& field, std::size_t atom) {
    RepulsionJob job;
    job.atom = atom;
    job.targets = field.job().targets;
    for (const Density& density : field.job().densities)
        job.densities.push_back({density.species, with_zeros(density.large), with_zeros(density.small)});
    return job;
}

std::vector<double> exponent_gradient(const Problem& problem, const Atom& atom, const SelfConsistentField& field,
                                      const RepulsionJob& job, std::size_t species) {
    const std::size_t n = atom.exponents[species].size();
    if (field.leaves_out_functions(species)) return std::vector(n, std::numeric_limits<double>::quiet_NaN());
    const OneElectronDerivatives h =
        one_electron_derivatives(problem, atom.nucleus, static_cast<int>(species), atom.exponents[species]);
    const std::vector<Shells> all = shells_of(problem, atom, field, job, species, h.one_electron);
    std::vector<double> gradient(n);
    // Adds 2 factor sum_a x_pa y_pa, where p are both components of a function.
    const auto add_products = [&](double factor, const Matrix& x, const Matrix& y) {
        for (std::size_t a = 0; a < x.columns; ++a)
            for (std::size_t p = 0; p < x.rows; ++p) gradient[p % n] += 2.0 * factor * x(p, a) * y(p, a);
    };
    for (const Shells& a : all) {
        add_products(1.0, a.coefficients, product(a.fock_derivatives, a.coefficients));
        for (const Shells& b : all) {
            // e_ab / (f_a f_b)^(1/2), averaged with e_ba: rounding and the last iteration leave a small difference.
            const double ratio = std::sqrt(a.electrons / b.electrons);
            Matrix e = transposed_product(a.coefficients, product(a.fock, b.coefficients));
            const Matrix other = transposed_product(a.coefficients, product(b.fock, b.coefficients));
            for (std::size_t i = 0; i < e.values.size(); ++i)
                e.values[i] =
                    0.5 * (ratio * e.values[i] + other.values[i] / ratio) / std::sqrt(a.electrons * b.electrons);
            add_products(-1.0, a.coefficients, product_transposed(product(h.overlap, b.coefficients), e));
        }
    }
    return gradient;
}

}  // namespace legato::dfr
