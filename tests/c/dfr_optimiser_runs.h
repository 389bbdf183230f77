/* Optimisations that the tests of the C interface share. */
#ifndef LEGATO_TESTS_C_DFR_OPTIMISER_RUNS_H
#define LEGATO_TESTS_C_DFR_OPTIMISER_RUNS_H

#include "checking.h"

static const double start[4] = {0.1, 2.0, 4.5, 1.5};

static inline legato_dfr_optimiser_params coarse(int64_t max_energies) {
    legato_dfr_optimiser_params params;
    CHECK_SUCCESS(legato_dfr_optimiser_params_init(&params));
    params.max_energies = max_energies;
    params.last_step = 1e-2;
    return params;
}

static inline legato_dfr_optimiser* new_list(int64_t max_energies) {
    const legato_dfr_optimiser_params params = coarse(max_energies);
    legato_dfr_optimiser* optimiser = NULL;
    CHECK_SUCCESS(legato_dfr_optimiser_create(context, NULL, &params, &optimiser));
    return optimiser;
}

static inline legato_dfr_nucleus nucleus_of(int32_t element) {
    legato_dfr_nucleus nucleus;
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, element, LEGATO_DFR_NUCLEAR_MODEL_POINT, &nucleus));
    return nucleus;
}

static inline int32_t add_helium(legato_dfr_optimiser* optimiser, int32_t functions, double limit) {
    const legato_dfr_nucleus nucleus = nucleus_of(2);
    const int32_t one = 1;
    const double none = 0;
    return legato_dfr_optimiser_add(optimiser, &nucleus, 1, &functions, &one, NULL, 1, start, &one, &none, NULL, limit,
                                    NULL);
}

static inline legato_dfr_optimisation result(legato_dfr_optimiser* optimiser, int64_t index) {
    legato_dfr_optimisation optimisation;
    memset(&optimisation, 0xa5, sizeof optimisation);
    optimisation.struct_size = sizeof optimisation;
    CHECK_SUCCESS(legato_dfr_optimiser_result(optimiser, index, &optimisation));
    CHECK(optimisation.reserved == 0);
    return optimisation;
}

#endif
