// Checks that an interval that does not enclose the spectrum is found, and that one that does is never refused.
#define BOOST_TEST_MODULE kpm_enclosure
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <random>
#include <string>

#include "kpm/enclosure.hpp"
#include "kpm/estimates.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

Lattice cubic(std::int64_t extent, double disorder) {
    Lattice lattice;
    lattice.extents = {extent, extent, extent};
    lattice.on_site = OnSite::box;
    lattice.disorder = disorder;
    return lattice;
}

Problem within(double lowest, double highest, int moments) {
    Problem problem;
    problem.bounds = Bounds::interval;
    problem.lowest = lowest;
    problem.highest = highest;
    problem.margin = 0;
    problem.moments = moments;
    return problem;
}

// Returns cosh(n arccosh |x|), with its sign, outside the interval, and cos(n arccos x) inside.
double chebyshev(int n, double x) {
    if (std::abs(x) <= 1) return std::cos(n * std::acos(x));
    return (x < 0 && n % 2 == 1 ? -1 : 1) * std::cosh(n * std::acosh(std::abs(x)));
}

std::string evidence(const std::vector<double>& moments, const Rounding& rounding = rounding_of(Precision::double_)) {
    return evidence_of_states_outside(moments, 0, {0, 1}, rounding, 1 << 20);
}

// Returns the moments of levels x_k with positive weights.
std::vector<double> moments_of(const std::vector<double>& x, const std::vector<double>& weight, int count) {
    std::vector<double> moments(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < x.size(); ++k)
        for (int n = 0; n < count; ++n) moments[static_cast<std::size_t>(n)] += weight[k] * chebyshev(n, x[k]);
    return moments;
}

}  // namespace

// A lattice of 48^3 sites, W = 10, has the spectrum -8.32..8.27.
BOOST_AUTO_TEST_CASE(an_interval_that_is_two_per_cent_too_narrow) {
    Context context = make_context(2);
    Problem problem = within(-8.165, 8.165, 64);
    for (const Precision precision : {Precision::double_, Precision::single}) {
        problem.precision = precision;
        Solver solver(context, problem, prepared(cubic(48, 10)));
        const auto [status, message] = failure_of([&] { solver.run({}); });
        BOOST_TEST((status == Status::numerical_error), message);
        BOOST_TEST_MESSAGE(message);
        BOOST_TEST(
            message.starts_with("kpm.params.lowest, kpm.params.highest: the bounds -8.165 .. 8.165, margin included, "
                                "do not enclose the spectrum: the density of states that 64 moments of sample "));
    }
}

// The same lattice, smaller, with its exact levels. An interval that leaves out four levels is found.
BOOST_AUTO_TEST_CASE(smaller_lattices) {
    Context context = make_context();
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        const Lattice lattice = cubic(8, 10);
        const std::vector<double> levels = eigenvalues(matrix_of(lattice, static_cast<std::uint64_t>(seed), 0));
        Problem problem = within(levels[3] / 2 + levels[4] / 2, levels.back(), 128);
        problem.seed = seed;
        BOOST_TEST((failure_of([&] { finished(context, problem, lattice); }).first == Status::numerical_error));
        problem.lowest = levels.front();
        BOOST_TEST((failure_of([&] { finished(context, problem, lattice); }).first == Status::success));
    }
}

// A chain with one level outside the interval, by more than the moments resolve, (pi / N)^2 half widths.
BOOST_AUTO_TEST_CASE(one_state_outside) {
    Context context = make_context();
    Lattice chain;
    chain.extents = {60, 1, 1};
    chain.on_site = OnSite::energies;
    chain.energies.assign(60, 0.0);
    chain.energies[7] = -1;  // binds a state at -sqrt(4 + 1)
    for (const int moments : {32, 64, 200}) {
        Problem problem = within(-std::sqrt(5.0) + 60.0 / (moments * moments), 2, moments);
        BOOST_TEST((failure_of([&] { finished(context, problem, chain); }).first == Status::numerical_error));
        problem.lowest = -std::sqrt(5.0);
        BOOST_TEST((failure_of([&] { finished(context, problem, chain); }).first == Status::success));
    }
}

