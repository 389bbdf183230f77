/** @file
 * Dirac-Fock-Roothaan atoms: the average energy of a configuration with the Dirac-Coulomb Hamiltonian, to which the
 * Gaunt or the Breit interaction can be added. The spinors are expanded in Gaussian functions with restricted kinetic
 * balance. Units are hartree atomic units; energies exclude the rest mass.
 *
 * Symmetry species are numbered 0, 1, 2, ... in the order s1/2, p1/2, p3/2, d3/2, d5/2, ... The large and the small
 * component of a spinor have the same number of functions,
 *     g^L = N^L r^(l+1) exp(-zeta r^2),    g^S = N^S (d/dr + kappa/r) [r^(l+1) exp(-zeta r^2)],
 * each normalised to 1. Formulas: O. Matsuoka and Y. Watanabe, Comput. Phys. Commun. 139, 218 (2001); open shells: C.
 * C. J. Roothaan, Rev. Mod. Phys. 32, 179 (1960).
 *
 * The limit energy is the energy in a complete basis. */
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
    LEGATO_DFR_NUCLEAR_MODEL_POINT = 1,    /**< a point charge */
    LEGATO_DFR_NUCLEAR_MODEL_SPHERE = 2,   /**< a uniformly charged sphere */
    LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN = 3, /**< a charge density proportional to exp(-exponent r^2) */
    LEGATO_DFR_NUCLEAR_MODEL_FERMI = 4     /**< a charge density proportional to 1 / (1 + exp((r - radius) / a)), where
                                                a = skin / (4 ln 3). Since version 0.2 */
} legato_dfr_nuclear_model;

/** Small components of the basis. The energy is the minimum over the large components of the maximum over the small
 * ones (J. D. Talman, Phys. Rev. Lett. 57, 1091 (1986)). It is too low where small components are missing. */
typedef enum legato_dfr_kinetic_balance {
    LEGATO_DFR_KINETIC_BALANCE_RESTRICTED = 0, /**< one small component g^S for each large component g^L */
    LEGATO_DFR_KINETIC_BALANCE_EXTENDED = 1    /**< more small components, so that the energy does not fall below the
                                                    limit energy. With n functions, s1/2 and p1/2 get about n/3 more with
                                                    large exponents, and species with l = j + 1/2 six diffuse ones. These
                                                    are the last functions of their species; their large components are
                                                    not used. The energy minus that with restricted balance is the
                                                    collapse of the basis */
} legato_dfr_kinetic_balance;

/** Interaction of the electrons. The terms beyond Coulomb are taken at zero frequency of the exchanged photon. They
 * belong to the self-consistent field: all energies and spinors contain them. */
typedef enum legato_dfr_interaction {
    LEGATO_DFR_INTERACTION_COULOMB = 0, /**< 1/r12 */
    LEGATO_DFR_INTERACTION_GAUNT = 1,   /**< 1/r12 - alpha1.alpha2/r12 */
    LEGATO_DFR_INTERACTION_BREIT = 2    /**< 1/r12 - [alpha1.alpha2 + (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12), which is
                                             Gaunt with retardation */
} legato_dfr_interaction;

/** Status of an atom. The first ten atoms of a list that need a warning get one each. One more warning stands for all
 * other atoms. */
typedef enum legato_dfr_atom_status {
    LEGATO_DFR_ATOM_STATUS_WAITING = 0,       /**< not begun */
    LEGATO_DFR_ATOM_STATUS_RUNNING = 1,       /**< the results so far can be read; the energy has not been compared with
                                                   the limit energy yet */
    LEGATO_DFR_ATOM_STATUS_CONVERGED = 2,     /**< both thresholds are met, and the energy is not below the limit
                                                   energy */
    LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED = 3, /**< max_iterations was reached first; energy and spinors are those of the
                                                   last iteration. If rounding errors are the reason, a warning names
                                                   the attainable accuracy */
    LEGATO_DFR_ATOM_STATUS_FAILED = 4,        /**< the energy of an iteration is not finite, the energy of a spinor is
                                                   below -1.9 c^2, or fewer functions than shells remain because
                                                   functions were left out for near linear dependence. There is no
                                                   result; a warning is logged */
    LEGATO_DFR_ATOM_STATUS_COLLAPSED = 5,     /**< converged, but the energy is below the limit energy: the basis lacks
                                                   diffuse functions in species with l = j + 1/2, or functions near the
                                                   nucleus. The result can be read; a warning names the energy and the
                                                   limit energy */
    LEGATO_DFR_ATOM_STATUS_UNBOUND = 6,       /**< converged, but the energy of an occupied spinor is positive: the
                                                   nucleus does not bind so many electrons, and the result depends on
                                                   the basis. The result can be read; a warning is logged */
    LEGATO_DFR_ATOM_STATUS_NOT_COMPARED = 7   /**< converged, but the energy in a larger basis, for the comparison with
                                                   the limit energy, has not converged, or the energy is not a minimum
                                                   (legato_dfr_add_shells). It is unknown whether the atom has
                                                   collapsed. The result can be read; a warning is logged */
} legato_dfr_atom_status;

