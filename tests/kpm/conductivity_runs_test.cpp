// Tests conductivities of computations with random vectors against exact traces: their values, and their errors.
#define BOOST_TEST_MODULE kpm_conductivity_runs
#include <boost/test/unit_test.hpp>

#include "eigenstates.hpp"
#include "kpm/estimates.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Function = std::function<std::vector<double>(const DoubleSpectrum&)>;

// Haldane's model with an energy of its own for each site.
CellLattice crystal() {
    CellLattice lattice = haldane(6, 7, 0.2, pi / 2, 0);
    lattice.on_site = OnSite::energies;
    for (std::int64_t s = 0; s < lattice.sites(); ++s)
        lattice.site_energies.push_back(0.7 * std::sin(static_cast<double>(s * s)));
    return lattice;
}

OperatorsOfCorrelation velocities_of(const CellLattice& lattice) {
    return {prepared(lattice), prepared(velocity_of(lattice, {1, 0, 0})), prepared(velocity_of(lattice, {0, 1, 0}))};
}

Hermitian dense_of(const Hamiltonian& hamiltonian) {
    return dense_complex(matrix_of(hamiltonian, 1, 0, 1));
}

std::unique_ptr<Correlation> finished_run(Context& context, const Problem& problem, const CellLattice& lattice,
                                          const StartVectorSource& source = {}) {
    auto run = std::make_unique<Correlation>(context, problem, velocities_of(lattice), source);
    while (!run->advance()) {
    }
    return run;
}

// One value of each conductivity.
const std::vector<std::pair<const char*, Function>> quantities{
    {"greenwood", [](const DoubleSpectrum& s) { return greenwood(s, std::vector{1.1}, 0); }},
    {"warm greenwood", [](const DoubleSpectrum& s) { return greenwood(s, std::vector{1.1}, 0.1); }},
    {"hall", [](const DoubleSpectrum& s) { return hall(s, std::vector{0.0}, 0); }},
    {"warm hall", [](const DoubleSpectrum& s) { return hall(s, std::vector{0.5}, 0.1); }},
    {"bastin", [](const DoubleSpectrum& s) { return bastin(s, std::vector{-1.3}, 0); }},
    {"optical", [](const DoubleSpectrum& s) { return optical(s, std::vector{0.8}, 0.3, 0.05); }},
};

}  // namespace

// With all unit vectors as start vectors, a computation gives the exact trace.
BOOST_AUTO_TEST_CASE(vectors_of_all_sites_give_exact_conductivities) {
    Context context = make_context(2);
    const CellLattice lattice = crystal();
    const OperatorsOfCorrelation v = velocities_of(lattice);
    const Response response(dense_of(lattice), dense_of(*v.a), dense_of(*v.b));
    Problem problem;
    problem.moments = 48;
    problem.vectors = static_cast<int>(lattice.sites());
    problem.start_vectors = StartVectors::caller;
    const auto run = finished_run(context, problem, lattice, [](std::int64_t sample, std::span<double> vector) {
        std::fill(vector.begin(), vector.end(), 0.0);
        vector[2 * static_cast<std::size_t>(sample)] = std::sqrt(static_cast<double>(vector.size()) / 2);
    });
    for (const Kernel kernel : {Kernel::jackson, Kernel::dirichlet}) {
        const DoubleSpectrum exact = response.spectrum(48, run->rescaling(), kernel);
        for (const auto& [name, what] : quantities) {
            const Estimate found = estimate(*run, kernel, 4, false, what);
            BOOST_TEST(std::abs(found.value[0] - what(exact)[0]) < 1e-11, name);
            BOOST_TEST(found.error.empty());
        }
    }
}

