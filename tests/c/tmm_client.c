/* Tests the C interface as a program uses it, in C99 and in C++: complete and interrupted runs, and every function
 * with every argument that it must refuse, including the messages. */
#include "checking.h"

static void refused_contexts(void) {
#define AT(member) offsetof(legato_context_params, member)
    const bad_member members[] = {
        {AT(backend), 'i', -1, "context.params.backend: -1 is not in 0..2"},
        {AT(backend), 'i', 3, "context.params.backend: 3 is not in 0..2"},
        {AT(backend), 'i', INT32_MIN, "context.params.backend: -2147483648 is not in 0..2"},
        {AT(device), 'i', -2, "context.params.device: -2 is not in -1..1023"},
        {AT(device), 'i', INT32_MAX, "context.params.device: 2147483647 is not in -1..1023"},
        {AT(threads), 'i', -1, "context.params.threads: -1 is not in 0..4096"},
        {AT(threads), 'i', 4097, "context.params.threads: 4097 is not in 0..4096"},
        {AT(log_level), 'i', -1, "context.params.log_level: -1 is not in 0..4"},
        {AT(log_level), 'i', 5, "context.params.log_level: 5 is not in 0..4"},
        {AT(struct_size), 'l', 0, "context.params.struct_size: 0 is not in 24..4096"},
        {AT(struct_size), 'l', 23, "context.params.struct_size: 23 is not in 24..4096"},
        {AT(struct_size), 'l', 4097, "context.params.struct_size: 4097 is not in 24..4096"},
        {AT(struct_size), 'l', -1, "context.params.struct_size: 18446744073709551615 is not in 24..4096"},
    };
#undef AT
    const double one = 1;
    legato_context_params params;
    legato_tmm_params tmm_params;
    legato_tmm* tmm;
    int32_t number = 0;
    const char* text = NULL;
    legato_tmm_params_init(&tmm_params);
    CHECK(legato_context_create(NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        CHECK_SUCCESS(legato_context_params_init(&params));
        set_member(&params, &members[i]);
        INVALID(legato_context_create(&params, &context), members[i].message);
        /* A context that could not be created refuses everything, and still knows the reason. */
        INVALID(legato_tmm_create(context, &tmm_params, 1, &one, &one, &tmm), members[i].message);
        INVALID(legato_context_backend(context, &number, &text), members[i].message);
        INVALID(legato_context_set_logger(context, 1, NULL, NULL), members[i].message);
        CHECK_SUCCESS(legato_context_destroy(context));
    }
    context = NULL;
    CHECK(legato_context_params_init(NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_context_params_init_sized(&params, 0) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_context_params_init_sized(&params, sizeof params - 1) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_context_params_init_sized(&params, (size_t)-1) == LEGATO_STATUS_INVALID_ARGUMENT);
}

static void refused_without_context(void) {
    int32_t number = 0;
    int64_t large = 0;
    double x[1] = {1}, y[1] = {1};
    legato_device_info info;
    legato_tmm_params params;
    legato_tmm_point point;
    legato_tmm* tmm = NULL;
    legato_tmm_step step = NULL;
    legato_tmm_propagation* propagation = (legato_tmm_propagation*)&params;
    memset(&info, 0, sizeof info);
    memset(&point, 0, sizeof point);
    info.struct_size = sizeof info;
    point.struct_size = sizeof point;
    legato_tmm_params_init(&params);
    context = NULL;
#define NONE(call) INVALID(call, "the context is a null pointer")
    NONE(legato_context_set_logger(NULL, 1, NULL, NULL));
    NONE(legato_context_backend(NULL, &number, NULL));
    NONE(legato_context_device_count(NULL, &number));
    NONE(legato_context_device_info(NULL, 0, &info));
    NONE(legato_tmm_create(NULL, &params, 1, x, x, &tmm));
    NONE(legato_tmm_resume(NULL, "tmm_client.h5", &tmm));
    NONE(legato_tmm_multiply(NULL, 1, 1, 0, 1, 0, x, x, y));
    NONE(legato_tmm_narrow_step(NULL, 2, 1, 0, 0, &step));
    NONE(legato_tmm_orthonormalise(NULL, 1, 0, x, y, x));
    NONE(legato_tmm_propagation_create(NULL, 1, 1, 0, 1, 0, &propagation));
    NONE(legato_tmm_create_given(NULL, &params, 0, NULL, NULL, NULL, NULL, 1, x, y, &tmm));
    NONE(legato_tmm_resume_given(NULL, "tmm_client.h5", NULL, NULL, &tmm));
    NONE(legato_tmm_propagation_create_for(NULL, 1, 1, 0, 1, 0, 1, &propagation));
    NONE(legato_tmm_propagation_load(NULL, x, y));
    NONE(legato_tmm_propagation_multiply(NULL, x));
    NONE(legato_tmm_propagation_orthonormalise(NULL, x));
    NONE(legato_tmm_propagation_store(NULL, x, y));
    NONE(legato_tmm_run(NULL, NULL, NULL));
    NONE(legato_tmm_advance(NULL, 1, &large));
    NONE(legato_tmm_size(NULL, &large, &large));
    NONE(legato_tmm_result(NULL, 0, &point, 0, NULL, NULL));
    NONE(legato_tmm_save(NULL, "tmm_client.h5"));
    NONE(legato_tmm_get_params(NULL, &params));
#undef NONE
    CHECK(tmm == NULL && propagation == NULL);
    CHECK_SUCCESS(legato_context_destroy(NULL));
    CHECK_SUCCESS(legato_tmm_destroy(NULL));
    CHECK_SUCCESS(legato_tmm_propagation_destroy(NULL));
}

static void refused_in_a_context(void) {
    int32_t number;
    legato_device_info info;
    memset(&info, 0, sizeof info);
    INVALID(legato_context_set_logger(context, -1, NULL, NULL), "context.logger.level: -1 is not in 0..4");
    INVALID(legato_context_set_logger(context, 5, NULL, NULL), "context.logger.level: 5 is not in 0..4");
    INVALID(legato_context_backend(context, NULL, NULL), "context.backend: a null pointer is not allowed");
    INVALID(legato_context_device_count(context, NULL), "context.count: a null pointer is not allowed");
    INVALID(legato_context_device_info(context, 0, NULL), "device_info: a null pointer is not allowed");
    INVALID(legato_context_device_info(context, 0, &info), "device_info.struct_size: 0 is not in 288..4096");
    CHECK_SUCCESS(legato_context_device_count(context, &number));
    info.struct_size = sizeof info;
    REFUSED(legato_context_device_info(context, -1, &info), LEGATO_STATUS_NO_DEVICE, "device: -1 ");
    REFUSED(legato_context_device_info(context, number, &info), LEGATO_STATUS_NO_DEVICE, "device: ");
    CHECK(info.name[0] == 0);
}

static void refused_params(void) {
#define AT(member) offsetof(legato_tmm_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 0, "tmm.params.struct_size: 0 is not in 80..4096"},
        {AT(struct_size), 'l', 8, "tmm.params.struct_size: 8 is not in 80..4096"},
        {AT(struct_size), 'l', 9e18, "tmm.params.struct_size: 9223372036854775807 is not in 80..4096"},
        {AT(dimension), 'i', 1, "tmm.params.boundary: 1 is not in 0..0 (hard wall)"},
        {AT(max_growth), 'd', 9.5, "tmm.params.max_growth: 9.5 is not in [10, 100000000]"},
    };
    const double one[2] = {1, 1};
    legato_tmm_params params;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        legato_tmm* tmm = (legato_tmm*)&params;
        CHECK_SUCCESS(legato_tmm_params_init(&params));
        set_member(&params, &members[i]);
        INVALID(legato_tmm_create(context, &params, 1, one, one, &tmm), members[i].message);
        CHECK(tmm == NULL);
    }
    legato_tmm* tmm = NULL;
    legato_tmm_params_init(&params);
    params.dimension = 3;
    params.width = 65;
    INVALID(legato_tmm_create(context, &params, 1, one, one, &tmm), "tmm.params.width: 65 is not in 1..64");
    params.dimension = 1;
    params.boundary = LEGATO_TMM_BOUNDARY_HARD_WALL;
    params.width = 2;
    INVALID(legato_tmm_create(context, &params, 1, one, one, &tmm), "tmm.params.width: 2 is not in 1..1");
    CHECK(legato_tmm_params_init(NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_tmm_params_init_sized(&params, 72) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_tmm_params_init_sized(&params, 4097) == LEGATO_STATUS_INVALID_ARGUMENT);
}

/* A struct of version 0.1 ends with max_growth, and later members have their defaults. With TMSEXD's rule a point
 * may end after three cycles, as in version 0.1. */
static void rules(void) {
    const double energy = -4.4, disorder = 1;
    legato_tmm_params params, old;
    legato_tmm_point point;
    legato_tmm* tmm = NULL;
    memset(&point, 0, sizeof point);
    point.struct_size = sizeof point;
    CHECK_SUCCESS(legato_tmm_params_init(&params));
    CHECK(params.rule == LEGATO_TMM_RULE_BLOCKS && params.min_blocks == 32 && params.burn_in == 128);
    old = params;
    old.struct_size = offsetof(legato_tmm_params, rule);
    old.rule = old.min_blocks = 77;
    old.width = params.width = 2;
    old.random_stream = params.random_stream = LEGATO_TMM_RANDOM_STREAM_LFSR113;
    old.epsilon = params.epsilon = 0.1;
    CHECK_SUCCESS(legato_tmm_create(context, &old, 1, &energy, &disorder, &tmm));
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 0, NULL, NULL));
    CHECK(point.cycles == 256);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
    params.rule = LEGATO_TMM_RULE_TMSEXD;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 0, NULL, NULL));
    CHECK(point.cycles == 3);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
}

