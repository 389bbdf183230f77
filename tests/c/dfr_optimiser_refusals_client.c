/* Tests refusals in the optimisation and reduction of basis sets, in C99 and in C++. Every function is called
 * without a context, and the optimiser with every argument that it must refuse. */
#include "dfr_optimiser_runs.h"

static const char file[] = "dfr_optimiser_refusals_client.h5";

static void refused_without_context(void) {
    int32_t i[4] = {1, 1, 1, 1};
    int64_t l = 7;
    double x[16] = {7};
    legato_dfr_nucleus nucleus;
    legato_dfr_optimiser* optimiser = (legato_dfr_optimiser*)x;
    legato_dfr_reducer* reducer = (legato_dfr_reducer*)x;
    legato_dfr_optimisation optimisation;
    legato_dfr_reduction reduction;
    legato_dfr_stage stage;
    nucleus.struct_size = sizeof nucleus;
    optimisation.struct_size = sizeof optimisation;
    reduction.struct_size = sizeof reduction;
    stage.struct_size = sizeof stage;
#define NONE(call) INVALID(call, "the context is a null pointer")
    NONE(legato_dfr_optimiser_create(NULL, NULL, NULL, &optimiser));
    CHECK(optimiser == NULL);
    NONE(legato_dfr_optimiser_create(NULL, NULL, NULL, NULL));
    NONE(legato_dfr_optimiser_resume(NULL, file, &optimiser));
    NONE(legato_dfr_optimiser_add(NULL, &nucleus, 1, i, i, i, 1, x, i, x, x, 0, &l));
    NONE(legato_dfr_optimiser_add_groups(NULL, &nucleus, 1, i, i, i, 1, i, x, i, x, x, 0, &l));
    NONE(legato_dfr_optimiser_add_groups(NULL, &nucleus, 1, i, i, i, 1, NULL, x, i, x, x, 0, &l));
    NONE(legato_dfr_optimiser_groups(NULL, 0, i, i, x, x));
    NONE(legato_dfr_optimiser_history_of_groups(NULL, 0, 0, 1, x));
    NONE(legato_dfr_optimiser_add_element(NULL, 2, 1, &l));
    NONE(legato_dfr_optimiser_add_element_with_basis(NULL, 2, 1, NULL, &l));
    NONE(legato_dfr_optimiser_run(NULL, NULL, NULL));
    NONE(legato_dfr_optimiser_advance(NULL, 1, &l));
    NONE(legato_dfr_optimiser_size(NULL, &l));
    NONE(legato_dfr_optimiser_result(NULL, 0, &optimisation));
    NONE(legato_dfr_optimiser_basis(NULL, 0, i, i, i, i, i, x));
    NONE(legato_dfr_optimiser_atom(NULL, 0, &nucleus, i, i, i, x, x, x, x));
    NONE(legato_dfr_optimiser_history(NULL, 0, 0, 1, &l, x, i, x));
    NONE(legato_dfr_optimiser_save(NULL, file));
    NONE(legato_dfr_optimiser_get_params(NULL, NULL, NULL));
    NONE(legato_dfr_reducer_create(NULL, NULL, NULL, NULL, &nucleus, 1, i, x, x, x, &reducer));
    CHECK(reducer == NULL);
    NONE(legato_dfr_reducer_resume(NULL, file, &reducer));
    NONE(legato_dfr_reducer_run(NULL, NULL, NULL));
    NONE(legato_dfr_reducer_advance(NULL, 1, i));
    NONE(legato_dfr_reducer_result(NULL, &reduction));
    NONE(legato_dfr_reducer_stage(NULL, 0, &stage));
    NONE(legato_dfr_reducer_basis(NULL, i, i, i, x));
    NONE(legato_dfr_reducer_atom(NULL, &nucleus, i, i, x, x, x, x));
    NONE(legato_dfr_reducer_save(NULL, file));
    NONE(legato_dfr_reducer_get_params(NULL, NULL, NULL, NULL));
    NONE(legato_dfr_well_tempered_basis(NULL, 1, i, i, i, 1, x, x));
    NONE(legato_dfr_grouped_basis(NULL, 1, i, i, i, 1, i, x, x));
#undef NONE
    CHECK(l == 7 && x[0] == 7 && i[0] == 1);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(NULL));
    CHECK_SUCCESS(legato_dfr_reducer_destroy(NULL));
}

