/* Tests what the C interface of the Ising model refuses, and with which messages: parameters, lists, results, files. */
#include "ising_runs.h"

/* Refresh intervals that never draw the demons are refused. The longest ones that draw them once are accepted. */
static void refused_draws(void) {
    static const struct {
        int32_t algorithm;
        int64_t thermalisation, interval;
        const char* message;
    } bad[] = {
        {LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL, 500, 501,
         "ising.params.refresh_interval: 501 is not in 1..500 with microcanonical demons and thermalisation = 500"},
        {LEGATO_ISING_ALGORITHM_DEMON_NAIVE, 500, 16501,
         "ising.params.refresh_interval: 16501 is not in 1..16500 with 16500 sweeps in all"},
        {LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, 0, INT64_C(1) << 40,
         "ising.params.refresh_interval: 1099511627776 is not in 1..16000 with 16000 sweeps in all"},
    };
    legato_ising* ising = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_ising_params params = small_square();
        params.algorithm = bad[i].algorithm;
        params.thermalisation = bad[i].thermalisation;
        params.refresh_interval = bad[i].interval;
        INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising), bad[i].message);
        CHECK(ising == NULL);
        params.thermalisation = 500;
        params.refresh_interval = params.algorithm == LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL ? 500 : 16500;
        CHECK_SUCCESS(legato_ising_destroy(made(&params, NULL, 0)));
        params.algorithm = LEGATO_ISING_ALGORITHM_METROPOLIS;
        params.refresh_interval = INT64_C(1) << 40;
        CHECK_SUCCESS(legato_ising_destroy(made(&params, NULL, 0)));
    }
}

static void refused_params(void) {
#define AT(member) offsetof(legato_ising_params, member)
    static const bad_member bad[] = {
        {AT(struct_size), 'l', 8, "ising.params.struct_size: 8 is not in "},
        {AT(dimension), 'i', 3, "ising.params.extents[2]: 1 is not in 2..1048576"},
        {AT(extents), 'l', 0, "ising.params.extents[0]: 0 is not in 2..1048576"},
        {AT(extents), 'l', 5, "ising.params.extents[0]: 5 is odd"},
        {AT(extents) + 8, 'l', 7, "ising.params.extents[1]: 7 is odd"},
        {AT(extents) + 16, 'l', 2, "ising.params.extents[2]: 2 is not in 1..1 in two dimensions"},
        {AT(boundary) + 8, 'i', 1, "ising.params.boundary[2]: 1 is not in 0..0 in two dimensions"},
        {AT(replicas), 'i', 1048576,
         "ising.params.replicas: 1048576 is not in 1..524288 with n_betas = 2 and n_seeds = 1"},
        {AT(sweeps_per_measurement), 'l', 1e18,
         "ising.params.sweeps_per_measurement: 1000000000000000000 is not in 1..68719476 with 16000 measurements: "},
        {AT(sweeps_per_measurement), 'l', 68719477,
         "ising.params.sweeps_per_measurement: 68719477 is not in 1..68719476"},
        {AT(measurements_per_bin), 'l', 1e19,
         "ising.params.measurements_per_bin: 9223372036854775807 is not in 1..34359738368 with bins = 32: "},
        {AT(measurements_per_bin), 'l', 34359738369,
         "ising.params.measurements_per_bin: 34359738369 is not in 1..34359738368 with bins = 32: "},
    };
#undef AT
    const double betas[] = {0.3, 0.4};
    legato_ising* ising = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_ising_params params = small_square();
        set_member(&params, &bad[i]);
        INVALID(legato_ising_create(context, &params, 2, betas, 0, NULL, &ising), bad[i].message);
        CHECK(ising == NULL);
    }
    legato_ising_params params = small_square();
    params.extents[0] = params.extents[1] = 1 << 19;
    INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising),
            "ising.params.extents: 274877906944 sites are more than 137438953472");
    params.dimension = 3;
    params.extents[0] = 4;
    params.extents[1] = 1 << 20;
    params.extents[2] = 1 << 15;
    INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising),
            "ising.params.extents: rows of 4 sites take 34359738368 words of a colour, more than 2147483648");
    params = small_square();
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_NAIVE;
    params.field = 0.5;
    INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising), "ising.params.field: 0.5 is not 0");
    params.field = 0;
    params.acceptance = 1;
    INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising),
            "ising.params.acceptance: 1 is not in 0..0 with demons");
    params.algorithm = LEGATO_ISING_ALGORITHM_WOLFF;
    INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising),
            "ising.params.acceptance: 1 is not in 0..0 with clusters");
    params.acceptance = 0;
    params.extents[0] = params.extents[1] = 46400;
    INVALID(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising),
            "ising.params.extents: L2 L3 ceil(L1 / 64) = 33640000 is not in 1..33554431 with clusters");
    refused_draws();
    params = small_square();
    params.extents[0] = params.extents[1] = 1 << 18;
    params.replicas = 1 << 20;
    /* The need is 2^53 bytes of spins, twice 1660944384 of sums, 2^26 of measurements and 2^28 of pieces. */
    REFUSED(legato_ising_create(context, &params, 0, NULL, 0, NULL, &ising), LEGATO_STATUS_OUT_OF_MEMORY,
            "ising.params.extents: lattices and measurements need 9007202912174080 bytes, but ");
    CHECK(ising == NULL);
}