/* A single site at E = 0 rotates (1, 0) by 90 degrees at every multiplication. Its exponent is exactly 0. */
static void clean_site(void) {
    const double energy = 0, disorder = 0;
    legato_tmm_params params;
    legato_tmm_point point;
    legato_tmm* tmm = NULL;
    memset(&point, 0, sizeof point);
    point.struct_size = sizeof point;
    CHECK_SUCCESS(legato_tmm_params_init(&params));
    params.dimension = 1;
    params.width = 1;
    params.boundary = LEGATO_TMM_BOUNDARY_HARD_WALL;
    params.rule = LEGATO_TMM_RULE_TMSEXD;
    params.max_multiplications = 1000;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 0, NULL, NULL));
    CHECK(point.status == LEGATO_TMM_POINT_STATUS_NOT_CONVERGED && point.cycles == 100);
    CHECK(point.localisation_length > 0 && isinf(point.localisation_length));
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
}

static void refused_points(void) {
    const struct {
        double energy, disorder;
        const char* message;
    } points[] = {
        {NAN, 1, "tmm.points[1].energy: nan is not in [-1000000, 1000000]"},
        {INFINITY, 1, "tmm.points[1].energy: inf is not in ["},
        {-1.5e6, 1, "tmm.points[1].energy: -1500000 is not in ["},
        {0, -1, "tmm.points[1].disorder: -1 is not in [0, 1000000]"},
        {0, NAN, "tmm.points[1].disorder: nan is not in ["},
        {0, INFINITY, "tmm.points[1].disorder: inf is not in ["},
        {0, 1e300, "tmm.points[1].disorder: 1e+300 is not in ["},
    };
    double energy[2] = {0, 0}, disorder[2] = {1, 1};
    legato_tmm_params params;
    legato_tmm* tmm = NULL;
    legato_tmm_params_init(&params);
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i) {
        energy[1] = points[i].energy;
        disorder[1] = points[i].disorder;
        INVALID(legato_tmm_create(context, &params, 2, energy, disorder, &tmm), points[i].message);
    }
    CHECK_SUCCESS(legato_tmm_create(context, NULL, 1, energy, disorder, &tmm)); /* default parameters */
    CHECK(legato_tmm_get_params(tmm, &params) == LEGATO_STATUS_SUCCESS && params.width == 1 && params.epsilon == 0.005);
    legato_tmm_destroy(tmm);
    INVALID(legato_tmm_create(context, &params, 1, NULL, disorder, &tmm), "tmm.energy: a null pointer");
    INVALID(legato_tmm_create(context, &params, 1, energy, NULL, &tmm), "tmm.disorder: a null pointer");
    INVALID(legato_tmm_create(context, &params, 1, energy, disorder, NULL), "tmm: a null pointer");
    INVALID(legato_tmm_create(context, &params, 0, energy, disorder, &tmm), "tmm.n_points: 0 is not in 1..10000000");
    INVALID(legato_tmm_create(context, &params, -1, energy, disorder, &tmm), "tmm.n_points: -1 is not in 1..10000000");
    INVALID(legato_tmm_create(context, &params, INT64_MAX, energy, disorder, &tmm),
            "tmm.n_points: 9223372036854775807 is not in 1..10000000");
    CHECK(tmm == NULL);
}

