/* The 1D chain at E = 1, W = 1: localisation length about 72 (24 (4 - E^2) / W^2). */
#include <legato/legato.h>
#include <stdio.h>

int main(void) {
    const double energy = 1.0, disorder = 1.0;
    legato_context* context = NULL;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    legato_tmm_point point = {.struct_size = sizeof point};

    legato_tmm_params_init(&params);
    params.dimension = 1;
    params.boundary = LEGATO_TMM_HARD_WALL;
    params.epsilon = 0.02;
    int32_t status = legato_context_create(NULL, &context);
    if (!status) status = legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm);
    if (!status) status = legato_tmm_run(tmm, NULL, NULL);
    if (!status) status = legato_tmm_result(tmm, 0, &point, 0, NULL, NULL);
    if (status) fprintf(stderr, "%s\n", legato_context_message(context));
    printf("Legato %s: localisation length %.2f\n", legato_version(), point.localisation_length);
    legato_tmm_destroy(tmm);
    legato_context_destroy(context);
    return status != 0 || point.localisation_length < 65 || point.localisation_length > 80;
}
