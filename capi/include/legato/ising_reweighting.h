/** @file
 * Reweighting of the Ising model: averages at any temperature from measurements at one or several temperatures. The
 * runs have the same lattice and the same field, but not the same beta. The weight of a measurement with the energy
 * E / J = N e in averages at beta is
 *
 *     w(E) = exp(-beta E / J) / sum_k n_k exp(f_k - beta_k E / J),
 *
 * where run k has n_k measurements at beta_k. N is the number of sites. exp(-f_k) is the partition function at beta_k,
 * up to a common factor. The f_k follow from the condition that the weights reproduce the runs. Source: A. M.
 * Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 61, 2635 (1988); 63, 1195 (1989).
 *
 * Errors come from the jackknife: the measurements of each run are divided into blocks of successive measurements, and
 * everything is computed again without block b of each run, for all b. A block should have at least 20 autocorrelation
 * times. If the number of measurements is not a multiple of the number of blocks, the last measurements are not used.
 *
 * Averages are corrected for the bias that the jackknife estimates, each by itself.
 *
 * Without a field measurements with the same energy are added up, and a call takes milliseconds for 64 x 64 sites. In a
 * field nearly every measurement has an energy of its own. The time of a call is then proportional to the numbers of
 * measurements, blocks and runs, and the time of the creation to the square of the number of runs. A context with
 * several ranks computes the same on every rank. */
#ifndef LEGATO_ISING_REWEIGHTING_H
#define LEGATO_ISING_REWEIGHTING_H

#include <legato/context.h>
#include <legato/ising.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Measurements of one lattice at several temperatures. */
typedef struct legato_ising_reweighting legato_ising_reweighting;

/** A quantity whose maximum or crossing can be found. */
typedef enum legato_ising_reweighting_quantity {
    LEGATO_ISING_REWEIGHTING_QUANTITY_SPECIFIC_HEAT = 0,      /**< beta^2 N (<e^2> - <e>^2) */
    LEGATO_ISING_REWEIGHTING_QUANTITY_SUSCEPTIBILITY = 1,     /**< N (<m^2> - <|m|>^2) */
    LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER = 2,             /**< U = 1 - <m^4> / (3 <m^2>^2) */
    LEGATO_ISING_REWEIGHTING_QUANTITY_BINDER_SLOPE = 3,       /**< dU / dbeta */
    LEGATO_ISING_REWEIGHTING_QUANTITY_MAGNETISATION_SLOPE = 4 /**< d ln <|m|> / dbeta */
} legato_ising_reweighting_quantity;

/** Averages at one temperature, as in legato_ising_averages, and their standard errors. All errors are NaN if is_far is
 * 1. An error is also NaN if the value is the same without each block. */
typedef struct legato_ising_reweighted {
    size_t struct_size;                  /**< Set by the caller. */
    double beta;                         /**< The temperature of the call. */
    double energy;                       /**< <e> */
    double energy_error;                 /**< Its standard error. */
    double specific_heat;                /**< beta^2 N (<e^2> - <e>^2), per spin in units of k. */
    double specific_heat_error;          /**< Its standard error. */
    double absolute_magnetisation;       /**< <|m|> */
    double absolute_magnetisation_error; /**< Its standard error. */
    double magnetisation_2;              /**< <m^2> */
    double magnetisation_2_error;        /**< Its standard error. */
    double magnetisation_4;              /**< <m^4> */
    double magnetisation_4_error;        /**< Its standard error. */
    double susceptibility;               /**< N (<m^2> - <|m|>^2) */
    double susceptibility_error;         /**< Its standard error. */
    double binder;                       /**< U = 1 - <m^4> / (3 <m^2>^2); NaN if m was always 0. */
    double binder_error;                 /**< Its standard error. */
    double binder_slope;                 /**< dU / dbeta; NaN if m was always 0. */
    double binder_slope_error;           /**< Its standard error. */
    double magnetisation_slope;          /**< d ln <|m|> / dbeta; NaN if m was always 0. */
    double magnetisation_slope_error;    /**< Its standard error. */
    double measurements;                 /**< Effective number of measurements, (sum w)^2 / sum w^2 over the
                                              measurements that are used. It is the number of measurements for a single
                                              run at its own beta. Autocorrelation is not taken into account. */
    int32_t is_far;                      /**< 1: `measurements` is below 20 for each block of the jackknife. beta is
                                              then too far from the runs: errors are unknown, and values may be wrong.
                                              0 otherwise. */
    int32_t reserved;                    /**< Not used. */
} legato_ising_reweighted;

