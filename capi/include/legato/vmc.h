/** @file
 * Variational Monte Carlo for the t-t'-t''-J model without doubly occupied sites,
 *
 *     H = - sum_shells t_shell sum_<ij>,sigma (c+_i c_j + h.c.) + J sum_<ij> (S_i.S_j - n_i n_j / 4),
 *
 * <ij> of the J term nearest neighbours, in the projected d-wave BCS state of a fixed number of electrons, half of them
 * up: Psi = det M, M_ij = phi(r_i - s_j) of the up electrons' sites r_i and the down ones' s_j,
 *
 *     phi(r) = (1/Ns) sum_k phi_k cos(k.r),    phi_k = Delta_k / (xi_k + sqrt(xi_k^2 + Delta_k^2)),
 *     xi_k = -2 t (cos kx + cos ky) - 4 t' cos kx cos ky - 2 t'' (cos 2kx + cos 2ky) - mu.
 *
 * Markov chains visit configurations with probability |Psi|^2. Energies are per site, in the units of t and J.
 * Formulas: A. Paramekanti, M. Randeria and N. Trivedi, Phys. Rev. B 70, 054504 (2004). */
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
    LEGATO_VMC_TILTED = 0,     /**< L^2 + 1 sites, L odd: Z^2 modulo (L, 1) and (-1, L), periodic */
    LEGATO_VMC_RECTANGULAR = 1 /**< Lx x Ly */
} legato_vmc_cluster;

/** Boundary of an axis. */
typedef enum legato_vmc_boundary {
    LEGATO_VMC_PERIODIC = 0,    /**< the opposite edge is the neighbour */
    LEGATO_VMC_ANTIPERIODIC = 1 /**< hopping and phi change sign across it; spins do not */
} legato_vmc_boundary;

/** Gap function. */
typedef enum legato_vmc_gap {
    LEGATO_VMC_GAP_A = 0, /**< Delta_k = (Delta/2) (cos kx - cos ky) */
    LEGATO_VMC_GAP_B = 1  /**< Delta_k = Delta (cos kx - cos ky) */
} legato_vmc_gap;

/** Energies per site, correlations per nearest-neighbour bond. */
typedef enum legato_vmc_observable {
    LEGATO_VMC_ENERGY = 0,          /**< all of it */
    LEGATO_VMC_KINETIC_UP = 1,      /**< kinetic, of the up electrons */
    LEGATO_VMC_KINETIC_DOWN = 2,    /**< kinetic, of the down electrons */
    LEGATO_VMC_EXCHANGE = 3,        /**< J (S.S - n n / 4) */
    LEGATO_VMC_SPIN_SPIN = 4,       /**< <S_i.S_j> */
    LEGATO_VMC_DENSITY_DENSITY = 5, /**< <n_i n_j> */
    LEGATO_VMC_ENERGY_SQUARED = 6   /**< the square of the local energy */
} legato_vmc_observable;

/** Parameters of the state by number: the order of gradients and metric. */
typedef enum legato_vmc_parameter {
    LEGATO_VMC_DELTA = 0,         /**< delta */
    LEGATO_VMC_MU = 1,            /**< mu */
    LEGATO_VMC_T_PRIME = 2,       /**< variational_t_prime */
    LEGATO_VMC_T_DOUBLE_PRIME = 3 /**< variational_t_double_prime */
} legato_vmc_parameter;

/** Where an attempt may lead: the order of counts and rates. */
typedef enum legato_vmc_proposal {
    LEGATO_VMC_ANY_SITE = 0, /**< one of all sites */
    LEGATO_VMC_NEIGHBOUR = 1 /**< one of the four nearest */
} legato_vmc_proposal;

