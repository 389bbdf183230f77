/** @file
 * The transfer-matrix method: Lyapunov spectrum and localisation length of the Anderson model on a bar of cross-section
 * 1 (1D), M (2D) or M x M (3D) sites,
 *
 *     psi_{n+1}(i) = (E - V_n(i)) psi_n(i) - t sum_{nn i' of i} psi_n(i') - psi_{n-1}(i),
 *
 * for a list of points (energy E, disorder W). Energies in units of the longitudinal hopping, lengths in lattice
 * spacings. Formulas: A. MacKinnon and B. Kramer, Phys. Rev. Lett. 47, 1546 (1981); Z. Phys. B 53, 1 (1983). */
#ifndef LEGATO_TMM_H
#define LEGATO_TMM_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A run over a list of points. */
typedef struct legato_tmm legato_tmm;

/** Transverse boundary. */
typedef enum legato_tmm_boundary {
    LEGATO_TMM_HARD_WALL = 0,   /**< no neighbour across the edge */
    LEGATO_TMM_PERIODIC = 1,    /**< the opposite edge is the neighbour */
    LEGATO_TMM_ANTIPERIODIC = 2 /**< the neighbour across the edge counts with a minus sign */
} legato_tmm_boundary;

/** Distribution of the site energies V. */
typedef enum legato_tmm_disorder {
    LEGATO_TMM_UNIFORM = 0,        /**< V uniform on [-W/2, W/2] */
    LEGATO_TMM_UNIFORM_SCALED = 1, /**< V uniform with standard deviation W */
    LEGATO_TMM_GAUSSIAN = 2        /**< V normal with standard deviation W (lfsr113 streams: a sum of 20 uniforms) */
} legato_tmm_disorder;

/** Where the site energies are drawn from; the same numbers on both backends. */
typedef enum legato_tmm_random_stream {
    LEGATO_TMM_LFSR113 = 0,          /**< TMSEXD's stream, bit for bit; re-seeded with the same seed at every point */
    LEGATO_TMM_LFSR113_PER_SITE = 1, /**< site i (from 1) has its own generator, seeded with 1276 + i */
    LEGATO_TMM_PHILOX = 2            /**< counter-based: points, slices and sites are independent */
} legato_tmm_random_stream;

/** How a point starts, what its averages and errors are made of, and when it has converged. */
typedef enum legato_tmm_rule {
    LEGATO_TMM_BLOCKS = 0, /**< The start is random and orthonormal. burn_in cycles, and at least an eighth of the run,
                              are left out of the averages. Errors come from the spread of block averages and account
                              for autocorrelation. A point converges with at least min_blocks blocks */
    LEGATO_TMM_TMSEXD = 1  /**< The rule of the program TMSEXD, bit for bit. The start is the identity, every cycle
                              counts, and the error takes cycles as independent: too small or too large by a factor of
                              0.5 to 4.5. A point may converge after three cycles */
} legato_tmm_rule;

/** How a point stands. */
typedef enum legato_tmm_point_status {
    LEGATO_TMM_WAITING = 0,       /**< not begun */
    LEGATO_TMM_RUNNING = 1,       /**< what is there so far can be read */
    LEGATO_TMM_CONVERGED = 2,     /**< relative error of the smallest exponent <= epsilon, by legato_tmm_rule */
    LEGATO_TMM_NOT_CONVERGED = 3, /**< max_multiplications came first; or, almost without disorder, other exponents are
                                     too close to the smallest one: a smaller epsilon tells them apart */
    LEGATO_TMM_FAILED = 4,        /**< overflow or loss of rank within n_ortho multiplications: a warning, no result */
    LEGATO_TMM_IMPRECISE = 5      /**< the waves grow more than 10^10 apart within one multiplication: a warning; what
                                     came before counts. A smaller disorder, energy or hopping is the only remedy */
} legato_tmm_point_status;

