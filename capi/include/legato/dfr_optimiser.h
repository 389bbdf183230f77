/** @file
 * Optimisation of basis sets for the atoms of legato/dfr.h. The species of a basis set are divided into groups, and the
 * exponents of a group follow from its parameters. A minimiser varies the logarithms of all parameters until the energy
 * is lowest. The basis sets of a list are optimised at the same time: in each step one energy of every basis set is
 * computed.
 *
 * With spinor_weight w > 0 the minimiser varies the parameters until E + w |E0| D is lowest. E is the energy, E0 the
 * limit energy, and D = sum over the occupied spinors phi of (1 - <phi|P|phi>). P is the projector on the large and the
 * small components of the basis set, and phi are the spinors in a large basis. D is the sum of the squared norms of
 * what is missing in the spinors. The energy alone is mainly that of the inner shells. It leaves errors in the outer
 * spinors whose squared norms can be more than 10000 times the relative error of the energy.
 *
 * The Dirac-Coulomb energy has no strict lower bound in a basis. If species with l = j + 1/2 lack diffuse functions,
 * the energy falls below the exact one. The limit energy is that of a complete basis. An energy below the limit energy
 * has collapsed and is not accepted. */
#ifndef LEGATO_DFR_OPTIMISER_H
#define LEGATO_DFR_OPTIMISER_H

#include <legato/dfr_atoms.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of basis sets, each with its atom. */
typedef struct legato_dfr_optimiser legato_dfr_optimiser;

/** Status of an optimisation or a reduction. */
typedef enum legato_dfr_optimiser_status {
    LEGATO_DFR_OPTIMISER_STATUS_WAITING = 0,       /**< not begun */
    LEGATO_DFR_OPTIMISER_STATUS_RUNNING = 1,       /**< the results so far can be read */
    LEGATO_DFR_OPTIMISER_STATUS_CONVERGED = 2,     /**< the trust region has shrunk to last_step, or the last step has
                                                        lowered the energy by at most energy_tolerance */
    LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED = 3, /**< max_energies was reached first, or the library NLopt, which
                                                        contains the minimisers, reported a failure; the best basis so
                                                        far can be read */
    LEGATO_DFR_OPTIMISER_STATUS_FAILED = 4         /**< the energy with the start parameters is not of kind
                                                        LEGATO_DFR_ENERGY_KIND_GOOD, the limit energy or, for
                                                        spinor_weight, its spinors have not converged, or derivatives
                                                        are needed and functions were left out for near linear
                                                        dependence (a warning says so) */
} legato_dfr_optimiser_status;

/** Outcome of the calculation of an energy. */
typedef enum legato_dfr_energy_kind {
    LEGATO_DFR_ENERGY_KIND_GOOD = 0,          /**< converged, and not below the limit energy */
    LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED = 1, /**< the self-consistent field reached max_iterations first */
    LEGATO_DFR_ENERGY_KIND_FAILED = 2,        /**< the energy is not finite, an exponent is out of range, an electron is
                                                   not bound, or the limit energy is unknown */
    LEGATO_DFR_ENERGY_KIND_COLLAPSED = 3      /**< below the limit energy */
} legato_dfr_energy_kind;

/** Method of an optimisation. */
typedef enum legato_dfr_optimiser_method {
    LEGATO_DFR_OPTIMISER_METHOD_NEWUOA = 0, /**< NEWUOA of M. J. D. Powell, with first_step and last_step. It uses the
                                                 energy only */
    LEGATO_DFR_OPTIMISER_METHOD_LBFGS = 1   /**< limited-memory BFGS, with first_step and energy_tolerance. It uses also
                                                 the derivatives of the energy, and usually needs far fewer energies.
                                                 Its variables are combinations of the parameters, of which equal steps
                                                 change the exponents equally */
} legato_dfr_optimiser_method;

