#include "dfr/scf.hpp"

#include <algorithm>
#include <cmath>

#include "dfr/one_electron.hpp"
#include "dfr/quadrature.hpp"

namespace legato::dfr {
namespace {

// Columns X with X^T S X = 1, without the directions whose eigenvalue of S is below the threshold.
Matrix canonical_basis(Matrix overlap, double threshold) {
    const std::vector<double> eigenvalues = diagonalise(overlap);
    const auto first = static_cast<std::size_t>(
        std::lower_bound(eigenvalues.begin(), eigenvalues.end(), threshold) - eigenvalues.begin());
    Matrix basis(overlap.rows, overlap.columns - first);
    for (std::size_t j = 0; j < basis.columns; ++j)
        for (std::size_t i = 0; i < basis.rows; ++i)
            basis(i, j) = overlap(i, first + j) / std::sqrt(eigenvalues[first + j]);
    return basis;
}

void put(Matrix& target, std::size_t row, std::size_t column, const Matrix& part, double factor = 1.0) {
    for (std::size_t j = 0; j < part.columns; ++j)
        for (std::size_t i = 0; i < part.rows; ++i) target(row + i, column + j) = factor * part(i, j);
}

Matrix transposed(const Matrix& a) {
    Matrix t(a.columns, a.rows);
    for (std::size_t j = 0; j < a.columns; ++j)
        for (std::size_t i = 0; i < a.rows; ++i) t(j, i) = a(i, j);
    return t;
}

Matrix rows_of(const Matrix& a, std::size_t first_row, std::size_t rows, std::size_t first, std::size_t columns) {
    Matrix part(rows, columns);
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < rows; ++i) part(i, j) = a(first_row + i, first + j);
    return part;
}

void add(Matrix& a, const Matrix& b, double factor = 1.0) {
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += factor * b.values[i];
}

// Moliere's fit to the Thomas-Fermi screening function.
double screening(double charge, double r) {
    const double x = r * std::cbrt(charge) / 0.88534;
    return 0.35 * std::exp(-0.3 * x) + 0.55 * std::exp(-1.2 * x) + 0.1 * std::exp(-6.0 * x);
}

}  // namespace

SelfConsistentField::SelfConsistentField(const Problem& problem, const Atom& atom, std::size_t index)
    : problem_(problem), atom_(atom) {
    job_.atom = index;
    const int species = static_cast<int>(atom.exponents.size());
    const Quadrature quadrature = make_quadrature(problem, atom);
    double electrons = 0;
    for (int s = 0; s < species; ++s) {
        blocks_.push_back(make_block(s));
        electrons += blocks_.back().closed * degeneracy_of(s) + blocks_.back().open_electrons;
    }
    for (int s = 0; s < species; ++s) {
        // What the other electrons hide of the nucleus, Thomas-Fermi, by quadrature.
        Block& block = blocks_[static_cast<std::size_t>(s)];
        Matrix screened = block.one_electron;
        const std::size_t n = atom.exponents[static_cast<std::size_t>(s)].size();
        for (const auto* tables : {&quadrature.large, &quadrature.small}) {
            if (tables->empty()) continue;
            const Matrix& phi = (*tables)[static_cast<std::size_t>(s)];
            Matrix weighted = phi;
            for (std::size_t i = 0; i < phi.rows; ++i) {
                const double r = quadrature.grid.radius(i);
                const double v = std::max(electrons - 1.0, 0.0) * (1.0 - screening(atom.nucleus.charge, r)) / r;
                for (std::size_t p = 0; p < n; ++p) weighted(i, p) *= v;
            }
            const Matrix v = transposed_product(phi, weighted);
            const std::size_t at = tables == &quadrature.small ? n : 0;
            for (std::size_t q = 0; q < n; ++q)
                for (std::size_t p = 0; p < n; ++p) screened(at + p, at + q) += v(p, q);
        }
        matrices_.push_back(congruence(block.basis, screened));
    }
    result_.status = AtomStatus::running;
}

