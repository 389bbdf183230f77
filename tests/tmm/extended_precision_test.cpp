// Compares Lyapunov exponents with the product of all transfer matrices. With a thousand digits that product needs only
// one orthonormalisation, at its end.
#define BOOST_TEST_MODULE tmm_extended_precision
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "random/lfsr113.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<1000>, boost::multiprecision::et_off>;
using Vector = std::vector<Real>;

constexpr double energy = 0.3, disorder = 3.0;
constexpr int cycles = 60;

// Returns the columns (psi_{n+1}; psi_n) after all slices, from psi_1 = identity and psi_0 = 0.
std::vector<Vector> propagated(const Problem& p) {
    const auto n = static_cast<std::size_t>(p.sites());
    const tests::Matrix hopping = tests::transverse_hopping(p);
    std::vector<Vector> columns(n, Vector(2 * n));
    for (std::size_t j = 0; j < n; ++j) columns[j][j] = 1;
    random::Lfsr113 generator = random::seeded_lfsr113(p.seed);
    for (std::int64_t slice = 0; slice < cycles * p.n_ortho; ++slice) {
        tests::Matrix step = hopping;
        for (double& h : step.values) h = -h;
        for (std::size_t i = 0; i < n; ++i) step(i, i) += energy - disorder * (generator.next() - 0.5);
        for (Vector& psi : columns) {
            Vector next(psi.begin(), psi.begin() + static_cast<std::ptrdiff_t>(n));
            next.insert(next.begin(), n, 0);
            for (std::size_t i = 0; i < n; ++i) {
                next[i] = -psi[n + i];
                for (std::size_t k = 0; k < n; ++k)
                    if (step(i, k) != 0) next[i] += Real(step(i, k)) * psi[k];
            }
            psi = std::move(next);
        }
    }
    return columns;
}

Real dot(const Vector& a, const Vector& b) {
    Real sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
}

// Returns ln R_jj, computed by Gram-Schmidt.
std::vector<double> log_norms(std::vector<Vector> columns) {
    std::vector<double> logs;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const Real norm2 = dot(columns[j], columns[j]);
        logs.push_back(static_cast<double>(log(norm2)) / 2);
        for (std::size_t l = j + 1; l < columns.size(); ++l) {
            const Real factor = dot(columns[j], columns[l]) / norm2;
            for (std::size_t k = 0; k < columns[l].size(); ++k) columns[l][k] -= factor * columns[j][k];
        }
    }
    return logs;
}

// Columns of bars grow apart by up to 1e6 within a cycle. That factor times eps appears in the slower columns: the
// observed deviation is 1e-12 in bars and 1e-15 in strips.
void compare(int dimension, int width, Boundary boundary) {
    Problem p = tests::legacy_problem(dimension, width, boundary);
    p.epsilon = 1e-12;
    Context context = tests::make_context(Backend::cpu);
    Solver solver(context, p, {{energy, disorder}});
    solver.advance(cycles);
    const std::vector<double> exponents = solver.result(0).exponents, exact = log_norms(propagated(p));
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const double off = exponents[i] - exact[exact.size() - 1 - i] / static_cast<double>(cycles * p.n_ortho);
        BOOST_TEST_MESSAGE(dimension << "D, M = " << width << ", boundary " << static_cast<int>(boundary)
                                     << ", exponent " << i + 1 << " = " << exponents[i] << ": off by " << off);
        BOOST_TEST(std::fabs(off) < 1e-11);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(chain) {
    compare(1, 1, Boundary::hard_wall);
}

BOOST_AUTO_TEST_CASE(strips_and_bars) {
    for (const Boundary boundary : {Boundary::hard_wall, Boundary::periodic, Boundary::antiperiodic}) {
        for (const int width : {1, 2, 4}) compare(2, width, boundary);
        for (const int width : {1, 2}) compare(3, width, boundary);
    }
}
