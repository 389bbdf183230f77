/* Optimisation and reduction of basis sets as a program meets them, in C99 and in C++: small atoms and small sets, what
 * comes out of them calculated once more, runs that are stopped, saved and resumed, and every function with every
 * argument that it must refuse. */
#define _POSIX_C_SOURCE 200809L /* setrlimit */
#include <stdlib.h>
#include <sys/resource.h>

#include "checking.h"

enum { most_energies = 200 };

static const char* const file = "dfr_optimiser_client.state";
static const double start[4] = {0.1, 2.0, 4.5, 1.5};

static legato_dfr_optimiser_params coarse(int64_t max_energies) {
    legato_dfr_optimiser_params params;
    WORKS(legato_dfr_optimiser_params_init(&params));
    params.max_energies = max_energies;
    params.last_step = 1e-2;
    return params;
}

static legato_dfr_optimiser* new_list(int64_t max_energies) {
    const legato_dfr_optimiser_params params = coarse(max_energies);
    legato_dfr_optimiser* optimiser = NULL;
    WORKS(legato_dfr_optimiser_create(context, NULL, &params, &optimiser));
    return optimiser;
}

static legato_dfr_nucleus nucleus_of(int32_t element) {
    legato_dfr_nucleus nucleus;
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    WORKS(legato_dfr_element_nucleus(context, element, LEGATO_DFR_POINT, &nucleus));
    return nucleus;
}

static int32_t add_helium(legato_dfr_optimiser* optimiser, int32_t functions, double limit) {
    const legato_dfr_nucleus nucleus = nucleus_of(2);
    const int32_t one = 1;
    const double none = 0;
    return legato_dfr_optimiser_add(optimiser, &nucleus, 1, &functions, &one, NULL, 1, start, &one, &none, NULL, limit,
                                    NULL);
}

static legato_dfr_optimisation result(legato_dfr_optimiser* optimiser, int64_t index) {
    legato_dfr_optimisation optimisation;
    memset(&optimisation, 0xa5, sizeof optimisation);
    optimisation.struct_size = sizeof optimisation;
    WORKS(legato_dfr_optimiser_result(optimiser, index, &optimisation));
    HOLDS(optimisation.reserved == 0);
    return optimisation;
}

static legato_dfr_reducer_params reduction_to(int32_t functions, double accuracy) {
    legato_dfr_reducer_params params;
    WORKS(legato_dfr_reducer_params_init(&params));
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
    WORKS(legato_dfr_reducer_result(reducer, &reduction));
    HOLDS(reduction.reserved == 0);
    return reduction;
}

/* ---- Refusals ---- */

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
    HOLDS(optimiser == NULL);
    NONE(legato_dfr_optimiser_create(NULL, NULL, NULL, NULL));
    NONE(legato_dfr_optimiser_resume(NULL, file, &optimiser));
    NONE(legato_dfr_optimiser_add(NULL, &nucleus, 1, i, i, i, 1, x, i, x, x, 0, &l));
    NONE(legato_dfr_optimiser_add_element(NULL, 2, 1, &l));
    NONE(legato_dfr_optimiser_run(NULL, NULL, NULL));
    NONE(legato_dfr_optimiser_advance(NULL, 1, &l));
    NONE(legato_dfr_optimiser_size(NULL, &l));
    NONE(legato_dfr_optimiser_result(NULL, 0, &optimisation));
    NONE(legato_dfr_optimiser_basis(NULL, 0, i, i, i, i, i, x));
    NONE(legato_dfr_optimiser_history(NULL, 0, 0, 1, &l, x, i, x));
    NONE(legato_dfr_optimiser_save(NULL, file));
    NONE(legato_dfr_optimiser_get_params(NULL, NULL, NULL));
    NONE(legato_dfr_reducer_create(NULL, NULL, NULL, NULL, &nucleus, 1, i, x, x, x, &reducer));
    HOLDS(reducer == NULL);
    NONE(legato_dfr_reducer_resume(NULL, file, &reducer));
    NONE(legato_dfr_reducer_run(NULL, NULL, NULL));
    NONE(legato_dfr_reducer_advance(NULL, 1, i));
    NONE(legato_dfr_reducer_result(NULL, &reduction));
    NONE(legato_dfr_reducer_stage(NULL, 0, &stage));
    NONE(legato_dfr_reducer_basis(NULL, i, i, i, x));
    NONE(legato_dfr_reducer_save(NULL, file));
    NONE(legato_dfr_reducer_get_params(NULL, NULL, NULL, NULL));
    NONE(legato_dfr_well_tempered_basis(NULL, 1, i, i, i, 1, x, x));
#undef NONE
    HOLDS(l == 7 && x[0] == 7 && i[0] == 1);
    WORKS(legato_dfr_optimiser_destroy(NULL));
    WORKS(legato_dfr_reducer_destroy(NULL));
}

