// Compares the CUDA engine with the CPU engine and with exact diagonalisation for complex Hermitian matrices.
#define BOOST_TEST_MODULE kpm_complex_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "../device_main.hpp"
#include "complex_matrices.hpp"
#include "core/larger.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr std::array matrix_formats{Format::crs, Format::ell};

StartVectorSource source_of(const Problem& problem) {
    if (problem.start_vectors != StartVectors::caller) return {};
    return [](std::int64_t sample, std::span<double> vector) {
        for (std::size_t i = 0; i < vector.size(); ++i)
            vector[i] = std::sin(static_cast<double>(sample + 1) * static_cast<double>(i * i % 1009));
    };
}

using Samples = std::vector<std::vector<double>>;

Samples samples_on(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                   Rescaling* rescaling = nullptr) {
    Context context = make_context(2, backend);
    Solver solver(context, problem, prepared(hamiltonian), source_of(problem));
    solver.run({});
    if (rescaling) *rescaling = solver.rescaling();
    Samples all;
    for (std::int64_t s = 0; s < solver.samples(); ++s)
        all.emplace_back(solver.sample(s).begin(), solver.sample(s).end());
    return all;
}

double deviation(const Problem& problem, const Hamiltonian& hamiltonian) {
    const Samples a = samples_on(Backend::cpu, problem, hamiltonian),
                  b = samples_on(Backend::cuda, problem, hamiltonian);
    double worst = 0;
    for (std::size_t s = 0; s < a.size(); ++s) worst = larger(worst, largest_difference(a[s], b[s]));
    return worst;
}

// Returns a matrix with imaginary elements in the first row and in the first column, and with rows that are otherwise
// empty.
CrsMatrix complex_arrow(std::int32_t rows) {
    Rows lists(static_cast<std::size_t>(rows));
    for (std::int32_t i = 1; i < rows; i += 2) {
        const Element value(std::sin(static_cast<double>(i)), 1.0 / (1 + i));
        lists[0].emplace_back(i, value);
        lists[static_cast<std::size_t>(i)].emplace_back(0, std::conj(value));
    }
    return complex_matrix(lists);
}

Problem small_problem(int vectors) {
    Problem problem;
    problem.moments = 50;
    problem.vectors = vectors;
    problem.realisations = 2;
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_matrices_against_exact_diagonalisation) {
    std::mt19937_64 random(14);
    for (int i = 0; i < 30; ++i) {
        const std::int32_t rows = 20 + 230 * i / 29;
        const CrsMatrix matrix = random_hermitian(random, rows, 2 + i % 9);
        const std::vector<double> energies = complex_eigenvalues(matrix);
        for (const Format format : matrix_formats)
            for (const Precision precision : {Precision::double_, Precision::single}) {
                Problem problem = all_sites(rows, 200);
                problem.format = format;
                problem.precision = precision;
                Context context = make_context(2, Backend::cuda);
                const auto solver = finished(context, problem, matrix);
                const double most = precision == Precision::single ? std::sqrt(200.0) * std::ldexp(1.0, -24) : 1e-12;
                BOOST_TEST(largest_difference(solver->moments().mean,
                                              exact_moments(energies, solver->rescaling(), 200)) < most);
            }
    }
}

BOOST_AUTO_TEST_CASE(doubling) {
    std::mt19937_64 random(15);
    for (const int rows : {3, 40, 150}) {
        const CrsMatrix matrix = random_hermitian(random, rows, 4);
        const std::vector<double> energies = complex_eigenvalues(matrix);
        Problem problem = all_sites(rows, 150);
        problem.margin = 0.1;
        problem.bounds = Bounds::interval;
        problem.lowest = energies.front();
        problem.highest = energies.back();
        for (const Format format : matrix_formats) {
            problem.format = format;
            const Samples a = samples_on(Backend::cuda, problem, matrix),
                          b = samples_on(Backend::cuda, problem, doubled(matrix));
            for (std::size_t s = 0; s < a.size(); ++s) BOOST_TEST(largest_difference(a[s], b[s]) < 1e-13);
        }
    }
}

// Panels of all widths, and all kinds of start vectors. Rows are empty, short, and longer than what is staged.
BOOST_AUTO_TEST_CASE(matrices_and_panels) {
    std::mt19937_64 random(7);
    const std::vector<CrsMatrix> matrices{complex_arrow(3), complex_arrow(601), random_hermitian(random, 777, 6),
                                          random_hermitian(random, 300, 30)};
    for (const int width : {1, 2, 7, 15, 31, 63, 64})
        for (const StartVectors kind :
             {StartVectors::phase, StartVectors::gaussian, StartVectors::sign, StartVectors::caller}) {
            Problem problem = small_problem(width + 1);
            problem.block_width = width;
            problem.start_vectors = kind;
            for (const Format format : matrix_formats) {
                problem.format = format;
                for (const CrsMatrix& matrix : matrices)
                    BOOST_TEST(deviation(problem, matrix) < 1e-12, matrix.rows() << " rows, width " << width);
            }
        }
}

BOOST_AUTO_TEST_CASE(the_same_bits) {
    std::mt19937_64 random(17);
    const CrsMatrix matrix = random_hermitian(random, 2503, 6);
    for (const StartVectors kind : {StartVectors::phase, StartVectors::sites, StartVectors::caller})
        for (const Precision precision : {Precision::double_, Precision::single})
            for (const Format format : matrix_formats) {
                Problem problem = small_problem(19);
                problem.sites = {0, 17, 2502, 1024, 1023};
                problem.start_vectors = kind;
                problem.precision = precision;
                problem.format = format;
                problem.block_width = 1;
                const Samples expected = samples_on(Backend::cuda, problem, matrix);
                for (const int width : {2, 3, 8, 16, 19}) {
                    problem.block_width = width;
                    BOOST_TEST((samples_on(Backend::cuda, problem, matrix) == expected), "width " << width);
                }
            }
}

BOOST_AUTO_TEST_CASE(resuming) {
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_complex_engines_test.h5";
    std::mt19937_64 random(22);
    const CrsMatrix matrix = random_hermitian(random, 300, 5);
    Problem problem = small_problem(11);
    problem.block_width = 3;
    problem.bounds = Bounds::lanczos;
    problem.start_vectors = StartVectors::phase;
    const Samples whole = samples_on(Backend::cuda, problem, matrix);
    Context context = make_context(1, Backend::cuda);
    Solver part(context, problem, prepared(matrix));
    while (!part.advance()) {
        part.save(path);
        const auto resumed = Solver::resume(context, path, prepared(matrix));
        resumed->run({});
        for (std::size_t s = 0; s < whole.size(); ++s) {
            const auto found = resumed->sample(static_cast<std::int64_t>(s));
            BOOST_TEST(std::equal(found.begin(), found.end(), whole[s].begin()));
        }
    }
    std::filesystem::remove(path);
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
