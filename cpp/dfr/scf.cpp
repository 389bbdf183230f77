#include "dfr/scf.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/larger.hpp"
#include "core/parallel.hpp"
#include "dfr/cpu_kernels.hpp"
#include "dfr/field_record.hpp"
#include "dfr/one_electron.hpp"
#include "dfr/shell_coupling.hpp"
#include "dfr/spinor_matrices.hpp"

namespace legato::dfr {
namespace {

// Returns Moliere's fit to the Thomas-Fermi screening function.
double screening(double charge, double r) {
    const double x = r * std::cbrt(charge) / 0.88534;
    return 0.35 * std::exp(-0.3 * x) + 0.55 * std::exp(-1.2 * x) + 0.1 * std::exp(-6.0 * x);
}

}  // namespace

SelfConsistentField::SelfConsistentField(const Problem& problem, const Atom& atom)
    : problem_(problem), atom_(atom), blocks_(atom.exponents.size()) {
    for (std::size_t s = 0; s < blocks_.size(); ++s) blocks_[s].shells = occupied_shells(atom.configuration, s);
    result_.status = AtomStatus::running;
    step_.fock.resize(blocks_.size());
}

SelfConsistentField::SelfConsistentField(const Problem& problem, const Atom& atom, const Quadrature& quadrature,
                                         std::size_t index, int threads, const Start& start)
    : SelfConsistentField(problem, atom) {
    job_.atom = index;
    densities_ = densities_of(atom.configuration);
    const std::size_t species = blocks_.size();
    in_parallel(species, threads, [this](std::size_t s) { blocks_[s] = make_block(static_cast<int>(s)); });
    for (std::size_t s = 0; s < species; ++s) require_functions(s);
    if (finished()) return;
    step_.error.resize(species);
    energies_.resize(species);
    starts_with_spinors_ = start != nullptr;
    if (!start) {
        begin_screened(quadrature, number_of_electrons(atom.configuration), threads);
        return;
    }
    for (std::size_t s = 0; s < species; ++s)
        blocks_[s].eigenproblem.pairs.vectors =
            projected(*start, static_cast<int>(s), atom.exponents[s], blocks_[s].large, blocks_[s].small);
}

void SelfConsistentField::begin_screened(const Quadrature& quadrature, double electrons, int threads) {
    in_parallel(blocks_.size(), threads, [&](std::size_t s) {
        Matrix start = blocks_[s].one_electron;
        add(start, screening_potential(quadrature, static_cast<int>(s), electrons));
        blocks_[s].eigenproblem.matrix = in_orthonormal_functions(start, blocks_[s].large, blocks_[s].small);
    });
}

void SelfConsistentField::give_up(const std::string& why) {
    result_.status = AtomStatus::failed;
    why_failed_ = why;
}

// Gives up unless near linear dependence has left a function for every shell.
void SelfConsistentField::require_functions(std::size_t species) {
    const Block& block = blocks_[species];
    const std::size_t left = block.large.columns, shells = block.highest();
    if (left < shells)
        give_up(text("near linear dependence leaves ", left, " of ", block.large_functions, " functions of ",
                     name_of(static_cast<int>(species)), " for ", shells, " shells"));
}

SelfConsistentField::Block SelfConsistentField::make_block(int species) const {
    const auto s = static_cast<std::size_t>(species);
    const OneElectron h = one_electron(problem_, atom_.nucleus, species, atom_.exponents[s]);
    const std::size_t n = atom_.exponents[s].size(), order = problem_.relativistic ? 2 * n : n;
    Block block;
    block.shells = blocks_[s].shells;
    const std::size_t used = n - (atom_.only_small.empty() ? 0 : atom_.only_small[s]);
    const Matrix combinations =
        canonical_functions(part_of(h.overlap_large, 0, used, 0, used), problem_.dependence_threshold);
    block.large = Matrix(n, combinations.columns);
    put(block.large, 0, 0, combinations);
    block.large_functions = used;
    block.nuclear = block.kinetic = Matrix(order, order);
    put(block.nuclear, 0, 0, h.nuclear_large);
    if (problem_.relativistic) {
        block.small = canonical_functions(h.overlap_small, problem_.dependence_threshold);
        put(block.nuclear, n, n, h.nuclear_small);
        put(block.kinetic, n, 0, h.kinetic);
        put_transposed(block.kinetic, 0, n, h.kinetic);
    } else {
        block.kinetic = h.kinetic;
    }
    block.one_electron = block.nuclear;
    add(block.one_electron, block.kinetic);
    if (problem_.relativistic) {
        const double twice_rest_energy = 2.0 * problem_.speed_of_light * problem_.speed_of_light;
        for (std::size_t q = 0; q < n; ++q)
            for (std::size_t p = 0; p < n; ++p)
                block.one_electron(n + p, n + q) -= twice_rest_energy * h.overlap_small(p, q);
    }
    return block;
}

// Returns the matrix of the potential with which the other electrons screen the nucleus in the Thomas-Fermi model.
Matrix SelfConsistentField::screening_potential(const Quadrature& quadrature, int species, double electrons) const {
    const auto s = static_cast<std::size_t>(species);
    const std::size_t order = blocks_[s].one_electron.rows;
    std::vector<double> v(quadrature.grid.points);
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double r = quadrature.grid.radius(i);
        v[i] = std::max(electrons - 1.0, 0.0) * (1.0 - screening(atom_.nucleus.charge, r)) / r;
    }
    Matrix potential(order, order);
    for (const auto* components : {&quadrature.large, &quadrature.small}) {
        if (components->empty()) continue;
        const Matrix& phi = (*components)[s];
        Matrix weighted = phi;
        for (std::size_t p = 0; p < phi.columns; ++p)
            for (std::size_t i = 0; i < phi.rows; ++i) weighted(i, p) *= v[i];
        const std::size_t at = components == &quadrature.small ? phi.columns : 0;
        Matrix part(phi.columns, phi.columns);
        cpu_kernels().contract(phi.rows, phi.columns, phi.values.data(), phi.columns, weighted.values.data(),
                               part.values.data());
        put(potential, at, at, part);
    }
    return potential;
}

