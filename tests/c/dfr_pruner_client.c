/* Tests basis sets of decreasing size as a program uses them, in C99 and in C++: runs that are stopped, saved and
 * resumed, and every argument that must be refused. */
#include "dfr_optimiser_runs.h"

static const char file[] = "dfr_pruner_client.h5";
static const int32_t well_tempered = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED;

static legato_dfr_pruner* pruner_to(double largest_error) {
    legato_dfr_pruner_params params;
    legato_dfr_pruner* pruner = NULL;
    CHECK_SUCCESS(legato_dfr_pruner_params_init(&params));
    CHECK(params.struct_size == sizeof params && params.largest_error == 1e-5 && params.tolerance == 0.01 &&
          params.max_energies == 500);
    params.largest_error = largest_error;
    CHECK_SUCCESS(legato_dfr_pruner_create(context, NULL, &params, &pruner));
    return pruner;
}

static int32_t add_start(legato_dfr_pruner* pruner, int32_t functions, int32_t first, const double* parameters,
                         int64_t* index) {
    const legato_dfr_nucleus nucleus = nucleus_of(2);
    const int32_t one = 1;
    const double none = 0;
    return legato_dfr_pruner_add(pruner, &nucleus, 1, &functions, &first, NULL, 1, &well_tempered, parameters, &one,
                                 &none, NULL, 0.0, index);
}

static legato_dfr_pruning state_of(legato_dfr_pruner* pruner, int64_t index) {
    legato_dfr_pruning pruning;
    memset(&pruning, 0xa5, sizeof pruning);
    pruning.struct_size = sizeof pruning;
    CHECK_SUCCESS(legato_dfr_pruner_result(pruner, index, &pruning));
    return pruning;
}

static legato_dfr_pruned_set set_of(legato_dfr_pruner* pruner, int64_t index, int32_t number) {
    legato_dfr_pruned_set set;
    memset(&set, 0xa5, sizeof set);
    set.struct_size = sizeof set;
    CHECK_SUCCESS(legato_dfr_pruner_set(pruner, index, number, &set));
    return set;
}

static int stop_at_fifth(void* user, const legato_progress* progress) {
    legato_dfr_pruner* const pruner = (legato_dfr_pruner*)user;
    CHECK(progress->points_total == 2);
    INVALID(legato_dfr_pruner_run(pruner, NULL, NULL), "dfr.pruner.run: a callback cannot continue");
    INVALID(legato_dfr_pruner_advance(pruner, 1, NULL), "dfr.pruner.advance: a callback cannot continue");
    return progress->cycles_done >= 5;
}

