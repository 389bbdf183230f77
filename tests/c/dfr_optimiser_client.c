/* Tests the optimisation of basis sets as a program uses it, in C99 and in C++. Small atoms and small sets are used.
 * Results are computed again, and runs are stopped, saved and resumed. */
#include "limited_memory.h"

#include <stdlib.h>

#include "dfr_optimiser_runs.h"

enum { most_energies = 200 };

static const char file[] = "dfr_optimiser_client.h5";

/* ---- Results ---- */

typedef struct history {
    int64_t total;
    double energies[most_energies], parameters[8 * most_energies];
    int32_t kinds[most_energies];
} history;

static history history_of(legato_dfr_optimiser* optimiser, int64_t index) {
    history h;
    memset(&h, 0, sizeof h);
    CHECK_SUCCESS(legato_dfr_optimiser_history(optimiser, index, 0, 0, &h.total, NULL, NULL, NULL));
    CHECK(h.total <= most_energies);
    CHECK_SUCCESS(legato_dfr_optimiser_history(optimiser, index, 0, h.total, NULL, h.energies, h.kinds, h.parameters));
    return h;
}

static double energy_with(const legato_dfr_nucleus* nucleus, int32_t n_species, const int32_t* functions,
                          const double* exponents, const int32_t* closed, const double* electrons,
                          const double* pairs) {
    legato_dfr_atom atom;
    legato_dfr* dfr = NULL;
    CHECK_SUCCESS(legato_dfr_create(context, NULL, &dfr));
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, nucleus, n_species, functions, exponents, closed, electrons, pairs, NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    atom.struct_size = sizeof atom;
    CHECK_SUCCESS(legato_dfr_result(dfr, 0, &atom));
    CHECK(atom.status == LEGATO_DFR_ATOM_STATUS_CONVERGED);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
    return atom.energy;
}

/* Returns the energy of the best basis, computed without the optimiser. */
static double energy_of(legato_dfr_optimiser* optimiser, int64_t index, int32_t element) {
    int32_t n_species = 0, n_groups = 0, functions[7], first[7], group[7], n[20], l[20], electrons_of[20],
            subshells = 0;
    int32_t closed[7];
    double parameters[28], exponents[7 * 40], electrons[7], pairs[49];
    const legato_dfr_nucleus nucleus = nucleus_of(element);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, index, &n_species, &n_groups, NULL, NULL, NULL, NULL));
    CHECK(n_species <= 7 && n_groups <= n_species);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, index, NULL, NULL, functions, first, group, parameters));
    CHECK_SUCCESS(
        legato_dfr_well_tempered_basis(context, n_species, functions, first, group, n_groups, parameters, exponents));
    CHECK_SUCCESS(legato_dfr_ground_configuration(context, element, 0, &subshells, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_ground_configuration(context, element, subshells, NULL, n, l, electrons_of));
    CHECK_SUCCESS(legato_dfr_average_of_configuration(context, subshells, n, l, electrons_of, n_species, NULL, closed,
                                                      electrons, pairs));
    return energy_with(&nucleus, n_species, functions, exponents, closed, electrons, pairs);
}

/* The iterations of an optimiser begin with other spinors, so that rounding errors differ. */
static int agree(double energy, double other) {
    return fabs(energy - other) <= 1e-13 * fabs(other);
}

static void check_history(legato_dfr_optimiser* optimiser, int64_t index, int32_t n_groups) {
    const history h = history_of(optimiser, index);
    const legato_dfr_optimisation o = result(optimiser, index);
    int64_t best = 0, kinds[4] = {0, 0, 0, 0};
    double parameters[8], of_one[8];
    for (int64_t i = 0; i < h.total; ++i) {
        if (h.kinds[i] == LEGATO_DFR_ENERGY_KIND_GOOD && h.energies[i] < h.energies[best]) best = i;
        CHECK(h.kinds[i] >= 0 && h.kinds[i] <= LEGATO_DFR_ENERGY_KIND_COLLAPSED);
        for (int32_t k = 0; k < 4; ++k) kinds[k] += h.kinds[i] == k;
        CHECK(h.kinds[i] != LEGATO_DFR_ENERGY_KIND_GOOD || h.energies[i] > o.limit - 1e-8 * fabs(o.limit));
    }
    CHECK(o.energies == h.total && o.start_energy == h.energies[0] && o.energy == h.energies[best]);
    CHECK(o.collapsed == kinds[3] && o.failed == kinds[2] && o.not_converged == kinds[1]);
    CHECK(memcmp(h.parameters, start, sizeof start) == 0 || index != 0);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, index, NULL, NULL, NULL, NULL, NULL, parameters));
    CHECK_SUCCESS(legato_dfr_optimiser_history(optimiser, index, best, 1, NULL, NULL, NULL, of_one));
    const size_t size = (size_t)n_groups * 4 * sizeof(double);
    CHECK(memcmp(parameters, h.parameters + 4 * n_groups * best, size) == 0 && memcmp(parameters, of_one, size) == 0);
}

