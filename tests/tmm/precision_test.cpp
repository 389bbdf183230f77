// Tests columns that have grown far apart. Every way to orthonormalise is compared with QR in extended precision. The
// unit is the error of plain modified Gram-Schmidt on the same columns.
#define BOOST_TEST_MODULE tmm_precision
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "core/larger.hpp"
#include "graded.hpp"
#include "tmm/building_blocks.hpp"
#include "tmm/orthonormalise.hpp"
#include "tmm/precision.hpp"
#include "tmm/propagation.hpp"

using namespace legato;
using namespace legato::tmm;
using namespace legato::tmm::tests;

namespace {

struct Way {
    const char* name;
    Factors (*run)(const Matrix&, double& loss);
};

template <Layout layout, int threads>
Factors at_once(const Matrix& x, double& loss) {
    const std::size_t n = x.columns;
    std::vector<double> a(n * n), b(n * n);
    Factors f{x, std::vector<double>(n)};
    const auto at = [&](std::size_t i, std::size_t j) { return layout == Layout::site_first ? j * n + i : i * n + j; };
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) a[at(i, j)] = x(i, j), b[at(i, j)] = x(n + i, j);
    BOOST_REQUIRE(orthonormalise(n, layout, a.data(), b.data(), f.log_norms.data(), threads, &loss));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) f.q(i, j) = a[at(i, j)], f.q(n + i, j) = b[at(i, j)];
    return f;
}

// Orthonormalises as a run of the solver does. An engine reports only whether the loss exceeds the limit: `loss` is
// then infinite, and 1 otherwise.
template <int threads>
Factors engine(const Matrix& x, double& loss) {
    Context context = make_context(Backend::cpu, threads);
    Problem p;
    p.width = static_cast<std::int64_t>(x.columns);
    const auto engine = make_cpu_engine(context, p, 1);
    Factors f{x, {}};
    loss = in_engine(*engine, f) == CycleEnd::lost_precision ? INFINITY : 1;
    return f;
}

Factors propagation(const Matrix& x, double& loss) {
    Context context = make_context(Backend::cpu);
    Problem p;
    const std::size_t n = x.columns;
    p.width = static_cast<std::int64_t>(n);
    Propagation propagation(context, p, Layout::site_first, 1);
    std::vector<double> a(n * n), b(n * n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) a[j * n + i] = x(i, j), b[j * n + i] = x(n + i, j);
    propagation.load(a.data(), b.data());
    Factors f{x, std::vector<double>(n)};
    BOOST_REQUIRE(propagation.orthonormalise(f.log_norms.data(), &loss));
    BOOST_REQUIRE(propagation.store(a.data(), b.data()));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) f.q(i, j) = a[j * n + i], f.q(n + i, j) = b[j * n + i];
    return f;
}

constexpr Way ways[] = {{"site first", at_once<Layout::site_first, 1>},
                        {"state first, three threads", at_once<Layout::state_first, 3>},
                        {"engine", engine<1>},
                        {"engine, three threads", engine<3>},
                        {"propagation", propagation}};

