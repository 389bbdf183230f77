/** @file
 * The steps of the transfer-matrix method on arrays of the caller, for programs that keep their own loop. The drop-ins
 * for old Fortran programs use these functions. A program that can pass the whole run to the library is faster with
 * legato/tmm.h.
 *
 * A slice has N sites: 1, M or M^2 in 1, 2 or 3 dimensions. In 3D site (x, y) has the number x + M y. N columns are
 * multiplied; each has N components in the current slice and N in the slice before. They are stored in two square
 * arrays psi_a and psi_b of N * N doubles each. The names in this header call a column a state. The columns can be
 * processed in two ways.
 *
 * legato_tmm_multiply and legato_tmm_orthonormalise have finished their work on the arrays when they return. They run
 * on the CPU, with the context's threads if the slice is wide. A context that requests CUDA is refused with
 * LEGATO_STATUS_NO_DEVICE.
 *
 * A legato_tmm_propagation keeps the arrays inside the library, on the GPU if that is faster. It queues multiplications
 * and carries them out when an orthonormalisation follows. */
#ifndef LEGATO_TMM_STEPS_H
#define LEGATO_TMM_STEPS_H

#include <legato/tmm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Order of the elements of psi_a and psi_b. The texts below write the arrays as in Fortran, where the first index runs
 * fastest. */
typedef enum legato_tmm_layout {
    LEGATO_TMM_LAYOUT_SITE_FIRST = 0, /**< psi(site, state): element (i, j) at psi[i + N * j] */
    LEGATO_TMM_LAYOUT_STATE_FIRST = 1 /**< psi(state, site): element (j, i) at psi[j + N * i] */
} legato_tmm_layout;

/** Multiplies by one transfer matrix. Before the call psi_a is the current slice and psi_b the slice before. The call
 * replaces psi_b by the next slice and leaves psi_a unchanged:
 *
 *     psi_b(i) <- diagonal(i) psi_a(i) - hopping * (sum of the transverse neighbours of i in psi_a) - psi_b(i).
 *
 * `dimension` is 1, 2 or 3, and `width` is M as in legato_tmm_params. `boundary` is one of legato_tmm_boundary,
 * LEGATO_TMM_BOUNDARY_HARD_WALL in 1D. Range of hopping: [-1e6, 1e6]. If both neighbours along an axis are the same
 * site (M = 2, periodic), this site counts twice. With M = 1 and a boundary other than a hard wall a site is its own
 * neighbour. diagonal[N] is E - V. The function does not check whether the elements of diagonal, psi_a and psi_b are
 * finite. psi_a and psi_b must not overlap. */
LEGATO_API int32_t legato_tmm_multiply(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                       double hopping, int32_t layout, const double diagonal[], const double psi_a[],
                                       double psi_b[]);

/** Multiplies by one transfer matrix of a narrow bar, see legato_tmm_narrow_step. The arguments are those of
 * legato_tmm_multiply. */
typedef void (*legato_tmm_step)(double hopping, const double diagonal[], const double psi_a[], double psi_b[]);

/** Finds a function that does the same as legato_tmm_multiply for a bar of width 1 to 8, for loops with millions of
 * multiplications. The arguments are those of legato_tmm_multiply. *step becomes NULL if the bar is wider. *step is
 * valid in every thread until the library is unloaded.
 *
 * *step checks nothing and works in the caller's floating-point environment. In the default environment its results are
 * bitwise identical to those of legato_tmm_multiply. */
LEGATO_API int32_t legato_tmm_narrow_step(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                          int32_t layout, legato_tmm_step* step);

