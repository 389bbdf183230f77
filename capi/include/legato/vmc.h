/** @file
 * Variational Monte Carlo for the t-t'-t''-J model without doubly occupied sites,
 *
 *     H = - sum_shells t_shell sum_<ij>,sigma (c+_i c_j + h.c.) + J sum_<ij> (S_i.S_j - n_i n_j / 4).
 *
 * The shells are the first, second and third neighbours, with the hoppings t, t' and t''. In the J term <ij> are
 * nearest neighbours. The state is the projected d-wave BCS state with a fixed number of electrons, half of them up. It
 * is Psi = det M with M_ij = phi(r_i - s_j), where r_i and s_j are the sites of up and down electrons,
 *
 *     phi(r) = (1/Ns) sum_k phi_k cos(k.r),    phi_k = Delta_k / (xi_k + sqrt(xi_k^2 + Delta_k^2)),
 *     xi_k = -2 t (cos kx + cos ky) - 4 t' cos kx cos ky - 2 t'' (cos 2kx + cos 2ky) - mu.
 *
 * The gap function Delta_k is one of legato_vmc_gap, Ns is the number of sites, and the sum is over the Ns wave vectors
 * of the cluster. Markov chains visit configurations with a probability proportional to |Psi|^2. Energies are per site,
 * in the units of t and J. Formulas: A. Paramekanti, M. Randeria and N. Trivedi, Phys. Rev. B 70, 054504 (2004). */
#ifndef LEGATO_VMC_H
#define LEGATO_VMC_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A run of Markov chains. */
typedef struct legato_vmc legato_vmc;

/** Kind of cluster. */
typedef enum legato_vmc_cluster {
    LEGATO_VMC_CLUSTER_TILTED = 0,     /**< L^2 + 1 sites with odd L: the square lattice with the periods (L, 1) and
                                            (-1, L) */
    LEGATO_VMC_CLUSTER_RECTANGULAR = 1 /**< a rectangle of Lx x Ly sites */
} legato_vmc_cluster;

/** Boundary along an axis. */
typedef enum legato_vmc_boundary {
    LEGATO_VMC_BOUNDARY_PERIODIC = 0,    /**< a site at the opposite edge is the neighbour */
    LEGATO_VMC_BOUNDARY_ANTIPERIODIC = 1 /**< hopping and phi change sign across the boundary; spins do not */
} legato_vmc_boundary;

/** Gap function. */
typedef enum legato_vmc_gap {
    LEGATO_VMC_GAP_A = 0, /**< Delta_k = (Delta/2) (cos kx - cos ky) */
    LEGATO_VMC_GAP_B = 1  /**< Delta_k = Delta (cos kx - cos ky) */
} legato_vmc_gap;

/** Observable. Energies are per site, correlations per nearest-neighbour bond. */
typedef enum legato_vmc_observable {
    LEGATO_VMC_OBSERVABLE_ENERGY = 0,          /**< total energy */
    LEGATO_VMC_OBSERVABLE_KINETIC_UP = 1,      /**< kinetic energy of the up electrons */
    LEGATO_VMC_OBSERVABLE_KINETIC_DOWN = 2,    /**< kinetic energy of the down electrons */
    LEGATO_VMC_OBSERVABLE_EXCHANGE = 3,        /**< J (S.S - n n / 4) */
    LEGATO_VMC_OBSERVABLE_SPIN_SPIN = 4,       /**< <S_i.S_j> */
    LEGATO_VMC_OBSERVABLE_DENSITY_DENSITY = 5, /**< <n_i n_j> */
    LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED = 6   /**< square of the local energy */
} legato_vmc_observable;

/** Number of a parameter of the state. Gradients and metric have this order. */
typedef enum legato_vmc_parameter {
    LEGATO_VMC_PARAMETER_DELTA = 0,         /**< delta */
    LEGATO_VMC_PARAMETER_MU = 1,            /**< mu */
    LEGATO_VMC_PARAMETER_T_PRIME = 2,       /**< variational_t_prime */
    LEGATO_VMC_PARAMETER_T_DOUBLE_PRIME = 3 /**< variational_t_double_prime */
} legato_vmc_parameter;

