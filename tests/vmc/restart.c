/* restart KIND STATE RESULT: writes energies and their errors of twelve chains, on a tilted cluster (KIND tilted) or
 * on a rectangular one with correlations (rectangular), to RESULT. Saves to STATE whenever progress is reported, and
 * resumes from STATE if it exists. */
#include "restart.h"

typedef struct target {
    legato_vmc* vmc;
    const char* path;
} target;

static int save(void* user, const legato_progress* progress) {
    const target* const to = user;
    (void)progress;
    require(legato_vmc_save(to->vmc, to->path));
    return 0;
}

static legato_vmc* begun(int is_tilted) {
    legato_vmc* vmc = NULL;
    legato_vmc_params params;
    require(legato_vmc_params_init(&params));
    params.chains = 12;
    params.thermalisation = 150;
    params.bins = 120;
    params.sweeps_per_bin = 130;
    params.length = 5;
    params.electrons = 24;
    if (!is_tilted) {
        params.cluster = LEGATO_VMC_CLUSTER_RECTANGULAR;
        params.extents[0] = 6;
        params.extents[1] = 4;
        params.boundary[0] = LEGATO_VMC_BOUNDARY_ANTIPERIODIC;
        params.electrons = 20;
        params.mu = -0.4;
        params.correlations = 1;
    }
    require(legato_vmc_create(context, &params, &vmc));
    return vmc;
}

static void write_result(legato_vmc* vmc, const char* path) {
    legato_vmc_averages a;
    memset(&a, 0, sizeof a);
    a.struct_size = sizeof a;
    require(legato_vmc_result(vmc, &a));
    write_numbers(path, &a, sizeof a);
}

int main(int argc, char** argv) {
    if (argc != 4) return EXIT_FAILURE;
    require(legato_context_create(NULL, &context));
    target to = {NULL, argv[2]};
    if (there(argv[2]))
        require(legato_vmc_resume(context, argv[2], &to.vmc));
    else
        to.vmc = begun(strcmp(argv[1], "tilted") == 0);
    legato_vmc_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    require(legato_vmc_get_state(to.vmc, &state));
    tell_start(state.sweeps_done);
    require(legato_vmc_run(to.vmc, save, &to));
    write_result(to.vmc, argv[3]);
    require(legato_vmc_destroy(to.vmc));
    require(legato_context_destroy(context));
    return EXIT_SUCCESS;
}
