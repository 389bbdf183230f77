// Rows in patterns: the matrix that they stand for, and the bits of their kernels.
#define BOOST_TEST_MODULE kpm_patterns
#include "kpm/row_patterns.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "complex_matrices.hpp"  // before cells.hpp, whose i its functions would hide

#include "cells.hpp"
#include "kpm/cpu_kernels.hpp"
#include "kpm/engine.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

CrsMatrix anderson(std::array<std::int64_t, 3> extents, Boundary boundary) {
    Lattice lattice;
    lattice.extents = extents;
    lattice.boundary = {boundary, Boundary::periodic, Boundary::hard_wall};
    lattice.on_site = OnSite::box;
    lattice.disorder = 3;
    return matrix_of(lattice, 5, 0);
}

CrsMatrix prepared_copy(const CrsMatrix& matrix) {
    Hamiltonian hamiltonian = matrix;
    prepare(hamiltonian);
    return std::get<CrsMatrix>(hamiltonian);
}

std::vector<CrsMatrix> patterned_matrices() {
    CellLattice disordered = haldane(7, 5, 0.1, 1.2, 0.3);
    disordered.on_site = OnSite::normal;
    disordered.disorder = 0.7;
    std::vector<CrsMatrix> all{
        anderson({101, 1, 1}, Boundary::periodic),        anderson({13, 9, 7}, Boundary::hard_wall),
        anderson({2, 2, 50}, Boundary::periodic),         matrix_of(graphene(6, 5), 1, 0, 1),
        matrix_of(haldane(6, 5, 0.2, 0.4, 0.1), 1, 0, 1), matrix_of(disordered, 3, 0, 1)};
    // The rows of vacancies are empty.
    for (CellLattice lattice : {square(30, 20), graphene(20, 15), disordered}) {
        lattice.vacancies = {0, 1, 2, 3, 9};
        lattice.vacancy_concentration = {0.2, 0.1};
        all.push_back(matrix_of(lattice, 3, 0, 1));
    }
    for (CrsMatrix& matrix : all) matrix = prepared_copy(matrix);
    return all;
}

// Returns the rows that patterns stand for.
CrsMatrix written_out(const RowPatterns& patterns, bool is_complex) {
    const std::size_t lanes = is_complex ? 2 : 1;
    CrsMatrix matrix;
    matrix.is_complex = is_complex;
    matrix.row_pointers.push_back(0);
    for (std::size_t row = 0; row < patterns.pattern.size(); ++row) {
        const std::uint16_t p = patterns.pattern[row];
        for (auto k = static_cast<std::size_t>(patterns.first[p]); k < static_cast<std::size_t>(patterns.first[p + 1U]);
             ++k) {
            matrix.columns.push_back(static_cast<std::int32_t>(row) + patterns.distances[k]);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                matrix.values.push_back(patterns.distances[k] != 0 ? patterns.values[lanes * k + lane]
                                        : lane == 0                ? patterns.diagonal[row]
                                                                   : 0.0);
        }
        matrix.row_pointers.push_back(static_cast<std::int64_t>(matrix.columns.size()));
    }
    return matrix;
}

template <class Number>
bool same_bits(const std::vector<Number>& a, const std::vector<Number>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Number)) == 0;
}

// Vectors and sums after a step of some rows.
template <class Real>
struct Result {
    std::vector<Real> y;
    std::vector<double> sums;
};

template <class Real, class Kernel, class Rows>
Result<Real> step_of(Kernel kernel, const Rows& rows, std::size_t count, std::size_t width, bool with_energies) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Real> x(count * width);
    Result<Real> result{std::vector<Real>(count * width), std::vector<double>(2 * width, 0.25)};
    std::vector<double> energies(count);
    for (Real& element : x) element = static_cast<Real>(uniform(random));
    for (Real& element : result.y) element = static_cast<Real>(uniform(random));
    for (double& energy : energies) energy = uniform(random);
    const MatrixStep<Real> step{
        0.3, 0.7, -1, x.data(), result.y.data(), result.y.data(), 0, with_energies ? energies.data() : nullptr};
    kernel(rows, step, 0, count / 3, result.sums.data());
    kernel(rows, step, count / 3, count, result.sums.data());
    return result;
}

