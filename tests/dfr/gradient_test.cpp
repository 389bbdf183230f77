// Compares the derivatives of the energy with respect to exponents with differences of energies.
#define BOOST_TEST_MODULE dfr_gradient
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "dfr/fields.hpp"
#include "dfr/gradient.hpp"
#include "dfr/shell_list.hpp"
#include "hennessey.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

Context silent() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.log_level = LogLevel::silent;
    return Context(options);
}

struct EnergyAndGradient {
    double energy = 0;
    ExponentGradient gradient;
};

EnergyAndGradient computed(const Problem& problem, const Atom& atom, bool with_gradient) {
    Context context = silent();
    Fields fields(context, problem, {atom});
    while (fields.advance() > 0) {
    }
    BOOST_REQUIRE(fields[0].summary().status == AtomStatus::converged);
    EnergyAndGradient result{fields[0].summary().energy, {}};
    if (with_gradient) result.gradient = fields.exponent_gradients()[0];
    return result;
}

// Returns the atom with every second function, at exponents that are changed at random, so that the derivatives are not
// small.
Atom poor(Atom atom, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> change(-0.2, 0.2);
    for (auto& exponents : atom.exponents) {
        std::vector<double> kept;
        for (std::size_t p = 0; p < exponents.size(); p += 2)
            kept.push_back(exponents[p] * std::exp(change(generator)));
        exponents = kept;
    }
    return atom;
}

// Compares the derivative in a random direction with a difference of sixth order.
void check(const Problem& problem, const Atom& atom, double tolerance, const std::string& what) {
    const EnergyAndGradient at = computed(problem, atom, true);
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    ExponentGradient direction = atom.exponents;
    double derivative = 0;
    for (std::size_t s = 0; s < direction.size(); ++s)
        for (std::size_t p = 0; p < direction[s].size(); ++p) {
            direction[s][p] = number(generator);
            derivative += direction[s][p] * at.gradient[s][p];
        }
    const auto energy = [&](double t) {
        Atom moved = atom;
        for (std::size_t s = 0; s < direction.size(); ++s)
            for (std::size_t p = 0; p < direction[s].size(); ++p)
                moved.exponents[s][p] *= std::exp(t * direction[s][p]);
        return computed(problem, moved, false).energy;
    };
    constexpr double step = 0.01;
    constexpr std::array<double, 3> weights{45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double difference = 0;
    for (int i = 1; i <= 3; ++i)
        difference += weights[static_cast<std::size_t>(i) - 1] * (energy(i * step) - energy(-i * step)) / step;
    BOOST_TEST_MESSAGE(what << ": " << derivative << ", " << derivative / difference - 1.0);
    BOOST_TEST(std::abs(derivative - difference) <= tolerance * std::abs(difference),
               what << ": " << derivative << " and " << difference);
}

}  // namespace

BOOST_AUTO_TEST_CASE(differences) {
    for (const bool relativistic : {true, false})
        for (const int element : {2, 6, 10, 24, 36, 86})
            for (const NuclearModel model :
                 {NuclearModel::point, NuclearModel::sphere, NuclearModel::gaussian, NuclearModel::fermi}) {
                Problem problem;
                problem.relativistic = relativistic;
                problem.gradient_threshold = 1e-10;
                problem.energy_threshold = 1e-15;
                problem.max_iterations = 200;
                check(problem, poor(library_atom(element, model), static_cast<unsigned>(element)), 1e-7,
                      "Z = " + std::to_string(element) + ", nucleus " + std::to_string(static_cast<int>(model)) +
                          (relativistic ? "" : ", not relativistic"));
            }
}

// The energies of holes and excited states are stationary, too.
BOOST_AUTO_TEST_CASE(holes) {
    using List = std::vector<ShellElectrons>;
    const List hole{{1, 0, 0, 1}, {2, 0, 0, 2}, {2, 1, 0, 6}},
        excited{{1, 0, 0, 2}, {2, 0, 0, 1}, {2, 1, 1, 2}, {2, 1, 3, 3}, {3, 0, 0, 1}, {3, 1, 0, 1}},
        equal{{1, 0, 0, 1}, {2, 0, 0, 1}, {2, 1, 0, 5}, {3, 1, 0, 1}};
    for (const bool is_relativistic : {true, false})
        for (const List& shells : {hole, excited, equal}) {
            Problem problem;
            problem.relativistic = is_relativistic;
            problem.gradient_threshold = 1e-10;
            problem.energy_threshold = 1e-15;
            problem.max_iterations = 200;
            Atom atom = poor(library_atom(10, NuclearModel::gaussian), 10);
            atom.configuration = average_of_shells(shells);
            BOOST_REQUIRE(!atom.configuration.open.empty());
            check(problem, atom, 1e-7, "holes");
        }
}

BOOST_AUTO_TEST_CASE(gaunt_and_breit) {
    for (const Interaction interaction : {Interaction::gaunt, Interaction::breit})
        for (const int element : {2, 6, 10, 86}) {
            Problem problem;
            problem.interaction = interaction;
            problem.gradient_threshold = 1e-10;
            problem.energy_threshold = 1e-15;
            problem.max_iterations = 200;
            check(problem, poor(library_atom(element, NuclearModel::gaussian), static_cast<unsigned>(element)), 1e-7,
                  "Z = " + std::to_string(element) + ", interaction " + std::to_string(static_cast<int>(interaction)));
        }
}

// Species without electrons do not change the energy.
BOOST_AUTO_TEST_CASE(unoccupied_species) {
    Atom atom = poor(library_atom(4, NuclearModel::gaussian), 1);
    atom.exponents = {atom.exponents[0], {0.1, 1.0}};
    atom.configuration = {{2, 0}, {0, 0}, {0, 0, 0, 0}};
    const EnergyAndGradient at = computed({}, atom, true);
    BOOST_TEST(std::abs(at.gradient[0][0]) > 0.0);
    for (const double derivative : at.gradient[1]) BOOST_TEST(derivative == 0.0);
}

BOOST_AUTO_TEST_CASE(near_linear_dependence) {
    Atom atom = library_atom(2, NuclearModel::point);
    atom.exponents[0] = {0.05};
    while (atom.exponents[0].size() < 35) atom.exponents[0].push_back(1.3 * atom.exponents[0].back());
    const EnergyAndGradient at = computed({}, atom, true);
    for (const double derivative : at.gradient[0]) BOOST_TEST(std::isnan(derivative));
}
