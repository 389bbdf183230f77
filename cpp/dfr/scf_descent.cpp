// The part of the self-consistent field that descends (dfr/descent.hpp) where the extrapolation makes no progress.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

#include "dfr/scf.hpp"

namespace legato::dfr {
namespace {

constexpr std::ptrdiff_t window = 30;  // iterations in which the extrapolation must make progress

// Returns all spinors over the functions of the Fock matrix: those of negative energy, the occupied ones as given, and
// the virtual ones. Those that are not given are eigenvectors of the Fock matrix in the space that is left to them.
// `level` lies below their energies, and above the negative ones.
Matrix completed(const Matrix& occupied, const Matrix& fock, double level) {
    const Matrix fu = product(fock, occupied);
    Matrix inside = transposed_product(occupied, fu), matrix = fock;
    for (std::size_t i = 0; i < inside.rows; ++i)
        inside(i, i) += level * (1.0 - 0.5 * static_cast<double>(i) / static_cast<double>(inside.rows));
    const Matrix crossed = product_transposed(fu, occupied),
                 added = product_transposed(product(occupied, inside), occupied);
    for (std::size_t j = 0; j < matrix.columns; ++j)
        for (std::size_t i = 0; i < matrix.rows; ++i) matrix(i, j) += added(i, j) - crossed(i, j) - crossed(j, i);
    diagonalise(matrix);
    return matrix;
}

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
        shells.push_back({block.negative(), static_cast<std::size_t>(block.closed), block.open_electrons,
                          static_cast<double>(degeneracy_of(static_cast<int>(s)))});
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
        Matrix closed(canonical.rows, static_cast<std::size_t>(blocks_[s].closed));
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

}  // namespace legato::dfr
