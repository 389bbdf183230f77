#include "dfr/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

double product_of_columns(const Matrix& a, std::size_t i, std::size_t j) {
    return std::inner_product(a.column(i), a.column(i) + a.rows, a.column(j), 0.0);
}

// Orthogonalises twice, because rounding would otherwise leave an overlap of nearly dependent columns.
void make_orthonormal(Matrix& a) {
    for (std::size_t j = 0; j < a.columns; ++j) {
        for (int times = 0; times < 2; ++times)
            for (std::size_t i = 0; i < j; ++i) {
                const double overlap = product_of_columns(a, i, j);
                for (std::size_t p = 0; p < a.rows; ++p) a(p, j) -= overlap * a(p, i);
            }
        const double norm = std::sqrt(product_of_columns(a, j, j));
        for (std::size_t p = 0; p < a.rows; ++p) a(p, j) /= norm;
    }
}

}  // namespace

Matrix overlap(const std::vector<double>& to, const std::vector<double>& from, int power) {
    Matrix s(to.size(), from.size());
    for (std::size_t q = 0; q < from.size(); ++q)
        for (std::size_t p = 0; p < to.size(); ++p)
            s(p, q) = std::pow(2.0 * std::sqrt(to[p]) * std::sqrt(from[q]) / (to[p] + from[q]), power + 0.5);
    return s;
}

Matrix projected(const StartSpinors& start, int species, const std::vector<double>& exponents, const Matrix& large,
                 const Matrix& small) {
    const auto s = static_cast<std::size_t>(species);
    const int l = l_of(species);
    if (start.large[s].columns == 0) return {large.columns + small.columns, 0};
    const Matrix upper =
        transposed_product(large, product(overlap(exponents, start.exponents[s], l + 1), start.large[s]));
    Matrix spinors(large.columns + small.columns, upper.columns), lower;
    if (small.columns > 0)
        lower = transposed_product(small, product(overlap(exponents, start.exponents[s], l + 2), start.small[s]));
    for (std::size_t j = 0; j < spinors.columns; ++j) {
        std::copy_n(upper.column(j), upper.rows, spinors.column(j));
        if (lower.rows > 0) std::copy_n(lower.column(j), lower.rows, spinors.column(j) + upper.rows);
    }
    make_orthonormal(spinors);
    return spinors;
}

}  // namespace legato::dfr
