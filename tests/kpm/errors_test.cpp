// Compares the errors of quantities derived from moments with their deviations from exact values. The quotient (value -
// exact) / error has mean 0 and variance 1.
#define BOOST_TEST_MODULE kpm_errors
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "../chi_square.hpp"
#include "kpm/estimates.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;
using legato::tests::ChiSquare;

namespace {

constexpr int runs = 200;
constexpr double filling = 0.3, temperature = 0.05;

Lattice disordered(std::array<std::int64_t, 3> extents) {
    Lattice lattice;
    lattice.extents = extents;
    lattice.on_site = OnSite::box;
    lattice.disorder = 4;
    return lattice;
}

Spectrum with_moments(const Solver& solver, std::vector<double> moments) {
    return {std::move(moments), solver.rescaling().centre, solver.rescaling().half_width};
}

// Returns the real and imaginary parts of Green's function at three energies, within the band and outside the interval.
std::vector<double> green_of(const Spectrum& spectrum) {
    std::vector<double> parts;
    for (const std::complex<double> g : greens_function(spectrum, std::vector{-2.3, 0.4, 20.0})) {
        parts.push_back(g.real());
        parts.push_back(g.imag());
    }
    return parts;
}
constexpr std::size_t n_green = 5;  // the imaginary part vanishes outside the interval

Estimate green_of(const Solver& solver) {
    return estimate(solver, mean_of_samples, Kernel::jackson, 0, true, [](const Spectrum& s) { return green_of(s); });
}

Estimate potential_of(const Solver& solver) {
    return chemical_potential(solver, mean_of_samples, Kernel::jackson, 0, filling, temperature);
}

// The errors come from `samples` independent values, so the quotient has Student's distribution with variance (samples
// - 1) / (samples - 3). Over 200 runs one standard deviation is 0.07 of the mean and 0.1 of the variance. The test
// allows three and a half.
void check_quotients(const std::string& what, const std::vector<double>& quotients, int samples) {
    const auto count = static_cast<double>(quotients.size());
    const double mean = std::accumulate(quotients.begin(), quotients.end(), 0.0) / count;
    double variance = 0;
    for (const double q : quotients) variance += (q - mean) * (q - mean) / (count - 1);
    variance *= (samples - 3.0) / (samples - 1.0);
    BOOST_TEST_MESSAGE(what << ": mean " << mean << ", variance " << variance);
    BOOST_TEST(std::abs(mean) < 0.25, what);
    BOOST_TEST(variance > 0.65, what);
    BOOST_TEST(variance < 1.35, what);
}

// Quotients of the parts of Green's function and of the chemical potential.
class Quotients {
  public:
    explicit Quotients(int samples) : samples_(samples) {}

    void add(const Solver& solver, const std::vector<double>& exact_moments) {
        const Spectrum exact = with_moments(solver, exact_moments);
        const Estimate green = green_of(solver), potential = potential_of(solver);
        const std::vector<double> exact_green = green_of(exact);
        for (std::size_t i = 0; i < n_green; ++i) all_[i].push_back((green.value[i] - exact_green[i]) / green.error[i]);
        const double mu = chemical_potential(exact, filling, temperature);
        all_[n_green].push_back((potential.value[0] - mu) / potential.error[0]);
        BOOST_TEST(green.value[n_green] == 0.0);
        BOOST_TEST(green.error[n_green] == 0.0);
    }

    void check(const std::string& of) const {
        for (std::size_t i = 0; i < all_.size(); ++i)
            check_quotients(of + (i < n_green ? ", Green's function " + std::to_string(i) : ", chemical potential"),
                            all_[i], samples_);
    }

  private:
    int samples_;
    std::array<std::vector<double>, n_green + 1> all_;
};

}  // namespace

