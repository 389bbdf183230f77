/** @file
 * What an atom of legato/dfr.h is made of: averages of configurations, and what is known of the chemical elements.
 * Species are numbered from 0 as there. Every output array may be NULL: ask for the sizes first. Of a configuration,
 * arrays for all 13 species do as well; of a basis, the extent is at most what there is. */
#ifndef LEGATO_DFR_ATOMS_H
#define LEGATO_DFR_ATOMS_H

#include <legato/dfr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The average over all distributions of each subshell's electrons over its 4 l + 2 spinors: subshell_n, subshell_l and
 * subshell_electrons have n_subshells elements (0..100) in any order. Of each l only the highest subshell may be partly
 * filled. *n_species says up to which species there are electrons; n, the extent of the output arrays, is at least that
 * and at most 13, or 0 where all of them are NULL. closed[n], electrons[n] and pairs[n x n] are what
 * legato_dfr_add_atom takes; species from *n_species on are empty. */
LEGATO_API int32_t legato_dfr_average_of_configuration(
    legato_context* context, int32_t n_subshells, const int32_t subshell_n[], const int32_t subshell_l[],
    const int32_t subshell_electrons[], int32_t n, LEGATO_NULLABLE int32_t* n_species, LEGATO_NULLABLE int32_t closed[],
    LEGATO_NULLABLE double electrons[], LEGATO_NULLABLE double pairs[]);

/** The average over a list of configurations. Below their open shells stand closed[n_species] closed ones;
 * open_species[n_open] are the species with an open shell, ascending, one each. occupations[n_open x n_configurations]
 * (those of one configuration side by side) are whole numbers with the same sum in all configurations; one has the
 * weight prod C(g_a, q_a), the number of its determinants. n_configurations is in 1..1000000, or may be 0 where n_open
 * is. filled[n_species], the closed shells and those open ones that all configurations fill, electrons[n_species] and
 * pairs[n_species x n_species] are what legato_dfr_add_atom takes; `filled` may be `closed`. */
LEGATO_API int32_t legato_dfr_average_of_list(legato_context* context, int32_t n_species, const int32_t closed[],
                                              int32_t n_open, const int32_t open_species[], int64_t n_configurations,
                                              const double occupations[], LEGATO_NULLABLE int32_t filled[],
                                              LEGATO_NULLABLE double electrons[], LEGATO_NULLABLE double pairs[]);

/** All ways to put so many electrons into the open shells of open_species[n_open]: the list for
 * legato_dfr_average_of_list. *n_configurations says how many there are, at most 1000000; occupations[n_open x n] gets
 * the first n of them, n at most that. */
LEGATO_API int32_t legato_dfr_all_distributions(legato_context* context, int32_t n_open, const int32_t open_species[],
                                                int32_t electrons, int64_t n, LEGATO_NULLABLE int64_t* n_configurations,
                                                LEGATO_NULLABLE double occupations[]);

/** The ground configuration of an element (1..118) by experiment, from 104 on as predicted, in the order of filling:
 * the first n of its *n_subshells, as legato_dfr_average_of_configuration takes them; n at most that. */
LEGATO_API int32_t legato_dfr_ground_configuration(legato_context* context, int32_t element, int32_t n,
                                                   LEGATO_NULLABLE int32_t* n_subshells,
                                                   LEGATO_NULLABLE int32_t subshell_n[],
                                                   LEGATO_NULLABLE int32_t subshell_l[],
                                                   LEGATO_NULLABLE int32_t subshell_electrons[]);

/** The nucleus of the most abundant isotope of an element (1..118), or of the longest-lived one: of the charge
 * distribution's mean square radius <r^2> = ((0.836 A^(1/3) + 0.570) fm)^2, radius sqrt(5/3 <r^2>) and exponent
 * 1.5 / <r^2> (W. R. Johnson and G. Soff, At. Data Nucl. Data Tables 33, 405 (1985)). `nucleus` can be handed to
 * legato_dfr_add_atom; its struct_size is set by the caller. */
LEGATO_API int32_t legato_dfr_element_nucleus(legato_context* context, int32_t element, int32_t nuclear_model,
                                              legato_dfr_nucleus* nucleus);

/** The built-in basis of an element (2..86, without 58, 64, 65, 67, 70): parameters[4] are alpha, beta, delta and gamma
 * of legato_dfr_well_tempered, whose count is *pool. The functions of species s are first[s] (from 1) to
 * first[s] + n_functions[s] - 1 of that pool; no functions where first[s] is 0. The arrays get the first n of its
 * *n_species species, n at most that. legato_dfr_add_element takes those in which the ground configuration has
 * electrons, never more. */
LEGATO_API int32_t legato_dfr_library_basis(legato_context* context, int32_t element,
                                            LEGATO_NULLABLE double parameters[], LEGATO_NULLABLE int32_t* pool,
                                            int32_t n, LEGATO_NULLABLE int32_t* n_species,
                                            LEGATO_NULLABLE int32_t n_functions[], LEGATO_NULLABLE int32_t first[]);

/** The exponents of a well-tempered basis: the functions of species s are first[s] (from 1) to
 * first[s] + n_functions[s] - 1 of the pool of its group (from 0; `group` may be NULL: all of group 0), which ends
 * where the last of its species does. parameters[4 n_groups] are alpha, beta, delta and gamma, group after group;
 * n_groups in 1..n_species. exponents[sum of n_functions], one species after the other, are what legato_dfr_add_atom
 * takes. */
LEGATO_API int32_t legato_dfr_well_tempered_basis(legato_context* context, int32_t n_species,
                                                  const int32_t n_functions[], const int32_t first[],
                                                  LEGATO_NULLABLE const int32_t group[], int32_t n_groups,
                                                  const double parameters[], double exponents[]);

/** "Xe" of 54; "" of what is no element in 1..118. */
LEGATO_API const char* legato_dfr_symbol(int32_t element);

#ifdef __cplusplus
}
#endif

#endif
