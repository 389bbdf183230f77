// Tests the engine of unit-cell lattices without a matrix on the CPU against matrices and exact diagonalisation.
#define BOOST_TEST_MODULE kpm_cell_engines
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "core/larger.hpp"
#include "crystals.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

std::vector<double> all_samples(const Problem& problem, const CellLattice& lattice, int threads = 1) {
    Context context = make_context(threads);
    const auto solver = finished(context, problem, lattice);
    std::vector<double> all;
    for (std::int64_t s = 0; s < solver->samples(); ++s)
        all.insert(all.end(), solver->sample(s).begin(), solver->sample(s).end());
    return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

Problem small_problem(const CellLattice& lattice, int number) {
    Problem problem;
    problem.moments = 40;
    problem.vectors = 1 + number % 9;
    problem.realisations = 2;
    problem.start_vectors = is_complex(lattice) && number % 2 == 0 ? StartVectors::phase : StartVectors::gaussian;
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_moments_as_with_a_matrix) {
    double worst = 0;
    int number = 0;
    for (const CellLattice& lattice : crystals()) {
        Problem problem = small_problem(lattice, number++);
        problem.format = Format::stencil;
        const std::vector<double> moments = all_samples(problem, lattice);
        for (const Format format : {Format::crs, Format::ell}) {
            problem.format = format;
            const double difference = largest_difference(moments, all_samples(problem, lattice));
            BOOST_TEST(difference < 2e-12, "lattice " << number - 1);
            worst = larger(worst, difference);
        }
    }
    BOOST_TEST_MESSAGE("largest difference " << worst);
}

BOOST_AUTO_TEST_CASE(exact_moments_of_models) {
    CellLattice hofstadter = square(7, 5);
    hofstadter.flux[2] = 2.0 / 7;
    CellLattice twisted = haldane(4, 5, 0.2, 0.7, 0.3);
    twisted.twist = {0.4, -1.3, 0};
    CellLattice antiperiodic = square(6, 5), half_flux = square(4, 7);  // real, with factors of -1
    antiperiodic.twist = {pi, -pi, 0};
    half_flux.flux[2] = 0.5;
    BOOST_TEST((!is_complex(antiperiodic) && !is_complex(half_flux)));
    for (const CellLattice& lattice :
         {graphene(5, 4), haldane(6, 3, 0.1, 1.2, 0.1), hofstadter, twisted, antiperiodic, half_flux}) {
        Problem problem = all_sites(lattice.sites(), 60);
        Context context = make_context();
        const auto solver = finished(context, problem, lattice);
        BOOST_TEST((solver->format() == Format::stencil));
        BOOST_TEST(largest_difference(solver->moments().mean,
                                      exact_moments(eigenvalues(lattice), solver->rescaling(), 60)) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(the_same_bits_for_any_width_and_threads) {
    int number = 0;
    for (const CellLattice& lattice : crystals()) {
        Problem problem = small_problem(lattice, number++);
        problem.vectors = 9;
        problem.block_width = 1;
        const std::vector<double> moments = all_samples(problem, lattice);
        for (const int width : {2, 5, 9}) {
            problem.block_width = width;
            BOOST_TEST(same_bits(moments, all_samples(problem, lattice, 1 + width % 4)), "lattice " << number - 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(single_precision) {
    int number = 0;
    for (const CellLattice& lattice : crystals()) {
        Problem problem = small_problem(lattice, number++);
        const std::vector<double> moments = all_samples(problem, lattice);
        problem.precision = Precision::single;
        BOOST_TEST(largest_difference(moments, all_samples(problem, lattice)) < 2e-4, "lattice " << number - 1);
    }
}