// Asks for the occupied spinors only. All eigenvalues are found only once: the largest one belongs to the steepest
// functions, and the electrons' repulsion hardly changes it.
void SelfConsistentField::pose_eigenproblem(std::size_t species) {
    Block& block = blocks_[species];
    if (descent_) return pose_spinors(species);
    Matrix matrix = weights_.empty() ? std::move(block.eigenproblem.matrix) : extrapolated(species);
    block.eigenproblem = {std::move(matrix), block.negative(), block.highest(), block.largest == 0.0, {}, 0.0, {}};
}

// Returns the density of spinors that are given over the orthonormal functions.
Density SelfConsistentField::density(std::size_t species, const Matrix& orbitals, double electrons) const {
    const Block& block = blocks_[species];
    const std::size_t m = block.large.columns, count = orbitals.columns;
    Density d{static_cast<int>(species), product(block.large, part_of(orbitals, 0, m, 0, count)), {}};
    if (problem_.relativistic) d.small = product(block.small, part_of(orbitals, m, block.small.columns, 0, count));
    for (Matrix* part : {&d.large, &d.small})
        for (double& value : part->values) value *= std::sqrt(electrons);
    return d;
}

// Returns true if LAPACK's error would hide the levels. The error is proportional to the largest eigenvalue, which is
// at least 2 c^2. The energy contains the square of this error divided by the level distance, which grows as c^4: in
// helium 1e-14 hartree at c = `largest`, 7e-11 at 1e5, 6e-7 at 1e6.
bool SelfConsistentField::rest_energy_hides_levels() const {
    constexpr double largest = 1e4;
    return problem_.relativistic && problem_.speed_of_light > largest;
}

void SelfConsistentField::refine(Block& block) {
    Eigenproblem& solved = block.eigenproblem;
    const Matrix states = without_rest_energy(solved.matrix, block.large.columns);
    solved.pairs.vectors = part_of(states, 0, states.rows, 0, solved.count);
    if (!solved.largest_wanted) return;
    const Matrix steepest = part_of(states, 0, states.rows, states.columns - 1, 1);
    block.largest = std::abs(trace_product(steepest, product(solved.matrix, steepest)));
}