/** Determinants that a level is made of. Since version 0.2. */
typedef enum legato_dfr_level_space {
    LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC = 0, /**< each shell keeps its electrons; they must be whole numbers */
    LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC =
        1 /**< the electrons of one n and l are distributed over both j in all ways,
               if the shells of both j are open; their sum must be a whole number */
} legato_dfr_level_space;

/** Parameters that all atoms of a list share. */
typedef struct legato_dfr_params {
    size_t struct_size;          /**< Set by legato_dfr_params_init. */
    int32_t relativistic;        /**< 1: Dirac-Coulomb Hamiltonian, 0: large components only, with T = p^2/2.
                                      Range [0, 1], default 1. */
    int32_t max_iterations;      /**< Largest number of iterations of an atom. Range [1, 1000000], default 50. */
    int32_t diis_vectors;        /**< Number of iterations that the extrapolation (DIIS) uses; 1 means no extrapolation.
                                      Range [1, 100], default 10. */
    int32_t reserved;            /**< Not used. */
    double speed_of_light;       /**< Speed of light c in atomic units. Range [1, 1e8], default 137.03599976. */
    double energy_threshold;     /**< An atom converges only if the last iteration changes the energy by at most
                                      this fraction. If rounding errors change the energy by more, their size is used
                                      instead. Range [1e-16, 1], default 1e-12. */
    double gradient_threshold;   /**< An atom converges only if no element of the commutator [F, D] of Fock and density
                                      matrix exceeds this value, in hartree. A larger element is accepted if it is a
                                      rounding error and the energy is accurate nevertheless. Range [1e-14, 1e6],
                                      default 1e-9. */
    double dependence_threshold; /**< Eigenvectors of the overlap matrix with an eigenvalue below this value are left
                                      out. Range [1e-14, 0.01], default 1e-10. */
    int32_t kinetic_balance;     /**< Since version 0.2. One of legato_dfr_kinetic_balance,
                                      default LEGATO_DFR_KINETIC_BALANCE_RESTRICTED. */
    int32_t interaction;         /**< Since version 0.2. Without relativity only LEGATO_DFR_INTERACTION_COULOMB is
                                      allowed. One of legato_dfr_interaction, default LEGATO_DFR_INTERACTION_COULOMB. */
} legato_dfr_params;

/** A nucleus. The caller sets all members that its model uses. */
typedef struct legato_dfr_nucleus {
    size_t struct_size; /**< Set by the caller. */
    int32_t model;      /**< One of legato_dfr_nuclear_model, no default. */
    int32_t reserved;   /**< Not used. */
    double charge;      /**< Charge number Z. The charge number of a relativistic point nucleus must be less than the
                             speed of light. Range [1, 137], no default. */
    double radius;   /**< Radius in bohr, used with LEGATO_DFR_NUCLEAR_MODEL_SPHERE and LEGATO_DFR_NUCLEAR_MODEL_FERMI.
                        Range [1e-10, 1], no default. */
    double exponent; /**< Exponent of the Gaussian in bohr^-2, used with LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN. Range [1,
                        1e20], no default. */
    double skin;     /**< Skin thickness of the Fermi distribution in bohr, used with LEGATO_DFR_NUCLEAR_MODEL_FERMI. It
                        must be 0 with the other models. The density falls from 90 % to 10 % of its value at the centre
                        over this distance, if the radius is much larger. Since version 0.2. Range [1e-10, 1], no
                        default. */
} legato_dfr_nucleus;

