/** @file
 * Finite-size scaling: the critical point and the critical exponent of a continuous transition, from values that were
 * computed for several lengths of the system. The data are values y_i with standard errors, each at a length L_i and a
 * control parameter x_i. Examples are the normalised localisation length Lambda of a bar of width L at the disorder x,
 * and the Binder cumulant of a lattice at the temperature x. The model is
 *
 *     y = F(phi_1, phi_2) = sum_{j=0}^{n_1} sum_{k=0}^{n_2} a_jk phi_1^j phi_2^k,
 *     phi_1 = u_1(w) L^{1/nu},     u_1(w) = w + sum_{j=2}^{m_1} b_j w^j,
 *     phi_2 = u_2(w) L^y,          u_2(w) = 1 + sum_{j=1}^{m_2} c_j w^j,     w = x - x_c.
 *
 * phi_1 is the relevant scaling field, with the critical value x_c and the critical exponent nu > 0. phi_2 is an
 * irrelevant scaling field, with the exponent y < 0; the corrections to scaling vanish with growing L. It is left out
 * if n_2 is 0. The parameters minimise chi^2 = sum_i (F_i - y_i)^2 / error_i^2. Their errors follow from resampling:
 * synthetic data are the fitted values plus normal random numbers with the errors of the data, and each synthetic data
 * set is fitted, from the fitted parameters. Source: K. Slevin and T. Ohtsuki, Phys. Rev. Lett. 82, 382 (1999); New J.
 * Phys. 16, 015012 (2014). Their w is (x - x_c) / x_c, which changes the b_j, c_j and a_jk by factors and nothing else.
 *
 * chi^2 may have several minima. The search starts from up to 35 places, and the lowest minimum that it finds is taken.
 * A fit of ten parameters to a hundred data takes a tenth of a second, and resampling it a thousand times takes
 * seconds; with dozens of parameters it takes minutes. A fit uses the threads of the context, and no GPU. A context
 * with several ranks computes the same fit on every rank. */
#ifndef LEGATO_FSS_H
#define LEGATO_FSS_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A fit to a list of data. */
typedef struct legato_fss legato_fss;

/** Status of a fit. */
typedef enum legato_fss_fit_status {
    LEGATO_FSS_FIT_STATUS_WAITING = 0,      /**< not begun */
    LEGATO_FSS_FIT_STATUS_CONVERGED = 1,    /**< chi^2 has a minimum, the lowest that was found, and the data determine
                                                 all parameters */
    LEGATO_FSS_FIT_STATUS_UNDETERMINED = 2, /**< at the lowest chi^2 that was found, chi^2 does not depend on some
                                                 combination of the parameters, to rounding, or y has run to 0. The
                                                 parameters are one choice of many. There is no resampling, and all
                                                 errors are NaN. Lower orders are needed, or more lengths */
    LEGATO_FSS_FIT_STATUS_NOT_CONVERGED = 3 /**< no minimum with nu > 0 and y < 0 was found; all parameters are NaN */
} legato_fss_fit_status;

/** Orders of the expansions, and the resampling. */
typedef struct legato_fss_params {
    size_t struct_size;           /**< Set by legato_fss_params_init. */
    int32_t relevant_order;       /**< Order n_1 of F in the relevant field. Range [1, 12], default 3. */
    int32_t irrelevant_order;     /**< Order n_2 of F in the irrelevant field; 0 leaves this field out. Range [0, 4],
                                       default 0. */
    int32_t relevant_expansion;   /**< Order m_1 of the relevant field u_1 in w. Range [1, 8], default 2. */
    int32_t irrelevant_expansion; /**< Order m_2 of the irrelevant field u_2 in w; with irrelevant_order 0 only 0 is
                                       allowed. Range [0, 8], default 0. */
    int64_t resamples; /**< Number of synthetic data sets. All errors and intervals are unknown (NaN) with fewer than
                          100 that converge, or if more than 2 % do not. Range [0, 100000], default 1000. */
    int64_t seed;      /**< Seed of the random numbers of the resampling. Any value, default 1277. */
} legato_fss_params;

/** A finished fit. The members *_error, *_low and *_high follow from the synthetic data, and are NaN if they are
 * unknown. *_error is half of the width of the central interval that contains 68.27 % of the values that were fitted to
 * synthetic data; for normally distributed values it is the standard error. *_low and *_high are the ends of the
 * central interval that contains 95 % of them. */