static void refused_steps(void) {
    double d[4] = {1, 1, 1, 1}, a[16], b[16], norms[4];
    legato_tmm_step step = NULL;
    const struct {
        int32_t dimension;
        int64_t width;
        int32_t boundary;
        double hopping;
        int32_t layout;
        const char* message;
    } steps[] = {
        {0, 4, 1, 1, 0, "tmm.steps.dimension: 0 is not in 1..3"},
        {4, 4, 1, 1, 0, "tmm.steps.dimension: 4 is not in 1..3"},
        {2, 0, 1, 1, 0, "tmm.steps.width: 0 is not in 1..4096"},
        {1, 2, 0, 1, 0, "tmm.steps.width: 2 is not in 1..1"},
        {3, 65, 1, 1, 0, "tmm.steps.width: 65 is not in 1..64"},
        {2, INT64_MIN, 1, 1, 0, "tmm.steps.width: -9223372036854775808 is not in 1..4096"},
        {2, 4, -1, 1, 0, "tmm.steps.boundary: -1 is not in 0..2"},
        {2, 4, 3, 1, 0, "tmm.steps.boundary: 3 is not in 0..2"},
        {1, 1, 1, 1, 0, "tmm.steps.boundary: 1 is not in 0..0"},
        {2, 4, 1, NAN, 0, "tmm.steps.hopping: nan is not in [-1000000, 1000000]"},
        {2, 4, 1, INFINITY, 0, "tmm.steps.hopping: inf is not in ["},
        {2, 4, 1, 1, -1, "tmm.steps.layout: -1 is not in 0..1"},
        {2, 4, 1, 1, 2, "tmm.steps.layout: 2 is not in 0..1"},
    };
    for (int i = 0; i < 16; ++i) a[i] = b[i] = i % 5 == 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        legato_tmm_propagation* propagation = (legato_tmm_propagation*)a;
        INVALID(legato_tmm_multiply(context, steps[i].dimension, steps[i].width, steps[i].boundary, steps[i].hopping,
                                    steps[i].layout, d, a, b),
                steps[i].message);
        INVALID(legato_tmm_propagation_create(context, steps[i].dimension, steps[i].width, steps[i].boundary,
                                              steps[i].hopping, steps[i].layout, &propagation),
                steps[i].message);
        CHECK(propagation == NULL);
    }
    INVALID(legato_tmm_multiply(context, 2, 4, 1, 1, 0, NULL, a, b), "tmm.multiply.diagonal: a null pointer");
    INVALID(legato_tmm_multiply(context, 2, 4, 1, 1, 0, d, NULL, b), "tmm.multiply.psi_a: a null pointer");
    INVALID(legato_tmm_multiply(context, 2, 4, 1, 1, 0, d, a, NULL), "tmm.multiply.psi_b: a null pointer");
    INVALID(legato_tmm_orthonormalise(context, 0, 0, a, b, norms), "tmm.orthonormalise.n: 0 is not in 1..4096");
    INVALID(legato_tmm_orthonormalise(context, 4097, 0, a, b, norms), "tmm.orthonormalise.n: 4097 is not in 1..4096");
    INVALID(legato_tmm_orthonormalise(context, 4, 2, a, b, norms), "tmm.steps.layout: 2 is not in 0..1");
    INVALID(legato_tmm_orthonormalise(context, 4, 0, NULL, b, norms), "tmm.orthonormalise.psi_a: a null pointer");
    INVALID(legato_tmm_orthonormalise(context, 4, 0, a, NULL, norms), "tmm.orthonormalise.psi_b: a null pointer");
    INVALID(legato_tmm_orthonormalise(context, 4, 0, a, b, NULL), "tmm.orthonormalise.log_norms: a null pointer");
    CHECK_SUCCESS(legato_tmm_multiply(context, 2, 4, 1, 1, 0, d, a, b));
    CHECK(b[0] == 0 && b[1] == -1 && b[2] == 0 && b[3] == -1);
    INVALID(legato_tmm_narrow_step(context, 2, 4, 3, 0, &step), "tmm.steps.boundary: 3 is not in 0..2");
    INVALID(legato_tmm_narrow_step(context, 2, 0, 1, 0, &step), "tmm.steps.width: 0 is not in 1..4096");
    INVALID(legato_tmm_narrow_step(context, 2, 4, 1, 2, &step), "tmm.steps.layout: 2 is not in 0..1");
    INVALID(legato_tmm_narrow_step(context, 2, 4, 1, 0, NULL), "tmm.narrow_step.step: a null pointer");
    CHECK_SUCCESS(legato_tmm_narrow_step(context, 2, 9, 1, 0, &step));
    CHECK(step == NULL);
    CHECK_SUCCESS(legato_tmm_narrow_step(context, 2, 4, 1, 0, &step));
    for (int i = 0; i < 16; ++i) b[i] = i % 5 == 0;
    step(1, d, a, b);
    CHECK(b[0] == 0 && b[1] == -1 && b[2] == 0 && b[3] == -1);
    CHECK_SUCCESS(legato_tmm_orthonormalise(context, 4, 0, a, b, norms));
    CHECK(fabs(norms[0] - 0.5 * log(3.0)) < 1e-14);
    a[0] = INFINITY;
    REFUSED(legato_tmm_orthonormalise(context, 4, 0, a, b, norms), LEGATO_STATUS_NUMERICAL_ERROR,
            "tmm.orthonormalise: ");
    CHECK(norms[0] != norms[0]);
    for (int i = 0; i < 16; ++i) a[i] = b[i] = 0;
    for (int i = 0; i < 4; ++i) a[i] = a[4 + i] = 1; /* two vectors that differ by 1 part in 1e12 */
    a[4] += 4e-12;
    b[2 * 5] = b[3 * 5] = 1;
    REFUSED(legato_tmm_orthonormalise(context, 4, 0, a, b, norms), LEGATO_STATUS_PRECISION_LOST,
            "tmm.orthonormalise: orthonormalisation has shortened a vector by a factor of ");
    CHECK(fabs(norms[0] - log(2.0)) < 1e-14 && fabs(norms[1] - log(sqrt(12.0) * 1e-12)) < 1e-3);
    CHECK(fabs(a[0] - 0.5) < 1e-14);
}

