// Fermi nuclei: their sizes, and the energies of atoms in comparison with other nuclei of the same root-mean-square
// radius. dfr_one_electron_test tests the integrals.
#define BOOST_TEST_MODULE dfr_fermi_nucleus
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "core/validate.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/fermi_nucleus.hpp"
#include "dfr/properties.hpp"
#include "fermi_series.hpp"
#include "message_of.hpp"
#include "numerical_1s.hpp"
#include "one_electron_atoms.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
using tests::large_atom, tests::message_of, tests::one_electron_in;

namespace {

using Real = long double;

Real potential(const Nucleus& nucleus, Real r) {
    if (nucleus.model == NuclearModel::fermi)
        return -nucleus.charge * tests::fermi_potential(nucleus.radius, nucleus.skin / (4 * std::log(Real(3))), r);
    return -nucleus.charge * std::erf(std::sqrt(Real(nucleus.exponent)) * r) / r;
}

Real extrapolated_1s(const Nucleus& nucleus, Real c) {
    return tests::extrapolated_1s([&](Real r) { return potential(nucleus, r); }, nucleus.charge, c);
}

}  // namespace

// The quadrature and the series give the same mean square radius.
BOOST_AUTO_TEST_CASE(sizes) {
    BOOST_TEST(std::fabs(nuclear_skin * 0.529177249 - 2.30e-5) < 1e-20);
    for (int element = 2; element <= max_element; ++element) {
        const Nucleus nucleus = make_nucleus(element, NuclearModel::fermi);
        BOOST_TEST(nucleus.skin == nuclear_skin);
        const double rms = nuclear_rms(mass_number_of(element)), a = nuclear_skin / (4 * std::log(3.0));
        const double root = std::sqrt(static_cast<double>(tests::fermi_mean_square(nucleus.radius, a)));
        BOOST_TEST(std::fabs(root / rms - 1) < 1e-14, "Z = " << element << ": " << root / rms - 1);
    }
    for (const double ratio : {1e-9, 1e-3, 0.3, 1.0, 10.0, 1e3, 1e9}) {
        const FermiDistribution f(1e-4, 1e-4 / ratio);
        const double exact = static_cast<double>(tests::fermi_mean_square(f.radius, f.a));
        BOOST_TEST(std::fabs(f.mean_square() / exact - 1) < 1e-14, ratio << ": " << f.mean_square() / exact - 1);
    }
    BOOST_TEST(fermi_radius(1e-5, nuclear_skin) == 0);
    BOOST_TEST(message_of([] { make_nucleus(1, NuclearModel::fermi); }) ==
               "dfr.element: 1 is not in 2..118 with a Fermi nucleus: a skin of 2.30 fm alone makes it larger than its "
               "root-mean-square radius");
}

// The Dirac equation of the ions with one electron is also solved numerically.
BOOST_AUTO_TEST_CASE(one_electron) {
    const Problem problem;

    for (const int element : {80, 86}) {
        const Nucleus fermi = make_nucleus(element, NuclearModel::fermi),
                      gaussian = make_nucleus(element, NuclearModel::gaussian);
        const double of_fermi = tests::run(problem, large_atom(problem, fermi, one_electron_in(0))).energy,
                     of_gaussian = tests::run(problem, large_atom(problem, gaussian, one_electron_in(0))).energy;
        const Real c = problem.speed_of_light, exact_fermi = extrapolated_1s(fermi, c),
                   exact_gaussian = extrapolated_1s(gaussian, c);
        BOOST_TEST_MESSAGE(text(element, ": ", of_fermi, ", ", of_gaussian, ", difference ", of_fermi - of_gaussian,
                                ", numerically ", static_cast<double>(exact_fermi - exact_gaussian)));
        BOOST_TEST(std::fabs(of_fermi / static_cast<double>(exact_fermi) - 1) < 3e-11);
        BOOST_TEST(std::fabs(of_gaussian / static_cast<double>(exact_gaussian) - 1) < 3e-11);
    }
}

// An energy difference is the difference of the potentials in the mean of both densities, up to a remainder of third
// order. Its estimate is exact if the first-order energy grows geometrically from one nucleus to the other.
BOOST_AUTO_TEST_CASE(mercury_and_radon) {
    const Problem problem;
    std::vector<double> r, weight;
    for (double x = std::log(1e-8); x < std::log(2e-3); x += 0.005) {
        r.push_back(std::exp(x));
        weight.push_back(0.005 * r.back());
    }
    const auto energy_and_density = [&](const Nucleus& nucleus) {
        const Atom atom = large_atom(problem, nucleus,
                                     average_of_configuration(ground_configuration(static_cast<int>(nucleus.charge))));
        const AtomResult result = tests::run(problem, atom);
        BOOST_TEST((result.status == AtomStatus::converged));
        return std::pair(result.energy, radial_density(atom, result, r));
    };
    for (const int element : {80, 86}) {
        const Nucleus fermi = make_nucleus(element, NuclearModel::fermi);
        Nucleus thinner = fermi;
        thinner.skin *= 0.98;
        const auto [energy, density] = energy_and_density(fermi);
        for (const Nucleus& other : {make_nucleus(element, NuclearModel::gaussian), thinner}) {
            const auto [other_energy, other_density] = energy_and_density(other);
            double first = 0, last = 0;  // with the density of each nucleus
            for (std::size_t i = 0; i < r.size(); ++i) {
                const double change = weight[i] * static_cast<double>(potential(fermi, r[i]) - potential(other, r[i]));
                first += change * other_density[i];
                last += change * density[i];
            }
            const double difference = energy - other_energy, mean = 0.5 * (first + last),
                         remainder = std::pow(last / first - 1, 2) / 12;
            BOOST_TEST_MESSAGE(text(element, ": Fermi ", energy, ", other ", other_energy, ", difference ", difference,
                                    ", to second order ", mean, ", remainder ", remainder));
            BOOST_TEST(std::fabs(difference / mean - 1) < 2 * remainder + 1e-6);
        }
    }
}
