#include "dfr/levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "core/matrix.hpp"
#include "core/validate.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/slater.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

using Determinant = std::uint64_t;  // one bit for each occupied spinor

// A spinor of an open shell.
struct OpenSpinor {
    std::size_t shell = 0;
    int species = 0, twice_m = 0;
};

// The spinors among which some electrons are distributed.
struct Group {
    std::vector<std::size_t> spinors;
    int electrons = 0;
};

Determinant bit(std::size_t spinor) {
    return Determinant{1} << spinor;
}

// Calls visit(spinor) for each spinor of a determinant, in ascending order.
template <class Visit>
void for_each_spinor(Determinant determinant, const Visit& visit) {
    for (; determinant != 0; determinant &= determinant - 1)
        visit(static_cast<std::size_t>(std::countr_zero(determinant)));
}

// Returns -1 if an odd number of spinors lies between the two, otherwise 1.
double sign_between(Determinant determinant, std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax({a, b});
    const Determinant between = (bit(high) - 1) & ~(bit(low + 1) - 1) & determinant;
    return low != high && std::popcount(between) % 2 != 0 ? -1.0 : 1.0;
}

class OpenSpace {
  public:
    OpenSpace(const Problem& problem, const Atom& atom, const AtomResult& result);

    void make_determinants(LevelSpace space);
    std::size_t size() const { return determinants_.size(); }
    int parity() const { return parity_; }
    double average() const;
    Matrix hamiltonian();
    Matrix square_of_j() const;

  private:
    std::vector<Group> groups(LevelSpace space) const;
    int twice_m_of(Determinant determinant) const;
    double element(std::size_t a, std::size_t b, std::size_t c, std::size_t d);
    double antisymmetric(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        return element(a, b, c, d) - element(a, b, d, c);
    }
    double element(Determinant left, Determinant right);
    double single(Determinant left, Determinant right);
    double repulsion(std::size_t shell, std::size_t other);
    std::map<Determinant, double> raised(Determinant determinant) const;

    OpenShells open_;
    std::vector<OpenSpinor> spinors_;
    std::vector<Matrix> angular_;  // [k]: [spinors x spinors] angular_element()
    SlaterIntegrals slater_;
    std::vector<double> energies_;  // [shells] of a spinor in the field of the nucleus and the closed shells
    Matrix mean_;                   // [shells x shells] mean repulsion of an electron in each
    int parity_ = 1;
    std::vector<Determinant> determinants_;
};

std::vector<SlaterIntegrals::Spinor> radial_of(const std::vector<OpenShell>& shells) {
    std::vector<SlaterIntegrals::Spinor> radial;
    radial.reserve(shells.size());
    for (const OpenShell& shell : shells) radial.push_back({shell.species, static_cast<std::size_t>(shell.index)});
    return radial;
}

std::vector<OpenSpinor> spinors_of(const std::vector<OpenShell>& shells) {
    std::vector<OpenSpinor> spinors;
    for (std::size_t k = 0; k < shells.size(); ++k)
        for (int m = -twice_j_of(shells[k].species); m <= twice_j_of(shells[k].species); m += 2)
            spinors.push_back({k, shells[k].species, m});
    if (spinors.size() > max_open_spinors)
        fail(Status::invalid_argument, "dfr.levels: ", spinors.size(), " spinors in the open shells; allowed are ",
             max_open_spinors);
    return spinors;
}

std::vector<Matrix> angular_of(const std::vector<OpenSpinor>& spinors) {
    int last = 0;
    for (const OpenSpinor& spinor : spinors) last = std::max(last, twice_j_of(spinor.species));
    std::vector<Matrix> angular;
    for (int k = 0; k <= last; ++k) {
        Matrix of_k(spinors.size(), spinors.size());
        for (std::size_t b = 0; b < spinors.size(); ++b)
            for (std::size_t a = 0; a < spinors.size(); ++a)
                of_k(a, b) =
                    angular_element(k, spinors[a].species, spinors[a].twice_m, spinors[b].species, spinors[b].twice_m);
        angular.push_back(std::move(of_k));
    }
    return angular;
}

