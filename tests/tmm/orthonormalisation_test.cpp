// Compares the orthonormalisation with LAPACK's QR by Householder reflections, with R_ii > 0.
#define BOOST_TEST_MODULE tmm_orthonormalisation
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/larger.hpp"
#include "runs.hpp"
#include "tmm/building_blocks.hpp"

using namespace legato;
using namespace legato::tmm;
using tests::Matrix;

extern "C" {
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}

namespace {

struct Qr {
    Matrix q;
    std::vector<double> log_norms;
};

Qr lapack_qr(Matrix a) {
    const auto m = static_cast<int>(a.rows), n = static_cast<int>(a.columns);
    const int size = 64 * n;
    std::vector<double> tau(a.columns), work(static_cast<std::size_t>(size)), diagonal(a.columns);
    int info = 0;
    dgeqrf_(&m, &n, a.values.data(), &m, tau.data(), work.data(), &size, &info);
    BOOST_REQUIRE_EQUAL(info, 0);
    for (std::size_t j = 0; j < a.columns; ++j) diagonal[j] = a(j, j);
    dorgqr_(&m, &n, &n, a.values.data(), &m, tau.data(), work.data(), &size, &info);
    BOOST_REQUIRE_EQUAL(info, 0);
    for (std::size_t j = 0; j < a.columns; ++j) {
        for (std::size_t i = 0; i < a.rows; ++i) a(i, j) = std::copysign(1.0, diagonal[j]) * a(i, j);
        diagonal[j] = std::log(std::fabs(diagonal[j]));
    }
    return {a, diagonal};
}

Matrix random_matrix(std::size_t rows, std::size_t columns) {
    static std::mt19937_64 generator(11);
    Matrix a(rows, columns);
    for (double& x : a.values) x = std::normal_distribution()(generator);
    return a;
}

// Returns a 2n x n matrix with singular values from 1 down to 1 / condition, whose columns then shrink by a factor
// `shrinking` from first to last. The columns of a bar shrink in this way after some multiplications. The lengths
// affect neither Gram-Schmidt nor Householder QR.
Matrix columns(std::size_t n, double condition, double shrinking) {
    const Matrix u = lapack_qr(random_matrix(2 * n, n)).q, v = lapack_qr(random_matrix(n, n)).q;
    Matrix a(2 * n, n);
    const auto falling = [n](double factor, std::size_t k) {
        return n > 1 ? std::pow(factor, -static_cast<double>(k) / static_cast<double>(n - 1)) : 1.0;
    };
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < 2 * n; ++i)
                a(i, j) += u(i, k) * falling(condition, k) * v(j, k) * falling(shrinking, j);
    return a;
}

Qr legato_qr(const Matrix& a, Layout layout, int threads) {
    const std::size_t n = a.columns;
    const auto at = [&](std::size_t site, std::size_t state) {
        return layout == Layout::site_first ? state * n + site : site * n + state;
    };
    std::vector<double> psi_a(n * n), psi_b(n * n);
    Qr result{Matrix(2 * n, n), std::vector<double>(n)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) psi_a[at(i, j)] = a(i, j), psi_b[at(i, j)] = a(n + i, j);
    BOOST_TEST(orthonormalise(n, layout, psi_a.data(), psi_b.data(), result.log_norms.data(), threads));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) result.q(i, j) = psi_a[at(i, j)], result.q(n + i, j) = psi_b[at(i, j)];
    return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = larger(largest, std::fabs(a[i] - b[i]));
    return largest;
}

