/** @file
 * Basis sets of elements, and files of them, for the atoms of legato/dfr.h. A list has at most one set for each
 * element. Sets are read from files and written to files of other programs, or taken from libraries that are installed
 * as files.
 *
 * A set consists of shells. The functions of a shell are contractions of the same primitive functions
 * r^(l+1) exp(-zeta r^2), which are normalised to 1:
 *     function k = sum_p coefficients[k][p] primitive p.
 * A shell belongs to both j of its l, or only to one of them. In an uncontracted set every function is a primitive
 * with coefficient 1. Numbers in files have 17 digits: reading gives the same exponents and coefficients bit for bit.
 *
 * Sets contain large components only. Another program makes the small components from them by kinetic balance. For
 * heavy atoms this needs an uncontracted set: the small component of a spinor is not what kinetic balance makes of a
 * contracted large component. */
#ifndef LEGATO_DFR_BASIS_SETS_H
#define LEGATO_DFR_BASIS_SETS_H

#include <legato/dfr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of basis sets. */
typedef struct legato_dfr_basis_sets legato_dfr_basis_sets;

/** Formats of files. None of them has a place for functions of one j. */
typedef enum legato_dfr_basis_format {
    LEGATO_DFR_BASIS_FORMAT_BSE_JSON = 0,   /**< JSON of the Basis Set Exchange, schema "minimal" */
    LEGATO_DFR_BASIS_FORMAT_NWCHEM = 1,     /**< BASIS directive of NWChem. Functions are spherical unless the directive
                                                 says CARTESIAN */
    LEGATO_DFR_BASIS_FORMAT_GAUSSIAN94 = 2, /**< Gaussian. Each function of a shell becomes a shell of its own,
                                                 without coefficients that are 0 */
    LEGATO_DFR_BASIS_FORMAT_DIRAC = 3       /**< library file of DIRAC or Dalton. The functions of an l become one
                                                 shell; those of an uncontracted l remain primitives */
} legato_dfr_basis_format;

/** How spinors become contracted functions. */
typedef enum legato_dfr_contraction {
    LEGATO_DFR_CONTRACTION_J_ADAPTED = 0, /**< one function for each occupied spinor: its large component, normalised to
                                               1. The shells of p, d, ... belong to one j. They can be read by
                                               legato_dfr_basis_sets_shell, but no file format holds them */
    LEGATO_DFR_CONTRACTION_L_AVERAGED = 1 /**< one function for each n and l: the mean of the large components of both
                                               j, with the weights 2 j + 1, normalised to 1. Both j must have the same
                                               exponents and the same number of occupied spinors */
} legato_dfr_contraction;

/** Creates an empty list. */
LEGATO_API int32_t legato_dfr_basis_sets_create(legato_context* context, legato_dfr_basis_sets** sets);

/** Creates a list with the sets of a file, in the order of the elements. `format` is one of legato_dfr_basis_format. An
 * error in the file gives LEGATO_STATUS_BAD_FILE and a message with the line or the JSON path. Effective core
 * potentials, and Cartesian functions with l > 1, are errors. Range of exponents: [1e-8, 1e20]; of l: [0, 6]. A species
 * has at most 200 exponents. */
LEGATO_API int32_t legato_dfr_basis_sets_read(legato_context* context, const char* path, int32_t format,
                                              legato_dfr_basis_sets** sets);

/** Creates a list with the sets of a library. Libraries are files NAME.json in these folders: those of the environment
 * variable LEGATO_BASIS_PATH, separated by colons; share/legato/basis in the prefix where liblegato is, or the program
 * if it is linked statically; and the folder into which liblegato was configured to be installed. If two folders have
 * the same name, the first one counts. If largest_error is 0, the file is NAME.json. Otherwise it is NAME-ERROR.json,
 * for example legato-5e-9.json, with the largest error not above largest_error. Range of largest_error: [0, 1]. If
 * there is no such library, the message names the folders and the libraries in them.
 *
 * The libraries "legato-1e-5", "legato-1e-6", "legato-1e-7" and "legato-5e-9" have relativistic sets for the elements 1
 * to 118; the number is the largest relative error of the energy with a Gaussian nucleus. The library "hennessey" has
 * the sets of legato_dfr_library_basis. */
LEGATO_API int32_t legato_dfr_basis_sets_library(legato_context* context, const char* name, double largest_error,
                                                 legato_dfr_basis_sets** sets);

/** Destroys a list; NULL is allowed. */
LEGATO_API int32_t legato_dfr_basis_sets_destroy(legato_dfr_basis_sets* sets);

/** Adds an uncontracted set for an element that has none yet. Range of element: [1, 118]. n_species,
 * n_functions[n_species] and `exponents` are those of legato_dfr_add_atom; no species has an exponent twice. Both j of
 * an l share their functions if they have the same exponents in the same order; otherwise no file format holds the set.
 */
