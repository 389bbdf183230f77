// Tests the descent of the energy, alone and in anions that DIIS does not converge.
#define BOOST_TEST_MODULE dfr_descent
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "dfr/configuration.hpp"
#include "dfr/descent.hpp"
#include "dfr/elements.hpp"
#include "dfr/energies.hpp"
#include "dfr/large_basis.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

Matrix random_symmetric(std::size_t n, std::mt19937& random) {
    std::uniform_real_distribution<double> element(-1.0, 1.0);
    Matrix a(n, n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i <= j; ++i) a(i, j) = a(j, i) = element(random);
    return a;
}

Matrix random_orthogonal(std::size_t n, std::mt19937& random) {
    Matrix a = random_symmetric(n, random);
    diagonalise(a);
    return a;
}

// Returns the sum over the occupied columns of electrons u^T h u.
double linear_energy(const Matrix& h, const Matrix& u, const Descent::Shells& of) {
    const Matrix hu = product(h, u);
    double energy = 0;
    for (std::size_t shell = 0; shell < of.occupied(); ++shell)
        for (std::size_t i = 0; i < u.rows; ++i)
            energy += of.electrons(shell) * u(i, of.negative + shell) * hu(i, of.negative + shell);
    return energy;
}

Atom anion(int element, int n, int l, double error) {
    std::vector<Subshell> subshells = ground_configuration(element);
    const auto found =
        std::find_if(subshells.begin(), subshells.end(), [&](const Subshell& one) { return one.n == n && one.l == l; });
    if (found == subshells.end())
        subshells.push_back({n, l, 1});
    else
        ++found->electrons;
    Atom atom;
    atom.nucleus = make_nucleus(element, NuclearModel::gaussian);
    atom.configuration = average_of_configuration(subshells);
    atom.exponents = large_basis(Problem{}, atom.nucleus, atom.configuration, tolerance_for(error));
    return atom;
}

ContextOptions two_threads() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    return options;
}

AtomResult finished(const Atom& atom, int diis_vectors, bool relativistic = true) {
    Context context(two_threads());
    Problem problem;
    problem.max_iterations = 200;
    problem.diis_vectors = diis_vectors;
    problem.relativistic = relativistic;
    Fields fields(context, problem, {atom}, Fields::Reads::states);
    while (fields.advance() > 0) {
    }
    return fields[0].result();
}

std::shared_ptr<StartSpinors> occupied_spinors(const Atom& atom, const AtomResult& result) {
    auto spinors = std::make_shared<StartSpinors>();
    spinors->exponents = atom.exponents;
    for (std::size_t s = 0; s < result.species.size(); ++s) {
        const auto count = static_cast<std::size_t>(shells(atom.configuration, s));
        for (auto* to : {&spinors->large, &spinors->small}) {
            const Matrix& from = to == &spinors->large ? result.species[s].large : result.species[s].small;
            Matrix columns(from.rows, count);
            std::copy_n(from.values.begin(), columns.values.size(), columns.values.begin());
            to->push_back(std::move(columns));
        }
    }
    return spinors;
}

// Returns the energy of spinors, which the first iteration computes.
double energy_of(const Atom& atom, const Start& spinors, bool relativistic) {
    Context context(two_threads());
    Problem once;
    once.max_iterations = 1;
    once.relativistic = relativistic;
    Energies energies(context, once);
    return energies({atom}, Energies::With::nothing, {spinors}).front().result.energy;
}

// Rotates the highest occupied spinor of each species by small angles into the lowest virtual ones. The energy must
// change by the same amount in both directions. With relativity it must not fall.
void check_stationary(const Atom& atom, const AtomResult& result, bool relativistic) {
    constexpr double angle = 0.01;
    const auto spinors = occupied_spinors(atom, result);
    BOOST_TEST(std::fabs(energy_of(atom, spinors, relativistic) / result.energy - 1) < 1e-12);
    for (std::size_t s = 0; s < result.species.size(); ++s) {
        const auto last = static_cast<std::size_t>(shells(atom.configuration, s)) - 1;
        const double open = atom.configuration.electrons[s],
                     electrons = open > 0 ? open : degeneracy_of(static_cast<int>(s));
        for (std::size_t to = last + 1; to < last + 4; ++to) {
            const auto change = [&](double rotation) {
                StartSpinors moved = *spinors;
                for (auto* part : {&moved.large[s], &moved.small[s]}) {
                    const Matrix& all = part == &moved.large[s] ? result.species[s].large : result.species[s].small;
                    for (std::size_t i = 0; i < part->rows; ++i)
                        (*part)(i, last) = std::cos(rotation) * all(i, last) + std::sin(rotation) * all(i, to);
                }
                return energy_of(atom, std::make_shared<const StartSpinors>(moved), relativistic) - result.energy;
            };
            const double plus = change(angle), minus = change(-angle);
            // The difference is 4 electrons * angle * F, and [F, D] contains F/2 for an open shell.
            const double f = std::fabs(plus - minus) / (4 * electrons * angle);
            BOOST_TEST(f < 3e-6, name_of(static_cast<int>(s)) << ": F = " << f);
            if (relativistic) BOOST_TEST(std::min(plus, minus) > -1e-8, name_of(static_cast<int>(s)) << " to " << to);
        }
    }
}

}  // namespace