static void refused_lists(void) {
    const int64_t seeds[] = {1, 2};
    const double bad[] = {0, 1001, -2000, (double)NAN, (double)INFINITY};
    const char* const message[] = {"ising.betas[1]: 0 is not in [-1000, 0) or (0, 1000]",
                                   "ising.betas[1]: 1001 is not in [-1000, 1000]", "ising.betas[1]: -2000 is not in",
                                   "ising.betas[1]: ", "ising.betas[1]: inf is not in"};
    legato_ising_params params = small_square();
    legato_ising* ising = NULL;
    for (int i = 0; i < 5; ++i) {
        const double betas[] = {0.3, bad[i]};
        INVALID(legato_ising_create(context, &params, 2, betas, 0, NULL, &ising), message[i]);
    }
    const double betas[] = {0.3, -0.3};
    INVALID(legato_ising_create(context, &params, 2, NULL, 0, NULL, &ising), "ising.betas: a null pointer");
    INVALID(legato_ising_create(context, &params, -1, betas, 0, NULL, &ising), "ising.n_betas: -1 is not in 0..");
    INVALID(legato_ising_create(context, &params, 1 << 21, betas, 0, NULL, &ising), "ising.n_betas: 2097152 is not");
    INVALID(legato_ising_create(context, &params, 2, betas, 1, NULL, &ising), "ising.seeds: a null pointer");
    INVALID(legato_ising_create(context, &params, 2, betas, INT64_MIN, seeds, &ising), "ising.n_seeds: -922337203");
    INVALID(legato_ising_create(context, &params, 2, betas, 2, seeds, NULL), "ising: a null pointer");
    CHECK(legato_ising_create(NULL, &params, 2, betas, 2, seeds, &ising) == LEGATO_STATUS_INVALID_ARGUMENT &&
          ising == NULL);
    params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL;
    INVALID(legato_ising_create(context, &params, 2, betas, 0, NULL, &ising),
            "ising.betas[1]: -0.3 is not in (0, 1000] with demons");
    double many_betas[1025];
    int64_t many_seeds[1025];
    for (int i = 0; i < 1025; ++i) {
        many_betas[i] = 1;
        many_seeds[i] = i;
    }
    INVALID(legato_ising_create(context, &params, 1025, many_betas, 1025, many_seeds, &ising),
            "ising.n_seeds: 1025 is not in 1..1023 with n_betas = 1025: there are at most 1048576 systems");
}