/** Sites count from 0. Of a tilted cluster (x, y) is site x - L y modulo L^2 + 1; of a rectangular one x + Lx y. */
typedef struct legato_vmc_params {
    size_t struct_size;         /**< set by legato_vmc_params_init */
    int32_t cluster;            /**< legato_vmc_cluster. Default TILTED */
    int32_t length;             /**< L: odd, 3..63; TILTED only. Default 9 */
    int32_t extents[2];         /**< Lx, Ly: 3..1024, at most 4096 sites; RECTANGULAR only. Default 8 */
    int32_t boundary[2];        /**< legato_vmc_boundary of x and y; RECTANGULAR only. Default PERIODIC */
    int32_t electrons;          /**< even, 2..sites. Default 74 */
    int32_t gap;                /**< legato_vmc_gap. Default A */
    double t;                   /**< of the Hamiltonian: nearest neighbours; within +-10^6 as all energies. Default 1 */
    double t_prime;             /**< second neighbours, along diagonals. Default 0 */
    double t_double_prime;      /**< third neighbours, two sites along an axis. Default 0 */
    double j;                   /**< J. Default 0.3 */
    double variational_t;       /**< t of the state's xi_k. Default 1 */
    double variational_t_prime; /**< t' of it. Default 0 */
    double variational_t_double_prime; /**< t'' of it. Default 0 */
    double delta;                      /**< Delta of the state's gap. Default 1.5 */
    double mu;                         /**< of the state's xi_k. Default 0 */
    int32_t chains;                    /**< independent ones, 1..1048576. Default 16 */
    int32_t sweep_factor;   /**< a sweep is as many attempts for every electron, null ones too; 1..100. Default 1 */
    int64_t warm_up;        /**< sweeps of each chain before its first bin, 0..2^40. Default 200 */
    int64_t bins;           /**< of each chain, 1..1048576. Default 20 */
    int64_t sweeps_per_bin; /**< each followed by a measurement; 1.., bins sweeps_per_bin <= 2^40. Default 100 */
    double neighbour_share; /**< of attempts that lead to a nearest neighbour, others to any site; 0..1. Default 0.5 */
    int32_t recompute_interval; /**< sweeps between inverses of M computed anew, at most; 1..1000000. Default 20 */
    int32_t start_attempts;     /**< for the first configuration of a chain, 1..2^30. Default 1000 */
    double drift_bound; /**< relative drift of an inverse beyond which the interval is halved; 1e-14..1. Default 1e-6 */
    double least_reciprocal_condition; /**< of M at the start, in the 1-norm; 0..1. Default 1e-12 */
    int64_t seed;                      /**< any; runs of different seeds share no random numbers. Default 1 */
    int32_t correlations;      /**< 1: measure what structure factors follow from, at all distances. Default 0 */
    int32_t pair_correlations; /**< 1: measure those of singlet pairs on bonds, at all distances. Default 0 */
    int32_t gradients;         /**< 1: measure what gradient and metric follow from. Default 0 */
    int32_t gradients_by[4];   /**< by legato_vmc_parameter, 1: by this one too, at a cost. Default 1, 1, 1, 1 */
    int32_t reserved;          /**< not used */
} legato_vmc_params;

/** What was chosen, how far the run is, and its moves, those of the warm-up included. Counts and rates are indexed by
 * legato_vmc_proposal; rates are 0 where there is nothing that they could be of. */
typedef struct legato_vmc_state {
    size_t struct_size;            /**< set by the caller */
    int32_t backend;               /**< legato_backend */
    int32_t sites;                 /**< Ns */
    int32_t chains;                /**< how many */
    int32_t borders;               /**< of M: infinite pair amplitudes whose limit is taken */
    int64_t sweeps_done;           /**< of each chain, warm-up included */
    int64_t bins;                  /**< of each chain */
    int64_t bins_done;             /**< of each chain */
    int64_t recompute_interval;    /**< sweeps, as it stands now */
    double largest_drift;          /**< relative, of an inverse before it was computed anew */
    int64_t attempts[2];           /**< of all chains */
    int64_t nulls[2];              /**< to the electron's own site, or to one of the same spin */
    int64_t hops[2];               /**< to an empty site */
    int64_t hops_accepted[2];      /**< of these */
    int64_t exchanges[2];          /**< with an electron of the other spin */
    int64_t exchanges_accepted[2]; /**< of these */
    double null_rate[2];           /**< nulls / attempts */
    double hop_rate[2];            /**< hops_accepted / hops */
    double exchange_rate[2];       /**< exchanges_accepted / exchanges */
} legato_vmc_state;