/** Parameters that all optimisations of a list share. */
typedef struct legato_dfr_optimiser_params {
    size_t struct_size;      /**< Set by legato_dfr_optimiser_params_init. */
    int64_t max_energies;    /**< Largest number of energies that are calculated for a basis set. Range [1, 1000000],
                                  default 500. */
    double first_step;       /**< Radius of the trust region at the start, in ln(parameter). With
                                  LEGATO_DFR_OPTIMISER_METHOD_LBFGS it is the length of the first step: the root of the
                                  sum of the squared changes of ln(exponent) in all groups. Range [1e-10, 1], default
                                  0.1. */
    double last_step;        /**< Radius of the trust region at the end, in ln(parameter). It is at most first_step.
                                  Range [1e-14, 1], default 1e-4. */
    int32_t method;          /**< Since version 0.2. One of legato_dfr_optimiser_method,
                                  default LEGATO_DFR_OPTIMISER_METHOD_NEWUOA. */
    int32_t reserved;        /**< Not used. */
    double energy_tolerance; /**< LEGATO_DFR_OPTIMISER_METHOD_LBFGS ends when a step changes the energy by less than
                                this fraction. Since version 0.2. Range [1e-15, 1e-3], default 1e-13. */
    double spinor_weight;    /**< Weight of the spinors: |limit| x spinor_weight x spinor_error is added to the energy.
                                  A reduction needs 0. Since version 0.2. Range [0, 1e6], default 0. */
} legato_dfr_optimiser_params;

/** Current state of an optimisation. Energies are in hartree. */
typedef struct legato_dfr_optimisation {
    size_t struct_size;    /**< Set by the caller. */
    int32_t status;        /**< One of legato_dfr_optimiser_status. */
    int32_t reserved;      /**< Not used. */
    int64_t energies;      /**< Number of energies so far. */
    int64_t not_converged; /**< Number of energies of kind LEGATO_DFR_ENERGY_KIND_NOT_CONVERGED. */
    int64_t failed;        /**< Number of energies of kind LEGATO_DFR_ENERGY_KIND_FAILED. */
    int64_t collapsed;     /**< Number of energies of kind LEGATO_DFR_ENERGY_KIND_COLLAPSED. */
    double start_energy;   /**< Energy with the start parameters; 0 before it is calculated, and if its calculation has
                                failed. */
    double energy;         /**< Lowest good energy, with spinor_weight > 0 that of the best basis set; 0 as long as
                                there is none. */
    double limit;          /**< Limit energy, that of a complete basis; 0 if it is not known yet or cannot be
                                calculated, or if spinor_weight needs spinors that cannot be calculated. */
    double spinor_error;   /**< Sum over the occupied spinors of the squared norm that the best basis set misses; NaN
                                with spinor_weight 0, and as long as there is no good energy. Since version 0.2. */
} legato_dfr_optimisation;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_dfr_optimiser_params_init. */
LEGATO_API int32_t legato_dfr_optimiser_params_init_sized(legato_dfr_optimiser_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_dfr_optimiser_params_init(legato_dfr_optimiser_params* params) {
    return legato_dfr_optimiser_params_init_sized(params, sizeof *params);
}

/** Creates an empty list. Every energy is computed with the parameters `field`. NULL for `field` or `params` stands for
 * the defaults. */
LEGATO_API int32_t legato_dfr_optimiser_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* field,
                                               LEGATO_NULLABLE const legato_dfr_optimiser_params* params,
                                               legato_dfr_optimiser** optimiser);

/** Destroys a list; NULL is allowed. */
LEGATO_API int32_t legato_dfr_optimiser_destroy(legato_dfr_optimiser* optimiser);

/** Adds a basis set and the atom for which it is optimised. A list has at most 1000 basis sets. *index becomes the
 * number of the basis set, counted from 0. Basis sets can only be added before the run begins and before the list is
 * saved.
 *
 * n_functions, first, group and n_groups are as in legato_dfr_well_tempered_basis: the functions of species s are
 * number first[s] (from 1) to first[s] + n_functions[s] - 1 of the pool of its group. parameters[4 n_groups] are the
 * start: alpha, beta, delta and gamma of legato_dfr_well_tempered, group after group. nucleus, n_species, closed,
 * electrons and pairs are as in legato_dfr_add_atom.
 *
 * `limit` is the limit energy. Range of limit: [-1e9, 0]. A value other than 0 must have at least the accuracy that the
 * results shall have. With 0 the run calculates the limit energy in a large basis. If this calculation does not
 * converge, a warning is logged, and only this basis set fails. A relativistic point nucleus with a charge above 97
 * needs a value other than 0. For all other relativistic atoms the run calculates the limit energy even if a value is
 * passed. If this value is below the calculated limit energy, a warning names the calculated one. All energies below
 * the calculated one then count as collapsed. */
