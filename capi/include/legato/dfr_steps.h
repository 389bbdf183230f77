/** @file
 * The costly step of a Dirac-Fock-Roothaan program that keeps its own self-consistent field: the mean Coulomb and
 * exchange repulsion of densities. It is computed without two-electron integrals. Functions and species are as in
 * legato/dfr.h. */
#ifndef LEGATO_DFR_STEPS_H
#define LEGATO_DFR_STEPS_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The basis functions of one atom, on the chosen backend. */
typedef struct legato_dfr_repulsion legato_dfr_repulsion;

/** Creates the object from the functions of one atom. n_species, n_functions[n_species] and exponents are as in
 * legato_dfr_add_atom. `relativistic` is 1, or 0 for large components only. */
LEGATO_API int32_t legato_dfr_repulsion_create(legato_context* context, int32_t relativistic, int32_t n_species,
                                               const int32_t n_functions[], const double exponents[],
                                               legato_dfr_repulsion** repulsion);

/** Destroys the object; NULL is allowed. */
LEGATO_API int32_t legato_dfr_repulsion_destroy(legato_dfr_repulsion* repulsion);

/** Computes mean repulsions of densities. Range of n_densities and n_targets: [1, 1000].
 *
 * Density d, counted from 0, belongs to species density_species[d]. It has n_spinors[d] shells; n_spinors counts one
 * radial spinor for each shell, not the 2 j + 1 spinors of the shell. Each shell a has one radial function with the
 * vector of coefficients c_a, and the density is the sum of electrons[d] c_a c_a^T over its shells. electrons[d] is the
 * number of electrons in each shell, 2 j + 1 if the shell is closed. `coefficients` contains the densities one after
 * the other, and the radial functions of each density one after the other. A radial function has the coefficients of
 * its large component, followed by those of its small component. These are order[s] = 2 n_functions[s] numbers, or
 * n_functions[s] without relativity.
 *
 * Repulsion t, counted from 0, belongs to species target_species[t]. It is the sum of factors[t][d] (J[d] - K[d]) over
 * all d. J[d] is the Coulomb matrix and K[d] the exchange matrix of density d. The repulsion is a symmetric matrix of
 * order[target_species[t]] rows and columns. `matrices` receives the repulsions one after the other. */
LEGATO_API int32_t legato_dfr_repulsion_apply(legato_dfr_repulsion* repulsion, int32_t n_densities,
                                              const int32_t density_species[], const int32_t n_spinors[],
                                              const double electrons[], const double coefficients[], int32_t n_targets,
                                              const int32_t target_species[], const double factors[],
                                              double matrices[]);

#ifdef __cplusplus
}
#endif

#endif