/** What all points of a run share. */
typedef struct legato_tmm_params {
    size_t struct_size;    /**< set by legato_tmm_params_init */
    int32_t dimension;     /**< 1, 2 or 3. Default 2 */
    int32_t boundary;      /**< legato_tmm_boundary, transverse. Default PERIODIC; a chain (1D) has HARD_WALL only */
    int32_t disorder;      /**< legato_tmm_disorder. Default UNIFORM */
    int32_t random_stream; /**< legato_tmm_random_stream. Default PHILOX */
    int64_t width;         /**< M: 1 in 1D, 1..4096 in 2D, 1..64 in 3D. Default 1 */
    int64_t seed;          /**< any. Default 1277 */
    int64_t n_ortho; /**< multiplications in a cycle, which ends with an orthonormalisation; 1..1000. Default 10. Where
                        the waves of a point grow more than 10^10 apart within them (largest to smallest), it is
                        orthonormalised within the cycle too from then on, the spoilt cycle does not count, and a
                        warning says so when the point ends */
    int64_t max_multiplications; /**< 1.. ; a point that needs more ends as NOT_CONVERGED. Default 10^9 */
    double hopping;              /**< transverse hopping t, |t| <= 10^6. Default 1 */
    double epsilon;              /**< wanted relative error of the smallest exponent; 1e-15..1. Default 0.005 */
    double max_growth;  /**< 0, or 10..1e8: orthonormalise within a cycle too, so often that the ratio of largest
                           to smallest growth stays below this. Default 0 */
    int32_t rule;       /**< legato_tmm_rule. Default BLOCKS */
    int32_t min_blocks; /**< rule BLOCKS: blocks that must be averaged before a point can converge; 8..48. Default 32 */
    int64_t burn_in;    /**< rule BLOCKS: cycles to leave out at the start; 0..10^9. A point converges after at least
                           2 burn_in cycles, and its average leaves out half of its cycles at most. Default 128 */
} legato_tmm_params;

/** A point as it stands. */
typedef struct legato_tmm_point {
    size_t struct_size;         /**< set by the caller */
    int32_t status;             /**< legato_tmm_point_status */
    int32_t reserved;           /**< not used */
    int64_t cycles;             /**< orthonormalisations counted */
    double energy;              /**< E */
    double disorder;            /**< W */
    double localisation_length; /**< 1 / smallest exponent, infinite where that is 0; 0 before the first cycle */
    double relative_error;      /**< of the smallest exponent, and so of the localisation length; one standard error.
                                   NaN where it is not known: legato_tmm_result */
} legato_tmm_point;

/** legato_tmm_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_tmm_params_init_sized(legato_tmm_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_tmm_params_init(legato_tmm_params* params) {
    return legato_tmm_params_init_sized(params, sizeof *params);
}

/** Chooses the backend and makes a run over n_points points (energy[i], disorder[i]), 1..10^7 of them; |E| <= 10^6,
 * 0 <= W <= 10^6. `params` may be NULL for the defaults. LEGATO_OUT_OF_MEMORY where not even one point fits. */
LEGATO_API int32_t legato_tmm_create(legato_context* context, LEGATO_NULLABLE const legato_tmm_params* params,
                                     int64_t n_points, const double energy[], const double disorder[],
                                     legato_tmm** tmm);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_tmm_destroy(legato_tmm* tmm);

/** Runs until every point has ended. `callback` may be NULL; its points are points, its cycles cycles. A stopped run is
 * taken up again by calling once more. */
LEGATO_API int32_t legato_tmm_run(legato_tmm* tmm, legato_progress_callback callback, void* user);

/** Carries every point up to `cycles` cycles further; *finished (may be NULL) counts those that have ended. */
LEGATO_API int32_t legato_tmm_advance(legato_tmm* tmm, int64_t cycles, LEGATO_NULLABLE int64_t* finished);

/** Number of points, and of exponents each (1, M or M^2). Either pointer may be NULL. */
LEGATO_API int32_t legato_tmm_size(legato_tmm* tmm, LEGATO_NULLABLE int64_t* points,
                                   LEGATO_NULLABLE int64_t* exponents);

/** Point `index` (from 0) as it stands. exponents and errors (either may be NULL) have length n, at most the number of
 * exponents: Lyapunov exponents per slice, smallest first, and their relative standard errors. An error is NaN as long
 * as fewer than 8 blocks (rule BLOCKS: before cycle 15) or 2 cycles (rule TMSEXD) can be averaged. Exponents are 0
 * before the first cycle. */
LEGATO_API int32_t legato_tmm_result(legato_tmm* tmm, int64_t index, LEGATO_NULLABLE legato_tmm_point* point, int64_t n,
                                     LEGATO_NULLABLE double exponents[], LEGATO_NULLABLE double errors[]);

/** Saves the run to an HDF5 file, written beside `path` and renamed. */
LEGATO_API int32_t legato_tmm_save(legato_tmm* tmm, const char* path);

/** Resumes a saved run. It goes on with the backend of the saved run, and gives the same bits as an uninterrupted one.
 * If the context names the other backend, or if this machine lacks the saved one, a warning is logged: the last digits
 * may differ. A truncated, foreign or newer file is refused. A file of version 0.1 goes on with rule TMSEXD, its own.
 */
LEGATO_API int32_t legato_tmm_resume(legato_context* context, const char* path, legato_tmm** tmm);

/** The parameters in use, for instance after legato_tmm_resume. struct_size is set by the caller, as
 * legato_tmm_params_init does. */
LEGATO_API int32_t legato_tmm_get_params(legato_tmm* tmm, legato_tmm_params* params);

#ifdef __cplusplus
}
#endif

#endif
