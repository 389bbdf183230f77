/** @file
 * Basis sets of decreasing size for the atoms of legato/dfr.h. A pruning begins with a large basis set and removes one
 * function at a time. The functions of every group of exponents (legato_dfr_grouped_basis) are tried: the group loses a
 * function, and the parameters of all groups are optimised again. The trial with the smallest error is the next set.
 * The cost of a function, by which its removal raises the error, grows as a set shrinks. A trial is therefore repeated
 * for a smaller set only when its last cost is the lowest of all groups. A trial whose first energy is not good counts
 * as failed, until the set has become smaller.
 *
 * Optimisations use limited-memory BFGS (LEGATO_DFR_OPTIMISER_METHOD_LBFGS). All atoms of a list are pruned at the same
 * time. Relativistic energies need LEGATO_DFR_KINETIC_BALANCE_EXTENDED, because with restricted kinetic balance the
 * lowest energies of small sets are those of sets that have collapsed. */
#ifndef LEGATO_DFR_PRUNER_H
#define LEGATO_DFR_PRUNER_H

#include <legato/dfr_optimiser.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of atoms, each with the basis set from which its pruning begins. */
typedef struct legato_dfr_pruner legato_dfr_pruner;

/** Parameters that all prunings of a list share. */
typedef struct legato_dfr_pruner_params {
    size_t struct_size;   /**< Set by legato_dfr_pruner_params_init. */
    double largest_error; /**< A pruning ends when the next set would have a larger error. The error of a set is
                               relative_error, plus spinor_weight x spinor_error. Range [1e-12, 1], default 1e-5. */
    double tolerance;     /**< An optimisation ends when a step changes the error by less than this fraction of the
                               error of the set that loses a function. Range [1e-6, 1], default 0.01. */
    int64_t max_energies; /**< Largest number of energies of an optimisation. Range [1, 1000000], default 500. */
    double spinor_weight; /**< Weight of the spinors, as in legato_dfr_optimiser_params. Range [0, 1e6], default 0. */
    int64_t seed; /**< With a seed other than 0, legato_dfr_pruner_add_element starts from other parameters: alpha
                       and the largest exponent change by random factors up to 1.5, delta and gamma by factors
                       up to 2. Range [0, 1000000], default 0. */
} legato_dfr_pruner_params;

/** Current state of a pruning. */
typedef struct legato_dfr_pruning {
    size_t struct_size; /**< Set by the caller. */
    int32_t status;     /**< One of legato_dfr_optimiser_status. Converged: no function can be removed without an error
                             above largest_error; each group keeps at least one function, and as many as it has shells.
                             Failed: the first set has no good energy, or its error is above largest_error. */
    int32_t sets;       /**< Number of sets so far. */
    int64_t energies;   /**< Number of energies so far. */
    double limit;       /**< Limit energy in hartree, that of a complete basis; 0 if it is not known yet or cannot be
                             calculated. */
} legato_dfr_pruning;

