#define BOOST_TEST_MODULE lfsr113
#include "random/lfsr113.hpp"

#include <boost/test/unit_test.hpp>

// These are routines of module RNG of the serial program, by the names that gfortran gives them.
extern "C" void __rng_MOD_srandom(const int* seed);
extern "C" double __rng_MOD_drandom(const int* ignored);

using namespace legato::random;

BOOST_AUTO_TEST_CASE(stream_is_that_of_the_fortran_module_bit_for_bit) {
    for (const int seed : {1, 2, 1277, 16807, 2147483646, 0, -5}) {
        __rng_MOD_srandom(&seed);
        Lfsr113 generator = seeded_lfsr113(seed);
        for (int i = 0; i < 100000; ++i) BOOST_REQUIRE_EQUAL(generator.next(), __rng_MOD_drandom(&seed));
    }
}

BOOST_AUTO_TEST_CASE(leap_is_that_many_steps) {
    for (const std::uint64_t steps : {0, 1, 7, 31, 32, 255, 12345}) {
        Lfsr113 walked = seeded_lfsr113(1277);
        const Lfsr113 leapt = Lfsr113Leap(steps)(walked);
        for (std::uint64_t i = 0; i < steps; ++i) walked.step();
        BOOST_TEST(leapt.z1 == walked.z1);
        BOOST_TEST(leapt.z2 == walked.z2);
        BOOST_TEST(leapt.z3 == walked.z3);
        BOOST_TEST(leapt.z4 == walked.z4);
    }
}

BOOST_AUTO_TEST_CASE(leaps_add_up) {
    const Lfsr113 start = seeded_lfsr113(99);
    const Lfsr113 once = Lfsr113Leap(3'000'000'000'000)(start);
    const Lfsr113Leap third(1'000'000'000'000);
    BOOST_TEST(third(third(third(start))).uniform() == once.uniform());
}
