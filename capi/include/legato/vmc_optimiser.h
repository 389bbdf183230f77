/** @file
 * Optimisation of the parameters of the state of legato/vmc.h: it finds the parameters of least energy, with their
 * errors. Every step is a Monte Carlo run in one of three stages.
 *
 *   - Descent by stochastic reconfiguration. The free parameters change by - time (S + shift diag S)^-1 Ns G / 2. Here
 *     G is the gradient of the energy per site, S is the metric (legato_vmc_gradient), Ns is the number of sites, and
 *     time and shift are parameters of the optimisation. The descent ends when the gradient is not significant.
 *   - Survey. Longer runs are made at two points along each eigenvector of S, one on either side of the current
 *     parameters. Differences of their gradients give the second derivatives H of the energy. The survey is not
 * conclusive if a curvature does not exceed twice its standard error. The descent then continues with longer runs.
 *   - Refinement by Newton steps. Each run predicts the position of the minimum, and a step moves to the mean of
 *     these positions. If this mean is too far from the last survey, a new survey follows.
 *
 * The optimisation has converged if the last quiet_steps steps belong to the refinement and are quiet. A step is quiet
 * if its gradient is not significant and if G H^-1 G / 2 is less than the error of its energy. G H^-1 G / 2 is the
 * decrease of the energy that the gradient still allows. A gradient is not significant if each component is within
 * `significance` standard errors of 0, and if the chi^2 of all components is at most significance^2 per degree of
 * freedom. Formulas: S. Sorella, Phys. Rev. B 64, 024512 (2001). */
#ifndef LEGATO_VMC_OPTIMISER_H
#define LEGATO_VMC_OPTIMISER_H

#include <legato/vmc.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An optimisation. */
typedef struct legato_vmc_optimiser legato_vmc_optimiser;

/** Status of an optimisation. */
typedef enum legato_vmc_optimiser_status {
    LEGATO_VMC_OPTIMISER_STATUS_WAITING = 0,      /**< not begun */
    LEGATO_VMC_OPTIMISER_STATUS_RUNNING = 1,      /**< the results so far can be read */
    LEGATO_VMC_OPTIMISER_STATUS_CONVERGED = 2,    /**< the last quiet_steps steps are quiet steps of the refinement */
    LEGATO_VMC_OPTIMISER_STATUS_NOT_CONVERGED = 3 /**< the largest number of steps, `steps`, was reached first */
} legato_vmc_optimiser_status;

/** Stage of a step. */
typedef enum legato_vmc_stage {
    LEGATO_VMC_STAGE_DESCENT = 0,   /**< stochastic reconfiguration */
    LEGATO_VMC_STAGE_SURVEY = 1,    /**< second derivatives of the energy */
    LEGATO_VMC_STAGE_REFINEMENT = 2 /**< Newton steps */
} legato_vmc_stage;

/** Parameters of an optimisation. */
typedef struct legato_vmc_optimiser_params {
    size_t struct_size; /**< Set by legato_vmc_optimiser_params_init. */
    int32_t free[4]; /**< Element p is 1: parameter p (legato_vmc_parameter) is varied; 0: it is fixed. At least one is
                          varied. Range [0, 1], default 1,1,0,0. */
    int32_t steps;   /**< Largest number of steps. Range [1, 1000000], default 40. */
    int32_t quiet_steps; /**< Number of quiet steps of the refinement that end the optimisation. Range [1, 1000],
                              default 3. */
    int32_t refinement;  /**< Factor by which sweeps_per_bin of the run is multiplied in survey and refinement. After a
                              survey that is not conclusive, because a curvature is not positive beyond two errors, the
                              factor is the square of this number in all stages. Range [1, 1000], default 4. */
    int32_t reserved;    /**< Not used. */
    double time;         /**< Imaginary time of a descent step, in units of 1 / t. Range [1e-6, 1e3], default 0.2. */
    double largest_move; /**< Largest change of a parameter in one step. All changes of a step are reduced by the same
                              factor. Range [1e-6, 1e3], default 0.2. */
    double shift;        /**< Relative shift of the diagonal of the metric. Range [0, 1e3], default 1e-3. */
    double significance; /**< Number of standard errors within which a component of the gradient is not significantly
                              different from 0. Range [0, 100], default 2. */
} legato_vmc_optimiser_params;

/** A step of an optimisation. Arrays are indexed by legato_vmc_parameter. */
typedef struct legato_vmc_optimiser_step {
    size_t struct_size;               /**< Set by the caller. */
    double parameters[4];             /**< Parameters of the step. */
    double energy;                    /**< Energy per site. */
    double energy_error;              /**< Its standard error. */
    double gradient[4];               /**< Gradient of the energy per site; 0 for parameters that are not free. */
    double gradient_error[4];         /**< Its standard error. */
    double gradient_covariance[4][4]; /**< Covariance of the errors of the gradient. */
    int32_t stage;                    /**< One of legato_vmc_stage. */
    int32_t reserved;                 /**< Not used. */
} legato_vmc_optimiser_step;