static void prunings(void) {
    legato_dfr_pruner *pruner = pruner_to(1e-4), *resumed = NULL;
    int64_t index = -1, size = -1, finished = -1;
    CHECK_SUCCESS(add_start(pruner, 8, 1, start, &index));
    CHECK(index == 0);
    CHECK_SUCCESS(legato_dfr_pruner_add_element(pruner, 1, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &index));
    CHECK(index == 1);
    CHECK_SUCCESS(legato_dfr_pruner_size(pruner, &size));
    CHECK(size == 2);
    CHECK(state_of(pruner, 0).status == LEGATO_DFR_OPTIMISER_STATUS_WAITING && state_of(pruner, 0).sets == 0 &&
          state_of(pruner, 0).limit == 0);
    REFUSED(legato_dfr_pruner_run(pruner, stop_at_fifth, pruner), LEGATO_STATUS_CANCELLED,
            "dfr: stopped by the progress callback");
    CHECK(state_of(pruner, 1).status == LEGATO_DFR_OPTIMISER_STATUS_RUNNING && state_of(pruner, 1).energies > 0);
    INVALID(legato_dfr_pruner_add_element(pruner, 2, LEGATO_DFR_NUCLEAR_MODEL_POINT, NULL),
            "dfr.pruner.add: the run has begun");
    CHECK_SUCCESS(legato_dfr_pruner_save(pruner, file));
    CHECK_SUCCESS(legato_dfr_pruner_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_dfr_pruner_run(pruner, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_pruner_advance(resumed, INT64_MAX, &finished));
    CHECK(finished == 2);
    for (index = 0; index < 2; ++index) {
        const legato_dfr_pruning pruning = state_of(pruner, index), again = state_of(resumed, index);
        CHECK(pruning.status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED && pruning.sets > 1 && pruning.limit < 0);
        CHECK(again.sets == pruning.sets && again.energies == pruning.energies && again.limit == pruning.limit);
        for (int32_t k = 0; k < pruning.sets; ++k) {
            const legato_dfr_pruned_set set = set_of(pruner, index, k), same = set_of(resumed, index, k);
            CHECK(set.energy == same.energy && set.functions == same.functions && set.group == (k == 0 ? -1 : 0));
            CHECK(set.functions == set_of(pruner, index, 0).functions - k);
            CHECK(set.relative_error > 0 && set.relative_error <= 1e-4);
            CHECK(fabs(set.relative_error - (set.energy - pruning.limit) / fabs(pruning.limit)) < 1e-15);
        }
    }
    CHECK_SUCCESS(legato_dfr_pruner_destroy(resumed));
    CHECK_SUCCESS(legato_dfr_pruner_destroy(pruner));
    remove(file);
}

/* The exponents of a set give its energy. */
static void basis_of_a_set(void) {
    legato_dfr_pruner* pruner = pruner_to(1e-3);
    legato_dfr_params field;
    legato_dfr_nucleus nucleus;
    legato_dfr_pruner_params params;
    legato_dfr* dfr = NULL;
    legato_dfr_atom atom;
    int32_t n_species = 0, n_groups = 0, n_parameters = 0, functions = 0, first = 0, group = -1, form = -1, closed = 0;
    double parameters[8], exponents[8], electrons = -1, pairs = -1, limit = -1;
    int32_t last;
    CHECK_SUCCESS(add_start(pruner, 7, 1, start, NULL));
    CHECK_SUCCESS(legato_dfr_pruner_run(pruner, NULL, NULL));
    last = state_of(pruner, 0).sets - 1;
    CHECK_SUCCESS(
        legato_dfr_pruner_basis(pruner, 0, last, &n_species, &n_groups, &n_parameters, NULL, NULL, NULL, NULL, NULL));
    CHECK(n_species == 1 && n_groups == 1 && n_parameters <= 8);
    CHECK_SUCCESS(
        legato_dfr_pruner_basis(pruner, 0, last, NULL, NULL, NULL, &functions, &first, &group, &form, parameters));
    CHECK(functions == set_of(pruner, 0, last).functions && first == 1 && group == 0);
    CHECK_SUCCESS(legato_dfr_grouped_basis(context, n_species, &functions, &first, &group, n_groups, &form, parameters,
                                           exponents));
    nucleus.struct_size = sizeof nucleus;
    CHECK_SUCCESS(legato_dfr_pruner_atom(pruner, 0, &nucleus, &n_species, &closed, &electrons, &pairs, &limit));
    CHECK(nucleus.charge == 2 && closed == 1 && electrons == 0 && pairs == 0 && limit == 0);
    field.struct_size = sizeof field;
    params.struct_size = sizeof params;
    CHECK_SUCCESS(legato_dfr_pruner_get_params(pruner, &field, &params));
    CHECK(field.kinetic_balance == LEGATO_DFR_KINETIC_BALANCE_EXTENDED && params.largest_error == 1e-3);
    CHECK_SUCCESS(legato_dfr_create(context, &field, &dfr));
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus, 1, &functions, exponents, &closed, &electrons, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    atom.struct_size = sizeof atom;
    CHECK_SUCCESS(legato_dfr_result(dfr, 0, &atom));
    CHECK(fabs(atom.energy - set_of(pruner, 0, last).energy) < 1e-12);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
    CHECK_SUCCESS(legato_dfr_pruner_destroy(pruner));
}

static void refused(void) {
    legato_dfr_pruner* pruner = NULL;
    legato_dfr_params field;
    legato_dfr_pruner_params params;
    legato_dfr_pruned_set set;
    const double bad_start[4] = {0.1, 0.5, 4.5, 1.5};
    set.struct_size = sizeof set;
    CHECK(legato_dfr_pruner_params_init(NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_pruner_params_init_sized(&params, 1) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_dfr_pruner_params_init(&params));
    INVALID(legato_dfr_pruner_create(context, NULL, &params, NULL), "dfr.pruner: a null pointer");
    params.struct_size = 31;
    INVALID(legato_dfr_pruner_create(context, NULL, &params, &pruner),
            "dfr.pruner.params.struct_size: 31 is not in 48..4096");
    CHECK_SUCCESS(legato_dfr_params_init(&field));
    INVALID(legato_dfr_pruner_create(context, &field, NULL, &pruner), "dfr.params.kinetic_balance: 0 (restricted)");
    field.relativistic = 0;
    CHECK_SUCCESS(legato_dfr_pruner_create(context, &field, NULL, &pruner));
    CHECK_SUCCESS(legato_dfr_pruner_destroy(pruner));
    pruner = pruner_to(1e-2);
    INVALID(add_start(pruner, 6, 2, start, NULL), "dfr.candidates[0].first[s1/2]: 2 is not in 1..1");
    INVALID(add_start(pruner, 6, 1, bad_start, NULL), "dfr.well_tempered.beta: 0.5 is not in [1, 1000]");
    INVALID(add_start(pruner, 6, 1, NULL, NULL), "dfr.parameters: a null pointer");
    INVALID(legato_dfr_pruner_add_element(pruner, 0, LEGATO_DFR_NUCLEAR_MODEL_POINT, NULL), "dfr.element: 0");
    INVALID(legato_dfr_pruner_add_element(pruner, 2, 5, NULL), "dfr.nuclear_model: 5 is not in 1..4");
    INVALID(legato_dfr_pruner_add_element(pruner, 1, LEGATO_DFR_NUCLEAR_MODEL_FERMI, NULL),
            "dfr.element: 1 is not in 2..118 with a Fermi nucleus");
    INVALID(legato_dfr_pruner_add_element(pruner, 110, LEGATO_DFR_NUCLEAR_MODEL_POINT, NULL),
            "dfr.candidates[0].limit: 0, but for a relativistic point nucleus of charge 110");
    INVALID(legato_dfr_pruner_size(pruner, NULL), "dfr.pruner.count: a null pointer");
    INVALID(legato_dfr_pruner_run(pruner, NULL, NULL), "dfr.pruner.n_atoms: 0 is not in 1..1000");
    CHECK_SUCCESS(add_start(pruner, 6, 1, start, NULL));
    INVALID(legato_dfr_pruner_set(pruner, 1, 0, &set), "dfr.pruner.index: 1 is not in 0..0");
    INVALID(legato_dfr_pruner_set(pruner, 0, 0, &set), "dfr.pruner.set.number: 0 does not exist");
    INVALID(legato_dfr_pruner_result(pruner, 0, NULL), "dfr.pruning: a null pointer");
    INVALID(legato_dfr_pruner_advance(pruner, 0, NULL), "dfr.pruner.advance.energies: 0 is not in 1..");
    CHECK_SUCCESS(legato_dfr_pruner_advance(pruner, 200, NULL));
    INVALID(legato_dfr_pruner_set(pruner, 0, 99, &set), "dfr.pruner.set.number: 99 is not in 0..");
    INVALID(legato_dfr_pruner_set(pruner, 0, 0, NULL), "dfr.pruned_set: a null pointer");
    CHECK_SUCCESS(legato_dfr_pruner_destroy(pruner));
    CHECK_SUCCESS(legato_dfr_pruner_destroy(NULL));
}

int main(void) {
    CHECK((context = cpu_context(1)) != NULL);
    prunings();
    basis_of_a_set();
    refused();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_pruner_client");
}
