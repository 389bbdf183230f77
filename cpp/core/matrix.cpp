#include "core/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"

// The length of each character argument is passed by value after all other arguments, as gfortran does (its manual,
// "Argument passing conventions"). The lengths must be there: a library that gfortran compiled may reuse their place on
// the stack.
extern "C" {
void dgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b,
            const int* ldb, double* work, const int* lwork, int* info, std::size_t trans_length);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc, std::size_t transa_length, std::size_t transb_length);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info, std::size_t jobz_length,
             std::size_t uplo_length);
void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a, const int* lda,
             const double* vl, const double* vu, const int* il, const int* iu, const double* abstol, int* m, double* w,
             double* z, const int* ldz, int* isuppz, double* work, const int* lwork, int* iwork, const int* liwork,
             int* info, std::size_t jobz_length, std::size_t range_length, std::size_t uplo_length);
void dsysv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b,
            const int* ldb, double* work, const int* lwork, int* info, std::size_t uplo_length);
void dposv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda, double* b, const int* ldb,
            int* info, std::size_t uplo_length);
}

namespace legato {

void multiply(char transpose_a, char transpose_b, std::size_t m, std::size_t n, std::size_t k, const double* a,
              std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc) {
    if (m == 0 || n == 0) return;
    const auto integer = [](std::size_t size) { return std::max(static_cast<int>(size), 1); };
    const int rows = integer(m), columns = integer(n), inner = static_cast<int>(k), a_rows = integer(lda),
              b_rows = integer(ldb), c_rows = integer(ldc);
    const double one = 1.0, zero = 0.0;
    dgemm_(&transpose_a, &transpose_b, &rows, &columns, &inner, &one, a, &a_rows, b, &b_rows, &zero, c, &c_rows, 1, 1);
}

namespace {

Matrix general_product(char transpose_a, char transpose_b, const Matrix& a, const Matrix& b) {
    Matrix c(transpose_a == 'N' ? a.rows : a.columns, transpose_b == 'N' ? b.columns : b.rows);
    multiply(transpose_a, transpose_b, c.rows, c.columns, transpose_a == 'N' ? a.columns : a.rows, a.values.data(),
             a.rows, b.values.data(), b.rows, c.values.data(), c.rows);
    return c;
}

}  // namespace

void add(Matrix& a, const Matrix& b, double factor) {
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += factor * b.values[i];
}

Matrix product(const Matrix& a, const Matrix& b) {
    return general_product('N', 'N', a, b);
}
Matrix transposed_product(const Matrix& a, const Matrix& b) {
    return general_product('T', 'N', a, b);
}
Matrix product_transposed(const Matrix& a, const Matrix& b) {
    return general_product('N', 'T', a, b);
}

double trace_product(const Matrix& a, const Matrix& b) {
    const double *const left = a.values.data(), *const right = b.values.data();
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < a.values.size(); ++i) sum += left[i] * right[i];
    return sum;
}

namespace {

// Throws if an element is not finite, because LAPACK does not check.
void require_finite(const Matrix& a) {
    if (!std::all_of(a.values.begin(), a.values.end(), [](double value) { return std::isfinite(value); }))
        fail(Status::numerical_error, "an element of a matrix of order ", a.rows, " is not finite");
}

}  // namespace

std::vector<double> diagonalise(Matrix& a) {
    std::vector<double> eigenvalues(a.rows);
    if (a.rows == 0) return eigenvalues;
    require_finite(a);
    const int n = static_cast<int>(a.rows);
    int info = 0, work_size = -1, integers_size = -1, integers_wanted = 0;
    double work_wanted = 0;
    const auto call = [&](double* work, int* integers) {
        dsyevd_("V", "L", &n, a.values.data(), &n, eigenvalues.data(), work, &work_size, integers, &integers_size,
                &info, 1, 1);
        if (info != 0)
            fail(Status::numerical_error, "LAPACK's dsyevd has failed with info ", info, " for a matrix of order ", n);
    };
    call(&work_wanted, &integers_wanted);
    std::vector<double> work(static_cast<std::size_t>(work_wanted));
    std::vector<int> integers(static_cast<std::size_t>(integers_wanted));
    work_size = static_cast<int>(work.size());
    integers_size = integers_wanted;
    call(work.data(), integers.data());
    return eigenvalues;
}