// These moments belong to no density, although each is within +-mu_0 and the smoothed density is positive. Their
// Toeplitz matrix, with rows (1, 0.3, c), has a negative determinant for c < 2 * 0.3^2 - 1.
BOOST_AUTO_TEST_CASE(moments_of_no_density) {
    BOOST_TEST(!evidence({1, 0.3, -0.85}).empty());
    BOOST_TEST(evidence({1, 0.3, -0.8}).empty());
    BOOST_TEST(evidence({1, 0.3, -0.85}).find("no density of states without negative values") == 0U);
}

// A moment beyond mu_0 is the first evidence, and the message gives it.
BOOST_AUTO_TEST_CASE(a_level_just_outside) {
    Context context = make_context();
    Lattice site;
    site.extents = {1, 1, 1};
    site.on_site = OnSite::energies;
    site.energies = {1.2};
    const auto [status, message] = failure_of([&] { finished(context, within(-1, 1, 2), site); });
    BOOST_TEST((status == Status::numerical_error));
    BOOST_TEST(message.find("moment 1 of sample 0 is 1.2 times moment 0") != std::string::npos, message);
}

// moment_rounding() must cover the rounding of a centre far from zero. T_n is most sensitive at the ends of the
// interval, where its slope is n^2.
BOOST_AUTO_TEST_CASE(rounding_of_a_centre_far_from_zero) {
    const Rescaling far{1e6, 1e-4};
    const double off = 0.5 * std::numeric_limits<double>::epsilon() * far.centre / far.half_width;
    for (const int n : {1, 10, 100}) BOOST_TEST(moment_rounding(far, 0, n) > chebyshev(n, 1 + off) - 1, "T_" << n);
}

// Levels at both ends, single levels, clusters, and levels everywhere. None is refused because of rounding.
BOOST_AUTO_TEST_CASE(good_intervals_are_never_refused) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < 3000; ++i) {
        const auto levels = static_cast<std::size_t>(1 + i % 17);
        std::vector<double> x(levels), weight(levels);
        for (std::size_t k = 0; k < levels; ++k) {
            x[k] = std::abs(uniform(random)) < 0.3 ? (uniform(random) < 0 ? -1 : 1) : std::sin(2 * uniform(random));
            weight[k] = std::pow(10.0, 12 * uniform(random) * static_cast<double>(i % 2));
        }
        const std::vector<double> moments = moments_of(x, weight, 2 + i % 150);
        const std::string found = evidence(moments);
        BOOST_TEST(found.empty(), found);
    }
}

// The interval of these runs ends exactly at the extreme levels, where rounding errors are largest. Half of the runs
// start from single sites.
BOOST_AUTO_TEST_CASE(good_runs_are_never_refused) {
    Context context = make_context();
    for (int i = 0; i < 400; ++i) {
        std::mt19937_64 random(static_cast<std::uint64_t>(i));
        const CrsMatrix matrix = random_matrix(random, 2 + i % 40, 4);
        Hamiltonian sorted = matrix;
        prepare(sorted);
        const std::vector<double> levels = eigenvalues(std::get<CrsMatrix>(sorted));
        Problem problem = within(levels.front(), levels.back(), i % 10 == 0 ? 1500 : 20 + i);
        problem.precision = i % 3 == 0 ? Precision::single : Precision::double_;
        problem.vectors = 2;
        if (i % 2 == 0) {
            problem.start_vectors = StartVectors::sites;
            problem.sites = {0, matrix.rows() - 1};
        }
        const auto [status, message] = failure_of([&] { finished(context, problem, matrix); });
        BOOST_TEST((status == Status::success), i << ": " << message);
    }
}