/** The beta of a maximum or a crossing, and the value of the quantity there. All values are NaN if there is none. */
typedef struct legato_ising_reweighted_point {
    size_t struct_size; /**< Set by the caller. */
    double beta;        /**< The beta; NaN if there is none between the ends. */
    double beta_error;  /**< Its standard error; NaN if is_far is 1, or if there is no such beta without some block. */
    double value;       /**< The value of the quantity at this beta. */
    double value_error; /**< Its standard error; NaN in the same cases. */
    int32_t is_far;     /**< 1: legato_ising_reweighting_at returns is_far = 1 at this beta, for one of the lattices if
                             there are two. 0 otherwise, also if there is no such beta. */
    int32_t reserved;   /**< Not used. */
} legato_ising_reweighted_point;

/** Creates a reweighting of n_runs runs of a lattice of `sites` sites. Run k has n_measurements[k] measurements at
 * betas[k]. magnetisations[] and energies[] contain m and e per spin, e in units of J, of all measurements of run 0 in
 * their order, then those of run 1, and so on, as legato_ising_time_series returns them. The arrays are copied.
 * `blocks` is the number of blocks of the jackknife; 32 are a good choice.
 *
 * Ranges: sites [1, 2^37], n_runs [1, 1000], blocks [2, 1000], n_measurements[k] from `blocks` to 1e9 and 1e9 in all,
 * betas [-1000, 1000], magnetisations [-1, 1] up to rounding (1e-12), energies [-1e12, 1e12]. Returns
 * LEGATO_STATUS_INVALID_ARGUMENT if the energies of the runs do not overlap, because ratios of their partition
 * functions are then unknown, LEGATO_STATUS_NUMERICAL_ERROR if the partition functions are not found in 1000 steps, and
 * LEGATO_STATUS_OUT_OF_MEMORY if the measurements or the sums of the blocks do not fit into memory. */
LEGATO_API int32_t legato_ising_reweighting_create(legato_context* context, int64_t sites, int64_t n_runs,
                                                   const double betas[], const int64_t n_measurements[],
                                                   const double magnetisations[], const double energies[],
                                                   int32_t blocks, legato_ising_reweighting** reweighting);

/** Creates a reweighting of all measurements that a run has made so far. The run must have `time_series`. Each beta of
 * the run is a run of the reweighting; the measurements of its systems follow one another in the order of the systems.
 * Each beta must have at least `blocks` measurements. Microcanonical runs are refused, because their measurements do
 * not have Boltzmann's distribution. The measurements are copied: the run may continue or be destroyed afterwards. The
 * new handle belongs to the context of the run. */
LEGATO_API int32_t legato_ising_reweighting_create_from_run(legato_ising* ising, int32_t blocks,
                                                            legato_ising_reweighting** reweighting);

/** Destroys a reweighting; NULL is allowed. */
LEGATO_API int32_t legato_ising_reweighting_destroy(legato_ising_reweighting* reweighting);

/** Computes averages at beta. Range of beta: [-1000, 1000]. */
LEGATO_API int32_t legato_ising_reweighting_at(legato_ising_reweighting* reweighting, double beta,
                                               legato_ising_reweighted* reweighted);

/** Finds the maximum of a quantity between `low` and `high`, by Brent's method. `quantity` is one of
 * legato_ising_reweighting_quantity. Both ends are in [-1000, 1000], and low < high. There should be a single maximum
 * between them; of several, any one may be found. All values are NaN if the quantity is at least as large at one of the
 * ends. */
LEGATO_API int32_t legato_ising_reweighting_maximum(legato_ising_reweighting* reweighting, int32_t quantity, double low,
                                                    double high, legato_ising_reweighted_point* point);

/** Finds the beta between `low` and `high` at which a quantity has the same value for two lattices, which may belong to
 * different contexts. The other arguments are those of legato_ising_reweighting_maximum. The difference of the lattices
 * must have opposite signs at the ends; otherwise all values are NaN. The ends should not be far from the runs, because
 * the signs there may then be wrong. The lattices must be statistically independent.
 * The context of `a` has the messages. */
LEGATO_API int32_t legato_ising_reweighting_crossing(legato_ising_reweighting* a, const legato_ising_reweighting* b,
                                                     int32_t quantity, double low, double high,
                                                     legato_ising_reweighted_point* point);

#ifdef __cplusplus
}
#endif

#endif