void SelfConsistentField::make_job() {
    for (Block& block : blocks_) {
        const Eigenproblem& solved = block.eigenproblem;
        if (!solved.failure.empty()) return give_up(solved.failure);
        if (solved.largest_wanted) block.largest = solved.largest;
        if (rest_energy_hides_levels() && !has_spinors()) refine(block);
        if (block.highest() == block.occupied() || has_spinors()) continue;
        std::vector<std::size_t> columns;
        for (const OccupiedShell& shell : block.shells) columns.push_back(shell.index);
        block.eigenproblem.pairs.vectors = columns_in_order(block.orbitals(), columns);
    }
    job_.densities.clear();
    for (const DensityShells& of : densities_) {
        const auto s = static_cast<std::size_t>(of.species);
        job_.densities.push_back(density(s, columns_in_order(blocks_[s].orbitals(), of.columns), of.electrons));
    }
    make_targets(atom_.configuration, job_);
}

Matrix SelfConsistentField::coupled_fock(std::size_t species) const {
    const Block& block = blocks_[species];
    Matrix matrix = block.one_electron;
    add(matrix, job_.repulsion[species]);
    Matrix fock = in_orthonormal_functions(matrix, block.large, block.small);
    return legato::dfr::coupled_fock(std::move(fock), excess_of(species), block.orbitals(), block.shells,
                                     degeneracy_of(static_cast<int>(species)));
}

// Returns the differences between the Fock operators of the open shells and that of the closed ones.
std::vector<Matrix> SelfConsistentField::excess_of(std::size_t species) const {
    const Block& block = blocks_[species];
    std::vector<Matrix> excess;
    for (const OccupiedShell& shell : block.shells)
        if (shell.open >= 0)
            excess.push_back(in_orthonormal_functions(job_.repulsion[target_of(atom_.configuration, shell.open)],
                                                      block.large, block.small));
    return excess;
}

// Returns [F, D]. D has gradient_weights() for the shells, and 0 for virtual states, which include those of negative
// energy.
Matrix SelfConsistentField::commutator(std::size_t species, const Matrix& fock) const {
    const Block& block = blocks_[species];
    const std::size_t m = fock.rows;
    const std::vector<double> weights = gradient_weights(block.shells);
    Matrix weighted = block.orbitals();
    for (std::size_t a = 0; a < weights.size(); ++a)
        for (std::size_t i = 0; i < m; ++i) weighted(i, a) *= weights[a];
    const Matrix fd = product_transposed(product(fock, block.orbitals()), weighted);
    Matrix result(m, m);
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < m; ++i) result(i, j) = fd(i, j) - fd(j, i);
    if (!rest_energy_hides_levels()) return result;
    // Rotations between large and small components cost the energy 2 c^2. Their elements, and the rounding in these,
    // are proportional to c.
    const std::size_t large = block.large.columns;
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < m; ++i)
            if ((i < large) != (j < large)) result(i, j) /= 2.0 * problem_.speed_of_light;
    return result;
}

// Returns the energies of the densities of one species.
SelfConsistentField::Energies SelfConsistentField::energies_of(std::size_t species) const {
    const Block& block = blocks_[species];
    Energies sum;
    for (std::size_t i = 0; i < job_.densities.size(); ++i) {
        const Density& density = job_.densities[i];
        if (density.species != static_cast<int>(species)) continue;
        Matrix coefficients(block.one_electron.rows, density.large.columns);
        put(coefficients, 0, 0, density.large);
        put(coefficients, density.large.rows, 0, density.small);
        const Matrix d = product_transposed(coefficients, coefficients);
        sum.one_electron += trace_product(d, block.one_electron);
        sum.kinetic += trace_product(d, block.kinetic);
        sum.nuclear += trace_product(d, block.nuclear);
        sum.repulsion += 0.5 * trace_product(d, job_.repulsion[species]);
        if (densities_[i].open >= 0)
            sum.repulsion += 0.5 * trace_product(d, job_.repulsion[target_of(atom_.configuration, densities_[i].open)]);
    }
    return sum;
}