// Compares random vectors with the levels of the single realisation.
// Quantities at many energies, and their errors, have the same bits for any number of threads, wherever an energy is
// among the others.
BOOST_AUTO_TEST_CASE(threads_give_the_same_curves) {
    Problem problem;
    problem.moments = 50;
    problem.vectors = 3;
    problem.realisations = 4;
    std::vector<double> energies, first;
    for (int i = 0; i < 20011; ++i) energies.push_back(-7 + 14 * (i + 0.3) / 20011);
    const auto density = [](const Spectrum& s, std::span<const double> at) { return density_of_states(s, at); };
    const auto green = [](const Spectrum& s, std::span<const double> at) {
        std::vector<double> parts;
        for (const std::complex<double> g : greens_function(s, at)) {
            parts.push_back(g.real());
            parts.push_back(g.imag());
        }
        return parts;
    };
    for (const int threads : {1, 2, 3, 7}) {
        Context context = make_context(threads);
        const auto solver = finished(context, problem, disordered({20, 15, 1}));
        std::vector<double> curves;
        const auto add = [&](const std::function<std::vector<double>(const Spectrum&)>& what) {
            const Estimate found = estimate(*solver, mean_of_samples, Kernel::jackson, 4, true, what);
            curves.insert(curves.end(), found.value.begin(), found.value.end());
            curves.insert(curves.end(), found.error.begin(), found.error.end());
        };
        add([&](const Spectrum& s) { return density(s, energies); });
        add([&](const Spectrum& s) { return green(s, energies); });
        add([&](const Spectrum& s) { return integrated_density(s, energies); });
        if (threads == 1) first = curves;
        BOOST_TEST((curves == first), threads << " threads");
        for (std::size_t i = 0; i < energies.size(); i += 997) {
            curves.clear();
            add([&](const Spectrum& s) { return density(s, std::span(energies).subspan(i, 1)); });
            BOOST_TEST(curves[0] == first[i]);
            BOOST_TEST(curves[1] == first[energies.size() + i]);
        }
    }
}

BOOST_AUTO_TEST_CASE(errors_of_random_vectors) {
    Context context = make_context();
    const Lattice lattice = disordered({5, 5, 4});
    Problem problem;
    problem.moments = 32;
    problem.vectors = 24;
    Quotients quotients(problem.vectors);
    for (problem.seed = 1; problem.seed <= runs; ++problem.seed) {
        const auto solver = finished(context, problem, lattice);
        const std::vector<double> levels = eigenvalues(matrix_of(lattice, static_cast<std::uint64_t>(problem.seed), 0));
        quotients.add(*solver, exact_moments(levels, solver->rescaling(), problem.moments));
    }
    quotients.check("vectors");
}

// Compares few vectors, and local moments, of many realisations with the mean over 20000 other realisations, whose
// error is 0.05 of theirs. Local densities have a skewed distribution, which requires many realisations and few
// moments.
BOOST_AUTO_TEST_CASE(errors_of_realisations) {
    Context context = make_context();
    const Lattice chain = disordered({10, 1, 1});
    Problem problem;
    problem.moments = 16;
    problem.vectors = 2;
    problem.realisations = 60;
    const Rescaling rescaling = Solver(context, problem, prepared(chain)).rescaling();
    constexpr int others = 20000;
    std::vector<double> exact(16);
    for (int s = 0; s < others; ++s) {
        const std::vector<double> of_one = exact_moments(eigenvalues(matrix_of(chain, 999, s)), rescaling, 16);
        for (std::size_t n = 0; n < exact.size(); ++n) exact[n] += of_one[n] / others;
    }
    Quotients of_vectors(problem.realisations), of_site(problem.realisations);
    for (problem.seed = 1; problem.seed <= runs; ++problem.seed) {
        of_vectors.add(*finished(context, problem, chain), exact);
        Problem local = problem;
        local.start_vectors = StartVectors::sites;
        local.sites = {3};  // all sites of a ring are equivalent in the mean
        of_site.add(*finished(context, local, chain), exact);
    }
    of_vectors.check("realisations");
    of_site.check("local moments");
}

// Local moments without disorder are exact. Their errors are 0, and the values are those of the levels.
BOOST_AUTO_TEST_CASE(exact_moments_have_no_errors) {
    Context context = make_context();
    Lattice lattice = disordered({5, 5, 4});
    lattice.disorder = 0;
    const auto solver = finished(context, all_sites(100, 32), lattice);
    const Spectrum exact =
        with_moments(*solver, exact_moments(eigenvalues(matrix_of(lattice, 1, 0)), solver->rescaling(), 32));
    const Estimate green = green_of(*solver), potential = potential_of(*solver);
    BOOST_TEST(largest_difference(green.value, green_of(exact)) < 1e-12);
    BOOST_TEST(std::abs(potential.value[0] - chemical_potential(exact, filling, temperature)) < 1e-11);
    for (const double error : green.error) BOOST_TEST(error == 0.0);
    BOOST_TEST(potential.error[0] == 0.0);
}

// Hoppings alternate between 1 and 0.3, so there are no states between -0.7 and 0.7.
namespace {

CrsMatrix dimerised_chain(std::int32_t sites) {
    CrsMatrix matrix;
    matrix.row_pointers = {0};
    for (std::int32_t i = 0; i < sites; ++i) {
        const double left = i % 2 == 0 ? -0.3 : -1, right = i % 2 == 0 ? -1 : -0.3;
        matrix.columns.insert(matrix.columns.end(), {(i + sites - 1) % sites, (i + 1) % sites});
        matrix.values.insert(matrix.values.end(), {left, right});
        matrix.row_pointers.push_back(2 * i + 2);
    }
    return matrix;
}

}  // namespace