/* Optimises helium in six functions, and beryllium of the library. */
static void optimisations(void) {
    legato_dfr_optimiser* const optimiser = new_list(150);
    int64_t index = -1, finished = 0;
    CHECK_SUCCESS(add_helium(optimiser, 6, 0));
    CHECK_SUCCESS(legato_dfr_optimiser_add_element(optimiser, 4, LEGATO_DFR_NUCLEAR_MODEL_POINT, &index));
    CHECK(index == 1);
    CHECK_SUCCESS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_advance(optimiser, 1, &finished));
    CHECK(finished == 2);
    for (int64_t i = 0; i < 2; ++i) {
        const legato_dfr_optimisation o = result(optimiser, i);
        CHECK(o.status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED && o.energies > 10 && o.energies < 150);
        CHECK(o.energy <= o.start_energy && o.energy > o.limit && o.collapsed == 0 && o.failed == 0);
        CHECK(agree(energy_of(optimiser, i, i == 0 ? 2 : 4), o.energy));
        check_history(optimiser, i, 1);
    }
    CHECK(result(optimiser, 0).energy < result(optimiser, 0).start_energy - 1e-4);
    CHECK(fabs(result(optimiser, 0).limit + 2.861813342) < 1e-8);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

/* The start of an element is its set in a library: by default one group, or one for each l. Sets of a library give the
 * same start by their groups. */
static void starts(void) {
    enum { hennessey, of_each_l, by_groups, starts };
    legato_dfr_optimiser* const optimiser = new_list(1);
    legato_dfr_basis_sets* sets = NULL;
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    const int32_t closed[3] = {2, 1, 1};
    const double none[3] = {0, 0, 0};
    int32_t functions[3], first[3], group[3], forms[3], n_groups = 0, n_parameters = 0;
    int64_t at = -1;
    double parameters[12], found[12];
    CHECK_SUCCESS(legato_dfr_optimiser_add_element(optimiser, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_add_element_with_basis(optimiser, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT,
                                                              "legato-1e-5", NULL));
    CHECK_SUCCESS(legato_dfr_basis_sets_library(context, "legato-1e-5", 0, &sets));
    CHECK_SUCCESS(legato_dfr_basis_sets_find(sets, 10, &at));
    CHECK_SUCCESS(legato_dfr_basis_sets_groups(sets, at, 3, &n_groups, &n_parameters, functions, first, group, forms,
                                               parameters));
    CHECK(n_groups == 2 && n_parameters == 8 && group[0] == 0 && group[1] == 1 && group[2] == 1);
    CHECK(forms[0] == LEGATO_DFR_GROUP_FORM_WELL_TEMPERED && forms[1] == LEGATO_DFR_GROUP_FORM_WELL_TEMPERED);
    CHECK_SUCCESS(legato_dfr_optimiser_add_groups(optimiser, &nucleus, 3, functions, first, group, n_groups, forms,
                                                  parameters, closed, none, NULL, 0, &at));
    CHECK(at == by_groups);
    CHECK_SUCCESS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    CHECK(result(optimiser, of_each_l).start_energy == result(optimiser, by_groups).start_energy);
    CHECK(fabs(result(optimiser, hennessey).start_energy + 128.691968076) < 1e-9);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, hennessey, NULL, &n_groups, NULL, NULL, NULL, found));
    CHECK(n_groups == 1 && found[0] == 9.943e-2 && found[1] == 1.945 && found[2] == 4.988 && found[3] == 1.392);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, of_each_l, NULL, &n_groups, NULL, NULL, NULL, found));
    CHECK(n_groups == 2 && memcmp(found, parameters, 8 * sizeof *found) == 0);
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(sets));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

