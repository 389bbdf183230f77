// Compares radial functions with those of hydrogen-like ions in closed form, and with moments and densities.
#define BOOST_TEST_MODULE dfr_properties
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "core/larger.hpp"
#include "dfr/properties.hpp"
#include "hennessey.hpp"
#include "one_electron_atoms.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

constexpr double grid_step = 0.01;

// Returns points r at equal distances in ln r, between 1e-13 and 100 bohr.
std::vector<double> grid() {
    std::vector<double> r;
    for (int i = 0; i <= 3453; ++i) r.push_back(1e-13 * std::exp(grid_step * i));
    return r;
}

// Integrates f dr over the points of grid(). The trapezoidal rule in ln r converges exponentially.
template <class F>
double integral(const std::vector<double>& r, const F& f) {
    double sum = 0;
    for (std::size_t i = 0; i < r.size(); ++i) sum += f(i) * r[i];
    return sum * grid_step;
}

// Returns P and Q of the lowest state of a species with a point nucleus (H. A. Bethe and E. E. Salpeter, Quantum
// Mechanics of One- and Two-Electron Atoms, section 14). At most one node is needed: F(-1, b, x) = 1 - x/b.
RadialValues exact_functions(double charge, double c, int species, const std::vector<double>& r) {
    const double kappa = kappa_of(species), a = charge / c, gamma = std::sqrt(kappa * kappa - a * a);
    const double radial = l_of(species) + 1 - std::fabs(kappa);  // radial quantum number, 0 or 1
    const double n = std::hypot(radial + gamma, a), energy = (radial + gamma) / n, b = 2 * gamma + 1;
    RadialValues exact;
    for (const double at : r) {
        const double x = 2 * charge / n * at, common = std::pow(x, gamma) * std::exp(-0.5 * x),
                     longer = (n - kappa) * (1 - radial * x / b);
        exact.large.push_back(std::sqrt(1 + energy) * common * (longer - radial));
        exact.small.push_back(-std::sqrt(1 - energy) * common * (longer + radial));
    }
    const double norm = std::sqrt(
        integral(r, [&](std::size_t i) { return exact.large[i] * exact.large[i] + exact.small[i] * exact.small[i]; }));
    const double factor = (exact.large.front() > 0 ? 1 : -1) / norm;
    for (double& p : exact.large) p *= factor;
    for (double& q : exact.small) q *= factor;
    return exact;
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) most = larger(most, std::fabs(value));
    return most;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> off;
    for (std::size_t i = 0; i < a.size(); ++i) off.push_back(a[i] - b[i]);
    return largest(off);
}

}  // namespace

// The energy is accurate to 3e-11, and the error of a spinor is of the order of the square root, 5e-6.
BOOST_AUTO_TEST_CASE(hydrogen_like_spinors) {
    const Problem problem;
    const std::vector<double> r = grid();
    for (const double charge : {1.0, 20.0, 80.0})
        for (const int species : {0, 1, 2, 3, 4}) {
            const Atom atom = tests::large_atom(problem, {charge}, tests::one_electron_in(species));
            const AtomResult result = tests::run(problem, atom);
            const RadialValues exact = exact_functions(charge, problem.speed_of_light, species, r),
                               found = radial_functions(atom, result, species, 0, r);
            const double large = largest_difference(found.large, exact.large) / largest(exact.large),
                         small = largest_difference(found.small, exact.small) / largest(exact.small);
            BOOST_TEST_MESSAGE("Z = " << charge << ", " << name_of(species) << ": P " << large << ", Q " << small);
            BOOST_TEST(large < 1e-5, "Z = " << charge << ", " << name_of(species) << ": " << large);
            BOOST_TEST(small < 1e-4, "Z = " << charge << ", " << name_of(species) << ": " << small);
        }
}

// Checks that P and Q give the norms, the moments and the density that follow from closed formulas.
BOOST_AUTO_TEST_CASE(moments_and_density) {
    const std::vector<double> r = grid();
    for (const bool relativistic : {true, false}) {
        Problem problem;
        problem.relativistic = relativistic;
        const Atom atom = library_atom(54, NuclearModel::gaussian);
        const AtomResult result = tests::run(problem, atom);
        const std::vector<double> density = radial_density(atom, result, r);
        std::vector<double> sum(r.size());
        for (int species = 0; species < static_cast<int>(atom.exponents.size()); ++species)
            for (std::size_t state = 0; occupation(atom.configuration, species, state) > 0; ++state) {
                const RadialValues f = radial_functions(atom, result, species, state, r);
                const auto square = [&](std::size_t i) { return f.large[i] * f.large[i] + f.small[i] * f.small[i]; };
                for (int power = -2; power <= 4; ++power) {
                    const double expected = power == 0 ? 1.0 : radial_moment(atom, result, species, state, power),
                                 found = integral(r, [&](std::size_t i) { return square(i) * std::pow(r[i], power); });
                    BOOST_TEST(std::fabs(found / expected - 1) < 1e-9,
                               name_of(species) << " " << state << ", power " << power << ": " << found / expected - 1);
                }
                for (std::size_t i = 0; i < r.size(); ++i)
                    sum[i] += occupation(atom.configuration, species, state) * square(i);
                BOOST_TEST((largest(f.small) > 0) == relativistic);
            }
        BOOST_TEST(largest_difference(sum, density) < 1e-12 * largest(density));
    }
}

// Checks the sign in all states of a basis. Those without electrons have many nodes and long tails.
BOOST_AUTO_TEST_CASE(sign) {
    const Problem problem;
    const Atom atom = library_atom(86, NuclearModel::point);
    AtomResult result = tests::run(problem, atom);
    const std::vector<double> r = grid();
    for (int species = 0; species < static_cast<int>(atom.exponents.size()); ++species)
        for (std::size_t state = 0; state < result.species[static_cast<std::size_t>(species)].large.columns; ++state) {
            const RadialValues once = radial_functions(atom, result, species, state, r);
            for (Matrix* of : {&result.species[static_cast<std::size_t>(species)].large,
                               &result.species[static_cast<std::size_t>(species)].small})
                for (std::size_t p = 0; p < of->rows; ++p) (*of)(p, state) *= -1;
            const RadialValues again = radial_functions(atom, result, species, state, r);
            BOOST_TEST(once.large == again.large);
            BOOST_TEST(once.small == again.small);
            if (occupation(atom.configuration, species, state) == 0.0) continue;
            const double limit = 1e-5 * largest(once.large);
            const auto first =
                std::find_if(once.large.begin(), once.large.end(), [&](double p) { return std::fabs(p) > limit; });
            BOOST_TEST(*first > 0, name_of(species) << " " << state);
        }
}