LEGATO_API int32_t legato_dfr_optimiser_add(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus,
                                            int32_t n_species, const int32_t n_functions[], const int32_t first[],
                                            LEGATO_NULLABLE const int32_t group[], int32_t n_groups,
                                            const double parameters[], const int32_t closed[], const double electrons[],
                                            LEGATO_NULLABLE const double pairs[], double limit,
                                            LEGATO_NULLABLE int64_t* index);

/** Adds a basis set as legato_dfr_optimiser_add does, with groups of any form. forms and parameters are as in
 * legato_dfr_grouped_basis. The groups have at least one parameter, with LEGATO_DFR_OPTIMISER_METHOD_NEWUOA two. Since
 * version 0.2. */
LEGATO_API int32_t legato_dfr_optimiser_add_groups(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus,
                                                   int32_t n_species, const int32_t n_functions[],
                                                   const int32_t first[], LEGATO_NULLABLE const int32_t group[],
                                                   int32_t n_groups, const int32_t forms[], const double parameters[],
                                                   const int32_t closed[], const double electrons[],
                                                   LEGATO_NULLABLE const double pairs[], double limit,
                                                   LEGATO_NULLABLE int64_t* index);

/** Adds the atom of legato_dfr_add_element. The start is its set of the library "hennessey", one well-tempered group
 * for all species, and the limit energy is calculated. Range of element: [2, 86] without 58, 64, 65, 67 and 70. */
LEGATO_API int32_t legato_dfr_optimiser_add_element(legato_dfr_optimiser* optimiser, int32_t element,
                                                    int32_t nuclear_model, LEGATO_NULLABLE int64_t* index);

/** Adds the same atom with its set of any library of legato_dfr_basis_sets_library as the start. The groups are those
 * of legato_dfr_basis_sets_groups: the libraries "legato-..." have one well-tempered group for each l. NULL for `basis`
 * stands for "hennessey". Since version 0.2. */
LEGATO_API int32_t legato_dfr_optimiser_add_element_with_basis(legato_dfr_optimiser* optimiser, int32_t element,
                                                               int32_t nuclear_model, LEGATO_NULLABLE const char* basis,
                                                               LEGATO_NULLABLE int64_t* index);

/** Runs until all basis sets have ended. `callback` may be NULL. It reports basis sets as points and energies as
 * cycles. A stopped run continues with the next call. */
LEGATO_API int32_t legato_dfr_optimiser_run(legato_dfr_optimiser* optimiser, legato_progress_callback callback,
                                            void* user);

/** Calculates up to `energies` more energies of each basis set. *finished becomes the number of basis sets that have
 * ended. */
LEGATO_API int32_t legato_dfr_optimiser_advance(legato_dfr_optimiser* optimiser, int64_t energies,
                                                LEGATO_NULLABLE int64_t* finished);

/** Reads the number of basis sets. */
LEGATO_API int32_t legato_dfr_optimiser_size(legato_dfr_optimiser* optimiser, int64_t* count);

/** Reads the current state of basis set `index`. */
LEGATO_API int32_t legato_dfr_optimiser_result(legato_dfr_optimiser* optimiser, int64_t index,
                                               legato_dfr_optimisation* optimisation);

/** Reads the basis with the lowest good energy, or the start if there is none yet, as legato_dfr_optimiser_add takes
 * it. n_functions, first and group have length *n_species, parameters has length 4 *n_groups. If a group is not
 * well-tempered, `parameters` must be NULL; legato_dfr_optimiser_groups reads them. */
LEGATO_API int32_t legato_dfr_optimiser_basis(legato_dfr_optimiser* optimiser, int64_t index,
                                              LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t* n_groups,
                                              LEGATO_NULLABLE int32_t n_functions[], LEGATO_NULLABLE int32_t first[],
                                              LEGATO_NULLABLE int32_t group[], LEGATO_NULLABLE double parameters[]);