/* Optimises neon, with separate groups for s and p, and fewer energies than it needs. */
static void groups(void) {
    const int32_t functions[3] = {8, 5, 5}, first[3] = {1, 1, 1}, group[3] = {0, 1, 1}, closed[3] = {2, 1, 1};
    const double parameters[8] = {0.2, 2.5, 4.5, 1.5, 0.15, 2.5, 4.5, 1.5}, none[3] = {0, 0, 0};
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    legato_dfr_optimiser* const optimiser = new_list(40);
    int32_t n_groups = 0;
    double found[8];
    CHECK_SUCCESS(legato_dfr_optimiser_add(optimiser, &nucleus, 3, functions, first, group, 2, parameters, closed, none,
                                           NULL, -128.7, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    const legato_dfr_optimisation o = result(optimiser, 0);
    CHECK(o.status == LEGATO_DFR_OPTIMISER_STATUS_NOT_CONVERGED && o.energies == 40 && o.energy < o.start_energy);
    CHECK(o.limit == -128.7);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, 0, NULL, &n_groups, NULL, NULL, NULL, found));
    CHECK(n_groups == 2 && found[0] != parameters[0] && found[4] != parameters[4] && found[1] != found[5]);
    CHECK(agree(energy_of(optimiser, 0, 10), o.energy));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

/* Optimises carbon with BFGS: an even-tempered group for s, and a free one for p. The basis is read, and its energy
 * computed, without the optimiser. */
static void groups_of_other_forms(void) {
    enum { s_functions = 9, p_functions = 5, n_parameters = 2 + p_functions };
    const int32_t functions[3] = {s_functions, p_functions, p_functions}, first[3] = {1, 1, 1}, group[3] = {0, 1, 1},
                  forms[2] = {LEGATO_DFR_GROUP_FORM_EVEN_TEMPERED, LEGATO_DFR_GROUP_FORM_FREE}, closed[3] = {2, 0, 0};
    const double electrons[3] = {0, 2.0 / 3, 4.0 / 3}, pairs[9] = {0, 0, 0, 0, 0, 0.6, 0, 0.6, 0.6};
    const double begin[n_parameters] = {0.1, 3.0, 0.1, 0.3, 0.9, 3.0, 12.0};
    const legato_dfr_nucleus nucleus = nucleus_of(6);
    legato_dfr_optimiser_params params = coarse(100);
    legato_dfr_optimiser *optimiser = NULL, *resumed = NULL;
    int32_t n_found = 0, forms_found[2];
    double from[n_parameters], found[n_parameters], exponents[s_functions + 2 * p_functions];
    double tried[100 * n_parameters], well_tempered[8];
    params.method = LEGATO_DFR_OPTIMISER_METHOD_LBFGS;
    params.energy_tolerance = 1e-11;
    CHECK_SUCCESS(legato_dfr_optimiser_create(context, NULL, &params, &optimiser));
    CHECK_SUCCESS(legato_dfr_optimiser_add_groups(optimiser, &nucleus, 3, functions, first, group, 2, forms, begin,
                                                  closed, electrons, pairs, 0, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_groups(optimiser, 0, NULL, NULL, NULL, found));
    CHECK(memcmp(found, begin, sizeof begin) == 0);
    CHECK_SUCCESS(legato_dfr_optimiser_advance(optimiser, 5, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_save(optimiser, file));
    CHECK_SUCCESS(legato_dfr_optimiser_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_optimiser_run(resumed, NULL, NULL));
    const legato_dfr_optimisation o = result(optimiser, 0), again = result(resumed, 0);
    CHECK(o.status == LEGATO_DFR_OPTIMISER_STATUS_CONVERGED && o.energies > 10 && o.energies < 100);
    CHECK(o.energy < o.start_energy && o.energy > o.limit && memcmp(&o, &again, sizeof o) == 0);
    CHECK_SUCCESS(legato_dfr_optimiser_groups(resumed, 0, &n_found, forms_found, from, found));
    CHECK(n_found == n_parameters && memcmp(forms_found, forms, sizeof forms) == 0);
    CHECK(memcmp(from, begin, sizeof begin) == 0 && found[0] != begin[0] && found[6] != begin[6]);
    CHECK_SUCCESS(legato_dfr_grouped_basis(context, 3, functions, first, group, 2, forms, found, exponents));
    CHECK(exponents[0] == found[0] && memcmp(exponents + s_functions, found + 2, p_functions * sizeof *found) == 0);
    CHECK(fabs(exponents[8] / (found[0] * pow(found[1], 8)) - 1) < 1e-14);
    CHECK(agree(energy_with(&nucleus, 3, functions, exponents, closed, electrons, pairs), o.energy));
    CHECK_SUCCESS(legato_dfr_optimiser_history_of_groups(optimiser, 0, 0, o.energies, tried));
    CHECK(memcmp(tried, begin, sizeof begin) == 0);
    INVALID(
        legato_dfr_optimiser_basis(optimiser, 0, NULL, NULL, NULL, NULL, NULL, well_tempered),
        "dfr.optimiser.basis.parameters: groups[0] is not well-tempered; pass NULL and call legato_dfr_optimiser_gr");
    INVALID(legato_dfr_optimiser_atom(optimiser, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, well_tempered),
            "dfr.optimiser.atom.parameters: groups[0] is not well-tempered");
    INVALID(legato_dfr_optimiser_history(optimiser, 0, 0, 1, NULL, NULL, NULL, well_tempered),
            "dfr.optimiser.history.parameters: groups[0] is not well-tempered");
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(resumed));
}

/* A given limit is strict: all energies below it count as collapsed. */
static void collapse(void) {
    legato_dfr_optimiser* const optimiser = new_list(40);
    double parameters[4];
    CHECK_SUCCESS(add_helium(optimiser, 8, -2));
    CHECK_SUCCESS(add_helium(optimiser, 8, 0));
    CHECK_SUCCESS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
    const legato_dfr_optimisation o = result(optimiser, 0);
    CHECK(o.status == LEGATO_DFR_OPTIMISER_STATUS_FAILED && o.energies == 1 && o.collapsed == 1 && o.energy == 0);
    CHECK(o.limit == -2 && o.start_energy < -2 &&
          history_of(optimiser, 0).kinds[0] == LEGATO_DFR_ENERGY_KIND_COLLAPSED);
    CHECK_SUCCESS(legato_dfr_optimiser_basis(optimiser, 0, NULL, NULL, NULL, NULL, NULL, parameters));
    CHECK(memcmp(parameters, start, sizeof start) == 0 && result(optimiser, 1).energy < -2.85);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

/* ---- Runs in parts ---- */

typedef struct watcher {
    legato_dfr_optimiser* optimiser;
    legato_progress last;
    int calls, stop_at;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    CHECK(result(w->optimiser, 0).energies > 0);
    INVALID(legato_dfr_optimiser_run(w->optimiser, NULL, NULL), "dfr.optimiser.run: a callback cannot continue");
    INVALID(legato_dfr_optimiser_advance(w->optimiser, 1, NULL), "dfr.optimiser.advance: a callback cannot continue");
    INVALID(add_helium(w->optimiser, 5, 0), "dfr.optimiser.add: the run has begun");
    w->last = *progress;
    return ++w->calls == w->stop_at;
}

/* Tries to continue the run from a callback for a log line, too. */
static void note(void* user, int32_t level, const char* line) {
    watcher* const w = (watcher*)user;
    CHECK(level <= LEGATO_LOG_LEVEL_INFO && strlen(line) > 0);
    ++w->calls;
    CHECK(legato_dfr_optimiser_run(w->optimiser, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(add_helium(w->optimiser, 5, 0) == LEGATO_STATUS_INVALID_ARGUMENT);
}

static void same(legato_dfr_optimiser* a, legato_dfr_optimiser* b) {
    for (int64_t i = 0; i < 2; ++i) {
        const history of_a = history_of(a, i), of_b = history_of(b, i);
        const legato_dfr_optimisation result_a = result(a, i), result_b = result(b, i);
        CHECK(memcmp(&of_a, &of_b, sizeof of_a) == 0 && memcmp(&result_a, &result_b, sizeof result_a) == 0);
    }
}

static legato_dfr_optimiser* two_heliums(void) {
    legato_dfr_optimiser* const optimiser = new_list(30);
    CHECK_SUCCESS(add_helium(optimiser, 5, 0));
    CHECK_SUCCESS(add_helium(optimiser, 7, 0));
    return optimiser;
}

static void interrupted_runs(void) {
    legato_dfr_optimiser *const whole = two_heliums(), *const parts = two_heliums(), *resumed = NULL;
    watcher w;
    memset(&w, 0, sizeof w);
    CHECK_SUCCESS(legato_dfr_optimiser_run(whole, NULL, NULL));
    w.optimiser = parts;
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_INFO, note, &w));
    CHECK_SUCCESS(legato_dfr_optimiser_advance(parts, 2, NULL));
    CHECK(w.calls > 0);
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_SILENT, NULL, NULL));
    w.calls = 0;
    w.stop_at = 3;
    REFUSED(legato_dfr_optimiser_run(parts, watch, &w), LEGATO_STATUS_CANCELLED,
            "dfr: stopped by the progress callback");
    CHECK(w.calls == 3 && w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done == 6);
    CHECK(result(parts, 1).energies == 5 && result(parts, 1).status == LEGATO_DFR_OPTIMISER_STATUS_RUNNING);
    CHECK_SUCCESS(legato_dfr_optimiser_save(parts, file));
    CHECK_SUCCESS(legato_dfr_optimiser_resume(context, file, &resumed));
    same(parts, resumed);
    legato_dfr_optimiser_params params;
    params.struct_size = sizeof params;
    CHECK_SUCCESS(legato_dfr_optimiser_get_params(resumed, NULL, &params));
    CHECK(params.max_energies == 30 && params.last_step == 1e-2);
    INVALID(add_helium(resumed, 5, 0), "dfr.optimiser.add: the run has begun");
    CHECK_SUCCESS(legato_dfr_optimiser_run(parts, watch, &w));
    CHECK_SUCCESS(legato_dfr_optimiser_run(resumed, NULL, NULL));
    same(whole, parts);
    same(whole, resumed);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(whole));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(parts));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(resumed));
}

