/* Tests a program and a library that were compiled with different versions of the headers: today's, and later ones
 * in which every struct has more members at its end (LATER). Members that the other side does not know must be
 * neither overwritten nor ignored. */
#include <legato/legato.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(holds) \
    if (!(holds)) printf("line %d: %s\n", __LINE__, #holds), ++failures

/* A struct of the program, followed by bytes that must not change. */
#define GUARDED(type)              \
    struct {                       \
        type is;                   \
        unsigned char behind[256]; \
    }

static int untouched(const unsigned char* behind) {
    for (int i = 0; i < 256; ++i)
        if (behind[i] != 0xa5) return 0;
    return 1;
}

static size_t library_progress_size;

static int note(void* user, const legato_progress* progress) {
    *(int64_t*)user = progress->points_total;
    library_progress_size = progress->struct_size;
    return 0;
}

/* Runs hydrogen in one function. */
static void atoms(legato_context* context) {
    GUARDED(legato_dfr_params) params;
    GUARDED(legato_dfr_nucleus) nucleus;
    GUARDED(legato_dfr_atom) atom;
    const int32_t one = 1, none = 0;
    const double zeta = 0.28, electron = 1, pair = 0;
    legato_dfr* dfr = NULL;
    memset(&params, 0xa5, sizeof params);
    memset(&nucleus, 0xa5, sizeof nucleus);
    memset(&atom, 0xa5, sizeof atom);
    CHECK(legato_dfr_params_init(&params.is) == LEGATO_STATUS_SUCCESS);
    CHECK(params.is.struct_size == sizeof params.is && params.is.max_iterations == 50 && untouched(params.behind));
    memset(&nucleus.is, 0, sizeof nucleus.is);
    nucleus.is.struct_size = sizeof nucleus.is;
    nucleus.is.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.is.charge = 1;
    CHECK(legato_dfr_create(context, &params.is, &dfr) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL) ==
          LEGATO_STATUS_SUCCESS);
    CHECK(legato_dfr_run(dfr, NULL, NULL) == LEGATO_STATUS_SUCCESS && untouched(nucleus.behind));
    atom.is.struct_size = sizeof atom.is;
    CHECK(legato_dfr_result(dfr, 0, &atom.is) == LEGATO_STATUS_SUCCESS && atom.is.struct_size == sizeof atom.is);
    CHECK(atom.is.status == LEGATO_DFR_ATOM_STATUS_CONVERGED && atom.is.energy < -0.42 && untouched(atom.behind));
    legato_dfr_destroy(dfr);
#ifdef LATER
    const int known = library_progress_size == sizeof(legato_progress);
    CHECK(params.is.later[3] == 0);
    params.is.later[3] = 1;
    CHECK(legato_dfr_create(context, &params.is, &dfr) ==
          (known ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT));
    legato_dfr_destroy(dfr);
#endif
}