/** Kind of the target of an attempt. Counts and rates are given for each kind, in this order. */
typedef enum legato_vmc_proposal {
    LEGATO_VMC_PROPOSAL_ANY_SITE = 0, /**< any site */
    LEGATO_VMC_PROPOSAL_NEIGHBOUR = 1 /**< one of the four nearest neighbours */
} legato_vmc_proposal;

/** Parameters of a run. Sites count from 0. In a tilted cluster (x, y) has the number x - L y modulo L^2 + 1, in a
 * rectangular one x + Lx y. */
typedef struct legato_vmc_params {
    size_t struct_size;                /**< Set by legato_vmc_params_init. */
    int32_t cluster;                   /**< One of legato_vmc_cluster, default LEGATO_VMC_CLUSTER_TILTED. */
    int32_t length;                    /**< Length L, an odd number, used with LEGATO_VMC_CLUSTER_TILTED. Range [3, 63],
                                            default 9. */
    int32_t extents[2];                /**< Extents Lx and Ly with at most 4096 sites in all, used with
                                            LEGATO_VMC_CLUSTER_RECTANGULAR. Range [3, 1024], default 8. */
    int32_t boundary[2];               /**< Boundaries in x and y, used with LEGATO_VMC_CLUSTER_RECTANGULAR. One of
                                            legato_vmc_boundary, default LEGATO_VMC_BOUNDARY_PERIODIC. */
    int32_t electrons;                 /**< Number of electrons, even and at most the number of sites. Range [2, 4096],
                                            default 74. */
    int32_t gap;                       /**< One of legato_vmc_gap, default LEGATO_VMC_GAP_A. */
    double t;                          /**< Hopping t of the Hamiltonian between nearest neighbours. Range [-1e6, 1e6],
                                            default 1. */
    double t_prime;                    /**< Hopping t' of the Hamiltonian between second neighbours, along diagonals.
                                            Range [-1e6, 1e6], default 0. */
    double t_double_prime;             /**< Hopping t'' of the Hamiltonian between third neighbours, two sites along an
                                            axis. Range [-1e6, 1e6], default 0. */
    double j;                          /**< Exchange J of the Hamiltonian. Range [-1e6, 1e6], default 0.3. */
    double variational_t;              /**< Parameter t of xi_k. Range [-1e6, 1e6], default 1. */
    double variational_t_prime;        /**< Parameter t' of xi_k. Range [-1e6, 1e6], default 0. */
    double variational_t_double_prime; /**< Parameter t'' of xi_k. Range [-1e6, 1e6], default 0. */
    double delta;                      /**< Parameter Delta of Delta_k. Range [-1e6, 1e6], default 1.5. */
    double mu;                         /**< Parameter mu of xi_k. Range [-1e6, 1e6], default 0. */
    int32_t chains;                    /**< Number of independent chains. Range [1, 1048576], default 16. */
    int32_t sweep_factor;              /**< Number of attempts per electron in a sweep, null attempts included.
                                            Range [1, 100], default 1. */
    int64_t thermalisation;            /**< Number of sweeps of each chain before its first bin.
                                            Range [0, 1099511627776], default 200. */
    int64_t bins;                      /**< Number of bins of each chain. Range [1, 1048576], default 20. */
    int64_t sweeps_per_bin;            /**< Number of sweeps in a bin; a measurement follows each of them. bins times
                                            sweeps_per_bin is at most 2^40. Range [1, 1099511627776], default 100. */
    double neighbour_share;     /**< Share of the attempts whose target is a nearest neighbour of the electron; the
                                     target of the others is any site. Range [0, 1], default 0.5. */
    int32_t recompute_interval; /**< Largest number of sweeps between two recomputations of the inverse of M.
                                     Range [1, 1000000], default 20. */
    int32_t start_attempts;     /**< Largest number of configurations that are tried to find the first one of a
                                     chain. Range [1, 1073741824], default 1000. */
    double drift_bound;         /**< If the updated inverse differs from the recomputed one by more than this
                                     (relative), the interval between recomputations is halved. Range [1e-14, 1],
                                     default 1e-6. */
    double least_reciprocal_condition; /**< Smallest reciprocal condition number, in the 1-norm, that M may have in the
                                            first configuration of a chain. Range [0, 1], default 1e-12. */
    int64_t seed;                      /**< Seed of the random numbers. Runs with different seeds share no random
                                            numbers. Any value, default 1. */
    int32_t correlations;              /**< 1: measure the correlations at all distances that
                                            legato_vmc_structure_factors needs; 0: do not. Range [0, 1], default 0. */
    int32_t pair_correlations;         /**< 1: measure correlations of singlet pairs on bonds, at all distances; 0: do
                                            not. Range [0, 1], default 0. */
    int32_t gradients;                 /**< 1: measure the averages that give the gradient of the energy and the metric;
                                            0: do not. If it is 1, delta must not be 0. Range [0, 1], default 0. */
    int32_t gradients_by[4];           /**< Element p is 1: include the derivative with respect to parameter p
                                            (legato_vmc_parameter), which costs time; 0: leave it out. Range [0, 1],
                                            default 1. */
    int32_t reserved;                  /**< Not used. */
} legato_vmc_params;

