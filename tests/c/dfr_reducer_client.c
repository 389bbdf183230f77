/* Tests the reduction of basis sets as a program uses it, in C99 and in C++: runs that are stopped, saved and
 * resumed, and every argument that must be refused. */
#include "dfr_optimiser_runs.h"

static const char file[] = "dfr_reducer_client.h5";

static legato_dfr_reducer_params reduction_to(int32_t functions, double accuracy) {
    legato_dfr_reducer_params params;
    CHECK_SUCCESS(legato_dfr_reducer_params_init(&params));
    params.functions = functions;
    params.accuracy = accuracy;
    return params;
}

static int32_t create_helium_reducer(int32_t functions, double accuracy, legato_dfr_reducer** reducer) {
    const legato_dfr_optimiser_params optimiser_params = coarse(40);
    const legato_dfr_reducer_params params = reduction_to(functions, accuracy);
    const legato_dfr_nucleus nucleus = nucleus_of(2);
    const int32_t one = 1;
    const double none = 0;
    return legato_dfr_reducer_create(context, NULL, &optimiser_params, &params, &nucleus, 1, &one, &none, NULL, start,
                                     reducer);
}

static legato_dfr_reduction reduced(legato_dfr_reducer* reducer) {
    legato_dfr_reduction reduction;
    memset(&reduction, 0xa5, sizeof reduction);
    reduction.struct_size = sizeof reduction;
    CHECK_SUCCESS(legato_dfr_reducer_result(reducer, &reduction));
    CHECK(reduction.reserved == 0);
    return reduction;
}

typedef struct watcher {
    legato_dfr_reducer* reducer;
    legato_progress last;
    int calls, stop_at;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    const legato_dfr_reduction now = reduced(w->reducer);
    CHECK(now.status == LEGATO_DFR_OPTIMISER_STATUS_RUNNING || now.status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED);
    INVALID(legato_dfr_reducer_run(w->reducer, NULL, NULL), "dfr.reducer.run: a callback cannot continue");
    INVALID(legato_dfr_reducer_advance(w->reducer, 1, NULL), "dfr.reducer.advance: a callback cannot continue");
    w->last = *progress;
    return ++w->calls == w->stop_at;
}
static void refused_reducers(void) {
#define AT(member) offsetof(legato_dfr_reducer_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 31, "dfr.reducer.params.struct_size: 31 is not in 32..4096"},
    };
#undef AT
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    const int32_t closed[3] = {2, 1, 1};
    const double none[3] = {0, 0, 0}, bad_start[4] = {0.1, 0.5, 4.5, 1.5};
    legato_dfr_reducer_params params;
    legato_dfr_optimiser_params optimiser_params;
    legato_dfr_reducer* reducer = NULL;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        CHECK_SUCCESS(legato_dfr_reducer_params_init(&params));
        CHECK(params.functions == 40 && params.accuracy == 5e-9 && params.limit == 0);
        set_member(&params, &members[i]);
        reducer = (legato_dfr_reducer*)&params;
        INVALID(
            legato_dfr_reducer_create(context, NULL, NULL, &params, &nucleus, 3, closed, none, NULL, start, &reducer),
            members[i].message);
        CHECK(reducer == NULL);
    }
    CHECK(legato_dfr_reducer_params_init(NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_reducer_params_init_sized(&params, 1) == LEGATO_STATUS_INVALID_ARGUMENT);
#define CREATE(nucleus_, n, closed_, electrons, start_) \
    legato_dfr_reducer_create(context, NULL, NULL, NULL, nucleus_, n, closed_, electrons, NULL, start_, &reducer)
    INVALID(CREATE(NULL, 3, closed, none, start), "dfr.nucleus: a null pointer");
    INVALID(CREATE(&nucleus, 0, closed, none, start), "dfr.n_species: 0 is not in 1..13");
    INVALID(CREATE(&nucleus, 14, closed, none, start), "dfr.n_species: 14 is not in 1..13");
    INVALID(CREATE(&nucleus, 3, NULL, none, start), "dfr.closed: a null pointer");
    INVALID(CREATE(&nucleus, 3, closed, NULL, start), "dfr.electrons: a null pointer");
    INVALID(CREATE(&nucleus, 3, closed, none, NULL), "dfr.reducer.start: a null pointer");
    INVALID(CREATE(&nucleus, 3, closed, none, bad_start), "dfr.well_tempered.beta: 0.5 is not in [1, 1000]");
#undef CREATE
    INVALID(legato_dfr_reducer_create(context, NULL, NULL, NULL, &nucleus, 3, closed, none, NULL, start, NULL),
            "dfr.reducer: a null pointer");
    CHECK_SUCCESS(legato_dfr_reducer_params_init(&params));
    params.functions = 1;
    INVALID(legato_dfr_reducer_create(context, NULL, NULL, &params, &nucleus, 3, closed, none, NULL, start, &reducer),
            "dfr.reducer.configuration.closed[s1/2]: 2 is not in 0..1");
    CHECK_SUCCESS(legato_dfr_optimiser_params_init(&optimiser_params));
    optimiser_params.max_energies = 0;
    INVALID(legato_dfr_reducer_create(context, NULL, &optimiser_params, NULL, &nucleus, 3, closed, none, NULL, start,
                                      &reducer),
            "dfr.optimiser.max_energies: 0 is not in 1..1000000");
}