// Both factorisations are exact for a matrix that differs by a few eps. This changes Q and ln R_ii by eps times the
// condition number and a modest factor: the observed factor is 5.
void compare(double condition, double shrinking) {
    const double tolerance = 20 * condition * std::numeric_limits<double>::epsilon();
    for (const std::size_t n : {1, 2, 5, 31, 32, 33, 64, 100, 200}) {
        const Matrix a = columns(n, condition, shrinking);
        const Qr exact = lapack_qr(a);
        for (const Layout layout : {Layout::site_first, Layout::state_first})
            for (const int threads : {1, 3}) {
                const Qr found = legato_qr(a, layout, threads);
                const double q = largest_difference(found.q.values, exact.q.values),
                             r = largest_difference(found.log_norms, exact.log_norms);
                BOOST_TEST_MESSAGE("N = " << n << ": Q off by " << q << ", ln R_ii by " << r << ", allowed "
                                          << tolerance);
                BOOST_TEST(q <= tolerance, "N = " << n << ": Q off by " << q);
                BOOST_TEST(r <= tolerance, "N = " << n << ": ln R_ii off by " << r);
            }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(well_conditioned) {
    compare(10, 1);
}

BOOST_AUTO_TEST_CASE(moderately_ill_conditioned) {
    compare(1e6, 1);
}

BOOST_AUTO_TEST_CASE(columns_of_very_different_length) {
    compare(10, 1e12);
}

namespace {

// The given arrays, and the results of one of the two functions.
struct Ways {
    std::vector<double> a, b, log_norms;
    bool done;
};

Ways by(bool narrow, std::size_t n, Layout layout, Ways w) {
    w.log_norms.assign(n, 0.0);
    w.done = narrow ? orthonormalise_narrow(n, layout, w.a.data(), w.b.data(), w.log_norms.data())
                    : orthonormalise(n, layout, w.a.data(), w.b.data(), w.log_norms.data(), 1);
    return w;
}

bool has_narrow_way() {
    std::vector<double> a{1}, b{1}, log_norm(1);
    const bool has = orthonormalise_narrow(1, Layout::site_first, a.data(), b.data(), log_norm.data());
    if (!has) BOOST_TEST_MESSAGE("skipped: the processor has no AVX-512");
    return has;
}

}  // namespace

BOOST_AUTO_TEST_CASE(registers_give_the_same_bits) {
    if (!has_narrow_way()) return;
    for (const Layout layout : {Layout::site_first, Layout::state_first})
        for (std::size_t n = 1; n <= 9; ++n)
            for (int sample = 0; sample < 20; ++sample) {
                const Ways given{random_matrix(n, n).values, random_matrix(n, n).values, {}, false};
                const Ways narrow = by(true, n, layout, given), general = by(false, n, layout, given);
                BOOST_TEST(general.done);
                BOOST_TEST(narrow.done == (n <= 8), "n = " << n);
                if (!narrow.done) continue;
                BOOST_TEST((narrow.a == general.a && narrow.b == general.b), "n = " << n);
                BOOST_TEST(narrow.log_norms == general.log_norms, "n = " << n);
            }
}

// One column has no norm, overflows, or is nearly a multiple of the first column. The narrow function refuses it and
// leaves the arrays unchanged, so that the general function can report what is wrong.
BOOST_AUTO_TEST_CASE(registers_leave_lost_vectors_alone) {
    if (!has_narrow_way()) return;
    for (std::size_t n = 1; n <= 8; ++n)
        for (std::size_t lost = 0; lost < n; ++lost)
            for (const double factor : {0.0, 1e200, std::numeric_limits<double>::quiet_NaN(), 1e-14}) {
                if (factor == 1e-14 && lost == 0) continue;
                Ways given{random_matrix(n, n).values, random_matrix(n, n).values, {}, false};
                for (auto* const psi : {&given.a, &given.b})
                    for (std::size_t i = 0; i < n; ++i) {
                        double& x = (*psi)[lost * n + i];
                        x = factor == 1e-14 ? (*psi)[i] * (1 + factor * x) : factor * x;
                    }
                const Ways narrow = by(true, n, Layout::site_first, given);
                BOOST_TEST(!narrow.done, "n = " << n << ", column " << lost << ", factor " << factor);
                BOOST_TEST(std::memcmp(narrow.a.data(), given.a.data(), n * n * sizeof(double)) == 0);
                BOOST_TEST(std::memcmp(narrow.b.data(), given.b.data(), n * n * sizeof(double)) == 0);
            }
}

namespace {

Matrix transposed(const Matrix& a) {
    Matrix b(a.columns, a.rows);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.columns; ++j) b(j, i) = a(i, j);
    return b;
}

}  // namespace

// Tests every number of columns for which columns are orthonormalised one by one: 9 to 47.
BOOST_AUTO_TEST_CASE(layouts_give_the_same_bits) {
    for (std::size_t n = 9; n < 48; ++n) {
        const Matrix a = random_matrix(n, n), b = random_matrix(n, n);
        const Ways first = by(false, n, Layout::site_first, {a.values, b.values, {}, false}),
                   second = by(false, n, Layout::state_first, {transposed(a).values, transposed(b).values, {}, false});
        BOOST_TEST(first.done);
        BOOST_TEST(second.done);
        BOOST_TEST(first.log_norms == second.log_norms, "n = " << n);
        Matrix other(n, n);
        other.values = second.a;
        BOOST_TEST(transposed(other).values == first.a, "n = " << n);
        other.values = second.b;
        BOOST_TEST(transposed(other).values == first.b, "n = " << n);
    }
}

// One column is zero, overflows or is NaN. The arrays remain unchanged, and the logarithms of the columns before it are
// right.
BOOST_AUTO_TEST_CASE(columns_without_a_norm_change_nothing) {
    for (const std::size_t n : {9, 20, 47})
        for (const std::size_t lost : {std::size_t{0}, n / 2, n - 1})
            for (const double factor : {0.0, 1e200, std::numeric_limits<double>::quiet_NaN()}) {
                Ways given{random_matrix(n, n).values, random_matrix(n, n).values, {}, false};
                const Ways whole = by(false, n, Layout::site_first, given);
                for (auto* const psi : {&given.a, &given.b})
                    for (std::size_t i = 0; i < n; ++i) (*psi)[lost * n + i] *= factor;
                const Ways found = by(false, n, Layout::site_first, given);
                BOOST_TEST(!found.done, "n = " << n << ", column " << lost << ", factor " << factor);
                BOOST_TEST(std::memcmp(found.a.data(), given.a.data(), n * n * sizeof(double)) == 0);
                BOOST_TEST(std::memcmp(found.b.data(), given.b.data(), n * n * sizeof(double)) == 0);
                for (std::size_t i = 0; i < n; ++i)
                    BOOST_TEST((i < lost ? found.log_norms[i] == whole.log_norms[i] : std::isnan(found.log_norms[i])));
            }
}

BOOST_AUTO_TEST_CASE(columns_tell_what_they_lose) {
    for (const std::size_t n : {9, 20, 47})
        for (const double apart : {1e-3, 1e-6, 1e-12}) {
            Ways given{random_matrix(n, n).values, random_matrix(n, n).values, {}, false};
            for (auto* const psi : {&given.a, &given.b})
                for (std::size_t i = 0; i < n; ++i) {
                    double& x = (*psi)[(n - 1) * n + i];
                    x = (*psi)[i] + apart * x;
                }
            given.log_norms.resize(n);
            double loss = 0;
            BOOST_TEST(orthonormalise(n, Layout::site_first, given.a.data(), given.b.data(), given.log_norms.data(), 1,
                                      &loss));
            BOOST_TEST((loss > 0.2 / apart && loss < 5 / apart), "n = " << n << ", apart " << apart << ": " << loss);
        }
}
