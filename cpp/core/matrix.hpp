// Dense column-major matrices, and the few operations of BLAS and LAPACK that the methods need.
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

// C <- A B or with A or B transposed ('T'); c is [m x n], the inner length k.
void multiply(char transpose_a, char transpose_b, std::size_t m, std::size_t n, std::size_t k, const double* a,
              std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc);

Matrix product(const Matrix& a, const Matrix& b);             // A B
Matrix transposed_product(const Matrix& a, const Matrix& b);  // A^T B
Matrix product_transposed(const Matrix& a, const Matrix& b);  // A B^T
double trace_product(const Matrix& a, const Matrix& b);       // sum of A_ij B_ij

// Eigenvalues ascending; the columns of `a` become the eigenvectors. Throws numerical_error where an element is not
// finite or LAPACK finds none.
std::vector<double> diagonalise(Matrix& a);

// Some eigenpairs only: those from the `first` lowest eigenvalue on, `count` of them; throws as above. For a tenth of
// them half the time of all.
struct Eigenpairs {
    std::vector<double> values;  // [count] ascending
    Matrix vectors;              // [n x count]
};
Eigenpairs eigenpairs(Matrix a, std::size_t first, std::size_t count);

// An eigenproblem among many.
struct Eigenproblem {
    Matrix matrix;                     // symmetric
    std::size_t first = 0, count = 0;  // the pairs wanted
    bool largest_wanted = false;       // the largest absolute eigenvalue too

    Eigenpairs pairs;
    double largest = 0;
    std::string failure;  // empty: it is solved
};
void solve(std::span<Eigenproblem* const> problems, int threads);

// Solves the symmetric system A x = b; false where A is singular.
bool solve_symmetric(Matrix a, std::vector<double>& b);

}  // namespace legato
