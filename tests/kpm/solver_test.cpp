// Tests blocks, threads, bounds, errors, saving and resuming, and stopping.
#define BOOST_TEST_MODULE kpm_solver
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "kpm/estimates.hpp"
#include "kpm/start_vectors.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

Lattice disordered(std::array<std::int64_t, 3> extents, OnSite on_site = OnSite::box) {
    Lattice lattice;
    lattice.extents = extents;
    lattice.on_site = on_site;
    lattice.disorder = 5;
    return lattice;
}

std::vector<double> all_samples(const Solver& solver) {
    std::vector<double> all;
    for (std::int64_t i = 0; i < solver.samples_done(); ++i)
        all.insert(all.end(), solver.sample(i).begin(), solver.sample(i).end());
    return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0);
}

CrsMatrix some_matrix(std::int32_t rows) {
    std::mt19937_64 random(11);
    return random_matrix(random, rows, 5);
}

}  // namespace

// A source returns the library's own vectors. Results are bitwise identical, and each vector is asked for once.
BOOST_AUTO_TEST_CASE(given_start_vectors) {
    for (const Hamiltonian& hamiltonian : {Hamiltonian{disordered({13, 7, 5})}, Hamiltonian{some_matrix(1503)}})
        for (const int width : {1, 5, 16}) {
            Problem problem;
            problem.moments = 9;
            problem.vectors = 7;
            problem.realisations = 2;
            problem.block_width = width;
            problem.start_vectors = StartVectors::gaussian;
            Context context = make_context(2);
            const std::vector<double> expected = all_samples(*finished(context, problem, hamiltonian));
            problem.start_vectors = StartVectors::caller;
            std::vector<std::int64_t> asked;
            const auto seed = static_cast<std::uint64_t>(problem.seed);
            Solver solver(context, problem, prepared(hamiltonian), [&](std::int64_t sample, std::span<double> vector) {
                asked.push_back(sample);
                for (std::size_t i = 0; i < vector.size(); ++i)
                    vector[i] = start_element(StartVectors::gaussian, seed, static_cast<std::uint64_t>(sample), i);
            });
            solver.run({});
            BOOST_TEST(same_bits(all_samples(solver), expected), "width " << width);
            std::vector<std::int64_t> all(14);
            std::iota(all.begin(), all.end(), std::int64_t{0});
            BOOST_TEST(asked == all);
        }
}

// Results are bitwise identical for every number of threads and every block width, odd ones included. A vector does not
// depend on the others in its block.
BOOST_AUTO_TEST_CASE(threads_and_blocks_do_not_matter) {
    const std::vector<Hamiltonian> hamiltonians{disordered({37, 23, 11}), disordered({300, 41, 1}),
                                                disordered({20011, 1, 1}), disordered({4, 5, 700}, OnSite::normal),
                                                some_matrix(5003)};
    for (const Hamiltonian& hamiltonian : hamiltonians)
        for (const Format format : {Format::auto_, Format::ell}) {
            Problem problem;
            problem.moments = 7;
            problem.vectors = 67;
            problem.format = format;
            problem.start_vectors = format == Format::ell ? StartVectors::gaussian : StartVectors::sign;
            std::vector<double> expected;
            for (const auto& [threads, width] : std::vector<std::pair<int, int>>{
                     {1, 1}, {2, 2}, {3, 7}, {2, 16}, {1, 23}, {2, 32}, {5, 61}, {1, 64}}) {
                Context context = make_context(threads);
                problem.block_width = width;
                const std::vector<double> found = all_samples(*finished(context, problem, hamiltonian));
                if (expected.empty()) expected = found;
                BOOST_TEST(same_bits(found, expected), "threads " << threads << ", width " << width);
            }
        }
}

// CRS and ELL add the elements of a row in the same order. Lattice rows are longer than a chunk, or many of them fit in
// one.
BOOST_AUTO_TEST_CASE(formats_agree) {
    Context context = make_context(2);
    Problem problem;
    problem.vectors = 3;
    problem.realisations = 2;
    int number = 0;
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{
             {12, 9, 10}, {1500, 7, 3}, {2100, 1, 1}, {3, 1100, 2}, {1025, 1, 2}, {1, 1030, 4}, {2, 3, 900}}) {
        Lattice lattice = disordered(extents);
        for (std::size_t d = 0; d < 3; ++d)
            lattice.boundary[d] = (number++) % 2 == 0 ? Boundary::periodic : Boundary::hard_wall;
        std::vector<std::vector<double>> found;
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            problem.format = format;
            found.push_back(all_samples(*finished(context, problem, lattice)));
        }
        BOOST_TEST(same_bits(found[1], found[2]));
        BOOST_TEST(largest_difference(found[0], found[1]) < 1e-12);
    }
}

