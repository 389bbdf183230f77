// Tests every real parameter up to the ends of its documented range. A result either agrees with a formula that does
// not use transfer matrices, or its status says that it is not a result.
#define BOOST_TEST_MODULE tmm_ranges
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "chain_exponent.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

const std::vector<double> energies{0.0, 1e-6, 1.9, 2.1, 10.0, 1e3, 1e6};
const std::vector<double> disorders{0.0, 1e-6, 0.1, 1.0, 30.0, 1e3, 1e6};

Problem chain() {
    Problem p;
    p.dimension = 1;
    p.boundary = Boundary::hard_wall;
    p.max_multiplications = 50000;
    return p;
}

// Returns the exponent of a clean channel of energy e.
double clean(double e) {
    return std::fabs(e) > 2 ? std::acosh(std::fabs(e) / 2) : 0.0;
}

struct Exact {
    double value, uncertainty;
};

// Returns the exponent of a chain with uniform disorder, or nothing if no formula is good enough.
std::optional<Exact> exact_chain(double energy, double disorder) {
    const double gap = std::fabs(energy) - 2;
    if (disorder == 0) return Exact{clean(energy), 0};
    // The correction is of second order in W. The curvature of acosh is at most 1 / gap^2 here, and further corrections
    // decay with the wave.
    if (gap > 0 && disorder < 0.2 * gap) return Exact{clean(energy), disorder * disorder / (gap * gap)};
    if (disorder < 1) return {};
    if (disorder <= 30) return Exact{tests::chain_exponent(energy, disorder), 1e-4};
    // The exponent for strong disorder is the mean of ln |E - V|. The neighbours change it by the order of resonances,
    // 1 / W.
    const auto integral = [](double x) { return x == 0 ? 0.0 : x * std::log(std::fabs(x)) - x; };
    const double value = (integral(energy + disorder / 2) - integral(energy - disorder / 2)) / disorder;
    return Exact{value, 10 / disorder};
}

void check(const Problem& p, const PointResult& r, std::size_t exponent, const Exact& exact, const std::string& what) {
    BOOST_REQUIRE_MESSAGE(is_finished(r.status), what);
    if (r.status == PointStatus::failed) return;
    const double error = r.errors[exponent] * std::fabs(r.exponents[exponent]);
    const double off = std::fabs(r.exponents[exponent] - exact.value);
    BOOST_TEST(std::isfinite(r.exponents[exponent]), what);
    if (r.status == PointStatus::converged) BOOST_TEST(r.errors[0] <= p.epsilon, what);
    // A point that has not converged may have an unknown error.
    BOOST_TEST((off <= 5 * error + exact.uncertainty || (r.status == PointStatus::not_converged && std::isnan(error))),
               what << ": status " << static_cast<int>(r.status) << ", " << r.exponents[exponent] << " +- " << error
                    << " for " << exact.value);
}

