// Tests complex Hermitian matrices on the CPU against exact diagonalisation and plain recursion.
#define BOOST_TEST_MODULE kpm_complex
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <numbers>

#include "complex_matrices.hpp"
#include "core/larger.hpp"
#include "kpm/estimates.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/start_vectors.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr std::array matrix_formats{Format::crs, Format::ell};

// Returns numbers from -1 to 1.
double given_number(std::int64_t sample, std::size_t i) {
    return std::sin(static_cast<double>(sample + 1) * static_cast<double>(i * i % 1009) + static_cast<double>(i));
}

StartVectorSource source_of(const Problem& problem) {
    if (problem.start_vectors != StartVectors::caller) return {};
    return [](std::int64_t sample, std::span<double> vector) {
        for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = given_number(sample, i);
    };
}

using Samples = std::vector<std::vector<double>>;

Samples samples_of(const Problem& problem, const Hamiltonian& hamiltonian, int threads = 1,
                   Rescaling* rescaling = nullptr) {
    Context context = make_context(threads);
    Solver solver(context, problem, prepared(hamiltonian), source_of(problem));
    solver.run({});
    if (rescaling) *rescaling = solver.rescaling();
    Samples all;
    for (std::int64_t s = 0; s < solver.samples(); ++s)
        all.emplace_back(solver.sample(s).begin(), solver.sample(s).end());
    return all;
}

bool same_bits(const Samples& a, const Samples& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t s = 0; s < a.size(); ++s)
        if (std::memcmp(a[s].data(), b[s].data(), sizeof(double) * a[s].size()) != 0) return false;
    return true;
}

double largest_difference(const Samples& a, const Samples& b) {
    double worst = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t s = 0; s < a.size(); ++s) worst = larger(worst, tests::largest_difference(a[s], b[s]));
    return worst;
}

// Returns the interval of all energies of a matrix, a little enlarged.
Problem within_energies(Problem problem, const std::vector<double>& energies) {
    problem.bounds = Bounds::interval;
    problem.lowest = energies.front();
    problem.highest = energies.back();
    return problem;
}

// Returns an element of a start vector of the library.
Element element_of(StartVectors kind, std::uint64_t seed, std::uint64_t vector, std::uint64_t site) {
    if (kind != StartVectors::phase) return start_element(kind, seed, vector, site);
    const Phase phase = start_phase(seed, vector, site);
    return {phase.real, phase.imaginary};
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_matrices_against_exact_diagonalisation) {
    std::mt19937_64 random(14);
    double worst = 0, worst_single = 0;
    for (int i = 0; i < 30; ++i) {
        const std::int32_t rows = 20 + 230 * i / 29;
        const CrsMatrix matrix = random_hermitian(random, rows, 2 + i % 9);
        const std::vector<double> energies = complex_eigenvalues(matrix);
        for (const Format format : matrix_formats)
            for (const Precision precision : {Precision::double_, Precision::single}) {
                Problem problem = all_sites(rows, 200);
                problem.format = format;
                problem.precision = precision;
                Context context = make_context(2);
                const auto solver = finished(context, problem, matrix);
                double& found = precision == Precision::single ? worst_single : worst;
                found = larger(found, tests::largest_difference(solver->moments().mean,
                                                                exact_moments(energies, solver->rescaling(), 200)));
            }
    }
    BOOST_TEST_MESSAGE("largest deviation: " << worst << ", in single precision " << worst_single);
    BOOST_TEST(worst < 1e-12);
    BOOST_TEST(worst_single < std::sqrt(200.0) * std::ldexp(1.0, -24));
}

