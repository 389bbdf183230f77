/** @file
 * Monte Carlo of the Ising model on a square or simple cubic lattice, with many spins in a machine word,
 *
 *     H = -J sum_<xy> s_x s_y - h sum_x s_x,    s = +1 or -1.
 *
 * The sum over <xy> contains each bond once. One or several temperatures are simulated at the same time, by the
 * Metropolis algorithm on the checkerboard (N. Metropolis et al., J. Chem. Phys. 21, 1087 (1953)), by demons (M.
 * Creutz, Phys. Rev. Lett. 50, 1411 (1983)), or by clusters. A demon is an auxiliary degree of freedom that exchanges
 * energy with the spins. It has three levels of 4 J, 8 J and 16 J, each empty or occupied, so its energy is between 0
 * and 28 J. beta is J / kT, a dimensionless number. Energies are per spin and in units of J. */
#ifndef LEGATO_ISING_H
#define LEGATO_ISING_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A run of independent lattices, which are called systems. */
typedef struct legato_ising legato_ising;

/** Algorithm that updates the spins. */
typedef enum legato_ising_algorithm {
    LEGATO_ISING_ALGORITHM_METROPOLIS = 0,           /**< Metropolis algorithm; a word holds spins of one lattice */
    LEGATO_ISING_ALGORITHM_DEMON_NAIVE = 1,          /**< demons; a word holds spins of up to 32 lattices, and a refresh
                                                          draws at random which levels of each demon are occupied */
    LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL = 2,       /**< demons; a refresh draws, for each level, the number of demons
                                                          in which it is occupied, and changes as many demons as
                                                          needed */
    LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL = 3, /**< demons; they are refreshed like binomial demons, but only
                                                          during the thermalisation */
    LEGATO_ISING_ALGORITHM_SWENDSEN_WANG = 4, /**< a sweep divides the lattice into clusters and turns each over with
                                                   probability 1/2 (R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58,
                                                   86 (1987)); with correlations on the CPU
                                                   only. Since version 0.2. */
    LEGATO_ISING_ALGORITHM_WOLFF = 5          /**< a sweep turns over the cluster of one random site (U. Wolff, Phys.
                                                   Rev. Lett. 62, 361 (1989)); on the CPU only. Since version 0.2. */
} legato_ising_algorithm;

/** Boundary along an axis. */
typedef enum legato_ising_boundary {
    LEGATO_ISING_BOUNDARY_PERIODIC = 0,    /**< a site at the opposite edge is the neighbour */
    LEGATO_ISING_BOUNDARY_ANTIPERIODIC = 1 /**< couplings across the boundary have the opposite sign */
} legato_ising_boundary;

/** First configuration. */
typedef enum legato_ising_start {
    LEGATO_ISING_START_UP = 0,    /**< all spins up */
    LEGATO_ISING_START_RANDOM = 1 /**< each spin up or down with probability 1/2 */
} legato_ising_start;