// The chemical potential at half filling lies in the gap, for every number of electrons that the random vectors give.
// Its value lies in the gap, and its error covers the middle of the gap.
BOOST_AUTO_TEST_CASE(chemical_potential_in_a_gap) {
    Context context = make_context();
    const CrsMatrix chain = dimerised_chain(200);
    Problem problem;
    problem.moments = 128;
    int inside = 0, covered = 0;
    double most = 0;
    for (problem.seed = 1; problem.seed <= 200; ++problem.seed) {
        const auto solver = finished(context, problem, chain);
        const Estimate mu = chemical_potential(*solver, mean_of_samples, Kernel::jackson, 0, 0.5, 0);
        inside += std::abs(mu.value[0]) < 0.35;
        covered += std::abs(mu.value[0]) < 3 * mu.error[0];
        most = std::max(most, mu.error[0]);
        BOOST_TEST(mu.error[0] > 0.6 / 4);
        // The value within a band is the one that gives the number of electrons. Its error is the error of this number
        // divided by the density of states.
        const Spectrum mean = spectrum_of(*solver, mean_of_samples, Kernel::jackson, 0);
        const Estimate band = chemical_potential(*solver, mean_of_samples, Kernel::jackson, 0, 0.25, 0);
        BOOST_TEST(band.value[0] == chemical_potential(mean, 0.25, 0));
        BOOST_TEST(band.error[0] < 0.1);
    }
    BOOST_TEST_MESSAGE(inside << " of 200 in the gap, " << covered << " covered, largest error " << most);
    BOOST_TEST(inside >= 199);
    BOOST_TEST(covered == 200);
    BOOST_TEST(most < 0.9);
}

namespace {

// Returns half the width of mu(n - d) .. mu(n + d). Beyond 0 and mu_0 the ends of the interval are used.
double half_width_of(const Spectrum& s, double n, double d) {
    const double low = n - d > 0 ? chemical_potential(s, n - d, 0) : s.centre - s.half_width;
    const double high = n + d < s.moments[0] ? chemical_potential(s, n + d, 0) : s.centre + s.half_width;
    return (high - low) / 2;
}

}  // namespace

// If the error reaches beyond 0 or mu_0, the end of the interval is used.
BOOST_AUTO_TEST_CASE(the_ends_of_the_interval_stand_in) {
    Context context = make_context();
    Problem problem;
    problem.moments = 32;
    problem.vectors = 2;
    problem.start_vectors = StartVectors::gaussian;
    int above = 0, below = 0;
    for (problem.seed = 1; problem.seed <= 20; ++problem.seed) {
        const auto solver = finished(context, problem, disordered({6, 1, 1}));
        const Spectrum mean = spectrum_of(*solver, mean_of_samples, Kernel::jackson, 0);
        for (const double electrons : {0.1 * mean.moments[0], 0.97 * mean.moments[0]}) {
            const double mu = chemical_potential(mean, electrons, 0);
            const double dn = estimate(*solver, mean_of_samples, Kernel::jackson, 0, true, [&](const Spectrum& s) {
                                  return std::vector{electron_number(s, mu, 0)};
                              }).error[0];
            const double first = half_width_of(mean, electrons, dn);
            double expected = first;
            int chosen = 1;
            for (int k = 2; k <= 4; ++k) {
                const double quotient = half_width_of(mean, electrons, k * dn) / k;
                if (quotient > 1.5 * first && quotient > expected) {
                    expected = quotient;
                    chosen = k;
                }
            }
            above += electrons + chosen * dn > mean.moments[0];
            below += electrons - chosen * dn < 0;
            const Estimate found = chemical_potential(*solver, mean_of_samples, Kernel::jackson, 0, electrons, 0);
            BOOST_TEST(std::abs(found.error[0] - expected) < 1e-12);
        }
    }
    BOOST_TEST_MESSAGE("ends: " << above << " above, " << below << " below");
    BOOST_TEST(above > 3);
    BOOST_TEST(below > 3);
}

// The error of the mean of two values is half their difference.
BOOST_AUTO_TEST_CASE(errors_of_two_vectors) {
    Context context = make_context();
    Problem problem;
    problem.moments = 16;
    problem.vectors = 2;
    const auto solver = finished(context, problem, disordered({5, 4, 3}));
    const Moments moments = solver->moments();
    for (std::size_t n = 0; n < 16; ++n) {
        const double half = std::abs(solver->sample(0)[n] - solver->sample(1)[n]) / 2;
        BOOST_TEST(std::abs(moments.error[n] - half) <= 1e-14);
    }
    const auto density = [&](std::int64_t sample) {
        return estimate(*solver, sample, Kernel::jackson, 0, true,
                        [](const Spectrum& s) { return density_of_states(s, std::vector{0.3}); });
    };
    BOOST_TEST(std::abs(density(-1).error[0] - std::abs(density(0).value[0] - density(1).value[0]) / 2) < 1e-14);
    BOOST_TEST(std::isnan(density(0).error[0]));
}