namespace {

// Returns the moments of a vector, relative to the first, as a GPU computes them from a lattice in single precision.
std::vector<double> moments_in_single(const Lattice& lattice, const Rescaling& rescaling, std::vector<float> x,
                                      int count) {
    const auto sites = static_cast<std::size_t>(lattice.sites());
    const double a = 1 / rescaling.half_width, b = -rescaling.centre / rescaling.half_width;
    std::vector<double> moments(static_cast<std::size_t>(count));
    std::vector<float> y(sites);
    for (std::size_t n = 0; 2 * n < moments.size(); ++n) {
        const double scale = n == 0 ? 1 : 2;
        const auto hop = static_cast<float>(-scale * a * lattice.hopping);
        double xx = 0, yx = 0;
        for (std::size_t site = 0; site < sites; ++site) {
            std::array<float, 3> sums{};
            std::size_t stride = 1;
            for (std::size_t d = 0; d < 3; ++d) {
                const auto extent = static_cast<std::size_t>(lattice.extents[d]), at = site / stride % extent;
                if (extent > 1)
                    sums[d] = x[site + ((at + 1) % extent - at) * stride] +
                              x[site + ((at + extent - 1) % extent - at) * stride];
                stride *= extent;
            }
            const double energy = lattice.energies.empty() ? lattice.energy : lattice.energies[site];
            const auto diagonal = static_cast<float>(scale * a * energy + scale * b);
            const float of_x = hop * (sums[2] + sums[0] + sums[1]) + diagonal * x[site];
            y[site] = n == 0 ? of_x : of_x - y[site];
            xx += double{x[site]} * x[site];
            yx += double{y[site]} * x[site];
        }
        moments[2 * n] = n == 0 ? xx : 2 * xx - moments[0];
        if (2 * n + 1 < moments.size()) moments[2 * n + 1] = n == 0 ? yx : 2 * yx - moments[1];
        std::swap(x, y);
    }
    for (std::size_t n = moments.size(); n-- > 0;) moments[n] /= moments[0];
    return moments;
}

}  // namespace

// Starts from the state at an end of the interval, in single-precision arithmetic. The rounding error of a factor
// recurs in every step. The moments therefore exceed what storing the vectors in single precision explains, but not the
// allowed bound. A state outside is still found.
BOOST_AUTO_TEST_CASE(lattices_in_single) {
    constexpr int count = 400;
    int beyond_storage = 0, found = 0;
    for (int i = 0; i < 60; ++i) {
        Lattice lattice = cubic(4, 0);
        lattice.on_site = OnSite::energies;
        lattice.hopping = 1 + 0.013 * i;
        lattice.energies.resize(64);
        if (i % 2 == 1) draw_energies(cubic(4, 5), 7, static_cast<std::uint64_t>(i), 0, lattice.energies);
        Matrix vectors = dense(matrix_of(lattice, 7, 0));
        const std::vector<double> levels = diagonalise(vectors);
        const Rescaling tight = rescaling_of({levels.front(), levels.back()}, 0);
        const std::size_t end = i % 4 < 2 ? 0 : 63;
        const std::vector<float> start(vectors.column(end), vectors.column(end) + 64);
        const Rounding rounding = rounding_in_single(lattice, tight);
        const std::vector<double> moments = moments_in_single(lattice, tight, start, count);
        for (std::size_t n = 0; n < moments.size(); ++n) {
            const double beyond = std::abs(moments[n]) - 1;
            const auto order = static_cast<std::int64_t>(n);
            BOOST_TEST(beyond <= moment_rounding(tight, rounding.step, order), "moment " << n << " of lattice " << i);
            beyond_storage += beyond > moment_rounding(tight, rounding.stored, order);
        }
        BOOST_TEST(evidence_of_states_outside(moments, 0, tight, rounding, 1 << 20).empty());
        const Rescaling narrow{tight.centre, tight.half_width * (1 - 1e-3)};
        const std::vector<double> outside = moments_in_single(lattice, narrow, start, count);
        found +=
            std::abs(outside.back()) > 1 + moment_rounding(narrow, rounding_in_single(lattice, narrow).step, count - 1);
    }
    BOOST_TEST(beyond_storage > 0);
    BOOST_TEST(found == 60);
}