// A complex matrix, and the real one of twice the size. The margin keeps levels away from the ends of the interval,
// where rounding grows with the square of n.
BOOST_AUTO_TEST_CASE(doubling) {
    std::mt19937_64 random(15);
    double worst = 0;
    for (const int rows : {1, 2, 3, 40, 150}) {
        const CrsMatrix matrix = random_hermitian(random, rows, 4);
        const std::vector<double> energies = complex_eigenvalues(matrix);
        Problem problem = all_sites(rows, 150);
        problem.margin = 0.1;
        if (rows > 1) problem = within_energies(problem, energies);
        for (const Format format : matrix_formats) {
            problem.format = format;
            worst =
                larger(worst, largest_difference(samples_of(problem, matrix), samples_of(problem, doubled(matrix))));
        }
    }
    BOOST_TEST_MESSAGE("largest difference from the real matrix: " << worst);
    BOOST_TEST(worst < 1e-13);
}

// Vectors that are not real tell H from its complex conjugate.
BOOST_AUTO_TEST_CASE(vectors_against_plain_recursion) {
    std::mt19937_64 random(16);
    const std::int32_t rows = 130;
    const CrsMatrix matrix = random_hermitian(random, rows, 5);
    Problem problem;
    problem.moments = 90;
    problem.vectors = 7;
    problem.realisations = 2;
    for (const StartVectors kind :
         {StartVectors::phase, StartVectors::sign, StartVectors::gaussian, StartVectors::uniform, StartVectors::caller})
        for (const Format format : matrix_formats) {
            problem.start_vectors = kind;
            problem.format = format;
            Rescaling rescaling;
            const Samples found = samples_of(problem, matrix, 2, &rescaling);
            for (std::size_t s = 0; s < found.size(); ++s) {
                const auto sample = static_cast<std::int64_t>(s);
                std::vector<Element> r(static_cast<std::size_t>(rows));
                for (std::size_t i = 0; i < r.size(); ++i)
                    r[i] = kind == StartVectors::caller
                               ? Element{given_number(sample, 2 * i), given_number(sample, 2 * i + 1)}
                               : element_of(kind, static_cast<std::uint64_t>(problem.seed), s, i);
                std::vector<double> expected = plain_moments(matrix, r, rescaling, problem.moments);
                for (double& moment : expected) moment /= rows;
                BOOST_TEST(tests::largest_difference(found[s], expected) < 1e-12);
            }
        }
}

// The moments of a vector have the same bits in every block and with every number of threads.
BOOST_AUTO_TEST_CASE(the_same_bits) {
    std::mt19937_64 random(17);
    const CrsMatrix matrix = random_hermitian(random, 2503, 6);
    Problem problem;
    problem.moments = 24;
    problem.vectors = 19;
    problem.sites = {0, 17, 2502, 1024, 1023};
    for (const StartVectors kind : {StartVectors::phase, StartVectors::sites, StartVectors::caller})
        for (const Precision precision : {Precision::double_, Precision::single})
            for (const Format format : matrix_formats) {
                problem.start_vectors = kind;
                problem.precision = precision;
                problem.format = format;
                problem.block_width = 1;
                const Samples expected = samples_of(problem, matrix);
                for (int width = 1; width <= 16; ++width) {
                    problem.block_width = width;
                    BOOST_TEST(same_bits(samples_of(problem, matrix, 1 + width % 4), expected), "width " << width);
                }
            }
}

// Lanes of 64 vectors fill two panels.
BOOST_AUTO_TEST_CASE(the_widest_block) {
    std::mt19937_64 random(18);
    const CrsMatrix matrix = random_hermitian(random, 60, 3);
    Problem problem = all_sites(60, 30);
    problem.block_width = 64;
    const Samples expected = samples_of(problem, matrix);
    problem.block_width = 1;
    BOOST_TEST(same_bits(samples_of(problem, matrix), expected));
    problem.start_vectors = StartVectors::phase;
    problem.vectors = 70;
    const Samples others = samples_of(problem, matrix);
    problem.block_width = 63;
    BOOST_TEST(same_bits(samples_of(problem, matrix), others));
    problem.block_width = 0;
    Context context = make_context();
    BOOST_TEST(finished(context, problem, matrix)->block_width() == 8);
    BOOST_TEST(finished(context, all_sites(120, 4), doubled(matrix))->block_width() == 16);
}

