/** @file
 * Automatic reduction of a well-tempered basis set of one group of exponents. It begins with the whole set, in which
 * every l has the same large number of functions. The first stages remove the last functions of each l, from the
 * highest l to s. The next stages remove the first functions of each l, from the highest l to p. A stage removes as
 * many functions as possible. The relative distance of the optimised energy from the limit energy must not exceed the
 * parameter `accuracy`. The limit energy is that of a complete basis. All basis sets among which a stage chooses are
 * optimised at the same time, as in legato/dfr_optimiser.h. */
#ifndef LEGATO_DFR_REDUCER_H
#define LEGATO_DFR_REDUCER_H

#include <legato/dfr_optimiser.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A reduction for one atom. */
typedef struct legato_dfr_reducer legato_dfr_reducer;

/** Kind of a stage, by what it chooses. */
typedef enum legato_dfr_stage_kind {
    LEGATO_DFR_STAGE_KIND_WHOLE = 0, /**< the whole set is optimised; there is one such stage */
    LEGATO_DFR_STAGE_KIND_LAST = 1,  /**< the last functions of an l are removed; function number `chosen` is the
                                          last one that remains, and `chosen` is as small as the accuracy allows */
    LEGATO_DFR_STAGE_KIND_FIRST = 2  /**< the first functions of an l are removed; function number `chosen` is the
                                          first one that remains, and `chosen` is as large as the accuracy allows */
} legato_dfr_stage_kind;

/** Parameters of a reduction. */
typedef struct legato_dfr_reducer_params {
    size_t struct_size; /**< Set by legato_dfr_reducer_params_init. */
    int32_t functions;  /**< Number of functions of every l at the start. Range [1, 200], default 40. */
    int32_t reserved;   /**< Not used. */
    double accuracy;    /**< Largest relative error, (energy - limit) / |limit|, where limit is the limit energy. Range
                             [1e-12, 1], default 5e-9. */
    double limit;       /**< Limit energy in hartree, as in legato_dfr_optimiser_add; 0 calculates it. Range [-1e9, 0],
                             default 0. */
} legato_dfr_reducer_params;

/** Current state of a reduction. Energies are in hartree. */
typedef struct legato_dfr_reduction {
    size_t struct_size; /**< Set by the caller. */
    int32_t status; /**< One of legato_dfr_optimiser_status; LEGATO_DFR_OPTIMISER_STATUS_FAILED if even the whole set is
                         not within the accuracy. */
    int32_t stages_done;   /**< Number of finished stages. */
    int32_t stages;        /**< Number of all stages, 2 (highest l) + 2. */
    int32_t reserved;      /**< Not used. */
    double energy;         /**< Energy after the stages so far; 0 before the first stage ends. If the reduction has
                                failed, it is the energy of the whole set. */
    double limit;          /**< Limit energy, 0 before it is known. */
    double relative_error; /**< (energy - limit) / |limit|; 0 until both are known. */
} legato_dfr_reduction;

/** A finished stage. */
typedef struct legato_dfr_stage {
    size_t struct_size;   /**< Set by the caller. */
    int32_t kind;         /**< One of legato_dfr_stage_kind. */
    int32_t l;            /**< Angular momentum of the large component, from 0. */
    int32_t chosen;       /**< Number of the first or last function of l, from 1. */
    int32_t reserved;     /**< Not used. */
    int64_t energies;     /**< Number of energies that the stage has calculated for all of its basis sets together. */
    double energy;        /**< Energy of the chosen basis in hartree. */
    double parameters[4]; /**< Parameters alpha, beta, delta and gamma with which the chosen basis has this energy. */
} legato_dfr_stage;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_dfr_reducer_params_init. */
LEGATO_API int32_t legato_dfr_reducer_params_init_sized(legato_dfr_reducer_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_dfr_reducer_params_init(legato_dfr_reducer_params* params) {
    return legato_dfr_reducer_params_init_sized(params, sizeof *params);
}

/** Creates a reduction. nucleus, n_species, closed, electrons and pairs are as in legato_dfr_add_atom. start[4] are
 * alpha, beta, delta and gamma with which the optimisation of the whole set begins. NULL for `field`,
 * `optimiser_params` or `params` stands for the defaults. */
LEGATO_API int32_t legato_dfr_reducer_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* field,
                                             LEGATO_NULLABLE const legato_dfr_optimiser_params* optimiser_params,
                                             LEGATO_NULLABLE const legato_dfr_reducer_params* params,
                                             const legato_dfr_nucleus* nucleus, int32_t n_species,
                                             const int32_t closed[], const double electrons[],
                                             LEGATO_NULLABLE const double pairs[], const double start[],
                                             legato_dfr_reducer** reducer);