// Random vectors have unit variance, and they all differ.
BOOST_AUTO_TEST_CASE(start_vectors) {
    Context context = make_context(2);
    for (const StartVectors kind : {StartVectors::sign, StartVectors::gaussian, StartVectors::uniform}) {
        Problem problem;
        problem.start_vectors = kind;
        problem.vectors = 64;
        problem.realisations = 2;
        problem.moments = 16;
        const auto solver = finished(context, problem, disordered({16, 16, 16}));
        const Moments moments = solver->moments();
        BOOST_TEST(moments.samples == 128);
        if (kind == StartVectors::sign) {
            BOOST_TEST(moments.mean[0] == 1.0);
            BOOST_TEST(moments.error[0] == 0.0);
        } else {
            // The variance of x^2 is 2 or 4/5 for each of 4096 sites.
            const double sigma = std::sqrt((kind == StartVectors::gaussian ? 2.0 : 0.8) / 4096 / 128);
            BOOST_TEST(std::abs(moments.mean[0] - 1) < 4 * sigma);
        }
        std::vector<double> second;
        for (std::int64_t i = 0; i < 128; ++i) second.push_back(solver->sample(i)[2]);
        std::sort(second.begin(), second.end());
        BOOST_TEST((std::adjacent_find(second.begin(), second.end()) == second.end()));
    }
}

// The errors are those of the mean. Estimated from the samples of one run, they agree with the spread over many runs.
BOOST_AUTO_TEST_CASE(errors_are_the_spread_of_means) {
    Context context = make_context(2);
    const int runs = 150;
    for (const int realisations : {1, 6}) {
        std::vector<double> means, variances;
        for (int run = 0; run < runs; ++run) {
            Problem problem;
            problem.moments = 6;
            problem.vectors = realisations == 1 ? 8 : 2;
            problem.realisations = realisations;
            problem.seed = run;
            Lattice lattice = disordered({10, 10, 1});
            if (realisations == 1) lattice.disorder = 0;
            const Moments moments = finished(context, problem, lattice)->moments();
            means.push_back(moments.mean[2]);
            variances.push_back(moments.error[2] * moments.error[2]);
        }
        const double mean = std::accumulate(means.begin(), means.end(), 0.0) / runs;
        double spread = 0;
        for (const double m : means) spread += (m - mean) * (m - mean) / (runs - 1);
        const double estimated = std::accumulate(variances.begin(), variances.end(), 0.0) / runs;
        // The relative error of a variance from 150 numbers is 0.12.
        BOOST_TEST(spread / estimated > 0.6);
        BOOST_TEST(spread / estimated < 1.5);
    }
}

BOOST_AUTO_TEST_CASE(lanczos_bounds_enclose_the_spectrum) {
    Context context = make_context();
    std::mt19937_64 random(5);
    int tighter = 0, count = 0;
    const auto check = [&](const Hamiltonian& hamiltonian, const CrsMatrix& matrix, int steps) {
        Problem problem;
        problem.vectors = 1;
        problem.margin = 0;
        const Rescaling outer = Solver(context, problem, prepared(hamiltonian)).rescaling();
        problem.bounds = Bounds::lanczos;
        problem.lanczos_steps = steps;
        const Rescaling inner = Solver(context, problem, prepared(hamiltonian)).rescaling();
        const std::vector<double> energies = eigenvalues(matrix);
        BOOST_TEST(inner.centre - inner.half_width <= energies.front() + 1e-12 * outer.half_width);
        BOOST_TEST(inner.centre + inner.half_width >= energies.back() - 1e-12 * outer.half_width);
        BOOST_TEST(inner.half_width <= outer.half_width * (1 + 1e-14));
        tighter += inner.half_width < 0.99 * outer.half_width;
        ++count;
    };
    for (int i = 0; i < 60; ++i) {
        const CrsMatrix matrix = random_matrix(random, 20 + 7 * i, 2 + i % 7);
        check(matrix, matrix, 60);
        check(matrix, matrix, 10 + 10 * (i % 12));
    }
    for (int i = 0; i < 20; ++i) {
        Lattice lattice = disordered({6, 5, 4 + i % 5}, i % 2 ? OnSite::box : OnSite::normal);
        lattice.disorder = 1 + i;
        check(lattice, matrix_of(lattice, 1, 0), 60);
    }
    BOOST_TEST(count == 140);
    BOOST_TEST(tighter >= 120);
}

