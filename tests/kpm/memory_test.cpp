// Checks that the peak memory of a run is the promised one. Each run is a process of its own, whose peak the operating
// system reports.
#define BOOST_TEST_MODULE kpm_memory
#include <boost/test/unit_test.hpp>

#include "../process_memory.hpp"
#include "kpm/function.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;
using legato::tests::leave_address_space;
using legato::tests::peak_of;

namespace {

std::int64_t peak_of_run(const Problem& problem, const Lattice& lattice) {
    return peak_of([&] {
        return failure_of([&] {
                   Context context = make_context();
                   finished(context, problem, lattice)->moments();
               }).first == Status::success;
    });
}

// The slack covers rounding up to large pages, and the stacks and tables of a run.
void require_promise_kept(const Problem& problem, const Lattice& lattice) {
    constexpr std::int64_t slack = 10 << 20;
    Lattice small = lattice;
    small.extents = {2, 2, 2};
    Problem little = problem;
    little.moments = 2;
    little.vectors = problem.block_width;
    const std::int64_t program = peak_of_run(little, small);
    const Format format = problem.format == Format::auto_ ? Format::stencil : problem.format;
    const std::int64_t promised = memory_needs(Backend::cpu, problem, lattice, format).bytes(problem.block_width) +
                                  host_needs(problem).bytes(samples_of(problem));
    const std::int64_t taken = peak_of_run(problem, lattice) - program;
    BOOST_TEST_MESSAGE("promised " << promised << ", taken " << taken);
    BOOST_TEST(taken < promised + slack);
    BOOST_TEST(taken > promised / 2);
}

Problem four_vectors(Format format) {
    Problem problem;
    problem.moments = 4;
    problem.vectors = problem.block_width = 4;
    problem.format = format;
    return problem;
}

Lattice of(std::array<std::int64_t, 3> extents, OnSite on_site = OnSite::constant) {
    Lattice lattice;
    lattice.extents = extents;
    lattice.on_site = on_site;
    lattice.disorder = 3;
    return lattice;
}

}  // namespace

// Chunks have four sites. Their sums take a quarter of the memory of the vectors.
BOOST_AUTO_TEST_CASE(thin_lattice) {
    require_promise_kept(four_vectors(Format::auto_), of({2, 2, 1 << 19}));
}

BOOST_AUTO_TEST_CASE(disordered_lattice) {
    require_promise_kept(four_vectors(Format::auto_), of({100, 100, 100}, OnSite::box));
}

BOOST_AUTO_TEST_CASE(single_precision) {
    Problem problem = four_vectors(Format::auto_);
    problem.precision = Precision::single;
    require_promise_kept(problem, of({100, 100, 100}, OnSite::box));
}

BOOST_AUTO_TEST_CASE(energies_of_the_caller) {
    Lattice lattice = of({100, 100, 100}, OnSite::energies);
    lattice.energies.assign(1'000'000, 0.5);
    Problem problem = four_vectors(Format::auto_);
    problem.vectors = problem.block_width = 1;
    problem.realisations = 3;
    const std::int64_t promised = memory_needs(Backend::cpu, problem, lattice, Format::stencil).bytes(1);
    Lattice constant = of({100, 100, 100});
    const std::int64_t more = peak_of_run(problem, lattice) - peak_of_run(problem, constant);
    // The energies are stored by the test, by the Hamiltonian and by the engine.
    BOOST_TEST(more < promised - memory_needs(Backend::cpu, problem, constant, Format::stencil).bytes(1) +
                          8'000'000 * 2 + (4 << 20));
}

// The matrix of the second realisation is made after that of the first one has been freed.
BOOST_AUTO_TEST_CASE(matrices_of_realisations) {
    for (const Format format : {Format::crs, Format::ell}) {
        Problem problem = four_vectors(format);
        problem.vectors = problem.block_width = 1;
        problem.realisations = 3;
        require_promise_kept(problem, of({100, 100, 60}, OnSite::box));
    }
}

