#define BOOST_TEST_MODULE philox
#include "random/philox.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

using namespace legato::random;

// Compares with known answers that Random123 publishes for philox4x32-10 (kat_vectors).
BOOST_AUTO_TEST_CASE(known_answers) {
    const auto words = [](std::uint32_t c, std::uint32_t k) { return r123::Philox4x32()({{c, c, c, c}}, {{k, k}}); };
    const auto zeros = words(0, 0), ones = words(0xffffffff, 0xffffffff);
    BOOST_TEST(zeros[0] == 0x6627e8d5u);
    BOOST_TEST(zeros[1] == 0xe169c58du);
    BOOST_TEST(zeros[2] == 0xbc57ac4cu);
    BOOST_TEST(zeros[3] == 0x9b00dbd8u);
    BOOST_TEST(ones[0] == 0x408f276du);
    BOOST_TEST(ones[1] == 0x41c83b0eu);
    BOOST_TEST(ones[2] == 0xa20bc7c6u);
    BOOST_TEST(ones[3] == 0x6d5451fdu);
}

// Checks that mean and variance of uniform and normal numbers lie within five of their own standard errors.
BOOST_AUTO_TEST_CASE(moments) {
    constexpr int n = 200000;
    double u = 0, u2 = 0, g = 0, g2 = 0;
    for (int i = 0; i < n; ++i) {
        const UniformPair pair = philox_pair(1277, 3, static_cast<std::uint64_t>(i), 5);
        BOOST_REQUIRE(pair.first > 0 && pair.first < 1 && pair.second > 0 && pair.second < 1);
        const double z = normal(pair);
        u += pair.first;
        u2 += pair.first * pair.first;
        g += z;
        g2 += z * z;
    }
    BOOST_TEST(std::fabs(u / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
    BOOST_TEST(std::fabs(u2 / n - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / n));
    BOOST_TEST(std::fabs(g / n) < 5 / std::sqrt(n));
    BOOST_TEST(std::fabs(g2 / n - 1) < 5 * std::sqrt(2.0 / n));
}

BOOST_AUTO_TEST_CASE(every_coordinate_counts) {
    std::set<double> values;
    for (std::uint32_t a : {0u, 1u})
        for (std::uint32_t b : {0u, 1u})
            for (std::uint64_t c : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
                for (std::uint32_t d : {0u, 1u}) values.insert(philox_pair(a, b, c, d).first);
    BOOST_TEST(values.size() == 24u);
}