/** Orthonormalises n vectors of 2n components in their order by modified Gram-Schmidt; from n = 48 on, it does so in
 * panels of vectors. Vector j is column j of psi_a followed by column j of psi_b. log_norms[n] receives ln R_jj, where
 * R_jj is the norm of vector j after the earlier vectors have been projected out. Range of n: [1, 4096]. The library
 * keeps a work array of 16 n^2 bytes for the calling thread. Returns LEGATO_STATUS_NUMERICAL_ERROR if an R_jj is zero
 * or not finite. log_norms is then NaN from this vector on, and psi_a and psi_b are unchanged.
 *
 * The error of ln R_jj is about 1e-16 |vector j| / R_jj. The orthonormalised vectors Q have errors Q^T Q - 1 of the
 * same size. The function returns LEGATO_STATUS_PRECISION_LOST if the ratio |vector j| / R_jj exceeds 1e10. The result
 * is then that of modified Gram-Schmidt without panels, and rounding errors may have spoilt the vectors with the
 * smallest R_jj. The remedy is to orthonormalise more often. */
LEGATO_API int32_t legato_tmm_orthonormalise(legato_context* context, int64_t n, int32_t layout, double psi_a[],
                                             double psi_b[], double log_norms[]);

/** A propagation: the columns, which the library stores as two slices. The loop remains in the calling program. */
typedef struct legato_tmm_propagation legato_tmm_propagation;

/** Creates a propagation. The arguments are those of legato_tmm_multiply. The backend is that of the context.
 * LEGATO_BACKEND_AUTO chooses the faster one for 10000 cycles, each of 10 multiplications and an orthonormalisation.
 * legato_context_backend returns the choice. */
LEGATO_API int32_t legato_tmm_propagation_create(legato_context* context, int32_t dimension, int64_t width,
                                                 int32_t boundary, double hopping, int32_t layout,
                                                 legato_tmm_propagation** propagation);

/** Does the same as legato_tmm_propagation_create for a given number of expected cycles. The number affects the choice
 * of LEGATO_BACKEND_AUTO only. Range of cycles: [1, 1e15]. */
LEGATO_API int32_t legato_tmm_propagation_create_for(legato_context* context, int32_t dimension, int64_t width,
                                                     int32_t boundary, double hopping, int32_t layout, double cycles,
                                                     legato_tmm_propagation** propagation);

/** Destroys a propagation; NULL is allowed. */
LEGATO_API int32_t legato_tmm_propagation_destroy(legato_tmm_propagation* propagation);

/** Copies the current slice and the previous one into the propagation, N * N doubles each, and empties the queue. It
 * must be called before any of the functions below. */
LEGATO_API int32_t legato_tmm_propagation_load(legato_tmm_propagation* propagation, const double current[],
                                               const double previous[]);

/** Queues one multiplication. It makes the next slice the current one, and the slice that was current becomes the
 * previous one. Each queued multiplication takes the
 * memory of N doubles. diagonal[N] is E - V and is copied. */
LEGATO_API int32_t legato_tmm_propagation_multiply(legato_tmm_propagation* propagation, const double diagonal[]);

/** Carries out the queued multiplications and orthonormalises. log_norms[N] is as in legato_tmm_orthonormalise. Returns
 * LEGATO_STATUS_NUMERICAL_ERROR if an R_jj is zero or not finite. log_norms is then NaN, in this call and in all later
 * ones until the next legato_tmm_propagation_load.
 *
 * The function returns LEGATO_STATUS_PRECISION_LOST in the same case as legato_tmm_orthonormalise. The result is then
 * computed on the CPU, and the propagation can continue. The GPU detects a possible loss of precision from the ratio of
 * the largest R_jj to the smallest. The lengths of the loaded columns must therefore not differ by more than a few
 * powers of ten. */
LEGATO_API int32_t legato_tmm_propagation_orthonormalise(legato_tmm_propagation* propagation, double log_norms[]);

/** Reads the current slice and the previous one as they are after the queued multiplications. The propagation stays
 * unchanged. After an orthonormalisation that failed it returns LEGATO_STATUS_NUMERICAL_ERROR and writes nothing. */
LEGATO_API int32_t legato_tmm_propagation_store(legato_tmm_propagation* propagation, double current[],
                                                double previous[]);

#ifdef __cplusplus
}
#endif

#endif
