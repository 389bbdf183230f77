// Compares the quadrature of the two-electron integrals with their closed form.
#define BOOST_TEST_MODULE dfr_log_grid
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "core/larger.hpp"
#include "dfr/log_grid.hpp"
#include "dfr/moments.hpp"
#include "dfr/quadrature.hpp"
#include "dfr/radial_function.hpp"
#include "random_pairs.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

std::vector<double> on_grid(const LogGrid& grid, const FunctionPair& pair) {
    const auto component = pair.component == Component::large ? large_component : small_component;
    const RadialFunction p = component(pair.species_p, pair.zeta_p), q = component(pair.species_q, pair.zeta_q);
    std::vector<double> values(grid.points);
    for (std::size_t i = 0; i < grid.points; ++i) {
        const double r = grid.radius(i);
        values[i] = grid.step * std::sqrt(r) * value(p, r) * value(q, r);
    }
    return values;
}

double by_quadrature(const std::vector<double>& kernel, const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        double potential = 0;
        for (std::size_t j = 0; j < b.size(); ++j) potential += kernel[i > j ? i - j : j - i] * b[j];
        sum += a[i] * potential;
    }
    return sum;
}

// Returns the largest error relative to sqrt(R(A|A) R(B|B)).
double worst_error(double smallest, double largest, int species, int cases) {
    const LogGrid grid = make_log_grid(smallest, largest);
    std::vector<std::vector<double>> kernels;
    for (int nu = 0; nu <= 13; ++nu) kernels.push_back(band_limited_kernel(nu, grid.points));
    tests::RandomPairs pairs(smallest, largest, species);
    double worst = 0;
    for (int i = 0; i < cases; ++i) {
        const auto c = pairs.next();
        const double sum =
            by_quadrature(kernels[static_cast<std::size_t>(c.nu)], on_grid(grid, c.a), on_grid(grid, c.b));
        const double scale =
            std::sqrt(repulsion_integral(c.nu, c.a, c.a).value * repulsion_integral(c.nu, c.b, c.b).value);
        worst = larger(worst, std::fabs(sum - repulsion_integral(c.nu, c.a, c.b).value) / scale);
    }
    return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(integrals) {
    const std::pair<double, double> ranges[] = {
        {1.0, 1.0001}, {0.05, 1e3}, {0.01, 1e8}, {1e-4, 1e16}, {smallest_exponent, largest_exponent}};
    for (const auto& [smallest, largest] : ranges) {
        const double worst = worst_error(smallest, largest, 9, 300);
        BOOST_TEST_MESSAGE(smallest << ".." << largest << ": " << worst);
        BOOST_TEST(worst < 1e-13, smallest << ".." << largest << ": " << worst);
    }
}

BOOST_AUTO_TEST_CASE(all_symmetries) {
    const double worst = worst_error(0.01, 1e8, max_symmetries, 300);
    BOOST_TEST_MESSAGE(worst);
    BOOST_TEST(worst < 1e-13);
}

// Compares T_nu(n) and U_nu(n) with Simpson's rule over the band.
BOOST_AUTO_TEST_CASE(kernels) {
    constexpr std::size_t points = 400;
    double worst = 0;
    for (const auto& [nu, odd] : {std::pair{0, false},
                                  {1, false},
                                  {2, false},
                                  {5, false},
                                  {13, false},
                                  {0, true},
                                  {1, true},
                                  {2, true},
                                  {5, true},
                                  {14, true}}) {
        const std::vector<double> kernel = odd ? band_limited_odd_kernel(nu, points) : band_limited_kernel(nu, points);
        const double a = nu + 0.5;
        for (const std::size_t n : {0, 1, 2, 3, 10, 100, 399}) {
            constexpr int intervals = 400000;
            const double h = std::acos(-1.0) / log_step / intervals;
            double sum = 0;
            for (int i = 0; i <= intervals; ++i) {
                const double k = i * h, weight = i == 0 || i == intervals ? 1.0 : i % 2 ? 4.0 : 2.0;
                const double phase = k * static_cast<double>(n) * log_step;
                sum += weight * 2.0 / (a * a + k * k) * (odd ? k * std::sin(phase) : a * std::cos(phase));
            }
            worst = larger(worst, std::fabs(kernel[n] - sum * h / 3.0 / std::acos(-1.0)));
        }
    }
    BOOST_TEST_MESSAGE(worst);
    BOOST_TEST(worst < 1e-13);
}

// Compares the integral over r1 > r2 alone of r1^(2i+nu+2) e^(-p r1^2) r2^(2k-nu) e^(-q r2^2) r2^nu/r1^(nu+1), which is
// half the sum of the double sums with T_nu and U_nu, with its closed form.
BOOST_AUTO_TEST_CASE(ordered_integrals) {
    std::mt19937_64 generator(11);
    std::uniform_real_distribution<double> exponent(std::log(0.05), std::log(1e6));
    const LogGrid grid = make_log_grid(0.05, 1e6);
    double worst = 0;
    for (int times = 0; times < 300; ++times) {
        const int nu = times % 12, i = static_cast<int>(generator() % 3);
        const int k = (nu + 1) / 2 + 1 + static_cast<int>(generator() % 3);
        const double p = std::exp(exponent(generator)), q = std::exp(exponent(generator));
        const std::vector<double> even = band_limited_kernel(nu, grid.points),
                                  odd = band_limited_odd_kernel(nu, grid.points);
        const auto values = [&](double power, double zeta) {
            std::vector<double> f(grid.points);
            for (std::size_t j = 0; j < grid.points; ++j) {
                const double r = grid.radius(j);
                f[j] = grid.step * std::exp((power + 0.5) * std::log(r) - zeta * r * r);
            }
            return f;
        };
        const std::vector<double> a = values(2 * i + nu + 2, p), b = values(2 * k - nu, q);
        double sum = 0;
        for (std::size_t m = 0; m < grid.points; ++m)
            for (std::size_t n = 0; n < grid.points; ++n) {
                const std::size_t distance = m > n ? m - n : n - m;
                sum += 0.5 * a[m] * b[n] * (even[distance] + (m > n ? 1.0 : -1.0) * odd[distance]);
            }
        const double scale = std::sqrt(by_quadrature(even, a, a) * by_quadrature(even, b, b));
        worst = larger(worst, std::fabs(sum - ordered_moment(i, k, p, q)) / scale);
    }
    BOOST_TEST_MESSAGE(worst);
    BOOST_TEST(worst < 1e-13);
}

// The functions are normalised by overlaps in closed form, while the engines use overlaps on the grid. The norms on the
// grid must therefore be 1, too.
BOOST_AUTO_TEST_CASE(overlaps) {
    Atom atom;
    for (int s = 0; s < 9; ++s) atom.exponents.push_back({1e-3, 0.4, 0.5, 30.0, 1e4, 1e9});
    const Quadratures quadratures = make_quadratures({}, {&atom, 1}, 1);
    const Quadrature& quadrature = quadratures.atoms[0];
    double worst = 0;
    for (std::size_t s = 0; s < 9; ++s)
        for (const Matrix* functions : {&quadrature.large[s], &quadrature.small[s]}) {
            const Matrix overlap = transposed_product(*functions, *functions);
            for (std::size_t p = 0; p < 6; ++p) worst = larger(worst, std::fabs(overlap(p, p) - 1.0));
        }
    BOOST_TEST_MESSAGE(worst);
    BOOST_TEST(worst < 1e-13);
}
