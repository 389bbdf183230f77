/** @file
 * The costly step of a Dirac-Fock-Roothaan program whose self-consistent field stays its own: the mean repulsion of
 * densities, Coulomb and exchange, without any two-electron integrals. Functions and species as in legato/dfr.h. */
#ifndef LEGATO_DFR_STEPS_H
#define LEGATO_DFR_STEPS_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The basis functions of one atom where the work is done. */
typedef struct legato_dfr_repulsion legato_dfr_repulsion;

/** The functions of one atom: n_functions[n_species] and, one species after the other, their exponents, as of
 * legato_dfr_add_atom; `relativistic` 0: large components only. */
LEGATO_API int32_t legato_dfr_repulsion_create(legato_context* context, int32_t relativistic, int32_t n_species,
                                               const int32_t n_functions[], const double exponents[],
                                               legato_dfr_repulsion** repulsion);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_dfr_repulsion_destroy(legato_dfr_repulsion* repulsion);

/** Density d (0..n_densities-1) is sum over its n_spinors[d] spinors a of electrons[d] c_a c_a^T, in species
 * density_species[d]; `coefficients` has, one density after the other, those of its spinors side by side: the large
 * components' and then the small components' (order[s] = 2 n_functions[s], or n_functions[s] without small ones).
 *
 * Repulsion t (0..n_targets-1) is sum over d of factors[t][d] (J[d] - K[d]) in species target_species[t], a symmetric
 * matrix of that order; `matrices` takes them one after the other. */
LEGATO_API int32_t legato_dfr_repulsion_apply(legato_dfr_repulsion* repulsion, int32_t n_densities,
                                              const int32_t density_species[], const int32_t n_spinors[],
                                              const double electrons[], const double coefficients[], int32_t n_targets,
                                              const int32_t target_species[], const double factors[],
                                              double matrices[]);

#ifdef __cplusplus
}
#endif

#endif
