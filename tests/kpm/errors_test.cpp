// The errors of what follows from moments, against how far it is from exact values: (value - exact) / error has mean 0
// and variance 1.
#define BOOST_TEST_MODULE kpm_errors
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "kpm/estimates.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

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

// Green's function at three energies, within the band and beyond the interval, real and imaginary parts.
std::vector<double> green_of(const Spectrum& spectrum) {
    std::vector<double> parts;
    for (const std::complex<double> g : greens_function(spectrum, std::vector{-2.3, 0.4, 20.0})) {
        parts.push_back(g.real());
        parts.push_back(g.imag());
    }
    return parts;
}
constexpr std::size_t n_green = 5;  // beyond the interval there is no imaginary part

Estimate green_of(const Solver& solver) {
    return estimate(solver, mean_of_samples, Kernel::jackson, 0, true, [](const Spectrum& s) { return green_of(s); });
}

Estimate potential_of(const Solver& solver) {
    return chemical_potential(solver, mean_of_samples, Kernel::jackson, 0, filling, temperature, true);
}

// The errors are of `samples` independent values, so that the quotient has Student's distribution, of variance
// (samples - 1) / (samples - 3). Over 200 runs the mean is within 0.07 and the variance within 0.1 of theirs, one
// standard deviation; three and a half are allowed.
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

// Random vectors against the levels of the one realisation.
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

// Few vectors and local moments of many realisations against the mean over 20000 other ones, whose error is 0.05 of
// theirs. Local densities are skew: hence so many realisations, and so few moments.
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
        local.sites = {3};  // of a ring all sites are alike in the mean
        of_site.add(*finished(context, local, chain), exact);
    }
    of_vectors.check("realisations");
    of_site.check("local moments");
}

// Local moments without disorder are exact: no errors, and the values are those of the levels.
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

// Two bands, half filled: where the number that is wanted is within its error, in two thirds of all runs, the chemical
// potential may be anywhere in the gap, and the error tells its width.
BOOST_AUTO_TEST_CASE(chemical_potential_in_a_gap) {
    Context context = make_context();
    Lattice bands;
    bands.extents = {100, 1, 1};
    bands.on_site = OnSite::given;
    for (int i = 0; i < 100; ++i) bands.energies.push_back(i % 2 == 0 ? -5 : 5);
    Problem problem;
    problem.moments = 128;
    int wide = 0;
    for (problem.seed = 1; problem.seed <= 100; ++problem.seed) {
        const auto solver = finished(context, problem, bands);
        const auto error_of = [&](double electrons) {
            return chemical_potential(*solver, mean_of_samples, Kernel::jackson, 0, electrons, 0, true).error[0];
        };
        const double error = error_of(0.5);
        BOOST_TEST(error < 5.2);
        wide += error > 4.6;
        BOOST_TEST(error_of(0.25) < 0.1);
        // Nearly all states: the interval's end stands in.
        BOOST_TEST(std::isfinite(error_of(1 - 1e-9)));
    }
    BOOST_TEST_MESSAGE(wide << " of 100 errors as wide as the gap");
    BOOST_TEST(wide > 50);
    BOOST_TEST(wide < 82);
}