static void reduction(void) {
    legato_dfr_reducer *reducer = NULL, *resumed = NULL;
    legato_dfr_stage stage, again;
    int32_t finished = -1, n_species = -1, functions = -1, first = -1;
    double parameters[4];
    watcher w;
    memset(&w, 0, sizeof w);
    CHECK_SUCCESS(create_helium_reducer(8, 1e-3, &reducer));
    CHECK(reduced(reducer).status == LEGATO_DFR_OPTIMISER_STATUS_WAITING && reduced(reducer).stages == 2);
    stage.struct_size = again.struct_size = sizeof stage;
    INVALID(legato_dfr_reducer_stage(reducer, 0, &stage),
            "dfr.reducer.stage.index: 0 does not exist, because there is none yet");
    INVALID(legato_dfr_reducer_advance(reducer, 0, NULL), "dfr.reducer.advance.energies: 0 is not in 1..");
    CHECK_SUCCESS(legato_dfr_reducer_advance(reducer, 3, &finished));
    CHECK(finished == 0 && reduced(reducer).status == LEGATO_DFR_OPTIMISER_STATUS_RUNNING &&
          reduced(reducer).energy == 0);
    w.reducer = reducer;
    w.stop_at = 2;
    REFUSED(legato_dfr_reducer_run(reducer, watch, &w), LEGATO_STATUS_CANCELLED,
            "dfr: stopped by the progress callback");
    CHECK(w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done == 2);
    CHECK_SUCCESS(legato_dfr_reducer_save(reducer, file));
    CHECK_SUCCESS(legato_dfr_reducer_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_dfr_reducer_run(reducer, watch, &w));
    CHECK_SUCCESS(legato_dfr_reducer_advance(resumed, INT64_MAX, &finished));
    CHECK(finished == 1);
    const legato_dfr_reduction r = reduced(reducer), other = reduced(resumed);
    CHECK(memcmp(&r, &other, sizeof r) == 0 && r.status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED && r.stages_done == 2);
    CHECK(r.relative_error > 0 && r.relative_error <= 1e-3 && fabs(r.limit + 2.861813342) < 1e-8);
    CHECK(fabs((r.energy - r.limit) / -r.limit - r.relative_error) < 1e-15);
    CHECK_SUCCESS(legato_dfr_reducer_stage(reducer, 0, &stage));
    CHECK(stage.kind == LEGATO_DFR_STAGE_KIND_WHOLE && stage.chosen == 8 && stage.energies > 5 && stage.energies <= 40);
    CHECK_SUCCESS(legato_dfr_reducer_stage(reducer, 1, &stage));
    CHECK_SUCCESS(legato_dfr_reducer_stage(resumed, 1, &again));
    CHECK(memcmp(&stage, &again, sizeof stage) == 0 && stage.kind == LEGATO_DFR_STAGE_KIND_LAST && stage.l == 0);
    CHECK(stage.chosen >= 2 && stage.chosen < 8 && stage.energy == r.energy && stage.reserved == 0);
    CHECK_SUCCESS(legato_dfr_reducer_basis(reducer, &n_species, &functions, &first, parameters));
    CHECK(n_species == 1 && functions == stage.chosen && first == 1);
    CHECK(memcmp(parameters, stage.parameters, sizeof parameters) == 0);
    CHECK_SUCCESS(legato_dfr_reducer_basis(reducer, NULL, NULL, NULL, NULL));
    INVALID(legato_dfr_reducer_stage(reducer, 2, &stage), "dfr.reducer.stage.index: 2 is not in 0..1");
    INVALID(legato_dfr_reducer_stage(reducer, -1, &stage), "dfr.reducer.stage.index: -1 is not in 0..1");
    INVALID(legato_dfr_reducer_stage(reducer, 0, NULL), "dfr.stage: a null pointer");
    INVALID(legato_dfr_reducer_result(reducer, NULL), "dfr.reduction: a null pointer");
    stage.struct_size = 71;
    INVALID(legato_dfr_reducer_stage(reducer, 0, &stage), "dfr.stage.struct_size: 71 is not in 72..4096");
    legato_dfr_reducer_params params = reduction_to(1, 1);
    legato_dfr_optimiser_params optimiser_params = coarse(1);
    CHECK_SUCCESS(legato_dfr_reducer_get_params(resumed, NULL, &optimiser_params, &params));
    CHECK(params.functions == 8 && params.accuracy == 1e-3 && optimiser_params.max_energies == 40);
    CHECK_SUCCESS(legato_dfr_reducer_get_params(resumed, NULL, NULL, NULL));
    INVALID(legato_dfr_reducer_save(reducer, ""), "dfr.reducer.save.path: the path is empty");
    INVALID(legato_dfr_reducer_save(reducer, NULL), "dfr.reducer.save.path: a null pointer");
    CHECK_SUCCESS(legato_dfr_reducer_destroy(reducer));
    CHECK_SUCCESS(legato_dfr_reducer_destroy(resumed));
    legato_dfr_optimiser* optimiser = NULL;
    REFUSED(legato_dfr_optimiser_resume(context, file, &optimiser), LEGATO_STATUS_BAD_FILE, "state file ");
    remove(file);
    REFUSED(legato_dfr_reducer_resume(context, file, &reducer), LEGATO_STATUS_IO_ERROR, "state file ");
    CHECK(reducer == NULL);
}