static void refused_params(void) {
#define AT(member) offsetof(legato_dfr_optimiser_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 0, "dfr.optimiser.params.struct_size: 0 is not in 32..4096"},
        {AT(struct_size), 'l', 31, "dfr.optimiser.params.struct_size: 31 is not in 32..4096"},
        {AT(struct_size), 'l', 4097, "dfr.optimiser.params.struct_size: 4097 is not in 32..4096"},
        {AT(last_step), 'd', 0.2, "dfr.optimiser.last_step: 0.2 is not in [1e-14, 0.1]"},
        {AT(method), 'i', 2, "dfr.optimiser.method: 2 is not in 0..1"},
        {AT(energy_tolerance), 'd', 0, "dfr.optimiser.energy_tolerance: 0 is not in [1e-15, 0.001]"},
    };
#undef AT
    legato_dfr_optimiser_params params;
    legato_dfr_params field;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        legato_dfr_optimiser* optimiser = (legato_dfr_optimiser*)&params;
        CHECK_SUCCESS(legato_dfr_optimiser_params_init(&params));
        CHECK(params.max_energies == 500 && params.first_step == 0.1 && params.last_step == 1e-4);
        set_member(&params, &members[i]);
        INVALID(legato_dfr_optimiser_create(context, NULL, &params, &optimiser), members[i].message);
        CHECK(optimiser == NULL);
    }
    legato_dfr_optimiser* optimiser = (legato_dfr_optimiser*)&params;
    CHECK_SUCCESS(legato_dfr_params_init(&field));
    field.max_iterations = 0;
    INVALID(legato_dfr_optimiser_create(context, &field, NULL, &optimiser), "dfr.params.max_iterations: 0 is not in");
    CHECK(optimiser == NULL);
    INVALID(legato_dfr_optimiser_create(context, NULL, NULL, NULL), "dfr.optimiser: a null pointer");
    CHECK(legato_dfr_optimiser_params_init(NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_optimiser_params_init_sized(&params, 0) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_optimiser_params_init_sized(&params, offsetof(legato_dfr_optimiser_params, method) - 1) ==
          LEGATO_STATUS_INVALID_ARGUMENT);

    /* The parameters that were set are returned. */
    params = coarse(17);
    CHECK_SUCCESS(legato_dfr_params_init(&field));
    field.speed_of_light = 1000;
    CHECK_SUCCESS(legato_dfr_optimiser_create(context, &field, &params, &optimiser));
    memset(&params, 0, sizeof params);
    memset(&field, 0, sizeof field);
    params.struct_size = sizeof params;
    field.struct_size = sizeof field;
    CHECK_SUCCESS(legato_dfr_optimiser_get_params(optimiser, &field, &params));
    CHECK(params.max_energies == 17 && params.last_step == 1e-2 && field.speed_of_light == 1000);
    field.struct_size = 1;
    params.max_energies = 1;
    INVALID(legato_dfr_optimiser_get_params(optimiser, &field, &params),
            "dfr.params.struct_size: 1 is not in 56..4096");
    CHECK(params.max_energies == 1);
    CHECK_SUCCESS(legato_dfr_optimiser_get_params(optimiser, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

/* A basis set in which one thing is wrong. */
typedef struct bad_basis {
    legato_dfr_nucleus nucleus;
    int32_t n_species, n_functions[3], first[3], group[3], n_groups, closed[3];
    double parameters[8], electrons[3], pairs[9], limit;
} bad_basis;

static int32_t add_it(legato_dfr_optimiser* optimiser, const bad_basis* b) {
    int64_t index = -7;
    const int32_t status =
        legato_dfr_optimiser_add(optimiser, &b->nucleus, b->n_species, b->n_functions, b->first, b->group, b->n_groups,
                                 b->parameters, b->closed, b->electrons, b->pairs, b->limit, &index);
    CHECK((status == LEGATO_STATUS_SUCCESS) == (index >= 0) && (index >= 0 || index == -7));
    return status;
}

static void refused_groups(legato_dfr_optimiser* optimiser, const bad_basis* g) {
    const int32_t forms[2] = {LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED, LEGATO_DFR_GROUP_FORM_FREE}, unknown[2] = {0, 3};
    const double zero[7] = {0.1, 2, 0.1, 0.4, 0, 6, 7}, ratio[7] = {0.1, 0.5, 0.1, 0.4, 2, 6, 7};
#define WITH(forms, parameters, message)                                                                             \
    INVALID(legato_dfr_optimiser_add_groups(optimiser, &g->nucleus, 3, g->n_functions, g->first, g->group, 2, forms, \
                                            parameters, g->closed, g->electrons, g->pairs, 0, NULL),                 \
            message)
    WITH(NULL, zero, "dfr.forms: a null");
    WITH(unknown, zero, "dfr.forms[1]: 3 is not in 0..2");
    WITH(forms, NULL, "dfr.parameters: a null");
    WITH(forms, zero, "dfr.candidates[1].groups[1].exponents[2]: 0 is not in [1e-08, 1e+20]");
    WITH(forms, ratio, "dfr.well_tempered.beta: 0.5 is not in [1, 1000]");
#undef WITH
    INVALID(legato_dfr_optimiser_history_of_groups(optimiser, 0, 0, 0, NULL),
            "dfr.optimiser.history_of_groups.parameters: a null");
    INVALID(legato_dfr_optimiser_groups(optimiser, 1, NULL, NULL, NULL, NULL), "dfr.optimiser.index: 1 is not in 0..0");
}

static void refused_basis_sets(void) {
    legato_dfr_optimiser* const optimiser = new_list(30);
    bad_basis good, b;
    int64_t sets = -1;
    memset(&good, 0, sizeof good);
    good.nucleus = nucleus_of(5);
    good.n_species = 3;
    good.n_groups = 2;
    for (int s = 0; s < 3; ++s) {
        good.n_functions[s] = s == 0 ? 8 : 4;
        good.first[s] = s == 0 ? 1 : 2;
        good.group[s] = s > 0;
    }
    memcpy(good.parameters, start, sizeof start);
    memcpy(good.parameters + 4, start, sizeof start);
    good.closed[0] = 2;
    good.electrons[1] = 1.0 / 3;
    good.electrons[2] = 2.0 / 3;
    CHECK_SUCCESS(add_it(optimiser, &good));
#define BAD(change, message)                     \
    do {                                         \
        b = good;                                \
        change;                                  \
        INVALID(add_it(optimiser, &b), message); \
    } while (0)
    BAD(b.nucleus.struct_size = 0, "dfr.nucleus.struct_size: 0 is not in 40..4096");
    BAD(b.nucleus.charge = NAN, "dfr.candidates[1].nucleus.charge: nan is not in [1, 137]");
    BAD(b.nucleus.model = 9, "dfr.candidates[1].nucleus.model: 9 is not in 1..4");
    BAD(b.n_species = 0, "dfr.n_species: 0 is not in 1..13");
    BAD(b.n_species = 14, "dfr.n_species: 14 is not in 1..13");
    BAD(b.n_species = INT32_MIN, "dfr.n_species: -2147483648 is not in 1..13");
    BAD(b.n_functions[1] = -1, "dfr.n_functions[p1/2]: -1 is not in 0..200");
    BAD(b.n_functions[2] = 201, "dfr.n_functions[p3/2]: 201 is not in 0..200");
    BAD(b.n_functions[2] = INT32_MAX, "dfr.n_functions[p3/2]: 2147483647 is not in 0..200");
    BAD(b.first[0] = 0, "dfr.first[s1/2]: 0 is not in 1..193");
    BAD(b.first[0] = 194, "dfr.first[s1/2]: 194 is not in 1..193");
    BAD(b.first[2] = INT32_MAX, "dfr.first[p3/2]: 2147483647 is not in 1..197");
    BAD(b.n_groups = 0, "dfr.n_groups: 0 is not in 1..3");
    BAD(b.n_groups = 4, "dfr.n_groups: 4 is not in 1..3");
    BAD(b.n_groups = INT32_MAX, "dfr.n_groups: 2147483647 is not in 1..3");
    BAD(b.group[2] = 2, "dfr.candidates[1].group[p3/2]: 2 is not in 0..1");
    BAD(b.group[0] = -1, "dfr.candidates[1].group[s1/2]: -1 is not in 0..1");
    BAD(b.parameters[0] = 0, "dfr.well_tempered.alpha: 0 is not in [1e-08, 1e+20]");
    BAD(b.parameters[5] = NAN, "dfr.well_tempered.beta: nan is not in [1, 1000]");
    BAD(b.parameters[6] = -1, "dfr.well_tempered.delta: -1 is not in [0, 1000]");
    BAD(b.parameters[7] = INFINITY, "dfr.well_tempered.gamma: inf is not in [0, 1000]");
    BAD(b.closed[0] = 9, "dfr.candidates[1].configuration.closed[s1/2]: 9 is not in 0..8");
    BAD(b.electrons[2] = 4, "dfr.candidates[1].configuration.electrons[p3/2]: 4 is not in [0, 4)");
    BAD(b.pairs[4] = -1, "dfr.candidates[1].configuration.pairs[p1/2][p1/2]: -1 is not in [0, 1000000]");
    BAD(b.limit = 1, "dfr.candidates[1].limit: 1 is not in [-1000000000, 0]");
    BAD(b.limit = NAN, "dfr.candidates[1].limit: nan is not in [");
    BAD(b.limit = -INFINITY, "dfr.candidates[1].limit: -inf is not in [");
#undef BAD
    const bad_basis* const g = &good;
#define WITHOUT(nucleus, functions, first, parameters, closed, electrons, pairs, message)                      \
    INVALID(legato_dfr_optimiser_add(optimiser, nucleus, 3, functions, first, g->group, 2, parameters, closed, \
                                     electrons, pairs, 0, NULL),                                               \
            message)
    WITHOUT(NULL, g->n_functions, g->first, g->parameters, g->closed, g->electrons, g->pairs, "dfr.nucleus: a null");
    WITHOUT(&g->nucleus, NULL, g->first, g->parameters, g->closed, g->electrons, g->pairs, "dfr.n_functions: a null");
    WITHOUT(&g->nucleus, g->n_functions, NULL, g->parameters, g->closed, g->electrons, g->pairs, "dfr.first: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, NULL, g->closed, g->electrons, g->pairs, "dfr.parameters: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, g->parameters, NULL, g->electrons, g->pairs, "dfr.closed: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, g->parameters, g->closed, NULL, g->pairs, "dfr.electrons: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, g->parameters, g->closed, g->electrons, NULL, "dfr.pairs: a null");
#undef WITHOUT
    refused_groups(optimiser, g);
    INVALID(legato_dfr_optimiser_add_element(optimiser, 58, 1, NULL),
            "dfr.element: 58, Ce, has no set in the basis library hennessey");
    INVALID(legato_dfr_optimiser_add_element_with_basis(optimiser, 2, 1, "nothing", NULL),
            "dfr.basis_library: there is no library \"nothing\" in the folders ");
    INVALID(legato_dfr_optimiser_add_element(optimiser, 2, 5, NULL), "dfr.nuclear_model: 5 is not in 1..4");
    CHECK_SUCCESS(legato_dfr_optimiser_size(optimiser, &sets));
    CHECK(sets == 1);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

static void refused_results(void) {
    legato_dfr_optimiser* const optimiser = new_list(30);
    legato_dfr_optimisation optimisation;
    int64_t total = -1, finished = -1;
    INVALID(legato_dfr_optimiser_run(optimiser, NULL, NULL), "dfr.optimiser.n_candidates: 0 is not in 1..1000");
    INVALID(legato_dfr_optimiser_advance(optimiser, 1, NULL), "dfr.optimiser.n_candidates: 0 is not in 1..1000");
    INVALID(legato_dfr_optimiser_save(optimiser, file), "dfr.optimiser.n_candidates: 0 is not in 1..1000");
    CHECK_SUCCESS(add_helium(optimiser, 5, 0));
    CHECK(result(optimiser, 0).status == LEGATO_DFR_OPTIMISER_STATUS_WAITING && result(optimiser, 0).energy == 0);
    CHECK_SUCCESS(legato_dfr_optimiser_history(optimiser, 0, 0, 0, &total, NULL, NULL, NULL));
    CHECK(total == 0);
    INVALID(legato_dfr_optimiser_advance(optimiser, 0, &finished), "dfr.optimiser.advance.energies: 0 is not in 1..");
    INVALID(legato_dfr_optimiser_advance(optimiser, INT64_MIN, NULL), "dfr.optimiser.advance.energies: -9223372036854");
    CHECK_SUCCESS(add_helium(optimiser, 6, 0)); /* This does not start the run. */
    CHECK_SUCCESS(legato_dfr_optimiser_advance(optimiser, 3, &finished));
    CHECK(finished == 0);
    INVALID(add_helium(optimiser, 6, 0), "dfr.optimiser.add: the run has begun; add basis sets before it begins");
    INVALID(legato_dfr_optimiser_add_element(optimiser, 2, 1, NULL), "dfr.optimiser.add: the run has begun");
    INVALID(legato_dfr_optimiser_size(optimiser, NULL), "dfr.optimiser.count: a null pointer");
    INVALID(legato_dfr_optimiser_result(optimiser, 0, NULL), "dfr.optimisation: a null pointer");
    optimisation.struct_size = 71;
    INVALID(legato_dfr_optimiser_result(optimiser, 0, &optimisation),
            "dfr.optimisation.struct_size: 71 is not in 72..");
    optimisation.struct_size = sizeof optimisation;
    INVALID(legato_dfr_optimiser_result(optimiser, 2, &optimisation), "dfr.optimiser.index: 2 is not in 0..1");
    INVALID(legato_dfr_optimiser_result(optimiser, INT64_MIN, &optimisation),
            "dfr.optimiser.index: -92233720368547758");
    INVALID(legato_dfr_optimiser_basis(optimiser, -1, NULL, NULL, NULL, NULL, NULL, NULL),
            "dfr.optimiser.index: -1 is not in 0..1");
#define HISTORY(index, first, n) legato_dfr_optimiser_history(optimiser, index, first, n, &total, NULL, NULL, NULL)
    INVALID(HISTORY(2, 0, 0), "dfr.optimiser.index: 2 is not in 0..1");
    INVALID(HISTORY(0, 4, 0), "dfr.optimiser.history.first: 4 is not in 0..3");
    INVALID(HISTORY(0, -1, 0), "dfr.optimiser.history.first: -1 is not in 0..3");
    INVALID(HISTORY(0, 1, 3), "dfr.optimiser.history.n: 3 is not in 0..2");
    INVALID(HISTORY(0, 0, -1), "dfr.optimiser.history.n: -1 is not in 0..3");
    INVALID(HISTORY(0, 3, INT64_MAX), "dfr.optimiser.history.n: 9223372036854775807 is not in 0..0");
#undef HISTORY
    CHECK(total == 3);
    INVALID(legato_dfr_optimiser_save(optimiser, NULL), "dfr.optimiser.save.path: a null pointer");
    INVALID(legato_dfr_optimiser_save(optimiser, ""), "dfr.optimiser.save.path: the path is empty");
    REFUSED(legato_dfr_optimiser_save(optimiser, "no/such/folder/state"), LEGATO_STATUS_IO_ERROR, "state file ");
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

static void refused_pools(void) {
    const int32_t functions[2] = {3, 2}, first[2] = {1, 2}, group[2] = {0, 1}, wrong_group[2] = {0, 2};
    const double parameters[8] = {0.1, 2, 0, 0, 1, 3, 0, 0};
    double zeta[5] = {-1, -1, -1, -1, -1};
#define BASIS(n, functions_, first_, group_, groups, parameters_, exponents) \
    legato_dfr_well_tempered_basis(context, n, functions_, first_, group_, groups, parameters_, exponents)
    CHECK_SUCCESS(BASIS(2, functions, first, group, 2, parameters, zeta));
    CHECK(zeta[0] == 0.1 && zeta[1] == 0.2 && fabs(zeta[2] - 0.4) < 1e-15 && zeta[3] == 3 && zeta[4] == 9);
    CHECK_SUCCESS(BASIS(2, functions, first, NULL, 1, parameters, zeta));
    CHECK(zeta[3] == 0.2 && fabs(zeta[4] - 0.4) < 1e-15);
    INVALID(BASIS(0, functions, first, group, 2, parameters, zeta), "dfr.n_species: 0 is not in 1..13");
    INVALID(BASIS(14, functions, first, group, 2, parameters, zeta), "dfr.n_species: 14 is not in 1..13");
    INVALID(BASIS(2, NULL, first, group, 2, parameters, zeta), "dfr.n_functions: a null pointer");
    INVALID(BASIS(2, functions, NULL, group, 2, parameters, zeta), "dfr.first: a null pointer");
    INVALID(BASIS(2, functions, first, wrong_group, 2, parameters, zeta), "dfr.group[p1/2]: 2 is not in 0..1");
    INVALID(BASIS(2, functions, first, group, 3, parameters, zeta), "dfr.n_groups: 3 is not in 1..2");
    INVALID(BASIS(2, functions, first, group, 2, NULL, zeta), "dfr.parameters: a null pointer");
    INVALID(BASIS(2, functions, first, group, 2, parameters, NULL), "dfr.well_tempered_basis.exponents: a null");
#undef BASIS
}

int main(void) {
    refused_without_context();
    CHECK((context = cpu_context(1)) != NULL);
    refused_params();
    refused_basis_sets();
    refused_results();
    refused_pools();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_optimiser_refusals_client");
}