// The number of samples of a ring with flux whose energies are 2 cos(k + phase): all sites give mu_n = 0 unless n is a
// multiple of the length L, and mu_(jL) = cos(j L phase).
BOOST_AUTO_TEST_CASE(a_ring_with_flux) {
    constexpr std::int32_t length = 50;
    constexpr double phase = 0.037;
    Problem problem = all_sites(length, 2 * length + 10);
    problem.bounds = Bounds::interval;
    problem.lowest = -2;
    problem.highest = 2;
    problem.margin = 0;
    std::vector<double> expected(static_cast<std::size_t>(problem.moments));
    for (std::size_t j = 0; j < 3; ++j) expected[j * length] = std::cos(static_cast<double>(j * length) * phase);
    for (const Format format : matrix_formats) {
        problem.format = format;
        Context context = make_context();
        const auto solver = finished(context, problem, ring_with_flux(length, phase));
        BOOST_TEST(tests::largest_difference(solver->moments().mean, expected) < 1e-12);
        const std::vector<double> energies{-1.7, -0.4, 0.0, 0.9, 1.95};
        const std::vector<double> factors = kernel_factors(Kernel::fejer, problem.moments);
        const Estimate density = estimate(*solver, mean_of_samples, Kernel::fejer, 4, true,
                                          [&](const Spectrum& s) { return density_of_states(s, energies); });
        for (std::size_t i = 0; i < energies.size(); ++i) {
            const double theta = std::acos(energies[i] / 2);
            double sum = 1;
            for (const std::size_t n : {std::size_t{length}, std::size_t{2 * length}})
                sum += 2 * factors[n] * expected[n] * std::cos(static_cast<double>(n) * theta);
            BOOST_TEST(std::abs(density.value[i] - sum / (std::numbers::pi * 2 * std::sin(theta))) < 1e-12);
            BOOST_TEST(density.error[i] == 0);
        }
    }
}

// Bounds enclose the spectrum, and those of Lanczos are tighter.
BOOST_AUTO_TEST_CASE(bounds) {
    std::mt19937_64 random(19);
    for (int i = 0; i < 10; ++i) {
        const CrsMatrix matrix = random_hermitian(random, 200, 6);
        const std::vector<double> energies = complex_eigenvalues(matrix);
        Problem problem;
        problem.moments = 30;
        problem.margin = 0;
        problem.seed = i;
        Rescaling outer, inner;
        samples_of(problem, matrix, 1, &outer);
        problem.bounds = Bounds::lanczos;
        samples_of(problem, matrix, 1, &inner);
        for (const Rescaling& r : {outer, inner}) {
            BOOST_TEST(r.centre - r.half_width <= energies.front());
            BOOST_TEST(r.centre + r.half_width >= energies.back());
        }
        BOOST_TEST(inner.half_width < 0.9 * outer.half_width);
    }
}

// Phases have the modulus 1 and no preferred direction. The moments of many vectors agree with the exact ones within
// their errors.
BOOST_AUTO_TEST_CASE(statistics_of_phases) {
    constexpr int vectors = 400, rows = 250;
    std::array<double, 5> sums{};
    for (std::uint64_t v = 0; v < vectors; ++v)
        for (std::uint64_t site = 0; site < rows; ++site) {
            const Element e = element_of(StartVectors::phase, 3, v, site);
            BOOST_REQUIRE(std::abs(std::abs(e) - 1) < 1e-15);
            const std::array<double, 5> terms{e.real(), e.imag(), (e * e).real(), (e * e).imag(),
                                              std::pow(e, 3).real()};
            for (std::size_t i = 0; i < terms.size(); ++i) sums[i] += terms[i];
        }
    // Each term is a cosine of a uniform angle, whose variance is 1/2.
    for (const double sum : sums) BOOST_TEST(std::abs(sum) / std::sqrt(0.5 * vectors * rows) < 4);

    std::mt19937_64 random(20);
    const CrsMatrix matrix = random_hermitian(random, rows, 4);
    Problem problem;
    problem.moments = 40;
    problem.vectors = vectors;
    problem.start_vectors = StartVectors::phase;
    Context context = make_context(2);
    const auto solver = finished(context, problem, matrix);
    const Moments moments = solver->moments();
    const std::vector<double> exact = exact_moments(complex_eigenvalues(matrix), solver->rescaling(), problem.moments);
    BOOST_TEST(std::abs(moments.mean[0] - 1) < 1e-14);
    double squares = 0;
    for (std::size_t n = 1; n < exact.size(); ++n) {
        const double pull = (moments.mean[n] - exact[n]) / moments.error[n];
        BOOST_TEST(std::abs(pull) < 4.5);
        squares += pull * pull / static_cast<double>(exact.size() - 1);
    }
    BOOST_TEST(squares > 0.2);
    BOOST_TEST(squares < 3);
    // For these vectors the variance of mu_1 is the sum of |H~_ij|^2 over all j != i, divided by D^2.
    double off_diagonal = 0;
    const auto h = complex_dense(matrix);
    for (std::size_t i = 0; i < h.size(); ++i)
        for (std::size_t j = 0; j < h.size(); ++j) off_diagonal += i == j ? 0 : std::norm(h[i][j]);
    const double expected = std::sqrt(off_diagonal / vectors) / (rows * solver->rescaling().half_width);
    BOOST_TEST(std::abs(moments.error[1] / expected - 1) < 4 / std::sqrt(2.0 * vectors));
}

