// Compares the enumeration, which the sampler is tested against, with published sums of the same kind.
#define BOOST_TEST_MODULE vmc_exact
#include "exact.hpp"

#include <boost/test/unit_test.hpp>

using namespace legato::vmc::tests::exact;

BOOST_AUTO_TEST_CASE(reference_numbers_of_ten_sites) {
    for (const Reference& reference : references) {
        const Ensemble ensemble(tilted(3), reference.electrons);
        const Averages a = ensemble.averages(ensemble.amplitudes(state_of(reference)), {});
        BOOST_TEST_CONTEXT(reference.name) {
            BOOST_TEST(std::abs(a.energy - reference.energy) < 2e-12);
            BOOST_TEST(std::abs(a.kinetic - reference.kinetic) < 2e-12);
            BOOST_TEST(std::abs(a.exchange - reference.exchange) < 2e-12);
            BOOST_TEST(std::abs(a.spin_spin - reference.spin_spin) < 2e-12);
        }
    }
}

BOOST_AUTO_TEST_CASE(ground_states_lie_below) {
    for (const auto& [electrons, energy] : {std::pair{10, -0.369002042162}, std::pair{8, -0.695655139927}}) {
        const double found = Ensemble(tilted(3), electrons).ground_state_energy({});
        BOOST_TEST(std::abs(found - energy) < 2e-12);
        for (const Reference& reference : references)
            if (reference.electrons == electrons) BOOST_TEST(found < reference.energy);
    }
}

// The energy must follow E(Phi) = E_inf + (E_0 - E_inf) / (1 + c Phi^2).
BOOST_AUTO_TEST_CASE(the_bordered_matrix_is_the_limit) {
    const Ensemble ensemble(tilted(3), 8);
    const auto energy = [&](double divergent) {
        State state;
        state.divergent = divergent;
        return ensemble.averages(ensemble.amplitudes(state), {}).energy;
    };
    const double limit = energy(0), one = energy(1) - limit, ten = energy(10) - limit, hundred = energy(100) - limit;
    BOOST_TEST(std::abs(ten) > 1e-4);
    BOOST_TEST(std::abs(energy(1e4) - limit) < 2e-8);
    BOOST_TEST(std::abs((1 / hundred - 1 / one) / (1 / ten - 1 / one) - 101) < 1e-4);  // (100^2 - 1) / (10^2 - 1)
    BOOST_TEST(std::abs(energy(-10) - limit - ten) < 1e-11);
}

// Checks the number of configurations, and how many of them have no amplitude.
BOOST_AUTO_TEST_CASE(configurations_of_ten_sites) {
    BOOST_TEST(configurations(10, 10).size() == 252u);
    const Ensemble ensemble(tilted(3), 8);
    const std::vector<double> psi = ensemble.amplitudes({});
    BOOST_TEST(psi.size() == 3150u);
    BOOST_TEST(std::count(psi.begin(), psi.end(), 0.0) == 230);
}

BOOST_AUTO_TEST_CASE(half_filling_of_ten_sites) {
    BOOST_TEST(std::abs(half_filled_spin_spin(tilted(3), {}) + 0.336149121461) < 2e-12);
}