typedef struct legato_fss_fit {
    size_t struct_size;       /**< Set by the caller. */
    int32_t status;           /**< One of legato_fss_fit_status. */
    int32_t parameters;       /**< Number of fitted parameters, 1 + m_1 + (n_1 + 1)(n_2 + 1), and 1 + m_2 more with an
                                   irrelevant field. */
    int64_t data;             /**< Number of data. */
    int64_t resamples_done;   /**< Number of synthetic data sets that have been fitted so far. */
    int64_t resamples_failed; /**< Number of those whose fit has not converged or is undetermined. The others give the
                                errors; if more than 2 % have failed, errors are NaN, because the others may be a
                                selection. */
    double chi2;              /**< chi^2 at the minimum; NaN if there is none. */
    double goodness_of_fit;   /**< Probability that chi^2 is at least as large if the model is right and the errors of
                                   the data are normal: the regularised incomplete gamma function Q(f / 2, chi^2 / 2),
                                   where f is the number of data minus that of parameters. NaN if f is 0. */
    double critical_point;    /**< x_c; NaN if no minimum was found. */
    double critical_point_error;      /**< Its error. */
    double critical_point_low;        /**< Beginning of its interval. */
    double critical_point_high;       /**< End of its interval. */
    double exponent;                  /**< nu; NaN if no minimum was found. */
    double exponent_error;            /**< Its error. */
    double exponent_low;              /**< Beginning of its interval. */
    double exponent_high;             /**< End of its interval. */
    double irrelevant_exponent;       /**< y; NaN without an irrelevant field, or if no minimum was found. */
    double irrelevant_exponent_error; /**< Its error. */
    double irrelevant_exponent_low;   /**< Beginning of its interval. */
    double irrelevant_exponent_high;  /**< End of its interval. */
    double critical_value;            /**< a_00, the value at x_c for L to infinity; NaN if no minimum was found. */
    double critical_value_error;      /**< Its error. */
    double critical_value_low;        /**< Beginning of its interval. */
    double critical_value_high;       /**< End of its interval. */
} legato_fss_fit;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_fss_params_init. */
LEGATO_API int32_t legato_fss_params_init_sized(legato_fss_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_fss_params_init(legato_fss_params* params) {
    return legato_fss_params_init_sized(params, sizeof *params);
}

/** Creates a fit to n_data values with standard errors, at lengths and control parameters. Each array has n_data
 * elements. NULL for `params` stands for the defaults. Range of n_data: from the number of parameters to 100000. Range
 * of lengths: [1, 1e12]; at least two must differ. Range of control parameters and values: [-1e12, 1e12]; at least two
 * control parameters must differ. Range of errors: [1e-60, 1e12], and at
 * least 1e-12 of the largest absolute value. */
LEGATO_API int32_t legato_fss_create(legato_context* context, LEGATO_NULLABLE const legato_fss_params* params,
                                     int64_t n_data, const double length[], const double control[],
                                     const double value[], const double error[], legato_fss** fss);

/** Destroys a fit; NULL is allowed. */
LEGATO_API int32_t legato_fss_destroy(legato_fss* fss);

/** Fits the data and the synthetic data. `callback` may be NULL. In its legato_progress a point is a fit, the first one
 * that of the data. A stopped run continues with the next call. */
LEGATO_API int32_t legato_fss_run(legato_fss* fss, legato_progress_callback callback, void* user);

/** Reads the fit. The errors follow from the synthetic data that have been fitted so far. */
LEGATO_API int32_t legato_fss_result(legato_fss* fss, legato_fss_fit* fit);

/** Reads the first n of all parameters of the fit, in this order: x_c, nu, y (with an irrelevant field only), b_2 to
 * b_{m_1}, c_1 to c_{m_2}, and a_jk with j = 0 to n_1 for k = 0, then for k = 1, and so on. n is at most the number of
 * parameters. errors[n] and the intervals low[n] to high[n] are those of legato_fss_fit. */
LEGATO_API int32_t legato_fss_parameters(legato_fss* fss, int64_t n, double values[], LEGATO_NULLABLE double errors[],
                                         LEGATO_NULLABLE double low[], LEGATO_NULLABLE double high[]);

/** Evaluates the fitted F at n pairs of length and control parameter, in the ranges of legato_fss_create. errors[n]
 * receives their errors, as in legato_fss_fit. Far outside the data a value may overflow; it is then infinite or NaN,
 * and its error is NaN. */
LEGATO_API int32_t legato_fss_curve(legato_fss* fss, int64_t n, const double length[], const double control[],
                                    double values[], LEGATO_NULLABLE double errors[]);

/** Removes the corrections to scaling from n values: values[i] becomes values[i] - F(phi_1, phi_2) + F(phi_1, 0).
 * fields[n] receives phi_1. A plot of these values against phi_1 is the data collapse. The localisation or correlation
 * length is proportional to |u_1|^-nu, so that L / xi is proportional to |phi_1|^nu. */
LEGATO_API int32_t legato_fss_collapse(legato_fss* fss, int64_t n, const double length[], const double control[],
                                       double values[], double fields[]);

/** Evaluates the scaling function F(phi_1, 0) at n relevant fields phi_1 in [-1e100, 1e100]. */
LEGATO_API int32_t legato_fss_scaling_function(legato_fss* fss, int64_t n, const double fields[], double values[]);

/** Reads the parameters in use. Before the call, set struct_size to the size of the struct, directly or by
 * legato_fss_params_init. */
LEGATO_API int32_t legato_fss_get_params(legato_fss* fss, legato_fss_params* params);

#ifdef __cplusplus
}
#endif

#endif