// Sorted, shuffled, borrowed and copied matrices, with indices from 0 and 1, give the same.
BOOST_AUTO_TEST_CASE(borrowed_and_copied_arrays) {
    std::mt19937_64 random(21);
    const CrsMatrix given = random_hermitian(random, 4000, 6);
    Hamiltonian sorted = given;
    prepare(sorted, 3);
    const auto& matrix = std::get<CrsMatrix>(sorted);
    BOOST_TEST(matrix.values.size() == 2 * matrix.columns.size());
    for (const int threads : {1, 2, 8}) {
        Hamiltonian again = view_of(given);
        prepare(again, threads);
        const auto& other = std::get<CrsMatrix>(again);  // its rows were not sorted
        BOOST_TEST((other.values == matrix.values));
        BOOST_TEST((other.columns == matrix.columns));
    }
    CrsMatrix counted = copy_of(view_of(matrix), 2);
    BOOST_TEST(counted.is_complex);
    counted.index_base = 1;
    for (std::int64_t& pointer : counted.row_pointers) ++pointer;
    for (std::int32_t& column : counted.columns) ++column;
    const auto borrowed = prepared(view_of(counted), 2);
    BOOST_TEST(std::get<CrsView>(*borrowed).values == counted.values.data());
    Problem problem;
    problem.moments = 20;
    problem.vectors = 5;
    for (const Format format : matrix_formats) {
        problem.format = format;
        const Samples expected = samples_of(problem, given);
        BOOST_TEST(same_bits(samples_of(problem, matrix), expected));
        BOOST_TEST(same_bits(samples_of(problem, view_of(counted)), expected));
    }
    BOOST_TEST(fingerprint(*borrowed) == fingerprint(sorted));
    CrsMatrix other = matrix;
    other.values[1] = std::nextafter(other.values[1], 9);
    BOOST_TEST(fingerprint(other) != fingerprint(sorted));
}

