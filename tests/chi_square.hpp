// Checks over many seeds whether the deviations of results from exact values agree with their errors.
#pragma once

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <utility>

namespace legato::tests {

// Checks normal values. (mean - exact) / error has Student's distribution, with the degrees of freedom of the error.
// Each quotient is transformed to a normal number of the same probability, since a few values far out would hide all
// others. The sum of squares of these has the chi-square distribution, and must lie within its 99 % band.
class ChiSquare {
  public:
    ChiSquare(std::string what, double freedom) : what_(std::move(what)), student_(freedom) {}

    // Adds a value. An unknown error throws.
    void add(double difference, double error) {
        constexpr double least = 1e-300;
        const double beyond = boost::math::cdf(boost::math::complement(student_, std::abs(difference / error)));
        sum_ +=
            std::pow(boost::math::quantile(boost::math::complement(boost::math::normal(), std::max(beyond, least))), 2);
        ++count_;
    }

    void check() const {
        BOOST_TEST_REQUIRE(count_ > 0, what_ << ": nothing to compare");
        const boost::math::chi_squared distribution(count_);
        BOOST_TEST_MESSAGE(what_ << ": mean square " << sum_ / count_);
        BOOST_TEST(sum_ > boost::math::quantile(distribution, 0.005),
                   what_ << ": errors too large, mean square " << sum_ / count_);
        BOOST_TEST(sum_ < boost::math::quantile(distribution, 0.995),
                   what_ << ": errors too small, mean square " << sum_ / count_);
    }

  private:
    std::string what_;
    boost::math::students_t student_;
    double sum_ = 0;
    int count_ = 0;
};

}  // namespace legato::tests