/* The atoms that were added can be read before the run and after resuming. */
static void atoms_of_states(void) {
    const int32_t functions[3] = {8, 4, 4}, first[3] = {1, 2, 2}, group[3] = {0, 1, 1}, closed[3] = {2, 0, 0};
    const double electrons[3] = {0, 1.0 / 3, 2.0 / 3}, pairs[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    double parameters[8];
    legato_dfr_nucleus nucleus, told;
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, 5, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &nucleus));
    memcpy(parameters, start, sizeof start);
    memcpy(parameters + 4, start, sizeof start);
    parameters[4] = 0.2;
    legato_dfr_optimiser *const optimiser = new_list(3), *resumed = NULL;
    CHECK_SUCCESS(add_helium(optimiser, 5, 0));
    CHECK_SUCCESS(legato_dfr_optimiser_add(optimiser, &nucleus, 3, functions, first, group, 2, parameters, closed,
                                           electrons, pairs, -24.6, NULL));
    for (int round = 0; round < 2; ++round) {
        legato_dfr_optimiser* const list = round ? resumed : optimiser;
        int32_t n_species = 0, n_groups = 0, shells[3] = {9, 9, 9};
        double open[3], between[9], limit = 1, from[8];
        memset(&told, 0xa5, sizeof told);
        told.struct_size = sizeof told;
        CHECK_SUCCESS(
            legato_dfr_optimiser_atom(list, 1, &told, &n_species, &n_groups, shells, open, between, &limit, from));
        CHECK(told.model == nucleus.model && told.charge == 5 && told.exponent == nucleus.exponent);
        CHECK(n_species == 3 && n_groups == 2 && limit == -24.6);
        CHECK(memcmp(shells, closed, sizeof closed) == 0 && memcmp(open, electrons, sizeof open) == 0);
        CHECK(memcmp(between, pairs, sizeof pairs) == 0 && memcmp(from, parameters, sizeof from) == 0);
        CHECK_SUCCESS(legato_dfr_optimiser_atom(list, 0, NULL, &n_species, NULL, NULL, NULL, NULL, &limit, NULL));
        CHECK(n_species == 1 && limit == 0);
        INVALID(legato_dfr_optimiser_atom(list, 2, &told, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                "dfr.optimiser.index: 2 is not in 0..1");
        told.struct_size = 39;
        INVALID(legato_dfr_optimiser_atom(list, 1, &told, &n_species, NULL, NULL, NULL, NULL, NULL, NULL),
                "dfr.nucleus.struct_size: 39 is not in 40..4096");
        if (round) break;
        CHECK_SUCCESS(legato_dfr_optimiser_advance(optimiser, 2, NULL));
        CHECK_SUCCESS(legato_dfr_optimiser_save(optimiser, file));
        CHECK_SUCCESS(legato_dfr_optimiser_resume(context, file, &resumed));
    }
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(resumed));
    remove(file);
}