static void refused_params(void) {
#define AT(member) offsetof(legato_dfr_optimiser_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 0, "dfr.optimiser.params.struct_size: 0 is not in 32..4096"},
        {AT(struct_size), 'l', 31, "dfr.optimiser.params.struct_size: 31 is not in 32..4096"},
        {AT(struct_size), 'l', 4097, "dfr.optimiser.params.struct_size: 4097 is not in 32..4096"},
        {AT(max_energies), 'l', 0, "dfr.optimiser.max_energies: 0 is not in 1..1000000"},
        {AT(max_energies), 'l', -1, "dfr.optimiser.max_energies: -1 is not in 1..1000000"},
        {AT(max_energies), 'l', 4294967297.0, "dfr.optimiser.max_energies: 4294967297 is not in 1..1000000"},
        {AT(max_energies), 'l', 1e19, "dfr.optimiser.max_energies: 9223372036854775807 is not in 1..1000000"},
        {AT(first_step), 'd', 0, "dfr.optimiser.first_step: 0 is not in [1e-10, 1]"},
        {AT(first_step), 'd', 1.5, "dfr.optimiser.first_step: 1.5 is not in ["},
        {AT(first_step), 'd', NAN, "dfr.optimiser.first_step: nan is not in ["},
        {AT(first_step), 'd', -INFINITY, "dfr.optimiser.first_step: -inf is not in ["},
        {AT(last_step), 'd', 0, "dfr.optimiser.last_step: 0 is not in [1e-14, 0.1]"},
        {AT(last_step), 'd', 0.2, "dfr.optimiser.last_step: 0.2 is not in [1e-14, 0.1]"},
        {AT(last_step), 'd', NAN, "dfr.optimiser.last_step: nan is not in ["},
    };
#undef AT
    legato_dfr_optimiser_params params;
    legato_dfr_params field;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        legato_dfr_optimiser* optimiser = (legato_dfr_optimiser*)&params;
        WORKS(legato_dfr_optimiser_params_init(&params));
        HOLDS(params.max_energies == 500 && params.first_step == 0.1 && params.last_step == 1e-4);
        set_member(&params, &members[i]);
        INVALID(legato_dfr_optimiser_create(context, NULL, &params, &optimiser), members[i].words);
        HOLDS(optimiser == NULL);
    }
    legato_dfr_optimiser* optimiser = (legato_dfr_optimiser*)&params;
    WORKS(legato_dfr_params_init(&field));
    field.max_iterations = 0;
    INVALID(legato_dfr_optimiser_create(context, &field, NULL, &optimiser), "dfr.params.max_iterations: 0 is not in");
    HOLDS(optimiser == NULL);
    INVALID(legato_dfr_optimiser_create(context, NULL, NULL, NULL), "dfr.optimiser: a null pointer");
    HOLDS(legato_dfr_optimiser_params_init(NULL) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_dfr_optimiser_params_init_sized(&params, 0) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_dfr_optimiser_params_init_sized(&params, sizeof params - 1) == LEGATO_INVALID_ARGUMENT);

    /* What was asked for is told. */
    params = coarse(17);
    WORKS(legato_dfr_params_init(&field));
    field.speed_of_light = 1000;
    WORKS(legato_dfr_optimiser_create(context, &field, &params, &optimiser));
    memset(&params, 0, sizeof params);
    memset(&field, 0, sizeof field);
    params.struct_size = sizeof params;
    field.struct_size = sizeof field;
    WORKS(legato_dfr_optimiser_get_params(optimiser, &field, &params));
    HOLDS(params.max_energies == 17 && params.last_step == 1e-2 && field.speed_of_light == 1000);
    field.struct_size = 1;
    params.max_energies = 1;
    INVALID(legato_dfr_optimiser_get_params(optimiser, &field, &params),
            "dfr.params.struct_size: 1 is not in 56..4096");
    HOLDS(params.max_energies == 1);
    WORKS(legato_dfr_optimiser_get_params(optimiser, NULL, NULL));
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

/* A basis set of which one thing is wrong. */
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
    HOLDS((status == LEGATO_SUCCESS) == (index >= 0) && (index >= 0 || index == -7));
    return status;
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
    WORKS(add_it(optimiser, &good));
