/** @file
 * The Ising model by Monte Carlo with many spins to a machine word,
 *
 *     H = -J sum_<xy> s_x s_y - h sum_x s_x,    s = +1 or -1,
 *
 * each bond of a square or simple cubic lattice once, at one or several temperatures side by side: by Metropolis'
 * algorithm on the chequerboard (N. Metropolis et al., J. Chem. Phys. 21, 1087 (1953)), or by demons that hold the
 * energies 4 J, 8 J and 16 J (M. Creutz, Phys. Rev. Lett. 50, 1411 (1983)). beta is J / kT, without a dimension;
 * energies are per spin and in units of J. */
#ifndef LEGATO_ISING_H
#define LEGATO_ISING_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A run of independent lattices, its systems. */
typedef struct legato_ising legato_ising;

/** How spins are updated. */
typedef enum legato_ising_algorithm {
    LEGATO_ISING_METROPOLIS = 0,          /**< spins of one lattice make up a word */
    LEGATO_ISING_DEMON_NAIVE = 1,         /**< up to 32 lattices to a word; every demon is drawn anew */
    LEGATO_ISING_DEMON_BINOMIAL = 2,      /**< the number of occupied demons is drawn, and as many are changed */
    LEGATO_ISING_DEMON_MICROCANONICAL = 3 /**< demons are drawn anew (binomial) in the thermalisation only */
} legato_ising_algorithm;

/** Boundary of an axis. */
typedef enum legato_ising_boundary {
    LEGATO_ISING_PERIODIC = 0,    /**< the opposite edge is the neighbour */
    LEGATO_ISING_ANTIPERIODIC = 1 /**< couplings across it have the other sign */
} legato_ising_boundary;

/** First configuration. */
typedef enum legato_ising_start {
    LEGATO_ISING_START_UP = 0,    /**< all spins */
    LEGATO_ISING_START_RANDOM = 1 /**< each up or down with probability 1/2 */
} legato_ising_start;

/** What all systems of a run share. */
typedef struct legato_ising_params {
    size_t struct_size;     /**< set by legato_ising_params_init */
    int32_t dimensions;     /**< 2 or 3. Default 2 */
    int32_t algorithm;      /**< legato_ising_algorithm. Default METROPOLIS */
    int64_t extents[3];     /**< even, 2..2^20, at most 2^37 sites; the third 1 in two dimensions. Default 64, 64, 1 */
    int32_t boundary[3];    /**< legato_ising_boundary of each axis; the third 0 in two dimensions. Default PERIODIC */
    int32_t replicas;       /**< lattices for each beta and seed; with demons best 1, 2, 4, 8, 16 or a multiple
                                 of 32. Default 1 */
    double field;           /**< h / J, within +-10^6; METROPOLIS only, else 0. Default 0 */
    int64_t thermalisation; /**< sweeps before the first measurement, 0..2^40. Default 1000 */
    int64_t sweeps_per_measurement; /**< 1.., at most 2^40 sweeps after the thermalisation. Default 1 */
    int64_t measurements_per_bin;   /**< 1.., likewise. Default 1000 */
    int64_t bins;                   /**< 1..2^20; 32 at the least for errors that can be relied on. Default 32 */
    int64_t refresh_interval;       /**< sweeps between draws of the demons, 1..2^40; at most all of a run,
                                         MICROCANONICAL: of its thermalisation; where that is 0 they begin empty,
                                         and the energy is that of the first configuration. Default 1 */
    int32_t start;                  /**< legato_ising_start. Default START_UP */
    int32_t time_series;            /**< 1: keep every measurement. Default 0 */
    int32_t correlations;           /**< 1: measure <s_x s_(x+r)> along the axes. Default 0 */
    int32_t acceptance;             /**< 1: count attempts and flips, METROPOLIS only. Default 0 */
} legato_ising_params;

/** What was chosen, and how far the run is. */
typedef struct legato_ising_state {
    size_t struct_size;        /**< set by the caller */
    int32_t backend;           /**< legato_backend */
    int32_t reserved;          /**< not used */
    int64_t sites;             /**< N of one system */
    int64_t systems;           /**< betas * seeds * replicas */
    int64_t betas;             /**< how many */
    int64_t seeds;             /**< how many */
    int64_t sweeps;            /**< of each system when all is done, thermalisation included */
    int64_t sweeps_done;       /**< of each system, thermalisation included */
    int64_t measurements_done; /**< of each system */
    int64_t bins;              /**< of each system */
    int64_t bins_done;         /**< of each system */
} legato_ising_state;