/** Means over all bins so far and one standard error each, which allows for autocorrelation. An error is 0 where the
 * mean is exact, as for the kinetic energy at half filling. It is NaN where it is unknown: with a single bin of a
 * single chain; if fewer than 100 and fewer than 1 % of the proposed hops to neighbours or exchanges with them were
 * accepted (calculated from the current configurations if hardly any are proposed). If the chains differ by more than
 * they fluctuate, errors are from the spread between them. */
typedef struct legato_vmc_averages {
    size_t struct_size;            /**< set by the caller */
    int64_t bins_done;             /**< of each chain */
    double energy;                 /**< per site */
    double energy_error;           /**< its standard error */
    double kinetic;                /**< of both spins */
    double kinetic_error;          /**< its standard error */
    double kinetic_up;             /**< of the up electrons */
    double kinetic_up_error;       /**< its standard error */
    double kinetic_down;           /**< of the down electrons */
    double kinetic_down_error;     /**< its standard error */
    double exchange;               /**< J (S.S - n n / 4) */
    double exchange_error;         /**< its standard error */
    double spin_spin;              /**< <S_i.S_j> of nearest neighbours */
    double spin_spin_error;        /**< its standard error */
    double density_density;        /**< <n_i n_j> of nearest neighbours */
    double density_density_error;  /**< its standard error */
    double variance;               /**< of the local energy per site, between configurations */
    double variance_error;         /**< its standard error */
    double autocorrelation_sweeps; /**< integrated time of the energy; 0.5: none; NaN: unknown */
    int32_t bins_are_short;        /**< 1: a bin is shorter than 20 of these times, or they are unknown; errors may be
                                    * too small */
    int32_t chains_differ;         /**< 1: the chains' energies differ by more than they fluctuate (one in a thousand
                                    * good runs does); some chains are trapped, and means may be off */
} legato_vmc_averages;

/** legato_vmc_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_vmc_params_init_sized(legato_vmc_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_vmc_params_init(legato_vmc_params* params) {
    return legato_vmc_params_init_sized(params, sizeof *params);
}

/** @name What follows from parameters alone
 * `params` may be NULL for the defaults; of the lattice's functions only cluster,
 * length, extents and boundary are read. */
/** @{ */
/** Number of sites Ns. */
LEGATO_API int32_t legato_vmc_sites(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                    int32_t* sites);

/** sites (1 - doping) rounded up to an even number of electrons; doping 0..1. Where sites is odd and the doping less
 * than 1 / sites that is more than there are sites, which legato_vmc_create refuses. */
LEGATO_API int32_t legato_vmc_electrons_at(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                           double doping, int32_t* electrons);

/** positions[2 n_sites]: x and y of each site; of a tilted cluster those of the image nearest to the origin. n_sites:
 * all of them. */
LEGATO_API int32_t legato_vmc_positions(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                        int32_t n_sites, int32_t positions[]);

/** neighbours[4 n_sites]: the four of each site in shell 1: (1,0) (0,1) (-1,0) (0,-1), 2: (1,1) (-1,1) (-1,-1) (1,-1)
 * or 3: (2,0) (0,2) (-2,0) (0,-2); signs[4 n_sites] (may be NULL): -1 where an odd number of antiperiodic boundaries is
 * crossed, else 1. The first two of all sites name every bond once; of small clusters some neighbours are the same
 * site, and each counts. n_sites: all of them. */
LEGATO_API int32_t legato_vmc_neighbours(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                         int32_t shell, int32_t n_sites, int32_t neighbours[],
                                         LEGATO_NULLABLE double signs[]);

