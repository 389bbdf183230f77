// Tests the messages of validate() for every field.
#define BOOST_TEST_MODULE dfr_validate
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "dfr/problem.hpp"
#include "hennessey.hpp"
#include "message_of.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::message_of;

namespace {

template <class Change>
std::string of_problem(const Change& change) {
    Problem problem;
    change(problem);
    return message_of([&] { validate(problem); });
}

// Changes carbon, which has two closed s shells and an open shell of either p, and returns the message.
template <class Change>
std::string of_atom(const Change& change) {
    Atom atom = library_atom(6, NuclearModel::point);
    change(atom);
    return message_of([&] { validate(atom, "dfr.atoms[3]"); });
}

const double not_a_number = std::nan("");

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_right) {
    validate(Problem{});
    BOOST_TEST(of_atom([](Atom&) {}) == "nothing thrown");
    BOOST_TEST(of_atom([](Atom& a) { a.exponents[1][4] = a.exponents[1][3]; }) == "nothing thrown");
    // Symmetries may lack functions or electrons.
    BOOST_TEST(of_atom([](Atom& a) {
                   a.exponents[1].clear();
                   a.configuration.electrons[1] = 0;
               }) == "nothing thrown");
    // These fields have no meaning here, so their values are not checked.
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.pairs[0] = not_a_number; }) == "nothing thrown");
    BOOST_TEST(of_atom([](Atom& a) { a.nucleus.radius = a.nucleus.exponent = not_a_number; }) == "nothing thrown");
}

BOOST_AUTO_TEST_CASE(problem) {
    BOOST_TEST(of_problem([](Problem& p) { p.speed_of_light = 0.5; }) ==
               "dfr.params.speed_of_light: 0.5 is not in [1, 100000000]");
    BOOST_TEST(of_problem([](Problem& p) { p.max_iterations = 0; }) ==
               "dfr.params.max_iterations: 0 is not in 1..1000000");
    BOOST_TEST(of_problem([](Problem& p) { p.energy_threshold = -1; }) ==
               "dfr.params.energy_threshold: -1 is not in [1e-16, 1]");
    BOOST_TEST(of_problem([](Problem& p) { p.gradient_threshold = not_a_number; }) ==
               "dfr.params.gradient_threshold: nan is not in [1e-14, 1000000]");
    BOOST_TEST(of_problem([](Problem& p) { p.dependence_threshold = 0; }) ==
               "dfr.params.dependence_threshold: 0 is not in [1e-14, 0.01]");
    BOOST_TEST(of_problem([](Problem& p) { p.diis_vectors = 0; }) == "dfr.params.diis_vectors: 0 is not in 1..100");
}

BOOST_AUTO_TEST_CASE(nucleus) {
    BOOST_TEST(of_atom([](Atom& a) { a.nucleus.charge = 0; }) == "dfr.atoms[3].nucleus.charge: 0 is not in [1, 137]");
    BOOST_TEST(of_atom([](Atom& a) { a.nucleus.charge = 138; }) ==
               "dfr.atoms[3].nucleus.charge: 138 is not in [1, 137]");
    BOOST_TEST(of_atom([](Atom& a) { a.nucleus.model = static_cast<NuclearModel>(5); }) ==
               "dfr.atoms[3].nucleus.model: 5 is not in 1..4");
    BOOST_TEST(of_atom([](Atom& a) {
                   a.nucleus.model = NuclearModel::sphere;
                   a.nucleus.radius = 0;
               }) == "dfr.atoms[3].nucleus.radius: 0 is not in [1e-10, 1]");
    BOOST_TEST(of_atom([](Atom& a) {
                   a.nucleus.model = NuclearModel::gaussian;
                   a.nucleus.exponent = 0;
               }) == "dfr.atoms[3].nucleus.exponent: 0 is not in [1, 1e+20]");
    const auto fermi = [](double radius, double skin) {
        return of_atom([=](Atom& a) { a.nucleus = {10, NuclearModel::fermi, radius, 0, skin}; });
    };
    BOOST_TEST(fermi(2, 1e-5) == "dfr.atoms[3].nucleus.radius: 2 is not in [1e-10, 1]");
    BOOST_TEST(fermi(1e-4, 0) == "dfr.atoms[3].nucleus.skin: 0 is not in [1e-10, 1]");
    BOOST_TEST(fermi(1e-4, 2) == "dfr.atoms[3].nucleus.skin: 2 is not in [1e-10, 1]");
    for (const NuclearModel model : {NuclearModel::point, NuclearModel::sphere, NuclearModel::gaussian})
        for (const double skin : {1e-5, -1.0, not_a_number})
            BOOST_TEST(of_atom([=](Atom& a) {
                           a.nucleus = {10, model, 1e-4, 1e8, skin};
                       }) == text("dfr.atoms[3].nucleus.skin: ", skin, " is not 0, but dfr.atoms[3].nucleus.model is ",
                                  static_cast<int>(model), "; only model 4 (Fermi) has a skin"));
}