/** Means over all systems of one temperature and their bins so far, and one standard error each, which allows for
 * autocorrelation. m = sum_x s_x / N, e = H / (N J). Functions of means and their errors are by the jackknife over
 * bins. Where the systems differ by more than they fluctuate errors are from the spread between them. With
 * MICROCANONICAL demons all errors are from the spread between systems, for each keeps the energy that its
 * thermalisation has left to it; with n systems such an error has n - 1 degrees of freedom (Student's t).
 *
 * An error is NaN where it is unknown: of a single bin of a single system; of a single MICROCANONICAL system after a
 * thermalisation; of what has had one and the same value all the time; of <m> without a field where its sign has not
 * been sampled. */
typedef struct legato_ising_averages {
    size_t struct_size;                   /**< set by the caller */
    int64_t bins_done;                    /**< of each system */
    double magnetisation;                 /**< <m> */
    double magnetisation_error;           /**< its standard error */
    double absolute_magnetisation;        /**< <|m|> */
    double absolute_magnetisation_error;  /**< its standard error */
    double magnetisation_2;               /**< <m^2> */
    double magnetisation_2_error;         /**< its standard error */
    double magnetisation_4;               /**< <m^4> */
    double magnetisation_4_error;         /**< its standard error */
    double energy;                        /**< <e> / J */
    double energy_error;                  /**< its standard error */
    double specific_heat;                 /**< beta^2 N (<e^2> - <e>^2), per spin in units of k */
    double specific_heat_error;           /**< its standard error */
    double susceptibility;                /**< N (<m^2> - <|m|>^2), times J */
    double susceptibility_error;          /**< its standard error */
    double binder;                        /**< U = 1 - <m^4> / (3 <m^2>^2) (K. Binder, Z. Phys. B 43, 119 (1981)); NaN
                                           * where m was always 0 */
    double binder_error;                  /**< its standard error */
    double energy_autocorrelation;        /**< integrated, of e, in sweeps; NaN where it is unknown */
    double energy_autocorrelation_error;  /**< its standard error */
    double magnetisation_autocorrelation; /**< integrated, of |m|, likewise */
    double magnetisation_autocorrelation_error; /**< its standard error */
    int32_t bins_are_short; /**< 1: a bin is shorter than 20 autocorrelation times; errors may be too small. Also where
                             * these times are unknown, where systems differ by more than they fluctuate (one in five
                             * hundred good runs does), and where <m> does not fit the field */
    int32_t thermalisation_is_short;  /**< 1: the discarded part is, or likewise; means may be off */
    double demon_occupation[3];       /**< demons: share of those of energy 4 J, 8 J, 16 J that are there; else 0 */
    double demon_occupation_error[3]; /**< its standard error */
    double demon_beta;                /**< demons: beta that follows from all of them, NaN where none has ever held any
                                       * energy; else 0 */
    double demon_beta_error;          /**< its standard error */
} legato_ising_averages;

/** legato_ising_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_ising_params_init_sized(legato_ising_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_ising_params_init(legato_ising_params* params) {
    return legato_ising_params_init_sized(params, sizeof *params);
}

/** Chooses the backend and makes the systems; `params` may be NULL for the defaults. betas[n_betas]: +-1000 and not 0
 * each, with demons positive; 0 and NULL: 0.4. seeds[n_seeds]: any
 * that differ from one another; 0 and NULL: 1. Both are copied. Systems are independent, 2^20 at most: replica r of
 * seed s at temperature b, all from 0, is number (b * n_seeds + s) * replicas + r. LEGATO_OUT_OF_MEMORY where not all
 * of them fit. */
LEGATO_API int32_t legato_ising_create(legato_context* context, LEGATO_NULLABLE const legato_ising_params* params,
                                       int64_t n_betas, LEGATO_NULLABLE const double betas[], int64_t n_seeds,
                                       LEGATO_NULLABLE const int64_t seeds[], legato_ising** ising);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_ising_destroy(legato_ising* ising);

/** Runs until all bins are there. `callback` may be NULL; its points are bins, its cycles sweeps of all systems. A
 * stopped run is taken up again by calling once more. */
LEGATO_API int32_t legato_ising_run(legato_ising* ising, legato_progress_callback callback, void* user);

/** Carries every system up to `bins` bins further, with the thermalisation before the first one; *bins_done (may be
 * NULL) counts those of each system. */
LEGATO_API int32_t legato_ising_advance(legato_ising* ising, int64_t bins, LEGATO_NULLABLE int64_t* bins_done);

/** Carries systems on until `system` has `measurements` of its measurements, or until about `seconds` have passed, 0 to
 * 3.2e7, but at least a little. *measurements_done (may be NULL) counts those of the system. Systems go in their order,
 * by groups that keep the processors busy, so that those before it are finished; on a GPU all systems are one group. A
 * run that begins with this call has the same results, bit for bit, as one by legato_ising_run and
 * legato_ising_advance, which refuse to go on with it; what legato_ising_get_state counts is done by each system, and
 * so by the last one. Averages at a temperature are there when all of its systems are finished. */