#define BAD(change, words)                     \
    do {                                       \
        b = good;                              \
        change;                                \
        INVALID(add_it(optimiser, &b), words); \
    } while (0)
    BAD(b.nucleus.struct_size = 0, "dfr.nucleus.struct_size: 0 is not in 40..4096");
    BAD(b.nucleus.charge = NAN, "dfr.candidates[1].nucleus.charge: nan is not in [1, 137]");
    BAD(b.nucleus.model = 9, "dfr.candidates[1].nucleus.model: 9 is not in 1..3");
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
#define WITHOUT(nucleus, functions, first, parameters, closed, electrons, pairs, words)                        \
    INVALID(legato_dfr_optimiser_add(optimiser, nucleus, 3, functions, first, g->group, 2, parameters, closed, \
                                     electrons, pairs, 0, NULL),                                               \
            words)
    WITHOUT(NULL, g->n_functions, g->first, g->parameters, g->closed, g->electrons, g->pairs, "dfr.nucleus: a null");
    WITHOUT(&g->nucleus, NULL, g->first, g->parameters, g->closed, g->electrons, g->pairs, "dfr.n_functions: a null");
    WITHOUT(&g->nucleus, g->n_functions, NULL, g->parameters, g->closed, g->electrons, g->pairs, "dfr.first: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, NULL, g->closed, g->electrons, g->pairs, "dfr.parameters: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, g->parameters, NULL, g->electrons, g->pairs, "dfr.closed: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, g->parameters, g->closed, NULL, g->pairs, "dfr.electrons: a null");
    WITHOUT(&g->nucleus, g->n_functions, g->first, g->parameters, g->closed, g->electrons, NULL, "dfr.pairs: a null");
#undef WITHOUT
    INVALID(legato_dfr_optimiser_add_element(optimiser, 58, 1, NULL), "dfr.element: 58 is not in the basis library");
    INVALID(legato_dfr_optimiser_add_element(optimiser, 2, 4, NULL), "dfr.nuclear_model: 4 is not in 1..3");
    WORKS(legato_dfr_optimiser_size(optimiser, &sets));
    HOLDS(sets == 1);
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

static void refused_results(void) {
    legato_dfr_optimiser* const optimiser = new_list(30);
    legato_dfr_optimisation optimisation;
    int64_t total = -1, finished = -1;
    INVALID(legato_dfr_optimiser_run(optimiser, NULL, NULL), "dfr.optimiser.n_candidates: 0 is not in 1..1000");
    INVALID(legato_dfr_optimiser_advance(optimiser, 1, NULL), "dfr.optimiser.n_candidates: 0 is not in 1..1000");
    INVALID(legato_dfr_optimiser_save(optimiser, file), "dfr.optimiser.n_candidates: 0 is not in 1..1000");
    WORKS(add_helium(optimiser, 5, 0));
    HOLDS(result(optimiser, 0).status == LEGATO_DFR_OPTIMISER_WAITING && result(optimiser, 0).energy == 0);
    WORKS(legato_dfr_optimiser_history(optimiser, 0, 0, 0, &total, NULL, NULL, NULL));
    HOLDS(total == 0);
    INVALID(legato_dfr_optimiser_advance(optimiser, 0, &finished), "dfr.optimiser.advance.energies: 0 is not in 1..");
    INVALID(legato_dfr_optimiser_advance(optimiser, INT64_MIN, NULL), "dfr.optimiser.advance.energies: -9223372036854");
    WORKS(add_helium(optimiser, 6, 0)); /* The run has not begun by this. */
    WORKS(legato_dfr_optimiser_advance(optimiser, 3, &finished));
    HOLDS(finished == 0);
    INVALID(add_helium(optimiser, 6, 0), "dfr.optimiser.add: the run has begun; basis sets are added before");
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
    HOLDS(total == 3);
    INVALID(legato_dfr_optimiser_save(optimiser, NULL), "dfr.optimiser.save.path: a null pointer");
    INVALID(legato_dfr_optimiser_save(optimiser, ""), "dfr.optimiser.save.path: the path is empty");
    REFUSED(legato_dfr_optimiser_save(optimiser, "no/such/folder/state"), LEGATO_IO_ERROR, "");
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

static void refused_pools(void) {
    const int32_t functions[2] = {3, 2}, first[2] = {1, 2}, group[2] = {0, 1}, wrong_group[2] = {0, 2};
    const double parameters[8] = {0.1, 2, 0, 0, 1, 3, 0, 0};
    double zeta[5] = {-1, -1, -1, -1, -1};
#define BASIS(n, functions_, first_, group_, groups, parameters_, exponents) \
    legato_dfr_well_tempered_basis(context, n, functions_, first_, group_, groups, parameters_, exponents)
    WORKS(BASIS(2, functions, first, group, 2, parameters, zeta));
    HOLDS(zeta[0] == 0.1 && zeta[1] == 0.2 && fabs(zeta[2] - 0.4) < 1e-15 && zeta[3] == 3 && zeta[4] == 9);
    WORKS(BASIS(2, functions, first, NULL, 1, parameters, zeta));
    HOLDS(zeta[3] == 0.2 && fabs(zeta[4] - 0.4) < 1e-15);
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

/* ---- What comes out ---- */

typedef struct history {
    int64_t total;
    double energies[most_energies], parameters[8 * most_energies];
    int32_t kinds[most_energies];
} history;

static history history_of(legato_dfr_optimiser* optimiser, int64_t index) {
    history h;
    memset(&h, 0, sizeof h);
    WORKS(legato_dfr_optimiser_history(optimiser, index, 0, 0, &h.total, NULL, NULL, NULL));
    HOLDS(h.total <= most_energies);
    WORKS(legato_dfr_optimiser_history(optimiser, index, 0, h.total, NULL, h.energies, h.kinds, h.parameters));
    return h;
}

/* The energy of the best basis, calculated without the optimiser. */
static double energy_of(legato_dfr_optimiser* optimiser, int64_t index, int32_t element) {
    int32_t n_species = 0, n_groups = 0, functions[7], first[7], group[7], n[20], l[20], electrons_of[20],
            subshells = 0;
    int32_t closed[7];
    double parameters[28], exponents[7 * 40], electrons[7], pairs[49];
    const legato_dfr_nucleus nucleus = nucleus_of(element);
    legato_dfr_atom atom;
    legato_dfr* dfr = NULL;
    WORKS(legato_dfr_optimiser_basis(optimiser, index, &n_species, &n_groups, NULL, NULL, NULL, NULL));
    HOLDS(n_species <= 7 && n_groups <= n_species);
    WORKS(legato_dfr_optimiser_basis(optimiser, index, NULL, NULL, functions, first, group, parameters));
    WORKS(legato_dfr_well_tempered_basis(context, n_species, functions, first, group, n_groups, parameters, exponents));
    WORKS(legato_dfr_ground_configuration(context, element, 0, &subshells, NULL, NULL, NULL));
    WORKS(legato_dfr_ground_configuration(context, element, subshells, NULL, n, l, electrons_of));
    WORKS(legato_dfr_average_of_configuration(context, subshells, n, l, electrons_of, n_species, NULL, closed,
                                              electrons, pairs));
    WORKS(legato_dfr_create(context, NULL, &dfr));
    WORKS(legato_dfr_add_atom(dfr, &nucleus, n_species, functions, exponents, closed, electrons, pairs, NULL));
    WORKS(legato_dfr_run(dfr, NULL, NULL));
    atom.struct_size = sizeof atom;
    WORKS(legato_dfr_result(dfr, 0, &atom));
    HOLDS(atom.status == LEGATO_DFR_CONVERGED);
    WORKS(legato_dfr_destroy(dfr));
    return atom.energy;
}

static void check_history(legato_dfr_optimiser* optimiser, int64_t index, int32_t n_groups) {
    const history h = history_of(optimiser, index);
    const legato_dfr_optimisation o = result(optimiser, index);
    int64_t best = 0, kinds[4] = {0, 0, 0, 0};
    double parameters[8], of_one[8];
    for (int64_t i = 0; i < h.total; ++i) {
        if (h.kinds[i] == LEGATO_DFR_ENERGY_GOOD && h.energies[i] < h.energies[best]) best = i;
        HOLDS(h.kinds[i] >= 0 && h.kinds[i] <= LEGATO_DFR_ENERGY_COLLAPSED);
        for (int32_t k = 0; k < 4; ++k) kinds[k] += h.kinds[i] == k;
        HOLDS(h.kinds[i] != LEGATO_DFR_ENERGY_GOOD || h.energies[i] > o.limit - 1e-8 * fabs(o.limit));
    }
    HOLDS(o.energies == h.total && o.start_energy == h.energies[0] && o.energy == h.energies[best]);
    HOLDS(o.collapsed == kinds[3] && o.failed == kinds[2] && o.not_converged == kinds[1]);
    HOLDS(memcmp(h.parameters, start, sizeof start) == 0 || index != 0);
    WORKS(legato_dfr_optimiser_basis(optimiser, index, NULL, NULL, NULL, NULL, NULL, parameters));
    WORKS(legato_dfr_optimiser_history(optimiser, index, best, 1, NULL, NULL, NULL, of_one));
    const size_t size = (size_t)n_groups * 4 * sizeof(double);
    HOLDS(memcmp(parameters, h.parameters + 4 * n_groups * best, size) == 0 && memcmp(parameters, of_one, size) == 0);
}

/* Helium in six functions; neon of the library; beryllium with groups of its own for nothing but s. */
static void optimisations(void) {
    legato_dfr_optimiser* const optimiser = new_list(150);
    int64_t index = -1, finished = 0;
    WORKS(add_helium(optimiser, 6, 0));
    WORKS(legato_dfr_optimiser_add_element(optimiser, 4, LEGATO_DFR_POINT, &index));
    HOLDS(index == 1);
    WORKS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    WORKS(legato_dfr_optimiser_advance(optimiser, 1, &finished));
    HOLDS(finished == 2);
    for (int64_t i = 0; i < 2; ++i) {
        const legato_dfr_optimisation o = result(optimiser, i);
        HOLDS(o.status == LEGATO_DFR_OPTIMISER_CONVERGED && o.energies > 10 && o.energies < 150);
        HOLDS(o.energy <= o.start_energy && o.energy > o.limit && o.collapsed == 0 && o.failed == 0);
        HOLDS(energy_of(optimiser, i, i == 0 ? 2 : 4) == o.energy);
        check_history(optimiser, i, 1);
    }
    HOLDS(result(optimiser, 0).energy < result(optimiser, 0).start_energy - 1e-4);
    HOLDS(fabs(result(optimiser, 0).limit + 2.861813342) < 1e-8);
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

/* Neon, s and p in pools of their own; fewer energies than it needs. */
static void groups(void) {
    const int32_t functions[3] = {8, 5, 5}, first[3] = {1, 1, 1}, group[3] = {0, 1, 1}, closed[3] = {2, 1, 1};
    const double parameters[8] = {0.2, 2.5, 4.5, 1.5, 0.15, 2.5, 4.5, 1.5}, none[3] = {0, 0, 0};
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    legato_dfr_optimiser* const optimiser = new_list(40);
    int32_t n_groups = 0;
    double found[8];
    WORKS(legato_dfr_optimiser_add(optimiser, &nucleus, 3, functions, first, group, 2, parameters, closed, none, NULL,
                                   -128.7, NULL));
    WORKS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    const legato_dfr_optimisation o = result(optimiser, 0);
    HOLDS(o.status == LEGATO_DFR_OPTIMISER_NOT_CONVERGED && o.energies == 40 && o.energy < o.start_energy);
    HOLDS(o.limit == -128.7);
    WORKS(legato_dfr_optimiser_basis(optimiser, 0, NULL, &n_groups, NULL, NULL, NULL, found));
    HOLDS(n_groups == 2 && found[0] != parameters[0] && found[4] != parameters[4] && found[1] != found[5]);
    HOLDS(energy_of(optimiser, 0, 10) == o.energy);
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

/* The limit is strict where it is given: all energies below it have collapsed. */
static void collapse(void) {
    legato_dfr_optimiser* const optimiser = new_list(40);
    double parameters[4];
    WORKS(add_helium(optimiser, 8, -2));
    WORKS(add_helium(optimiser, 8, 0));
    WORKS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    const legato_dfr_optimisation o = result(optimiser, 0);
    HOLDS(o.status == LEGATO_DFR_OPTIMISER_FAILED && o.energies == 1 && o.collapsed == 1 && o.energy == 0);
    HOLDS(o.limit == -2 && o.start_energy < -2 && history_of(optimiser, 0).kinds[0] == LEGATO_DFR_ENERGY_COLLAPSED);
    WORKS(legato_dfr_optimiser_basis(optimiser, 0, NULL, NULL, NULL, NULL, NULL, parameters));
    HOLDS(memcmp(parameters, start, sizeof start) == 0 && result(optimiser, 1).energy < -2.85);
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

/* ---- Runs in parts ---- */

typedef struct watcher {
    legato_dfr_optimiser* optimiser;
    legato_dfr_reducer* reducer;
    legato_progress last;
    int calls, stop_at;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    if (w->optimiser) {
        HOLDS(result(w->optimiser, 0).energies > 0);
        INVALID(legato_dfr_optimiser_run(w->optimiser, NULL, NULL), "dfr.optimiser.run: a callback cannot carry on");
        INVALID(legato_dfr_optimiser_advance(w->optimiser, 1, NULL), "dfr.optimiser.advance: a callback cannot carry");
        INVALID(add_helium(w->optimiser, 5, 0), "dfr.optimiser.add: the run has begun");
    }
    if (w->reducer) {
        HOLDS(reduced(w->reducer).status == LEGATO_DFR_OPTIMISER_RUNNING ||
              reduced(w->reducer).status == LEGATO_DFR_OPTIMISER_CONVERGED);
        INVALID(legato_dfr_reducer_run(w->reducer, NULL, NULL), "dfr.reducer.run: a callback cannot carry on");
        INVALID(legato_dfr_reducer_advance(w->reducer, 1, NULL), "dfr.reducer.advance: a callback cannot carry on");
    }
    w->last = *progress;
    return ++w->calls == w->stop_at;
}

/* From the callback a warning or a line of the backend brings about, too. */
static void note(void* user, int32_t level, const char* line) {
    watcher* const w = (watcher*)user;
    HOLDS(level <= LEGATO_LOG_INFO && strlen(line) > 0);
    ++w->calls;
    HOLDS(legato_dfr_optimiser_run(w->optimiser, NULL, NULL) == LEGATO_INVALID_ARGUMENT);
    HOLDS(add_helium(w->optimiser, 5, 0) == LEGATO_INVALID_ARGUMENT);
}

static void same(legato_dfr_optimiser* a, legato_dfr_optimiser* b) {
    for (int64_t i = 0; i < 2; ++i) {
        const history of_a = history_of(a, i), of_b = history_of(b, i);
        const legato_dfr_optimisation result_a = result(a, i), result_b = result(b, i);
        HOLDS(memcmp(&of_a, &of_b, sizeof of_a) == 0 && memcmp(&result_a, &result_b, sizeof result_a) == 0);
    }
}

static legato_dfr_optimiser* two_heliums(void) {
    legato_dfr_optimiser* const optimiser = new_list(30);
    WORKS(add_helium(optimiser, 5, 0));
    WORKS(add_helium(optimiser, 7, 0));
    return optimiser;
}

static void interrupted_runs(void) {
    legato_dfr_optimiser *const whole = two_heliums(), *const parts = two_heliums(), *resumed = NULL;
    watcher w;
    memset(&w, 0, sizeof w);
    WORKS(legato_dfr_optimiser_run(whole, NULL, NULL));
    w.optimiser = parts;
    WORKS(legato_context_set_logger(context, LEGATO_LOG_INFO, note, &w));
    WORKS(legato_dfr_optimiser_advance(parts, 2, NULL));
    HOLDS(w.calls > 0);
    WORKS(legato_context_set_logger(context, LEGATO_LOG_SILENT, NULL, NULL));
    w.calls = 0;
    w.stop_at = 3;
    REFUSED(legato_dfr_optimiser_run(parts, watch, &w), LEGATO_CANCELLED, "dfr: optimiser stopped by the progress");
    HOLDS(w.calls == 3 && w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done == 6);
    HOLDS(result(parts, 1).energies == 5 && result(parts, 1).status == LEGATO_DFR_OPTIMISER_RUNNING);
    WORKS(legato_dfr_optimiser_save(parts, file));
    WORKS(legato_dfr_optimiser_resume(context, file, &resumed));
    same(parts, resumed);
    legato_dfr_optimiser_params params;
    params.struct_size = sizeof params;
    WORKS(legato_dfr_optimiser_get_params(resumed, NULL, &params));
    HOLDS(params.max_energies == 30 && params.last_step == 1e-2);
    INVALID(add_helium(resumed, 5, 0), "dfr.optimiser.add: the run has begun");
    WORKS(legato_dfr_optimiser_run(parts, watch, &w));
    WORKS(legato_dfr_optimiser_run(resumed, NULL, NULL));
    same(whole, parts);
    same(whole, resumed);
    WORKS(legato_dfr_optimiser_destroy(whole));
    WORKS(legato_dfr_optimiser_destroy(parts));
    WORKS(legato_dfr_optimiser_destroy(resumed));
}

static void files(void) {
    legato_dfr_optimiser *const saved = two_heliums(), *optimiser = saved;
    legato_dfr_reducer* reducer = NULL;
    char bytes[4096];
    WORKS(legato_dfr_optimiser_save(saved, file)); /* Before the first energy. */
    HOLDS(result(saved, 0).status == LEGATO_DFR_OPTIMISER_WAITING);
    INVALID(add_helium(saved, 5, 0), "dfr.optimiser.add: the run has begun");
    WORKS(legato_dfr_optimiser_resume(context, file, &optimiser));
    same(saved, optimiser);
    WORKS(legato_dfr_optimiser_destroy(optimiser));
    WORKS(legato_dfr_optimiser_destroy(saved));
    /* Of another method, cut short, and none. */
    REFUSED(legato_dfr_reducer_resume(context, file, &reducer), LEGATO_BAD_FILE, "state file ");
    HOLDS(reducer == NULL);
    FILE* stream = fopen(file, "rb");
    HOLDS(stream != NULL && fread(bytes, 1, sizeof bytes, stream) == sizeof bytes);
    if (stream) fclose(stream);
    stream = fopen(file, "wb");
    HOLDS(stream != NULL && fwrite(bytes, 1, sizeof bytes, stream) == sizeof bytes);
    if (stream) fclose(stream);
    optimiser = (legato_dfr_optimiser*)bytes;
    REFUSED(legato_dfr_optimiser_resume(context, file, &optimiser), LEGATO_BAD_FILE, "state file ");
    HOLDS(optimiser == NULL);
    remove(file);
    REFUSED(legato_dfr_optimiser_resume(context, file, &optimiser), LEGATO_IO_ERROR, "");
    INVALID(legato_dfr_optimiser_resume(context, "", &optimiser), "dfr.optimiser.resume.path: the path is empty");
    INVALID(legato_dfr_optimiser_resume(context, NULL, &optimiser), "dfr.optimiser.resume.path: a null pointer");
    INVALID(legato_dfr_optimiser_resume(context, file, NULL), "dfr.optimiser: a null pointer");
}

/* ---- Reduction ---- */

static void refused_reducers(void) {
#define AT(member) offsetof(legato_dfr_reducer_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 31, "dfr.reducer.params.struct_size: 31 is not in 32..4096"},
        {AT(functions), 'i', 0, "dfr.reducer.functions: 0 is not in 1..200"},
        {AT(functions), 'i', 201, "dfr.reducer.functions: 201 is not in 1..200"},
        {AT(functions), 'i', INT32_MIN, "dfr.reducer.functions: -2147483648 is not in 1..200"},
        {AT(accuracy), 'd', 0, "dfr.reducer.accuracy: 0 is not in [1e-12, 1]"},
        {AT(accuracy), 'd', NAN, "dfr.reducer.accuracy: nan is not in ["},
        {AT(limit), 'd', 1, "dfr.reducer.limit: 1 is not in [-1000000000, 0]"},
        {AT(limit), 'd', NAN, "dfr.reducer.limit: nan is not in ["},
    };
#undef AT
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    const int32_t closed[3] = {2, 1, 1};
    const double none[3] = {0, 0, 0}, bad_start[4] = {0.1, 0.5, 4.5, 1.5};
    legato_dfr_reducer_params params;
    legato_dfr_optimiser_params optimiser_params;
    legato_dfr_reducer* reducer = NULL;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        WORKS(legato_dfr_reducer_params_init(&params));
        HOLDS(params.functions == 40 && params.accuracy == 5e-9 && params.limit == 0);
        set_member(&params, &members[i]);
        reducer = (legato_dfr_reducer*)&params;
        INVALID(
            legato_dfr_reducer_create(context, NULL, NULL, &params, &nucleus, 3, closed, none, NULL, start, &reducer),
            members[i].words);
        HOLDS(reducer == NULL);
    }
    HOLDS(legato_dfr_reducer_params_init(NULL) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_dfr_reducer_params_init_sized(&params, 1) == LEGATO_INVALID_ARGUMENT);
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
    WORKS(legato_dfr_reducer_params_init(&params));
    params.functions = 1;
    INVALID(legato_dfr_reducer_create(context, NULL, NULL, &params, &nucleus, 3, closed, none, NULL, start, &reducer),
            "dfr.reducer.configuration.closed[s1/2]: 2 is not in 0..1");
    WORKS(legato_dfr_optimiser_params_init(&optimiser_params));
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
    WORKS(create_helium_reducer(8, 1e-3, &reducer));
    HOLDS(reduced(reducer).status == LEGATO_DFR_OPTIMISER_WAITING && reduced(reducer).stages == 2);
    stage.struct_size = again.struct_size = sizeof stage;
    INVALID(legato_dfr_reducer_stage(reducer, 0, &stage), "dfr.reducer.stage.index: 0 is not in 0..-1");
    INVALID(legato_dfr_reducer_advance(reducer, 0, NULL), "dfr.reducer.advance.energies: 0 is not in 1..");
    WORKS(legato_dfr_reducer_advance(reducer, 3, &finished));
    HOLDS(finished == 0 && reduced(reducer).status == LEGATO_DFR_OPTIMISER_RUNNING && reduced(reducer).energy == 0);
    w.reducer = reducer;
    w.stop_at = 2;
    REFUSED(legato_dfr_reducer_run(reducer, watch, &w), LEGATO_CANCELLED, "dfr: reducer stopped by the progress");
    HOLDS(w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done == 2);
    WORKS(legato_dfr_reducer_save(reducer, file));
    WORKS(legato_dfr_reducer_resume(context, file, &resumed));
    WORKS(legato_dfr_reducer_run(reducer, watch, &w));
    WORKS(legato_dfr_reducer_advance(resumed, INT64_MAX, &finished));
    HOLDS(finished == 1);
    const legato_dfr_reduction r = reduced(reducer), other = reduced(resumed);
    HOLDS(memcmp(&r, &other, sizeof r) == 0 && r.status == LEGATO_DFR_OPTIMISER_CONVERGED && r.stages_done == 2);
    HOLDS(r.relative_error > 0 && r.relative_error <= 1e-3 && fabs(r.limit + 2.861813342) < 1e-8);
    HOLDS(fabs((r.energy - r.limit) / -r.limit - r.relative_error) < 1e-15);
    WORKS(legato_dfr_reducer_stage(reducer, 0, &stage));
    HOLDS(stage.kind == LEGATO_DFR_STAGE_WHOLE && stage.chosen == 8 && stage.energies > 5 && stage.energies <= 40);
    WORKS(legato_dfr_reducer_stage(reducer, 1, &stage));
    WORKS(legato_dfr_reducer_stage(resumed, 1, &again));
    HOLDS(memcmp(&stage, &again, sizeof stage) == 0 && stage.kind == LEGATO_DFR_STAGE_LAST && stage.l == 0);
    HOLDS(stage.chosen >= 2 && stage.chosen < 8 && stage.energy == r.energy && stage.reserved == 0);
    WORKS(legato_dfr_reducer_basis(reducer, &n_species, &functions, &first, parameters));
    HOLDS(n_species == 1 && functions == stage.chosen && first == 1);
    HOLDS(memcmp(parameters, stage.parameters, sizeof parameters) == 0);
    WORKS(legato_dfr_reducer_basis(reducer, NULL, NULL, NULL, NULL));
    INVALID(legato_dfr_reducer_stage(reducer, 2, &stage), "dfr.reducer.stage.index: 2 is not in 0..1");
    INVALID(legato_dfr_reducer_stage(reducer, -1, &stage), "dfr.reducer.stage.index: -1 is not in 0..1");
    INVALID(legato_dfr_reducer_stage(reducer, 0, NULL), "dfr.stage: a null pointer");
    INVALID(legato_dfr_reducer_result(reducer, NULL), "dfr.reduction: a null pointer");
    stage.struct_size = 71;
    INVALID(legato_dfr_reducer_stage(reducer, 0, &stage), "dfr.stage.struct_size: 71 is not in 72..4096");
    legato_dfr_reducer_params params = reduction_to(1, 1);
    legato_dfr_optimiser_params optimiser_params = coarse(1);
    WORKS(legato_dfr_reducer_get_params(resumed, NULL, &optimiser_params, &params));
    HOLDS(params.functions == 8 && params.accuracy == 1e-3 && optimiser_params.max_energies == 40);
    WORKS(legato_dfr_reducer_get_params(resumed, NULL, NULL, NULL));
    INVALID(legato_dfr_reducer_save(reducer, ""), "dfr.reducer.save.path: the path is empty");
    INVALID(legato_dfr_reducer_save(reducer, NULL), "dfr.reducer.save.path: a null pointer");
    WORKS(legato_dfr_reducer_destroy(reducer));
    WORKS(legato_dfr_reducer_destroy(resumed));
    legato_dfr_optimiser* optimiser = NULL;
    REFUSED(legato_dfr_optimiser_resume(context, file, &optimiser), LEGATO_BAD_FILE, "state file ");
    remove(file);
    REFUSED(legato_dfr_reducer_resume(context, file, &reducer), LEGATO_IO_ERROR, "");
    HOLDS(reducer == NULL);
}

/* Three functions are not enough. */
static void out_of_reach(void) {
    legato_dfr_reducer* reducer = NULL;
    double parameters[4];
    WORKS(create_helium_reducer(3, 1e-9, &reducer));
    WORKS(legato_dfr_reducer_run(reducer, NULL, NULL));
    const legato_dfr_reduction r = reduced(reducer);
    HOLDS(r.status == LEGATO_DFR_OPTIMISER_FAILED && r.stages_done == 0 && r.relative_error > 1e-9 && r.energy < -2);
    WORKS(legato_dfr_reducer_basis(reducer, NULL, NULL, NULL, parameters));
    HOLDS(parameters[0] != start[0]);
    WORKS(legato_dfr_reducer_destroy(reducer));
}

static size_t address_space(void) {
    unsigned long pages = 0;
    FILE* const stream = fopen("/proc/self/statm", "r");
    if (!stream) return 0;
    if (fscanf(stream, "%lu", &pages) != 1) pages = 0;
    fclose(stream);
    return (size_t)pages * 4096;
}

/* Every limit from nothing to enough: a run ends in either way, and one that ran out of memory can be repeated. */
static void limited_address_space(void) {
#if !defined(__SANITIZE_ADDRESS__)
    struct rlimit before, limit;
    int refused = 0;
    HOLDS(getrlimit(RLIMIT_AS, &before) == 0);
    for (int megabytes = 0; megabytes <= 64; megabytes += 4) {
        legato_dfr_optimiser* const optimiser = new_list(8);
        for (int i = 0; i < 4; ++i) WORKS(add_helium(optimiser, 5, -3));
        limit = before;
        limit.rlim_cur = address_space() + (size_t)megabytes * 1048576;
        HOLDS(setrlimit(RLIMIT_AS, &limit) == 0);
        const int32_t status = legato_dfr_optimiser_run(optimiser, NULL, NULL);
        HOLDS(setrlimit(RLIMIT_AS, &before) == 0);
        HOLDS(status == LEGATO_SUCCESS || status == LEGATO_OUT_OF_MEMORY);
        if (status != LEGATO_SUCCESS) {
            ++refused;
            HOLDS(strlen(legato_context_message(context)) > 0);
            WORKS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
        }
        HOLDS(result(optimiser, 3).energies == 8 && result(optimiser, 3).energy < -2.8);
        WORKS(legato_dfr_optimiser_destroy(optimiser));
    }
    HOLDS(refused > 0);
#else
    (void)address_space;
#endif
}

/* A handle outlives its context. */
static void without_its_context(void) {
    legato_dfr_optimiser* const optimiser = new_list(5);
    WORKS(add_helium(optimiser, 4, 0));
    WORKS(legato_context_destroy(context));
    HOLDS(legato_dfr_optimiser_run(optimiser, NULL, NULL) == LEGATO_SUCCESS);
    context = NULL;
    HOLDS(result(optimiser, 0).energies == 5);
    WORKS(legato_dfr_optimiser_destroy(optimiser));
}

int main(void) {
    legato_context_params params;
    refused_without_context();
    WORKS(legato_context_params_init(&params));
    params.backend = LEGATO_BACKEND_CPU;
    params.threads = 1; /* Atoms so small are done sooner than threads are woken on a busy machine. */
    WORKS(legato_context_create(&params, &context));
    WORKS(legato_context_set_logger(context, LEGATO_LOG_SILENT, NULL, NULL));
    refused_params();
    refused_basis_sets();
    refused_results();
    refused_pools();
    optimisations();
    groups();
    collapse();
    interrupted_runs();
    files();
    refused_reducers();
    reduction();
    out_of_reach();
    limited_address_space();
    without_its_context();
    printf("%d cases, %d failures\n", cases, failures);
    return failures != 0;
}
