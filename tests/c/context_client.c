/* What every call promises, whatever the method: messages, callbacks, values without a finite number. */
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
    WORKS(legato_context_set_logger(context, LEGATO_LOG_SILENT, NULL, NULL));
    HOLDS(strcmp(legato_context_message(context), "") == 0);
    WORKS(legato_context_device_count(context, &devices));
    HOLDS(devices >= 0);
}

/* Any number but 0 stops a run, a negative one too. */
static void negative_answers(void) {
    const double energy = 0.5, disorder = 2;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    int calls = 0;
    legato_tmm_params_init(&params);
    params.width = 4;
    params.epsilon = 1e-6;
    WORKS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    REFUSED(legato_tmm_run(tmm, stop_by_minus_one, &calls), LEGATO_CANCELLED, "tmm: stopped by the progress callback");
    HOLDS(calls == 1);
    WORKS(legato_tmm_destroy(tmm));
}

/* At the centre of the band of a clean chain a vector only turns: its exponent is 0, and its length has no end. */
static void infinite_lengths(void) {
    const double energy = 0, disorder = 0;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    legato_tmm_point point;
    double exponent = 1;
    legato_tmm_params_init(&params);
    params.dimension = 1;
    params.boundary = LEGATO_TMM_HARD_WALL;
    params.max_multiplications = 1000;
    point.struct_size = sizeof point;
    WORKS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    WORKS(legato_tmm_run(tmm, NULL, NULL));
    WORKS(legato_tmm_result(tmm, 0, &point, 1, &exponent, NULL));
    HOLDS(point.status == LEGATO_TMM_NOT_CONVERGED && fabs(exponent) < 1e-15);
    HOLDS(exponent == 0 ? isinf(point.localisation_length) && point.localisation_length > 0
                        : point.localisation_length == 1 / exponent);
    HOLDS(fabs(point.localisation_length) > 1e15);
    WORKS(legato_tmm_destroy(tmm));
}

int main(void) {
    HOLDS((context = cpu_context(1)) != NULL);
    messages();
    negative_answers();
    infinite_lengths();
    WORKS(legato_context_destroy(context));
    context = NULL;
    return verdict("context_client");
}
