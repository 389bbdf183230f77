/** @file
 * Dirac-Fock-Roothaan atoms: the average energy of a configuration with the Dirac-Coulomb Hamiltonian, spinors expanded
 * in Gaussian functions with restricted kinetic balance. Hartree atomic units; energies exclude the rest mass.
 *
 * Symmetry species are numbered 0, 1, 2, ... in the order s1/2, p1/2, p3/2, d3/2, d5/2, ...; both components of a
 * spinor have the same number of functions,
 *     g^L = N^L r^(l+1) exp(-zeta r^2),    g^S = N^S (d/dr + kappa/r) [r^(l+1) exp(-zeta r^2)],
 * each normalised to 1. Formulas: O. Matsuoka and Y. Watanabe, Comput. Phys. Commun. 139, 218 (2001); open shells:
 * C. C. J. Roothaan, Rev. Mod. Phys. 32, 179 (1960). */
#ifndef LEGATO_DFR_H
#define LEGATO_DFR_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of atoms and their self-consistent fields. */
typedef struct legato_dfr legato_dfr;

/** Charge distribution of the nucleus. */
typedef enum legato_dfr_nuclear_model {
    LEGATO_DFR_POINT = 1,   /**< a point charge */
    LEGATO_DFR_SPHERE = 2,  /**< uniformly charged */
    LEGATO_DFR_GAUSSIAN = 3 /**< charge density proportional to exp(-exponent r^2) */
} legato_dfr_nuclear_model;

/** How an atom stands. */
typedef enum legato_dfr_atom_status {
    LEGATO_DFR_WAITING = 0,   /**< not begun */
    LEGATO_DFR_RUNNING = 1,   /**< what is there so far can be read; its energy is not yet compared with the limit */
    LEGATO_DFR_CONVERGED = 2, /**< both thresholds are met, and the energy is not below its numerical limit */
    LEGATO_DFR_NOT_CONVERGED = 3, /**< max_iterations came first: energy and spinors are those of the last one. Where
                                     rounding is the reason, a warning has the attainable accuracy */
    LEGATO_DFR_FAILED = 4, /**< an iteration gave no number, near linear dependence left fewer functions than shells, or
                              a spinor lies below -1.9 c^2; no result, and a warning (after ten, one for all others) */
    LEGATO_DFR_COLLAPSED = 5, /**< converged, but the energy is below the numerical limit, that of a complete basis: the
                                 basis lacks diffuse functions in species with l = j + 1/2, or functions near the
                                 nucleus. The result can be read; a warning tells both energies */
    LEGATO_DFR_UNBOUND = 6, /**< converged, but the energy of an occupied spinor is positive: the nucleus does not bind
                               so many electrons, and the result depends on the basis. It can be read; a warning */
    LEGATO_DFR_NOT_COMPARED = 7 /**< converged, but the energy in a large basis has not, so that it is not known whether
                                   the energy has collapsed. The result can be read; a warning */
} legato_dfr_atom_status;

/** What all atoms of a list share. */
typedef struct legato_dfr_params {
    size_t struct_size;          /**< set by legato_dfr_params_init */
    int32_t relativistic;        /**< 0: large components only, T = p^2/2. Default 1 */
    int32_t max_iterations;      /**< 1..1000000. Default 50 */
    int32_t diis_vectors;        /**< iterations that are extrapolated from; 1..100, 1: none. Default 10 */
    int32_t reserved;            /**< not used */
    double speed_of_light;       /**< 1..1e8. Default 137.03599976 */
    double energy_threshold;     /**< relative change of the energy in the last iteration, 1e-16..1, or what rounding
                                    leaves of it if that is more. Default 1e-12 */
    double gradient_threshold;   /**< largest element of [F, D], hartree, 1e-14..1e6; more if rounding leaves more, and
                                    the energy is resolved all the same. Default 1e-9 */
    double dependence_threshold; /**< directions with a smaller eigenvalue of the overlap are left out, 1e-14..0.01.
                                    Default 1e-10 */
} legato_dfr_params;

/** A nucleus. Of radius and exponent only that of the model is read. */
typedef struct legato_dfr_nucleus {
    size_t struct_size; /**< set by the caller */
    int32_t model;      /**< legato_dfr_nuclear_model */
    int32_t reserved;   /**< not used */
    double charge;      /**< Z */
    double radius;      /**< of the sphere, bohr; 1e-10..1 */
    double exponent;    /**< of the Gaussian, bohr^-2; 1..1e20 */
} legato_dfr_nucleus;

/** An atom as it stands. Energies in hartree. */
typedef struct legato_dfr_atom {
    size_t struct_size;  /**< set by the caller */
    int32_t status;      /**< legato_dfr_atom_status */
    int32_t iterations;  /**< done */
    double energy;       /**< total, without the rest mass */
    double kinetic;      /**< <c alpha.p>, or <p^2/2> */
    double nuclear;      /**< attraction by the nucleus */
    double repulsion;    /**< between the electrons */
    double virial_ratio; /**< -(nuclear + repulsion) / kinetic: 1 for a point nucleus in a complete basis, 2 if
                            non-relativistic */
    double gradient; /**< largest element of [F, D], hartree; for a speed of light above 1e4 its elements between large
                        and small components are divided by twice the speed of light */
    double limit;    /**< the energy in a larger basis with which this one has been compared: if this one lies below,
                        the numerical limit itself, otherwise an energy between the two. NaN where it has not been
                        compared: without relativity, and before the end */
} legato_dfr_atom;