/* Optimises helium in three functions, which do not suffice for a reduction. Only the structs are tested. */
static void basis_sets(legato_context* context) {
    GUARDED(legato_dfr_nucleus) nucleus;
    GUARDED(legato_dfr_optimiser_params) params, again;
    GUARDED(legato_dfr_reducer_params) reducer_params;
    GUARDED(legato_dfr_optimisation) optimisation;
    GUARDED(legato_dfr_reduction) reduction;
    GUARDED(legato_dfr_stage) stage;
    const int32_t one = 1, three = 3;
    const double start[4] = {0.1, 2, 4.5, 1.5}, none = 0;
    legato_dfr_optimiser* optimiser = NULL;
    legato_dfr_reducer* reducer = NULL;
    memset(&nucleus, 0xa5, sizeof nucleus);
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&reducer_params, 0xa5, sizeof reducer_params);
    memset(&optimisation, 0xa5, sizeof optimisation);
    memset(&reduction, 0xa5, sizeof reduction);
    memset(&stage, 0xa5, sizeof stage);
    memset(&nucleus.is, 0, sizeof nucleus.is);
    nucleus.is.struct_size = sizeof nucleus.is;
    CHECK(legato_dfr_element_nucleus(context, 2, LEGATO_DFR_NUCLEAR_MODEL_POINT, &nucleus.is) == LEGATO_STATUS_SUCCESS);
    CHECK(nucleus.is.struct_size == sizeof nucleus.is && nucleus.is.charge == 2 && untouched(nucleus.behind));
    CHECK(legato_dfr_optimiser_params_init(&params.is) == LEGATO_STATUS_SUCCESS && untouched(params.behind));
    CHECK(params.is.struct_size == sizeof params.is && params.is.max_energies == 500);
    params.is.max_energies = 6;
    CHECK(legato_dfr_optimiser_create(context, NULL, &params.is, &optimiser) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_dfr_optimiser_add(optimiser, &nucleus.is, 1, &three, &one, NULL, 1, start, &one, &none, NULL, -3,
                                   NULL) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_dfr_optimiser_run(optimiser, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    optimisation.is.struct_size = sizeof optimisation.is;
    CHECK(legato_dfr_optimiser_result(optimiser, 0, &optimisation.is) == LEGATO_STATUS_SUCCESS);
    CHECK(optimisation.is.energies == 6 && optimisation.is.limit == -3 && untouched(optimisation.behind));
    CHECK(legato_dfr_optimiser_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_dfr_optimiser_get_params(optimiser, NULL, &again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(memcmp(&again, &params, sizeof again) == 0);

    CHECK(legato_dfr_reducer_params_init(&reducer_params.is) == LEGATO_STATUS_SUCCESS &&
          untouched(reducer_params.behind));
    CHECK(reducer_params.is.struct_size == sizeof reducer_params.is && reducer_params.is.functions == 40);
    reducer_params.is.functions = 3;
    reducer_params.is.accuracy = 1;
    reducer_params.is.limit = -3;
    CHECK(legato_dfr_reducer_create(context, NULL, &params.is, &reducer_params.is, &nucleus.is, 1, &one, &none, NULL,
                                    start, &reducer) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_dfr_reducer_run(reducer, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    reduction.is.struct_size = sizeof reduction.is;
    CHECK(legato_dfr_reducer_result(reducer, &reduction.is) == LEGATO_STATUS_SUCCESS && untouched(reduction.behind));
    CHECK(reduction.is.status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED && reduction.is.relative_error > 0);
    stage.is.struct_size = sizeof stage.is;
    CHECK(legato_dfr_reducer_stage(reducer, 1, &stage.is) == LEGATO_STATUS_SUCCESS && untouched(stage.behind));
    CHECK(stage.is.kind == LEGATO_DFR_STAGE_KIND_LAST && stage.is.parameters[3] > 0);
    legato_dfr_optimiser_destroy(optimiser);
    legato_dfr_reducer_destroy(reducer);
#ifdef LATER
    const int32_t wanted =
        library_progress_size == sizeof(legato_progress) ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
    params.is.later[3] = 1;
    CHECK(legato_dfr_optimiser_create(context, NULL, &params.is, &optimiser) == wanted);
    reducer_params.is.later[3] = 1;
    CHECK(legato_dfr_reducer_create(context, NULL, NULL, &reducer_params.is, &nucleus.is, 1, &one, &none, NULL, start,
                                    &reducer) == wanted);
    legato_dfr_optimiser_destroy(optimiser);
    legato_dfr_reducer_destroy(reducer);
#endif
}

/* Computes moments of a short chain. */
static void moments(legato_context* context) {
    GUARDED(legato_kpm_lattice) lattice;
    GUARDED(legato_kpm_cell_lattice) cells;
    GUARDED(legato_kpm_params) params, again;
    GUARDED(legato_kpm_state) state;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm* kpm = NULL;
    memset(&lattice, 0xa5, sizeof lattice);
    memset(&cells, 0xa5, sizeof cells);
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&state, 0xa5, sizeof state);
    CHECK(legato_kpm_cell_lattice_init(&cells.is) == LEGATO_STATUS_SUCCESS);
    CHECK(cells.is.struct_size == sizeof cells.is && cells.is.orbitals == 1 && cells.is.concentration == 0.5);
    CHECK(legato_kpm_cell_lattice_create(context, &cells.is, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL,
                                         &hamiltonian) == LEGATO_STATUS_SUCCESS);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    CHECK(untouched(cells.behind));
    CHECK(legato_kpm_lattice_init(&lattice.is) == LEGATO_STATUS_SUCCESS);
    CHECK(lattice.is.struct_size == sizeof lattice.is && lattice.is.hopping == 1 && lattice.is.disorder == 0);
    CHECK(legato_kpm_params_init(&params.is) == LEGATO_STATUS_SUCCESS);
    CHECK(params.is.struct_size == sizeof params.is && params.is.moments == 256 && params.is.memory_budget == 0);
    CHECK(untouched(lattice.behind) && untouched(params.behind));
    lattice.is.extents[0] = 10;
    params.is.moments = 4;
    CHECK(legato_kpm_lattice_create(context, &lattice.is, 0, NULL, &hamiltonian) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_kpm_create(context, &params.is, hamiltonian, &kpm) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_kpm_run(kpm, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    state.is.struct_size = sizeof state.is;
    CHECK(legato_kpm_get_state(kpm, &state.is) == LEGATO_STATUS_SUCCESS && state.is.struct_size == sizeof state.is);
    CHECK(state.is.samples_done == 16 && state.is.half_width > 2 && untouched(state.behind));
    CHECK(legato_kpm_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_kpm_get_params(kpm, &again.is) == LEGATO_STATUS_SUCCESS && memcmp(&again, &params, sizeof again) == 0);
    legato_kpm_destroy(kpm);
#ifdef LATER
    const int32_t wanted =
        library_progress_size == sizeof(legato_progress) ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
    CHECK(params.is.later[3] == 0 && lattice.is.later[3] == 0);
    params.is.later[3] = 1;
    CHECK(legato_kpm_create(context, &params.is, hamiltonian, &kpm) == wanted);
    legato_kpm_destroy(kpm);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    cells.is.later[3] = 1;
    CHECK(legato_kpm_cell_lattice_create(context, &cells.is, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL,
                                         &hamiltonian) == wanted);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    lattice.is.later[3] = 1;
    CHECK(legato_kpm_lattice_create(context, &lattice.is, 0, NULL, &hamiltonian) == wanted);
#endif
    legato_kpm_hamiltonian_destroy(hamiltonian);
}

/* Fits nine values without resamples. */
static void scaling(legato_context* context) {
    GUARDED(legato_fss_params) params, again;
    GUARDED(legato_fss_fit) fit;
    const double length[9] = {4, 4, 4, 8, 8, 8, 16, 16, 16}, control[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3},
                 value[9] = {-4, 0, 4, -8, 0, 8, -16, 0, 16}, error[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    legato_fss* fss = NULL;
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&fit, 0xa5, sizeof fit);
    CHECK(legato_fss_params_init(&params.is) == LEGATO_STATUS_SUCCESS && untouched(params.behind));
    CHECK(params.is.struct_size == sizeof params.is && params.is.resamples == 1000);
    params.is.relevant_order = params.is.relevant_expansion = 1;
    params.is.resamples = 0;
    CHECK(legato_fss_create(context, &params.is, 9, length, control, value, error, &fss) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_fss_run(fss, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    fit.is.struct_size = sizeof fit.is;
    CHECK(legato_fss_result(fss, &fit.is) == LEGATO_STATUS_SUCCESS && fit.is.struct_size == sizeof fit.is);
    CHECK(fit.is.status == LEGATO_FSS_FIT_STATUS_CONVERGED && untouched(fit.behind));
    CHECK(fit.is.exponent > 0.999999 && fit.is.exponent < 1.000001);
    CHECK(legato_fss_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_fss_get_params(fss, &again.is) == LEGATO_STATUS_SUCCESS && memcmp(&again, &params, sizeof again) == 0);
    legato_fss_destroy(fss);
#ifdef LATER
    const int32_t wanted =
        library_progress_size == sizeof(legato_progress) ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
    CHECK(params.is.later[3] == 0);
    params.is.later[3] = 1;
    CHECK(legato_fss_create(context, &params.is, 9, length, control, value, error, &fss) == wanted);
    legato_fss_destroy(fss);
#endif
}

/* Runs a lattice of four by four sites. */
static void lattices(legato_context* context) {
    GUARDED(legato_ising_params) params, again;
    GUARDED(legato_ising_state) state;
    GUARDED(legato_ising_averages) averages;
    GUARDED(legato_ising_reweighted) reweighted;
    GUARDED(legato_ising_reweighted_point) maximum;
    legato_ising* ising = NULL;
    legato_ising_reweighting* reweighting = NULL;
    const double beta = 0.3;
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&state, 0xa5, sizeof state);
    memset(&averages, 0xa5, sizeof averages);
    memset(&reweighted, 0xa5, sizeof reweighted);
    memset(&maximum, 0xa5, sizeof maximum);
    CHECK(legato_ising_params_init(&params.is) == LEGATO_STATUS_SUCCESS && untouched(params.behind));
    CHECK(params.is.struct_size == sizeof params.is && params.is.extents[1] == 64 && params.is.acceptance == 0);
    params.is.extents[0] = params.is.extents[1] = 4;
    params.is.measurements_per_bin = 50;
    params.is.time_series = 1;
    CHECK(legato_ising_create(context, &params.is, 1, &beta, 0, NULL, &ising) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_ising_advance(ising, 3, NULL) == LEGATO_STATUS_SUCCESS);
    state.is.struct_size = sizeof state.is;
    CHECK(legato_ising_get_state(ising, &state.is) == LEGATO_STATUS_SUCCESS && state.is.struct_size == sizeof state.is);
    CHECK(state.is.bins_done == 3 && state.is.sites == 16 && untouched(state.behind));
    averages.is.struct_size = sizeof averages.is;
    CHECK(legato_ising_result(ising, 0, &averages.is) == LEGATO_STATUS_SUCCESS);
    CHECK(averages.is.struct_size == sizeof averages.is && averages.is.energy < -0.3);
    CHECK(averages.is.demon_beta_error == 0 && untouched(averages.behind));
    CHECK(legato_ising_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_ising_get_params(ising, &again.is) == LEGATO_STATUS_SUCCESS &&
          memcmp(&again, &params, sizeof again) == 0);
    CHECK(legato_ising_reweighting_create_from_run(ising, 2, &reweighting) == LEGATO_STATUS_SUCCESS);
    reweighted.is.struct_size = sizeof reweighted.is;
    CHECK(legato_ising_reweighting_at(reweighting, 0.31, &reweighted.is) == LEGATO_STATUS_SUCCESS);
    CHECK(reweighted.is.struct_size == sizeof reweighted.is && reweighted.is.energy < -0.3);
    CHECK(reweighted.is.is_far == 0 && untouched(reweighted.behind));
    maximum.is.struct_size = sizeof maximum.is;
    CHECK(legato_ising_reweighting_maximum(reweighting, 1, 0.1, 0.8, &maximum.is) == LEGATO_STATUS_SUCCESS);
    CHECK(maximum.is.struct_size == sizeof maximum.is && maximum.is.value > 0 && untouched(maximum.behind));
    legato_ising_reweighting_destroy(reweighting);
    legato_ising_destroy(ising);
#ifdef LATER
    const int32_t wanted =
        library_progress_size == sizeof(legato_progress) ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
    CHECK(params.is.later[3] == 0);
    params.is.later[3] = 1;
    CHECK(legato_ising_create(context, &params.is, 1, &beta, 0, NULL, &ising) == wanted);
    legato_ising_destroy(ising);
#endif
}

/* Runs eight electrons on ten sites. */
static void chains(legato_context* context) {
    GUARDED(legato_vmc_params) params, again;
    GUARDED(legato_vmc_state) state;
    GUARDED(legato_vmc_averages) averages;
    legato_vmc* vmc = NULL;
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&state, 0xa5, sizeof state);
    memset(&averages, 0xa5, sizeof averages);
    CHECK(legato_vmc_params_init(&params.is) == LEGATO_STATUS_SUCCESS && untouched(params.behind));
    CHECK(params.is.struct_size == sizeof params.is && params.is.electrons == 74 && params.is.gradients_by[3] == 1);
    params.is.length = 3;
    params.is.electrons = 8;
    CHECK(legato_vmc_create(context, &params.is, &vmc) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_vmc_advance(vmc, 3, NULL) == LEGATO_STATUS_SUCCESS);
    state.is.struct_size = sizeof state.is;
    CHECK(legato_vmc_get_state(vmc, &state.is) == LEGATO_STATUS_SUCCESS && state.is.struct_size == sizeof state.is);
    CHECK(state.is.bins_done == 3 && state.is.exchange_rate[1] > 0 && untouched(state.behind));
    averages.is.struct_size = sizeof averages.is;
    CHECK(legato_vmc_result(vmc, &averages.is) == LEGATO_STATUS_SUCCESS &&
          averages.is.struct_size == sizeof averages.is);
    CHECK(averages.is.energy < -0.5 && averages.is.autocorrelation_sweeps > 0 && untouched(averages.behind));
    /* A program of version 0.1 knows no member after autocorrelation_sweeps. */
    averages.is.bins_are_short = averages.is.chains_differ = 77;
    averages.is.struct_size = offsetof(legato_vmc_averages, bins_are_short);
    CHECK(legato_vmc_result(vmc, &averages.is) == LEGATO_STATUS_SUCCESS);
    CHECK(averages.is.bins_are_short == 77 && averages.is.chains_differ == 77);
    CHECK(legato_vmc_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_vmc_get_params(vmc, &again.is) == LEGATO_STATUS_SUCCESS && memcmp(&again, &params, sizeof again) == 0);
    legato_vmc_destroy(vmc);
#ifdef LATER
    const int32_t wanted =
        library_progress_size == sizeof(legato_progress) ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
    CHECK(params.is.later[3] == 0);
    params.is.later[3] = 1;
    CHECK(legato_vmc_create(context, &params.is, &vmc) == wanted);
    legato_vmc_destroy(vmc);
#endif
}

/* Optimises the gap of the same state, in one step. */
static void steps(legato_context* context) {
    GUARDED(legato_vmc_optimiser_params) params, again;
    GUARDED(legato_vmc_optimiser_step) step;
    GUARDED(legato_vmc_optimisation) optimisation;
    legato_vmc_params run;
    legato_vmc_optimiser* optimiser = NULL;
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&step, 0xa5, sizeof step);
    memset(&optimisation, 0xa5, sizeof optimisation);
    CHECK(legato_vmc_params_init(&run) == LEGATO_STATUS_SUCCESS);
    run.length = 3;
    run.electrons = 8;
    CHECK(legato_vmc_optimiser_params_init(&params.is) == LEGATO_STATUS_SUCCESS && untouched(params.behind));
    CHECK(params.is.struct_size == sizeof params.is && params.is.steps == 40 && params.is.significance == 2);
    CHECK(legato_vmc_optimiser_create(context, &run, &params.is, &optimiser) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_vmc_optimiser_advance(optimiser, 1, NULL) == LEGATO_STATUS_SUCCESS);
    step.is.struct_size = sizeof step.is;
    CHECK(legato_vmc_optimiser_get_step(optimiser, 0, &step.is) == LEGATO_STATUS_SUCCESS);
    CHECK(step.is.struct_size == sizeof step.is && step.is.gradient_error[0] > 0 &&
          step.is.stage == LEGATO_VMC_STAGE_DESCENT && untouched(step.behind));
    optimisation.is.struct_size = sizeof optimisation.is;
    CHECK(legato_vmc_optimiser_result(optimiser, &optimisation.is) == LEGATO_STATUS_SUCCESS);
    CHECK(optimisation.is.steps_done == 1 && optimisation.is.parameters[0] == 1.5 && untouched(optimisation.behind));
    CHECK(legato_vmc_optimiser_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_vmc_optimiser_get_params(optimiser, NULL, &again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(memcmp(&again, &params, sizeof again) == 0);
    legato_vmc_optimiser_destroy(optimiser);
#ifdef LATER
    const int32_t wanted =
        library_progress_size == sizeof(legato_progress) ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
    params.is.later[3] = 1;
    CHECK(legato_vmc_optimiser_create(context, NULL, &params.is, &optimiser) == wanted);
    legato_vmc_optimiser_destroy(optimiser);
#endif
}

int main(void) {
    GUARDED(legato_context_params) settings;
    GUARDED(legato_tmm_params) params, again;
    GUARDED(legato_tmm_point) point;
    memset(&settings, 0xa5, sizeof settings);
    memset(&params, 0xa5, sizeof params);
    memset(&again, 0xa5, sizeof again);
    memset(&point, 0xa5, sizeof point);

    CHECK(legato_context_params_init(&settings.is) == LEGATO_STATUS_SUCCESS);
    CHECK(settings.is.struct_size == sizeof settings.is && settings.is.device == -1 && untouched(settings.behind));
    CHECK(legato_tmm_params_init(&params.is) == LEGATO_STATUS_SUCCESS);
    CHECK(params.is.struct_size == sizeof params.is && params.is.epsilon == 0.005 && params.is.max_growth == 0);
    CHECK(untouched(params.behind));

    legato_context* context = NULL;
    legato_tmm* tmm = NULL;
    const double energy = 1, disorder = 1;
    params.is.width = 4;
    params.is.epsilon = 0.1;
    CHECK(legato_context_create(&settings.is, &context) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_tmm_create(context, &params.is, 1, &energy, &disorder, &tmm) == LEGATO_STATUS_SUCCESS);

    int64_t points = 0;
    CHECK(legato_tmm_run(tmm, note, &points) == LEGATO_STATUS_SUCCESS && points == 1);
    point.is.struct_size = sizeof point.is;
    CHECK(legato_tmm_result(tmm, 0, &point.is, 0, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    CHECK(point.is.struct_size == sizeof point.is && point.is.status == LEGATO_TMM_POINT_STATUS_CONVERGED);
    CHECK(point.is.relative_error > 0 && point.is.relative_error <= 0.1 && untouched(point.behind));

    CHECK(legato_tmm_params_init(&again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(legato_tmm_get_params(tmm, &again.is) == LEGATO_STATUS_SUCCESS);
    CHECK(memcmp(&again, &params, sizeof again) == 0);

    atoms(context);
    basis_sets(context);
    moments(context);
    scaling(context);
    lattices(context);
    chains(context);
    steps(context);

#ifdef LATER
    const int known = library_progress_size == sizeof(legato_progress);
    CHECK(params.is.later[0] == 0 && params.is.later[3] == 0 && settings.is.later[3] == 0);
    legato_tmm_destroy(tmm);
    params.is.later[3] = 1;
    CHECK(legato_tmm_create(context, &params.is, 1, &energy, &disorder, &tmm) ==
          (known ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT));
    if (!known)
        CHECK(strcmp(legato_context_message(context),
                     "tmm.params.struct_size: 184 is more than the 152 bytes that this version of Legato knows, and "
                     "byte 176 is not 0") == 0);
    legato_context_destroy(context);
    settings.is.later[0] = 1;
    CHECK(legato_context_create(&settings.is, &context) ==
          (known ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT));
#else
    CHECK(library_progress_size >= sizeof(legato_progress));
#endif
    legato_tmm_destroy(tmm);
    legato_context_destroy(context);
    printf("progress: %zu bytes here, %zu in the library; %d failures\n", sizeof(legato_progress),
           library_progress_size, failures);
    return failures != 0;
}