void SelfConsistentField::take_repulsion(std::size_t species) {
    step_.fock[species] = coupled_fock(species);
    if (has_spinors()) blocks_[species].eigenproblem.matrix = step_.fock[species];  // there was no eigenproblem
    step_.error[species] = commutator(species, step_.fock[species]);
    energies_[species] = energies_of(species);
}

void SelfConsistentField::close_iteration() {
    const double previous_energy = result_.energy;
    ++result_.iterations;
    Energies sum;
    for (const Energies& part : energies_) {
        sum.one_electron += part.one_electron;
        sum.kinetic += part.kinetic;
        sum.nuclear += part.nuclear;
        sum.repulsion += part.repulsion;
    }
    result_.energy = sum.one_electron + sum.repulsion;
    result_.kinetic = sum.kinetic;
    result_.nuclear = sum.nuclear;
    result_.repulsion = sum.repulsion;
    result_.gradient = 0;
    for (const Matrix& error : step_.error)
        for (const double e : error.values) result_.gradient = larger(result_.gradient, std::abs(e));
    check_convergence(previous_energy);
    if (finished())
        history_.clear();
    else
        find_next_spinors();
}

// Returns the rounding error of the gradient. It comes from the Fock matrix and is proportional to the largest
// eigenvalue of this matrix.
double SelfConsistentField::rounding_in_gradient() const {
    double largest = 0;
    for (const Block& block : blocks_) largest = std::max(largest, block.largest);
    return 4.0 * std::numeric_limits<double>::epsilon() * largest;
}

// Returns the error of the energy that belongs to the gradient. It is the sum of the squared elements between occupied
// and virtual states, times the electrons, each divided by the distance of the two levels.
double SelfConsistentField::energy_in_gradient() const {
    double sum = 0;
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        const Block& block = blocks_[s];
        if (block.occupied() == 0) continue;
        const Matrix all = positive_states(s);
        const std::vector<double> energies = energies_in_last_field(s, all);
        const Matrix elements = transposed_product(all, product(step_.error[s], block.orbitals()));
        const std::vector<double> weights = gradient_weights(block.shells);
        std::vector<bool> is_virtual(all.columns, true);
        for (const OccupiedShell& shell : block.shells) is_virtual[shell.index] = false;
        for (std::size_t i = 0; i < block.occupied(); ++i) {
            // [F, D] contains F times the weight.
            const double electrons = block.shells[i].electrons / (weights[i] * weights[i]),
                         energy = energies[block.shells[i].index];
            for (std::size_t a = 0; a < all.columns; ++a)
                if (is_virtual[a]) sum += electrons * elements(a, i) * elements(a, i) / std::abs(energies[a] - energy);
        }
    }
    return sum;
}

// Returns true if the energy is resolved in spite of the gradient that rounding leaves. This gradient can exceed the
// depth of a level if exponents are far beyond what an atom needs. The energy must have been steady for one iteration
// if the error that belongs to the gradient is small. Otherwise it must have been steady for two, because that error
// may be only rounding of the gradient. A gradient within the caller's threshold is always accepted.
bool SelfConsistentField::energy_is_resolved() const {
    return result_.gradient <= problem_.gradient_threshold || iterations_at_resolution_ >= 2 ||
           (iterations_at_resolution_ == 1 && energy_in_gradient() <= finest_energy());
}

// Returns the largest change of the energy that is accepted if rounding does not allow a smaller one.
double SelfConsistentField::finest_energy() const {
    constexpr double finest = 1e-10;  // relative
    return std::max(problem_.energy_threshold, finest) * std::abs(result_.energy);
}