// The energy of a spinor in the average is that without the open shells, plus the mean repulsion by their electrons.
OpenSpace::OpenSpace(const Problem& problem, const Atom& atom, const AtomResult& result)
    : open_(open_shells(atom.configuration)),
      spinors_(spinors_of(open_.shells)),
      angular_(angular_of(spinors_)),
      slater_(problem, atom, result, radial_of(open_.shells)),
      mean_(open_.shells.size(), open_.shells.size()) {
    const std::size_t count = open_.shells.size();
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t l = 0; l < count; ++l) mean_(k, l) = repulsion(k, l);
    for (std::size_t k = 0; k < count; ++k) {
        const OpenShell& shell = open_.shells[k];
        double energy = result.species[static_cast<std::size_t>(shell.species)]
                            .orbital_energies[static_cast<std::size_t>(shell.index)];
        for (std::size_t l = 0; l < count; ++l) energy -= open_.pair(k, l) * open_.shells[l].electrons * mean_(k, l);
        energies_.push_back(energy);
    }
}

// Returns the energy of the open shells in the average.
double OpenSpace::average() const {
    double sum = 0;
    for (std::size_t k = 0; k < open_.shells.size(); ++k) {
        const double q = open_.shells[k].electrons;
        sum += q * energies_[k];
        for (std::size_t l = 0; l < open_.shells.size(); ++l)
            sum += 0.5 * open_.pair(k, l) * q * open_.shells[l].electrons * mean_(k, l);
    }
    return sum;
}

// Returns <ab|1/r12|cd>, where a and c belong to electron 1.
double OpenSpace::element(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    const OpenSpinor &p = spinors_[a], &q = spinors_[b], &r = spinors_[c], &s = spinors_[d];
    if (p.twice_m + q.twice_m != r.twice_m + s.twice_m) return 0.0;
    double sum = 0;
    const int last =
        std::min(twice_j_of(p.species) + twice_j_of(r.species), twice_j_of(q.species) + twice_j_of(s.species));
    for (int k = 0; 2 * k <= last; ++k) {
        const Matrix& angles = angular_[static_cast<std::size_t>(k)];
        const double angular = angles(a, c) * angles(d, b);
        if (angular != 0.0) sum += angular * slater_(k, p.shell, q.shell, r.shell, s.shell);
    }
    return sum;
}

// Returns the mean of <ab||ab> over the spinors of two shells.
double OpenSpace::repulsion(std::size_t shell, std::size_t other) {
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < spinors_.size(); ++a)
        for (std::size_t b = 0; b < spinors_.size(); ++b) {
            if (spinors_[a].shell != shell || spinors_[b].shell != other) continue;
            sum += antisymmetric(a, b, a, b);
            ++pairs;
        }
    return sum / static_cast<double>(pairs);
}

std::vector<Group> OpenSpace::groups(LevelSpace space) const {
    std::map<std::pair<int, int>, std::pair<Group, double>> of;  // (l, index) or (-1, shell): group and its electrons
    for (std::size_t k = 0; k < open_.shells.size(); ++k) {
        const OpenShell& shell = open_.shells[k];
        auto& [group, electrons] = of[space == LevelSpace::relativistic ? std::pair(-1, static_cast<int>(k))
                                                                        : std::pair(l_of(shell.species), shell.index)];
        electrons += shell.electrons;
        for (std::size_t a = 0; a < spinors_.size(); ++a)
            if (spinors_[a].shell == k) group.spinors.push_back(a);
    }
    std::vector<Group> all;
    for (auto& [key, value] : of) {
        auto& [group, electrons] = value;
        group.electrons = static_cast<int>(std::lround(electrons));
        if (std::abs(electrons - group.electrons) > 1e-9)
            fail(Status::invalid_argument, "dfr.levels: ", electrons, " electrons in an open shell of ",
                 name_of(spinors_[group.spinors.front()].species),
                 space == LevelSpace::relativistic
                     ? " are not a whole number; distribute the electrons of one n and l over both j"
                     : " and its partner with the same n and l are not a whole number");
        all.push_back(std::move(group));
    }
    return all;
}

