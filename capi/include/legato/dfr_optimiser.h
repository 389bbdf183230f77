/** @file
 * Optimisation of well-tempered basis sets for the atoms of legato/dfr.h: the logarithms of alpha, beta, delta and
 * gamma of every group of exponents are varied by M. J. D. Powell's NEWUOA until the energy is lowest. A list of basis
 * sets is carried on side by side, one energy of each at a time.
 *
 * The Dirac-Coulomb energy has no strict lower bound in a basis: where species with l = j + 1/2 lack diffuse functions
 * it falls below the exact one. An energy below the limit, that of a complete basis, has collapsed and is no result. */
#ifndef LEGATO_DFR_OPTIMISER_H
#define LEGATO_DFR_OPTIMISER_H

#include <legato/dfr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of basis sets, each with its atom. */
typedef struct legato_dfr_optimiser legato_dfr_optimiser;

/** How an optimisation or a reduction stands. */
typedef enum legato_dfr_optimiser_status {
    LEGATO_DFR_OPTIMISER_WAITING = 0,       /**< not begun */
    LEGATO_DFR_OPTIMISER_RUNNING = 1,       /**< what is there so far can be read */
    LEGATO_DFR_OPTIMISER_CONVERGED = 2,     /**< the trust region has shrunk to last_step */
    LEGATO_DFR_OPTIMISER_NOT_CONVERGED = 3, /**< max_energies came first: the best basis so far can be read */
    LEGATO_DFR_OPTIMISER_FAILED = 4 /**< the start has no good energy, or its limit did not converge and stays 0 */
} legato_dfr_optimiser_status;

/** What became of an energy that was tried. */
typedef enum legato_dfr_energy_kind {
    LEGATO_DFR_ENERGY_GOOD = 0,          /**< converged, and not below the limit */
    LEGATO_DFR_ENERGY_NOT_CONVERGED = 1, /**< the self-consistent field: max_iterations came first */
    LEGATO_DFR_ENERGY_FAILED = 2,   /**< no number, exponents out of range, electrons that are not bound, or no limit */
    LEGATO_DFR_ENERGY_COLLAPSED = 3 /**< below the limit */
} legato_dfr_energy_kind;

/** What all optimisations of a list share. */
typedef struct legato_dfr_optimiser_params {
    size_t struct_size;   /**< set by legato_dfr_optimiser_params_init */
    int64_t max_energies; /**< of one basis set, 1..1000000. Default 500 */
    double first_step;    /**< radius of the trust region at the start, in ln(parameter), 1e-10..1. Default 0.1 */
    double last_step;     /**< and at the end, 1e-14..first_step. Default 1e-4 */
} legato_dfr_optimiser_params;

/** An optimisation as it stands. Energies in hartree. */
typedef struct legato_dfr_optimisation {
    size_t struct_size;    /**< set by the caller */
    int32_t status;        /**< legato_dfr_optimiser_status */
    int32_t reserved;      /**< not used */
    int64_t energies;      /**< calculated so far */
    int64_t not_converged; /**< of these, those of LEGATO_DFR_ENERGY_NOT_CONVERGED */
    int64_t failed;        /**< of LEGATO_DFR_ENERGY_FAILED */
    int64_t collapsed;     /**< of LEGATO_DFR_ENERGY_COLLAPSED */
    double start_energy;   /**< 0 before it is calculated */
    double energy;         /**< the lowest good one, 0 as long as there is none */
    double limit;          /**< that of a complete basis; 0 before it is known, and where it cannot be had */
} legato_dfr_optimisation;

/** legato_dfr_optimiser_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_dfr_optimiser_params_init_sized(legato_dfr_optimiser_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_dfr_optimiser_params_init(legato_dfr_optimiser_params* params) {
    return legato_dfr_optimiser_params_init_sized(params, sizeof *params);
}

/** An empty list. `field` is for the self-consistent field of every energy; it and `params` may be NULL for the
 * defaults. */
LEGATO_API int32_t legato_dfr_optimiser_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* field,
                                               LEGATO_NULLABLE const legato_dfr_optimiser_params* params,
                                               legato_dfr_optimiser** optimiser);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_dfr_optimiser_destroy(legato_dfr_optimiser* optimiser);

/** Adds a basis set and the atom for which it is optimised; at most 1000. The functions of species s are first[s]
 * (from 1) to first[s] + n_functions[s] - 1 of the pool of exponents of its group (from 0; `group` may be NULL: all of
 * group 0). A pool ends where the last of its species does. parameters[4 n_groups] to start from are alpha, beta, delta
 * and gamma of legato_dfr_well_tempered, group after group. nucleus, n_species, closed, electrons and pairs as of
 * legato_dfr_add_atom. limit: the energy in a complete basis, as precise as results shall be; 0: it is calculated
 * in a large basis, which is a part of the run; where that does not converge, a warning says so and this basis set
 * alone has failed. A relativistic energy below the calculated limit has collapsed whatever was given, and a warning
 * names a limit that is too low. A relativistic point nucleus of a charge beyond 97 needs it given. *index (may be
 * NULL) is the number of the basis set, from 0. Basis sets are added before the run begins, and before it is saved. */
