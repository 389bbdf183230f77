// Tests vectors in single precision on the CPU.
#define BOOST_TEST_MODULE kpm_single
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/device.hpp"
#include "core/larger.hpp"
#include "kpm/start_vectors.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

Lattice disordered(std::array<std::int64_t, 3> extents) {
    Lattice lattice;
    lattice.extents = extents;
    lattice.on_site = OnSite::box;
    lattice.disorder = 5;
    return lattice;
}

CrsMatrix some_matrix(std::int32_t rows) {
    std::mt19937_64 random(11);
    return random_matrix(random, rows, 5);
}

Problem in_single(Problem problem) {
    problem.precision = Precision::single;
    return problem;
}

// Returns vectors with elements from -1 to 1.
StartVectorSource source_of(const Problem& problem) {
    if (problem.start_vectors != StartVectors::caller) return {};
    return [](std::int64_t sample, std::span<double> vector) {
        for (std::size_t i = 0; i < vector.size(); ++i)
            vector[i] = std::sin(static_cast<double>(sample + 1) * static_cast<double>(i * i % 1009));
    };
}

std::vector<std::vector<double>> samples_of(Context& context, const Problem& problem, const Hamiltonian& hamiltonian) {
    Solver solver(context, problem, prepared(hamiltonian), source_of(problem));
    solver.run({});
    std::vector<std::vector<double>> all;
    for (std::int64_t s = 0; s < solver.samples(); ++s)
        all.emplace_back(solver.sample(s).begin(), solver.sample(s).end());
    return all;
}

// Returns the largest deviation of single from double precision, relative to moment 0 of the sample.
double deviation(const Problem& problem, const Hamiltonian& hamiltonian) {
    Context context = make_context();
    const auto full = samples_of(context, problem, hamiltonian),
               single = samples_of(context, in_single(problem), hamiltonian);
    double worst = 0;
    for (std::size_t s = 0; s < full.size(); ++s)
        worst = larger(worst, largest_difference(full[s], single[s]) / full[s][0]);
    return worst;
}

}  // namespace

// A step changes its vector by a relative rounding of at most 2^-24, and within the interval an error keeps its size. N
// moments are therefore off by N 2^-24 mu_0 at most, and by sqrt(N) 2^-24 mu_0 for independent roundings.
BOOST_AUTO_TEST_CASE(moments_of_both_precisions) {
    Problem problem;
    problem.moments = 400;
    problem.vectors = 8;
    problem.sites = {0, 17, 4000};
    const double bound = std::sqrt(problem.moments) * std::ldexp(1.0, -24);
    const auto check = [&](const Hamiltonian& hamiltonian, Format format, const char* what) {
        problem.format = format;
        for (const StartVectors kind : {StartVectors::sign, StartVectors::gaussian, StartVectors::uniform,
                                        StartVectors::sites, StartVectors::caller}) {
            problem.start_vectors = kind;
            const double found = deviation(problem, hamiltonian);
            BOOST_TEST_MESSAGE(what << ", start vectors " << static_cast<int>(kind) << ": " << found);
            BOOST_TEST(found > 0);
            BOOST_TEST(found < bound);
        }
    };
    for (const Format format : {Format::stencil, Format::crs, Format::ell})
        check(disordered({24, 24, 24}), format, "lattice");
    for (const Format format : {Format::crs, Format::ell}) check(some_matrix(5003), format, "matrix");
}

// Errors at the ends of the interval grow with the number of later steps. N moments are off by N^2 2^-25 mu_0 at most.
// The start vector is the eigenvector of the largest energy, which is the end: all its moments are mu_0.
BOOST_AUTO_TEST_CASE(a_state_at_the_end_of_the_interval) {
    const CrsMatrix matrix = some_matrix(300);
    Matrix eigenvectors = dense(matrix);
    const std::vector<double> energies = diagonalise(eigenvectors);
    Problem problem = in_single({});
    problem.moments = 2000;
    problem.vectors = 1;
    problem.start_vectors = StartVectors::caller;
    problem.bounds = Bounds::interval;
    problem.lowest = energies.front();
    problem.highest = energies.back();
    problem.margin = 0;
    Context context = make_context();
    Solver solver(context, problem, prepared(matrix), [&](std::int64_t, std::span<double> vector) {
        for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = eigenvectors(i, vector.size() - 1);
    });
    solver.run({});
    double worst = 0;
    for (const double moment : solver.sample(0)) worst = larger(worst, std::abs(moment / solver.sample(0)[0] - 1));
    BOOST_TEST_MESSAGE("state at the end: " << worst);
    BOOST_TEST(worst < std::ldexp(2000.0 * 2000.0, -25));
}