/** Current state of an atom. Energies are in hartree. */
typedef struct legato_dfr_atom {
    size_t struct_size;  /**< Set by the caller. */
    int32_t status;      /**< One of legato_dfr_atom_status. */
    int32_t iterations;  /**< Number of finished iterations. */
    double energy;       /**< Total energy without the rest mass. */
    double kinetic;      /**< Kinetic energy <c alpha.p>, or <p^2/2> without relativity. */
    double nuclear;      /**< Energy of the attraction by the nucleus. */
    double repulsion;    /**< Energy of the interaction between the electrons. */
    double virial_ratio; /**< -(nuclear + repulsion) / kinetic. For a point nucleus in a complete basis it is 1, or 2
                              without relativity. */
    double gradient;     /**< Largest element of [F, D] in hartree. If the speed of light exceeds 1e4, elements between
                              large and small components are divided by twice the speed of light. */
    double limit;        /**< Energy in the last of the larger bases with which legato_dfr_run has compared `energy`. If
                              the atom has collapsed, `limit` is the limit energy. If the atom has converged, `limit`
                              lies between the limit energy and `energy`. Both statements hold up to a relative error
                              of 5e-11. For a point nucleus beyond Z = 97 this error is larger, for instance 2e-9 in
                              the hydrogen-like atom with Z = 118. NaN if there was no comparison: without relativity,
                              before the end, and if the energy is not a minimum (legato_dfr_add_shells). */
} legato_dfr_atom;

/** Energies beyond the Dirac-Coulomb Hamiltonian to first order, in hartree: mean values with the spinors of an atom.
 * Since version 0.2. */