/** Reads the groups of basis set `index`, whatever their forms. *n_parameters becomes the number of parameters of all
 * groups. forms[*n_groups] (legato_dfr_optimiser_basis) and start[*n_parameters] are as passed to
 * legato_dfr_optimiser_add_groups. parameters[*n_parameters] are those with the lowest good energy, or the start if
 * there is none yet. Since version 0.2. */
LEGATO_API int32_t legato_dfr_optimiser_groups(legato_dfr_optimiser* optimiser, int64_t index,
                                               LEGATO_NULLABLE int32_t* n_parameters, LEGATO_NULLABLE int32_t forms[],
                                               LEGATO_NULLABLE double start[], LEGATO_NULLABLE double parameters[]);

/** Reads the atom of basis set `index`, the limit energy that was passed (0 if it is calculated) and the start, as
 * legato_dfr_optimiser_add takes them. closed and electrons have *n_species elements. pairs has *n_species x *n_species
 * elements, and parameters has 4 x *n_groups. If a group is not well-tempered, `parameters` must be NULL;
 * legato_dfr_optimiser_groups reads the start. The caller sets the struct_size of `nucleus`. */
LEGATO_API int32_t legato_dfr_optimiser_atom(legato_dfr_optimiser* optimiser, int64_t index,
                                             LEGATO_NULLABLE legato_dfr_nucleus* nucleus,
                                             LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t* n_groups,
                                             LEGATO_NULLABLE int32_t closed[], LEGATO_NULLABLE double electrons[],
                                             LEGATO_NULLABLE double pairs[], LEGATO_NULLABLE double* limit,
                                             LEGATO_NULLABLE double parameters[]);

/** Reads the energies with the numbers first to first + n - 1, counted from 0, in the order in which they were
 * calculated. energies[n] receives them; an energy that failed is 0. Each element of kinds[n] is one of
 * legato_dfr_energy_kind. parameters[4 n_groups x n] receives their parameters; those of one energy are adjacent. If a
 * group is not well-tempered, `parameters` must be NULL; legato_dfr_optimiser_history_of_groups reads them. *total
 * becomes the number of all energies so far. */
LEGATO_API int32_t legato_dfr_optimiser_history(legato_dfr_optimiser* optimiser, int64_t index, int64_t first,
                                                int64_t n, LEGATO_NULLABLE int64_t* total,
                                                LEGATO_NULLABLE double energies[], LEGATO_NULLABLE int32_t kinds[],
                                                LEGATO_NULLABLE double parameters[]);

/** Reads the parameters of the energies with the numbers first to first + n - 1, whatever the forms of the groups.
 * parameters[*n_parameters x n] (legato_dfr_optimiser_groups) receives them; those of one energy are adjacent. Since
 * version 0.2. */
LEGATO_API int32_t legato_dfr_optimiser_history_of_groups(legato_dfr_optimiser* optimiser, int64_t index, int64_t first,
                                                          int64_t n, double parameters[]);

/** Saves the list to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete. */
LEGATO_API int32_t legato_dfr_optimiser_save(legato_dfr_optimiser* optimiser, const char* path);

/** Resumes a saved list, with a context of any backend. The optimisations take the same steps as in an uninterrupted
 * run. No basis set can be added. A file is refused if it is truncated, if it is not a saved list of basis sets, or if
 * a newer version has written it. */
LEGATO_API int32_t legato_dfr_optimiser_resume(legato_context* context, const char* path,
                                               legato_dfr_optimiser** optimiser);

/** Reads the parameters in use, for instance after legato_dfr_optimiser_resume. Before the call, set struct_size to the
 * size of the struct, directly or by legato_dfr_optimiser_params_init. */
LEGATO_API int32_t legato_dfr_optimiser_get_params(legato_dfr_optimiser* optimiser,
                                                   LEGATO_NULLABLE legato_dfr_params* field,
                                                   LEGATO_NULLABLE legato_dfr_optimiser_params* params);

#ifdef __cplusplus
}
#endif

#endif