/** Destroys a reduction; NULL is allowed. */
LEGATO_API int32_t legato_dfr_reducer_destroy(legato_dfr_reducer* reducer);

/** Runs until all stages are finished. `callback` may be NULL. It reports stages as points and energies as cycles. A
 * stopped run continues with the next call. */
LEGATO_API int32_t legato_dfr_reducer_run(legato_dfr_reducer* reducer, legato_progress_callback callback, void* user);

/** Calculates up to `energies` more energies of each basis set of the current stage. If the stage ends before that, the
 * call continues with the next stages. *finished becomes 1 if the reduction has ended, and 0 otherwise. */
LEGATO_API int32_t legato_dfr_reducer_advance(legato_dfr_reducer* reducer, int64_t energies,
                                              LEGATO_NULLABLE int32_t* finished);

/** Reads the current state of the reduction. */
LEGATO_API int32_t legato_dfr_reducer_result(legato_dfr_reducer* reducer, legato_dfr_reduction* reduction);

/** Reads the result of finished stage `index`, counted from 0. */
LEGATO_API int32_t legato_dfr_reducer_stage(legato_dfr_reducer* reducer, int32_t index, legato_dfr_stage* stage);

/** Reads the basis after the stages so far, as legato_dfr_optimiser_add takes it. n_functions and first have length
 * *n_species, parameters has length 4. */
LEGATO_API int32_t legato_dfr_reducer_basis(legato_dfr_reducer* reducer, LEGATO_NULLABLE int32_t* n_species,
                                            LEGATO_NULLABLE int32_t n_functions[], LEGATO_NULLABLE int32_t first[],
                                            LEGATO_NULLABLE double parameters[]);

/** Reads the atom, the limit energy that was passed (0 if it is calculated) and the start, as legato_dfr_reducer_create
 * takes them. closed and electrons have *n_species elements, pairs has *n_species x *n_species, and start has 4. The
 * caller sets the struct_size of `nucleus`. */
LEGATO_API int32_t legato_dfr_reducer_atom(legato_dfr_reducer* reducer, LEGATO_NULLABLE legato_dfr_nucleus* nucleus,
                                           LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t closed[],
                                           LEGATO_NULLABLE double electrons[], LEGATO_NULLABLE double pairs[],
                                           LEGATO_NULLABLE double* limit, LEGATO_NULLABLE double start[]);

/** Saves the reduction to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete. */
LEGATO_API int32_t legato_dfr_reducer_save(legato_dfr_reducer* reducer, const char* path);

/** Resumes a saved reduction, with a context of any backend. The reduction takes the same steps as an uninterrupted
 * one. A file is refused if it is truncated, if it is not a saved reduction, or if a newer version has written it. */
LEGATO_API int32_t legato_dfr_reducer_resume(legato_context* context, const char* path, legato_dfr_reducer** reducer);

/** Reads the parameters in use, for instance after legato_dfr_reducer_resume. Before the call, set struct_size to the
 * size of the struct, directly or by legato_dfr_reducer_params_init. */
LEGATO_API int32_t legato_dfr_reducer_get_params(legato_dfr_reducer* reducer, LEGATO_NULLABLE legato_dfr_params* field,
                                                 LEGATO_NULLABLE legato_dfr_optimiser_params* optimiser_params,
                                                 LEGATO_NULLABLE legato_dfr_reducer_params* params);

#ifdef __cplusplus
}
#endif

#endif