// Acceptance test K1 within single precision.
BOOST_AUTO_TEST_CASE(against_exact_diagonalisation) {
    std::mt19937_64 random(4);
    Context context = make_context();
    double worst = 0;
    for (int i = 0; i < 10; ++i) {
        const std::int32_t rows = 50 + 20 * i;
        const CrsMatrix matrix = random_matrix(random, rows, 2 + i % 9);
        const std::vector<double> energies = eigenvalues(matrix);
        for (const Format format : {Format::crs, Format::ell}) {
            Problem problem = in_single(all_sites(rows, 200));
            problem.format = format;
            const auto solver = finished(context, problem, matrix);
            worst = larger(
                worst, largest_difference(solver->moments().mean, exact_moments(energies, solver->rescaling(), 200)));
        }
    }
    BOOST_TEST_MESSAGE("exact diagonalisation: " << worst);
    BOOST_TEST(worst < 1e-5);
}

// Results are bitwise identical for every number of threads, every block width and both formats of a matrix.
BOOST_AUTO_TEST_CASE(the_same_bits) {
    for (const Hamiltonian& hamiltonian : std::vector<Hamiltonian>{disordered({37, 23, 11}), disordered({300, 41, 1}),
                                                                   disordered({20011, 1, 1}), some_matrix(5003)}) {
        Problem problem = in_single({});
        problem.moments = 31;
        problem.vectors = 19;
        for (const StartVectors kind : {StartVectors::sign, StartVectors::uniform, StartVectors::caller}) {
            problem.start_vectors = kind;
            problem.format = Format::auto_;
            problem.block_width = 19;
            Context one = make_context(1);
            const auto expected = samples_of(one, problem, hamiltonian);
            for (const int width : {1, 6, 16}) {
                problem.block_width = width;
                Context context = make_context(1 + width % 2);
                BOOST_TEST((samples_of(context, problem, hamiltonian) == expected), "width " << width);
            }
        }
        problem.format = Format::crs;
        Context context = make_context(2);
        const auto crs = samples_of(context, problem, hamiltonian);
        problem.format = Format::ell;
        BOOST_TEST((samples_of(context, problem, hamiltonian) == crs));
    }
}

BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_single_test.h5";
    Context context = make_context(2);
    for (const Hamiltonian& hamiltonian : std::vector<Hamiltonian>{disordered({9, 8, 7}), some_matrix(400)}) {
        Problem problem = in_single({});
        problem.vectors = 11;
        problem.realisations = 2;
        problem.block_width = 4;
        problem.bounds = Bounds::lanczos;
        const auto whole = finished(context, problem, hamiltonian);
        Solver part(context, problem, prepared(hamiltonian));
        for (bool all = false; !all;) {
            part.save(path);
            const auto resumed = Solver::resume(context, path, prepared(hamiltonian));
            BOOST_TEST((resumed->problem().precision == Precision::single));
            resumed->run({});
            for (std::int64_t s = 0; s < whole->samples(); ++s)
                BOOST_TEST(std::ranges::equal(resumed->sample(s), whole->sample(s)));
            all = part.advance();
        }
    }
    std::filesystem::remove(path);
}

