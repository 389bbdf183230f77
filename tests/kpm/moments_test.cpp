// Compares moments with exact diagonalisation, in all formats.
#define BOOST_TEST_MODULE kpm_moments
#include <boost/test/unit_test.hpp>

#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

std::vector<double> trace_moments(Problem problem, const Hamiltonian& hamiltonian, Format format,
                                  Rescaling* rescaling = nullptr) {
    Context context = make_context(2);
    problem.format = format;
    const auto solver = finished(context, problem, hamiltonian);
    if (rescaling) *rescaling = solver->rescaling();
    return solver->moments().mean;
}

double deviation_from_exact(const Hamiltonian& hamiltonian, const std::vector<double>& energies, Format format,
                            int moments) {
    Rescaling rescaling;
    const std::vector<double> mean =
        trace_moments(all_sites(sites_of(hamiltonian), moments), hamiltonian, format, &rescaling);
    return largest_difference(mean, exact_moments(energies, rescaling, moments));
}

}  // namespace

// Acceptance test K1.
BOOST_AUTO_TEST_CASE(random_sparse_matrices) {
    std::mt19937_64 random(4);
    for (int i = 0; i < 30; ++i) {
        const std::int32_t rows = 50 + 450 * i / 29;
        const CrsMatrix matrix = random_matrix(random, rows, 2 + i % 9);
        const std::vector<double> energies = eigenvalues(matrix);
        for (const Format format : {Format::crs, Format::ell})
            BOOST_TEST(deviation_from_exact(matrix, energies, format, 200) < 1e-12);
    }
}

// Tests extents of 1 and 2, open and periodic ones, primes, and extents longer than a chunk.
BOOST_AUTO_TEST_CASE(lattices) {
    const std::vector<std::array<std::int64_t, 3>> all{{1, 1, 1}, {2, 1, 1},  {3, 1, 1},  {101, 1, 1}, {1, 1, 101},
                                                       {1, 7, 1}, {9, 13, 1}, {13, 1, 9}, {1, 17, 17}, {2, 2, 2},
                                                       {7, 6, 5}, {3, 2, 41}, {8, 8, 8},  {5, 19, 3},  {150, 2, 1}};
    int number = 0;
    for (const auto& extents : all) {
        for (const OnSite on_site : {OnSite::constant, OnSite::box, OnSite::normal, OnSite::energies}) {
            Lattice lattice;
            lattice.extents = extents;
            lattice.hopping = number % 3 == 0 ? -0.7 : 1.3;
            for (std::size_t d = 0; d < 3; ++d)
                lattice.boundary[d] = (number >> d) % 2 == 0 ? Boundary::periodic : Boundary::hard_wall;
            lattice.on_site = on_site;
            lattice.energy = 0.3;
            lattice.disorder = 4;
            if (on_site == OnSite::energies)
                for (std::int64_t i = 0; i < lattice.sites(); ++i)
                    lattice.energies.push_back(std::sin(static_cast<double>(i)));
            const std::vector<double> energies = eigenvalues(matrix_of(lattice, 1, 0));
            for (const Format format : {Format::stencil, Format::crs, Format::ell})
                BOOST_TEST(deviation_from_exact(lattice, energies, format, 100) < 1e-12);
            ++number;
        }
    }
}

// Acceptance test K2: on a ring of 64 sites mu_n = 0 for 0 < n < 64, and mu_64 = 1.
BOOST_AUTO_TEST_CASE(ring) {
    Lattice lattice;
    lattice.extents = {64, 1, 1};
    Problem problem = all_sites(64, 65);
    problem.bounds = Bounds::interval;
    problem.lowest = -2;
    problem.highest = 2;
    problem.margin = 0;
    std::vector<double> expected(65, 0.0);
    expected.front() = expected.back() = 1;
    for (const Format format : {Format::stencil, Format::crs, Format::ell})
        BOOST_TEST(largest_difference(trace_moments(problem, lattice, format), expected) < 1e-12);
}

// Compares the moments of one site, computed by plain recursion with a dense matrix and one product each, with those by
// doubling.
BOOST_AUTO_TEST_CASE(doubling_against_plain_recursion) {
    std::mt19937_64 random(7);
    const CrsMatrix matrix = random_matrix(random, 120, 6);
    Context context = make_context();
    for (const int count : {2, 3, 7, 64, 301}) {
        Problem problem;
        problem.moments = count;
        problem.start_vectors = StartVectors::sites;
        problem.sites = {17, 3, 17};
        const auto solver = finished(context, problem, matrix);
        const Rescaling r = solver->rescaling();
        const Matrix h = dense(matrix);
        for (std::int64_t sample = 0; sample < 3; ++sample) {
            const auto site = static_cast<std::size_t>(problem.sites[static_cast<std::size_t>(sample)]);
            std::vector<double> last(120), now(120), moments;
            now[site] = 1;
            for (int n = 0; n < count; ++n) {
                moments.push_back(now[site]);
                std::vector<double> next(120);
                for (std::size_t i = 0; i < 120; ++i) {
                    double sum = -r.centre * now[i];
                    for (std::size_t j = 0; j < 120; ++j) sum += h(i, j) * now[j];
                    next[i] = (n == 0 ? 1 : 2) * sum / r.half_width - last[i];
                }
                last = now;
                now = next;
            }
            const auto found = solver->sample(sample);
            BOOST_TEST(largest_difference({found.begin(), found.end()}, moments) < 1e-12);
        }
    }
}
