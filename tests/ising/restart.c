/* restart KIND STATE RESULT: writes averages at two temperatures by Metropolis' algorithm (KIND metropolis), by
 * demons (demons) or by clusters (clusters, clusters_on_device), and the last spins, to RESULT. Saves to STATE after
 * every bin, and resumes from STATE if it exists. */
#include "restart.h"

enum { most_sites = 160 * 160 };

static legato_ising* begun(const char* kind) {
    const double betas[] = {0.42, 0.45};
    legato_ising* ising = NULL;
    legato_ising_params params;
    require(legato_ising_params_init(&params));
    params.boundary[1] = LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    params.start = LEGATO_ISING_START_RANDOM;
    params.replicas = 32;
    params.time_series = 1;
    params.thermalisation = 10; /* so that the first save comes soon */
    params.bins = 100;
    params.measurements_per_bin = 1;
    if (strcmp(kind, "demons") == 0) {
        params.extents[0] = params.extents[1] = 160;
        params.algorithm = LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL;
        params.measurements_per_bin = 5;
    } else if (strcmp(kind, "clusters") == 0 || strcmp(kind, "clusters_on_device") == 0) {
        params.algorithm = LEGATO_ISING_ALGORITHM_SWENDSEN_WANG;
        params.field = 0.01;
        params.correlations = strcmp(kind, "clusters") == 0; /* devices do not have them */
        params.measurements_per_bin = 3;
    } else {
        params.acceptance = 1;
        params.correlations = 1;
        params.sweeps_per_measurement = 5;
    }
    require(legato_ising_create(context, &params, 2, betas, 0, NULL, &ising));
    return ising;
}

static void write_result(legato_ising* ising, int64_t sites, const char* path) {
    static struct {
        legato_ising_averages averages[2];
        int8_t spins[2][most_sites];
    } result;
    for (int beta = 0; beta < 2; ++beta) {
        result.averages[beta].struct_size = sizeof result.averages[beta];
        require(legato_ising_result(ising, beta, &result.averages[beta]));
        require(legato_ising_spins(ising, 33 * beta, sites, result.spins[beta]));
    }
    write_numbers(path, &result, sizeof result);
}

int main(int argc, char** argv) {
    if (argc != 4) return EXIT_FAILURE;
    require(legato_context_create(NULL, &context));
    legato_ising* ising = NULL;
    if (there(argv[2]))
        require(legato_ising_resume(context, argv[2], &ising));
    else
        ising = begun(argv[1]);
    legato_ising_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    require(legato_ising_get_state(ising, &state));
    tell_start(state.sweeps_done);
    while (state.bins_done < state.bins) {
        require(legato_ising_advance(ising, 1, &state.bins_done));
        require(legato_ising_save(ising, argv[2]));
    }
    write_result(ising, state.sites, argv[3]);
    require(legato_ising_destroy(ising));
    require(legato_context_destroy(context));
    return EXIT_SUCCESS;
}