BOOST_AUTO_TEST_CASE(exponents) {
    BOOST_TEST(of_atom([](Atom& a) { a.exponents.clear(); }) == "dfr.atoms[3].exponents: 0 is not in 1..13");
    BOOST_TEST(of_atom([](Atom& a) { a.exponents.resize(14); }) == "dfr.atoms[3].exponents: 14 is not in 1..13");
    BOOST_TEST(of_atom([](Atom& a) { a.exponents[1].resize(201, 1.0); }) ==
               "dfr.atoms[3].exponents[p1/2]: 201 is not in 0..200");
    BOOST_TEST(of_atom([](Atom& a) { a.exponents[2][7] = -1; }) ==
               "dfr.atoms[3].exponents[p3/2][7]: -1 is not in [1e-08, 1e+20]");
    BOOST_TEST(of_atom([](Atom& a) { a.exponents[0][0] = not_a_number; }) ==
               "dfr.atoms[3].exponents[s1/2][0]: nan is not in [1e-08, 1e+20]");
}

BOOST_AUTO_TEST_CASE(sizes) {
    const std::string rest = ", the number that follows from the symmetries of exponents";
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.closed.pop_back(); }) ==
               "dfr.atoms[3].configuration.closed: 2 values are not 3" + rest);
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.electrons.push_back(0); }) ==
               "dfr.atoms[3].configuration.electrons: 4 values are not 3" + rest);
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.pairs.clear(); }) ==
               "dfr.atoms[3].configuration.pairs: 0 values are not 9" + rest);
}

BOOST_AUTO_TEST_CASE(electrons) {
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.electrons[1] = 2; }) ==
               "dfr.atoms[3].configuration.electrons[p1/2]: 2 is not in [0, 2)");
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.electrons[2] = not_a_number; }) ==
               "dfr.atoms[3].configuration.electrons[p3/2]: nan is not in [0, 4)");
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.closed[0] = -1; }) ==
               "dfr.atoms[3].configuration.closed[s1/2]: -1 is not in 0..23");
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.closed[0] = 24; }) ==
               "dfr.atoms[3].configuration.closed[s1/2]: 24 is not in 0..23, because the basis set has 23 functions of "
               "this species");
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.closed[1] = 15; }) ==
               "dfr.atoms[3].configuration.closed[p1/2]: 15 is not in 0..14, because the basis set has 15 functions of "
               "this species");
    BOOST_TEST(of_atom([](Atom& a) { a.exponents[1].clear(); }) ==
               "dfr.atoms[3].configuration.electrons[p1/2]: 0.66666666666666663 is not 0, but the basis set has no "
               "functions of this species");
    BOOST_TEST(of_atom([](Atom& a) {
                   a.configuration.closed = {0, 0, 0};
                   a.configuration.electrons = {0, 0, 0};
               }) == "dfr.atoms[3].configuration: no electrons");
}

BOOST_AUTO_TEST_CASE(pairs) {
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.pairs[4] = not_a_number; }) ==
               "dfr.atoms[3].configuration.pairs[p1/2][p1/2]: nan is not in [0, 1000000]");
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.pairs[8] = -0.1; }) ==
               "dfr.atoms[3].configuration.pairs[p3/2][p3/2]: -0.1 is not in [0, 1000000]");
    BOOST_TEST(of_atom([](Atom& a) { a.configuration.pairs[5] = 0.7; }) ==
               "dfr.atoms[3].configuration.pairs[p1/2][p3/2]: 0.7 is not 0.6, the value for the same two shells");
}

BOOST_AUTO_TEST_CASE(point_nucleus_beyond_c) {
    Problem light;
    light.speed_of_light = 50;
    Atom atom = library_atom(54, NuclearModel::point);
    const auto message = [&] { return message_of([&] { validate(light, atom, "dfr.atoms[3]"); }); };
    BOOST_TEST(message() ==
               "dfr.atoms[3].nucleus.charge: 54 is not below dfr.params.speed_of_light (50), where a point nucleus has "
               "bound states");
    atom.nucleus.model = NuclearModel::gaussian;
    BOOST_TEST(message() == "nothing thrown");
    atom.nucleus.model = NuclearModel::point;
    light.relativistic = false;
    BOOST_TEST(message() == "nothing thrown");
}
