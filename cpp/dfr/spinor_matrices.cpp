#include "dfr/spinor_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace legato::dfr {

Matrix canonical_functions(Matrix overlap, double threshold) {
    const std::vector<double> eigenvalues = diagonalise(overlap);
    const auto first = static_cast<std::size_t>(std::lower_bound(eigenvalues.begin(), eigenvalues.end(), threshold) -
                                                eigenvalues.begin());
    Matrix functions(overlap.rows, overlap.columns - first);
    for (std::size_t j = 0; j < functions.columns; ++j)
        for (std::size_t i = 0; i < functions.rows; ++i)
            functions(i, j) = overlap(i, first + j) / std::sqrt(eigenvalues[first + j]);
    return functions;
}

void put(Matrix& target, std::size_t row, std::size_t column, const Matrix& part) {
    for (std::size_t j = 0; j < part.columns; ++j)
        std::copy_n(part.column(j), part.rows, target.column(column + j) + row);
}

void put_transposed(Matrix& target, std::size_t row, std::size_t column, const Matrix& part) {
    for (std::size_t j = 0; j < part.columns; ++j)
        for (std::size_t i = 0; i < part.rows; ++i) target(row + j, column + i) = part(i, j);
}

Matrix part_of(const Matrix& a, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
    Matrix part(rows, columns);
    for (std::size_t j = 0; j < columns; ++j) std::copy_n(a.column(column + j) + row, rows, part.column(j));
    return part;
}

Matrix in_orthonormal_functions(const Matrix& a, const Matrix& large, const Matrix& small) {
    const std::size_t n = large.rows, m = large.columns, k = small.columns, order = m + k;
    Matrix half(a.rows, m), result(order, order);  // half of the transformation: A X
    multiply('N', 'N', a.rows, m, n, a.values.data(), a.rows, large.values.data(), n, half.values.data(), a.rows);
    multiply('T', 'N', m, m, n, large.values.data(), n, half.values.data(), a.rows, result.values.data(), order);
    if (k == 0) return result;
    multiply('T', 'N', k, m, n, small.values.data(), n, half.values.data() + n, a.rows, result.values.data() + m,
             order);
    Matrix half_small(n, k);
    multiply('N', 'N', n, k, n, a.column(n) + n, a.rows, small.values.data(), n, half_small.values.data(), n);
    multiply('T', 'N', k, k, n, small.values.data(), n, half_small.values.data(), n, result.column(m) + m, order);
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = m; i < order; ++i) result(j, i) = result(i, j);
    return result;
}

Matrix without_rest_energy(const Matrix& fock, std::size_t large) {
    const std::size_t small = fock.rows - large;
    Matrix k = part_of(fock, large, small, large, small);
    for (double& value : k.values) value = -value;
    const std::vector<double> rest = diagonalise(k);
    const Matrix coupling = transposed_product(k, part_of(fock, large, small, 0, large));  // [small x large]
    const auto over_rest = [&](auto denominator) {
        Matrix scaled = coupling;
        for (std::size_t j = 0; j < large; ++j)
            for (std::size_t i = 0; i < small; ++i) scaled(i, j) /= denominator(i);
        return scaled;
    };
    const Matrix once = over_rest([&](std::size_t i) { return rest[i]; });
    Matrix metric = transposed_product(once, once), a = part_of(fock, 0, large, 0, large);
    for (std::size_t i = 0; i < large; ++i) metric(i, i) += 1.0;
    add(a, transposed_product(coupling, once));
    const Matrix x = canonical_functions(std::move(metric), 0.0);
    Matrix vectors = transposed_product(x, product(a, x));
    const std::vector<double> energies = diagonalise(vectors);
    vectors = product(x, vectors);
    Matrix bound = product(coupling, vectors);
    for (std::size_t j = 0; j < large; ++j)
        for (std::size_t i = 0; i < small; ++i) bound(i, j) /= rest[i] + std::max(energies[j], -0.5 * rest[i]);
    Matrix states(fock.rows, large);
    put(states, 0, 0, vectors);
    put(states, large, 0, product(k, bound));
    // The states are orthonormalised, and F is diagonalised between them.
    states = product(states, canonical_functions(transposed_product(states, states), 0.0));
    Matrix between = transposed_product(states, product(fock, states));
    diagonalise(between);
    return product(states, between);
}

Matrix completed(const Matrix& occupied, const Matrix& fock, double level) {
    const Matrix fu = product(fock, occupied);
    Matrix inside = transposed_product(occupied, fu), matrix = fock;
    for (std::size_t i = 0; i < inside.rows; ++i)
        inside(i, i) += level * (1.0 - 0.5 * static_cast<double>(i) / static_cast<double>(inside.rows));
    const Matrix crossed = product_transposed(fu, occupied),
                 added = product_transposed(product(occupied, inside), occupied);
    for (std::size_t j = 0; j < matrix.columns; ++j)
        for (std::size_t i = 0; i < matrix.rows; ++i) matrix(i, j) += added(i, j) - crossed(i, j) - crossed(j, i);
    diagonalise(matrix);
    return matrix;
}

}  // namespace legato::dfr