/** Result of an optimisation. If it has converged, the result is the optimum, which follows from the quiet steps.
 * Otherwise errors, covariance, curvature and gain are NaN. For parameters that are not free, errors, covariance and
 * curvature are 0. */
typedef struct legato_vmc_optimisation {
    size_t struct_size;      /**< Set by the caller. */
    int32_t status;          /**< One of legato_vmc_optimiser_status. */
    int32_t reserved;        /**< Not used. */
    int64_t steps_done;      /**< Number of finished steps. */
    double parameters[4];    /**< Parameters of the optimum. If the optimisation has not converged, they are those of
                                  the last step, or of the start if there is no step. */
    double errors[4];        /**< Standard errors of the parameters: the errors of the gradients divided by the
                                  curvature. */
    double covariance[4][4]; /**< Covariance of the errors of the parameters. */
    double curvature[4][4];  /**< Second derivatives of the energy per site, from the latest survey. */
    double gain;             /**< Decrease of the energy per site that the mean gradient of the quiet steps still
                                  allows. */
} legato_vmc_optimisation;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_vmc_optimiser_params_init. */
LEGATO_API int32_t legato_vmc_optimiser_params_init_sized(legato_vmc_optimiser_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_vmc_optimiser_params_init(legato_vmc_optimiser_params* params) {
    return legato_vmc_optimiser_params_init_sized(params, sizeof *params);
}

/** Creates an optimisation. `run` has the parameters for the run of each step. Its delta, mu, variational_t_prime and
 * variational_t_double_prime are the start. delta is not 0 and keeps its sign. gradients and gradients_by of `run` are
 * ignored; the optimiser sets gradients to 1 and gradients_by to `free`. bins times chains of `run` is at least 2,
 * because the gradients need errors. NULL for `run` or `params` stands for the defaults.
 *
 * All steps have the seed of `run`, but they share no random numbers. Optimisations with different seeds share none
 * either. */
LEGATO_API int32_t legato_vmc_optimiser_create(legato_context* context, LEGATO_NULLABLE const legato_vmc_params* run,
                                               LEGATO_NULLABLE const legato_vmc_optimiser_params* params,
                                               legato_vmc_optimiser** optimiser);

/** Destroys an optimisation; NULL is allowed. */
LEGATO_API int32_t legato_vmc_optimiser_destroy(legato_vmc_optimiser* optimiser);

/** Runs until the optimisation has converged or all steps are done. `callback` may be NULL. It reports steps as points,
 * and sweeps of all chains as cycles. A stopped run continues with the next call, which repeats the interrupted step.
 *
 * The function returns LEGATO_STATUS_NUMERICAL_ERROR if a step fails or its metric is singular. It returns
 * LEGATO_STATUS_INVALID_ARGUMENT if the pair function is not defined for the parameters of a step or of the start. It
 * also does so if these parameters need more borders (legato_vmc_pair_function) than there are pairs of electrons. The
 * earlier steps can still be read. */
LEGATO_API int32_t legato_vmc_optimiser_run(legato_vmc_optimiser* optimiser, legato_progress_callback callback,
                                            void* user);

/** Makes up to `steps` more steps. *steps_done becomes the number of all finished steps. */
LEGATO_API int32_t legato_vmc_optimiser_advance(legato_vmc_optimiser* optimiser, int64_t steps,
                                                LEGATO_NULLABLE int64_t* steps_done);

/** Reads the result of the optimisation. */
LEGATO_API int32_t legato_vmc_optimiser_result(legato_vmc_optimiser* optimiser, legato_vmc_optimisation* optimisation);

/** Reads step `index`, counted from 0. */
LEGATO_API int32_t legato_vmc_optimiser_get_step(legato_vmc_optimiser* optimiser, int64_t index,
                                                 legato_vmc_optimiser_step* step);

/** Saves the optimisation to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete. */
LEGATO_API int32_t legato_vmc_optimiser_save(legato_vmc_optimiser* optimiser, const char* path);

/** Resumes a saved optimisation, which takes the same steps as an uninterrupted one. An optimisation that version 0.1
 * has saved continues with the random numbers of that version: step i uses the seed `seed` + i. A file is refused if it
 * is truncated, if it is not a saved optimisation, or if a newer version has written it. */
LEGATO_API int32_t legato_vmc_optimiser_resume(legato_context* context, const char* path,
                                               legato_vmc_optimiser** optimiser);

/** Reads the parameters in use, for instance after legato_vmc_optimiser_resume. Before the call, set struct_size to the
 * size of the struct, directly or by legato_vmc_optimiser_params_init. */
LEGATO_API int32_t legato_vmc_optimiser_get_params(legato_vmc_optimiser* optimiser,
                                                   LEGATO_NULLABLE legato_vmc_params* run,
                                                   LEGATO_NULLABLE legato_vmc_optimiser_params* params);

#ifdef __cplusplus
}
#endif

#endif
