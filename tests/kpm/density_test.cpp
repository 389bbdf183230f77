// Tests densities of states of the cubic lattice, clean and disordered: acceptance tests K2 and K3.
#define BOOST_TEST_MODULE kpm_density
#include <boost/test/unit_test.hpp>
#include <numbers>

#include "kpm/spectrum.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

Lattice cubic(std::int64_t extent, double disorder) {
    Lattice lattice;
    lattice.extents = {extent, extent, extent};
    lattice.on_site = disorder > 0 ? OnSite::box : OnSite::constant;
    lattice.disorder = disorder;
    return lattice;
}

Spectrum spectrum_of(const Solver& solver, std::span<const double> values) {
    return {{values.begin(), values.end()}, solver.rescaling().centre, solver.rescaling().half_width, Kernel::jackson};
}

double at_zero(const Solver& solver) {
    return density_of_states(spectrum_of(solver, solver.moments().mean), std::vector{0.0})[0];
}

// Returns the mean and the standard error of `value` over all samples.
template <class Value>
std::pair<double, double> over_samples(const Solver& solver, const Value& value) {
    const auto count = static_cast<double>(solver.samples_done());
    std::vector<double> all;
    for (std::int64_t i = 0; i < solver.samples_done(); ++i) all.push_back(value(solver.sample(i)));
    const double mean = std::accumulate(all.begin(), all.end(), 0.0) / count;
    double sum = 0;
    for (const double v : all) sum += (v - mean) * (v - mean);
    return {mean, std::sqrt(sum / (count * (count - 1)))};
}

}  // namespace

// All sites of a clean periodic lattice are equivalent. The local moments of one site are therefore the trace, without
// noise. The infinite lattice has rho(0) = 0.1426730, and the smoothed density of the finite one is 0.142665.
BOOST_AUTO_TEST_CASE(clean_lattice_exactly) {
    Context context = make_context(2);
    Problem problem;
    problem.start_vectors = StartVectors::sites;
    problem.sites = {12345};
    BOOST_TEST(std::abs(at_zero(*finished(context, problem, cubic(128, 0))) - 0.142665) < 2e-6);
}

// Acceptance test K2.
BOOST_AUTO_TEST_CASE(clean_lattice_by_random_vectors) {
    Context context = make_context(2);
    Problem problem;
    problem.vectors = 48;
    const auto solver = finished(context, problem, cubic(128, 0));
    BOOST_TEST(std::abs(at_zero(*solver) - 0.14267) < 0.003 * 0.14267);
    // E is half_width e; e^2 is (T_2 + 1) / 2, and e^4 is (T_4 + 4 T_2 + 3) / 8.
    const double w2 = solver->rescaling().half_width * solver->rescaling().half_width;
    const auto [second, error2] = over_samples(*solver, [&](auto mu) { return w2 * (mu[2] + mu[0]) / 2; });
    const auto [fourth, error4] =
        over_samples(*solver, [&](auto mu) { return w2 * w2 * (mu[4] + 4 * mu[2] + 3 * mu[0]) / 8; });
    BOOST_TEST_MESSAGE("E^2 " << second << " +- " << error2 << ", E^4 " << fourth << " +- " << error4 << ", rho(0) "
                              << at_zero(*solver));
    BOOST_TEST(std::abs(second - 6) < 3 * error2);
    BOOST_TEST(std::abs(fourth - 90) < 3 * error4);
    BOOST_TEST(error4 < 0.2);
}

// Acceptance test K3: W = 16.5 on 32^3. The density averaged over the disorder is symmetric.
BOOST_AUTO_TEST_CASE(box_disorder) {
    Context context = make_context(2);
    Problem problem;
    problem.vectors = 4;
    problem.realisations = 16;
    problem.moments = 128;
    const auto solver = finished(context, problem, cubic(32, 16.5));
    const Moments moments = solver->moments();
    const auto [centre, half_width] = solver->rescaling();
    const Curve curve = density_at_nodes(spectrum_of(*solver, moments.mean), 512);
    double integral = 0;
    for (std::size_t i = 0; i < 512; ++i) {
        const double e = (curve.energies[i] - centre) / half_width;
        integral += curve.density[i] * std::numbers::pi / 512 * half_width * std::sqrt((1 - e) * (1 + e));
    }
    BOOST_TEST(std::abs(integral - 1) < 1e-10);
    // Odd moments vanish within their errors, which come from 16 realisations. Chi-square uses the low moments, which
    // are independent enough; each error has 15 degrees of freedom.
    double chi2 = 0;
    for (std::size_t n = 1; n < 40; n += 2) {
        BOOST_TEST(std::abs(moments.mean[n]) < 5 * moments.error[n]);
        chi2 += moments.mean[n] * moments.mean[n] / (moments.error[n] * moments.error[n]);
    }
    BOOST_TEST(chi2 / 20 > 0.3);
    BOOST_TEST(chi2 / 20 < 2.2);
}

// Acceptance test K3: compares the density of 20 disordered lattices with their levels. The energies are further apart
// than the kernel is wide.
BOOST_AUTO_TEST_CASE(against_exact_diagonalisation) {
    Context context = make_context(2);
    const std::vector<double> energies{-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10};
    double chi2 = 0;
    int count = 0;
    for (std::int64_t seed = 1; seed <= 20; ++seed) {
        Problem problem;
        problem.vectors = 128;
        problem.moments = 48;
        problem.seed = seed;
        const Lattice lattice = cubic(8, 16.5);
        const auto solver = finished(context, problem, lattice);
        const std::vector<double> levels = eigenvalues(matrix_of(lattice, static_cast<std::uint64_t>(seed), 0));
        const std::vector<double> expected = density_of_states(
            spectrum_of(*solver, exact_moments(levels, solver->rescaling(), problem.moments)), energies);
        for (std::size_t i = 0; i < energies.size(); ++i) {
            const auto [density, error] = over_samples(*solver, [&](auto mu) {
                return density_of_states(spectrum_of(*solver, mu), std::span(energies).subspan(i, 1))[0];
            });
            chi2 += (density - expected[i]) * (density - expected[i]) / (error * error);
            ++count;
        }
    }
    BOOST_TEST_MESSAGE("chi-square per degree of freedom " << chi2 / count);
    BOOST_TEST(chi2 / count > 0.7);
    BOOST_TEST(chi2 / count < 1.4);
}