void SelfConsistentField::check_convergence(double previous_energy) {
    const double change = std::abs(result_.energy - previous_energy), once = rounding_in_gradient();
    // An error of the gradient changes the energy by its square divided by a level distance, 1 hartree in outer shells.
    const bool stays = change <= std::max(problem_.energy_threshold * std::abs(result_.energy), once * once);
    iterations_at_threshold_ = stays ? iterations_at_threshold_ + 1 : 0;
    iterations_at_resolution_ = change <= finest_energy() ? iterations_at_resolution_ + 1 : 0;
    // Nearly dependent functions increase the rounding. If the energy stays the same, a larger gradient is accepted, up
    // to a value that makes no difference to the energy.
    constexpr double no_difference = 1e-12;  // relative
    const double asked = std::max(problem_.gradient_threshold, (iterations_at_threshold_ >= 4 ? 16.0 : 1.0) * once);
    const bool is_small =
        result_.gradient <= asked ||
        (iterations_at_threshold_ >= 4 && energy_in_gradient() <= no_difference * std::abs(result_.energy));
    if (!std::isfinite(result_.energy) || !std::isfinite(result_.gradient))
        give_up(text("iteration ", result_.iterations, " gave a result that is not a number"));
    else if (iterations_at_threshold_ >= 1 && is_small && energy_is_resolved())
        end_converged();
    else if (result_.iterations >= problem_.max_iterations)
        end_not_converged(change);
}

// Sets the status. Adds a message if more iterations would not help.
void SelfConsistentField::end_not_converged(double change) {
    result_.status = AtomStatus::not_converged;
    if (descent_) end_descent();
    const double once = rounding_in_gradient();
    if (result_.gradient > std::max(problem_.gradient_threshold, 16.0 * once)) {
        if (descent_) why_not_converged_ = unfinished_descent();
        if (has_holes(atom_.configuration))
            why_not_converged_ =
                text("the gradient is ", result_.gradient, " after ", result_.iterations,
                     " iterations; configurations with holes or several open shells of a species are only "
                     "extrapolated, because a descent would fill the holes; raise dfr.params.max_iterations");
        return;
    }
    why_not_converged_ =
        text("the energy is resolved to about ", larger(change, energy_in_gradient()),
             " hartree, which is the attainable accuracy: rounding of the largest eigenvalue, ",
             once / (4.0 * std::numeric_limits<double>::epsilon()), " hartree, leaves ", result_.gradient,
             " of the gradient; leave out functions with large exponents, or loosen dfr.params.energy_threshold (",
             problem_.energy_threshold, ") or gradient_threshold (", problem_.gradient_threshold, ")");
}

std::vector<double> SelfConsistentField::energies_in_last_field(std::size_t species, const Matrix& u) const {
    const Matrix fu = product(step_.fock[species], u);
    std::vector<double> energies;
    for (std::size_t i = 0; i < u.columns; ++i)
        energies.push_back(std::inner_product(fu.column(i), fu.column(i) + fu.rows, u.column(i), 0.0));
    return energies;
}

// Sets the status. A nucleus of finite size may have Z > c. If it pulls a spinor into the continuum of negative
// energies, below -2 c^2, the states above that continuum are not the requested spinors.
void SelfConsistentField::end_converged() {
    if (descent_) {
        end_descent();
        why_not_converged_ = wrong_order();
        if (!why_not_converged_.empty()) {
            result_.status = AtomStatus::not_converged;
            return;
        }
    }
    if (has_holes(atom_.configuration) && !rest_energy_hides_levels()) {
        why_not_converged_ = wrong_state();
        if (!why_not_converged_.empty()) {
            result_.status = AtomStatus::not_converged;
            return;
        }
    }
    double lowest = std::numeric_limits<double>::infinity();
    highest_energy_ = -lowest;
    for (std::size_t s = 0; s < blocks_.size(); ++s)
        for (const double energy : energies_in_last_field(s, blocks_[s].orbitals())) {
            lowest = std::min(lowest, energy);
            highest_energy_ = std::max(highest_energy_, energy);
        }
    const double c = problem_.speed_of_light;
    if (problem_.relativistic && lowest < -1.9 * c * c)
        give_up(text("the energy of an occupied spinor is ", lowest, ", at the continuum of negative energies below ",
                     -2.0 * c * c, "; take a smaller charge, or a larger nucleus"));
    else
        result_.status = highest_energy_ > energy_of_unbound() ? AtomStatus::unbound : AtomStatus::converged;
}