// Vectors take half the memory; energies, matrices and sums take the same.
BOOST_AUTO_TEST_CASE(memory) {
    Lattice lattice = disordered({256, 256, 256});
    const std::int64_t sites = lattice.sites();
    Problem full;
    full.memory_budget = 3'000'000'000;
    const Problem single = in_single(full);
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
        if (backend == Backend::cuda && !with_cuda) continue;
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            const MemoryNeeds a = memory_needs(backend, full, lattice, format),
                              b = memory_needs(backend, single, lattice, format);
            BOOST_TEST(a.fixed == b.fixed);
            BOOST_TEST(a.each - b.each == 8 * sites);
        }
        BOOST_TEST(least_bytes(backend, full, lattice) - least_bytes(backend, single, lattice) == 8 * sites);
    }
    Context context = make_context();
    BOOST_TEST(choose_block_width(context, Backend::cpu, full, lattice, Format::stencil) == 8);
    BOOST_TEST(choose_block_width(context, Backend::cpu, single, lattice, Format::stencil) == 16);
    // One of the caller's vectors, which are in double precision, adds to the need.
    Problem given = single;
    given.start_vectors = StartVectors::caller;
    BOOST_TEST(memory_needs(Backend::cpu, given, lattice, Format::stencil).bytes(2) -
                   memory_needs(Backend::cpu, single, lattice, Format::stencil).bytes(2) ==
               8 * sites);
}

// Bounds are as safe as those in double precision, and nearly as tight for large matrices.
BOOST_AUTO_TEST_CASE(bounds_by_lanczos) {
    Context context = make_context();
    std::mt19937_64 random(5);
    const auto bounds = [&](Problem problem, const Hamiltonian& hamiltonian, int steps) {
        problem.vectors = 1;
        problem.margin = 0;
        problem.bounds = Bounds::lanczos;
        problem.lanczos_steps = steps;
        return Solver(context, problem, prepared(hamiltonian)).rescaling();
    };
    for (int i = 0; i < 60; ++i) {
        const CrsMatrix matrix = random_matrix(random, 2 + 7 * i, 2 + i % 7);
        const std::vector<double> energies = eigenvalues(matrix);
        for (const int steps : {3, 30, 100, i % 20 == 0 ? 1000 : 200}) {
            const Rescaling found = bounds(in_single({}), matrix, steps);
            BOOST_TEST(found.centre - found.half_width <= energies.front() + 1e-12 * found.half_width);
            BOOST_TEST(found.centre + found.half_width >= energies.back() - 1e-12 * found.half_width);
        }
    }
    for (const Hamiltonian& hamiltonian : {Hamiltonian{disordered({20, 20, 20})}, Hamiltonian{some_matrix(5003)}}) {
        const Rescaling full = bounds({}, hamiltonian, 60), single = bounds(in_single({}), hamiltonian, 60);
        BOOST_TEST(std::abs(single.half_width / full.half_width - 1) < 1e-3);
    }
}

// Rounding is not mistaken for a state outside the bounds, and does not hide such a state.
BOOST_AUTO_TEST_CASE(bounds_that_are_too_tight) {
    Context context = make_context();
    Problem problem = in_single({});
    problem.moments = 20000;
    problem.vectors = 1;
    BOOST_TEST(finished(context, problem, disordered({6, 6, 6}))->samples_done() == 1);
    problem.bounds = Bounds::interval;
    problem.margin = 0;
    problem.moments = 1000;
    for (const double reach : {6.0, 3.0, 0.01, 1e-90}) {
        problem.lowest = -reach;
        problem.highest = reach;
        const auto [status, message] = failure_of([&] { finished(context, problem, disordered({16, 16, 16})); });
        BOOST_TEST((status == Status::numerical_error));
        BOOST_TEST(message.find("do not enclose the spectrum") != std::string::npos);
    }
}

// The largest elements still give finite moments; larger ones are refused.
BOOST_AUTO_TEST_CASE(large_start_vectors) {
    Context context = make_context();
    Problem problem = in_single({});
    problem.start_vectors = StartVectors::caller;
    problem.vectors = 3;
    double size = max_single_start_element;
    const auto run = [&] {
        Solver solver(context, problem, prepared(disordered({5, 5, 5})),
                      [&](std::int64_t, std::span<double> vector) { std::fill(vector.begin(), vector.end(), -size); });
        solver.run({});
        return solver.moments().mean;
    };
    for (const double moment : run()) BOOST_TEST(std::isfinite(moment));
    size *= 1.01;
    BOOST_TEST(failure_of(run).second == "kpm.start_vector[0] of sample 0: -1.01e+30 is not in [-1e+30, 1e+30]");
}
