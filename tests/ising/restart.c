/* restart KIND STATE RESULT: averages at two temperatures by Metropolis' algorithm (KIND metropolis), or by demons
 * (demons), and the last spins, to RESULT. Saves to STATE whenever progress is reported, and goes on from it if it is
 * there. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { extent = 96, sites = extent * extent };

static legato_context* context;

typedef struct target {
    legato_ising* ising;
    const char* path;
} target;

static void require(int32_t status) {
    if (status == LEGATO_SUCCESS) return;
    fprintf(stderr, "restart: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

static int save(void* user, const legato_progress* progress) {
    const target* const to = (const target*)user;
    (void)progress;
    require(legato_ising_save(to->ising, to->path));
    return 0;
}

static legato_ising* begun(int demons) {
    const double betas[] = {0.42, 0.45};
    legato_ising* ising = NULL;
    legato_ising_params params;
    require(legato_ising_params_init(&params));
    params.extents[0] = params.extents[1] = extent;
    params.boundary[1] = LEGATO_ISING_ANTIPERIODIC;
    params.start = LEGATO_ISING_START_RANDOM;
    params.time_series = 1;
    if (demons) {
        params.algorithm = LEGATO_ISING_DEMON_BINOMIAL;
        params.replicas = 32;
        params.measurements_per_bin = 50;
    } else {
        params.acceptance = 1;
        params.correlations = 1;
        params.sweeps_per_measurement = 20;
        params.measurements_per_bin = 20;
    }
    require(legato_ising_create(context, &params, betas, 2, NULL, 0, &ising));
    return ising;
}

static int there(const char* path) {
    FILE* const file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static void write_result(legato_ising* ising, const char* path) {
    static int8_t spins[2][sites];
    legato_ising_averages a[2];
    memset(a, 0, sizeof a);
    for (int beta = 0; beta < 2; ++beta) {
        a[beta].struct_size = sizeof a[beta];
        require(legato_ising_result(ising, beta, &a[beta]));
        require(legato_ising_spins(ising, beta, spins[beta], sites));
    }
    FILE* const file = fopen(path, "wb");
    if (file && fwrite(a, sizeof a, 1, file) == 1 && fwrite(spins, sizeof spins, 1, file) == 1 && fclose(file) == 0)
        return;
    fprintf(stderr, "restart: %s cannot be written\n", path);
    exit(EXIT_FAILURE);
}

int main(int argc, char** argv) {
    if (argc != 4) return EXIT_FAILURE;
    require(legato_context_create(NULL, &context));
    target to = {NULL, argv[2]};
    if (there(argv[2]))
        require(legato_ising_resume(context, argv[2], &to.ising));
    else
        to.ising = begun(strcmp(argv[1], "demons") == 0);
    legato_ising_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    require(legato_ising_get_state(to.ising, &state));
    printf("begins with %lld sweeps\n", (long long)state.sweeps_done);
    fflush(stdout);
    require(legato_ising_run(to.ising, save, &to));
    write_result(to.ising, argv[3]);
    require(legato_ising_destroy(to.ising));
    require(legato_context_destroy(context));
    return EXIT_SUCCESS;
}