/** Parameters that all systems of a run share. */
typedef struct legato_ising_params {
    size_t struct_size;     /**< Set by legato_ising_params_init. */
    int32_t dimension;      /**< Dimension of the lattice. Range [2, 3], default 2. */
    int32_t algorithm;      /**< One of legato_ising_algorithm, default LEGATO_ISING_ALGORITHM_METROPOLIS. */
    int64_t extents[3];     /**< Extents L1, L2, L3: even numbers from 2 on; L3 is 1 in two dimensions. There
                                 are at most 2^37 sites, 3e9 with demons, and L2 L3 ceil(L1 / 64) is at most
                                 2^31, or 2^25 - 1 with clusters. Range [1, 1048576], default 64,64,1. */
    int32_t boundary[3];    /**< Boundary along each axis; the third is LEGATO_ISING_BOUNDARY_PERIODIC in two
                                 dimensions. One of legato_ising_boundary, default LEGATO_ISING_BOUNDARY_PERIODIC. */
    int32_t replicas;       /**< Number of replicas, which are independent lattices with the same beta and seed. Demons
                                 are fastest with 1, 2, 4, 8, 16 or a multiple of 32 replicas. Range [1, 1048576],
                                 default 1. */
    double field;           /**< Field h / J, used with LEGATO_ISING_ALGORITHM_METROPOLIS,
                                 LEGATO_ISING_ALGORITHM_SWENDSEN_WANG and LEGATO_ISING_ALGORITHM_WOLFF; it must be 0 with
                                 demons. Range [-1e6, 1e6], default 0. */
    int64_t thermalisation; /**< Number of sweeps before the first measurement. Range [0, 1099511627776],
                                 default 1000. */
    int64_t sweeps_per_measurement; /**< Number of sweeps between two measurements. sweeps_per_measurement times
                                         measurements_per_bin times bins is at most 2^40. Range [1, 1099511627776],
                                       default 1. */
    int64_t measurements_per_bin;   /**< Number of measurements in a bin; see also sweeps_per_measurement. Range
                                         [1, 1099511627776], default 1000. */
    int64_t bins;                   /**< Number of bins; reliable errors need at least 32. Range [1, 1048576],
                                         default 32. */
    int64_t refresh_interval;       /**< Number of sweeps between two refreshes of the demons, at most the number of all
                                         sweeps. Microcanonical demons (LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL) are
                                         refreshed only in the thermalisation; refresh_interval is then at most
                                         `thermalisation`. Without a thermalisation they are never refreshed: all demons
                                         begin empty, and the total energy stays that of the first configuration.
                                         Range [1, 1099511627776], default 1. */
    int32_t start;                  /**< One of legato_ising_start, default LEGATO_ISING_START_UP. */
    int32_t time_series;            /**< 1: keep m and e of every measurement; 0: keep sums over bins only. Range
                                         [0, 1], default 0. */
    int32_t correlations; /**< 1: measure <s_x s_(x+r)> along the axes, with clusters of Swendsen and Wang on the CPU
                             only; 0: do not. Range [0, 1], default 0. */
    int32_t acceptance;   /**< 1: count attempts and flips; 0: do not; used with LEGATO_ISING_ALGORITHM_METROPOLIS. It
                             must be 0 with demons and clusters. Range [0, 1], default 0. */
} legato_ising_params;

/** The choices of a run, and its progress. The progress is that of the least advanced system. If
 * legato_ising_advance_system advances the systems in several groups, one group after another, the progress is 0 until
 * the last group begins. */
typedef struct legato_ising_state {
    size_t struct_size;        /**< Set by the caller. */
    int32_t backend;           /**< One of legato_backend. */
    int32_t reserved;          /**< Not used. */
    int64_t sites;             /**< Number N of sites of a system. */
    int64_t systems;           /**< Number of systems: betas * seeds * replicas. */
    int64_t betas;             /**< Number of betas. */
    int64_t seeds;             /**< Number of seeds. */
    int64_t sweeps;            /**< Number of sweeps of each system in the whole run, thermalisation included. */
    int64_t sweeps_done;       /**< Number of sweeps that every system has made, thermalisation included. */
    int64_t measurements_done; /**< Number of measurements that every system has made. */
    int64_t bins;              /**< Number of bins of each system. */
    int64_t bins_done;         /**< Number of bins that every system has finished. */
} legato_ising_state;