/* Compares a propagation with the steps on arrays, tests its refusals, and destroys its context before it. */
static void propagations(void) {
    const char* const early = "tmm.propagation: load the two slices first";
    double d[4] = {0.5, -1, 2, 0.25}, a[16], b[16], x[16], y[16], norms[4], log_norms[4] = {7, 7, 7, 7};
    legato_context_params params;
    legato_context* second = NULL;
    legato_tmm_propagation* p = NULL;
    INVALID(legato_tmm_propagation_create(context, 2, 4, 1, 1, 0, NULL), "tmm.propagation: a null pointer");
    INVALID(legato_tmm_propagation_create_for(context, 2, 4, 1, 1, 0, 0.5, &p),
            "tmm.propagation.cycles: 0.5 is not in [1, 1e+15]");
    INVALID(legato_tmm_propagation_create_for(context, 2, 4, 1, 1, 0, NAN, &p), "tmm.propagation.cycles: nan is not");
    for (int i = 0; i < 16; ++i) {
        a[i] = i % 5 == 0;
        b[i] = x[i] = y[i] = 0;
    }
    CHECK_SUCCESS(legato_tmm_propagation_create_for(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1,
                                                    LEGATO_TMM_LAYOUT_STATE_FIRST, 1, &p));
    INVALID(legato_tmm_propagation_multiply(p, d), early);
    INVALID(legato_tmm_propagation_orthonormalise(p, log_norms), early);
    INVALID(legato_tmm_propagation_store(p, x, y), early);
    INVALID(legato_tmm_propagation_load(p, NULL, b), "tmm.propagation.current: a null pointer");
    INVALID(legato_tmm_propagation_load(p, a, NULL), "tmm.propagation.previous: a null pointer");
    INVALID(legato_tmm_propagation_store(p, x, y), early);
    CHECK(x[0] == 0 && y[0] == 0 && log_norms[0] == 7);

    CHECK_SUCCESS(legato_tmm_propagation_load(p, a, b));
    INVALID(legato_tmm_propagation_multiply(p, NULL), "tmm.propagation.diagonal: a null pointer");
    INVALID(legato_tmm_propagation_orthonormalise(p, NULL), "tmm.propagation.log_norms: a null pointer");
    INVALID(legato_tmm_propagation_store(p, NULL, y), "tmm.propagation.current: a null pointer");
    INVALID(legato_tmm_propagation_store(p, x, NULL), "tmm.propagation.previous: a null pointer");
    CHECK_SUCCESS(legato_tmm_propagation_multiply(p, d));
    CHECK_SUCCESS(legato_tmm_propagation_multiply(p, d));
    CHECK_SUCCESS(
        legato_tmm_multiply(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1, LEGATO_TMM_LAYOUT_STATE_FIRST, d, a, b));
    CHECK_SUCCESS(
        legato_tmm_multiply(context, 2, 4, LEGATO_TMM_BOUNDARY_PERIODIC, 1, LEGATO_TMM_LAYOUT_STATE_FIRST, d, b, a));
    CHECK_SUCCESS(legato_tmm_propagation_store(p, x, y));
    CHECK(memcmp(a, x, sizeof a) == 0 && memcmp(b, y, sizeof b) == 0);
    CHECK_SUCCESS(legato_tmm_propagation_orthonormalise(p, log_norms));
    CHECK_SUCCESS(legato_tmm_orthonormalise(context, 4, LEGATO_TMM_LAYOUT_STATE_FIRST, a, b, norms));
    CHECK_SUCCESS(legato_tmm_propagation_store(p, x, y));
    for (int i = 0; i < 16; ++i)
        CHECK(fabs(a[i] - x[i]) < 1e-12 && fabs(b[i] - y[i]) < 1e-12 && fabs(norms[i / 4] - log_norms[i / 4]) < 1e-12);

    a[0] = INFINITY;
    CHECK_SUCCESS(legato_tmm_propagation_load(p, a, b));
    REFUSED(legato_tmm_propagation_orthonormalise(p, norms), LEGATO_STATUS_NUMERICAL_ERROR,
            "tmm.propagation.orthonormalise: ");
    CHECK(norms[0] != norms[0] && norms[3] != norms[3]);
    CHECK_SUCCESS(legato_tmm_propagation_load(p, x, y));
    CHECK_SUCCESS(legato_tmm_propagation_orthonormalise(p, norms));
    CHECK(fabs(norms[0]) < 1e-14);
    for (int i = 0; i < 4; ++i) { /* state first: vector j is x[j + 4 i] over y[j + 4 i] */
        x[4 * i] = x[1 + 4 * i] = 1;
        y[4 * i] = y[1 + 4 * i] = x[2 + 4 * i] = x[3 + 4 * i] = y[2 + 4 * i] = y[3 + 4 * i] = 0;
    }
    x[1] += 4e-12;
    y[2 + 4 * 2] = y[3 + 4 * 3] = 1;
    CHECK_SUCCESS(legato_tmm_propagation_load(p, x, y));
    REFUSED(legato_tmm_propagation_orthonormalise(p, norms), LEGATO_STATUS_PRECISION_LOST,
            "tmm.propagation.orthonormalise: orthonormalisation has shortened a vector by a factor of ");
    CHECK(fabs(norms[0] - log(2.0)) < 1e-14 && fabs(norms[1] - log(sqrt(12.0) * 1e-12)) < 1e-3);
    CHECK_SUCCESS(legato_tmm_propagation_store(p, a, b));
    CHECK(fabs(a[0] - 0.5) < 1e-14);
    CHECK_SUCCESS(legato_tmm_propagation_orthonormalise(p, norms));
    CHECK(fabs(norms[1]) < 1e-3);
    CHECK_SUCCESS(legato_tmm_propagation_destroy(p));

    CHECK_SUCCESS(legato_context_params_init(&params));
    params.backend = LEGATO_BACKEND_CPU;
    CHECK_SUCCESS(legato_context_create(&params, &second));
    CHECK_SUCCESS(legato_tmm_propagation_create(second, 1, 1, LEGATO_TMM_BOUNDARY_HARD_WALL, 1,
                                                LEGATO_TMM_LAYOUT_SITE_FIRST, &p));
    CHECK_SUCCESS(legato_context_destroy(second));
    CHECK_SUCCESS(legato_tmm_propagation_load(p, x, y));
    CHECK_SUCCESS(legato_tmm_propagation_multiply(p, d));
    CHECK_SUCCESS(legato_tmm_propagation_orthonormalise(p, norms));
    CHECK(fabs(norms[0] - 0.5 * log((0.5 * x[0] - y[0]) * (0.5 * x[0] - y[0]) + x[0] * x[0])) < 1e-12);
    CHECK(legato_tmm_propagation_multiply(p, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_tmm_propagation_destroy(p));
}

/* Records progress, reads a result from within, and stops the run at its third call. */
typedef struct watcher {
    legato_tmm* tmm;
    legato_progress last;
    int calls, stop_at, lines;
    char line[512];
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    legato_tmm_point point;
    point.struct_size = sizeof point;
    CHECK_SUCCESS(legato_tmm_result(w->tmm, 0, &point, 0, NULL, NULL));
    CHECK(point.cycles > 0 && (point.relative_error >= 0 || point.cycles < 15));
    w->last = *progress;
    return ++w->calls == w->stop_at;
}

static void note(void* user, int32_t level, const char* line) {
    watcher* const w = (watcher*)user;
    CHECK(level >= LEGATO_LOG_LEVEL_ERROR && level <= LEGATO_LOG_LEVEL_INFO);
    ++w->lines;
    strncpy(w->line, line, sizeof w->line - 1);
}

static void write_file(const char* path, const char* bytes, size_t n) {
    FILE* const file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static void refused_files(legato_tmm* tmm) {
    static char bytes[1 << 20];
    legato_tmm* other = (legato_tmm*)bytes;
    INVALID(legato_tmm_save(tmm, NULL), "tmm.save.path: a null pointer");
    INVALID(legato_tmm_save(tmm, ""), "tmm.save.path: the path is empty");
    REFUSED(legato_tmm_save(tmm, "/no/such/folder/run.h5"), LEGATO_STATUS_IO_ERROR,
            "state file /no/such/folder/run.h5");
    REFUSED(legato_tmm_save(tmm, "."), LEGATO_STATUS_IO_ERROR, "state file .");
    INVALID(legato_tmm_resume(context, NULL, &other), "tmm.resume.path: a null pointer");
    INVALID(legato_tmm_resume(context, "tmm_client.h5", NULL), "tmm: a null pointer");
    REFUSED(legato_tmm_resume(context, "no_such_file.h5", &other), LEGATO_STATUS_IO_ERROR,
            "state file no_such_file.h5");
    CHECK(other == NULL);
    INVALID(legato_tmm_resume(context, "", &other), "tmm.resume.path: the path is empty");
    REFUSED(legato_tmm_resume(context, ".", &other), LEGATO_STATUS_BAD_FILE, "state file .: it is not a regular file");
    write_file("tmm_client_foreign.h5", "PK\003\004 something else", 20);
    REFUSED(legato_tmm_resume(context, "tmm_client_foreign.h5", &other), LEGATO_STATUS_BAD_FILE,
            "state file tmm_client_foreign.h5");
    write_file("tmm_client_foreign.h5", "", 0);
    REFUSED(legato_tmm_resume(context, "tmm_client_foreign.h5", &other), LEGATO_STATUS_BAD_FILE,
            "state file tmm_client_foreign.h5");

    FILE* const file = fopen("tmm_client.h5", "rb");
    CHECK(file != NULL);
    const size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    CHECK(n > 1000 && n < sizeof bytes);
    write_file("tmm_client_foreign.h5", bytes, n / 2);
    REFUSED(legato_tmm_resume(context, "tmm_client_foreign.h5", &other), LEGATO_STATUS_BAD_FILE,
            "state file tmm_client_foreign.h5");
    bytes[n - n / 3] ^= 1;
    write_file("tmm_client_foreign.h5", bytes, n);
    REFUSED(legato_tmm_resume(context, "tmm_client_foreign.h5", &other), LEGATO_STATUS_BAD_FILE,
            "state file tmm_client_foreign.h5");
    remove("tmm_client_foreign.h5");
}

static void refused_results(legato_tmm* tmm) {
    double x[5] = {-1, -1, -1, -1, -1};
    legato_tmm_point point;
    legato_tmm_params params;
    memset(&point, 0, sizeof point);
    INVALID(legato_tmm_result(tmm, 0, &point, 4, x, x), "tmm.point.struct_size: 0 is not in 56..4096");
    point.struct_size = 55;
    INVALID(legato_tmm_result(tmm, 0, &point, 4, x, x), "tmm.point.struct_size: 55 is not in 56..4096");
    point.struct_size = (size_t)-1;
    INVALID(legato_tmm_result(tmm, 0, &point, 4, x, x), "tmm.point.struct_size: 18446744073709551615 is not in 56..");
    point.struct_size = sizeof point;
    INVALID(legato_tmm_result(tmm, -1, &point, 0, NULL, NULL), "tmm.result.index: -1 is not in 0..1");
    INVALID(legato_tmm_result(tmm, 2, &point, 0, NULL, NULL), "tmm.result.index: 2 is not in 0..1");
    INVALID(legato_tmm_result(tmm, INT64_MIN, &point, 0, NULL, NULL),
            "tmm.result.index: -9223372036854775808 is not in");
    INVALID(legato_tmm_result(tmm, 0, &point, -1, x, NULL), "tmm.result.n: -1 is not in 0..4");
    INVALID(legato_tmm_result(tmm, 0, &point, 5, NULL, x), "tmm.result.n: 5 is not in 0..4");
    CHECK(x[0] == -1 && x[4] == -1 && point.cycles == 0);
    INVALID(legato_tmm_get_params(tmm, NULL), "tmm.params: a null pointer");
    memset(&params, 0, sizeof params);
    INVALID(legato_tmm_get_params(tmm, &params), "tmm.params.struct_size: 0 is not in 80..4096");
    INVALID(legato_tmm_advance(tmm, 0, NULL), "tmm.advance.cycles: 0 is not in 1..9223372036854775807");
    INVALID(legato_tmm_advance(tmm, INT64_MIN, NULL), "tmm.advance.cycles: -9223372036854775808 is not in 1..");
}

typedef struct changes {
    int64_t stop_at;
    int calls, wrong;
} changes;

/* A chain of three sites with spin, and energies that are correlated along the bar. */
static int change(void* user, int64_t point, int64_t replica, int64_t slice, int64_t sites, int64_t links,
                  int64_t components, double on_site[], double hopping[], double along[]) {
    changes* const c = (changes*)user;
    ++c->calls;
    if (point != 0 || replica != 0 || sites != 3 || links != 2 || components != 4 || along[2] != 1) c->wrong = 1;
    if (slice == c->stop_at) return 1;
    for (int i = 0; i < 3; ++i) on_site[i] = 3 * (double)((7 * (slice / 2) + 3 * i) % 11) / 11;
    for (int i = 0; i < 4; ++i) hopping[i] = i == 1 ? 1 : 0;
    return 0;
}

static void given_slices(void) {
    const double zero = 0;
    const int64_t first[2] = {0, 1}, second[2] = {1, 2}, bad[2] = {1, 3};
    changes c = {-1, 0, 0}, stopped = {500, 0, 0};
    legato_tmm_params params;
    legato_tmm *tmm = NULL, *resumed = NULL;
    double x[3], y[3];
    CHECK_SUCCESS(legato_tmm_params_init(&params));
    params.width = 3;
    params.model = LEGATO_TMM_MODEL_SU2;
    params.epsilon = 0.05;
    CHECK_SUCCESS(legato_tmm_create_given(context, &params, 2, first, second, change, &c, 1, &zero, &zero, &tmm));
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK(c.calls > 1000 && !c.wrong);
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, NULL, 3, x, NULL));
    CHECK(x[0] > 0 && x[0] < x[1] && x[1] < x[2]);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));

    /* The run is stopped by the callback, saved, and resumed. */
    CHECK_SUCCESS(legato_tmm_create_given(context, &params, 2, first, second, change, &stopped, 1, &zero, &zero, &tmm));
    REFUSED(legato_tmm_run(tmm, NULL, NULL), LEGATO_STATUS_CANCELLED,
            "tmm: stopped by the callback for slice 500 of point 0");
    CHECK_SUCCESS(legato_tmm_save(tmm, "tmm_client.h5"));
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
    REFUSED(legato_tmm_resume(context, "tmm_client.h5", &resumed), LEGATO_STATUS_BAD_FILE,
            "state file tmm_client.h5: the run has given slices");
    INVALID(legato_tmm_resume_given(context, "tmm_client.h5", NULL, NULL, &resumed), "tmm.callback: a null pointer");
    CHECK_SUCCESS(legato_tmm_resume_given(context, "tmm_client.h5", change, &c, &resumed));
    CHECK_SUCCESS(legato_tmm_run(resumed, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_result(resumed, 0, NULL, 3, y, NULL));
    CHECK(memcmp(x, y, sizeof x) == 0);
    CHECK_SUCCESS(legato_tmm_destroy(resumed));
    remove("tmm_client.h5");

    INVALID(legato_tmm_create_given(context, &params, -1, first, second, change, &c, 1, &zero, &zero, &tmm),
            "tmm.n_links: -1 is not in 0..1048576");
    INVALID(legato_tmm_create_given(context, &params, 2, first, bad, change, &c, 1, &zero, &zero, &tmm),
            "tmm.second[1]: 3 is not in 0..2");
    INVALID(legato_tmm_create_given(context, &params, 2, NULL, second, change, &c, 1, &zero, &zero, &tmm),
            "tmm.first: a null pointer");
    INVALID(legato_tmm_create_given(context, &params, 2, first, second, NULL, &c, 1, &zero, &zero, &tmm),
            "tmm.callback: a null pointer");
    params.dimension = 3;
    INVALID(legato_tmm_create_given(context, &params, 2, first, second, change, &c, 1, &zero, &zero, &tmm),
            "tmm.params.dimension: 3 is not 2");
}

