// Compares one multiplication with a dense transfer matrix.
#define BOOST_TEST_MODULE tmm_multiplication
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "core/larger.hpp"
#include "random/lfsr113.hpp"
#include "runs.hpp"
#include "tmm/building_blocks.hpp"
#include "tmm/step_kernels.hpp"

using namespace legato;
using namespace legato::tmm;
using tests::Matrix;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double tolerance = 64 * eps;

// Returns every kind of lattice. Those with N = 97 and 100 are shared between threads.
std::vector<Problem> bars() {
    std::vector<Problem> list{tests::legacy_problem(1, 1, Boundary::hard_wall)};
    for (const Boundary boundary : {Boundary::hard_wall, Boundary::periodic, Boundary::antiperiodic}) {
        for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 33, 97})
            list.push_back(tests::legacy_problem(2, width, boundary));
        for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 10}) list.push_back(tests::legacy_problem(3, width, boundary));
    }
    for (Problem& p : list) p.hopping = 0.7;
    return list;
}

std::string name(const Problem& p) {
    return std::to_string(p.dimension) + "D, M = " + std::to_string(p.width) + ", boundary " +
           std::to_string(static_cast<int>(p.boundary));
}

// Returns the matrix that takes (psi_{n+1}; psi_n) to (psi_{n+2}; psi_{n+1}).
Matrix transfer_matrix(const Problem& p, const std::vector<double>& diagonal) {
    const std::size_t n = diagonal.size();
    const Matrix hopping = tests::transverse_hopping(p);
    Matrix t(2 * n, 2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) t(i, j) = (i == j ? diagonal[i] : 0.0) - hopping(i, j);
        t(i, n + i) = -1;
        t(n + i, i) = 1;
    }
    return t;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.rows, b.columns);
    for (std::size_t j = 0; j < c.columns; ++j)
        for (std::size_t k = 0; k < a.columns; ++k)
            if (b(k, j) != 0)
                for (std::size_t i = 0; i < c.rows; ++i) c(i, j) += a(i, k) * b(k, j);
    return c;
}

Matrix transposed(const Matrix& a) {
    Matrix b(a.columns, a.rows);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.columns; ++j) b(j, i) = a(i, j);
    return b;
}

Matrix random_matrix(std::size_t rows, std::size_t columns) {
    static std::mt19937_64 generator(7);
    Matrix a(rows, columns);
    for (double& x : a.values) x = std::uniform_real_distribution(-1.0, 1.0)(generator);
    return a;
}

}  // namespace

// Six terms of size 1 at most are added. Each is rounded once as a product and at most five times in sums, here and in
// the library.
BOOST_AUTO_TEST_CASE(building_block) {
    for (const Problem& p : bars()) {
        const auto n = static_cast<std::size_t>(p.sites());
        const std::vector<double> diagonal = random_matrix(n, 1).values;
        const Matrix before = random_matrix(2 * n, n), after = product(transfer_matrix(p, diagonal), before);
        for (const Layout layout : {Layout::site_first, Layout::state_first})
            for (const int threads : {1, 3}) {
                const auto at = [&](std::size_t site, std::size_t state) {
                    return layout == Layout::site_first ? state * n + site : site * n + state;
                };
                std::vector<double> a(n * n), b(n * n);
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < n; ++j) a[at(i, j)] = before(i, j), b[at(i, j)] = before(n + i, j);
                multiply(p, layout, diagonal.data(), a.data(), b.data(), threads);
                double worst = 0;
                bool kept = true;
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < n; ++j) {
                        worst = larger(worst, std::fabs(b[at(i, j)] - after(i, j)));
                        kept = kept && a[at(i, j)] == before(i, j);
                    }
                BOOST_TEST(kept, name(p));
                BOOST_TEST(worst <= tolerance, name(p) << ": " << worst / eps << " eps");
            }
    }
}