// Adds this step with its overlaps to the history. The weights select this step alone, in case extrapolate() finds no
// better ones.
void SelfConsistentField::remember_step() {
    step_.overlaps.clear();
    const auto overlap = [this](const Step& other) {
        double sum = 0;
        for (std::size_t s = 0; s < blocks_.size(); ++s) sum += trace_product(step_.error[s], other.error[s]);
        return sum;
    };
    for (const Step& other : history_) step_.overlaps.push_back(overlap(other));
    step_.overlaps.push_back(overlap(step_));
    weights_.reserve(history_.size() + 1);
    history_.push_back(step_);
    if (history_.size() > static_cast<std::size_t>(problem_.diis_vectors)) {
        history_.pop_front();
        for (Step& step : history_) step.overlaps.pop_front();
    }
    weights_.assign(history_.size(), 0.0);
    weights_.back() = 1.0;
}

// Finds the weights by direct inversion of the iterative subspace (P. Pulay, J. Comput. Chem. 3, 556 (1982)).
void SelfConsistentField::extrapolate() {
    remember_step();
    const std::size_t n = history_.size();
    if (n == 1) return;
    const double newest = history_.back().overlaps.back(), scale = newest > 0 ? newest : 1.0;
    Matrix system(n + 1, n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        system(i, n) = system(n, i) = -1.0;
        for (std::size_t j = 0; j <= i; ++j) system(i, j) = history_[i].overlaps[j] / scale;
    }
    std::vector<double> weights(n + 1, 0.0);
    weights[n] = -1.0;
    const auto finite = [](double w) { return std::isfinite(w); };
    if (solve_symmetric(system, weights) && std::all_of(weights.begin(), weights.end(), finite))
        std::copy_n(weights.begin(), n, weights_.begin());
}

// The following functions descend (dfr/descent.hpp) where the extrapolation makes no progress.
namespace {

constexpr std::ptrdiff_t window = 30;  // iterations in which the extrapolation must make progress

}  // namespace

// Poses an eigenproblem whose eigenvectors are the spinors of the descent, in the same order.
void SelfConsistentField::pose_spinors(std::size_t species) {
    Block& block = blocks_[species];
    const Matrix& u = descent_->spinors(species);
    const std::size_t negative = block.negative(), occupied = block.occupied();
    Matrix scaled = u;
    for (std::size_t j = 0; j < u.columns; ++j) {
        const double start = j < negative ? -4.0 : j < negative + occupied ? -2.0 : 0.0;
        const double level = start + static_cast<double>(j) / static_cast<double>(u.columns);
        for (std::size_t i = 0; i < u.rows; ++i) scaled(i, j) *= level;
    }
    block.eigenproblem = {product_transposed(scaled, u), negative, occupied, false, {}, 0.0, {}};
}

void SelfConsistentField::find_next_spinors() {
    if (descent_) {
        if (!descent_->has_begun()) begin_descent(canonical_spinors());
        descent_->advance(result_.energy, step_.fock);
        return;
    }
    remember_gradient();
    remember_lowest();
    if (makes_no_progress())
        begin_descent(lowest_spinors_);
    else
        extrapolate();
}

// Keeps the gradients that makes_no_progress() compares.
void SelfConsistentField::remember_gradient() {
    gradients_.push_back(result_.gradient);
    if (std::ssize(gradients_) > 2 * window) gradients_.pop_front();
}

// Returns true if the last iterations have not halved the smallest gradient of as many iterations before. The
// extrapolation fails where an electron is bound so weakly that a small change of the field moves it into the most
// diffuse functions of the basis, and back.
bool SelfConsistentField::makes_no_progress() const {
    if (problem_.diis_vectors == 1 || rest_energy_hides_levels() || std::ssize(gradients_) < 2 * window) return false;
    if (has_holes(atom_.configuration)) return false;  // a descent would fill the holes
    const auto middle = gradients_.begin() + window;
    return *std::min_element(middle, gradients_.end()) >= 0.5 * *std::min_element(gradients_.begin(), middle);
}

