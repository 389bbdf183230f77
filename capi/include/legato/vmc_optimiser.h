/** @file
 * The parameters of least energy of the state of legato/vmc.h, with their errors. Every step is a run of Monte Carlo,
 * in one of three stages:
 *
 *   - descent by stochastic reconfiguration: the free parameters move by - time (S + shift diag S)^-1 Ns G / 2, G the
 *     gradient of the energy per site, S the metric (legato_vmc_gradient), until the gradient is not significant;
 *   - a survey of longer runs, on either side along each eigenvector of S, which gives the second derivatives H by
 *     differences of gradients. Where they are not positive beyond their errors the descent goes on with longer runs;
 *   - refinement by Newton's steps, to the mean of where its runs have seen the minimum; too far off there is a new
 *     survey.
 *
 * It has converged when in the last quiet_steps steps, all of the refinement, the gradient is not significant, by
 * components and by chi^2, and what it leaves to be gained, G H^-1 G / 2, is less than the error of the energy.
 * Formulas: S. Sorella, Phys. Rev. B 64, 024512 (2001). */
#ifndef LEGATO_VMC_OPTIMISER_H
#define LEGATO_VMC_OPTIMISER_H

#include <legato/vmc.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An optimisation. */
typedef struct legato_vmc_optimiser legato_vmc_optimiser;

/** How an optimisation stands. */
typedef enum legato_vmc_optimiser_status {
    LEGATO_VMC_OPTIMISER_WAITING = 0,      /**< not begun */
    LEGATO_VMC_OPTIMISER_RUNNING = 1,      /**< what is there so far can be read */
    LEGATO_VMC_OPTIMISER_CONVERGED = 2,    /**< quiet_steps steps of the refinement were quiet */
    LEGATO_VMC_OPTIMISER_NOT_CONVERGED = 3 /**< `steps` steps came first */
} legato_vmc_optimiser_status;

/** Stage of a step. */
typedef enum legato_vmc_stage {
    LEGATO_VMC_DESCENT = 0,   /**< stochastic reconfiguration */
    LEGATO_VMC_SURVEY = 1,    /**< second derivatives of the energy */
    LEGATO_VMC_REFINEMENT = 2 /**< Newton's steps */
} legato_vmc_stage;

/** What an optimisation varies, and how far it goes. */
typedef struct legato_vmc_optimiser_params {
    size_t struct_size;  /**< set by legato_vmc_optimiser_params_init */
    int32_t free[4];     /**< by legato_vmc_parameter, 1: varied; one of them at least. Default 1, 1, 0, 0 */
    int32_t steps;       /**< at most, 1..1000000. Default 40 */
    int32_t quiet_steps; /**< ends after as many quiet steps of the refinement, 1..1000. Default 3 */
    int32_t refinement;  /**< times the sweeps of survey and refinement, its square after a survey that did not tell;
                          * 1..1000. Default 4 */
    int32_t reserved;    /**< not used */
    double time;         /**< in units of 1 / t, 1e-6..1e3. Default 0.2 */
    double largest_move; /**< of a parameter in one step, 1e-6..1e3; all are shortened alike. Default 0.2 */
    double shift;        /**< relative, of the metric's diagonal, 0..1e3. Default 1e-3 */
    double significance; /**< gradients within as many standard errors from 0 count as none, 0..100. Default 2 */
} legato_vmc_optimiser_params;

/** Arrays are indexed by legato_vmc_parameter. */
typedef struct legato_vmc_optimiser_step {
    size_t struct_size;               /**< set by the caller */
    double parameters[4];             /**< with which the step was run */
    double energy;                    /**< per site */
    double energy_error;              /**< its standard error */
    double gradient[4];               /**< of the energy per site; 0 of parameters that are not free */
    double gradient_error[4];         /**< its standard error */
    double gradient_covariance[4][4]; /**< of the gradient's errors */
    int32_t stage;                    /**< legato_vmc_stage */
    int32_t reserved;                 /**< not used */
} legato_vmc_optimiser_step;

/** The optimum where it has converged, from the quiet steps. Errors, covariance, curvature and gain are NaN before.
 * Errors, covariance and curvature are 0 of parameters that are not free. */
