// Complex Hermitian matrices for the tests, and what LAPACK says of them.
#pragma once

#include <complex>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "runs.hpp"

extern "C" void zheev_(const char* job, const char* triangle, const int* n, std::complex<double>* a, const int* lda,
                       double* values, std::complex<double>* work, const int* work_size, double* reals, int* info,
                       std::size_t, std::size_t);

namespace legato::kpm::tests {

using Element = std::complex<double>;

// Lists of the elements of each row, in any order; elements of the same column are added.
using Rows = std::vector<std::vector<std::pair<std::int32_t, Element>>>;

inline CrsMatrix complex_matrix(const Rows& rows) {
    CrsMatrix matrix;
    matrix.is_complex = true;
    matrix.row_pointers.push_back(0);
    for (const auto& row : rows) {
        for (const auto& [column, value] : row) {
            matrix.columns.push_back(column);
            matrix.values.push_back(value.real());
            matrix.values.push_back(value.imag());
        }
        matrix.row_pointers.push_back(static_cast<std::int64_t>(matrix.columns.size()));
    }
    return matrix;
}

// Returns a connected random Hermitian matrix with about `per_row` elements in a row. Some elements occur twice, and
// rows are not sorted.
inline CrsMatrix random_hermitian(std::mt19937_64& random, std::int32_t rows, int per_row) {
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<std::int32_t> any(0, rows - 1);
    Rows lists(static_cast<std::size_t>(rows));
    const auto add = [&](std::int32_t i, std::int32_t j) {
        const double real = normal(random), imaginary = i == j ? 0.0 : normal(random);
        lists[static_cast<std::size_t>(i)].emplace_back(j, Element(real, imaginary));
        if (i != j) lists[static_cast<std::size_t>(j)].emplace_back(i, Element(real, -imaginary));
    };
    for (std::int32_t i = 0; i < rows; ++i) {
        add(i, i);
        add(i, (i + 1) % rows);
        for (int k = 0; k < per_row / 2; ++k) add(i, any(random));
    }
    return complex_matrix(lists);
}

// Returns a ring whose hopping to the next site is e^(i phase). Its energies are 2 cos(k + phase).
inline CrsMatrix ring_with_flux(std::int32_t sites, double phase) {
    Rows rows(static_cast<std::size_t>(sites));
    for (std::int32_t i = 0; i < sites; ++i)
        rows[static_cast<std::size_t>(i)] = {{(i + 1) % sites, std::polar(1.0, phase)},
                                             {(i + sites - 1) % sites, std::polar(1.0, -phase)}};
    return complex_matrix(rows);
}

// Returns the elements of row i at [i][j].
inline std::vector<std::vector<Element>> complex_dense(const CrsMatrix& crs) {
    const auto rows = static_cast<std::size_t>(crs.rows());
    std::vector<std::vector<Element>> matrix(rows, std::vector<Element>(rows));
    for (std::size_t i = 0; i < rows; ++i)
        for (auto k = static_cast<std::size_t>(crs.row_pointers[i]);
             k < static_cast<std::size_t>(crs.row_pointers[i + 1]); ++k)
            matrix[i][static_cast<std::size_t>(crs.columns[k])] += value_at<Element>(crs.values.data(), k);
    return matrix;
}

inline std::vector<double> complex_eigenvalues(const CrsMatrix& crs) {
    const auto rows = complex_dense(crs);
    const int n = static_cast<int>(rows.size()), work_size = 64 * n;
    std::vector<Element> a, work(static_cast<std::size_t>(work_size));
    for (const auto& row : rows) a.insert(a.end(), row.begin(), row.end());  // the transposed one has the same energies
    std::vector<double> energies(rows.size()), reals(3 * rows.size());
    int info = 0;
    zheev_("N", "U", &n, a.data(), &n, energies.data(), work.data(), &work_size, reals.data(), &info, 1, 1);
    if (info != 0) throw std::runtime_error("zheev failed");
    return energies;
}

// Returns the real symmetric matrix [[A, -B], [B, A]] of A + iB, which has each energy twice.
inline CrsMatrix doubled(const CrsMatrix& crs) {
    CrsMatrix matrix;
    const auto rows = static_cast<std::size_t>(crs.rows());
    matrix.row_pointers.push_back(0);
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t i = 0; i < rows; ++i) {
            for (auto k = static_cast<std::size_t>(crs.row_pointers[i]);
                 k < static_cast<std::size_t>(crs.row_pointers[i + 1]); ++k) {
                const auto value = value_at<Element>(crs.values.data(), k);
                matrix.columns.push_back(crs.columns[k]);
                matrix.values.push_back(half == 0 ? value.real() : value.imag());
                matrix.columns.push_back(crs.columns[k] + static_cast<std::int32_t>(rows));
                matrix.values.push_back(half == 0 ? -value.imag() : value.real());
            }
            matrix.row_pointers.push_back(static_cast<std::int64_t>(matrix.columns.size()));
        }
    return matrix;
}

// Returns <r|T_n(H~)|r>, 0 <= n < count, by plain recursion with one product each.
inline std::vector<double> plain_moments(const CrsMatrix& crs, const std::vector<Element>& r,
                                         const Rescaling& rescaling, int count) {
    const auto h = complex_dense(crs);
    std::vector<Element> last(r.size()), now = r, next(r.size());
    std::vector<double> moments;
    for (int n = 0; n < count; ++n) {
        Element moment;
        for (std::size_t i = 0; i < r.size(); ++i) moment += std::conj(r[i]) * now[i];
        moments.push_back(moment.real());
        for (std::size_t i = 0; i < r.size(); ++i) {
            Element sum = -rescaling.centre * now[i];
            for (std::size_t j = 0; j < r.size(); ++j) sum += h[i][j] * now[j];
            next[i] = (n == 0 ? 1.0 : 2.0) * sum / rescaling.half_width - last[i];
        }
        last = now;
        now = next;
    }
    return moments;
}

}  // namespace legato::kpm::tests