LEGATO_API int32_t legato_dfr_basis_sets_add(legato_dfr_basis_sets* sets, int32_t element, int32_t n_species,
                                             const int32_t n_functions[], const double exponents[]);

/** Adds a set that is contracted by the spinors of atom `index` of a list of atoms. The atom has converged, and the
 * charge number of its nucleus is the number of an element that has no set yet. `contraction` is one of
 * legato_dfr_contraction. The `primitives` functions with the smallest exponents in each l or species with electrons
 * are added as functions of their own. Range of primitives: [0, 200]. */
LEGATO_API int32_t legato_dfr_basis_sets_add_contracted(legato_dfr_basis_sets* sets, const legato_dfr* dfr,
                                                        int64_t index, int32_t contraction, int32_t primitives);

/** Writes all sets to a file. `format` is one of legato_dfr_basis_format. The texts `name` and `description` are stored
 * in the file. An older file is replaced when the new one is complete. If several ranks share the context, one of them
 * calls this function. */
LEGATO_API int32_t legato_dfr_basis_sets_write(legato_dfr_basis_sets* sets, const char* path, int32_t format,
                                               LEGATO_NULLABLE const char* name,
                                               LEGATO_NULLABLE const char* description);

/** Reads the number of sets. */
LEGATO_API int32_t legato_dfr_basis_sets_size(legato_dfr_basis_sets* sets, int64_t* count);

/** Reads the element of set `index`, counted from 0. */
LEGATO_API int32_t legato_dfr_basis_sets_element(legato_dfr_basis_sets* sets, int64_t index, int32_t* element);

/** Finds the set of an element. If there is none, the message names the elements that have one. Range of element:
 * [1, 118]. */
LEGATO_API int32_t legato_dfr_basis_sets_find(legato_dfr_basis_sets* sets, int32_t element, int64_t* index);

/** Reads the primitive functions of set `index` as legato_dfr_add_atom takes them: *n_species up to the last species
 * with functions, n_functions[n_species], and the exponents, one species after the other, in the order in which the
 * shells first use them. */
LEGATO_API int32_t legato_dfr_basis_sets_exponents(legato_dfr_basis_sets* sets, int64_t index,
                                                   LEGATO_NULLABLE int32_t* n_species,
                                                   LEGATO_NULLABLE int32_t n_functions[],
                                                   LEGATO_NULLABLE double exponents[]);

/** Reads the primitive functions of set `index` in the first n species, as legato_dfr_optimiser_add_groups takes them:
 * as the start of an optimisation. Range of n: [1, 13]. There is one group if all species have consecutive exponents of
 * the same list. Otherwise each l has a group, or each species if both j have different exponents. A group has the
 * first of these forms that it can have: LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED from 3 exponents on,
 * LEGATO_DFR_GROUP_FORM_WELL_TEMPERED from 4 on, LEGATO_DFR_GROUP_FORM_FREE. The parameters of a tempered group give
 * its exponents within 1e-12 (relative).
 *
 * n_functions, first and group have length n, forms has length *n_groups, and parameters has length *n_parameters.
 * Since version 0.2. */
LEGATO_API int32_t legato_dfr_basis_sets_groups(legato_dfr_basis_sets* sets, int64_t index, int32_t n,
                                                LEGATO_NULLABLE int32_t* n_groups,
                                                LEGATO_NULLABLE int32_t* n_parameters,
                                                LEGATO_NULLABLE int32_t n_functions[], LEGATO_NULLABLE int32_t first[],
                                                LEGATO_NULLABLE int32_t group[], LEGATO_NULLABLE int32_t forms[],
                                                LEGATO_NULLABLE double parameters[]);

/** Reads the number of shells of set `index`. */
LEGATO_API int32_t legato_dfr_basis_sets_shells(legato_dfr_basis_sets* sets, int64_t index, int32_t* shells);

/** Reads shell `shell` of set `index`: its l; twice its j, or 0 if it belongs to both j; exponents[n_exponents] and
 * coefficients[n_exponents x n_functions], in which those of one function are adjacent. Range of shell: [0, *shells -
 * 1]. */
LEGATO_API int32_t legato_dfr_basis_sets_shell(legato_dfr_basis_sets* sets, int64_t index, int32_t shell,
                                               LEGATO_NULLABLE int32_t* l, LEGATO_NULLABLE int32_t* twice_j,
                                               LEGATO_NULLABLE int32_t* n_exponents,
                                               LEGATO_NULLABLE int32_t* n_functions, LEGATO_NULLABLE double exponents[],
                                               LEGATO_NULLABLE double coefficients[]);

#ifdef __cplusplus
}
#endif

#endif