// A function for one shape is bitwise identical to the general one, which the test above checks. There is none for
// widths above 8.
BOOST_AUTO_TEST_CASE(narrow_steps) {
    for (Problem p : bars())
        for (const Layout layout : {Layout::site_first, Layout::state_first}) {
            const NarrowStep step = narrow_step(p, layout);
            BOOST_TEST((step != nullptr) == (p.width <= 8), name(p));
            if (!step) continue;
            const auto n = static_cast<std::size_t>(p.sites());
            const std::vector<double> diagonal = random_matrix(n, 1).values, a = random_matrix(n, n).values;
            for (const double hopping : {0.7, -1.3, 0.0}) {
                p.hopping = hopping;
                std::vector<double> narrow = random_matrix(n, n).values, general = narrow;
                step(hopping, diagonal.data(), a.data(), narrow.data());
                multiply(p, layout, diagonal.data(), a.data(), general.data(), 1);
                BOOST_TEST(narrow == general, name(p));
            }
        }
}

#ifdef LEGATO_X86_64_LEVELS
// Rows of up to eight sites are computed in registers with AVX-512. The AVX2 kernel computes them in a general loop.
// Both must agree.
BOOST_AUTO_TEST_CASE(instruction_sets_agree) {
    if (cpu_level() != CpuLevel::v4) {
        BOOST_TEST_MESSAGE("skipped: the processor has no AVX-512");
        return;
    }
    for (const double edge : {0.0, 1.0, -1.0})
        for (const bool square : {false, true})
            for (std::size_t m = 1; m <= 10; ++m) {
                const StepLattice lattice{m, square, 0.7, edge};
                const std::size_t n = lattice.sites();
                const std::vector<double> diagonal = random_matrix(n, 1).values, a = random_matrix(n, n).values;
                for (std::size_t first = 0; first < n; first += 1 + n / 5)
                    for (std::size_t last = first + 1; last <= n; last += 1 + n / 5) {
                        std::vector<double> narrow = random_matrix(n, n).values, general = narrow;
                        for (const auto step : {&StepKernels::site_first, &StepKernels::state_first}) {
                            (StepKernels::v4.*step)(lattice, first, last, diagonal.data(), a.data(), narrow.data());
                            (StepKernels::v3.*step)(lattice, first, last, diagonal.data(), a.data(), general.data());
                            BOOST_TEST(narrow == general, "m = " << m << ", 3D " << square << ", edge " << edge << ", "
                                                                 << first << ".." << last);
                        }
                    }
            }
}
#endif

// Let T psi = Q R. The psi' of the engine must be Q, and the growth of its sums must be the ln R_ii. T has a norm of
// about 5 and a condition number of 30. Rounding in sums over N sites grows as sqrt(N) eps: the observed deviation is 7
// eps.
BOOST_AUTO_TEST_CASE(cycles_of_one_multiplication) {
    const Context context = tests::make_context(Backend::cpu, 2);
    constexpr double energy = 0.3, disorder = 2.0;
    for (Problem p : bars()) {
        p.n_ortho = 1;
        p.epsilon = 1e-12;
        const auto n = static_cast<std::size_t>(p.sites());
        const auto engine = make_cpu_engine(context, p, 1);
        const std::size_t slots[] = {0};
        PointStatus statuses[1];
        PointState state = initial_state(p, 0);
        tests::load(*engine, {energy, disorder}, state);
        random::Lfsr113 generator = random::seeded_lfsr113(p.seed);
        for (int cycle = 0; cycle < 4; ++cycle) {
            const PointState before = state;
            std::vector<double> diagonal(n);
            for (double& d : diagonal) d = energy - disorder * (generator.next() - 0.5);
            engine->advance(1, slots, statuses);
            state = tests::store(*engine, true);
            const Matrix q(2 * n, n, state.psi);
            const Matrix y = product(transfer_matrix(p, diagonal), Matrix(2 * n, n, before.psi));
            const Matrix r = product(transposed(q), y), qr = product(q, r);
            double worst = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double growth = state.log_norms[j] - before.log_norms[j];
                worst = larger(worst, std::fabs(r(j, j) * std::exp(-growth) - 1));
                for (std::size_t i = j + 1; i < n; ++i) worst = larger(worst, std::fabs(r(i, j)));
                for (std::size_t i = 0; i < 2 * n; ++i) worst = larger(worst, std::fabs(qr(i, j) - y(i, j)));
            }
            BOOST_TEST(worst <= tolerance, name(p) << ", cycle " << cycle << ": " << worst / eps << " eps");
        }
    }
}