/** Means over the finished bins of all systems at one temperature, and their standard errors, which account for
 * autocorrelation. m = sum_x s_x / N, e = H / (N J), and N is the number of sites. Errors of functions of means follow
 * from the jackknife over bins. If the means of the systems differ by more than their fluctuations explain, errors
 * follow from the spread between systems.
 *
 * With LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL each system keeps the energy that it has after the thermalisation.
 * All errors then follow from the spread between systems, unless the thermalisation has no sweeps. With n systems such
 * an error has n - 1 degrees of freedom (Student's t).
 *
 * With LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, <m>, <m^2>, <m^4>, U and correlation functions are improved estimators:
 * averages over all directions that the clusters of a measurement may have, except for the cluster with the ghost spin
 * (U. Wolff, Nucl. Phys. B 300, 501 (1988)). Without a field <m> is then exactly 0. All other averages come from the
 * spins themselves.
 *
 * An error is NaN if it is unknown: for a single bin of a single system; for a single microcanonical system after a
 * thermalisation; for a value that never changed; for <m> if the run has not sampled both signs of m well. */
typedef struct legato_ising_averages {
    size_t struct_size;                         /**< Set by the caller. */
    int64_t bins_done;                          /**< Number of finished bins of each system. */
    double magnetisation;                       /**< <m> */
    double magnetisation_error;                 /**< Its standard error. */
    double absolute_magnetisation;              /**< <|m|> */
    double absolute_magnetisation_error;        /**< Its standard error. */
    double magnetisation_2;                     /**< <m^2> */
    double magnetisation_2_error;               /**< Its standard error. */
    double magnetisation_4;                     /**< <m^4> */
    double magnetisation_4_error;               /**< Its standard error. */
    double energy;                              /**< <e> */
    double energy_error;                        /**< Its standard error. */
    double specific_heat;                       /**< beta^2 N (<e^2> - <e>^2), per spin in units of k. */
    double specific_heat_error;                 /**< Its standard error. */
    double susceptibility;                      /**< N (<m^2> - <|m|>^2) */
    double susceptibility_error;                /**< Its standard error. */
    double binder;                              /**< U = 1 - <m^4> / (3 <m^2>^2) (K. Binder, Z. Phys. B 43, 119 (1981));
                                                     NaN if m was always 0. */
    double binder_error;                        /**< Its standard error. */
    double energy_autocorrelation;              /**< Integrated autocorrelation time of e in sweeps; NaN if it is
                                                     unknown. */
    double energy_autocorrelation_error;        /**< Its standard error. */
    double magnetisation_autocorrelation;       /**< Integrated autocorrelation time of |m| in sweeps; NaN if it is
                                                     unknown. */
    double magnetisation_autocorrelation_error; /**< Its standard error. */
    int32_t bins_are_short;                     /**< 1: a bin is shorter than 20 autocorrelation times, and errors may
                                                     be too small. Also 1 in three other cases: these times are unknown;
                                                     with a field, <m> is significantly outside the range from 0 to
                                                     <|m|> tanh(beta h N / J); the means of the systems differ by more
                                                     than their fluctuations explain. The last case occurs by chance in
                                                     one of five hundred good runs. 0 otherwise. */
    int32_t thermalisation_is_short;            /**< 1: the thermalisation is shorter than 20 autocorrelation times, and
                                                     means may be wrong. Also 1 in the three other cases of
                                                     bins_are_short. 0 otherwise. */
    double demon_occupation[3];                 /**< With demons: shares of the demons whose level of 4 J, 8 J and 16 J
                                                     is occupied; 0 without demons. */
    double demon_occupation_error[3];           /**< Their standard errors. */
    double demon_beta;                          /**< With demons: beta at which demons have the measured mean energy;
                                                     NaN if all demons were always empty. 0 without demons. */
    double demon_beta_error;                    /**< Its standard error. */
} legato_ising_averages;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_ising_params_init. */
LEGATO_API int32_t legato_ising_params_init_sized(legato_ising_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_ising_params_init(legato_ising_params* params) {
    return legato_ising_params_init_sized(params, sizeof *params);
}

/** Creates a run and chooses the backend. NULL for `params` stands for the defaults. betas[n_betas] are in
 * [-1000, 1000] but not 0, and positive with demons. If n_betas is 0, betas may be NULL, and there is a single beta of
 * 0.4. seeds[n_seeds] are any numbers, all of them different. If n_seeds is 0, seeds may be NULL, and there is a single
 * seed of 1. Both arrays are copied.
 *
 * Systems are independent, and there are at most 2^20. Replica r of seed s at temperature b, all counted from 0, is
 * system (b * n_seeds + s) * replicas + r. Returns LEGATO_STATUS_OUT_OF_MEMORY if not all systems fit into memory. */
LEGATO_API int32_t legato_ising_create(legato_context* context, LEGATO_NULLABLE const legato_ising_params* params,
                                       int64_t n_betas, LEGATO_NULLABLE const double betas[], int64_t n_seeds,
                                       LEGATO_NULLABLE const int64_t seeds[], legato_ising** ising);

/** Destroys a run; NULL is allowed. */
LEGATO_API int32_t legato_ising_destroy(legato_ising* ising);

/** Runs until all bins are finished. `callback` may be NULL. It reports bins as points, and sweeps of all systems as
 * cycles. A stopped run continues with the next call. */
LEGATO_API int32_t legato_ising_run(legato_ising* ising, legato_progress_callback callback, void* user);

/** Advances each system by up to `bins` bins. The thermalisation precedes the first bin. *bins_done becomes the number
 * of bins that every system has finished. */
LEGATO_API int32_t legato_ising_advance(legato_ising* ising, int64_t bins, LEGATO_NULLABLE int64_t* bins_done);

/** Advances systems until `system` has made `measurements` measurements, or until about `seconds` have passed. At least
 * one batch of sweeps is done. Range of seconds: [0, 3.2e7]. *measurements_done becomes the number of measurements of
 * this system.
 *
 * Systems are divided into groups in their order. A group has as many systems as keep the processors busy; on a GPU,
 * or with several ranks, all systems are one group. The systems of a group advance together, and the next group begins
 * when all of them are finished. The results of a run that begins with this call are bitwise identical to those of
 * legato_ising_run and legato_ising_advance, but these two refuse to continue it. legato_ising_get_state reports the
 * progress of the last system, which is the least advanced one. Averages at a temperature are available when all of its
 * systems are finished. */
LEGATO_API int32_t legato_ising_advance_system(legato_ising* ising, int64_t system, int64_t measurements,
                                               double seconds, LEGATO_NULLABLE int64_t* measurements_done);

/** Reads the choices and the progress of a run. */
LEGATO_API int32_t legato_ising_get_state(legato_ising* ising, legato_ising_state* state);

/** @name Results
 * `beta` is the number of a temperature in the list, and `system` the number of a system. Both count from 0. Averages,
 * correlations and correlation length are refused before the first bin is finished. */
/** @{ */
/** Reads the averages at temperature `beta` over all bins so far. */
LEGATO_API int32_t legato_ising_result(legato_ising* ising, int64_t beta, legato_ising_averages* averages);

/** Computes <s_x s_(x+r)> along an axis (0, 1, 2) for r = 0 .. L / 2, if `correlations` is 1. mean[n] receives the
 * values and error[n] their standard errors, where n is L / 2 + 1 for the extent L of this axis. Pairs across an
 * antiperiodic boundary count with the opposite sign. */
LEGATO_API int32_t legato_ising_correlation_function(legato_ising* ising, int64_t beta, int32_t axis, int64_t n,
                                                     LEGATO_NULLABLE double mean[], LEGATO_NULLABLE double error[]);

/** Computes the correlation length xi of the second moment, in lattice spacings, along the last axis, which must be
 * periodic. `correlations` must be 1.
 *
 *     xi = sqrt(S(0) / S(k) - 1) / (2 sin(k / 2)),  k = 2 pi / L,  S(k) = <|sum_x s_x exp(i k x)|^2> / N
 *
 * In the exponential, x is the coordinate along the last axis, and L is its extent (F. Cooper, B. Freedman and D.
 * Preston, Nucl. Phys. B 210, 210 (1982)). xi is NaN if S(k) is 0 or not less than S(0). */
LEGATO_API int32_t legato_ising_correlation_length(legato_ising* ising, int64_t beta, LEGATO_NULLABLE double* length,
                                                   LEGATO_NULLABLE double* error);

/** Reads m and e of the first n measurements of a system, if `time_series` is 1. n is at most the number of
 * measurements that the system has made. */
LEGATO_API int32_t legato_ising_time_series(legato_ising* ising, int64_t system, int64_t n,
                                            LEGATO_NULLABLE double magnetisation[], LEGATO_NULLABLE double energy[]);

/** Reads m and e of n measurements from number `first` on, counted from 0, if `time_series` is 1. */
LEGATO_API int32_t legato_ising_measurements(legato_ising* ising, int64_t system, int64_t first, int64_t n,
                                             LEGATO_NULLABLE double magnetisation[], LEGATO_NULLABLE double energy[]);

/** Reads the spins of a system, +1 or -1, into spins[n_sites]. Site (x, y, z) has the number x + L1 (y + L2 z). n_sites
 * is the number of all sites. The call is refused on several ranks if they share lattices in slabs and the states of
 * all systems need more than 1 GiB: no rank has all spins then, but a saved run has them (docs/ising.md, Saved spins).
 */
LEGATO_API int32_t legato_ising_spins(legato_ising* ising, int64_t system, int64_t n_sites, int8_t spins[]);

/** Sets the spins of a system before the first sweep, in the order of legato_ising_spins, and is refused when that
 * function is. If several ranks share the run, every rank calls it with the same spins; the next collective call fails
 * if they differ. */
LEGATO_API int32_t legato_ising_set_spins(legato_ising* ising, int64_t system, int64_t n_sites, const int8_t spins[]);

/** Reads the numbers of attempts and of flips of all systems, thermalisation included, into attempts[n] and flips[n],
 * if `acceptance` is 1. n is 2 (2 d + 1) in d dimensions. Element 2 c counts spins that point down and have c equal
 * neighbours; element 2 c + 1 counts spins that point up and have c equal neighbours. Across an antiperiodic boundary
 * an opposite spin counts as equal. */
LEGATO_API int32_t legato_ising_acceptance(legato_ising* ising, int64_t n, LEGATO_NULLABLE int64_t attempts[],
                                           LEGATO_NULLABLE int64_t flips[]);

/** @} */

/** Saves the run to an HDF5 file, also within a bin. A temporary file beside `path` is renamed to `path` when it is
 * complete. If the states of all systems need more than 1 GiB, they are in files of 64 MiB in the folder `path`.pieces,
 * which belongs to the file: move both together. New pieces are written before the file is replaced, and old ones are
 * removed afterwards. */
LEGATO_API int32_t legato_ising_save(legato_ising* ising, const char* path);

/** Resumes a saved run. On the same backend the results are bitwise identical to those of an uninterrupted run. A file
 * is refused if it is truncated, if it is not a saved run of this method, or if a newer version has written it. */
LEGATO_API int32_t legato_ising_resume(legato_context* context, const char* path, legato_ising** ising);

/** Reads the parameters in use, for instance after legato_ising_resume. Before the call, set struct_size to the size of
 * the struct, directly or by legato_ising_params_init. */
LEGATO_API int32_t legato_ising_get_params(legato_ising* ising, legato_ising_params* params);

/** Reads the betas in use into betas[n_betas]; n_betas is the number that legato_ising_get_state returns. */
LEGATO_API int32_t legato_ising_get_betas(legato_ising* ising, int64_t n_betas, double betas[]);

/** Reads the seeds in use into seeds[n_seeds]; n_seeds is the number that legato_ising_get_state returns. */
LEGATO_API int32_t legato_ising_get_seeds(legato_ising* ising, int64_t n_seeds, int64_t seeds[]);

#ifdef __cplusplus
}
#endif

#endif