// A lattice of 48^3 sites, W = 10, in the interval that is two per cent too narrow, and in one that is wide enough.
BOOST_AUTO_TEST_CASE(random_vectors_in_single) {
    Lattice lattice = cubic(48, 10);
    std::vector<double> energies(static_cast<std::size_t>(lattice.sites()));
    draw_energies(lattice, 1, 0, 0, energies);
    lattice.on_site = OnSite::energies;
    lattice.energies = energies;
    for (const auto& [half_width, encloses] : {std::pair{8.165, false}, std::pair{8.35, true}}) {
        const Rescaling rescaling{0, half_width};
        std::mt19937_64 random(1);
        int found = 0;
        for (int vector = 0; vector < 8; ++vector) {
            std::vector<float> start;
            for (std::size_t i = 0; i < energies.size(); ++i) start.push_back(random() % 2 == 0 ? 1.0F : -1.0F);
            found += !evidence_of_states_outside(moments_in_single(lattice, rescaling, start, 64), vector, rescaling,
                                                 rounding_in_single(lattice, rescaling), lattice.sites())
                          .empty();
        }
        BOOST_TEST_MESSAGE("half width " << half_width << ": " << found);
        BOOST_TEST((found == 0) == encloses, half_width);
    }
}

// Checks which steps are computed in single precision.
BOOST_AUTO_TEST_CASE(rounding_of_steps) {
    const Lattice lattice = cubic(4, 1);
    const Hamiltonian hamiltonian = lattice;
    const Rescaling rescaling{0, 7};
    Problem problem;
    const auto step = [&](Backend backend, Format format) {
        return rounding_of(problem, hamiltonian, backend, format, rescaling).step;
    };
    BOOST_TEST(step(Backend::cuda, Format::stencil) == 0.0);
    problem.precision = Precision::single;
    const double stored = std::ldexp(1.0, -24);
    BOOST_TEST(step(Backend::cpu, Format::stencil) == stored);
    BOOST_TEST(step(Backend::cuda, Format::crs) == stored);
    BOOST_TEST(step(Backend::cuda, Format::ell) == stored);
    BOOST_TEST(step(Backend::cuda, Format::stencil) == rounding_in_single(lattice, rescaling).step);
    BOOST_TEST(step(Backend::cuda, Format::stencil) > 10 * stored);
}

// Levels far from zero: the energies are rounded before the centre is subtracted.
BOOST_AUTO_TEST_CASE(a_narrow_band_far_from_zero) {
    Context context = make_context();
    Lattice chain;
    chain.extents = {50, 1, 1};
    chain.energy = 1e6;
    chain.hopping = 1e-4;
    Problem problem;
    problem.margin = 0;
    BOOST_TEST((failure_of([&] { finished(context, problem, chain); }).first == Status::success));
}

// The samples of earlier realisations can be read and saved, and the run remains failed.
BOOST_AUTO_TEST_CASE(what_was_computed_before_is_kept) {
    Context context = make_context();
    Lattice lattice = cubic(4, 0);
    lattice.on_site = OnSite::normal;
    lattice.disorder = 1;
    Problem problem = within(-6.25, 6.25, 64);
    problem.realisations = 100;
    problem.vectors = 2;
    Solver solver(context, problem, prepared(lattice));
    BOOST_TEST((failure_of([&] { solver.run({}); }).first == Status::numerical_error));
    const std::int64_t done = solver.samples_done();
    BOOST_TEST_MESSAGE(done << " samples");
    BOOST_TEST(done >= 2);
    BOOST_TEST(done < solver.samples());
    BOOST_TEST(solver.sample(done - 1)[0] == 1.0);
    BOOST_TEST(std::isfinite(solver.moments().mean[1]));
    for (int again = 0; again < 2; ++again)
        BOOST_TEST((failure_of([&] { solver.advance(); }).first == Status::numerical_error));
    BOOST_TEST((failure_of([&] { solver.require_enclosed(); }).first == Status::numerical_error));
    BOOST_TEST(solver.samples_done() == done);
    const std::filesystem::path path = "enclosure_test.h5";
    solver.save(path);
    const auto resumed = Solver::resume(context, path, prepared(lattice));
    BOOST_TEST(resumed->samples_done() == done);
    resumed->require_enclosed();  // these samples show nothing; the next one does
    BOOST_TEST((failure_of([&] { resumed->advance(); }).first == Status::numerical_error));
    std::filesystem::remove(path);
}