// Compares the worst of several matrices, because a single one may be lucky.
void compare(std::size_t n, double ratio, int matrices) {
    std::vector<Errors> worst(std::size(ways));
    Errors plain;
    for (int m = 0; m < matrices; ++m) {
        const Matrix x = graded(n, ratio);
        const std::vector<double> exact = exact_log_norms(x);
        plain.take(errors_of(modified_gram_schmidt(x), exact));
        for (std::size_t w = 0; w < std::size(ways); ++w) {
            double loss = 0;
            const Factors f = ways[w].run(x, loss);
            BOOST_TEST((loss <= most_growth || ratio >= most_growth / 10), ways[w].name << ": false alarm");
            BOOST_TEST((loss > most_growth || ratio <= most_growth * 10), ways[w].name << ": no word of " << ratio);
            if (loss > 1e300) continue;  // no result
            worst[w].take(errors_of(f, exact));
        }
    }
    for (std::size_t w = 0; w < std::size(ways); ++w) {
        BOOST_TEST_MESSAGE("N = " << n << ", 1 to " << ratio << ", " << ways[w].name << ": ln R " << worst[w].log_norm
                                  << ", Q^T Q - 1 " << worst[w].overlap << "; plain " << plain.log_norm << ", "
                                  << plain.overlap);
        BOOST_TEST(worst[w].log_norm <= 10 * plain.log_norm, "N = " << n << ", 1 to " << ratio << ", " << ways[w].name
                                                                    << ": ln R off by " << worst[w].log_norm
                                                                    << ", plain by " << plain.log_norm);
        BOOST_TEST(worst[w].overlap <= 10 * plain.overlap, "N = " << n << ", 1 to " << ratio << ", " << ways[w].name
                                                                  << ": Q^T Q - 1 is " << worst[w].overlap << ", plain "
                                                                  << plain.overlap);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(narrow) {
    compare(1, 1, 3);
    for (const std::size_t n : {2, 5, 31, 32, 33, 47})
        for (const double ratio : {1e3, 1e8, 1e13}) compare(n, ratio, 3);
}

BOOST_AUTO_TEST_CASE(from_the_first_panels_on) {
    for (const std::size_t n : {48, 49, 63, 64, 65, 81, 97})
        for (const double ratio : {1e3, 1e5, 1e7, 1e9, 1e11, 1e13}) compare(n, ratio, 3);
}

BOOST_AUTO_TEST_CASE(several_panels) {
    for (const std::size_t n : {100, 128, 200})
        for (const double ratio : {1e4, 3e9}) compare(n, ratio, 1);
}

BOOST_AUTO_TEST_CASE(wide) {
    compare(400, 3e9, 1);
}

// Takes minutes under the sanitizers. A separate entry in CMake runs it.
BOOST_AUTO_TEST_CASE(widest, *boost::unit_test::disabled()) {
    compare(512, 1e6, 1);
    compare(1024, 3e9, 1);
}

// Different lengths alone lose no precision. The loss is the ratio of a column's length to what remains of it after
// subtracting the columns before it.
BOOST_AUTO_TEST_CASE(columns_of_very_different_length) {
    Matrix x = graded(64, 10);
    for (std::size_t j = 0; j < x.columns; ++j)
        for (std::size_t i = 0; i < x.rows; ++i) x(i, j) *= std::pow(10.0, -0.5 * static_cast<double>(j));
    double loss = 0;
    const Factors f = at_once<Layout::site_first, 1>(x, loss);
    BOOST_TEST(loss < 100);
    BOOST_TEST(errors_of(f, exact_log_norms(x)).log_norm < 1e-13);
}

// The last column is 1e14 times the first column plus a short rest. R_jj, which is the length of the rest, does not
// show the loss.
BOOST_AUTO_TEST_CASE(a_column_that_is_nearly_lost) {
    Matrix x = graded(64, 2);
    for (std::size_t i = 0; i < x.rows; ++i) x(i, 63) = 1e14 * x(i, 0) + x(i, 63);
    double loss = 0;
    at_once<Layout::site_first, 1>(x, loss);
    BOOST_TEST(loss > 1e13);
}

// If precision is lost, the result is that of plain modified Gram-Schmidt, also in wide bars.
BOOST_AUTO_TEST_CASE(beyond_the_limit_without_blocks) {
    for (const std::size_t n : {64, 128}) {
        const Matrix x = graded(n, 1e14);
        double loss = 0;
        const Factors f = at_once<Layout::site_first, 1>(x, loss);
        BOOST_TEST(loss > most_growth);
        OrthonormaliseScratch scratch;
        scratch.resize(n);
        const std::size_t row = row_length(n);
        AlignedVector rows(2 * n * row);
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < 2 * n; ++k) rows[k * row + j] = x(k, j);
        orthonormalise_unblocked(cpu_kernels(), n, rows.data(), scratch);
        for (std::size_t j = 0; j < n; ++j) BOOST_TEST(f.log_norms[j] == 0.5 * std::log(scratch.norms2[j]));
    }
}