/** legato_dfr_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_dfr_params_init_sized(legato_dfr_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_dfr_params_init(legato_dfr_params* params) {
    return legato_dfr_params_init_sized(params, sizeof *params);
}

/** An empty list; `params` may be NULL for the defaults. */
LEGATO_API int32_t legato_dfr_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* params,
                                     legato_dfr** dfr);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_dfr_destroy(legato_dfr* dfr);

/** Adds an element (2..86, without 58, 64, 65, 67, 70) in its ground configuration with the built-in well-tempered
 * basis, which was optimised for non-relativistic energies, and the nucleus of its most common isotope. *index (may be
 * NULL) is the number of the atom, from 0. Atoms are added before the run begins. */
LEGATO_API int32_t legato_dfr_add_element(legato_dfr* dfr, int32_t element, int32_t nuclear_model,
                                          LEGATO_NULLABLE int64_t* index);

/** Adds any atom. n_functions[n_species] (0..200 each) and, one species after the other, their exponents (1e-8..1e20);
 * closed[n_species] closed shells; electrons[n_species], the mean number in the one open shell above these, 0 for none;
 * n_species in 1..13. pairs[n_species x n_species] (may be NULL where electrons is all 0), symmetric: the mean number
 * of pairs of electrons of two open shells over that of independent occupations, A_ab = <q_a q_b> / (q_a q_b) and A_aa
 * = <q_a (q_a - 1)> g_a / [(g_a - 1) q_a^2]. */
LEGATO_API int32_t legato_dfr_add_atom(legato_dfr* dfr, const legato_dfr_nucleus* nucleus, int32_t n_species,
                                       const int32_t n_functions[], const double exponents[], const int32_t closed[],
                                       const double electrons[], LEGATO_NULLABLE const double pairs[],
                                       LEGATO_NULLABLE int64_t* index);

/** Runs until every atom has ended. `callback` may be NULL; its points are atoms, its cycles iterations. A stopped run
 * is taken up again by calling once more. When all fields have converged, relativistic energies are compared with
 * their numerical limits, the energies in larger bases: this takes about as long again. The limits are kept, by
 * nucleus, configuration and speed of light, for the life of the process. */
LEGATO_API int32_t legato_dfr_run(legato_dfr* dfr, legato_progress_callback callback, void* user);

/** Carries every atom up to `iterations` iterations further; *finished (may be NULL) counts those that have ended. */
LEGATO_API int32_t legato_dfr_advance(legato_dfr* dfr, int64_t iterations, LEGATO_NULLABLE int64_t* finished);

/** Number of atoms. */
LEGATO_API int32_t legato_dfr_size(legato_dfr* dfr, int64_t* atoms);

/** Number of species of an atom, and of functions in each: n_functions (may be NULL) has length n_species. */
LEGATO_API int32_t legato_dfr_atom_size(legato_dfr* dfr, int64_t index, LEGATO_NULLABLE int32_t* n_species,
                                        LEGATO_NULLABLE int32_t n_functions[]);

/** Atom `index` as it stands. */
LEGATO_API int32_t legato_dfr_result(legato_dfr* dfr, int64_t index, legato_dfr_atom* atom);

/** The lowest n states of positive energy of a species, at most its number of functions, of which near linear
 * dependence may have taken some: *states (may be NULL) says how many there are, and n is at most that. energies[n] and
 * occupations[n] (electrons); large and small [n_functions x n] (functions of one state side by side): coefficients.
 * Each pointer may be NULL. */
LEGATO_API int32_t legato_dfr_spinors(legato_dfr* dfr, int64_t index, int32_t species, int32_t n,
                                      LEGATO_NULLABLE int32_t* states, LEGATO_NULLABLE double energies[],
                                      LEGATO_NULLABLE double occupations[], LEGATO_NULLABLE double large[],
                                      LEGATO_NULLABLE double small[]);

/** Number of combinations of functions of a species that near linear dependence has taken, those of large and of small
 * components together. */
LEGATO_API int32_t legato_dfr_left_out(legato_dfr* dfr, int64_t index, int32_t species, int32_t* functions);

/** <r^power> of a state, in bohr^power; power in -2..10. */
LEGATO_API int32_t legato_dfr_radial_moment(legato_dfr* dfr, int64_t index, int32_t species, int32_t state,
                                            int32_t power, double* value);

/** Radial density 4 pi r^2 rho, in electrons a bohr, at r[n] in 0..1e6 bohr. */
LEGATO_API int32_t legato_dfr_radial_density(legato_dfr* dfr, int64_t index, int64_t n, const double r[],
                                             double density[]);

/** Well-tempered exponents zeta_1 = alpha, zeta_2 = alpha beta, zeta_k = zeta_(k-1) beta [1 + gamma (k/count)^delta]
 * (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)); exponents[count], none of which may exceed
 * 1e20. */
LEGATO_API int32_t legato_dfr_well_tempered(legato_context* context, double alpha, double beta, double delta,
                                            double gamma, int32_t count, double exponents[]);

#ifdef __cplusplus
}
#endif

#endif
