// The CUDA engine against the CPU engine.
#define BOOST_TEST_MODULE kpm_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "core/device.hpp"
#include "core/larger.hpp"
#include "core/memory.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

std::unique_ptr<Solver> finished_on(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian) {
    ContextOptions options;
    options.backend = backend;
    options.log_level = LogLevel::silent;
    static std::vector<std::unique_ptr<Context>> contexts;  // outlive the solvers
    contexts.push_back(std::make_unique<Context>(options));
    auto solver = std::make_unique<Solver>(*contexts.back(), problem, prepared(hamiltonian));
    solver->run({});
    return solver;
}

// Of the moments of all samples.
double deviation(const Problem& problem, const Hamiltonian& hamiltonian) {
    const auto a = finished_on(Backend::cpu, problem, hamiltonian),
               b = finished_on(Backend::cuda, problem, hamiltonian);
    double worst = 0;
    for (std::int64_t s = 0; s < a->samples(); ++s)
        for (std::size_t n = 0; n < a->sample(s).size(); ++n)
            worst = larger(worst, std::fabs(a->sample(s)[n] - b->sample(s)[n]));
    return worst;
}

Problem small_problem(int vectors) {
    Problem problem;
    problem.moments = 50;
    problem.vectors = vectors;
    problem.realisations = 2;
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lattices) {
    const std::vector<std::array<std::int64_t, 3>> all{
        {1, 1, 1},  {2, 1, 1},    {3, 1, 1},    {701, 1, 1},  {1, 1, 101}, {1, 70, 1},
        {9, 13, 1}, {130, 1, 90}, {1, 17, 17},  {2, 2, 2},    {7, 6, 5},   {3, 2, 141},
        {8, 8, 8},  {5, 19, 3},   {33, 17, 35}, {64, 64, 40}, {150, 2, 1}};
    int number = 0;
    for (const auto& extents : all)
        for (const OnSite on_site : {OnSite::constant, OnSite::box, OnSite::gaussian, OnSite::given}) {
            Lattice lattice;
            lattice.extents = extents;
            lattice.hopping = number % 3 == 0 ? -0.7 : 1.3;
            for (std::size_t d = 0; d < 3; ++d) lattice.periodic[d] = (number >> d) % 2 == 0;
            lattice.on_site = on_site;
            lattice.energy = 0.3;
            lattice.disorder = 4;
            if (on_site == OnSite::given)
                for (std::int64_t i = 0; i < lattice.sites(); ++i)
                    lattice.energies.push_back(std::sin(static_cast<double>(i)));
            Problem problem = small_problem(1 + 7 * (number % 10));
            problem.start_vectors = static_cast<StartVectors>(number % 3);
            for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
                problem.format = format;
                BOOST_TEST(deviation(problem, lattice) < 1e-12, extents[0] << " " << extents[1] << " " << extents[2]);
            }
            ++number;
        }
}

// Acceptance K1 on the device.
BOOST_AUTO_TEST_CASE(random_sparse_matrices) {
    std::mt19937_64 random(4);
    for (int i = 0; i < 30; ++i) {
        const std::int32_t rows = 50 + 450 * i / 29;
        const CrsMatrix matrix = random_matrix(random, rows, 2 + i % 9);
        const std::vector<double> energies = eigenvalues(matrix);
        for (const Format format : {Format::crs, Format::ell}) {
            Problem problem = all_sites(rows, 200);
            problem.format = format;
            const auto solver = finished_on(Backend::cuda, problem, matrix);
            BOOST_TEST(largest_difference(solver->moments().mean, exact_moments(energies, solver->rescaling(), 200)) <
                       1e-12);
        }
    }
}

// A vector's bits do not depend on the block, nor on the run.
BOOST_AUTO_TEST_CASE(the_same_bits) {
    Lattice lattice;
    lattice.extents = {37, 20, 33};
    lattice.on_site = OnSite::box;
    lattice.disorder = 6;
    for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
        Problem problem = small_problem(45);
        problem.realisations = 1;
        problem.format = format;
        problem.block_width = 45;
        const auto together = finished_on(Backend::cuda, problem, lattice);
        for (const int width : {1, 2, 3, 8, 31, 45}) {
            problem.block_width = width;
            const auto other = finished_on(Backend::cuda, problem, lattice);
            for (std::int64_t s = 0; s < 45; ++s)
                BOOST_TEST(std::equal(together->sample(s).begin(), together->sample(s).end(), other->sample(s).begin()),
                           "width " << width << ", vector " << s);
        }
    }
}

BOOST_AUTO_TEST_CASE(bounds_and_refusals) {
    Lattice lattice;
    lattice.extents = {30, 30, 30};
    lattice.on_site = OnSite::box;
    lattice.disorder = 10;
    Problem problem = small_problem(4);
    problem.bounds = BoundsMethod::lanczos;
    const auto a = finished_on(Backend::cpu, problem, lattice), b = finished_on(Backend::cuda, problem, lattice);
    BOOST_TEST(std::fabs(a->rescaling().half_width - b->rescaling().half_width) < 1e-8);
    problem.bounds = BoundsMethod::given;
    problem.lowest = -3;
    problem.highest = 3;
    BOOST_CHECK_EXCEPTION(finished_on(Backend::cuda, problem, lattice), Error,
                          [](const Error& error) { return error.status() == Status::numerical_error; });
    problem = small_problem(4);
    problem.memory_budget = 1000;
    BOOST_CHECK_EXCEPTION(finished_on(Backend::cuda, problem, lattice), Error,
                          [](const Error& error) { return error.status() == Status::out_of_memory; });
}

// A device that is full leaves AUTO to the CPU, and says so; named, it is refused.
BOOST_AUTO_TEST_CASE(auto_falls_back_where_the_device_is_full) {
    const std::size_t free = device_info(0).free_memory, host = available_memory();
    const std::size_t left = std::min(free, host) / 4;
    Lattice filling;
    filling.extents = {static_cast<std::int64_t>((free - left) / 17), 1, 1};
    Problem problem = small_problem(1);
    problem.realisations = 1;
    ContextOptions options;
    options.backend = Backend::cuda;
    options.log_level = LogLevel::silent;
    Context cuda(options);
    const Solver fills(cuda, problem, prepared(filling));
    Lattice lattice;
    lattice.extents = {static_cast<std::int64_t>(left / 8), 1, 1};
    options.backend = Backend::automatic;
    Context automatic(options);
    std::string lines;
    automatic.set_logger(LogLevel::info, [&](LogLevel, std::string_view line) { lines += std::string(line) + "\n"; });
    const Solver solver(automatic, problem, prepared(lattice));
    BOOST_TEST((solver.backend().backend == Backend::cpu));
    BOOST_TEST(lines.find("kpm: backend cuda needs ") != std::string::npos);
    BOOST_CHECK_EXCEPTION(Solver(cuda, problem, prepared(lattice)), Error, [](const Error& error) {
        return error.status() == Status::out_of_memory &&
               std::string(error.what()).find("are free on the device; about ") != std::string::npos;
    });
}

int main(int argc, char** argv) {
    std::string why;
    if (device_count(&why) == 0) {
        std::printf("skipped: %s\n", why.c_str());
        return 77;
    }
    return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
