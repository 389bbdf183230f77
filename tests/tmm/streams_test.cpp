// Checks that the random streams give the same physics and that errors agree with the scatter of runs. Both are
// chi-square tests over 50 runs that share no disorder.
#define BOOST_TEST_MODULE tmm_streams
#include <boost/math/special_functions/gamma.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "random/lfsr113.hpp"
#include "runs.hpp"
#include "tmm/convergence.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

constexpr std::int64_t cycles = 10000;

struct Estimate {
    double exponent, error;
};

// Returns the smallest exponent of every point. Each point uses another part of the stream: philox has one stream for
// each point, and the other generators leap by more numbers than a run draws.
std::vector<Estimate> estimates(RandomStream stream, const std::vector<Point>& points) {
    Problem p = tests::legacy_problem(2, 4, Boundary::periodic);
    p.random_stream = stream;
    p.epsilon = 1e-12;
    const Context context = tests::make_context(Backend::cpu);
    const auto engine = make_cpu_engine(context, p, 1);
    const random::Lfsr113Leap leap(1'000'000'007);
    const std::size_t slots[] = {0}, smallest = 3;
    PointStatus statuses[1];
    PointState start = initial_state(p, 0);
    std::vector<Estimate> all;
    for (const Point& point : points) {
        tests::load(*engine, point, start, static_cast<std::uint32_t>(all.size()));
        engine->advance(cycles, slots, statuses);
        const PointState end = tests::store(*engine, false);
        const double sum = end.log_norms[smallest], sum2 = end.log_norms2[smallest];
        const double exponent = lyapunov_exponent(sum, p.n_ortho, cycles);
        all.push_back({exponent, exponent * relative_error(sum, sum2, cycles)});
        for (std::size_t w = 0; w < start.random.size(); w += 4) {
            const auto g = leap({start.random[w], start.random[w + 1], start.random[w + 2], start.random[w + 3]});
            start.random[w] = g.z1, start.random[w + 1] = g.z2, start.random[w + 2] = g.z3, start.random[w + 3] = g.z4;
        }
    }
    return all;
}

// The probability of a larger chi-square is uniform on (0, 1) if all is well. The seeds are fixed.
void require_plausible(double chi2, int degrees_of_freedom) {
    BOOST_TEST_MESSAGE("chi-square " << chi2 << " for " << degrees_of_freedom);
    const double p = boost::math::gamma_q(degrees_of_freedom / 2.0, chi2 / 2);
    BOOST_TEST(p > 0.001);
    BOOST_TEST(p < 0.999);
}

void agree(const std::vector<Estimate>& a, const std::vector<Estimate>& b) {
    double chi2 = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        chi2 += std::pow(a[i].exponent - b[i].exponent, 2) / (std::pow(a[i].error, 2) + std::pow(b[i].error, 2));
    require_plausible(chi2, static_cast<int>(a.size()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(streams_agree_with_one_another) {
    std::vector<Point> points;
    for (int i = 0; i < 50; ++i) points.push_back({-2.0 + 0.08 * i, 3.0 + 0.1 * i});
    const auto serial = estimates(RandomStream::lfsr113, points),
               per_site = estimates(RandomStream::lfsr113_per_site, points),
               philox = estimates(RandomStream::philox, points);
    agree(serial, philox);
    agree(per_site, philox);
    agree(serial, per_site);
}

BOOST_AUTO_TEST_CASE(runs_scatter_as_their_errors_say) {
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site, RandomStream::philox}) {
        const auto all = estimates(stream, std::vector<Point>(50, {0.7, 4.0}));
        double weight = 0, mean = 0, chi2 = 0;
        for (const Estimate& e : all) weight += 1 / (e.error * e.error), mean += e.exponent / (e.error * e.error);
        mean /= weight;
        for (const Estimate& e : all) chi2 += std::pow((e.exponent - mean) / e.error, 2);
        require_plausible(chi2, static_cast<int>(all.size()) - 1);
    }
}
