/* Tests what every call guarantees, for all methods: messages, callbacks, and values that are not finite. */
#include "checking.h"

static int stop_by_minus_one(void* user, const legato_progress* progress) {
    (void)progress;
    ++*(int*)user;
    return -1;
}

/* A message belongs to the last call only. */
static void messages(void) {
    int32_t devices = -1;
    INVALID(legato_context_device_count(context, NULL), "context.count: a null pointer is not allowed");
    INVALID(legato_context_set_logger(context, 5, NULL, NULL), "context.logger.level: 5 is not in 0..4");
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_SILENT, NULL, NULL));
    CHECK(strcmp(legato_context_message(context), "") == 0);
    CHECK_SUCCESS(legato_context_device_count(context, &devices));
    CHECK(devices >= 0);

    /* A library on top of this one reports its own errors. */
    CHECK(legato_context_report(context, LEGATO_STATUS_IO_ERROR, "the tape is full") == LEGATO_STATUS_IO_ERROR);
    CHECK(strcmp(legato_context_message(context), "the tape is full") == 0);
    CHECK(legato_context_report(context, LEGATO_STATUS_SUCCESS, "no") == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(legato_context_message(context), "context.report.failure") != NULL);
    CHECK(legato_context_report(context, LEGATO_STATUS_COMMUNICATION_ERROR + 1, "no") ==
          LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_context_report(context, LEGATO_STATUS_IO_ERROR, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_context_report(NULL, LEGATO_STATUS_IO_ERROR, "no") == LEGATO_STATUS_INVALID_ARGUMENT);
}

/* Lines that a logger has received. */
typedef struct heard {
    int lines[5]; /* number of lines of each level */
    char error[256];
} heard;

static void listen(void* user, int32_t level, const char* line) {
    heard* h = (heard*)user;
    CHECK(level > LEGATO_LOG_LEVEL_SILENT && level <= LEGATO_LOG_LEVEL_DEBUG);
    ++h->lines[level];
    if (level != LEGATO_LOG_LEVEL_ERROR) return;
    strncpy(h->error, line, sizeof h->error - 1);
    legato_context_set_logger(context, 0, NULL, NULL); /* clears the message and drops the logger being called */
}

static heard lines_at(int32_t level) {
    const double energy = 0.5, disorder = 2;
    heard h;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    memset(&h, 0, sizeof h);
    legato_tmm_params_init(&params);
    CHECK_SUCCESS(legato_context_set_logger(context, level, listen, &h));
    CHECK_SUCCESS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
    INVALID(legato_context_set_logger(context, 7, NULL, NULL), "context.logger.level: 7 is not in 0..4");
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_SILENT, NULL, NULL));
    return h;
}

/* Each level includes the lines of the levels below it, and adds others. */
static void levels(void) {
    const heard silent = lines_at(LEGATO_LOG_LEVEL_SILENT), error = lines_at(LEGATO_LOG_LEVEL_ERROR);
    const heard info = lines_at(LEGATO_LOG_LEVEL_INFO), debug = lines_at(LEGATO_LOG_LEVEL_DEBUG);
    CHECK(silent.lines[LEGATO_LOG_LEVEL_ERROR] == 0);
    CHECK(error.lines[LEGATO_LOG_LEVEL_ERROR] == 1 && error.lines[LEGATO_LOG_LEVEL_INFO] == 0);
    CHECK(strncmp(error.error, "context.logger.level: 7", 23) == 0);
    CHECK(info.lines[LEGATO_LOG_LEVEL_ERROR] == 1 && info.lines[LEGATO_LOG_LEVEL_INFO] > 0 &&
          info.lines[LEGATO_LOG_LEVEL_DEBUG] == 0);
    CHECK(debug.lines[LEGATO_LOG_LEVEL_ERROR] == 1 && debug.lines[LEGATO_LOG_LEVEL_DEBUG] > 0);
}

/* Any value except 0 stops a run, including negative ones. */
static void negative_answers(void) {
    const double energy = 0.5, disorder = 2;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    int calls = 0;
    legato_tmm_params_init(&params);
    params.width = 4;
    params.epsilon = 1e-6;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    REFUSED(legato_tmm_run(tmm, stop_by_minus_one, &calls), LEGATO_STATUS_CANCELLED,
            "tmm: stopped by the progress callback");
    CHECK(calls == 1);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
}

/* A vector only rotates at the centre of the band of a clean chain. Its exponent is 0, and its localisation length
 * is infinite. */
static void infinite_lengths(void) {
    const double energy = 0, disorder = 0;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    legato_tmm_point point;
    double exponent = 1;
    legato_tmm_params_init(&params);
    params.dimension = 1;
    params.boundary = LEGATO_TMM_BOUNDARY_HARD_WALL;
    params.max_multiplications = 1000;
    point.struct_size = sizeof point;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 1, &exponent, NULL));
    CHECK(point.status == LEGATO_TMM_POINT_STATUS_NOT_CONVERGED && fabs(exponent) < 1e-15);
    CHECK(exponent == 0 ? isinf(point.localisation_length) && point.localisation_length > 0
                        : point.localisation_length == 1 / exponent);
    CHECK(fabs(point.localisation_length) > 1e15);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
}

int main(void) {
    CHECK((context = cpu_context(1)) != NULL);
    messages();
    levels();
    negative_answers();
    infinite_lengths();
    CHECK_SUCCESS(legato_context_destroy(context));
    context = NULL;
    return verdict("context_client");
}
