/** @file
 * The automatic reduction of a well-tempered basis set: from one in which every l has the same large number of
 * functions, of one group of exponents, the ends of the ranges are drawn in from the highest l to s, then their
 * beginnings from the highest l to p, as far as the optimised energy stays within an accuracy of the limit, that of a
 * complete basis. All ranges that a stage may choose are optimised side by side, as by legato/dfr_optimiser.h. */
#ifndef LEGATO_DFR_REDUCER_H
#define LEGATO_DFR_REDUCER_H

#include <legato/dfr_optimiser.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The reduction for one atom. */
typedef struct legato_dfr_reducer legato_dfr_reducer;

/** What a stage chooses. */
typedef enum legato_dfr_stage_kind {
    LEGATO_DFR_STAGE_WHOLE = 0, /**< the whole set, of which there is one */
    LEGATO_DFR_STAGE_LAST = 1,  /**< the last function of an l, as small as may be */
    LEGATO_DFR_STAGE_FIRST = 2  /**< the first one, as large as may be */
} legato_dfr_stage_kind;

/** What a reduction is to reach. */
typedef struct legato_dfr_reducer_params {
    size_t struct_size; /**< set by legato_dfr_reducer_params_init */
    int32_t functions;  /**< of every l at the start, 1..200. Default 40 */
    int32_t reserved;   /**< not used */
    double accuracy;    /**< largest (energy - limit) / |limit|, 1e-12..1. Default 5e-9 */
    double limit;       /**< as of legato_dfr_optimiser_add. Default 0 */
} legato_dfr_reducer_params;

/** A reduction as it stands. Energies in hartree. */
typedef struct legato_dfr_reduction {
    size_t struct_size;  /**< set by the caller */
    int32_t status;      /**< legato_dfr_optimiser_status, FAILED where not even the whole set is within the accuracy */
    int32_t stages_done; /**< finished */
    int32_t stages;      /**< in all: 2 (highest l) + 2 */
    int32_t reserved;    /**< not used */
    double energy;       /**< after the stages so far, 0 before the first; of the whole set where it failed */
    double limit;        /**< 0 before it is known */
    double relative_error; /**< (energy - limit) / |limit|, 0 before both are known */
} legato_dfr_reduction;

/** A stage that is done. */
typedef struct legato_dfr_stage {
    size_t struct_size;   /**< set by the caller */
    int32_t kind;         /**< legato_dfr_stage_kind */
    int32_t l;            /**< angular momentum of the large component, from 0 */
    int32_t chosen;       /**< first or last function of l, from 1 */
    int32_t reserved;     /**< not used */
    int64_t energies;     /**< calculated, of all ranges together */
    double energy;        /**< of what was chosen */
    double parameters[4]; /**< alpha, beta, delta and gamma with which it has this energy */
} legato_dfr_stage;

/** legato_dfr_reducer_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_dfr_reducer_params_init_sized(legato_dfr_reducer_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_dfr_reducer_params_init(legato_dfr_reducer_params* params) {
    return legato_dfr_reducer_params_init_sized(params, sizeof *params);
}

/** nucleus, n_species, closed, electrons and pairs as of legato_dfr_add_atom; start[4]: alpha, beta, delta and gamma
 * that the whole set is begun with. field, optimiser_params and params may be NULL for the defaults. */
LEGATO_API int32_t legato_dfr_reducer_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* field,
                                             LEGATO_NULLABLE const legato_dfr_optimiser_params* optimiser_params,
                                             LEGATO_NULLABLE const legato_dfr_reducer_params* params,
                                             const legato_dfr_nucleus* nucleus, int32_t n_species,
                                             const int32_t closed[], const double electrons[],
                                             LEGATO_NULLABLE const double pairs[], const double start[],
                                             legato_dfr_reducer** reducer);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_dfr_reducer_destroy(legato_dfr_reducer* reducer);

/** Runs until all stages are done. `callback` may be NULL; its points are stages, its cycles energies. A stopped run is
 * taken up again by calling once more. */
LEGATO_API int32_t legato_dfr_reducer_run(legato_dfr_reducer* reducer, legato_progress_callback callback, void* user);

/** Carries every range of the stage that is under way, and of those that follow, up to `energies` energies further;
 * *finished (may be NULL) is 1 at the end, 0 before. */
LEGATO_API int32_t legato_dfr_reducer_advance(legato_dfr_reducer* reducer, int64_t energies,
                                              LEGATO_NULLABLE int32_t* finished);

/** The reduction as it stands. */
LEGATO_API int32_t legato_dfr_reducer_result(legato_dfr_reducer* reducer, legato_dfr_reduction* reduction);

/** What stage `index` (from 0) of those that are done has chosen. */
LEGATO_API int32_t legato_dfr_reducer_stage(legato_dfr_reducer* reducer, int32_t index, legato_dfr_stage* stage);

/** The basis after the stages so far, as legato_dfr_optimiser_add takes it: n_functions and first have length
 * *n_species; parameters[4]. Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_reducer_basis(legato_dfr_reducer* reducer, LEGATO_NULLABLE int32_t* n_species,
                                            LEGATO_NULLABLE int32_t n_functions[], LEGATO_NULLABLE int32_t first[],
                                            LEGATO_NULLABLE double parameters[]);

/** The atom, the limit as it was given (0: calculated) and the start, as legato_dfr_reducer_create takes them: closed
 * and electrons have length *n_species, pairs its square; start[4]. Each pointer may be NULL; struct_size of `nucleus`
 * is set by the caller. */
LEGATO_API int32_t legato_dfr_reducer_atom(legato_dfr_reducer* reducer, LEGATO_NULLABLE legato_dfr_nucleus* nucleus,
                                           LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t closed[],
                                           LEGATO_NULLABLE double electrons[], LEGATO_NULLABLE double pairs[],
                                           LEGATO_NULLABLE double* limit, LEGATO_NULLABLE double start[]);

/** Saves the reduction to an HDF5 file, written beside `path` and renamed. */
LEGATO_API int32_t legato_dfr_reducer_save(legato_dfr_reducer* reducer, const char* path);

/** Takes a saved reduction up again: it goes on as if it had not been stopped, with a context of any backend. A
 * truncated, foreign or newer file is refused. */
LEGATO_API int32_t legato_dfr_reducer_resume(legato_context* context, const char* path, legato_dfr_reducer** reducer);

/** The parameters in use, for instance after legato_dfr_reducer_resume. struct_size is set by the caller, as
 * legato_dfr_reducer_params_init does. Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_reducer_get_params(legato_dfr_reducer* reducer, LEGATO_NULLABLE legato_dfr_params* field,
                                                 LEGATO_NULLABLE legato_dfr_optimiser_params* optimiser_params,
                                                 LEGATO_NULLABLE legato_dfr_reducer_params* params);

#ifdef __cplusplus
}
#endif

#endif
