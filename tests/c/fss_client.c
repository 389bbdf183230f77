/* Tests the finite-length scaling fit as a program uses it, in C99 and in C++: fits that are complete and stopped, what
 * can be read from them, and every argument that must be refused. */
#include "checking.h"

enum { data = 36, some = 3 };

static double length[data], control[data], value[data], error[data];

/* x_c = 2, nu = 1.25, y = -1, a_00 = 1, a_10 = 1, a_20 = 0.1, a_01 = 0.5, and no noise */
static void make_data(void) {
    for (int i = 0; i < data; ++i) {
        const double w = 0.1 * (i % 12 - 5.5);
        length[i] = 4 << (i / 12);
        control[i] = 2 + w;
        const double field = w * pow(length[i], 1 / 1.25);
        value[i] = 1 + field + 0.1 * field * field + 0.5 / length[i];
        error[i] = 1e-3;
    }
}

static legato_fss_params small_params(void) {
    legato_fss_params params;
    CHECK_SUCCESS(legato_fss_params_init(&params));
    CHECK(params.relevant_order == 3 && params.irrelevant_order == 0 && params.resamples == 1000);
    params.relevant_order = 2;
    params.irrelevant_order = 1;
    params.relevant_expansion = 1;
    params.resamples = 200;
    return params;
}

static legato_fss* create(const legato_fss_params* params) {
    legato_fss* fss = NULL;
    CHECK_SUCCESS(legato_fss_create(context, params, data, length, control, value, error, &fss));
    return fss;
}

static legato_fss_fit fit_of(legato_fss* fss) {
    legato_fss_fit fit;
    memset(&fit, 0xa5, sizeof fit);
    fit.struct_size = sizeof fit;
    CHECK_SUCCESS(legato_fss_result(fss, &fit));
    return fit;
}

static int is_near(double found, double expected, double relative) {
    return fabs(found - expected) <= relative * fabs(expected);
}

static int count_and_stop(void* user, const legato_progress* progress) {
    int* const fits = (int*)user;
    *fits = (int)progress->points_done;
    return progress->points_done >= 20;
}

static int count_only(void* user, const legato_progress* progress) {
    int* const fits = (int*)user;
    *fits = (int)progress->points_done;
    CHECK(progress->points_total == 201);
    return 0;
}