LEGATO_API int32_t legato_ising_reach(legato_ising* ising, int64_t system, int64_t measurements, double seconds,
                                      LEGATO_NULLABLE int64_t* measurements_done);

/** What was chosen, and how far the run is. */
LEGATO_API int32_t legato_ising_get_state(legato_ising* ising, legato_ising_state* state);

/** @name Results
 * `beta` is the number of a temperature in the list, `system` that of a system, from 0. Averages, correlations and
 * their length are refused before the first bin is finished. */
/** @{ */
/** Averages at temperature `beta` over all bins so far. */
LEGATO_API int32_t legato_ising_result(legato_ising* ising, int64_t beta, legato_ising_averages* averages);

/** With `correlations` only: mean[n] and standard errors error[n] of <s_x s_(x+r)> along an axis (0, 1, 2) for
 * r = 0 .. L / 2: n is L / 2 + 1 of that axis. Pairs across an antiperiodic boundary count with the other sign.
 * Each pointer may be NULL. */
LEGATO_API int32_t legato_ising_correlation_function(legato_ising* ising, int64_t beta, int32_t axis, int64_t n,
                                                     LEGATO_NULLABLE double mean[], LEGATO_NULLABLE double error[]);

/** With `correlations` only: that of the second moment along the last axis, which must be periodic, in lattice
 * spacings, NaN where S(k) is 0 or not less than S(0):
 *
 *     xi = sqrt(S(0) / S(k) - 1) / (2 sin(k / 2)),  k = 2 pi / L,  S(k) = <|sum_x s_x exp(i k x)|^2> / N
 *
 * (F. Cooper, B. Freedman and D. Preston, Nucl. Phys. B 210, 210 (1982)). Each pointer may be NULL. */
LEGATO_API int32_t legato_ising_correlation_length(legato_ising* ising, int64_t beta, LEGATO_NULLABLE double* length,
                                                   LEGATO_NULLABLE double* error);

/** With `time_series` only: m and e of the first n measurements of a system; n is at most what it has done, which is
 * measurements_done, or what legato_ising_reach says. Each pointer may be NULL. */
LEGATO_API int32_t legato_ising_time_series(legato_ising* ising, int64_t system, int64_t n,
                                            LEGATO_NULLABLE double magnetisation[], LEGATO_NULLABLE double energy[]);

/** The same of the n measurements from number `first` on, counted from 0. */
LEGATO_API int32_t legato_ising_measurements(legato_ising* ising, int64_t system, int64_t first, int64_t n,
                                             LEGATO_NULLABLE double magnetisation[], LEGATO_NULLABLE double energy[]);

/** spins[n_sites] of a system, +1 or -1: that of site (x, y, z) at x + L1 (y + L2 z). n_sites: all of them. */
LEGATO_API int32_t legato_ising_spins(legato_ising* ising, int64_t system, int64_t n_sites, int8_t spins[]);

/** Sets the spins of a system, before the first sweep only; the array as of legato_ising_spins. */
LEGATO_API int32_t legato_ising_set_spins(legato_ising* ising, int64_t system, int64_t n_sites, const int8_t spins[]);

/** With `acceptance` only: attempts of all systems, thermalisation included, and how many of them flipped their spin:
 * attempts[n] and flips[n], n = 2 (2 dimensions + 1). At 2 c those of spins that point down and have c neighbours alike
 * (across an antiperiodic boundary: unlike), at 2 c + 1 those that point up. Each pointer may be NULL. */
LEGATO_API int32_t legato_ising_acceptance(legato_ising* ising, int64_t n, LEGATO_NULLABLE int64_t attempts[],
                                           LEGATO_NULLABLE int64_t flips[]);

/** @} */

/** Saves the run to an HDF5 file, written beside `path` and renamed, within a bin too. */
LEGATO_API int32_t legato_ising_save(legato_ising* ising, const char* path);

/** Takes a saved run up again: with the same backend it goes on with the same bits as an uninterrupted one. A
 * truncated, foreign or newer file is refused. */
LEGATO_API int32_t legato_ising_resume(legato_context* context, const char* path, legato_ising** ising);

/** The parameters in use, for instance after legato_ising_resume. struct_size is set by the caller, as
 * legato_ising_params_init does. */
LEGATO_API int32_t legato_ising_get_params(legato_ising* ising, legato_ising_params* params);

/** The betas in use: all n_betas of them, as legato_ising_get_state counts them. */
LEGATO_API int32_t legato_ising_get_betas(legato_ising* ising, int64_t n_betas, double betas[]);

/** The seeds in use: all n_seeds of them, as legato_ising_get_state counts them. */
LEGATO_API int32_t legato_ising_get_seeds(legato_ising* ising, int64_t n_seeds, int64_t seeds[]);

#ifdef __cplusplus
}
#endif

#endif