// The squared pulls of 64 seeds, in units of the error of each run, have the sum of a chi-squared variable with 64
// degrees of freedom. Its 99 % interval is 38.6 .. 96.9. With 48 vectors the distribution of the pulls is close to a
// normal one, with a variance of 47 / 45.
BOOST_AUTO_TEST_CASE(errors_are_standard_errors) {
    Context context = make_context(2);
    for (const bool random : {false, true}) {
        CellLattice lattice = crystal();
        Problem problem;
        problem.moments = 24;
        problem.start_vectors = StartVectors::phase;
        problem.vectors = 48;
        problem.bounds = Bounds::interval;
        problem.lowest = -4.5;
        problem.highest = 4.5;
        // The exact mean over the disorder is that of many realisations, with errors that are much smaller.
        std::vector<double> exact(quantities.size()), variance(quantities.size());
        if (random) {
            lattice.on_site = OnSite::box;
            lattice.disorder = 1.5;
            lattice.site_energies.clear();
            problem.realisations = 48;
            problem.vectors = 1;
            Problem reference = problem;
            reference.realisations = 4000;
            reference.vectors = 2;
            reference.seed = 77;
            const auto run = finished_run(context, reference, lattice);
            for (std::size_t q = 0; q < exact.size(); ++q) {
                const Estimate found = estimate(*run, Kernel::jackson, 4, true, quantities[q].second);
                exact[q] = found.value[0];
                variance[q] = found.error[0] * found.error[0];
            }
        } else {
            const OperatorsOfCorrelation v = velocities_of(lattice);
            const Response response(dense_of(lattice), dense_of(*v.a), dense_of(*v.b));
            for (std::size_t q = 0; q < exact.size(); ++q)
                exact[q] = quantities[q].second(
                    response.spectrum(24, rescaling_of({-4.5, 4.5}, problem.margin), Kernel::jackson))[0];
        }
        std::vector<double> squares(quantities.size());
        for (int seed = 1; seed <= 64; ++seed) {
            problem.seed = seed;
            const auto run = finished_run(context, problem, lattice);
            for (std::size_t q = 0; q < exact.size(); ++q) {
                const Estimate found = estimate(*run, Kernel::jackson, 4, true, quantities[q].second);
                const double deviation = found.value[0] - exact[q];
                squares[q] += deviation * deviation / (found.error[0] * found.error[0] + variance[q]);
            }
        }
        for (std::size_t q = 0; q < exact.size(); ++q) {
            BOOST_TEST_MESSAGE(quantities[q].first << (random ? " with" : " without") << " disorder: mean-square pull "
                                                   << squares[q] / 64);
            BOOST_TEST(squares[q] > 38.6, quantities[q].first);
            BOOST_TEST(squares[q] < 96.9 * 47 / 45, quantities[q].first);
        }
    }
}

BOOST_AUTO_TEST_CASE(unknown_errors_and_refusals) {
    Context context = make_context();
    Problem problem;
    problem.moments = 8;
    problem.vectors = 1;
    const Function what = quantities[0].second;
    Correlation fresh(context, problem, velocities_of(crystal()));
    const auto [status, text] = failure_of([&] { estimate(fresh, Kernel::jackson, 4, true, what); });
    BOOST_TEST(static_cast<int>(status) == static_cast<int>(Status::invalid_argument));
    BOOST_TEST(text.find("no sample is finished") != std::string::npos);
    const auto run = finished_run(context, problem, crystal());
    const Estimate single = estimate(*run, Kernel::jackson, 4, true, what);
    BOOST_TEST(std::isfinite(single.value[0]));
    BOOST_TEST(std::isnan(single.error[0]));
}

BOOST_AUTO_TEST_CASE(a_callback_can_stop_an_estimate) {
    Context context = make_context();
    Problem problem;
    problem.moments = 32;
    problem.vectors = 2;
    const auto run = finished_run(context, problem, crystal());
    std::int64_t total = 0;
    run->report_estimates([&](const Progress& progress) {
        total = progress.points_total;
        return false;
    });
    const std::vector<double> frequencies(200000, 0.5);
    const auto [status, text] = failure_of([&] {
        estimate(*run, Kernel::jackson, 4, true,
                 [&](const DoubleSpectrum& s) { return optical(s, frequencies, 0.3, 0.0); });
    });
    BOOST_TEST(static_cast<int>(status) == static_cast<int>(Status::cancelled), text);
    BOOST_TEST(total == 3);
}

// More samples would change which ones are independent, while their spread is computed.
BOOST_AUTO_TEST_CASE(a_run_cannot_continue_within_an_estimate) {
    Context context = make_context();
    Problem problem;
    problem.moments = 8;
    problem.vectors = 4;
    problem.realisations = 2;
    CellLattice lattice = crystal();
    lattice.on_site = OnSite::box;
    lattice.disorder = 1;
    Correlation run(context, problem, velocities_of(lattice));
    while (run.samples_done() < 4) run.advance();
    std::string text;
    const auto what = [&](const DoubleSpectrum& s) {
        text = failure_of([&] { run.advance(); }).second;
        return std::vector{s.moments[1].real()};
    };
    BOOST_TEST(std::isfinite(estimate(run, Kernel::jackson, 4, true, what).error[0]));
    BOOST_TEST(text == "kpm.correlation.advance: a callback cannot continue the run that calls it");
    BOOST_TEST(run.samples_done() == 4);
    run.run({});
    BOOST_TEST(run.complete());
}