std::vector<PointResult> results_of(const Problem& p, const std::vector<Point>& points) {
    Context context = tests::make_context(Backend::cpu, 2);
    Solver solver(context, p, points);
    solver.run({});
    std::vector<PointResult> all;
    for (std::size_t i = 0; i < points.size(); ++i) all.push_back(solver.result(i));
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(energy_and_disorder_of_chains) {
    std::vector<Point> points;
    std::vector<Exact> exact;
    for (const double energy : energies)
        for (const double disorder : disorders)
            for (const double sign : {-1.0, 1.0})
                if (const auto known = exact_chain(energy, disorder)) {
                    points.push_back({sign * energy, disorder});
                    exact.push_back(*known);
                }
    std::size_t converged = 0;
    for (const std::int64_t n_ortho : {1, 10, 100}) {
        Problem p = chain();
        p.n_ortho = n_ortho;
        const std::vector<PointResult> all = results_of(p, points);
        for (std::size_t i = 0; i < points.size(); ++i) {
            check(p, all[i], 0, exact[i],
                  text("E = ", points[i].energy, ", W = ", points[i].disorder, ", n_ortho ", n_ortho));
            converged += all[i].status == PointStatus::converged;
        }
    }
    BOOST_TEST_MESSAGE(points.size() << " points, three times; " << converged << " have converged");
    BOOST_TEST(converged > points.size());
}

BOOST_AUTO_TEST_CASE(epsilon_of_chains) {
    for (const double epsilon : {1e-15, 1e-14, 1e-6, 0.01, 0.3, 1.0})
        for (const Point& point : {Point{3.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}, {2.5, 2.0}, {0.0, 3.0}, {1e6, 1e6}}) {
            Problem p = chain();
            p.epsilon = epsilon;
            const PointResult r = results_of(p, {point})[0];
            check(p, r, 0, *exact_chain(point.energy, point.disorder),
                  text("epsilon ", epsilon, ", E = ", point.energy, ", W = ", point.disorder));
            BOOST_TEST((epsilon > 1e-15 || r.status == PointStatus::not_converged));
            BOOST_TEST((epsilon < 1 || point.disorder == 0 || r.status == PointStatus::converged));
        }
}

// Clean bars: the channels are plane waves across the bar, and each of them decays independently.
BOOST_AUTO_TEST_CASE(hopping_and_energy_of_clean_bars) {
    for (const int dimension : {2, 3})
        for (const double hopping : {0.0, 1e-6, 0.5, 1.0, 1e3, 1e6})
            for (const double sign : {-1.0, 1.0})
                for (const double energy : {0.0, 7.0, 1e3, 1e6}) {
                    Problem p;
                    p.dimension = dimension;
                    p.width = 3;
                    p.hopping = sign * hopping;
                    p.max_growth = 1e3;
                    p.max_multiplications = 20000;
                    std::vector<double> exact;
                    const auto band = [&](std::int64_t k) {
                        return 2 * p.hopping * std::cos(2 * M_PI * static_cast<double>(k) / 3);
                    };
                    for (std::int64_t k = 0; k < p.sites(); ++k)
                        exact.push_back(clean(energy - band(k % 3) - (dimension == 3 ? band(k / 3) : 0.0)));
                    std::sort(exact.begin(), exact.end());
                    const PointResult r = results_of(p, {{energy, 0.0}})[0];
                    for (std::size_t j = 0; j < exact.size(); ++j)
                        check(p, r, j, {exact[j], 1e-13 * exact.back()},
                              text(dimension, "D, hopping ", p.hopping, ", E = ", energy, ", exponent ", j + 1));
                }
}

// The two channels of a strip decay as 0.100 and 0.093. The first cycles cannot resolve them; more cycles can.
BOOST_AUTO_TEST_CASE(clean_channels_that_are_close) {
    for (const auto& [epsilon, converges] : {std::pair{0.005, false}, {0.0002, true}, {0.2, true}}) {
        Problem p;
        p.width = 2;
        p.hopping = 0.0007;
        p.epsilon = epsilon;
        const PointResult r = results_of(p, {{2.01, 0.0}})[0];
        BOOST_TEST((r.status == (converges ? PointStatus::converged : PointStatus::not_converged)), epsilon);
        for (const std::size_t j : {0U, 1U})
            check(p, r, j, {clean(2.01 - (j == 0 ? 2 : -2) * p.hopping), 0}, text("epsilon ", epsilon));
    }
}

// Tests disorder that is small against the gap of every channel, and disorder much larger than the hopping.
BOOST_AUTO_TEST_CASE(disorder_of_bars) {
    for (const double disorder : {1e-6, 1e-3}) {
        Problem p;
        p.width = 3;
        const PointResult r = results_of(p, {{8.0, disorder}})[0];
        BOOST_TEST(static_cast<int>(r.status) == static_cast<int>(PointStatus::converged));
        check(p, r, 0, {clean(6.0), disorder * disorder}, text("2D, W = ", disorder));
        for (const std::size_t j : {1U, 2U})
            check(p, r, j, {clean(9.0), disorder * disorder}, text("2D, W = ", disorder));
    }
    // The sum of all exponents is the sum of the means of ln |E - V| over the sites. It does not depend on their order.
    for (const double disorder : {1e4, 1e6})
        for (const double max_growth : {10.0, 1e4, 1e8}) {
            Problem p;
            p.width = 3;
            p.max_growth = max_growth;
            const PointResult r = results_of(p, {{0.0, disorder}})[0];
            BOOST_TEST(static_cast<int>(r.status) == static_cast<int>(PointStatus::converged));
            const double mean = std::accumulate(r.exponents.begin(), r.exponents.end(), 0.0) / 3;
            const double exact = std::log(disorder / 2) - 1;
            BOOST_TEST(std::fabs(mean / exact - 1) < 3 * p.epsilon,
                       "W = " << disorder << ": " << mean << " for " << exact);
        }
}

BOOST_AUTO_TEST_CASE(what_lies_beyond_is_refused) {
    const double beyond = std::nextafter(1e6, 2e6), nan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [](const Problem& p, const Point& point) {
        Context context = tests::make_context(Backend::cpu);
        BOOST_CHECK_THROW(Solver(context, p, {point}), Error);
    };
    for (const double energy : {beyond, -beyond, nan}) refused(chain(), {energy, 1.0});
    for (const double disorder : {beyond, -1e-300, nan}) refused(chain(), {0.0, disorder});
    for (const double hopping : {beyond, -beyond, nan}) {
        Problem p = chain();
        p.hopping = hopping;
        refused(p, {0.0, 1.0});
    }
    for (const double epsilon : {0.0, 0.99e-15, 1.01, nan}) {
        Problem p = chain();
        p.epsilon = epsilon;
        refused(p, {0.0, 1.0});
    }
    for (const double max_growth : {-1.0, 9.99, 1.01e8, nan}) {
        Problem p = chain();
        p.max_growth = max_growth;
        refused(p, {0.0, 1.0});
    }
}