typedef struct legato_vmc_optimisation {
    size_t struct_size;      /**< set by the caller */
    int32_t status;          /**< legato_vmc_optimiser_status */
    int32_t reserved;        /**< not used */
    int64_t steps_done;      /**< finished */
    double parameters[4];    /**< where it has not converged the last step's, or the start's */
    double errors[4];        /**< standard ones of these: those of the gradients over the curvature */
    double covariance[4][4]; /**< of the errors */
    double curvature[4][4];  /**< second derivatives of the energy per site, of the latest survey */
    double gain;             /**< of energy per site that the mean gradient of the quiet steps leaves */
} legato_vmc_optimisation;

/** legato_vmc_optimiser_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_vmc_optimiser_params_init_sized(legato_vmc_optimiser_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_vmc_optimiser_params_init(legato_vmc_optimiser_params* params) {
    return legato_vmc_optimiser_params_init_sized(params, sizeof *params);
}

/** `run` is that of a step, its delta, mu, variational_t_prime and variational_t_double_prime the start; delta is not
 * 0, and keeps its sign. Its gradients and gradients_by have no effect: they become 1 and `free`. All
 * steps have the seed of `run`, and random numbers of their own: nothing is shared between steps or between seeds.
 * `bins` times `chains` of `run` must be 2 at least, for the errors of the gradients. Both may be NULL for the
 * defaults. */
LEGATO_API int32_t legato_vmc_optimiser_create(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* run,
                                               LEGATO_NULLABLE const legato_vmc_optimiser_params* params,
                                               legato_vmc_optimiser** optimiser);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_vmc_optimiser_destroy(legato_vmc_optimiser* optimiser);

/** Runs until it has converged or all steps are done. `callback` may be NULL; its points are steps, its cycles sweeps
 * of all chains. A stopped run is taken up again by calling once more. It begins the step under way again.
 * LEGATO_NUMERICAL_ERROR where a step fails, or its metric is singular; LEGATO_INVALID_ARGUMENT where the parameters of
 * a step, the start's too, have no pair function, or more infinite amplitudes than pairs. The steps before stay
 * readable. */
LEGATO_API int32_t legato_vmc_optimiser_run(legato_vmc_optimiser* optimiser, legato_progress_callback callback,
                                            void* user);

/** Takes up to `steps` steps further; *steps_done (may be NULL) counts all so far. */
LEGATO_API int32_t legato_vmc_optimiser_advance(legato_vmc_optimiser* optimiser, int64_t steps,
                                                LEGATO_NULLABLE int64_t* steps_done);

/** Where it stands. */
LEGATO_API int32_t legato_vmc_optimiser_result(legato_vmc_optimiser* optimiser, legato_vmc_optimisation* optimisation);

/** Step `index`, from 0. */
LEGATO_API int32_t legato_vmc_optimiser_get_step(legato_vmc_optimiser* optimiser, int64_t index,
                                                 legato_vmc_optimiser_step* step);

/** Saves the optimisation to an HDF5 file, written beside `path` and renamed. */
LEGATO_API int32_t legato_vmc_optimiser_save(legato_vmc_optimiser* optimiser, const char* path);

/** Takes a saved optimisation up again: it takes the same steps as one that was not stopped. One that version 0.1 has
 * saved goes on with that version's random numbers, step i with the seed `seed` + i. A truncated, foreign or newer file
 * is refused. */
LEGATO_API int32_t legato_vmc_optimiser_resume(legato_context* context, const char* path,
                                               legato_vmc_optimiser** optimiser);

/** The parameters in use, for instance after legato_vmc_optimiser_resume. struct_size is set by the caller, as
 * legato_vmc_optimiser_params_init does. Either pointer may be NULL. */
LEGATO_API int32_t legato_vmc_optimiser_get_params(legato_vmc_optimiser* optimiser,
                                                   LEGATO_NULLABLE legato_vmc_params* run,
                                                   LEGATO_NULLABLE legato_vmc_optimiser_params* params);

#ifdef __cplusplus
}
#endif

#endif