int OpenSpace::twice_m_of(Determinant determinant) const {
    int sum = 0;
    for_each_spinor(determinant, [&](std::size_t a) { sum += spinors_[a].twice_m; });
    return sum;
}

// Appends all ways to add `electrons` of the spinors to a determinant.
void append_choices(std::span<const std::size_t> spinors, int electrons, Determinant determinant,
                    std::vector<Determinant>& all) {
    if (electrons == 0) {
        all.push_back(determinant);
        return;
    }
    for (std::size_t i = 0; i + static_cast<std::size_t>(electrons) <= spinors.size(); ++i)
        append_choices(spinors.subspan(i + 1), electrons - 1, determinant | bit(spinors[i]), all);
}

double number_of_choices(const Group& group) {
    double choices = 1;
    for (int i = 1; i <= group.electrons; ++i)
        choices *= (static_cast<double>(group.spinors.size()) - group.electrons + i) / i;
    return choices;
}

void OpenSpace::make_determinants(LevelSpace space) {
    constexpr double most = 1e6;
    std::vector<Determinant> all{0};
    double choices = 1;
    int electrons = 0;
    for (const Group& group : groups(space)) {
        choices *= number_of_choices(group);
        if (choices > most)
            fail(Status::invalid_argument, "dfr.levels: the open shells have more than ", most, " determinants");
        std::vector<Determinant> longer;
        for (const Determinant determinant : all) append_choices(group.spinors, group.electrons, determinant, longer);
        all = std::move(longer);
        electrons += group.electrons;
        const int l = l_of(spinors_[group.spinors.front()].species);
        if (l * group.electrons % 2 != 0) parity_ = -parity_;
    }
    for (const Determinant determinant : all)
        if (twice_m_of(determinant) == electrons % 2) determinants_.push_back(determinant);
    if (size() > max_determinants)
        fail(Status::invalid_argument, "dfr.levels: the open shells have ", size(),
             " determinants with the smallest |M|; allowed are ", max_determinants);
}

// Returns the element between determinants that differ in the spinors p of the left and q of the right one.
double OpenSpace::single(Determinant left, Determinant right) {
    const auto p = static_cast<std::size_t>(std::countr_zero(left & ~right)),
               q = static_cast<std::size_t>(std::countr_zero(right & ~left));
    double sum = 0;
    for_each_spinor(left & right, [&](std::size_t r) { sum += antisymmetric(p, r, q, r); });
    return sign_between(left & right, p, q) * sum;
}

// Uses the rules of Slater and Condon. The one-electron operator does not couple different shells: a group has at most
// one shell of each species.
double OpenSpace::element(Determinant left, Determinant right) {
    const int changed = std::popcount(left & ~right);
    if (changed > 2) return 0.0;
    if (changed == 1) return single(left, right);
    if (changed == 2) {
        Determinant from = left & ~right, to = right & ~left;
        const auto p = static_cast<std::size_t>(std::countr_zero(from)),
                   q = static_cast<std::size_t>(std::countr_zero(from & (from - 1))),
                   r = static_cast<std::size_t>(std::countr_zero(to)),
                   s = static_cast<std::size_t>(std::countr_zero(to & (to - 1)));
        // First p is replaced by r, then q by s.
        const double sign =
            sign_between(left & ~bit(p), p, r) * sign_between((left & ~bit(p) & ~bit(q)) | bit(r), q, s);
        return sign * antisymmetric(p, q, r, s);
    }
    double sum = 0;
    for_each_spinor(left, [&](std::size_t a) {
        sum += energies_[spinors_[a].shell];
        for_each_spinor(left, [&](std::size_t b) { sum += 0.5 * antisymmetric(a, b, a, b); });
    });
    return sum;
}