Eigenpairs eigenpairs(Matrix a, std::size_t first, std::size_t count) {
    require_finite(a);
    if (count == 0) return {{}, Matrix(a.rows, 0)};
    if (count == a.rows) {  // dsyevr would take another method, whose vectors are less orthogonal
        std::vector<double> values = diagonalise(a);
        return {std::move(values), std::move(a)};
    }
    Eigenpairs pairs{std::vector<double>(a.rows), Matrix(a.rows, count)};
    const int n = static_cast<int>(a.rows), lowest = static_cast<int>(first) + 1,
              highest = static_cast<int>(first + count);
    // The tolerance is the smallest for bisection, because inverse iteration finds the vectors from the eigenvalues.
    const double unused = 0, tolerance = 2.0 * std::numeric_limits<double>::min();
    int info = 0, found = 0, work_size = -1, integers_size = -1, integers_wanted = 0;
    double work_wanted = 0;
    std::vector<int> supports(2 * count);
    const auto call = [&](double* work, int* integers) {
        dsyevr_("V", "I", "L", &n, a.values.data(), &n, &unused, &unused, &lowest, &highest, &tolerance, &found,
                pairs.values.data(), pairs.vectors.values.data(), &n, supports.data(), work, &work_size, integers,
                &integers_size, &info, 1, 1, 1);
        if (info != 0)
            fail(Status::numerical_error, "LAPACK's dsyevr has failed with info ", info, " for a matrix of order ", n);
    };
    call(&work_wanted, &integers_wanted);
    std::vector<double> work(static_cast<std::size_t>(work_wanted));
    std::vector<int> integers(static_cast<std::size_t>(integers_wanted));
    work_size = static_cast<int>(work.size());
    integers_size = integers_wanted;
    call(work.data(), integers.data());
    if (found != highest - lowest + 1)
        fail(Status::numerical_error, "LAPACK's dsyevr has found only ", found, " of ", count,
             " eigenvalues of a matrix of order ", n);
    pairs.values.resize(count);
    return pairs;
}

namespace {

void solve(Eigenproblem& problem) {
    try {
        if (!problem.largest_wanted) {
            problem.pairs = eigenpairs(problem.matrix, problem.first, problem.count);
            return;
        }
        Matrix vectors = problem.matrix;
        const std::vector<double> values = diagonalise(vectors);
        if (!values.empty()) problem.largest = std::max(std::abs(values.front()), std::abs(values.back()));
        const double* const first = values.data() + problem.first;
        problem.pairs = {{first, first + problem.count}, Matrix(vectors.rows, problem.count)};
        std::copy_n(vectors.column(problem.first), vectors.rows * problem.count, problem.pairs.vectors.values.data());
    } catch (const Error& error) {
        problem.failure = error.what();
    }
}

}  // namespace

void solve(std::span<Eigenproblem* const> problems, int threads) {
    in_parallel(problems.size(), threads, [&](std::size_t i) { solve(*problems[i]); });
}

double least_squares(Matrix a, std::vector<double>& b) {
    const auto is_finite = [](double value) { return std::isfinite(value); };
    constexpr double none = std::numeric_limits<double>::infinity();
    if (!std::all_of(a.values.begin(), a.values.end(), is_finite) || !std::all_of(b.begin(), b.end(), is_finite))
        return none;
    const int m = static_cast<int>(a.rows), n = static_cast<int>(a.columns), one = 1, work_size = n * 64;
    std::vector<double> work(static_cast<std::size_t>(work_size));
    int info = 0;
    dgels_("N", &m, &n, &one, a.values.data(), &m, b.data(), &m, work.data(), &work_size, &info, 1);
    if (info != 0) return none;
    double squares = 0;
    for (std::size_t i = a.columns; i < a.rows; ++i) squares += b[i] * b[i];
    return squares;
}

bool solve_symmetric(Matrix a, std::vector<double>& b) {
    const int n = static_cast<int>(a.rows), one = 1, work_size = n * 64;
    std::vector<int> pivots(a.rows);
    std::vector<double> work(static_cast<std::size_t>(work_size));
    int info = 0;
    dsysv_("L", &n, &one, a.values.data(), &n, pivots.data(), b.data(), &n, work.data(), &work_size, &info, 1);
    return info == 0;
}

bool solve_positive(Matrix a, Matrix& b) {
    if (b.values.empty()) return true;
    const int n = static_cast<int>(a.rows), columns = static_cast<int>(b.columns);
    int info = 0;
    dposv_("L", &n, &columns, a.values.data(), &n, b.values.data(), &n, &info, 1);
    return info == 0;
}

}  // namespace legato
