/* Tests every argument of variational Monte Carlo that must be refused, when a run is created and when it is
 * queried, in C99 and in C++. */
#include "vmc_runs.h"

static void refused_params(void) {
#define AT(member) offsetof(legato_vmc_params, member)
    static const bad_member bad[] = {
        {AT(struct_size), 'l', 8, "vmc.params.struct_size: 8 is not in "},
        {AT(length), 'i', 6, "vmc.params.length: 6 is even"},
        {AT(electrons), 'i', 27, "vmc.params.electrons: 27 is not in 2..26"},
        {AT(electrons), 'i', 28, "vmc.params.electrons: 28 is not in 2..26"},
        {AT(electrons), 'i', 23, "vmc.params.electrons: 23 is odd"},
        {AT(mu), 'd', -4, "vmc.params.mu: -4 makes xi_k and Delta_k zero"},
        {AT(sweeps_per_bin), 'l', 1099511627776.0, "vmc.params.sweeps_per_bin: 1099511627776 is not in 1.."},
    };
#undef AT
    legato_vmc* vmc = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_vmc_params params = tilted(5, 24);
        set_member(&params, &bad[i]);
        INVALID(legato_vmc_create(context, &params, &vmc), bad[i].message);
        CHECK(vmc == NULL);
    }
    legato_vmc_params params = tilted(3, 8);
    params.least_reciprocal_condition = 1;
    params.start_attempts = 5;
    REFUSED(legato_vmc_create(context, &params, &vmc), LEGATO_STATUS_NUMERICAL_ERROR,
            "vmc.params.start_attempts: none of 5 configurations of chain ");
    params = tilted(63, 3970);
    params.chains = 1048576;
    REFUSED(legato_vmc_create(context, &params, &vmc), LEGATO_STATUS_OUT_OF_MEMORY,
            "vmc.params.chains: 1048576 chains need ");
    params = tilted(5, 24);
    params.delta = 0;
    params.gradients = 1;
    INVALID(legato_vmc_create(context, &params, &vmc), "vmc.params.gradients: 1 needs a pair function of parameters");
    params.gradients = 0;
    params.electrons = 2; /* open shell: more infinite amplitudes than pairs */
    params.delta = 0;
    params.mu = 1;
    INVALID(legato_vmc_create(context, &params, &vmc), "vmc.params.electrons: 2 are 1 pairs, but ");
    INVALID(legato_vmc_create(context, NULL, NULL), "vmc: a null pointer");
    CHECK(legato_vmc_create(NULL, NULL, &vmc) == LEGATO_STATUS_INVALID_ARGUMENT && vmc == NULL);
}

static void refused_results(void) {
    const legato_vmc_params params = tilted(3, 8);
    legato_vmc* const vmc = run_of(&params);
    legato_vmc_state state;
    legato_vmc_averages averages;
    state.struct_size = sizeof state - 1;
    averages.struct_size = 0;
    INVALID(legato_vmc_get_state(vmc, &state), "vmc.state.struct_size: ");
    INVALID(legato_vmc_result(vmc, &averages), "vmc.averages.struct_size: 0 is not in ");
    INVALID(legato_vmc_get_state(vmc, NULL), "vmc.state: a null pointer");
    INVALID(legato_vmc_result(vmc, NULL), "vmc.averages: a null pointer");
    INVALID(legato_vmc_get_params(vmc, NULL), "vmc.params: a null pointer");
    CHECK_SUCCESS(legato_vmc_destroy(vmc));
    CHECK_SUCCESS(legato_vmc_destroy(NULL));
    CHECK(legato_vmc_run(NULL, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_vmc_result(NULL, &averages) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_vmc_params_init_sized(NULL, sizeof params) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_vmc_optimiser_params_init_sized(NULL, 64) == LEGATO_STATUS_INVALID_ARGUMENT);
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    refused_params();
    refused_results();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("vmc_refusals_client");
}