static void files(void) {
    legato_dfr_optimiser *const saved = two_heliums(), *optimiser = saved;
    legato_dfr_reducer* reducer = NULL;
    char bytes[4096];
    CHECK_SUCCESS(legato_dfr_optimiser_save(saved, file)); /* This is before the first energy. */
    CHECK(result(saved, 0).status == LEGATO_DFR_OPTIMISER_STATUS_WAITING);
    INVALID(add_helium(saved, 5, 0), "dfr.optimiser.add: the run has begun");
    CHECK_SUCCESS(legato_dfr_optimiser_resume(context, file, &optimiser));
    same(saved, optimiser);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(saved));
    /* The state file is one of another method, is truncated, and does not exist. */
    REFUSED(legato_dfr_reducer_resume(context, file, &reducer), LEGATO_STATUS_BAD_FILE, "state file ");
    CHECK(reducer == NULL);
    FILE* stream = fopen(file, "rb");
    CHECK(stream != NULL && fread(bytes, 1, sizeof bytes, stream) == sizeof bytes);
    if (stream) fclose(stream);
    stream = fopen(file, "wb");
    CHECK(stream != NULL && fwrite(bytes, 1, sizeof bytes, stream) == sizeof bytes);
    if (stream) fclose(stream);
    optimiser = (legato_dfr_optimiser*)bytes;
    REFUSED(legato_dfr_optimiser_resume(context, file, &optimiser), LEGATO_STATUS_BAD_FILE, "state file ");
    CHECK(optimiser == NULL);
    remove(file);
    REFUSED(legato_dfr_optimiser_resume(context, file, &optimiser), LEGATO_STATUS_IO_ERROR, "state file ");
    INVALID(legato_dfr_optimiser_resume(context, "", &optimiser), "dfr.optimiser.resume.path: the path is empty");
    INVALID(legato_dfr_optimiser_resume(context, NULL, &optimiser), "dfr.optimiser.resume.path: a null pointer");
    INVALID(legato_dfr_optimiser_resume(context, file, NULL), "dfr.optimiser: a null pointer");
}

