// Tests the caller's matrix. It is checked and sorted by any number of threads, borrowed or copied, and counted from 0
// or from 1.
#define BOOST_TEST_MODULE kpm_matrix
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>

#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

const std::vector<int> team_sizes{1, 2, 3, 8};

// Returns a matrix that is large enough for several threads.
CrsMatrix lattice_matrix() {
    Lattice lattice;
    lattice.extents = {40, 30, 20};
    lattice.boundary = {Boundary::periodic, Boundary::hard_wall, Boundary::periodic};
    lattice.on_site = OnSite::box;
    lattice.disorder = 3;
    return matrix_of(lattice, 1, 0);
}

// Returns the same elements in another order within their rows. Every third is divided into two parts, and there are
// additional zeros.
CrsMatrix out_of_order(const CrsMatrix& matrix) {
    std::mt19937_64 random(5);
    CrsMatrix other;
    other.row_pointers.push_back(0);
    for (std::size_t row = 0; row + 1 < matrix.row_pointers.size(); ++row) {
        std::vector<std::pair<std::int32_t, double>> elements;
        for (auto k = matrix.row_pointers[row]; k < matrix.row_pointers[row + 1]; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const bool split = (static_cast<std::size_t>(matrix.columns[i]) + row) % 3 == 0;
            elements.emplace_back(matrix.columns[i], matrix.values[i] * (split ? 0.25 : 1.0));
            if (split) elements.emplace_back(matrix.columns[i], matrix.values[i] * 0.75);
        }
        elements.emplace_back(static_cast<std::int32_t>((row * 7) % (matrix.row_pointers.size() - 1)), 0.0);
        std::shuffle(elements.begin(), elements.end(), random);
        for (const auto& [column, value] : elements) {
            other.columns.push_back(column);
            other.values.push_back(value);
        }
        other.row_pointers.push_back(static_cast<std::int64_t>(other.columns.size()));
    }
    return other;
}

CrsMatrix from_1(CrsMatrix matrix) {
    matrix.index_base = 1;
    for (std::int64_t& pointer : matrix.row_pointers) ++pointer;
    for (std::int32_t& column : matrix.columns) ++column;
    return matrix;
}

// Sets about every fifth element to zero, or removes it.
CrsMatrix with_zeros(const CrsMatrix& matrix, bool keep) {
    CrsMatrix other;
    other.row_pointers.push_back(0);
    for (std::size_t row = 0; row + 1 < matrix.row_pointers.size(); ++row) {
        for (auto k = static_cast<std::size_t>(matrix.row_pointers[row]);
             k < static_cast<std::size_t>(matrix.row_pointers[row + 1]); ++k) {
            const bool zero = (static_cast<std::size_t>(matrix.columns[k]) + row) % 5 == 0;
            if (zero && !keep) continue;
            other.columns.push_back(matrix.columns[k]);
            other.values.push_back(zero ? 0.0 : matrix.values[k]);
        }
        other.row_pointers.push_back(static_cast<std::int64_t>(other.columns.size()));
    }
    return other;
}

template <class Number>
bool same(const Pages<Number>& a, const Pages<Number>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Number)) == 0);
}

bool same(const CrsMatrix& a, const CrsMatrix& b) {
    return same(a.row_pointers, b.row_pointers) && same(a.columns, b.columns) && same(a.values, b.values);
}

CrsMatrix prepared_by(int threads, const CrsMatrix& matrix) {
    Hamiltonian hamiltonian = matrix;
    prepare(hamiltonian, threads);
    return std::get<CrsMatrix>(hamiltonian);
}