typedef struct legato_dfr_correction_energies {
    size_t struct_size; /**< Set by the caller. */
    double gaunt;       /**< Mean value of -alpha1.alpha2/r12. */
    double breit;       /**< Mean value of the frequency-independent Breit interaction, -[alpha1.alpha2 +
                             (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12). */
    double uehling;     /**< Vacuum polarisation by the nucleus: mean value of the Uehling potential, with the charge
                             distribution of the nucleus (L. W. Fullerton and G. A. Rinker, Phys. Rev. A 13, 1283
                             (1976)). The fine-structure constant is 1 / speed_of_light. */
} legato_dfr_correction_energies;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_dfr_params_init. */
LEGATO_API int32_t legato_dfr_params_init_sized(legato_dfr_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_dfr_params_init(legato_dfr_params* params) {
    return legato_dfr_params_init_sized(params, sizeof *params);
}

/** Creates an empty list of atoms; NULL for `params` stands for the defaults. */
LEGATO_API int32_t legato_dfr_create(legato_context* context, LEGATO_NULLABLE const legato_dfr_params* params,
                                     legato_dfr** dfr);

/** Destroys a list; NULL is allowed. */
LEGATO_API int32_t legato_dfr_destroy(legato_dfr* dfr);

/** Adds an element in the average of its ground configuration, with the nucleus of its most abundant isotope and the
 * basis set of the library "legato-5e-9" (legato_dfr_basis_sets_library). With a Gaussian nucleus its energy is within
 * 5e-9 (relative) of the limit energy. Range of element: [1, 118]. *index becomes the number of the atom, counted from
 * 0. Atoms are added before the run begins. */
LEGATO_API int32_t legato_dfr_add_element(legato_dfr* dfr, int32_t element, int32_t nuclear_model,
                                          LEGATO_NULLABLE int64_t* index);

/** Adds an element with the basis set of any library of legato_dfr_basis_sets_library, such as "legato-1e-6" or
 * "hennessey". NULL for `basis` stands for "legato-5e-9". The library must have a set for the element. The first atom
 * of a library reads its file; later ones do not. Since version 0.2. */
LEGATO_API int32_t legato_dfr_add_element_with_basis(legato_dfr* dfr, int32_t element, int32_t nuclear_model,
                                                     LEGATO_NULLABLE const char* basis, LEGATO_NULLABLE int64_t* index);

/** Adds any atom. Range of n_species: [1, 13]. n_functions[n_species] are the numbers of functions of the species, 0 to
 * 200 each. `exponents` holds their exponents, one species after the other, each in [1e-8, 1e20]. closed[n_species] are
 * the numbers of closed shells. A species has at most one open shell, above the closed ones. electrons[n_species] are
 * the mean numbers of electrons in the open shells, or 0 if a species has none.
 *
 * pairs[n_species x n_species] is symmetric. It holds the mean number of pairs of electrons in two open shells, divided
 * by that of independent occupations: A_ab = <n_a n_b> / (q_a q_b) and A_aa = <n_a (n_a - 1)> g_a / [(g_a - 1) q_a^2].
 * Here n_a is the number of electrons in the open shell of species a, q_a = <n_a> is electrons[a], and g_a = 2 j + 1 is
 * the number of its spinors. pairs may be NULL if all electrons are 0. */
LEGATO_API int32_t legato_dfr_add_atom(legato_dfr* dfr, const legato_dfr_nucleus* nucleus, int32_t n_species,
                                       const int32_t n_functions[], const double exponents[], const int32_t closed[],
                                       const double electrons[], LEGATO_NULLABLE const double pairs[],
                                       LEGATO_NULLABLE int64_t* index);

/** Adds any atom whose configuration is given shell by shell. There may be holes, empty shells below others, and
 * several open shells of a species. nucleus, n_species, n_functions and exponents are those of legato_dfr_add_atom.
 * Entry i of the list has shell_electrons[i] electrons in the shells with n = shell_n[i] and l = shell_l[i].
 * shell_twice_j[i] is 2 l - 1 or 2 l + 1, or 0 if the electrons are distributed over both j; NULL stands for 0 in all
 * entries. The entries come in any order. Shells that are not listed are empty. The energy is the average over all
 * distributions of the electrons of each entry over its spinors.
 *
 * An atom with holes, or with several open shells of a species, is stationary, but its energy is in general not a
 * minimum. It is not compared with a limit energy, and ends as LEGATO_DFR_ATOM_STATUS_NOT_COMPARED;
 * LEGATO_DFR_KINETIC_BALANCE_EXTENDED prevents collapse, so that it ends as LEGATO_DFR_ATOM_STATUS_CONVERGED. State k
 * of a species, counted from 0, is its shell with n = l + 1 + k. Since version 0.2. */
LEGATO_API int32_t legato_dfr_add_shells(legato_dfr* dfr, const legato_dfr_nucleus* nucleus, int32_t n_species,
                                         const int32_t n_functions[], const double exponents[], int32_t n_shells,
                                         const int32_t shell_n[], const int32_t shell_l[],
                                         LEGATO_NULLABLE const int32_t shell_twice_j[], const int32_t shell_electrons[],
                                         LEGATO_NULLABLE int64_t* index);

/** Runs until all atoms have ended. `callback` may be NULL. It reports atoms as points and iterations as cycles. A
 * stopped run continues with the next call.
 *
 * When the iterations of all atoms have converged, the relativistic energy of each atom is compared with its energies
 * in larger bases. If necessary, the bases become so large that the limit energy is reached. The comparison takes about
 * as long as the iterations. The energies in larger bases are kept until the process ends, for each nucleus,
 * configuration, interaction and speed of light. */
LEGATO_API int32_t legato_dfr_run(legato_dfr* dfr, legato_progress_callback callback, void* user);

/** Performs up to `iterations` more iterations of each atom. *finished becomes the number of atoms that have ended. */
LEGATO_API int32_t legato_dfr_advance(legato_dfr* dfr, int64_t iterations, LEGATO_NULLABLE int64_t* finished);

/** Reads the number of atoms. */
LEGATO_API int32_t legato_dfr_size(legato_dfr* dfr, int64_t* atoms);

/** Reads the number of species of an atom, and the number of functions of each species into n_functions[n_species].
 * With LEGATO_DFR_KINETIC_BALANCE_EXTENDED it includes the additional functions. */
LEGATO_API int32_t legato_dfr_atom_size(legato_dfr* dfr, int64_t index, LEGATO_NULLABLE int32_t* n_species,
                                        LEGATO_NULLABLE int32_t n_functions[]);

/** Reads the exponents of a species, in the order of the coefficients of legato_dfr_spinors. `exponents` has as many
 * elements as legato_dfr_atom_size gives functions. Range of species: [0, *n_species - 1]. Since version 0.2. */
LEGATO_API int32_t legato_dfr_exponents(legato_dfr* dfr, int64_t index, int32_t species, double exponents[]);

/** Reads the current state of atom `index`. */
LEGATO_API int32_t legato_dfr_result(legato_dfr* dfr, int64_t index, legato_dfr_atom* atom);

/** Reads the n lowest electron states of a species; the states of the negative continuum are not counted. The results
 * are energies[n], occupations[n] in electrons, and the coefficients large[n_functions x n] and small[n_functions x n],
 * in which the functions of one state are adjacent. Without relativity `small` must be NULL. *states becomes the number
 * of all electron states; n must not exceed this number. It is less than the number of functions if some were left out
 * because of near linear dependence, or if the large components of some are not used. */
LEGATO_API int32_t legato_dfr_spinors(legato_dfr* dfr, int64_t index, int32_t species, int32_t n,
                                      LEGATO_NULLABLE int32_t* states, LEGATO_NULLABLE double energies[],
                                      LEGATO_NULLABLE double occupations[], LEGATO_NULLABLE double large[],
                                      LEGATO_NULLABLE double small[]);

/** Reads the number of eigenvectors of the overlap matrix that were left out because of near linear dependence. The
 * number is the sum for the large and the small component of a species. */
LEGATO_API int32_t legato_dfr_left_out(legato_dfr* dfr, int64_t index, int32_t species, int32_t* functions);

/** Computes the energies of atom `index` to first order. An energy is NaN if it is unknown: without relativity, before
 * the atom has ended, and if it has failed. With an interaction other than LEGATO_DFR_INTERACTION_COULOMB the spinors
 * contain the interaction, so that the mean values differ from the first order. Gaunt
 * and Breit take about as long as two iterations on the CPU. The Uehling potential of a nucleus of finite size takes
 * about 0.2 s on one thread. Since version 0.2. */
LEGATO_API int32_t legato_dfr_corrections(legato_dfr* dfr, int64_t index, legato_dfr_correction_energies* energies);

/** Computes the levels of an atom that has converged, to first order with the spinors of the average. The Coulomb
 * interaction is diagonalised between the determinants of the open shells; `space` is one of legato_dfr_level_space.
 * *levels becomes the number of levels, and *parity 1 or -1. twice_j[n] receives 2 J, and energies[n] the energies
 * minus the average energy in hartree, both in the order of energy; n must not exceed *levels. Limits: 64 spinors in
 * the open shells, and 2000 determinants with the smallest |M|. The interaction of the list must be
 * LEGATO_DFR_INTERACTION_COULOMB. Since version 0.2. */
LEGATO_API int32_t legato_dfr_levels(legato_dfr* dfr, int64_t index, int32_t space, int64_t n,
                                     LEGATO_NULLABLE int64_t* levels, LEGATO_NULLABLE int32_t* parity,
                                     LEGATO_NULLABLE int32_t twice_j[], LEGATO_NULLABLE double energies[]);

/** Computes <r^power> of an electron state, in bohr^power. States count from 0 in the order of legato_dfr_spinors.
 * Range of power: [-2, 10]. */
LEGATO_API int32_t legato_dfr_radial_moment(legato_dfr* dfr, int64_t index, int32_t species, int32_t state,
                                            int32_t power, double* value);

/** Computes the radial functions P and Q of an electron state, in bohr^(-1/2), at r[n]. The arguments `species` and
 * `state` are those of legato_dfr_radial_moment. The spinor is (1/r) [P chi_(kappa,m), i Q chi_(-kappa,m)], and int
 * (P^2 + Q^2) dr = 1. Without potential Q is (dP/dr + kappa P/r) / (2 c) in the limit of small energies (I. P. Grant,
 * Adv. Phys. 19, 747 (1970)). P is positive in its innermost lobe, which begins where |P| first exceeds 1e-6 of its
 * maximum. The coefficients of legato_dfr_spinors give the same functions up to a common sign. large[n] receives P, and
 * small[n] receives Q. Without relativity `small` must be NULL. Range of r: [0, 1e6] bohr. Since version 0.2. */
LEGATO_API int32_t legato_dfr_radial_functions(legato_dfr* dfr, int64_t index, int32_t species, int32_t state,
                                               int64_t n, const double r[], LEGATO_NULLABLE double large[],
                                               LEGATO_NULLABLE double small[]);

/** Computes the radial density 4 pi r^2 rho, in electrons per bohr, at r[n]. Range of r: [0, 1e6] bohr. */
LEGATO_API int32_t legato_dfr_radial_density(legato_dfr* dfr, int64_t index, int64_t n, const double r[],
                                             double density[]);

/** Writes the nuclei, configurations, exponents, spinors, energies and occupations of all atoms into the HDF5 file
 * `path`; docs/dfr.md describes its entries. An older file is replaced when the new one is complete. The run must have
 * begun. Atoms without a result have no spinors in the file. If the context has several ranks, all of them call this
 * function, and rank 0 writes. Since version 0.2. */
LEGATO_API int32_t legato_dfr_write_vectors(legato_dfr* dfr, const char* path);

/** Computes well-tempered exponents into exponents[count],
 *
 *     zeta_1 = alpha,  zeta_2 = alpha beta,  zeta_k = zeta_(k-1) beta [1 + gamma (k/count)^delta]
 *
 * (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)). Range of count: [1, 200], of alpha:
 * [1e-8, 1e20], of beta: [1, 1e3], of delta and gamma: [0, 1e3]. No exponent may exceed 1e20. */
LEGATO_API int32_t legato_dfr_well_tempered(legato_context* context, double alpha, double beta, double delta,
                                            double gamma, int32_t count, double exponents[]);

#ifdef __cplusplus
}
#endif

#endif