/* Tests memory limits from nothing to enough. A run either succeeds or runs out of memory, and can then be repeated. */
static void limited_address_space(void) {
#if !defined(__SANITIZE_ADDRESS__)
    int refused = 0, done = 0;
    for (int megabytes = 0; megabytes <= 64; megabytes += 4) {
        legato_dfr_optimiser* const optimiser = new_list(8);
        for (int i = 0; i < 4; ++i) CHECK_SUCCESS(add_helium(optimiser, 5, -3));
        CHECK(limit_address_space(megabytes));
        const int32_t status = legato_dfr_optimiser_run(optimiser, NULL, NULL);
        CHECK(lift_limit());
        CHECK(status == LEGATO_STATUS_SUCCESS || status == LEGATO_STATUS_OUT_OF_MEMORY);
        done += status == LEGATO_STATUS_SUCCESS;
        if (status != LEGATO_STATUS_SUCCESS) {
            ++refused;
            CHECK(strlen(legato_context_message(context)) > 0);
            CHECK_SUCCESS(legato_dfr_optimiser_run(optimiser, NULL, NULL));
        }
        CHECK(result(optimiser, 3).energies == 8 && result(optimiser, 3).energy < -2.8);
        CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
    }
    CHECK(refused > 0 && done > 0);
#endif
}

/* A handle outlives its context. */
static void without_its_context(void) {
    legato_dfr_optimiser* const optimiser = new_list(5);
    CHECK_SUCCESS(add_helium(optimiser, 4, 0));
    CHECK_SUCCESS(legato_context_destroy(context));
    CHECK(legato_dfr_optimiser_run(optimiser, NULL, NULL) == LEGATO_STATUS_SUCCESS);
    context = NULL;
    CHECK(result(optimiser, 0).energies == 5);
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
}

int main(void) {
    CHECK((context = cpu_context(1)) != NULL);
    optimisations();
    starts();
    groups();
    groups_of_other_forms();
    collapse();
    interrupted_runs();
    atoms_of_states();
    files();
    limited_address_space();
    without_its_context();
    return verdict("dfr_optimiser_client");
}