/** A set of a pruning. */
typedef struct legato_dfr_pruned_set {
    size_t struct_size;    /**< Set by the caller. */
    int32_t group;         /**< Group that has lost a function, counted from 0; -1 for the first set. */
    int32_t functions;     /**< Number of functions of all groups together. */
    double energy;         /**< Energy in hartree. */
    double relative_error; /**< (energy - limit) / |limit|. */
    double spinor_error;   /**< Sum over the occupied spinors of the squared norm that the set misses
                                (legato/dfr_optimiser.h); NaN with spinor_weight 0. */
} legato_dfr_pruned_set;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_dfr_pruner_params_init. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_params_init_sized(legato_dfr_pruner_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_dfr_pruner_params_init(legato_dfr_pruner_params* params) {
    return legato_dfr_pruner_params_init_sized(params, sizeof *params);
}

/** Creates an empty list. NULL for `params` stands for the defaults. NULL for `field` stands for the defaults with
 * LEGATO_DFR_KINETIC_BALANCE_EXTENDED. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* field,
                                            LEGATO_NULLABLE const legato_dfr_pruner_params* params,
                                            legato_dfr_pruner** pruner);

/** Destroys a list; NULL is allowed. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_destroy(legato_dfr_pruner* pruner);

/** Adds an atom and the basis set from which its pruning begins. The arguments are those of
 * legato_dfr_optimiser_add_groups, with which the energy of this basis set is optimised first. Every species with
 * functions must use the whole pool of its group, from function 1 on. When a group loses a function, the smallest and
 * the largest exponent stay at first. A well-tempered group with fewer than four functions becomes free. A list has at
 * most 1000 atoms. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_add(legato_dfr_pruner* pruner, const legato_dfr_nucleus* nucleus,
                                         int32_t n_species, const int32_t n_functions[], const int32_t first[],
                                         LEGATO_NULLABLE const int32_t group[], int32_t n_groups, const int32_t forms[],
                                         const double parameters[], const int32_t closed[], const double electrons[],
                                         LEGATO_NULLABLE const double pairs[], double limit,
                                         LEGATO_NULLABLE int64_t* index);

/** Adds a neutral atom in the average of its ground configuration, for any element from 1 to 118 with a finite nucleus
 * (from 2 with a Fermi nucleus), and to 97 with a relativistic point nucleus. Its nucleus is that
 * of legato_dfr_element_nucleus. Its first basis set has one well-tempered group for each l, which both j share. Its
 * relative error is less than 2e-9 with a Gaussian nucleus. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_add_element(legato_dfr_pruner* pruner, int32_t element, int32_t nuclear_model,
                                                 LEGATO_NULLABLE int64_t* index);

/** Runs until all prunings have ended. `callback` may be NULL. It reports atoms as points and energies as cycles. A
 * stopped run continues with the next call. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_run(legato_dfr_pruner* pruner, legato_progress_callback callback, void* user);

/** Calculates up to `energies` more energies of each atom. *finished becomes the number of atoms whose pruning has
 * ended. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_advance(legato_dfr_pruner* pruner, int64_t energies,
                                             LEGATO_NULLABLE int64_t* finished);

/** Reads the number of atoms. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_size(legato_dfr_pruner* pruner, int64_t* count);

/** Reads the current state of the pruning of atom `index`. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_result(legato_dfr_pruner* pruner, int64_t index, legato_dfr_pruning* pruning);

/** Reads set `number` of atom `index`, counted from 0, the largest set. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_set(legato_dfr_pruner* pruner, int64_t index, int32_t number,
                                         legato_dfr_pruned_set* set);

/** Reads the basis of set `number` of atom `index`, as legato_dfr_pruner_add takes it. n_functions, first and group
 * have length *n_species, forms has length *n_groups, and parameters has length *n_parameters. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_basis(legato_dfr_pruner* pruner, int64_t index, int32_t number,
                                           LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t* n_groups,
                                           LEGATO_NULLABLE int32_t* n_parameters, LEGATO_NULLABLE int32_t n_functions[],
                                           LEGATO_NULLABLE int32_t first[], LEGATO_NULLABLE int32_t group[],
                                           LEGATO_NULLABLE int32_t forms[], LEGATO_NULLABLE double parameters[]);

/** Reads atom `index` and the limit energy that was passed (0 if it is calculated), as legato_dfr_pruner_add takes
 * them. closed and electrons have *n_species elements, and pairs has *n_species x *n_species. The caller sets the
 * struct_size of `nucleus`. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_atom(legato_dfr_pruner* pruner, int64_t index,
                                          LEGATO_NULLABLE legato_dfr_nucleus* nucleus,
                                          LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t closed[],
                                          LEGATO_NULLABLE double electrons[], LEGATO_NULLABLE double pairs[],
                                          LEGATO_NULLABLE double* limit);

/** Saves the list to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete. Since
 * version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_save(legato_dfr_pruner* pruner, const char* path);

/** Resumes a saved list, with a context of any backend. The prunings take the same steps as uninterrupted ones. A file
 * is refused if it is truncated, if it is not a saved pruning, or if a newer version has written it. Since version
 * 0.2. */
LEGATO_API int32_t legato_dfr_pruner_resume(legato_context* context, const char* path, legato_dfr_pruner** pruner);

/** Reads the parameters in use, for instance after legato_dfr_pruner_resume. Before the call, set struct_size to the
 * size of the struct, directly or by legato_dfr_pruner_params_init. Since version 0.2. */
LEGATO_API int32_t legato_dfr_pruner_get_params(legato_dfr_pruner* pruner, LEGATO_NULLABLE legato_dfr_params* field,
                                                LEGATO_NULLABLE legato_dfr_pruner_params* params);

#ifdef __cplusplus
}
#endif

#endif