// One vector, or one realisation of the disorder, has no spread.
BOOST_AUTO_TEST_CASE(unknown_errors_are_not_numbers) {
    Context context = make_context();
    Problem problem;
    problem.moments = 8;
    problem.vectors = 1;
    for (const double error : finished(context, problem, disordered({5, 4, 3}))->moments().error)
        BOOST_TEST(std::isnan(error));
    Problem local = all_sites(60, 8);
    const auto solver = finished(context, local, disordered({5, 4, 3}));
    for (const double error : solver->moments().error) BOOST_TEST(std::isnan(error));
    BOOST_TEST(std::isnan(potential_of(*solver).error[0]));
    BOOST_TEST(std::isfinite(potential_of(*solver).value[0]));
    local.realisations = 2;
    for (const double error : finished(context, local, disordered({5, 4, 3}))->moments().error)
        BOOST_TEST(error < 1.0);  // a known error
}

namespace {

constexpr int seeds = 128;

}  // namespace

// Compares few and many vectors with the levels.
BOOST_AUTO_TEST_CASE(errors_by_chi_square) {
    Context context = make_context();
    Lattice lattice = disordered({5, 5, 4});
    std::vector<double> energies(100);
    draw_energies(lattice, 5, 0, 0, energies);
    lattice.on_site = OnSite::energies;
    lattice.energies = energies;
    const std::vector<double> levels = eigenvalues(matrix_of(lattice, 1, 0));
    for (const int vectors : {2, 3, 4, 16}) {
        const std::string of = std::to_string(vectors) + " vectors: ";
        const int freedom = vectors - 1;
        ChiSquare moment(of + "mu_2", freedom), density(of + "density", freedom), states(of + "states", freedom),
            number(of + "electrons", freedom), potential(of + "chemical potential", freedom);
        Problem problem;
        problem.moments = 32;
        problem.vectors = vectors;
        for (problem.seed = 1; problem.seed <= seeds; ++problem.seed) {
            const auto solver = finished(context, problem, lattice);
            const std::vector<double> exact = exact_moments(levels, solver->rescaling(), problem.moments);
            const Spectrum s = with_moments(*solver, exact);
            const Moments moments = solver->moments();
            moment.add(moments.mean[2] - exact[2], moments.error[2]);
            const auto add = [&](ChiSquare& to, const auto& what) {
                const Estimate e = estimate(*solver, mean_of_samples, Kernel::jackson, 0, true, what);
                to.add(e.value[0] - what(s)[0], e.error[0]);
            };
            add(density, [](const Spectrum& t) { return density_of_states(t, std::vector{-1.0}); });
            add(states, [](const Spectrum& t) { return integrated_density(t, std::vector{1.0}); });
            add(number, [](const Spectrum& t) { return std::vector{electron_number(t, -2, temperature)}; });
            const Estimate mu = potential_of(*solver);
            potential.add(mu.value[0] - chemical_potential(s, filling, temperature), mu.error[0]);
        }
        for (const ChiSquare* c : {&moment, &density, &states, &number, &potential}) c->check();
    }
}

// Compares few realisations, and local moments of one site in many realisations, with <E^2> = 2 + W^2 / 12 of a chain.
BOOST_AUTO_TEST_CASE(errors_of_realisations_by_chi_square) {
    Context context = make_context();
    const Lattice chain = disordered({100, 1, 1});
    for (const int realisations : {2, 4, 64}) {
        ChiSquare of_vectors(std::to_string(realisations) + " realisations", realisations - 1);
        ChiSquare of_site(std::to_string(realisations) + " realisations of a site", realisations - 1);
        Problem problem;
        problem.moments = 4;
        problem.vectors = 2;
        problem.realisations = realisations;
        for (problem.seed = 1; problem.seed <= seeds; ++problem.seed) {
            Problem local = problem;
            local.start_vectors = StartVectors::sites;
            local.sites = {17};
            const auto add = [&](ChiSquare& to, const Solver& solver) {
                const double half_width = solver.rescaling().half_width;
                const Moments moments = solver.moments();
                to.add(moments.mean[2] - (2 * (2 + 16 / 12.0) / (half_width * half_width) - 1), moments.error[2]);
            };
            add(of_vectors, *finished(context, problem, chain));
            // Values of single sites are uniformly distributed; the mean of 64 of them is normally distributed.
            if (realisations == 64) add(of_site, *finished(context, local, chain));
        }
        of_vectors.check();
        if (realisations == 64) of_site.check();
    }
}