// The energy of electrons that do not repel one another is a sum of eigenvalues. It is the lowest one over all occupied
// columns that are orthogonal to the columns of negative energy, and the highest one over these.
BOOST_AUTO_TEST_CASE(electrons_without_repulsion) {
    std::mt19937 random(7);
    for (const double open_electrons : {0.0, 0.7, 3.5})
        for (const std::size_t negative : {0U, 8U}) {
            const Descent::Shells of{negative, 2, open_electrons, 4.0};
            const std::size_t n = negative + 12;
            const Matrix axes = random_orthogonal(n, random);
            Matrix scaled = axes;
            double exact = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double level = j < negative ? -500.0 : -3.0 + 0.4 * static_cast<double>(j - negative);
                if (j >= negative && j < negative + of.occupied()) exact += of.electrons(j - negative) * level;
                for (std::size_t i = 0; i < n; ++i) scaled(i, j) *= level;
            }
            const Matrix h = product_transposed(scaled, axes);
            // Begins with states that have been rotated by several tenths.
            Matrix mixed = random_symmetric(n, random);
            for (double& x : mixed.values) x *= 0.02;
            legato::add(mixed, h);
            diagonalise(mixed);
            Descent descent({of}, {mixed});
            for (int i = 0; i < 60; ++i) descent.advance(linear_energy(h, descent.spinors(0), of), {h});
            const double error = linear_energy(h, descent.spinors(0), of) - exact;
            BOOST_TEST_MESSAGE("error " << error);
            BOOST_TEST(std::fabs(error) < 1e-11, open_electrons << " electrons, " << negative << ": " << error);
            const Matrix unit = transposed_product(descent.spinors(0), descent.spinors(0));
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t i = 0; i < n; ++i) BOOST_TEST(std::fabs(unit(i, j) - (i == j)) < 1e-12);
        }
}

// DIIS alone does not converge these anions in 200 iterations: the electrons of one f shell jump between compact and
// the most diffuse functions. They are not bound: the highest occupied level is that of the most diffuse functions.
BOOST_AUTO_TEST_CASE(anions_that_are_barely_not_bound) {
    for (const Atom& atom : {anion(59, 4, 3, 1e-5), anion(91, 5, 3, 1e-5)}) {
        const AtomResult result = finished(atom, 10);
        const double charge = atom.nucleus.charge;
        BOOST_TEST((result.status == AtomStatus::unbound), "Z = " << charge << ": gradient " << result.gradient);
        BOOST_TEST_MESSAGE("Z = " << charge << ": " << result.iterations << " iterations, energy " << result.energy);
        BOOST_TEST(result.iterations > 40);
        BOOST_TEST(result.iterations < 200);
        check_stationary(atom, result, true);
    }
}

// With other numbers of vectors, DIIS leaves the descent other spinors to begin with. It finds the same energy.
BOOST_AUTO_TEST_CASE(other_starts) {
    const Atom atom = anion(59, 4, 3, 1e-5);
    const double expected = finished(atom, 10).energy;
    for (const int vectors : {4, 20}) {
        const AtomResult result = finished(atom, vectors);
        BOOST_TEST((result.status == AtomStatus::unbound));
        BOOST_TEST_MESSAGE(vectors << " vectors: " << result.iterations << " iterations, "
                                   << result.energy / expected - 1);
        BOOST_TEST(std::fabs(result.energy / expected - 1) < 1e-11);
    }
}

// Without relativity Pr- binds its electrons, but not with a slightly smaller charge. The spinors of both j are alike
// in some stationary states and different in others, so that the energies may depend on the start.
BOOST_AUTO_TEST_CASE(without_relativity) {
    Atom atom = anion(59, 4, 3, 1e-5);
    atom.nucleus.charge = 58.5;
    const AtomResult result = finished(atom, 10, false);
    BOOST_TEST((result.status == AtomStatus::unbound));
    BOOST_TEST(result.iterations > 60);
    check_stationary(atom, result, false);
}

BOOST_AUTO_TEST_CASE(descent_without_end) {
    Context context(two_threads());
    Problem problem;
    problem.max_iterations = 85;
    Fields fields(context, problem, {anion(59, 4, 3, 1e-5)});
    while (fields.advance() > 0) {
    }
    BOOST_TEST((fields[0].summary().status == AtomStatus::not_converged));
    BOOST_TEST(fields[0].why_not_converged().find("raise dfr.params.max_iterations (85)") != std::string::npos,
               fields[0].why_not_converged());
}
