// Sums over all 10400600 configurations of 26 sites without holes, up to the rounding of so long a sum.
#define BOOST_TEST_MODULE vmc_half_filling
#include <boost/test/unit_test.hpp>

#include "exact.hpp"

using namespace legato::vmc::tests::exact;

BOOST_AUTO_TEST_CASE(half_filling_of_26_sites) {
    BOOST_TEST(std::abs(half_filled_spin_spin(tilted(5), {}) + 0.326663054605) < 1e-11);
}