Matrix OpenSpace::hamiltonian() {
    Matrix h(size(), size());
    for (std::size_t j = 0; j < size(); ++j)
        for (std::size_t i = 0; i <= j; ++i) h(i, j) = h(j, i) = element(determinants_[i], determinants_[j]);
    return h;
}

// Returns J_+ applied to a determinant.
std::map<Determinant, double> OpenSpace::raised(Determinant determinant) const {
    std::map<Determinant, double> sum;
    for_each_spinor(determinant, [&](std::size_t a) {
        const int j = twice_j_of(spinors_[a].species), m = spinors_[a].twice_m;
        if (m == j || (determinant & bit(a + 1)) != 0) return;  // the next spinor is that with m + 1
        sum[(determinant & ~bit(a)) | bit(a + 1)] += 0.5 * std::sqrt((j - m) * (j + m + 2.0));
    });
    return sum;
}

// Returns J^2 = J_- J_+ + M (M + 1).
Matrix OpenSpace::square_of_j() const {
    std::map<Determinant, std::vector<std::pair<std::size_t, double>>> above;  // rows of J_+
    for (std::size_t i = 0; i < size(); ++i)
        for (const auto& [determinant, factor] : raised(determinants_[i])) above[determinant].emplace_back(i, factor);
    Matrix square(size(), size());
    const double m = size() > 0 ? 0.5 * twice_m_of(determinants_[0]) : 0.0;
    for (std::size_t i = 0; i < size(); ++i) square(i, i) = m * (m + 1.0);
    for (const auto& [determinant, row] : above)
        for (const auto& [i, a] : row)
            for (const auto& [j, b] : row) square(i, j) += a * b;
    return square;
}

OpenSpace space_of(const Problem& problem, const Atom& atom, const AtomResult& result, LevelSpace space) {
    if (problem.interaction != Interaction::coulomb)
        fail(Status::invalid_argument, "dfr.params.interaction: ", static_cast<int>(problem.interaction),
             "; levels need 0 (Coulomb)");
    if (result.species.empty() || result.status < AtomStatus::converged || result.status == AtomStatus::not_converged)
        fail(Status::invalid_argument, "dfr.levels: the atom has not converged");
    require_integer("dfr.levels.space", static_cast<int>(space), static_cast<int>(LevelSpace::relativistic),
                    static_cast<int>(LevelSpace::nonrelativistic));
    OpenSpace open(problem, atom, result);
    open.make_determinants(space);
    return open;
}

}  // namespace

Levels levels_of(const Problem& problem, const Atom& atom, const AtomResult& result, LevelSpace space) {
    OpenSpace open = space_of(problem, atom, result, space);
    const Matrix h = open.hamiltonian();
    Matrix states = open.square_of_j();
    const std::vector<double> squares = diagonalise(states);  // ascending
    Levels all{open.parity(), {}};
    for (std::size_t first = 0; first < squares.size();) {
        // 4 J (J + 1) + 1 = (2 J + 1)^2
        const auto twice_j = static_cast<int>(std::lround(std::sqrt(4.0 * squares[first] + 1.0))) - 1;
        std::size_t count = 1;
        while (first + count < squares.size() && squares[first + count] < squares[first] + 0.5) ++count;
        Matrix of_j(states.rows, count);
        std::copy_n(states.column(first), of_j.values.size(), of_j.values.begin());
        Matrix within = transposed_product(of_j, product(h, of_j));
        for (const double energy : diagonalise(within)) all.levels.push_back({twice_j, energy - open.average()});
        first += count;
    }
    std::stable_sort(all.levels.begin(), all.levels.end(),
                     [](const Level& a, const Level& b) { return a.energy < b.energy; });
    return all;
}

LevelNumber number_of_levels(const Problem& problem, const Atom& atom, const AtomResult& result, LevelSpace space) {
    const OpenSpace open = space_of(problem, atom, result, space);
    return {open.parity(), open.size()};
}

}  // namespace legato::dfr