static void refused_results(void) {
    const double beta = 0.3;
    double x[2];
    int64_t seeds[2];
    legato_ising* const ising = made(NULL, &beta, 1);
    legato_ising_params params;
    legato_ising_state state;
    legato_ising_averages averages;
    averages.struct_size = sizeof averages;
    INVALID(legato_ising_result(ising, 0, &averages), "ising.result: no bin is finished yet");
    INVALID(legato_ising_result(ising, 1, &averages), "ising.beta: 1 is not in 0..0");
    INVALID(legato_ising_result(ising, 0, NULL), "ising.averages: a null pointer");
    averages.struct_size = sizeof averages - 1;
    INVALID(legato_ising_result(ising, 0, &averages), "ising.averages.struct_size: ");
    state.struct_size = 0;
    INVALID(legato_ising_get_state(ising, &state), "ising.state.struct_size: 0 is not in ");
    INVALID(legato_ising_get_state(ising, NULL), "ising.state: a null pointer");
    params.struct_size = 5000;
    INVALID(legato_ising_get_params(ising, &params), "ising.params.struct_size: 5000 is not in ");
    INVALID(legato_ising_get_params(ising, NULL), "ising.params: a null pointer");
    INVALID(legato_ising_get_betas(ising, 2, x), "ising.n_betas: 2 is not in 1..1");
    INVALID(legato_ising_get_betas(ising, 1, NULL), "ising.betas: a null pointer");
    INVALID(legato_ising_get_seeds(ising, 0, seeds), "ising.n_seeds: 0 is not in 1..1");
    INVALID(legato_ising_get_seeds(ising, 1, NULL), "ising.seeds: a null pointer");
    INVALID(legato_ising_advance(ising, 0, NULL), "ising.advance.bins: 0 is not in 1..");
    INVALID(legato_ising_advance(ising, -3, NULL), "ising.advance.bins: -3 is not in 1..");
    INVALID(legato_ising_time_series(ising, 0, 0, x, x), "ising.params.time_series: 0; the run");
    int8_t spins[4096];
    memset(spins, 1, sizeof spins);
    INVALID(legato_ising_set_spins(ising, 1, 4096, spins), "ising.system: 1 is not in 0..0");
    INVALID(legato_ising_set_spins(ising, 0, 4095, spins), "ising.n_sites: 4095 is not in 4096..4096");
    INVALID(legato_ising_set_spins(ising, 0, 4096, NULL), "ising.spins: a null pointer");
    spins[7] = 0;
    INVALID(legato_ising_set_spins(ising, 0, 4096, spins), "ising.spins[7]: 0 is not 1 or -1");
    CHECK_SUCCESS(legato_ising_destroy(ising));
    CHECK_SUCCESS(legato_ising_destroy(NULL));
    CHECK(legato_ising_run(NULL, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_ising_spins(NULL, 0, 4096, spins) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_ising_params_init_sized(NULL, sizeof params) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_ising_params_init_sized(&params, 12) == LEGATO_STATUS_INVALID_ARGUMENT);
}

static void refused_files(void) {
    static const char file[] = "ising_refusals_client.h5";
    legato_ising *const ising = made(NULL, NULL, 0), *resumed = NULL;
    legato_vmc* vmc = NULL;
    INVALID(legato_ising_save(ising, NULL), "ising.save.path: a null pointer");
    INVALID(legato_ising_save(ising, ""), "ising.save.path: the path is empty");
    REFUSED(legato_ising_save(ising, "no_such_folder/ising.h5"), LEGATO_STATUS_IO_ERROR, "state file ");
    CHECK_SUCCESS(legato_ising_save(ising, file));
    INVALID(legato_ising_resume(context, NULL, &resumed), "ising.resume.path: a null pointer");
    INVALID(legato_ising_resume(context, "", &resumed), "ising.resume.path: the path is empty");
    INVALID(legato_ising_resume(context, file, NULL), "ising: a null pointer");
    REFUSED(legato_ising_resume(context, "no_such_file.h5", &resumed), LEGATO_STATUS_IO_ERROR, "state file ");
    REFUSED(legato_vmc_resume(context, file, &vmc), LEGATO_STATUS_BAD_FILE, "state file ");
    CHECK(resumed == NULL && vmc == NULL);
    FILE* const stream = fopen(file, "wb");
    CHECK(stream && fputs("nothing of ours", stream) > 0 && fclose(stream) == 0);
    REFUSED(legato_ising_resume(context, file, &resumed), LEGATO_STATUS_BAD_FILE, "state file ");
    remove(file);
    CHECK_SUCCESS(legato_ising_destroy(ising));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    refused_files();
    refused_params();
    refused_lists();
    refused_results();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("ising_refusals_client");
}