// Samples are stored once, even while errors of vectors and of realisations are computed.
BOOST_AUTO_TEST_CASE(many_samples) {
    Problem problem;
    problem.moments = 1 << 14;
    problem.vectors = 700;
    problem.block_width = 16;
    require_promise_kept(problem, of({8, 1, 1}));
    problem.vectors = problem.block_width = 1;
    problem.realisations = 700;
    require_promise_kept(problem, of({8, 1, 1}, OnSite::box));
}

// The samples and the block fit separately, but not together.
BOOST_AUTO_TEST_CASE(samples_and_block_together) {
    constexpr std::int64_t there = 1 << 30;
    Problem problem;
    problem.moments = 1 << 20;
    problem.vectors = 75;
    const Lattice ring = of({there / 16 / 5 * 3, 1, 1});
    BOOST_REQUIRE(host_needs(problem).bytes(samples_of(problem)) < there);
    BOOST_REQUIRE(memory_needs(Backend::cpu, problem, ring, Format::stencil).bytes(1) < there);
    peak_of([&] {
        leave_address_space(there);
        const auto [status, message] = failure_of([&] {
            Context context = make_context();
            const Solver solver(context, problem, prepared(ring));
        });
        return status == Status::out_of_memory &&
               message.find(" are free, besides the 629145600 for the moments of all samples") != std::string::npos;
    });
}

// A complex function has two sums of each vector of a block.
BOOST_AUTO_TEST_CASE(functions_of_vectors) {
    constexpr std::int64_t slack = 10 << 20;
    Problem problem = four_vectors(Format::auto_);
    const auto peak_with = [&](const Lattice& lattice) {
        return peak_of([&] {
            Context context = make_context();
            std::vector<double> v(static_cast<std::size_t>(4 * lattice.sites()), 1);
            Function function(context, problem, prepared(lattice), 0);
            function.set(FunctionKind::evolution, 1, 0, 1e-3);
            function.apply({2, 2, v, v}, {});
            return function.vectors_done() == 2;
        });
    };
    for (const Precision precision : {Precision::double_, Precision::single}) {
        problem.precision = precision;
        const Lattice large = of({100, 100, 100}, OnSite::box);
        const std::int64_t of_caller = 32 * large.sites(), taken = peak_with(large) - peak_with(of({2, 2, 2}));
        Problem with_sums = problem;
        with_sums.start_vectors = StartVectors::caller;
        with_sums.sums = 2;
        const std::int64_t promised =
            memory_needs(Backend::cpu, with_sums, large, Format::stencil).bytes(4) + of_caller;
        BOOST_TEST_MESSAGE("promised " << promised << ", taken " << taken);
        BOOST_TEST(taken < promised + slack);
        BOOST_TEST(taken > promised / 2);
    }
}

// Two engines of this process share each vector.
BOOST_AUTO_TEST_CASE(slabs_of_a_lattice) {
    constexpr std::int64_t slack = 10 << 20;
    Problem problem = four_vectors(Format::auto_);
    problem.division = Division::lattice;
    const auto peak_of_slabs = [&](const Lattice& lattice) {
        return peak_of([&] {
            ContextOptions options = make_context().options();
            options.parts = 2;
            Context context(options);
            return finished(context, problem, lattice)->samples_done() == 4;
        });
    };
    const Lattice large = of({100, 100, 100}, OnSite::box);
    const std::int64_t promised = 2 * memory_needs(Backend::cpu, problem, large, Format::stencil, 2).bytes(4);
    const std::int64_t taken = peak_of_slabs(large) - peak_of_slabs(of({2, 2, 2}));
    BOOST_TEST_MESSAGE("promised " << promised << ", taken " << taken);
    BOOST_TEST(taken < promised + slack);
    BOOST_TEST(taken > promised / 2);
}
