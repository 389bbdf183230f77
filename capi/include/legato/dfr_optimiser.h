/* Optimisation of well-tempered basis sets for the atoms of legato/dfr.h: the logarithms of alpha, beta, delta and
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

/* A list of basis sets, each with its atom. */
typedef struct legato_dfr_optimiser legato_dfr_optimiser;

typedef enum legato_dfr_optimiser_status {
    LEGATO_DFR_OPTIMISER_WAITING = 0,
    LEGATO_DFR_OPTIMISER_RUNNING = 1,
    LEGATO_DFR_OPTIMISER_CONVERGED = 2,
    LEGATO_DFR_OPTIMISER_NOT_CONVERGED = 3, /* max_energies came first: the best basis so far can be read */
    LEGATO_DFR_OPTIMISER_FAILED = 4         /* the start has no good energy */
} legato_dfr_optimiser_status;

typedef enum legato_dfr_energy_kind {
    LEGATO_DFR_ENERGY_GOOD = 0,
    LEGATO_DFR_ENERGY_NOT_CONVERGED = 1, /* the self-consistent field: max_iterations came first */
    LEGATO_DFR_ENERGY_FAILED = 2,        /* no number, or exponents out of range */
    LEGATO_DFR_ENERGY_COLLAPSED = 3      /* below the limit */
} legato_dfr_energy_kind;

typedef struct legato_dfr_optimiser_params {
    size_t struct_size;   /* set by legato_dfr_optimiser_params_init */
    int64_t max_energies; /* of one basis set, 1..1000000. Default 500 */
    double first_step;    /* radius of the trust region at the start, in ln(parameter), 1e-10..1. Default 0.1 */
    double last_step;     /* and at the end, 1e-14..first_step. Default 1e-4 */
} legato_dfr_optimiser_params;

typedef struct legato_dfr_optimisation {
    size_t struct_size; /* set by the caller */
    int32_t status;     /* legato_dfr_optimiser_status */
    int32_t reserved;
    int64_t energies;      /* calculated so far, of which */
    int64_t not_converged; /* ... were of these kinds */
    int64_t failed;
    int64_t collapsed;
    double start_energy; /* 0 before it is calculated */
    double energy;       /* the lowest good one, 0 as long as there is none */
    double limit;        /* that of a complete basis; 0 before it is known */
} legato_dfr_optimisation;

/* Fills in the defaults above. */
LEGATO_API int32_t legato_dfr_optimiser_params_init_sized(legato_dfr_optimiser_params* params, size_t struct_size);
static inline int32_t legato_dfr_optimiser_params_init(legato_dfr_optimiser_params* params) {
    return legato_dfr_optimiser_params_init_sized(params, sizeof *params); /* the size that the caller knows */
}

/* An empty list. `field` is for the self-consistent field of every energy; it and `params` may be NULL for the
 * defaults. */
LEGATO_API int32_t legato_dfr_optimiser_create(legato_context* context, const legato_dfr_params* field,
                                               const legato_dfr_optimiser_params* params,
                                               legato_dfr_optimiser** optimiser);
LEGATO_API int32_t legato_dfr_optimiser_destroy(legato_dfr_optimiser* optimiser); /* NULL is allowed */

/* Adds a basis set and the atom for which it is optimised; at most 1000. The functions of species s are first[s]
 * (from 1) to first[s] + n_functions[s] - 1 of the pool of exponents of its group (from 0; `group` may be NULL: all of
 * group 0). A pool ends where the last of its species does. parameters[4 n_groups] to start from are alpha, beta, delta
 * and gamma of legato_dfr_well_tempered, group after group. nucleus, n_species, closed, electrons and pairs as of
 * legato_dfr_add_atom. limit: the energy in a complete basis, as precise as results shall be; 0: it is calculated
 * in a large basis, which is a part of the run. *index (may be NULL) is the number of the basis set, from 0. Basis sets
 * are added before the run begins. */
LEGATO_API int32_t legato_dfr_optimiser_add(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus,
                                            int32_t n_species, const int32_t* n_functions, const int32_t* first,
                                            const int32_t* group, int32_t n_groups, const double* parameters,
                                            const int32_t* closed, const double* electrons, const double* pairs,
                                            double limit, int64_t* index);

/* Adds the atom of legato_dfr_add_element, its basis as the start, with the calculated limit. */
LEGATO_API int32_t legato_dfr_optimiser_add_element(legato_dfr_optimiser* optimiser, int32_t element,
                                                    int32_t nuclear_model, int64_t* index);

/* Until every basis set has ended. `callback` may be NULL; its points are basis sets, its cycles energies. A stopped
 * run can be taken up again by calling once more, though not from a callback. */
LEGATO_API int32_t legato_dfr_optimiser_run(legato_dfr_optimiser* optimiser, legato_progress_callback callback,
                                            void* user);

/* Up to `energies` energies further for every basis set; *finished (may be NULL) counts those that have ended. */
LEGATO_API int32_t legato_dfr_optimiser_advance(legato_dfr_optimiser* optimiser, int64_t energies, int64_t* finished);

/* Number of basis sets. */
LEGATO_API int32_t legato_dfr_optimiser_size(legato_dfr_optimiser* optimiser, int64_t* count);

/* Basis set `index` as it stands. */
LEGATO_API int32_t legato_dfr_optimiser_result(legato_dfr_optimiser* optimiser, int64_t index,
                                               legato_dfr_optimisation* optimisation);

/* The basis with the lowest good energy, the start as long as there is none, as legato_dfr_optimiser_add takes it:
 * n_functions, first and group have length *n_species, parameters 4 *n_groups. Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_optimiser_basis(legato_dfr_optimiser* optimiser, int64_t index, int32_t* n_species,
                                              int32_t* n_groups, int32_t* n_functions, int32_t* first, int32_t* group,
                                              double* parameters);

/* Energies number first (from 0) to first + n - 1 in the order in which they were calculated: energies[n] (0 of a
 * failed one), kinds[n] (legato_dfr_energy_kind), parameters[4 n_groups x n] (those of one energy side by side). *total
 * says how many there are. Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_optimiser_history(legato_dfr_optimiser* optimiser, int64_t index, int64_t first,
                                                int64_t n, int64_t* total, double* energies, int32_t* kinds,
                                                double* parameters);

/* To a file, and from it with a context of any backend; what is resumed goes on as if it had not been stopped. After
 * either nothing can be added. */
LEGATO_API int32_t legato_dfr_optimiser_save(legato_dfr_optimiser* optimiser, const char* path);
LEGATO_API int32_t legato_dfr_optimiser_resume(legato_context* context, const char* path,
                                               legato_dfr_optimiser** optimiser);

/* The parameters in use, for instance after resume; either pointer may be NULL. */
LEGATO_API int32_t legato_dfr_optimiser_get_params(legato_dfr_optimiser* optimiser, legato_dfr_params* field,
                                                   legato_dfr_optimiser_params* params);

#ifdef __cplusplus
}
#endif

#endif