template <class Real>
void compare_kernels(const KernelsOf<Real>& kernels, const CrsMatrix& matrix) {
    const auto patterns = row_patterns(view_of(matrix), 1);
    BOOST_REQUIRE(patterns.has_value());
    const CrsRows crs{matrix.row_pointers.data(), matrix.columns.data(), matrix.values.data(), matrix.index_base};
    const PatternedRows patterned{patterns->pattern.data(), patterns->diagonal.data(),  patterns->first.data(),
                                  patterns->own.data(),     patterns->distances.data(), patterns->values.data()};
    const auto rows = static_cast<std::size_t>(matrix.rows());
    for (std::size_t log2 = matrix.is_complex ? 1 : 0; log2 < matrix_widths; ++log2)
        for (const bool with_energies : {false, true}) {
            const auto of_crs = matrix.is_complex ? kernels.complex_crs[log2] : kernels.crs[log2];
            const auto of_patterns = matrix.is_complex ? kernels.complex_patterned[log2] : kernels.patterned[log2];
            const std::size_t width = std::size_t{1} << log2;
            const auto a = step_of<Real>(of_crs, crs, rows, width, with_energies),
                       b = step_of<Real>(of_patterns, patterned, rows, width, with_energies);
            BOOST_TEST(same_bits(a.y, b.y), "vectors, width " << width);
            BOOST_TEST(same_bits(a.sums, b.sums), "sums, width " << width);
        }
}

}  // namespace

BOOST_AUTO_TEST_CASE(patterns_stand_for_the_matrix) {
    for (const CrsMatrix& matrix : patterned_matrices())
        for (const int threads : {1, 2, 5}) {
            const auto patterns = row_patterns(view_of(matrix), threads);
            BOOST_REQUIRE(patterns.has_value());
            const CrsMatrix same = written_out(*patterns, matrix.is_complex);
            BOOST_TEST(same.row_pointers == matrix.row_pointers);
            BOOST_TEST(same.columns == matrix.columns);
            BOOST_TEST(same.values == matrix.values);
        }
}

// The number of patterns does not grow with the lattice.
BOOST_AUTO_TEST_CASE(numbers_of_patterns) {
    const auto count = [](const CrsMatrix& matrix) { return row_patterns(view_of(matrix), 3)->count(); };
    BOOST_TEST(count(prepared_copy(anderson({200, 1, 1}, Boundary::periodic))) == 3U);
    BOOST_TEST(count(prepared_copy(anderson({15, 16, 17}, Boundary::hard_wall))) == 27U);
    const CrsMatrix walls = prepared_copy(anderson({15, 16, 17}, Boundary::hard_wall));
    for (const int threads : {1, 3}) {
        BOOST_TEST(row_patterns(view_of(walls), threads, 27).has_value());
        BOOST_TEST(!row_patterns(view_of(walls), threads, 26));
    }
}

BOOST_AUTO_TEST_CASE(matrices_without_patterns) {
    std::mt19937_64 random(3);
    BOOST_TEST(!row_patterns(view_of(random_matrix(random, 3000, 4)), 2));
    BOOST_TEST(!row_patterns(view_of(random_hermitian(random, 3000, 4)), 2));
    CrsMatrix ring = ring_with_flux(10, 0.3);
    BOOST_TEST(row_patterns(view_of(ring), 1).has_value());
    // A diagonal element whose imaginary part is a rounding error.
    ring.row_pointers = {0, 1};
    ring.columns = {0};
    ring.values = {1, 1e-17};
    BOOST_TEST(!row_patterns(view_of(ring), 1));
}

BOOST_AUTO_TEST_CASE(kernels_give_the_bits_of_compressed_rows) {
    std::vector<const CpuKernels*> all{&CpuKernels::baseline};
#ifdef LEGATO_X86_64_LEVELS
    if (cpu_level() >= CpuLevel::v3) all.push_back(&CpuKernels::v3);
    if (cpu_level() >= CpuLevel::v4) all.push_back(&CpuKernels::v4);
#endif
    for (const CrsMatrix& matrix : patterned_matrices())
        for (const CpuKernels* const kernels : all) {
            compare_kernels(kernels->full, matrix);
            compare_kernels(kernels->single, matrix);
        }
}

// On a GPU compressed rows are chosen if many rows are alike, and otherwise padded rows of nearly equal length.
BOOST_AUTO_TEST_CASE(format_of_matrices_with_patterns) {
    const auto chosen = [](const CrsMatrix& matrix) {
        return choose_format(Backend::cuda, {}, Hamiltonian{prepared_copy(matrix)}, std::int64_t{1} << 40).format;
    };
    const CrsMatrix lattice = anderson({40, 30, 20}, Boundary::periodic);
    BOOST_TEST((chosen(lattice) == Format::crs));
    CrsMatrix ring;  // each bond has another value
    ring.row_pointers = {0};
    for (std::int32_t row = 0; row < 2000; ++row) {
        for (const std::int32_t column : {(row + 1999) % 2000, (row + 1) % 2000}) {
            ring.columns.push_back(column);
            ring.values.push_back(std::min(row, column) + 3 * std::max(row, column));
        }
        ring.row_pointers.push_back(2 * (row + 1));
    }
    BOOST_TEST((chosen(ring) == Format::ell));
}