static void run_in_all_its_parts(void) {
    const double energy[2] = {0.5, 1}, disorder[2] = {2, 3};
    watcher w;
    legato_tmm_params params, same;
    legato_tmm_point point, again;
    double x[4], y[4], e[4];
    int64_t points = 0, exponents = 0, finished = -1;
    int32_t backend = -1;
    const char* reason = NULL;
    legato_tmm *tmm = NULL, *other = NULL;
    memset(&w, 0, sizeof w);
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_INFO, note, &w));
    legato_tmm_params_init(&params);
    params.width = 4;
    params.seed = INT64_MIN;
    params.epsilon = 1e-5;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 2, energy, disorder, &tmm));
    CHECK(w.lines == 1 && strstr(w.line, "backend cpu") != NULL);
    CHECK_SUCCESS(legato_context_backend(context, &backend, &reason));
    CHECK(backend == LEGATO_BACKEND_CPU && strcmp(reason, "the CPU was asked for") == 0);
    CHECK_SUCCESS(legato_tmm_size(tmm, &points, &exponents));
    CHECK(points == 2 && exponents == 4);
    CHECK_SUCCESS(legato_tmm_size(tmm, NULL, NULL));
    legato_tmm_params_init(&same);
    CHECK_SUCCESS(legato_tmm_get_params(tmm, &same));
    CHECK(memcmp(&same, &params, sizeof same) == 0);

    point.struct_size = again.struct_size = sizeof point;
    CHECK_SUCCESS(legato_tmm_result(tmm, 1, &point, 4, x, e));
    CHECK(point.status == LEGATO_TMM_POINT_STATUS_WAITING && point.cycles == 0 && point.localisation_length == 0 &&
          x[3] == 0);
    CHECK(point.relative_error != point.relative_error && e[3] != e[3]); /* unknown, that is NaN */
    CHECK_SUCCESS(legato_tmm_advance(tmm, 7, &finished));
    CHECK_SUCCESS(legato_tmm_advance(tmm, 1, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 1, &point, 4, x, e));
    CHECK(finished == 0 && point.status == LEGATO_TMM_POINT_STATUS_RUNNING && point.cycles == 8 && point.energy == 1);

    w.tmm = tmm;
    w.stop_at = 3;
    REFUSED(legato_tmm_run(tmm, watch, &w), LEGATO_STATUS_CANCELLED, "tmm: stopped by the progress callback");
    CHECK(w.calls == 3 && w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done > 0);
    CHECK(w.last.struct_size == sizeof w.last && w.last.seconds > 0 && w.last.cycles_per_second > 0);
    CHECK_SUCCESS(legato_tmm_save(tmm, "tmm_client.h5"));
    CHECK_SUCCESS(legato_tmm_resume(context, "tmm_client.h5", &other));
    refused_files(tmm);
    refused_results(tmm);
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 4, NULL, NULL));
    const int64_t cycles = point.cycles;
    CHECK_SUCCESS(legato_tmm_advance(tmm, 40, NULL));
    CHECK_SUCCESS(legato_tmm_advance(other, 40, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 4, x, e));
    CHECK_SUCCESS(legato_tmm_result(other, 0, &again, 4, y, NULL));
    CHECK(memcmp(x, y, sizeof x) == 0 && memcmp(&point, &again, sizeof point) == 0 && point.cycles > cycles);
    CHECK(x[0] > 0 && x[0] < x[1] && fabs(point.localisation_length * x[0] - 1) < 1e-15 &&
          e[0] == point.relative_error);
    CHECK_SUCCESS(legato_tmm_destroy(other));
    remove("tmm_client.h5");

    /* Runs to the end in one call. The context is destroyed before its handle. */
    params.epsilon = 0.05;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 2, energy, disorder, &other));
    CHECK_SUCCESS(legato_context_destroy(context));
    CHECK_SUCCESS(legato_tmm_advance(other, INT64_MAX, &finished));
    CHECK(finished == 2);
    CHECK_SUCCESS(legato_tmm_run(other, watch, &w));
    CHECK_SUCCESS(legato_tmm_result(other, 1, &point, 4, x, e));
    CHECK(point.status == LEGATO_TMM_POINT_STATUS_CONVERGED && point.relative_error <= 0.05);
    CHECK(point.cycles >= 2 * params.burn_in);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
    CHECK_SUCCESS(legato_tmm_destroy(other));
    context = NULL;
}

int main(void) {
    CHECK(strcmp(legato_status_text(LEGATO_STATUS_BAD_FILE), "unusable file") == 0);
    for (int32_t status = 0; status <= LEGATO_STATUS_PRECISION_LOST; ++status)
        CHECK(strcmp(legato_status_text(status), "unknown status") != 0);
    CHECK(strcmp(legato_status_text(-1), "unknown status") == 0);
    CHECK(strcmp(legato_status_text(INT32_MAX), "unknown status") == 0);
    CHECK(strchr(legato_version(), '.') != NULL && legato_version_number() >= 100);
    refused_contexts();
    refused_without_context();
    CHECK((context = cpu_context(2)) != NULL);
    CHECK(strcmp(legato_context_message(context), "") == 0);
    refused_in_a_context();
    refused_params();
    rules();
    clean_site();
    refused_points();
    refused_steps();
    propagations();
    given_slices();
    run_in_all_its_parts();
    return verdict("tmm_client");
}