/** The choices of a run, its progress, and the counts of its attempts. The counts include the thermalisation. Counts
 * and rates are indexed by legato_vmc_proposal. A rate is 0 if its denominator is 0. */
typedef struct legato_vmc_state {
    size_t struct_size;  /**< Set by the caller. */
    int32_t backend;     /**< One of legato_backend. */
    int32_t sites;       /**< Number Ns of sites. */
    int32_t chains;      /**< Number of chains. */
    int32_t borders;     /**< Number of borders of M, rows and columns that represent infinite pair
                              amplitudes. */
    int64_t sweeps_done; /**< Number of sweeps of each chain so far, thermalisation included. If
                              legato_vmc_advance_chain advances the chains in several groups, one group after
                              another, it is 0 until the last group begins. */
    int64_t bins;        /**< Number of bins of each chain. */
    int64_t bins_done;   /**< Number of finished bins of each chain. If legato_vmc_advance_chain advances the chains in
                            several groups, it is 0 until all chains are finished. */
    int64_t recompute_interval;    /**< Current interval between recomputations of the inverses, in sweeps: the shortest
                                        interval of all chains. */
    double largest_drift;          /**< Largest relative drift of an inverse before it was recomputed. */
    int64_t attempts[2];           /**< Number of attempts of all chains. */
    int64_t nulls[2];              /**< Number of null attempts: the target is the electron's own site, or has an
                                        electron of the same spin. */
    int64_t hops[2];               /**< Number of attempted hops, to an empty site. */
    int64_t hops_accepted[2];      /**< Number of accepted hops. */
    int64_t exchanges[2];          /**< Number of attempted exchanges with an electron of the other spin. */
    int64_t exchanges_accepted[2]; /**< Number of accepted exchanges. */
    double null_rate[2];           /**< nulls / attempts */
    double hop_rate[2];            /**< hops_accepted / hops */
    double exchange_rate[2];       /**< exchanges_accepted / exchanges */
} legato_vmc_state;

/** Means over all bins so far, and their standard errors, which account for autocorrelation. If the means of the chains
 * differ by more than their fluctuations explain, errors follow from the spread between chains.
 *
 * An error is 0 if the mean is exact, for instance that of the kinetic energy at half filling. An error is NaN if it is
 * unknown. This is so with a single bin of a single chain, and also if attempts to neighbours are accepted too rarely.
 * Hops to neighbours and exchanges with neighbours are tested separately. A kind is accepted too rarely if two
 * conditions hold: fewer than 100 of its attempts have been accepted, and these are less than 1 % of its attempts. If
 * fewer than 100 of a kind have been attempted, their acceptance is estimated from the current configurations. */