/** pair_function[n_sites] (may be NULL): phi(r) of the displacement from site 0 to each site's position, infinite
 * amplitudes left out; *borders (may be NULL): how many functions cos k.r and sin k.r they stand for, by which M is
 * bordered. LEGATO_INVALID_ARGUMENT where xi_k = Delta_k = 0, whose phi_k is not defined. */
LEGATO_API int32_t legato_vmc_pair_function(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                            int32_t n_sites, LEGATO_NULLABLE double pair_function[],
                                            LEGATO_NULLABLE int32_t* borders);

/** @} */

/** Chooses the backend and finds the chains' first configurations; `params` may be NULL for the defaults.
 * LEGATO_NUMERICAL_ERROR where none of start_attempts is well conditioned, LEGATO_OUT_OF_MEMORY where not all chains
 * fit: the message tells how many would. */
LEGATO_API int32_t legato_vmc_create(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                     legato_vmc** vmc);

/** With the caller's own phi(r), pair_function[n_pair_function] as of legato_vmc_pair_function: one for each site,
 * within +-1e100, copied. A singlet has phi(-r) = phi(r); others are taken as they are. divergent_zero 1: phi_k of k =
 * 0 is infinite, and not in it. gap, variational_t and so on, delta and mu must be valid, but have no effect; gradients
 * must be 0. */
LEGATO_API int32_t legato_vmc_create_given(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* params,
                                           int32_t n_pair_function, const double pair_function[],
                                           int32_t divergent_zero, legato_vmc** vmc);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_vmc_destroy(legato_vmc* vmc);

/** Runs until all bins are there. `callback` may be NULL; its points are bins, its cycles sweeps of all chains. A
 * stopped run is taken up again by calling once more. LEGATO_NUMERICAL_ERROR where a matrix has become singular. */
LEGATO_API int32_t legato_vmc_run(legato_vmc* vmc, legato_progress_callback callback, void* user);

/** Carries every chain up to `bins` bins further, with the warm-up before the first one; *bins_done (may be NULL)
 * counts those of each chain. */
LEGATO_API int32_t legato_vmc_advance(legato_vmc* vmc, int64_t bins, LEGATO_NULLABLE int64_t* bins_done);

/** Carries chains on until `chain` has all of its bins, or until about `seconds` have passed, 0 to 3.2e7, but at least
 * a little. *bins_done (may be NULL) counts those of the chain. Chains go in their order, by groups that keep the
 * processors busy, so that those before it are finished; on a GPU all chains are one group. A run that begins with this
 * call has the same results, bit for bit, as one by legato_vmc_run and legato_vmc_advance, which refuse to go on with
 * it; until all chains are finished, each has 0 bins for legato_vmc_get_state and for all results but
 * legato_vmc_bin_means. */
LEGATO_API int32_t legato_vmc_reach(legato_vmc* vmc, int32_t chain, double seconds, LEGATO_NULLABLE int64_t* bins_done);

/** What was chosen, how far the run is, and its moves. */
LEGATO_API int32_t legato_vmc_get_state(legato_vmc* vmc, legato_vmc_state* state);

/** @name Results
 * What follows from measurements is refused before the first bin is finished. */
/** @{ */
/** Averages over all bins so far. */
LEGATO_API int32_t legato_vmc_result(legato_vmc* vmc, legato_vmc_averages* averages);

/** means[n] of an observable (legato_vmc_observable) in the first n bins of a chain, from 0; n at most what it has
 * done: bins_done, or what legato_vmc_reach says. */
LEGATO_API int32_t legato_vmc_bin_means(legato_vmc* vmc, int32_t observable, int32_t chain, int64_t n, double means[]);

/** Where the electrons of a chain are now: the sites up[n_pairs] and down[n_pairs], n_pairs = electrons / 2. */
LEGATO_API int32_t legato_vmc_electron_sites(legato_vmc* vmc, int32_t chain, int32_t n_pairs, int32_t up[],
                                             int32_t down[]);