// The bounds enclose the spectra of all realisations, not only of the first.
BOOST_AUTO_TEST_CASE(bounds_of_all_realisations) {
    Context context = make_context();
    for (const Bounds method : {Bounds::gershgorin, Bounds::lanczos})
        for (const OnSite on_site : {OnSite::box, OnSite::normal}) {
            Problem problem;
            problem.vectors = 1;
            problem.realisations = 25;
            problem.bounds = method;
            problem.margin = 0;
            const Lattice lattice = disordered({5, 5, 5}, on_site);
            const Rescaling rescaling = Solver(context, problem, prepared(lattice)).rescaling();
            for (std::int64_t s = 0; s < 25; ++s) {
                const std::vector<double> energies = eigenvalues(matrix_of(lattice, 1, s));
                BOOST_TEST(rescaling.centre - rescaling.half_width <= energies.front());
                BOOST_TEST(rescaling.centre + rescaling.half_width >= energies.back());
            }
        }
}

// The extremes of normal disorder are those of all energies drawn.
BOOST_AUTO_TEST_CASE(bounds_of_normal_disorder) {
    Lattice lattice = disordered({1, 40009, 1}, OnSite::normal);
    lattice.energy = -0.3;
    double lowest = 0, highest = 0;
    std::vector<double> energies(40009);
    for (std::int64_t realisation = 0; realisation < 3; ++realisation) {
        draw_energies(lattice, 7, realisation, 0, energies);
        lowest = std::min(lowest, *std::min_element(energies.begin(), energies.end()));
        highest = std::max(highest, *std::max_element(energies.begin(), energies.end()));
    }
    for (const int threads : {1, 3}) {
        const Interval found = gershgorin_bounds(lattice, 7, 3, threads);
        BOOST_TEST(std::abs(found.lowest - (lowest - 2)) < 1e-13);
        BOOST_TEST(std::abs(found.highest - (highest + 2)) < 1e-13);
    }
}

// The spectrum is a single point, or the matrix is zero.
BOOST_AUTO_TEST_CASE(spectra_of_one_level) {
    Context context = make_context();
    for (const double energy : {0.0, 3.0, -1e6}) {
        Lattice one;
        one.extents = {1, 1, 1};
        one.energy = energy;
        for (const Bounds method : {Bounds::gershgorin, Bounds::lanczos}) {
            Problem problem;
            problem.bounds = method;
            const auto solver = finished(context, problem, one);
            const Moments moments = solver->moments();
            BOOST_TEST(std::isfinite(solver->rescaling().half_width));
            for (std::size_t n = 0; n < moments.mean.size(); ++n)
                BOOST_TEST(std::abs(moments.mean[n] - (n % 2 ? 0 : n % 4 ? -1 : 1)) < 1e-9);
        }
    }
    CrsMatrix zero;
    zero.row_pointers = {0, 0, 0, 0};
    for (const Format format : {Format::crs, Format::ell}) {
        Problem problem;
        problem.format = format;
        BOOST_TEST(finished(context, problem, zero)->moments().mean[2] == -1.0);
    }
}