static void read_all(legato_fss* fss) {
    const double sizes[some] = {4, 8, 100}, controls[some] = {1.9, 2, 2.1};
    double values[10], errors[10], low[10], high[10], fields[some], shifted[some] = {0, 0, 0}, curve[some];
    const double exact[9] = {2, 1.25, -1, 1, 1, 0.1, 0.5, 0, 0};
    CHECK_SUCCESS(legato_fss_parameters(fss, 9, values, errors, low, high));
    for (int i = 0; i < 9; ++i) {
        CHECK(fabs(values[i] - exact[i]) < 1e-5);
        CHECK(errors[i] > 0 && low[i] < high[i] && low[i] < exact[i] + 1e-5 && exact[i] - 1e-5 < high[i]);
    }
    CHECK_SUCCESS(legato_fss_parameters(fss, 1, values, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_fss_parameters(fss, 0, NULL, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_fss_curve(fss, some, sizes, controls, curve, errors));
    CHECK_SUCCESS(legato_fss_collapse(fss, some, sizes, controls, shifted, fields));
    for (int i = 0; i < some; ++i) {
        const double field = (controls[i] - 2) * pow(sizes[i], 1 / 1.25);
        CHECK(fabs(fields[i] - field) < 1e-4 && errors[i] > 0);
        CHECK(is_near(curve[i], 1 + field + 0.1 * field * field + 0.5 / sizes[i], 1e-5));
        CHECK(is_near(shifted[i], -0.5 / sizes[i], 1e-3));
    }
    CHECK_SUCCESS(legato_fss_curve(fss, some, sizes, controls, values, NULL));
    CHECK(memcmp(values, curve, sizeof curve) == 0);
    CHECK_SUCCESS(legato_fss_scaling_function(fss, some, fields, values));
    for (int i = 0; i < some; ++i) CHECK(is_near(values[i], curve[i] + shifted[i], 1e-12));
}

static void complete_fit(void) {
    const legato_fss_params params = small_params();
    legato_fss_params again = params;
    legato_fss* const fss = create(&params);
    legato_fss* const stopped = create(&params);
    legato_fss_fit fit = fit_of(fss), other;
    int fits = 0;
    CHECK(fit.status == LEGATO_FSS_FIT_STATUS_WAITING && fit.parameters == 9 && fit.data == data);
    CHECK(isnan(fit.chi2) && isnan(fit.critical_point) && isnan(fit.exponent_error) && fit.resamples_done == 0);
    CHECK_SUCCESS(legato_fss_run(fss, count_only, &fits));
    fit = fit_of(fss);
    CHECK(fit.status == LEGATO_FSS_FIT_STATUS_CONVERGED && fit.chi2 < 1e-6);
    CHECK(is_near(fit.goodness_of_fit, 1, 1e-6) && fit.resamples_done == 200 && fit.resamples_failed == 0);
    CHECK(is_near(fit.critical_point, 2, 1e-6) && is_near(fit.exponent, 1.25, 1e-5));
    CHECK(is_near(fit.irrelevant_exponent, -1, 1e-4) && is_near(fit.critical_value, 1, 1e-5));
    CHECK(fit.critical_point_low < 2 && 2 < fit.critical_point_high && fit.exponent_error > 0);
    CHECK(fit.irrelevant_exponent_low < -1 && -1 < fit.irrelevant_exponent_high && fit.critical_value_error > 0);
    read_all(fss);

    /* A run that is stopped goes on to the same result. */
    REFUSED(legato_fss_run(stopped, count_and_stop, &fits), LEGATO_STATUS_CANCELLED, "fss: stopped");
    CHECK(fits >= 20);
    other = fit_of(stopped);
    CHECK(other.resamples_done < 200 && other.critical_point == fit.critical_point);
    CHECK_SUCCESS(legato_fss_run(stopped, NULL, NULL));
    other = fit_of(stopped);
    CHECK(memcmp(&other, &fit, sizeof fit) == 0);
    CHECK_SUCCESS(legato_fss_get_params(fss, &again));
    CHECK(memcmp(&again, &params, sizeof again) == 0);
    CHECK_SUCCESS(legato_fss_destroy(stopped));
    CHECK_SUCCESS(legato_fss_destroy(fss));
    CHECK_SUCCESS(legato_fss_destroy(NULL));
}

/* Without an irrelevant field its exponent is unknown, and so are all errors without resamples. */
static void plain_fit(void) {
    legato_fss_params params = small_params();
    legato_fss* fss = NULL;
    legato_fss_fit fit;
    params.irrelevant_order = 0;
    params.resamples = 0;
    fss = create(&params);
    CHECK_SUCCESS(legato_fss_run(fss, NULL, NULL));
    fit = fit_of(fss);
    CHECK(fit.status == LEGATO_FSS_FIT_STATUS_CONVERGED && fit.parameters == 5);
    CHECK(isnan(fit.irrelevant_exponent) && isnan(fit.irrelevant_exponent_low) && isnan(fit.exponent_error));
    CHECK(fit.chi2 > 1 && fit.goodness_of_fit < 0.5);
    CHECK_SUCCESS(legato_fss_destroy(fss));
    fss = NULL;
    CHECK_SUCCESS(legato_fss_create(context, NULL, data, length, control, value, error, &fss));
    CHECK_SUCCESS(legato_fss_destroy(fss));
}

static void refused_data(void) {
    legato_fss_params params = small_params();
    legato_fss* fss = NULL;
    double kept = length[3];
#define CREATE legato_fss_create(context, &params, data, length, control, value, error, &fss)
    length[3] = 0.5;
    INVALID(CREATE, "fss.length[3]: 0.5 is not in [1, 1000000000000]");
    length[3] = kept;
    kept = control[4];
    control[4] = NAN;
    INVALID(CREATE, "fss.control[4]: nan is not in [-1000000000000, 1000000000000]");
    control[4] = kept;
    kept = value[35];
    value[35] = INFINITY;
    INVALID(CREATE, "fss.value[35]: inf is not in [-1000000000000, 1000000000000]");
    value[35] = kept;
    kept = error[0];
    error[0] = 0;
    INVALID(CREATE, "fss.error[0]: 0 is not in [1e-60, 1000000000000]");
    error[0] = -1;
    INVALID(CREATE, "fss.error[0]: -1 is not in [1e-60, 1000000000000]");
    error[0] = 1e-14;
    INVALID(CREATE, "fss.error[0]: 1e-14 is less than 1e-12 of the largest value, ");
    error[0] = kept;
    params.irrelevant_order = 0;
    params.irrelevant_expansion = 2;
    INVALID(CREATE, "fss.params.irrelevant_expansion: 2 is not 0, but fss.params.irrelevant_order is 0");
#undef CREATE
    params = small_params();
    params.struct_size = 39;
    INVALID(legato_fss_create(context, &params, data, length, control, value, error, &fss),
            "fss.params.struct_size: 39 is not in 40..4096");
    INVALID(legato_fss_create(context, NULL, 6, length, control, value, error, &fss),
            "fss.n_data: 6 is not in 7..100000");
    INVALID(legato_fss_create(context, NULL, 0, length, control, value, error, &fss),
            "fss.n_data: 0 is not in 1..100000");
    INVALID(legato_fss_create(context, NULL, -1, length, control, value, error, &fss), "fss.n_data: -1 is not in 1..");
    INVALID(legato_fss_create(context, NULL, 1000001, length, control, value, error, &fss),
            "fss.n_data: 1000001 is not in");
    INVALID(legato_fss_create(context, NULL, 12, length, control, value, error, &fss), "fss.length: all are 4");
    INVALID(legato_fss_create(context, NULL, data, NULL, control, value, error, &fss), "fss.length: a null pointer");
    INVALID(legato_fss_create(context, NULL, data, length, NULL, value, error, &fss), "fss.control: a null pointer");
    INVALID(legato_fss_create(context, NULL, data, length, control, NULL, error, &fss), "fss.value: a null pointer");
    INVALID(legato_fss_create(context, NULL, data, length, control, value, NULL, &fss), "fss.error: a null pointer");
    INVALID(legato_fss_create(context, NULL, data, length, control, value, error, NULL), "fss: a null pointer");
    CHECK(fss == NULL);
}

static void refused_reads(void) {
    const legato_fss_params params = small_params();
    legato_fss* const fss = create(&params);
    legato_fss_fit fit;
    legato_fss_params again;
    double x[10] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    memset(&fit, 0, sizeof fit);
    INVALID(legato_fss_result(fss, &fit), "fss.fit.struct_size: 0 is not in");
    INVALID(legato_fss_result(fss, NULL), "fss.fit: a null pointer");
    INVALID(legato_fss_parameters(fss, 10, x, NULL, NULL, NULL), "fss.parameters.n: 10 is not in 0..9");
    INVALID(legato_fss_parameters(fss, -1, x, NULL, NULL, NULL), "fss.parameters.n: -1 is not in 0..9");
    INVALID(legato_fss_parameters(fss, 1, NULL, NULL, NULL, NULL), "fss.parameters.values: a null pointer");
    INVALID(legato_fss_curve(fss, -1, x, x, x, x), "fss.curve.n: -1 is not in 0..1000000000");
    INVALID(legato_fss_curve(fss, 1, NULL, x, x, x), "fss.curve.length: a null pointer");
    INVALID(legato_fss_curve(fss, 1, x, NULL, x, x), "fss.curve.control: a null pointer");
    INVALID(legato_fss_curve(fss, 1, x, x, NULL, x), "fss.curve.values: a null pointer");
    INVALID(legato_fss_collapse(fss, -2, x, x, x, x), "fss.collapse.n: -2 is not in 0..1000000000");
    INVALID(legato_fss_collapse(fss, 1, x, x, NULL, x), "fss.collapse.values: a null pointer");
    INVALID(legato_fss_collapse(fss, 1, x, x, x, NULL), "fss.collapse.fields: a null pointer");
    INVALID(legato_fss_scaling_function(fss, -1, x, x), "fss.scaling_function.n: -1 is not in 0..1000000000");
    INVALID(legato_fss_scaling_function(fss, 1, NULL, x), "fss.scaling_function.fields: a null pointer");
    INVALID(legato_fss_scaling_function(fss, 1, x, NULL), "fss.scaling_function.values: a null pointer");
    x[1] = 0;
    INVALID(legato_fss_curve(fss, 2, x, x, x, x), "fss.curve.length[1]: 0 is not in [1, 1000000000000]");
    x[1] = NAN;
    INVALID(legato_fss_scaling_function(fss, 2, x, x),
            "fss.scaling_function.fields[1]: nan is not in [-1e+100, 1e+100]");
    again.struct_size = 4;
    INVALID(legato_fss_get_params(fss, &again), "fss.params.struct_size: 4 is not in");
    INVALID(legato_fss_get_params(fss, NULL), "fss.params: a null pointer");
    /* Before the run every value is unknown. */
    x[0] = 8;
    CHECK_SUCCESS(legato_fss_curve(fss, 1, x, x, x + 1, x + 2));
    CHECK(isnan(x[1]) && isnan(x[2]));
    CHECK_SUCCESS(legato_fss_destroy(fss));
    CHECK(legato_fss_run(fss, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
}

int main(void) {
    context = cpu_context(2);
    make_data();
    complete_fit();
    plain_fit();
    refused_data();
    refused_reads();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("fss_client");
}