typedef struct legato_vmc_averages {
    size_t struct_size;            /**< Set by the caller. */
    int64_t bins_done;             /**< Number of finished bins of each chain. */
    double energy;                 /**< Energy per site. */
    double energy_error;           /**< Its standard error. */
    double kinetic;                /**< Kinetic energy of both spins. */
    double kinetic_error;          /**< Its standard error. */
    double kinetic_up;             /**< Kinetic energy of the up electrons. */
    double kinetic_up_error;       /**< Its standard error. */
    double kinetic_down;           /**< Kinetic energy of the down electrons. */
    double kinetic_down_error;     /**< Its standard error. */
    double exchange;               /**< Exchange energy J (S.S - n n / 4). */
    double exchange_error;         /**< Its standard error. */
    double spin_spin;              /**< <S_i.S_j> of nearest neighbours */
    double spin_spin_error;        /**< Its standard error. */
    double density_density;        /**< <n_i n_j> of nearest neighbours */
    double density_density_error;  /**< Its standard error. */
    double variance;               /**< Variance of the local energy per site over configurations. */
    double variance_error;         /**< Its standard error. */
    double autocorrelation_sweeps; /**< Integrated autocorrelation time of the energy in sweeps; 0.5 without
                                        correlation, NaN if it is unknown. */
    int32_t bins_are_short;        /**< 1: a bin is shorter than 20 autocorrelation times, or this time is unknown;
                                        errors may be too small. 0: bins are longer. */
    int32_t chains_differ;         /**< 1: the mean energies of the chains differ by more than their fluctuations
                                        explain. Some chains are trapped, and means may be wrong. This also occurs by chance, in
                                      one of a thousand good runs. 0: they do not differ so much. */
} legato_vmc_averages;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_vmc_params_init. */
LEGATO_API int32_t legato_vmc_params_init_sized(legato_vmc_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_vmc_params_init(legato_vmc_params* params) {
    return legato_vmc_params_init_sized(params, sizeof *params);
}

/** @name Quantities that follow from the parameters alone
 * NULL for `params` stands for the defaults. The functions for the lattice use only cluster, length, extents and
 * boundary. */
/** @{ */
/** Computes the number of sites Ns. */
LEGATO_API int32_t legato_vmc_sites(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                    int32_t* sites);

/** Computes a number of electrons: sites (1 - doping), rounded up to an even number. Range of doping: [0, 1]. If the
 * number of sites is odd and the doping less than 1 / sites, the result exceeds the number of sites, and
 * legato_vmc_create refuses it. */
LEGATO_API int32_t legato_vmc_electrons_at(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                           double doping, int32_t* electrons);

/** Computes x and y of each site into positions[2 n_sites]. In a tilted cluster they are the coordinates of the
 * periodic image that is nearest to the origin. n_sites is the number of all sites. */
LEGATO_API int32_t legato_vmc_positions(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                        int32_t n_sites, int32_t positions[]);

/** Computes the four neighbours of each site in a shell into neighbours[4 n_sites]. The steps to them are, in this
 * order: shell 1: (1,0) (0,1) (-1,0) (0,-1); shell 2: (1,1) (-1,1) (-1,-1) (1,-1); shell 3: (2,0) (0,2) (-2,0) (0,-2).
 * signs[4 n_sites] is -1 if an odd number of antiperiodic boundaries is crossed, and 1 otherwise. n_sites is the number
 * of all sites.
 *
 * The first two neighbours of all sites give every bond once. In small clusters several neighbours are the same site,
 * and each of them counts. */
LEGATO_API int32_t legato_vmc_neighbours(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                         int32_t shell, int32_t n_sites, int32_t neighbours[],
                                         LEGATO_NULLABLE double signs[]);

/** Computes phi(r) into pair_function[n_sites], where r is the displacement from site 0 to each site's position. The
 * sum over k leaves out infinite amplitudes phi_k. *borders becomes the number of borders that represent them. A border
 * is a row and a column of M. An infinite amplitude whose wave vector k is equivalent to -k adds one border, cos k.r.
 * Two different wave vectors k and -k with infinite amplitudes add two borders, cos k.r and sin k.r. Returns
 * LEGATO_STATUS_INVALID_ARGUMENT if xi_k = Delta_k = 0 for a wave vector, because phi_k is then not defined. */
LEGATO_API int32_t legato_vmc_pair_function(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                            int32_t n_sites, LEGATO_NULLABLE double pair_function[],
                                            LEGATO_NULLABLE int32_t* borders);

/** @} */

/** Creates a run, chooses the backend and finds the first configurations of the chains. NULL for `params` stands for
 * the defaults. Returns LEGATO_STATUS_NUMERICAL_ERROR if a chain finds no well-conditioned configuration in
 * start_attempts attempts. Returns LEGATO_STATUS_OUT_OF_MEMORY if not all chains fit into memory; the message says how
 * many would fit. */
LEGATO_API int32_t legato_vmc_create(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                     legato_vmc** vmc);

/** Creates a run with the caller's own phi(r). pair_function[n_pair_function] has one value in [-1e100, 1e100] for each
 * site, in the order of legato_vmc_pair_function, and is copied. A singlet has phi(-r) = phi(r), which is not checked.
 * `divergent_zero` is 1 if phi_k at k = 0 is infinite and not contained in the values, and 0 otherwise. The parameters
 * gap, variational_t, variational_t_prime, variational_t_double_prime, delta and mu must be valid, but have no effect.
 * gradients must be 0. */
LEGATO_API int32_t legato_vmc_create_given(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                           int32_t n_pair_function, const double pair_function[],
                                           int32_t divergent_zero, legato_vmc** vmc);

/** Destroys a run; NULL is allowed. */
LEGATO_API int32_t legato_vmc_destroy(legato_vmc* vmc);

/** Runs until all bins are finished. `callback` may be NULL. It reports bins as points, and sweeps of all chains as
 * cycles. A stopped run continues with the next call. Returns LEGATO_STATUS_NUMERICAL_ERROR if M has become singular in
 * a chain. */
LEGATO_API int32_t legato_vmc_run(legato_vmc* vmc, legato_progress_callback callback, void* user);

/** Advances each chain by up to `bins` bins. The thermalisation precedes the first bin. *bins_done becomes the number
 * of finished bins of each chain. */
LEGATO_API int32_t legato_vmc_advance(legato_vmc* vmc, int64_t bins, LEGATO_NULLABLE int64_t* bins_done);

/** Advances chains until `chain` has finished all of its bins, or until about `seconds` have passed. At least one batch
 * of sweeps is done. Range of seconds: [0, 3.2e7]. *bins_done becomes the number of finished bins of this chain.
 *
 * Chains are divided into groups in their order. A group has as many chains as keep the processors busy; on a GPU all
 * chains are one group. The chains of a group advance together, and the next group begins when all of them are
 * finished. The results of a run that begins with this call are bitwise identical to those of legato_vmc_run and
 * legato_vmc_advance, but these two refuse to continue it. The results of measurements contain only bins that all
 * chains have finished, except those of legato_vmc_bin_means. bins_done of legato_vmc_get_state counts only these bins
 * too. With several groups, even these bins count only when all chains have finished all of their bins; until then
 * bins_done is 0. *bins_done of this function is different: it counts the bins of `chain`. */
LEGATO_API int32_t legato_vmc_advance_chain(legato_vmc* vmc, int32_t chain, double seconds,
                                            LEGATO_NULLABLE int64_t* bins_done);

/** Reads the choices, the progress and the counts of a run. */
LEGATO_API int32_t legato_vmc_get_state(legato_vmc* vmc, legato_vmc_state* state);

/** @name Results
 * Results of measurements are refused before the first bin is finished. */
/** @{ */
/** Reads the averages over all bins so far. */
LEGATO_API int32_t legato_vmc_result(legato_vmc* vmc, legato_vmc_averages* averages);

/** Reads the means of an observable in the first n bins of a chain, counted from 0, into means[n]. `observable` is one
 * of legato_vmc_observable. n is at most the number of finished bins of the chain. */
LEGATO_API int32_t legato_vmc_bin_means(legato_vmc* vmc, int32_t observable, int32_t chain, int64_t n, double means[]);

/** Reads the current sites of a chain's electrons into up[n_pairs] and down[n_pairs], where n_pairs = electrons / 2. */
LEGATO_API int32_t legato_vmc_electron_sites(legato_vmc* vmc, int32_t chain, int32_t n_pairs, int32_t up[],
                                             int32_t down[]);

/** Computes the structure factors at all wave vectors of the periodic cluster. `correlations` must be 1. The structure
 * factors of spins and of charges are
 *
 *     S(q) = sum_r cos(q.r) <S^z_i S^z_(i+r)>,
 *     N(q) = sum_r cos(q.r) (<n_i n_(i+r)> - <n_i>^2).
 *
 * n_sites is the number of all sites. wave_vectors[2 n_sites] receives qx and qy, alternating, in [0, 2 pi). S and N
 * are exactly 0 at q = 0. The standard errors at other q are NaN with a single bin of a single chain, and if the error
 * of the energy is NaN. */
LEGATO_API int32_t legato_vmc_structure_factors(legato_vmc* vmc, int32_t n_sites, LEGATO_NULLABLE double wave_vectors[],
                                                LEGATO_NULLABLE double spin[], LEGATO_NULLABLE double spin_error[],
                                                LEGATO_NULLABLE double charge[], LEGATO_NULLABLE double charge_error[]);

/** Computes the correlations F_ab(r) of singlet pairs on bonds, if `pair_correlations` is 1. Directions a and b are 0
 * (x) or 1 (y). The bond of site i in direction a leads to its neighbour i + a:
 *
 *     F_ab(r) = <B+_a(i) B_b(i + r)>, mean over all sites i,
 *     B+_a(i) = (c+_(i up) c+_(i+a down) - c+_(i down) c+_(i+a up)) / 2,
 *
 * so that F_aa(0) = <n_i n_(i+a) / 4 - S_i.S_(i+a)> / 2. Element (2 a + b) n_sites + r of f[4 n_sites] and of the
 * standard errors error[4 n_sites] belongs to F_ab(r). r is the site to which the displacement leads from site 0
 * (legato_vmc_positions). A pair on a bond through an antiperiodic boundary has the opposite sign, so that F has the
 * period of the cluster. n_sites is the number of all sites. Errors are NaN with a single bin of a single chain, and if
 * the error of the energy is NaN. */
LEGATO_API int32_t legato_vmc_pair_correlations(legato_vmc* vmc, int32_t n_sites, LEGATO_NULLABLE double f[],
                                                LEGATO_NULLABLE double error[]);

/** Computes the gradient of the energy per site with respect to the first n <= 4 parameters (legato_vmc_parameter), if
 * `gradients` is 1:
 *
 *     gradient[n] = 2 (<E O_a + d_a E> - <E> <O_a>),    metric[n x n] = <O_a O_b> - <O_a> <O_b>,
 *
 * with O_a = d ln Psi / d parameter a. d_a E is the derivative of the local energy. The exact mean of d_a E is 0, but E
 * O_a alone fluctuates strongly near nodes of Psi. error[n] are standard errors. All values are 0 for parameters that
 * gradients_by leaves out, and for those on which the state does not depend. Errors account for autocorrelation. They
 * are NaN with a single bin of a single chain, and if the error of the energy is NaN. */
LEGATO_API int32_t legato_vmc_gradient(legato_vmc* vmc, int32_t n, LEGATO_NULLABLE double gradient[],
                                       LEGATO_NULLABLE double error[], LEGATO_NULLABLE double metric[]);

/** @} */

/** Saves the run to an HDF5 file, also within a bin. A temporary file beside `path` is renamed to `path` when it is
 * complete. */
LEGATO_API int32_t legato_vmc_save(legato_vmc* vmc, const char* path);

/** Resumes a saved run on the backend on which it ran. Its results are then bitwise identical to those of an
 * uninterrupted run. If the context requests the other backend, or if this machine does not have the earlier one, the
 * run continues on the other backend. A warning then says that the last digits may differ. A file is refused if it is
 * truncated, if it is not a saved run of this method, or if a newer version has written it. */
LEGATO_API int32_t legato_vmc_resume(legato_context* context, const char* path, legato_vmc** vmc);

/** Reads the parameters in use, for instance after legato_vmc_resume. Before the call, set struct_size to the size of
 * the struct, directly or by legato_vmc_params_init. */
LEGATO_API int32_t legato_vmc_get_params(legato_vmc* vmc, legato_vmc_params* params);

/** Reads the pair function in use, in the format of legato_vmc_pair_function. After legato_vmc_create_given it is the
 * caller's own one. */
LEGATO_API int32_t legato_vmc_get_pair_function(legato_vmc* vmc, int32_t n_sites,
                                                LEGATO_NULLABLE double pair_function[],
                                                LEGATO_NULLABLE int32_t* borders);

#ifdef __cplusplus
}
#endif

#endif