// A file is resumed with the same matrix only, and continues with the same bits.
BOOST_AUTO_TEST_CASE(saving_and_resuming) {
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_complex_test.h5";
    std::mt19937_64 random(22);
    const CrsMatrix matrix = random_hermitian(random, 300, 5);
    CrsMatrix conjugate = matrix;
    for (std::size_t k = 1; k < conjugate.values.size(); k += 2) conjugate.values[k] *= -1;
    Problem problem;
    problem.moments = 60;
    problem.vectors = 11;
    problem.block_width = 3;
    problem.bounds = Bounds::lanczos;
    problem.start_vectors = StartVectors::phase;
    const Samples whole = samples_of(problem, matrix);
    Context context = make_context();
    Solver part(context, problem, prepared(matrix));
    while (!part.advance()) {
        part.save(path);
        const auto resumed = Solver::resume(context, path, prepared(matrix));
        resumed->run({});
        for (std::int64_t s = 0; s < resumed->samples(); ++s)
            BOOST_TEST(std::equal(resumed->sample(s).begin(), resumed->sample(s).end(),
                                  whole[static_cast<std::size_t>(s)].begin()));
    }
    for (const CrsMatrix& other : {conjugate, random_matrix(random, 300, 5)})
        BOOST_TEST(failure_of([&] {
                       Solver::resume(context, path, prepared(other));
                   }).second.ends_with("it belongs to another Hamiltonian"));
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(refused_matrices) {
    const auto refusal = [](const Rows& rows) {
        const CrsMatrix matrix = complex_matrix(rows);
        const auto found = failure_of([&] { prepared(matrix); });
        BOOST_TEST((failure_of([&] { prepared(view_of(matrix), 3); }) == found));
        BOOST_TEST((found.first == Status::invalid_argument));
        return found.second;
    };
    const Element i(0, 1);
    BOOST_TEST(refusal({{{1, 1.0 + i}}, {{0, 1.0 + i}}}) ==
               "kpm.matrix: the element in row 0 and column 1 is (1, 1), but that in row 1 and column 0 is (1, 1); the "
               "matrix is not Hermitian");
    BOOST_TEST(refusal({{{1, 1.0 + i}}, {{0, 1.0 - i * (1 + 1e-11)}}}).ends_with("the matrix is not Hermitian"));
    BOOST_TEST(refusal({{{1, 1.0 + i}}, {}}) ==
               "kpm.matrix: the element in row 0 and column 1 is (1, 1), but that in row 1 and column 0 is (0, 0); the "
               "matrix is not Hermitian");
    BOOST_TEST(refusal({{}, {{0, 2.0 * i}}}) ==
               "kpm.matrix: the element in row 1 and column 0 is (0, 2), but that in row 0 and column 1 is (0, 0); the "
               "matrix is not Hermitian");
    BOOST_TEST(refusal({{{0, 1.0}}, {{1, 2.0 + 1e-11 * i}}}) ==
               "kpm.matrix: the element in row 1 and column 1 is (2, 1e-11), which is not real; the matrix is not "
               "Hermitian");
    BOOST_TEST(refusal({{{0, Element(1, NAN)}}}) ==
               "kpm.matrix.values[1] (row 0, column 0): nan is not in [-1e+100, 1e+100]");
    BOOST_TEST(refusal({{{0, 1.0}, {1, Element(-2e100, 0)}}, {{0, Element(-2e100, 0)}}}) ==
               "kpm.matrix.values[2] (row 0, column 1): -2e+100 is not in [-1e+100, 1e+100]");
    BOOST_TEST(refusal({{{2, 1.0}}, {}}).starts_with("kpm.matrix.columns[0] (row 0): 2 "));
    CrsMatrix half = complex_matrix({{{0, 1.0}}});
    half.values.pop_back();
    BOOST_TEST(failure_of([&] { prepared(half); }).second ==
               "kpm.matrix.values: 1 values are not 2, two for each of kpm.matrix.columns");
    // Rounding is no reason to refuse, and repeated elements are added.
    const Element z(0.3, -0.7);
    BOOST_CHECK_NO_THROW(prepared(complex_matrix({{{1, z}, {0, 1.0 + 1e-14 * i}}, {{0, std::conj(z) * (1 + 1e-14)}}})));
    const auto added = prepared(complex_matrix({{{1, z}, {1, z}, {0, i}, {0, -i}}, {{0, 2.0 * std::conj(z)}}}));
    BOOST_TEST(std::get<CrsMatrix>(*added).columns.size() == 2U);
    BOOST_TEST(std::get<CrsMatrix>(*added).values[0] == 0.6);
    BOOST_TEST(std::get<CrsMatrix>(*added).values[1] == -1.4);
}

// Each number of each element is changed. This is always found.
BOOST_AUTO_TEST_CASE(every_element_has_its_partner) {
    std::mt19937_64 random(23);
    Hamiltonian hamiltonian = random_hermitian(random, 25, 4);
    prepare(hamiltonian);
    const auto& matrix = std::get<CrsMatrix>(hamiltonian);
    for (std::size_t row = 0; row < 25; ++row)
        for (auto k = static_cast<std::size_t>(matrix.row_pointers[row]);
             k < static_cast<std::size_t>(matrix.row_pointers[row + 1]); ++k)
            for (std::size_t part = 0; part < 2; ++part) {
                const bool diagonal = matrix.columns[k] == static_cast<std::int32_t>(row);
                if (diagonal && part == 0) continue;
                CrsMatrix wrong = matrix;
                wrong.values[2 * k + part] += 1e-9;
                const auto [status, message] = failure_of([&] { prepared(view_of(wrong), 2); });
                BOOST_TEST((status == Status::invalid_argument));
                BOOST_TEST(message.find(text("row ", row, " and column ", matrix.columns[k], " is ")) !=
                           std::string::npos);
            }
}

BOOST_AUTO_TEST_CASE(refused_start_vectors) {
    Context context = make_context();
    Problem problem;
    problem.start_vectors = StartVectors::phase;
    const std::string why =
        "kpm.params.start_vectors: 5 (phase) is for complex Hamiltonians, and this one is real; take 0 (sign), 1 "
        "(gaussian) or 2 (uniform)";
    std::mt19937_64 random(24);
    for (const Hamiltonian& hamiltonian : {Hamiltonian{Lattice{}}, Hamiltonian{random_matrix(random, 9, 3)}})
        BOOST_TEST(failure_of([&] { Solver(context, problem, prepared(hamiltonian)); }).second == why);
    problem.start_vectors = StartVectors::caller;
    problem.vectors = 2;
    for (const Precision precision : {Precision::double_, Precision::single})
        for (const int width : {1, 2}) {
            problem.precision = precision;
            problem.block_width = width;
            Solver solver(context, problem, prepared(random_hermitian(random, 9, 3)),
                          [](std::int64_t sample, std::span<double> vector) {
                              BOOST_TEST(vector.size() == 18U);
                              std::fill(vector.begin(), vector.end(), 1.0);
                              if (sample == 1) vector[17] = -1e41;
                          });
            BOOST_TEST(failure_of([&] {
                           solver.run({});
                       }).second.starts_with("kpm.start_vector[17] of sample 1: -1e+41 is not in [-1e+"));
        }
}

// A complex element takes 20 bytes, and each vector twice the memory of a real one.
BOOST_AUTO_TEST_CASE(memory) {
    std::mt19937_64 random(25);
    const Hamiltonian real = *prepared(random_matrix(random, 5000, 4));
    const auto& crs = std::get<CrsMatrix>(real);
    CrsMatrix complex = crs;
    complex.is_complex = true;
    complex.values.assign(2 * crs.columns.size(), 0);
    for (std::size_t k = 0; k < crs.columns.size(); ++k) complex.values[2 * k] = crs.values[k];
    Problem problem;
    for (const StartVectors kind : {StartVectors::sign, StartVectors::caller})
        for (const Precision precision : {Precision::double_, Precision::single}) {
            problem.start_vectors = kind;
            problem.precision = precision;
            for (const std::size_t parts : {std::size_t{1}, std::size_t{3}})
                for (const Format format : matrix_formats) {
                    const MemoryNeeds one = memory_needs(Backend::cpu, problem, real, format, parts),
                                      two = memory_needs(Backend::cpu, problem, complex, format, parts);
                    BOOST_TEST(two.each == 2 * one.each);
                    BOOST_TEST(two.fixed <= 2 * one.fixed);
                    BOOST_TEST(two.fixed >= one.fixed);
                }
        }
    const std::int64_t padded = 5000 * longest_row(real);
    problem = {};
    BOOST_TEST(memory_needs(Backend::cpu, problem, complex, Format::ell).fixed == 20 * padded);
    BOOST_TEST(memory_needs(Backend::cpu, problem, real, Format::ell).fixed == 12 * padded);
}