// A narrow band far from zero keeps its own width: <E~^2> is 2 hopping^2 / half_width^2.
BOOST_AUTO_TEST_CASE(narrow_band) {
    Context context = make_context();
    Lattice ring;
    ring.extents = {100, 1, 1};
    ring.energy = 1e5;
    ring.hopping = 1e-3;
    const auto solver = finished(context, all_sites(100, 8), ring);
    const double half_width = solver->rescaling().half_width;
    BOOST_TEST(std::abs(half_width - 2.02e-3) < 1e-9);
    BOOST_TEST(std::abs(solver->moments().mean[2] - (2 * 2e-6 / (half_width * half_width) - 1)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(bounds_that_are_too_tight) {
    Context context = make_context();
    Problem problem;
    problem.bounds = Bounds::interval;
    problem.margin = 0;
    problem.moments = 1000;
    for (const double reach : {6.0, 3.0, 0.01, 1e-90}) {
        problem.lowest = -reach;
        problem.highest = reach;
        Solver solver(context, problem, prepared(disordered({16, 16, 16})));
        const auto [status, message] = failure_of([&] { solver.run({}); });
        BOOST_TEST((status == Status::numerical_error));
        BOOST_TEST(message.starts_with("kpm.params.lowest, kpm.params.highest: the bounds "));
        BOOST_TEST(message.find("do not enclose the spectrum") != std::string::npos);
        BOOST_TEST(solver.samples_done() == 0);
        for (const double m : solver.moments().mean) BOOST_TEST(m == 0.0);
    }
}

// The largest elements still give finite moments, errors and derived results; larger ones are refused.
BOOST_AUTO_TEST_CASE(large_start_vectors) {
    Context context = make_context();
    Problem problem;
    problem.start_vectors = StartVectors::caller;
    problem.vectors = 3;
    double size = max_start_element;
    const auto run = [&] {
        auto solver = std::make_unique<Solver>(context, problem, prepared(disordered({5, 5, 5})),
                                               [&](std::int64_t sample, std::span<double> vector) {
                                                   std::fill(vector.begin(), vector.end(), -size);
                                                   vector[0] = static_cast<double>(sample);
                                               });
        solver->run({});
        return solver;
    };
    const auto solver = run();
    for (const double error : solver->moments().error) BOOST_TEST(std::isfinite(error));
    for (const double density : estimate(*solver, mean_of_samples, Kernel::jackson, 4, true, [](const Spectrum& s) {
                                    return density_of_states(s, std::vector{0.0, 3.0});
                                }).value)
        BOOST_TEST(std::isfinite(density));
    size *= 1.01;
    BOOST_TEST(failure_of(run).second == "kpm.start_vector[1] of sample 0: -1.01e+40 is not in [-1e+40, 1e+40]");
}

BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_solver_test.h5";
    for (const Hamiltonian& hamiltonian : std::vector<Hamiltonian>{disordered({9, 8, 7}), some_matrix(400)})
        for (const bool local : {false, true}) {
            Context context = make_context(2);
            Problem problem = local ? all_sites(23, 40) : Problem{};
            problem.vectors = 11;
            problem.realisations = 3;
            problem.block_width = 4;
            problem.bounds = Bounds::lanczos;
            const auto whole = finished(context, problem, hamiltonian);
            Solver part(context, problem, prepared(hamiltonian));
            for (int blocks = 0; blocks < 6; ++blocks) {
                part.save(path);
                const auto resumed = Solver::resume(context, path, prepared(hamiltonian));
                BOOST_TEST(resumed->samples_done() == part.samples_done());
                BOOST_TEST(same_bits(all_samples(*resumed), all_samples(part)));
                resumed->run({});
                BOOST_TEST(same_bits(all_samples(*resumed), all_samples(*whole)));
                BOOST_TEST(same_bits(resumed->moments().error, whole->moments().error));
                part.advance();
            }
        }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(another_hamiltonian_is_refused) {
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_refused_test.h5";
    Context context = make_context();
    const Lattice lattice = disordered({6, 6, 6});
    Problem problem;
    problem.sites = {200};
    problem.start_vectors = StartVectors::sites;
    finished(context, problem, lattice)->save(path);
    const auto message = [&](const Hamiltonian& hamiltonian) {
        const auto [status, text] = failure_of([&] { Solver::resume(context, path, prepared(hamiltonian)); });
        BOOST_TEST((status == Status::bad_file));
        return text;
    };
    Lattice other = lattice;
    other.disorder = 5.5;
    BOOST_TEST(message(other).ends_with("it belongs to another Hamiltonian"));
    BOOST_TEST(message(matrix_of(lattice, 1, 0)).ends_with("it belongs to another Hamiltonian"));
    other.extents = {6, 6, 5};
    BOOST_TEST(message(other).ends_with("it belongs to a Hamiltonian of 216 sites, not of 180"));
    std::filesystem::remove(path);
}

// If a run is stopped within a block, the samples of this block are computed again, and those before it are kept.
BOOST_AUTO_TEST_CASE(stopping) {
    Context context = make_context(2);
    Problem problem;
    problem.vectors = 6;
    problem.block_width = 2;
    problem.moments = 4000;
    const Lattice lattice = disordered({20, 20, 20});
    Solver solver(context, problem, prepared(lattice));
    solver.advance();
    bool within = false;
    const auto [status, message] = failure_of([&] {
        solver.run(
            [&](const Progress& progress) {
                BOOST_TEST(progress.points_total == 6);
                BOOST_TEST(progress.points_done == solver.samples_done());
                BOOST_TEST(solver.moments().samples == solver.samples_done());
                BOOST_TEST(failure_of([&] { solver.advance(); }).second ==
                           "kpm.advance: a callback cannot continue the run that calls it");
                within = progress.cycles_done % 2000 != 0;
                return !within;
            },
            0.0);
    });
    BOOST_TEST(within);
    BOOST_TEST((status == Status::cancelled));
    BOOST_TEST(message == "kpm: stopped by the progress callback");
    solver.run({});
    BOOST_TEST(same_bits(all_samples(solver), all_samples(*finished(context, problem, lattice))));
}

// AUTO logs which format it chooses, and why.
BOOST_AUTO_TEST_CASE(choices_are_explained) {
    ContextOptions options;
    options.backend = Backend::cpu;
    Context context(options);
    std::string lines;
    context.set_logger(LogLevel::info, [&](LogLevel, std::string_view line) { lines += std::string(line) + "\n"; });
    Problem problem;
    Solver lattice(context, problem, prepared(disordered({8, 8, 8})));
    BOOST_TEST(lines.find("kpm: format stencil (a lattice needs no matrix), blocks of 16 vectors\n") !=
               std::string::npos);
    Solver matrix(context, problem, prepared(some_matrix(100)));
    BOOST_TEST(lines.find("kpm: format CRS (") != std::string::npos);
    BOOST_TEST((matrix.format() == Format::crs));
}
