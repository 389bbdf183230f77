// Dense column-major matrices, and the few BLAS and LAPACK operations that the methods need.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace legato {

struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;

    Matrix() = default;
    Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c) {}

    double& operator()(std::size_t i, std::size_t j) { return values[j * rows + i]; }
    double operator()(std::size_t i, std::size_t j) const { return values[j * rows + i]; }
    double* column(std::size_t j) { return values.data() + j * rows; }
    const double* column(std::size_t j) const { return values.data() + j * rows; }
};

// Computes C = A B, where A, B or both are transposed ('T') or not ('N'). c is [m x n]; the inner length is k.
void multiply(char transpose_a, char transpose_b, std::size_t m, std::size_t n, std::size_t k, const double* a,
              std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc);

void add(Matrix& a, const Matrix& b, double factor = 1.0);    // A <- A + factor B, of the same shape
Matrix product(const Matrix& a, const Matrix& b);             // A B
Matrix transposed_product(const Matrix& a, const Matrix& b);  // A^T B
Matrix product_transposed(const Matrix& a, const Matrix& b);  // A B^T
double trace_product(const Matrix& a, const Matrix& b);       // sum of A_ij B_ij

// Returns the eigenvalues of the symmetric matrix `a` in ascending order. The columns of `a` become the eigenvectors.
// Throws numerical_error if an element is not finite or LAPACK fails.
std::vector<double> diagonalise(Matrix& a);

// Some of the eigenpairs. eigenpairs() returns `count` of them from number `first` on, in ascending order and counted
// from 0. It throws like diagonalise(). A tenth of the pairs takes half the time of all.
struct Eigenpairs {
    std::vector<double> values;  // [count] ascending
    Matrix vectors;              // [n x count]
};
Eigenpairs eigenpairs(Matrix a, std::size_t first, std::size_t count);

// One of many eigenproblems that are solved together.
struct Eigenproblem {
    Matrix matrix;                     // symmetric
    std::size_t first = 0, count = 0;  // pairs wanted
    bool largest_wanted = false;       // true if the largest absolute eigenvalue is wanted too

    Eigenpairs pairs;
    double largest = 0;
    std::string failure;  // empty if it is solved
};
void solve(std::span<Eigenproblem* const> problems, int threads);

// Finds the x for which |A x - b| is smallest; it replaces the first elements of b. A is [m x n] with m >= n. Returns
// |A x - b|^2, or infinity if the columns of A are linearly dependent or an element is not finite.
double least_squares(Matrix a, std::vector<double>& b);

// Solves the symmetric system A x = b; x replaces b. Returns false if A is singular.
bool solve_symmetric(Matrix a, std::vector<double>& b);

// Solves A X = B with a symmetric positive definite A; X replaces B. Returns false if A is not positive definite.
bool solve_positive(Matrix a, Matrix& b);

}  // namespace legato
