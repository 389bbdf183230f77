// Tests eigenpairs of symmetric matrices, all of them and some.
#define BOOST_TEST_MODULE matrix
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "core/larger.hpp"
#include "core/matrix.hpp"

using namespace legato;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Returns elements of size scale(i) scale(j) with random factors.
Matrix random_symmetric(std::size_t n, const std::function<double(double)>& scale) {
    std::mt19937_64 random(n);
    std::uniform_real_distribution<double> factor(-1.0, 1.0);
    Matrix a(n, n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i <= j; ++i)
            a(i, j) = a(j, i) = factor(random) * scale(static_cast<double>(i)) * scale(static_cast<double>(j));
    return a;
}

double largest_of(const Matrix& a) {
    double largest = 0;
    for (const double value : a.values) largest = larger(largest, std::fabs(value));
    return largest;
}

// These return the largest element of A U - U diag(values), and of U^T U - 1.
double residual(const Matrix& a, const std::vector<double>& values, const Matrix& u) {
    Matrix au = product(a, u);
    for (std::size_t j = 0; j < u.columns; ++j)
        for (std::size_t i = 0; i < u.rows; ++i) au(i, j) -= values[j] * u(i, j);
    return largest_of(au);
}
double dependence(const Matrix& u) {
    Matrix overlap = transposed_product(u, u);
    for (std::size_t i = 0; i < u.columns; ++i) overlap(i, i) -= 1.0;
    return largest_of(overlap);
}

// Checks that some eigenpairs are as accurate as all of them.
void compare(const Matrix& a, std::size_t first, std::size_t count) {
    Matrix u = a;
    const std::vector<double> all = diagonalise(u);
    const double norm = std::max({std::fabs(all.front()), std::fabs(all.back()), 1e-300});
    const Eigenpairs some = eigenpairs(a, first, count);
    BOOST_REQUIRE(some.values.size() == count);
    BOOST_REQUIRE(some.vectors.rows == a.rows);
    BOOST_REQUIRE(some.vectors.columns == count);
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) worst = larger(worst, std::fabs(some.values[i] - all[first + i]));
    const double off = residual(a, some.values, some.vectors), dependent = dependence(some.vectors);
    BOOST_TEST_MESSAGE("order " << a.rows << ", " << count << " from " << first << ": values " << worst / norm
                                << ", residual " << off / norm << " (all: " << residual(a, all, u) / norm
                                << "), orthogonality " << dependent << " (" << dependence(u) << ")");
    const double bound = 10.0 * epsilon * std::sqrt(static_cast<double>(a.rows));
    BOOST_TEST(worst <= bound * norm);
    BOOST_TEST(off <= bound * norm);
    BOOST_TEST(dependent <= bound);
}

}  // namespace

BOOST_AUTO_TEST_CASE(some_of_all) {
    for (const std::size_t n : {1U, 2U, 7U, 36U, 90U, 200U}) {
        const Matrix a = random_symmetric(n, [](double) { return 1.0; });
        for (const std::size_t first : {std::size_t{0}, n / 2, n - 1})
            for (const std::size_t count :
                 {std::size_t{0}, std::size_t{1}, std::min<std::size_t>(7, n - first), n - first})
                compare(a, first, count);
    }
}

// The elements cover twelve orders of magnitude, as between valence shells and the steepest functions.
BOOST_AUTO_TEST_CASE(graded) {
    for (const std::size_t n : {36U, 90U}) {
        const auto steps = static_cast<double>(n);
        compare(random_symmetric(n, [=](double i) { return std::pow(10.0, 6.0 * i / steps); }), n / 2, 7);
        compare(random_symmetric(n, [=](double i) { return std::pow(10.0, 6.0 * (steps - i) / steps); }), n / 2, 7);
    }
}

// Eigenvalues are equal, or equal within rounding. Inverse iteration alone would give parallel vectors.
BOOST_AUTO_TEST_CASE(degenerate) {
    Matrix one(40, 40);
    for (std::size_t i = 0; i < 40; ++i) one(i, i) = 3.0;
    compare(one, 10, 7);
    Matrix u = random_symmetric(40, [](double) { return 1.0; });
    diagonalise(u);
    Matrix scaled = u;
    for (std::size_t j = 0; j < 40; ++j)
        for (std::size_t i = 0; i < 40; ++i) scaled(i, j) *= j < 20 ? 1.0 : 2.0;
    Matrix a = product_transposed(scaled, u);
    for (std::size_t j = 0; j < 40; ++j)
        for (std::size_t i = 0; i < j; ++i) a(j, i) = a(i, j);
    compare(a, 15, 10);
    compare(Matrix(12, 12), 3, 4);
}

BOOST_AUTO_TEST_CASE(what_is_no_number) {
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const std::size_t count : {std::size_t{0}, std::size_t{2}}) {
            Matrix a(5, 5);
            a(3, 1) = a(1, 3) = value;
            BOOST_CHECK_EXCEPTION(eigenpairs(a, 1, count), Error,
                                  [](const Error& e) { return e.status() == Status::numerical_error; });
            BOOST_CHECK_THROW(diagonalise(a), Error);
        }
}

// A line through points: slope and intercept by the formulas of linear regression.
BOOST_AUTO_TEST_CASE(least_squares_of_a_line) {
    const std::vector<double> x = {0, 1, 2, 4, 7}, y = {1.0, 2.5, 2.0, 6.0, 9.5};
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < 5; ++i) mean_x += x[i] / 5, mean_y += y[i] / 5;
    for (std::size_t i = 0; i < 5; ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xy / xx, intercept = mean_y - slope * mean_x;
    double squares = 0;
    Matrix a(5, 2);
    for (std::size_t i = 0; i < 5; ++i) {
        a(i, 0) = 1;
        a(i, 1) = x[i];
        squares += std::pow(intercept + slope * x[i] - y[i], 2);
    }
    std::vector<double> b = y;
    const double found = least_squares(a, b);
    BOOST_TEST(found == squares, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(b[0] == intercept, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(b[1] == slope, boost::test_tools::tolerance(1e-12));

    Matrix dependent = a;
    for (std::size_t i = 0; i < 5; ++i) dependent(i, 0) = 0;
    b = y;
    BOOST_TEST(std::isinf(least_squares(dependent, b)));
    dependent(2, 0) = std::numeric_limits<double>::quiet_NaN();
    b = y;
    BOOST_TEST(std::isinf(least_squares(dependent, b)));
}

BOOST_AUTO_TEST_CASE(positive_systems) {
    Matrix a(2, 2), b(2, 3);
    a(0, 0) = 2;
    a(1, 1) = 5;
    a(0, 1) = a(1, 0) = 3;
    for (std::size_t j = 0; j < 3; ++j) {
        b(0, j) = static_cast<double>(j);
        b(1, j) = 1;
    }
    Matrix x = b;
    BOOST_TEST_REQUIRE(solve_positive(a, x));
    for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 2; ++i)
            BOOST_TEST(a(i, 0) * x(0, j) + a(i, 1) * x(1, j) == b(i, j), boost::test_tools::tolerance(1e-14));
    a(1, 1) = 4;  // the determinant is negative
    BOOST_TEST(!solve_positive(a, x));
    Matrix none(2, 0);
    BOOST_TEST(solve_positive(a, none));
}