/** With `correlations` only: S(q) = sum_r cos(q.r) <S^z_i S^z_(i+r)> and N(q) = sum_r cos(q.r) (<n_i n_(i+r)> - <n>^2)
 * at all wave vectors of the periodic cluster, wave_vectors[2 n_sites], qx and qy of each side by side, in 0..2 pi.
 * Both are exactly 0 at q = 0. Other standard errors are NaN with a single bin of a single chain, and where that of the
 * energy is. Each pointer may be NULL. */
LEGATO_API int32_t legato_vmc_structure_factors(legato_vmc* vmc, int32_t n_sites, LEGATO_NULLABLE double wave_vectors[],
                                                LEGATO_NULLABLE double spin[], LEGATO_NULLABLE double spin_error[],
                                                LEGATO_NULLABLE double charge[], LEGATO_NULLABLE double charge_error[]);

/** With `pair_correlations` only: of singlet pairs on bonds from a site to its neighbour in direction a, 0 (x) or 1
 * (y),
 *
 *     F_ab(r) = <B+_a(i) B_b(i + r)>, mean over all sites i,
 *     B+_a(i) = (c+_(i up) c+_(i+a down) - c+_(i down) c+_(i+a up)) / 2,
 *
 * so that F_aa(0) = <n_i n_(i+a) / 4 - S_i.S_(i+a)> / 2. f[4 n_sites] and standard errors error[4 n_sites]: F_ab(r) at
 * (2 a + b) n_sites + r, r the site to which the displacement leads from site 0 (legato_vmc_positions). A bond through
 * an antiperiodic boundary carries its sign, so that F has the cluster's period. n_sites: all of them. Errors are NaN
 * with a single bin of a single chain, and where that of the energy is. Each pointer may be NULL. */
LEGATO_API int32_t legato_vmc_pair_correlations(legato_vmc* vmc, int32_t n_sites, LEGATO_NULLABLE double f[],
                                                LEGATO_NULLABLE double error[]);

/** With `gradients` only: of the energy per site by the first n <= 4 parameters (legato_vmc_parameter), gradient[n] and
 * standard errors error[n], 2 (<E O_a + d_a E> - <E> <O_a>) with O_a = d ln Psi / d parameter a and d_a E the local
 * energy's derivative, whose mean is 0; and metric[n n], <O_a O_b> - <O_a> <O_b>. All are 0 of parameters that
 * gradients_by leaves out, and of those on which the state does not depend. Errors take bins as independent: some tens
 * of sweeps at the least. They are NaN with a single bin of a single chain. Each pointer may be NULL. */
LEGATO_API int32_t legato_vmc_gradient(legato_vmc* vmc, int32_t n, LEGATO_NULLABLE double gradient[],
                                       LEGATO_NULLABLE double error[], LEGATO_NULLABLE double metric[]);

/** @} */

/** Saves the run to an HDF5 file, written beside `path` and renamed, within a bin too. */
LEGATO_API int32_t legato_vmc_save(legato_vmc* vmc, const char* path);

/** Resumes a saved run. It goes on with the backend of the saved run, and gives the same bits as an uninterrupted one.
 * If the context names the other backend, or if this machine lacks the saved one, a warning is logged: the last digits
 * may differ. A truncated, foreign or newer file is refused. */
LEGATO_API int32_t legato_vmc_resume(legato_context* context, const char* path, legato_vmc** vmc);

/** The parameters in use, for instance after legato_vmc_resume. struct_size is set by the caller, as
 * legato_vmc_params_init does. */
LEGATO_API int32_t legato_vmc_get_params(legato_vmc* vmc, legato_vmc_params* params);

/** The pair function in use, the caller's too: as legato_vmc_pair_function. */
LEGATO_API int32_t legato_vmc_get_pair_function(legato_vmc* vmc, int32_t n_sites,
                                                LEGATO_NULLABLE double pair_function[],
                                                LEGATO_NULLABLE int32_t* borders);

#ifdef __cplusplus
}
#endif

#endif