SelfConsistentField::Block SelfConsistentField::make_block(int species) const {
    const auto s = static_cast<std::size_t>(species);
    const OneElectron h = one_electron(problem_, atom_.nucleus, species, atom_.exponents[s]);
    const std::size_t n = atom_.exponents[s].size(), order = problem_.relativistic ? 2 * n : n;
    Block block;
    block.kinetic = block.nuclear = Matrix(order, order);
    put(block.nuclear, 0, 0, h.nuclear_large);
    const Matrix large = canonical_basis(h.overlap_large, problem_.dependence_threshold);
    block.left_out = static_cast<int>(n - large.columns);
    if (problem_.relativistic) {
        const double c = problem_.speed_of_light;
        put(block.kinetic, n, 0, h.kinetic);
        put(block.kinetic, 0, n, transposed(h.kinetic));
        put(block.nuclear, n, n, h.nuclear_small);
        block.one_electron = block.nuclear;
        add(block.one_electron, block.kinetic);
        for (std::size_t q = 0; q < n; ++q)
            for (std::size_t p = 0; p < n; ++p) block.one_electron(n + p, n + q) -= 2.0 * c * c * h.overlap_small(p, q);
        const Matrix small = canonical_basis(h.overlap_small, problem_.dependence_threshold);
        block.left_out += static_cast<int>(n - small.columns);
        block.negative = small.columns;
        block.basis = Matrix(order, large.columns + small.columns);
        put(block.basis, n, large.columns, small);
    } else {
        block.kinetic = h.kinetic;
        block.one_electron = block.nuclear;
        add(block.one_electron, block.kinetic);
        block.basis = Matrix(order, large.columns);
    }
    put(block.basis, 0, 0, large);
    block.closed = atom_.configuration.closed[s];
    block.open_electrons = atom_.configuration.electrons[s];
    return block;
}

void SelfConsistentField::take_orbitals() {
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        blocks_[s].eigenvectors = std::move(matrices_[s]);
        blocks_[s].orbitals = product(blocks_[s].basis, blocks_[s].eigenvectors);
    }
    make_job();
}

void SelfConsistentField::make_job() {
    job_.densities.clear();
    job_.targets.clear();
    std::vector<std::size_t> open;
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        const Block& block = blocks_[s];
        const std::size_t n = atom_.exponents[s].size();
        const int species = static_cast<int>(s);
        const auto density = [&](std::size_t first, std::size_t count, double electrons) {
            Density d{species, rows_of(block.orbitals, 0, n, first, count), {}};
            if (problem_.relativistic) d.small = rows_of(block.orbitals, n, n, first, count);
            for (Matrix* part : {&d.large, &d.small})
                for (double& value : part->values) value *= std::sqrt(electrons);
            job_.densities.push_back(std::move(d));
        };
        const auto closed = static_cast<std::size_t>(block.closed);
        if (closed > 0) density(block.negative, closed, degeneracy_of(species));
        if (block.open_electrons > 0) {
            open.push_back(job_.densities.size());
            density(block.negative + closed, 1, block.open_electrons);
        }
    }
    for (std::size_t s = 0; s < blocks_.size(); ++s)
        job_.targets.push_back({static_cast<int>(s), std::vector<double>(job_.densities.size(), 1.0)});
    open_target_.assign(blocks_.size(), -1);
    for (const std::size_t a : open) {
        const auto s = static_cast<std::size_t>(job_.densities[a].species);
        Target target{static_cast<int>(s), std::vector<double>(job_.densities.size(), 0.0)};
        for (const std::size_t b : open)
            target.factors[b] =
                atom_.configuration.pairs[s * blocks_.size() + static_cast<std::size_t>(job_.densities[b].species)] -
                1.0;
        open_target_[s] = static_cast<int>(job_.targets.size());
        job_.targets.push_back(std::move(target));
    }
}

// In the orthonormal functions; `error` is its commutator with the occupation (1 closed, 1/2 open).
Matrix SelfConsistentField::coupled_fock(Block& block, std::size_t s, Matrix& error) const {
    Matrix fock = block.one_electron;
    add(fock, job_.repulsion[s]);
    Matrix closed_fock = congruence(block.orbitals, fock);
    const std::size_t m = closed_fock.rows, first = block.negative,
                      open = first + static_cast<std::size_t>(block.closed);
    Matrix r = closed_fock;
    if (open_target_[s] >= 0) {
        Matrix open_fock = closed_fock;
        add(open_fock, congruence(block.orbitals, job_.repulsion[static_cast<std::size_t>(open_target_[s])]));
        const double g = degeneracy_of(static_cast<int>(s)), q = block.open_electrons;
        for (std::size_t i = 0; i < m; ++i) {
            const bool closed = i >= first && i < open;
            r(i, open) = r(open, i) =
                closed ? (g * closed_fock(i, open) - q * open_fock(i, open)) / (g - q) : open_fock(i, open);
        }
    }
    std::vector<double> occupation(m, 0.0);
    std::fill(occupation.begin() + static_cast<std::ptrdiff_t>(first),
              occupation.begin() + static_cast<std::ptrdiff_t>(open), 1.0);
    if (open_target_[s] >= 0) occupation[open] = 0.5;
    error = Matrix(m, m);
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < m; ++i) error(i, j) = r(i, j) * (occupation[j] - occupation[i]);
    block.energies.resize(m);
    for (std::size_t i = 0; i < m; ++i) block.energies[i] = r(i, i);
    const Matrix& u = block.eigenvectors;
    error = product_transposed(product(u, error), u);
    return product_transposed(product(u, r), u);
}