std::vector<double> all_samples(const Hamiltonian& hamiltonian, Format format = Format::auto_) {
    Context context = make_context(2);
    Problem problem;
    problem.moments = 20;
    problem.vectors = 5;
    problem.format = format;
    const auto solver = finished(context, problem, hamiltonian);
    std::vector<double> all;
    for (std::int64_t i = 0; i < solver->samples_done(); ++i)
        all.insert(all.end(), solver->sample(i).begin(), solver->sample(i).end());
    return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(threads_put_rows_in_the_same_order) {
    const CrsMatrix matrix = lattice_matrix(), shuffled = out_of_order(matrix);
    for (const int threads : team_sizes) {
        BOOST_TEST(same(prepared_by(threads, matrix), matrix), threads << " threads");
        const CrsMatrix sorted = prepared_by(threads, shuffled);
        BOOST_TEST(same(sorted.row_pointers, matrix.row_pointers), threads << " threads");
        BOOST_TEST(same(sorted.columns, matrix.columns), threads << " threads");
        double worst = 0;
        for (std::size_t k = 0; k < matrix.values.size(); ++k)
            worst = std::max(worst, std::abs(sorted.values[k] - matrix.values[k]));
        BOOST_TEST(worst < 1e-15);
        BOOST_TEST(same(sorted, prepared_by(1, shuffled)), threads << " threads");
        BOOST_TEST(sorted.longest_row == 7);
    }
}

// The matrix of a lattice has the same bits for any number of threads, and each element is the sum of its bonds.
BOOST_AUTO_TEST_CASE(threads_make_the_same_matrix) {
    for (const auto& extents :
         std::vector<std::array<std::int64_t, 3>>{{7, 1, 1}, {2, 2, 2}, {2, 5, 1}, {5, 2, 3}, {9, 8, 7}, {1, 1, 1}})
        for (int walls = 0; walls < 8; ++walls) {
            Lattice lattice;
            lattice.extents = extents;
            for (std::size_t d = 0; d < 3; ++d)
                lattice.boundary[d] = walls >> d & 1 ? Boundary::hard_wall : Boundary::periodic;
            lattice.hopping = 0.7;
            lattice.on_site = OnSite::box;
            lattice.disorder = 3;
            const CrsMatrix matrix = matrix_of(lattice, 4, 2);
            const auto sites = static_cast<std::size_t>(lattice.sites());
            Matrix expected(sites, sites);
            std::size_t stride = 1;
            for (std::size_t i = 0; i < sites; ++i) draw_energies(lattice, 4, 2, std::int64_t(i), {&expected(i, i), 1});
            for (std::size_t d = 0; d < 3; stride *= static_cast<std::size_t>(extents[d++]))
                for (std::size_t i = 0; i < sites; ++i) {
                    const auto extent = static_cast<std::size_t>(extents[d]), at = i / stride % extent;
                    if (extent == 1 || (at + 1 == extent && lattice.boundary[d] == Boundary::hard_wall)) continue;
                    const std::size_t next = i + ((at + 1) % extent) * stride - at * stride;
                    expected(i, next) -= 0.7;
                    expected(next, i) -= 0.7;
                }
            const Matrix found = dense(matrix);
            bool equal = true;
            for (std::size_t i = 0; i < sites; ++i)
                for (std::size_t j = 0; j < sites; ++j) equal &= found(i, j) == expected(i, j);
            BOOST_TEST(equal, extents[0] << " " << extents[1] << " " << extents[2] << " " << walls);
            BOOST_TEST(same(prepared_by(1, matrix), matrix));  // ascending columns
            for (const int threads : team_sizes) BOOST_TEST(same(matrix_of(lattice, 4, 2, threads), matrix));
        }
}

// Matrices with one or several errors at random places. The message is the same for every number of threads.
BOOST_AUTO_TEST_CASE(threads_refuse_the_same) {
    const CrsMatrix matrix = lattice_matrix();
    std::mt19937_64 random(8);
    for (int i = 0; i < 60; ++i) {
        CrsMatrix wrong = i % 4 == 3 ? from_1(matrix) : matrix;
        for (int faults = 0; faults <= i % 3; ++faults) {
            const std::size_t k = random() % wrong.columns.size();
            switch (random() % 6) {
                case 0:
                    wrong.row_pointers[1 + random() % (wrong.row_pointers.size() - 1)] -= 100;
                    break;
                case 1:
                    wrong.columns[k] = random() % 2 ? -1 : 1 << 20;
                    break;
                case 2:
                    wrong.values[k] = NAN;
                    break;
                case 3:
                    wrong.values[k] += 1e-6;
                    if (wrong.columns[k] - wrong.index_base == static_cast<std::int32_t>(random() % 2)) break;
                    [[fallthrough]];
                case 4:
                    wrong.values[k] += 2;
                    break;
                default:
                    wrong.columns[k] = wrong.columns[(k + 5) % wrong.columns.size()];
            }
        }
        const auto said = [&](const Hamiltonian& hamiltonian, int threads) {
            return failure_of([&] { prepared(hamiltonian, threads); });
        };
        const auto expected = said(wrong, 1);
        for (const int threads : team_sizes) {
            BOOST_TEST((said(wrong, threads) == expected), expected.second);
            BOOST_TEST((said(view_of(wrong), threads) == expected), expected.second);
        }
    }
}

// Each single element of a small matrix gets another value or is removed. This is always found.
BOOST_AUTO_TEST_CASE(every_element_has_its_partner) {
    std::mt19937_64 random(2);
    const CrsMatrix matrix = prepared_by(1, random_matrix(random, 30, 5));
    for (std::size_t row = 0; row < 30; ++row)
        for (auto k = static_cast<std::size_t>(matrix.row_pointers[row]);
             k < static_cast<std::size_t>(matrix.row_pointers[row + 1]); ++k) {
            if (matrix.columns[k] == static_cast<std::int32_t>(row)) continue;
            for (const double value : {matrix.values[k] * (1 + 1e-9), -matrix.values[k], 0.0}) {
                CrsMatrix wrong = matrix;
                wrong.values[k] = value;
                const auto [status, message] = failure_of([&] { prepared(view_of(wrong), 2); });
                BOOST_TEST((status == Status::invalid_argument));
                BOOST_TEST(message.find(text("row ", row, " and column ", matrix.columns[k], " is ")) !=
                           std::string::npos);
            }
        }
}

// A sorted matrix remains where it is; any other is copied.
BOOST_AUTO_TEST_CASE(borrowed_arrays) {
    const CrsMatrix matrix = lattice_matrix(), shuffled = out_of_order(matrix);
    const auto hamiltonian = prepared(view_of(matrix), 3);
    BOOST_TEST(std::get<CrsView>(*hamiltonian).values == matrix.values.data());
    BOOST_TEST(std::get<CrsView>(*hamiltonian).longest_row == 7);
    BOOST_TEST(same(std::get<CrsMatrix>(*prepared(view_of(shuffled), 3)), prepared_by(1, shuffled)));
    const CrsMatrix copy = copy_of(view_of(from_1(matrix)), 3);
    BOOST_TEST(same(copy, from_1(matrix)));
    BOOST_TEST(copy.index_base == 1);
}

// Results are bitwise identical for owned and borrowed arrays, and for indices from 0 and from 1.
BOOST_AUTO_TEST_CASE(moments_of_borrowed_arrays) {
    const CrsMatrix matrix = lattice_matrix(), counted = from_1(matrix);
    for (const Format format : {Format::crs, Format::ell}) {
        const std::vector<double> expected = all_samples(matrix, format);
        BOOST_TEST(same_bits(all_samples(counted, format), expected));
        BOOST_TEST(same_bits(all_samples(view_of(matrix), format), expected));
        BOOST_TEST(same_bits(all_samples(view_of(counted), format), expected));
    }
}

// Elements that are zero change neither the results, bit for bit, nor the bounds, nor the matrix's fingerprint in a
// state file.
BOOST_AUTO_TEST_CASE(elements_that_are_zero) {
    const CrsMatrix matrix = lattice_matrix(), zeros = with_zeros(matrix, true), none = with_zeros(matrix, false);
    BOOST_REQUIRE(zeros.columns.size() == matrix.columns.size());
    BOOST_REQUIRE(none.columns.size() < matrix.columns.size());
    const std::vector<double> expected = all_samples(none);
    BOOST_TEST(same_bits(all_samples(zeros), expected));
    BOOST_TEST(same_bits(all_samples(view_of(from_1(zeros))), expected));
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_matrix_test.h5";
    Context context = make_context();
    Problem problem;
    problem.moments = 20;
    problem.vectors = 5;
    finished(context, problem, none)->save(path);
    const CrsMatrix counted = from_1(zeros);
    BOOST_TEST(Solver::resume(context, path, prepared(view_of(counted)))->samples_done() == 5);
    CrsMatrix other = zeros;
    *std::find_if(other.values.begin(), other.values.end(), [](double value) { return value != 0; }) *= 1 + 1e-14;
    BOOST_TEST(failure_of([&] {
                   Solver::resume(context, path, prepared(other));
               }).second.ends_with("it belongs to another Hamiltonian"));
    std::filesystem::remove(path);
}