// Remembers the spinors of the lowest energy after the first iterations, whose energies may be lower than the minimum.
void SelfConsistentField::remember_lowest() {
    constexpr int first = 20;
    if (result_.iterations < first || result_.energy >= lowest_energy_) return;
    std::vector<Matrix> spinors;
    for (const Block& block : blocks_) spinors.push_back(block.orbitals());
    lowest_spinors_ = std::move(spinors);
    lowest_energy_ = result_.energy;
}

// Begins with these occupied spinors. The other states are the eigenvectors of the last Fock matrix between them.
void SelfConsistentField::begin_descent(const std::vector<Matrix>& occupied) {
    const double c = problem_.speed_of_light, charge = atom_.nucleus.charge,
                 level = problem_.relativistic ? -c * c : -2.0 * charge * charge;
    std::vector<Descent::Shells> shells;
    std::vector<Matrix> spinors;
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        const Block& block = blocks_[s];
        shells.push_back({block.negative(), static_cast<std::size_t>(atom_.configuration.closed[s]),
                          atom_.configuration.electrons[s], static_cast<double>(degeneracy_of(static_cast<int>(s)))});
        spinors.push_back(completed(occupied[s], step_.fock[s], level));
    }
    history_.clear();
    descent_.emplace(std::move(shells), std::move(spinors));
}

// Returns the occupied spinors [species], after a rotation of the closed shells that makes them eigenvectors of the
// last Fock matrix between themselves.
std::vector<Matrix> SelfConsistentField::canonical_spinors() const {
    std::vector<Matrix> all;
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        Matrix canonical = blocks_[s].orbitals();
        Matrix closed(canonical.rows, static_cast<std::size_t>(atom_.configuration.closed[s]));
        if (closed.columns > 0) {
            std::copy_n(canonical.values.begin(), closed.values.size(), closed.values.begin());
            Matrix between = transposed_product(closed, product(step_.fock[s], closed));
            diagonalise(between);
            closed = product(closed, between);
            std::copy(closed.values.begin(), closed.values.end(), canonical.values.begin());
        }
        all.push_back(std::move(canonical));
    }
    return all;
}

// Makes the states those of the last Fock matrix, as they are after an extrapolation.
void SelfConsistentField::end_descent() {
    std::vector<Matrix> spinors = canonical_spinors();
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        blocks_[s].eigenproblem.matrix = step_.fock[s];
        blocks_[s].eigenproblem.pairs.vectors = std::move(spinors[s]);
    }
}

// Returns why a descent has not ended.
std::string SelfConsistentField::unfinished_descent() const {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < blocks_.size(); ++s)
        for (const double energy : energies_in_last_field(s, blocks_[s].orbitals()))
            highest = std::max(highest, energy);
    return text("the extrapolation has made no progress, and the descent of the energy has not ended: the gradient is ",
                result_.gradient, ", and the highest energy of an occupied spinor ", highest,
                " hartree; raise dfr.params.max_iterations (", problem_.max_iterations,
                "), or take fewer electrons if this energy is about 0");
}

// Returns the energy above which a spinor is not bound. It is 0; after a descent it is 0 minus the error of the energy
// of the spinor, because these fields are those whose spinors end at 0, where the most diffuse functions are. In the
// last iterations of such fields the energy of the spinor changes by 10 to 30 times the gradient.
double SelfConsistentField::energy_of_unbound() const {
    return descent_ ? -30.0 * result_.gradient : 0.0;
}

// Returns what is wrong if an open shell is not the requested state of its Fock operator, or is mixed with another one.
std::string SelfConsistentField::wrong_state() const {
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        const Block& block = blocks_[s];
        Matrix matrix = block.one_electron;
        add(matrix, job_.repulsion[s]);
        const int shell = legato::dfr::wrong_state(in_orthonormal_functions(matrix, block.large, block.small),
                                                   excess_of(s), block.orbitals(), block.shells,
                                                   degeneracy_of(static_cast<int>(s)), block.negative());
        if (shell >= 0)
            return text(
                "the energy is stationary, but the spinor of shell ",
                block.shells[static_cast<std::size_t>(shell)].index + 1, " of ", name_of(static_cast<int>(s)),
                " is mixed with another open shell, or is another state of its Fock operator than the requested one");
    }
    return {};
}