LEGATO_API int32_t legato_dfr_optimiser_add(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus,
                                            int32_t n_species, const int32_t n_functions[], const int32_t first[],
                                            LEGATO_NULLABLE const int32_t group[], int32_t n_groups,
                                            const double parameters[], const int32_t closed[], const double electrons[],
                                            LEGATO_NULLABLE const double pairs[], double limit,
                                            LEGATO_NULLABLE int64_t* index);

/** Adds the atom of legato_dfr_add_element, its basis as the start, with the calculated limit. */
LEGATO_API int32_t legato_dfr_optimiser_add_element(legato_dfr_optimiser* optimiser, int32_t element,
                                                    int32_t nuclear_model, LEGATO_NULLABLE int64_t* index);

/** Runs until every basis set has ended. `callback` may be NULL; its points are basis sets, its cycles energies. A
 * stopped run is taken up again by calling once more. */
LEGATO_API int32_t legato_dfr_optimiser_run(legato_dfr_optimiser* optimiser, legato_progress_callback callback,
                                            void* user);

/** Carries every basis set up to `energies` energies further; *finished (may be NULL) counts those that have ended. */
LEGATO_API int32_t legato_dfr_optimiser_advance(legato_dfr_optimiser* optimiser, int64_t energies,
                                                LEGATO_NULLABLE int64_t* finished);

/** Number of basis sets. */
LEGATO_API int32_t legato_dfr_optimiser_size(legato_dfr_optimiser* optimiser, int64_t* count);

/** Basis set `index` as it stands. */
LEGATO_API int32_t legato_dfr_optimiser_result(legato_dfr_optimiser* optimiser, int64_t index,
                                               legato_dfr_optimisation* optimisation);

/** The basis with the lowest good energy, the start as long as there is none, as legato_dfr_optimiser_add takes it:
 * n_functions, first and group have length *n_species, parameters 4 *n_groups. Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_optimiser_basis(legato_dfr_optimiser* optimiser, int64_t index,
                                              LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t* n_groups,
                                              LEGATO_NULLABLE int32_t n_functions[], LEGATO_NULLABLE int32_t first[],
                                              LEGATO_NULLABLE int32_t group[], LEGATO_NULLABLE double parameters[]);

/** The atom of basis set `index`, its limit as it was given (0: calculated) and its start, as legato_dfr_optimiser_add
 * takes them: closed and electrons have length *n_species, pairs its square, parameters 4 *n_groups. Each pointer may
 * be NULL; struct_size of `nucleus` is set by the caller. */
LEGATO_API int32_t legato_dfr_optimiser_atom(legato_dfr_optimiser* optimiser, int64_t index,
                                             LEGATO_NULLABLE legato_dfr_nucleus* nucleus,
                                             LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t* n_groups,
                                             LEGATO_NULLABLE int32_t closed[], LEGATO_NULLABLE double electrons[],
                                             LEGATO_NULLABLE double pairs[], LEGATO_NULLABLE double* limit,
                                             LEGATO_NULLABLE double parameters[]);

/** Energies number first (from 0) to first + n - 1 in the order in which they were calculated: energies[n] (0 of a
 * failed one), kinds[n] (legato_dfr_energy_kind), parameters[4 n_groups x n] (those of one energy side by side). *total
 * says how many there are. Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_optimiser_history(legato_dfr_optimiser* optimiser, int64_t index, int64_t first,
                                                int64_t n, LEGATO_NULLABLE int64_t* total,
                                                LEGATO_NULLABLE double energies[], LEGATO_NULLABLE int32_t kinds[],
                                                LEGATO_NULLABLE double parameters[]);

/** Saves the list to an HDF5 file, written beside `path` and renamed. */
LEGATO_API int32_t legato_dfr_optimiser_save(legato_dfr_optimiser* optimiser, const char* path);

/** Takes a saved list up again: it goes on as if it had not been stopped, with a context of any backend. Nothing can be
 * added to it. A truncated, foreign or newer file is refused. */
LEGATO_API int32_t legato_dfr_optimiser_resume(legato_context* context, const char* path,
                                               legato_dfr_optimiser** optimiser);

/** The parameters in use, for instance after legato_dfr_optimiser_resume. struct_size is set by the caller, as
 * legato_dfr_optimiser_params_init does. Either pointer may be NULL. */
LEGATO_API int32_t legato_dfr_optimiser_get_params(legato_dfr_optimiser* optimiser,
                                                   LEGATO_NULLABLE legato_dfr_params* field,
                                                   LEGATO_NULLABLE legato_dfr_optimiser_params* params);

#ifdef __cplusplus
}
#endif

#endif