void SelfConsistentField::take_repulsion() {
    ++result_.iterations;
    result_.kinetic = result_.nuclear = result_.repulsion = result_.energy = 0;
    for (const Density& d : job_.densities) {
        const auto s = static_cast<std::size_t>(d.species);
        const Block& block = blocks_[s];
        Matrix c(block.basis.rows, d.large.columns);
        put(c, 0, 0, d.large);
        put(c, d.large.rows, 0, d.small);
        const Matrix density = product_transposed(c, c);
        const bool open = &d != job_.densities.data() && (&d - 1)->species == d.species;
        result_.energy += trace_product(density, block.one_electron);
        result_.kinetic += trace_product(density, block.kinetic);
        result_.nuclear += trace_product(density, block.nuclear);
        result_.repulsion += 0.5 * trace_product(density, job_.repulsion[s]);
        if (open_target_[s] >= 0 && (open || block.closed == 0))
            result_.repulsion +=
                0.5 * trace_product(density, job_.repulsion[static_cast<std::size_t>(open_target_[s])]);
    }
    result_.energy += result_.repulsion;
    Step step;
    double gradient = 0;
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        Matrix error;
        step.fock.push_back(coupled_fock(blocks_[s], s, error));
        for (const double e : error.values) gradient = std::max(gradient, std::abs(e));
        step.error.push_back(std::move(error));
    }
    const double before = history_.empty() ? 0.0 : last_energy_;
    result_.gradient = gradient;
    judge(before);
    last_energy_ = result_.energy;
    extrapolate(std::move(step));
}

void SelfConsistentField::judge(double before) {
    const double change = std::abs(result_.energy - before);
    stagnant_ = change <= problem_.energy_threshold * std::abs(result_.energy) ? stagnant_ + 1 : 0;
    if (!std::isfinite(result_.energy))
        result_.status = AtomStatus::failed;
    else if (stagnant_ >= 1 && result_.gradient <= problem_.gradient_threshold)
        result_.status = AtomStatus::converged;
    else if (result_.iterations >= problem_.max_iterations)
        result_.status = AtomStatus::not_converged;
}

// Pulay's direct inversion of the iterative subspace.
void SelfConsistentField::extrapolate(Step step) {
    history_.push_back(std::move(step));
    if (history_.size() > static_cast<std::size_t>(problem_.diis_vectors)) history_.pop_front();
    const std::size_t n = history_.size();
    Matrix system(n + 1, n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        system(i, n) = system(n, i) = -1.0;
        for (std::size_t j = 0; j <= i; ++j) {
            double overlap = 0;
            for (std::size_t s = 0; s < blocks_.size(); ++s)
                overlap += trace_product(history_[i].error[s], history_[j].error[s]);
            system(i, j) = system(j, i) = overlap;
        }
    }
    const double scale = system(n - 1, n - 1);
    for (std::size_t j = 0; j < n && scale > 0; ++j)
        for (std::size_t i = 0; i < n; ++i) system(i, j) /= scale;
    std::vector<double> weights(n + 1);
    weights[n] = -1.0;
    if (n == 1 || !solve_symmetric(system, weights)) {
        std::fill(weights.begin(), weights.end(), 0.0);
        weights[n - 1] = 1.0;
    }
    matrices_.assign(blocks_.size(), {});
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        matrices_[s] = Matrix(blocks_[s].basis.columns, blocks_[s].basis.columns);
        for (std::size_t i = 0; i < n; ++i) add(matrices_[s], history_[i].fock[s], weights[i]);
    }
}

AtomResult SelfConsistentField::result() const {
    AtomResult result = result_;
    for (const Block& block : blocks_) {
        const std::size_t order = block.basis.rows, n = problem_.relativistic ? order / 2 : order,
                          count = block.energies.size() - block.negative;
        Species species;
        species.orbital_energies.assign(block.energies.begin() + static_cast<std::ptrdiff_t>(block.negative),
                                        block.energies.end());
        species.large = rows_of(block.orbitals, 0, n, block.negative, count);
        if (problem_.relativistic) species.small = rows_of(block.orbitals, n, n, block.negative, count);
        species.functions_left_out = block.left_out;
        result.species.push_back(std::move(species));
    }
    return result;
}

}  // namespace legato::dfr