// Returns what is wrong if the occupied spinors are not the lowest eigenvectors of the last Fock matrix in their order.
std::string SelfConsistentField::wrong_order() const {
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        const Matrix overlap = transposed_product(positive_states(s), blocks_[s].orbitals());
        for (std::size_t i = 0; i < overlap.columns; ++i)
            if (overlap(i, i) * overlap(i, i) < 0.5)
                return text("the energy is stationary, but occupied spinor ", i + 1, " of ",
                            name_of(static_cast<int>(s)), " is not the one with number ", i + 1, " in order of energy");
    }
    return {};
}

Matrix SelfConsistentField::extrapolated(std::size_t species) const {
    const Matrix& newest = history_.back().fock[species];
    Matrix matrix(newest.rows, newest.columns);
    for (std::size_t i = 0; i < history_.size(); ++i) add(matrix, history_[i].fock[species], weights_[i]);
    return matrix;
}

// Returns the states of positive energy of the extrapolated Fock matrix over the orthonormal functions. State k is the
// shell with index k.
Matrix SelfConsistentField::positive_states(std::size_t species) const {
    const Block& block = blocks_[species];
    Matrix u = block.eigenproblem.matrix;
    if (rest_energy_hides_levels()) return without_rest_energy(u, block.large.columns);
    diagonalise(u);
    const std::size_t first = block.negative();
    return part_of(u, 0, u.rows, first, u.columns - first);
}

// Returns the states of positive energy, with their energies in the last Fock matrix.
Species SelfConsistentField::states(std::size_t species) const {
    const Block& block = blocks_[species];
    const Matrix u = positive_states(species);
    Species states;
    states.orbital_energies = energies_in_last_field(species, u);
    Density all = density(species, u, 1.0);
    states.large = std::move(all.large);
    states.small = std::move(all.small);
    states.functions_left_out = static_cast<int>(block.large_functions + block.small.rows - u.rows);
    return states;
}

StartSpinors SelfConsistentField::spinors() const {
    StartSpinors spinors;
    spinors.exponents = atom_.exponents;
    for (std::size_t s = 0; s < blocks_.size(); ++s) {
        Density occupied = density(s, blocks_[s].orbitals(), 1.0);
        spinors.large.push_back(std::move(occupied.large));
        spinors.small.push_back(std::move(occupied.small));
    }
    return spinors;
}

AtomResult SelfConsistentField::result() const {
    AtomResult result = result_;
    if (result.iterations == 0 || result.status == AtomStatus::failed) return result;
    const std::lock_guard lock(states_mutex_);
    if (states_of_ != result.iterations) {
        states_.clear();
        for (std::size_t s = 0; s < blocks_.size(); ++s) states_.push_back(states(s));
        states_of_ = result.iterations;
    }
    result.species = states_;
    return result;
}

// Calls pass() for each member that results are made of.
template <class Field, class Pass>
void SelfConsistentField::for_each_shared(Field& field, bool with_states, Pass&& pass) {
    auto& result = field.result_;
    pass(result.status);
    pass(result.iterations);
    for (auto* number : {&result.energy, &result.kinetic, &result.nuclear, &result.repulsion, &result.gradient,
                         &field.highest_energy_})
        pass(*number);
    pass(field.why_failed_);
    pass(field.why_not_converged_);
    if (!with_states) return;
    for (auto& block : field.blocks_) {
        pass(block.large_functions);
        pass(block.large);
        pass(block.small);
        pass(block.eigenproblem.matrix);
        pass(block.eigenproblem.pairs.vectors);
    }
    for (auto& fock : field.step_.fock) pass(fock);
}

void SelfConsistentField::write_record(std::vector<std::byte>& record, bool with_states) const {
    for_each_shared(*this, with_states, Put{record});
}

void SelfConsistentField::read_record(std::span<const std::byte>& record, bool with_states) {
    for_each_shared(*this, with_states, Take{record});
}

}  // namespace legato::dfr