/* The atom that was passed can be read after resuming. */
static void atom_of_a_state(void) {
    legato_dfr_reducer *reducer = NULL, *again = NULL;
    legato_dfr_nucleus told;
    memset(&told, 0xa5, sizeof told);
    CHECK_SUCCESS(create_helium_reducer(8, 1e-3, &reducer));
    CHECK_SUCCESS(legato_dfr_reducer_advance(reducer, 2, NULL));
    CHECK_SUCCESS(legato_dfr_reducer_save(reducer, file));
    CHECK_SUCCESS(legato_dfr_reducer_resume(context, file, &again));
    int32_t n_species = 0, shells = 0;
    double open = 1, between = 1, limit = 1, from[4];
    told.struct_size = sizeof told;
    CHECK_SUCCESS(legato_dfr_reducer_atom(again, &told, &n_species, &shells, &open, &between, &limit, from));
    CHECK(told.model == LEGATO_DFR_NUCLEAR_MODEL_POINT && told.charge == 2 && n_species == 1 && shells == 1 &&
          open == 0);
    CHECK(between == 0 && limit == 0 && memcmp(from, start, sizeof from) == 0);
    CHECK_SUCCESS(legato_dfr_reducer_atom(again, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_reducer_destroy(reducer));
    CHECK_SUCCESS(legato_dfr_reducer_destroy(again));
    remove(file);
}

/* Three functions are not enough. */
static void out_of_reach(void) {
    legato_dfr_reducer* reducer = NULL;
    double parameters[4];
    CHECK_SUCCESS(create_helium_reducer(3, 1e-9, &reducer));
    CHECK_SUCCESS(legato_dfr_reducer_run(reducer, NULL, NULL));
    const legato_dfr_reduction r = reduced(reducer);
    CHECK(r.status == LEGATO_DFR_OPTIMISER_STATUS_FAILED && r.stages_done == 0 && r.relative_error > 1e-9 &&
          r.energy < -2);
    CHECK_SUCCESS(legato_dfr_reducer_basis(reducer, NULL, NULL, NULL, parameters));
    CHECK(parameters[0] != start[0]);
    CHECK_SUCCESS(legato_dfr_reducer_destroy(reducer));
}

int main(void) {
    CHECK((context = cpu_context(1)) != NULL);
    refused_reducers();
    reduction();
    atom_of_a_state();
    out_of_reach();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_reducer_client");
}
