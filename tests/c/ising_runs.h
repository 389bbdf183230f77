/* Runs that the tests of the C interface of the Ising model share. */
#ifndef LEGATO_TESTS_C_ISING_RUNS_H
#define LEGATO_TESTS_C_ISING_RUNS_H

#include "checking.h"

static inline legato_ising_params defaults(void) {
    legato_ising_params params;
    memset(&params, 0xa5, sizeof params);
    CHECK_SUCCESS(legato_ising_params_init(&params));
    return params;
}

/* Returns the parameters of a short run on a square lattice of four by four. */
static inline legato_ising_params small_square(void) {
    legato_ising_params params = defaults();
    params.extents[0] = params.extents[1] = 4;
    params.thermalisation = 500;
    params.measurements_per_bin = 500;
    return params;
}

static inline legato_ising* made(const legato_ising_params* params, const double* betas, int64_t length) {
    legato_ising* ising = NULL;
    CHECK_SUCCESS(legato_ising_create(context, params, length, betas, 0, NULL, &ising));
    return ising;
}

static inline legato_ising* run_of(const legato_ising_params* params, const double* betas, int64_t length) {
    legato_ising* const ising = made(params, betas, length);
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    return ising;
}

static inline legato_ising_state state_of(legato_ising* ising) {
    legato_ising_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_ising_get_state(ising, &state));
    return state;
}

static inline legato_ising_averages averages_of(legato_ising* ising, int64_t beta) {
    legato_ising_averages averages;
    memset(&averages, 0, sizeof averages);
    averages.struct_size = sizeof averages;
    CHECK_SUCCESS(legato_ising_result(ising, beta, &averages));
    return averages;
}

#endif
