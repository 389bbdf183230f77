// Wraps LAPACK and NLopt.
#include <nlopt.h>

#include "wrapped.hpp"

using legato::tests::Failure;

// LAPACK reports errors in *info, the last argument before the lengths of texts.
#define LEGATO_LAPACK(name, parameters, arguments)        \
    extern "C" void __real_##name parameters;             \
    extern "C" void __wrap_##name parameters {            \
        if (legato::tests::fails(Failure::lapack, #name)) \
            *info = 1;                                    \
        else                                              \
            __real_##name arguments;                      \
    }

LEGATO_LAPACK(dgels_,
              (const char* trans, const int* m, const int* n, const int* columns, double* a, const int* lda, double* b,
               const int* ldb, double* work, const int* work_size, int* info, std::size_t trans_length),
              (trans, m, n, columns, a, lda, b, ldb, work, work_size, info, trans_length))
LEGATO_LAPACK(dsyevd_,
              (const char* job, const char* triangle, const int* n, double* a, const int* lda, double* values,
               double* work, const int* work_size, int* integers, const int* integers_size, int* info,
               std::size_t job_length, std::size_t triangle_length),
              (job, triangle, n, a, lda, values, work, work_size, integers, integers_size, info, job_length,
               triangle_length))
LEGATO_LAPACK(dsyevr_,
              (const char* job, const char* range, const char* triangle, const int* n, double* a, const int* lda,
               const double* low, const double* high, const int* first, const int* last, const double* tolerance,
               int* found, double* values, double* vectors, const int* ldv, int* supports, double* work,
               const int* work_size, int* integers, const int* integers_size, int* info, std::size_t job_length,
               std::size_t range_length, std::size_t triangle_length),
              (job, range, triangle, n, a, lda, low, high, first, last, tolerance, found, values, vectors, ldv,
               supports, work, work_size, integers, integers_size, info, job_length, range_length, triangle_length))
LEGATO_LAPACK(dposv_,
              (const char* triangle, const int* n, const int* columns, double* a, const int* lda, double* b,
               const int* ldb, int* info, std::size_t triangle_length),
              (triangle, n, columns, a, lda, b, ldb, info, triangle_length))
LEGATO_LAPACK(dsysv_,
              (const char* triangle, const int* n, const int* columns, double* a, const int* lda, int* pivots,
               double* b, const int* ldb, double* work, const int* work_size, int* info, std::size_t triangle_length),
              (triangle, n, columns, a, lda, pivots, b, ldb, work, work_size, info, triangle_length))

namespace {

constexpr auto kind = Failure::minimiser;

}  // namespace

LEGATO_FAILS(nlopt_create, nullptr, nlopt_opt, (nlopt_algorithm algorithm, unsigned n), (algorithm, n))
LEGATO_FAILS(nlopt_set_min_objective, NLOPT_FAILURE, nlopt_result, (nlopt_opt self, nlopt_func f, void* user),
             (self, f, user))
LEGATO_FAILS(nlopt_set_initial_step1, NLOPT_OUT_OF_MEMORY, nlopt_result, (nlopt_opt self, double step), (self, step))
LEGATO_FAILS(nlopt_set_xtol_abs1, NLOPT_OUT_OF_MEMORY, nlopt_result, (nlopt_opt self, double tolerance),
             (self, tolerance))
LEGATO_FAILS(nlopt_set_maxeval, NLOPT_FAILURE, nlopt_result, (nlopt_opt self, int count), (self, count))
LEGATO_FAILS(nlopt_set_vector_storage, NLOPT_FAILURE, nlopt_result, (nlopt_opt self, unsigned count), (self, count))
LEGATO_FAILS(nlopt_set_ftol_rel, NLOPT_FAILURE, nlopt_result, (nlopt_opt self, double tolerance), (self, tolerance))
LEGATO_FAILS(nlopt_set_stopval, NLOPT_FAILURE, nlopt_result, (nlopt_opt self, double value), (self, value))
LEGATO_FAILS(nlopt_optimize, NLOPT_OUT_OF_MEMORY, nlopt_result, (nlopt_opt self, double* x, double* minimum),
             (self, x, minimum))
