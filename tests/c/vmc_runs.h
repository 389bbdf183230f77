/* Runs that the tests of the C interface of variational Monte Carlo share. */
#ifndef LEGATO_TESTS_C_VMC_RUNS_H
#define LEGATO_TESTS_C_VMC_RUNS_H

#include "checking.h"

static inline legato_vmc_params defaults(void) {
    legato_vmc_params params;
    memset(&params, 0xa5, sizeof params);
    CHECK_SUCCESS(legato_vmc_params_init(&params));
    return params;
}

/* Returns the parameters of a short run on the tilted cluster of length^2 + 1 sites. */
static inline legato_vmc_params tilted(int length, int electrons) {
    legato_vmc_params params = defaults();
    params.length = length;
    params.electrons = electrons;
    params.chains = 4;
    params.thermalisation = 50;
    params.bins = 10;
    params.sweeps_per_bin = 50;
    return params;
}

static inline legato_vmc* run_of(const legato_vmc_params* params) {
    legato_vmc* vmc = NULL;
    CHECK_SUCCESS(legato_vmc_create(context, params, &vmc));
    CHECK_SUCCESS(legato_vmc_run(vmc, NULL, NULL));
    return vmc;
}

static inline legato_vmc_state state_of(legato_vmc* vmc) {
    legato_vmc_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_vmc_get_state(vmc, &state));
    return state;
}

static inline legato_vmc_averages averages_of(legato_vmc* vmc) {
    legato_vmc_averages averages;
    memset(&averages, 0, sizeof averages);
    averages.struct_size = sizeof averages;
    CHECK_SUCCESS(legato_vmc_result(vmc, &averages));
    return averages;
}

static inline legato_vmc_optimiser_params few_steps(int steps) {
    legato_vmc_optimiser_params params;
    memset(&params, 0xa5, sizeof params);
    CHECK_SUCCESS(legato_vmc_optimiser_params_init(&params));
    params.steps = steps;
    return params;
}

#endif
