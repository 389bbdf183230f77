// Checks that the lengths of character arguments reach LAPACK and BLAS. The linker puts the functions below in place of
// those of the libraries.
#define BOOST_TEST_MODULE lapack
#include <boost/test/unit_test.hpp>
#include <vector>

#include "core/matrix.hpp"

using namespace legato;

namespace {

std::vector<std::size_t> lengths;

}  // namespace

// LAPACK calls dgemm, too, and must find this one.
#pragma GCC visibility push(default)
extern "C" {
void __real_dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                   const int*, const double*, const int*, const double*, double*, const int*, std::size_t, std::size_t);
void __wrap_dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                   const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                   const double* beta, double* c, const int* ldc, std::size_t first, std::size_t second) {
    lengths.insert(lengths.end(), {first, second});
    __real_dgemm_(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, first, second);
}

void __real_dgels_(const char*, const int*, const int*, const int*, double*, const int*, double*, const int*, double*,
                   const int*, int*, std::size_t);
void __wrap_dgels_(const char* trans, const int* m, const int* n, const int* columns, double* a, const int* lda,
                   double* b, const int* ldb, double* work, const int* work_size, int* info, std::size_t first) {
    lengths.push_back(first);
    __real_dgels_(trans, m, n, columns, a, lda, b, ldb, work, work_size, info, first);
}

void __real_dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*,
                    const int*, int*, std::size_t, std::size_t);
void __wrap_dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* values,
                    double* work, const int* work_size, int* integers, const int* integers_size, int* info,
                    std::size_t first, std::size_t second) {
    lengths.insert(lengths.end(), {first, second});
    __real_dsyevd_(job, triangle, n, a, lda, values, work, work_size, integers, integers_size, info, first, second);
}

void __real_dsyevr_(const char*, const char*, const char*, const int*, double*, const int*, const double*,
                    const double*, const int*, const int*, const double*, int*, double*, double*, const int*, int*,
                    double*, const int*, int*, const int*, int*, std::size_t, std::size_t, std::size_t);
void __wrap_dsyevr_(const char* job, const char* range, const char* triangle, const int* n, double* a, const int* lda,
                    const double* low, const double* high, const int* least, const int* most, const double* tolerance,
                    int* found, double* values, double* vectors, const int* ldv, int* supports, double* work,
                    const int* work_size, int* integers, const int* integers_size, int* info, std::size_t first,
                    std::size_t second, std::size_t third) {
    lengths.insert(lengths.end(), {first, second, third});
    __real_dsyevr_(job, range, triangle, n, a, lda, low, high, least, most, tolerance, found, values, vectors, ldv,
                   supports, work, work_size, integers, integers_size, info, first, second, third);
}

void __real_dposv_(const char*, const int*, const int*, double*, const int*, double*, const int*, int*, std::size_t);
void __wrap_dposv_(const char* triangle, const int* n, const int* columns, double* a, const int* lda, double* b,
                   const int* ldb, int* info, std::size_t first) {
    lengths.push_back(first);
    __real_dposv_(triangle, n, columns, a, lda, b, ldb, info, first);
}

void __real_dsysv_(const char*, const int*, const int*, double*, const int*, int*, double*, const int*, double*,
                   const int*, int*, std::size_t);
void __wrap_dsysv_(const char* triangle, const int* n, const int* columns, double* a, const int* lda, int* pivots,
                   double* b, const int* ldb, double* work, const int* work_size, int* info, std::size_t first) {
    lengths.push_back(first);
    __real_dsysv_(triangle, n, columns, a, lda, pivots, b, ldb, work, work_size, info, first);
}
}
#pragma GCC visibility pop

BOOST_AUTO_TEST_CASE(every_character_argument_has_its_length) {
    Matrix a(3, 3);
    for (std::size_t i = 0; i < 3; ++i) a(i, i) = static_cast<double>(i) + 1;
    const Matrix b = product(a, a);
    Matrix vectors = a;
    diagonalise(vectors);
    eigenpairs(a, 0, 1);
    std::vector<double> right{1, 2, 3};
    Matrix columns = a;
    BOOST_TEST(solve_positive(a, columns));
    BOOST_TEST(columns(2, 2) == 1, boost::test_tools::tolerance(1e-15));
    BOOST_TEST(solve_symmetric(a, right));
    BOOST_TEST(right[2] == 1);
    BOOST_TEST(least_squares(a, right) == 0);
    // dgemm is called once, dsyevd and dsyevr twice, as they first ask for their work space, dposv, dsysv and dgels
    // once.
    BOOST_TEST(lengths == std::vector<std::size_t>(2 + 2 * 2 + 2 * 3 + 1 + 1 + 1, 1), boost::test_tools::per_element());
}
