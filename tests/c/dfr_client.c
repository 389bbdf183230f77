/* Tests Dirac-Fock-Roothaan atoms as a program uses them, in C99 and in C++: complete and interrupted runs, and
 * results, which are compared with independent numbers. */
#include "limited_memory.h"

#include <pthread.h>

#include "dfr_runs.h"

static const double pi = 3.14159265358979323846;

/* ---- The basis functions, computed again from their definition ---- */

static int l_of(int species) {
    return (species + 1) / 2;
}
static int kappa_of(int species) {
    return species % 2 ? (species + 1) / 2 : -(species / 2 + 1);
}

/* Returns int_0^inf r^m e^(-p r^2) dr. */
static double moment(int m, double p) {
    return 0.5 * tgamma(0.5 * (m + 1)) * pow(p, -0.5 * (m + 1));
}

/* Returns <p|r^power|q> of large or of small components. */
static double element(int species, int small, double zeta, double eta, int power) {
    const int l = l_of(species), a = l + 1 + kappa_of(species);
    const double p = zeta + eta;
    if (!small) return moment(2 * l + 2 + power, p) / sqrt(moment(2 * l + 2, 2 * zeta) * moment(2 * l + 2, 2 * eta));
    const double norms = 4 * zeta * eta * sqrt(moment(2 * l + 4, 2 * zeta) * moment(2 * l + 4, 2 * eta));
    double sum = 4 * zeta * eta * moment(2 * l + 4 + power, p);
    if (a != 0) sum += a * a * moment(2 * l + power, p) - 2 * a * p * moment(2 * l + 2 + power, p);
    return sum / norms;
}

/* Returns the sum of P^2 and Q^2 of one state at r. */
static double square_at(int species, int n, const double* zeta, const double* large, const double* small, double r) {
    const int l = l_of(species);
    double p = 0, q = 0;
    for (int i = 0; i < n; ++i) {
        const double gaussian = exp(-zeta[i] * r * r);
        p += large[i] * pow(r, l + 1) * gaussian / sqrt(moment(2 * l + 2, 2 * zeta[i]));
        if (small)
            q += small[i] * ((l + 1 + kappa_of(species)) * pow(r, l) - 2 * zeta[i] * pow(r, l + 2)) * gaussian /
                 (2 * zeta[i] * sqrt(moment(2 * l + 4, 2 * zeta[i])));
    }
    return p * p + q * q;
}

static double matrix_element(int species, int n, const double* zeta, const double* large, const double* small, int a,
                             int b, int power) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            sum += large[a * n + i] * large[b * n + j] * element(species, 0, zeta[i], zeta[j], power);
            if (small) sum += small[a * n + i] * small[b * n + j] * element(species, 1, zeta[i], zeta[j], power);
        }
    return sum;
}

/* ---- Results ---- */

/* Energies from an independent program: c = 137.0359895, and without relativity. */
static const struct {
    int32_t element;
    double relativistic, non_relativistic;
} references[] = {
    {2, -2.861813332, -2.861679986},        {6, -37.676044081, -37.659697890},
    {8, -74.824999296, -74.769201053},      {10, -128.691968097, -128.547097540},
    {18, -528.684433877, -526.817510429},   {24, -1049.598788901, -1043.141750435},
    {54, -7447.157348038, -7232.138332525},
};
enum { n_references = sizeof references / sizeof *references };

/* Without a name the basis set is that of legato-5e-9, whose error is at most 5e-9. dfr_limits gives the limit energies
 * with Gaussian nuclei; for mercury at this speed of light, a calculation without a basis does, too. */
static void default_basis(void) {
    static const struct {
        int32_t element;
        double limit;
    } limits[] = {{1, -0.500006656}, {10, -128.691930548}, {80, -19648.896156}};
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.speed_of_light = 137.0359895;
    legato_dfr* const dfr = new_list(&params);
    for (int i = 0; i < 3; ++i) {
        const int32_t z = limits[i].element, model = LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN;
        CHECK_SUCCESS(legato_dfr_add_element(dfr, z, model, NULL));
        CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, z, model, NULL, NULL));
        CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, z, model, "legato-5e-9", NULL));
        CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, z, model, "legato-1e-6", NULL));
    }
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    for (int i = 0; i < 3; ++i) {
        const double limit = limits[i].limit, energy = result(dfr, 4 * i).energy;
        CHECK(energy > limit - 5e-10 && energy - limit <= 5e-9 * fabs(limit) + 5e-10);
        CHECK(result(dfr, 4 * i + 1).energy == energy && result(dfr, 4 * i + 2).energy == energy);
        CHECK(result(dfr, 4 * i + 3).energy > energy && result(dfr, 4 * i + 3).energy - limit <= 1e-6 * fabs(limit));
    }
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

static void batches(void) {
    for (int32_t relativistic = 0; relativistic < 2; ++relativistic) {
        legato_dfr_params params;
        int64_t finished = 0, atoms = 0, index = -1;
        legato_dfr_params_init(&params);
        params.relativistic = relativistic;
        params.speed_of_light = 137.0359895;
        legato_dfr* const dfr = new_list(&params);
        for (int i = 0; i < n_references; ++i) {
            CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, references[i].element, LEGATO_DFR_NUCLEAR_MODEL_POINT,
                                                            "hennessey", &index));
            CHECK(index == i);
        }
        CHECK_SUCCESS(legato_dfr_size(dfr, &atoms));
        CHECK(atoms == n_references);
        CHECK_SUCCESS(legato_dfr_advance(dfr, INT64_MAX, &finished));
        CHECK(finished == n_references);
        for (int i = 0; i < n_references; ++i) {
            const legato_dfr_atom atom = result(dfr, i);
            const double energy = relativistic ? references[i].relativistic : references[i].non_relativistic;
            CHECK(atom.status == LEGATO_DFR_ATOM_STATUS_CONVERGED && atom.iterations > 5 && atom.iterations < 40);
            /* The tolerance is 1e-10 relative, or the table's nine decimals. */
            CHECK(fabs(atom.energy - energy) <= fmax(1e-10 * fabs(energy), 0.5e-9));
            CHECK(fabs(atom.energy - atom.kinetic - atom.nuclear - atom.repulsion) <= 1e-12 * fabs(energy) ||
                  relativistic);
            CHECK(fabs(atom.virial_ratio - (relativistic ? 1 : 2)) < 1e-4 && atom.gradient <= 1e-6);
            CHECK(fabs(atom.virial_ratio + (atom.nuclear + atom.repulsion) / atom.kinetic) < 1e-14);
        }
        CHECK_SUCCESS(legato_dfr_destroy(dfr));
    }
}

/* Compares all results of one species with overlaps and moments from their definition. Returns its number of
 * electrons. */
static double check_species(legato_dfr* dfr, int64_t index, int relativistic, int s, int n, const double* zeta,
                            double* density, int points, const double* r) {
    static double large[max_n * max_n], small[max_n * max_n];
    double energies[max_n], occupations[max_n], sum = 0;
    int32_t states = 0;
    CHECK_SUCCESS(legato_dfr_spinors(dfr, index, s, 0, &states, NULL, NULL, NULL, NULL));
    CHECK(states >= 0 && states <= n && n <= max_n);
    CHECK_SUCCESS(
        legato_dfr_spinors(dfr, index, s, states, NULL, energies, occupations, large, relativistic ? small : NULL));
    for (int a = 0; a < states; ++a)
        for (int b = 0; b <= a; ++b) {
            const double overlap = matrix_element(s, n, zeta, large, relativistic ? small : NULL, a, b, 0);
            CHECK(fabs(overlap - (a == b)) < 1e-9);
        }
    for (int a = 0; a < states; ++a) {
        sum += occupations[a];
        CHECK(a == 0 || energies[a] >= energies[a - 1] || fabs(energies[a] - energies[a - 1]) < 1e-6);
        CHECK(a == 0 || occupations[a] <= occupations[a - 1]);
    }
    for (int power = -2; power <= 10; power += 3) {
        double value = 0;
        CHECK_SUCCESS(legato_dfr_radial_moment(dfr, index, s, 0, power, &value));
        CHECK(fabs(value / matrix_element(s, n, zeta, large, relativistic ? small : NULL, 0, 0, power) - 1) < 1e-8);
    }
    for (int a = 0; a < states && occupations[a] > 0; ++a)
        for (int i = 0; i < points; ++i)
            density[i] +=
                occupations[a] * square_at(s, n, zeta, large + a * n, relativistic ? small + a * n : NULL, r[i]);
    return sum;
}

enum { points = 900 };

/* Builds carbon from its exponents and the numbers of its open shell. It must be the carbon of the library. */
static void carbon(int32_t relativistic) {
    double zeta[2][max_n], exponents[3 * max_n], own[points], density[points], r[points];
    const int32_t n_functions[3] = {23, 15, 15}, closed[3] = {2, 0, 0};
    int32_t n_species = 0, functions[3];
    const double electrons[3] = {0, 2.0 / 3.0, 4.0 / 3.0}, pair = 0.6; /* the factor is (N - 1) M / [N (M - 1)] */
    const double pairs[9] = {1, 1, 1, 1, pair, pair, 1, pair, pair};
    const legato_dfr_nucleus nucleus = nucleus_of(6);
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.relativistic = relativistic;
    legato_dfr* const dfr = new_list(&params);
    CHECK_SUCCESS(legato_dfr_well_tempered(context, 4.613e-2, 1.941, 4.717, 1.317, 23, zeta[0]));
    for (int i = 0; i < 53; ++i) exponents[i] = zeta[0][i < 23 ? i : (i - 23) % 15];
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus, 3, n_functions, exponents, closed, electrons, pairs, NULL));
    CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, 6, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
    CHECK_SUCCESS(legato_dfr_atom_size(dfr, 1, &n_species, functions));
    CHECK(n_species == 3 && functions[0] == 23 && functions[1] == 15 && functions[2] == 15);
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    const legato_dfr_atom mine = result(dfr, 0), library = result(dfr, 1);
    CHECK(mine.status == LEGATO_DFR_ATOM_STATUS_CONVERGED && fabs(mine.energy / library.energy - 1) < 1e-13);
    CHECK(fabs(mine.energy - (relativistic ? -37.676044078 : -37.659697890)) < 5e-9);

    double sum = 0, integral = 0;
    memset(own, 0, sizeof own);
    for (int i = 0; i < points; ++i) r[i] = i == 0 ? 0 : 1e-7 * pow(10, 9 * (i - 1) / (double)(points - 2));
    CHECK_SUCCESS(legato_dfr_radial_density(dfr, 0, points, r, density));
    for (int s = 0; s < 3; ++s) {
        const double found = check_species(dfr, 0, relativistic, s, n_functions[s], zeta[0], own, points, r);
        CHECK(fabs(found - (s == 0 ? 4 : electrons[s])) < 1e-14);
        sum += found;
    }
    CHECK(fabs(sum - 6) < 1e-13 && density[0] >= 0);
    for (int i = 0; i < points; ++i) {
        CHECK(fabs(own[i] - density[i]) <= 1e-9 * fabs(own[i]) + 1e-12);
        /* Integrates by the trapezoidal rule in ln r. */
        if (i > 1) integral += density[i] * r[i] * log(10.0) * 9 / (double)(points - 2);
    }
    CHECK(fabs(integral - 6) < 1e-6);
    if (!relativistic) {
        double small[max_n];
        INVALID(legato_dfr_spinors(dfr, 0, 0, 1, NULL, NULL, NULL, NULL, small),
                "dfr.spinors.small: there are no small components without relativity");
    }
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* Tests hydrogen in 2p with an empty first species, and the ground state of hydrogen in one function. */
static void hydrogen(void) {
    const legato_dfr_nucleus nucleus = nucleus_of(1);
    const int32_t n_functions[2] = {0, 16}, closed[2] = {0, 0}, one = 1;
    const double electrons[2] = {0, 1}, zeros[4] = {0, 0, 0, 0}, best = 8 / (9 * pi), single = 1;
    double zeta[16], value = -1, r[2] = {0, 1}, density[2] = {-1, -1};
    int32_t states = -1;
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.relativistic = 0;
    legato_dfr* const dfr = new_list(&params);
    for (int i = 0; i < 16; ++i) zeta[i] = 0.005 * pow(2, i);
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus, 2, n_functions, zeta, closed, electrons, zeros, NULL));
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus, 1, &one, &best, closed, &single, zeros, NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    CHECK(fabs(result(dfr, 0).energy + 0.125) < 1e-7 && fabs(result(dfr, 1).energy + 4 / (3 * pi)) < 1e-14);
    CHECK_SUCCESS(legato_dfr_spinors(dfr, 0, 0, 0, &states, NULL, NULL, NULL, NULL));
    CHECK(states == 0);
    INVALID(legato_dfr_spinors(dfr, 0, 0, 1, &states, NULL, NULL, NULL, NULL), "dfr.spinors.n: 1 is not in 0..0");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 1, &value),
            "dfr.state: 0 does not exist, because there is none yet");
    CHECK_SUCCESS(legato_dfr_radial_moment(dfr, 0, 1, 0, 1, &value));
    CHECK(fabs(value - 5) < 1e-3); /* the exact value is [3 n^2 - l (l + 1)] / 2 */
    CHECK_SUCCESS(legato_dfr_radial_density(dfr, 0, 2, r, density));
    CHECK(density[0] == 0 && fabs(density[1] - exp(-1.0) / 24) < 1e-4);
    CHECK_SUCCESS(legato_dfr_radial_functions(dfr, 0, 1, 0, 2, r, density, NULL));
    CHECK(density[0] == 0 && fabs(density[1] - exp(-0.5) / sqrt(24)) < 1e-4); /* r^2 exp(-r/2) / sqrt(24) */
    CHECK_SUCCESS(legato_dfr_radial_functions(dfr, 0, 1, 0, 2, r, NULL, NULL));
    INVALID(legato_dfr_radial_functions(dfr, 0, 1, 0, 2, r, density, density),
            "dfr.radial_functions.small: there are no small components without relativity");
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* ---- Runs ---- */

typedef struct watcher {
    legato_dfr* dfr;
    legato_progress last;
    int calls, stop_at, lines, refused;
    char line[512];
} watcher;

static void try_from_within(watcher* w) {
    w->refused += legato_dfr_run(w->dfr, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT;
    w->refused += legato_dfr_advance(w->dfr, 1, NULL) == LEGATO_STATUS_INVALID_ARGUMENT;
    w->refused += add_helium(w->dfr) == LEGATO_STATUS_INVALID_ARGUMENT;
}

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    double energies[1];
    CHECK_SUCCESS(legato_dfr_spinors(w->dfr, 0, 0, 1, NULL, energies, NULL, NULL, NULL));
    CHECK(energies[0] < 0 && result(w->dfr, 0).iterations > 0);
    INVALID(legato_dfr_run(w->dfr, watch, w), "dfr.run: a callback cannot continue the run that calls it");
    INVALID(legato_dfr_advance(w->dfr, 1, NULL), "dfr.advance: a callback cannot continue the run that calls it");
    INVALID(add_helium(w->dfr), "dfr.add: the run has begun");
    w->last = *progress;
    return ++w->calls == w->stop_at;
}

static void note(void* user, int32_t level, const char* line) {
    watcher* const w = (watcher*)user;
    if (level == LEGATO_LOG_LEVEL_ERROR) return; /* message of a refused call */
    CHECK(level == LEGATO_LOG_LEVEL_WARNING || level == LEGATO_LOG_LEVEL_INFO);
    ++w->lines;
    strncpy(w->line, line, sizeof w->line - 1);
    if (w->dfr) try_from_within(w);
}

static int same_atom(legato_dfr* a, legato_dfr* b, int64_t index) {
    static double x[4][max_n * max_n], y[4][max_n * max_n];
    const legato_dfr_atom of_a = result(a, index), of_b = result(b, index);
    int32_t n = 0;
    if (memcmp(&of_a, &of_b, sizeof of_a) != 0) return 0;
    memset(x, 0, sizeof x);
    memset(y, 0, sizeof y);
    CHECK_SUCCESS(legato_dfr_spinors(a, index, 0, 0, &n, NULL, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_spinors(a, index, 0, n, NULL, x[0], x[1], x[2], x[3]));
    CHECK_SUCCESS(legato_dfr_spinors(b, index, 0, n, NULL, y[0], y[1], y[2], y[3]));
    return memcmp(x, y, sizeof x) == 0;
}

static void interrupted_runs(void) {
    legato_dfr* const whole = new_list(NULL);
    watcher w;
    int64_t finished = -1;
    memset(&w, 0, sizeof w);
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_INFO, note, &w));
    legato_dfr* const parts = new_list(NULL);
    const int32_t elements[2] = {10, 2};
    for (int i = 0; i < 2; ++i) {
        CHECK_SUCCESS(
            legato_dfr_add_element_with_basis(whole, elements[i], LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
        CHECK_SUCCESS(
            legato_dfr_add_element_with_basis(parts, elements[i], LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
    }
    CHECK_SUCCESS(legato_dfr_run(whole, NULL, NULL));
    CHECK(w.lines == 1 && strstr(w.line, "dfr: backend cpu") != NULL);
    w.dfr = parts; /* From here on log callbacks try to continue the run, too, first while it is being started. */
    CHECK_SUCCESS(legato_dfr_advance(parts, 2, &finished));
    CHECK(finished == 0 && result(parts, 0).iterations == 2 &&
          result(parts, 0).status == LEGATO_DFR_ATOM_STATUS_RUNNING);
    CHECK(w.lines == 2 && w.refused == 3);
    w.stop_at = 3;
    REFUSED(legato_dfr_run(parts, watch, &w), LEGATO_STATUS_CANCELLED, "dfr: stopped by the progress callback");
    CHECK(w.calls == 3 && w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done == 6);
    CHECK(w.last.struct_size == sizeof w.last && w.last.seconds > 0 && w.last.cycles_per_second > 0);
    CHECK(result(parts, 0).iterations == 5 && result(parts, 0).energy < -128);
    CHECK_SUCCESS(legato_dfr_advance(parts, 1, NULL));
    CHECK_SUCCESS(legato_dfr_run(parts, watch, &w));
    CHECK(w.last.points_done == 2);
    CHECK_SUCCESS(legato_dfr_run(parts, watch, &w)); /* Nothing is left to do. */
    CHECK_SUCCESS(legato_dfr_advance(parts, 1, &finished));
    CHECK(finished == 2);
    CHECK(same_atom(whole, parts, 0) && same_atom(whole, parts, 1));
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_SILENT, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_destroy(whole));
    CHECK_SUCCESS(legato_dfr_destroy(parts));
}

static void runs_that_do_not_converge(void) {
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    const int32_t n_functions = 10, closed = 2;
    double exponents[10], value, none = 0;
    watcher w;
    legato_dfr_params params;
    int64_t finished = 0;
    legato_dfr_params_init(&params);
    params.max_iterations = 1;
    legato_dfr* const once = new_list(&params);
    CHECK_SUCCESS(add_helium(once));
    CHECK_SUCCESS(legato_dfr_run(once, NULL, NULL));
    const legato_dfr_atom atom = result(once, 0);
    CHECK(atom.status == LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED && atom.iterations == 1 &&
          fabs(atom.energy + 2.86) < 0.1);
    CHECK_SUCCESS(legato_dfr_radial_moment(once, 0, 0, 0, 1, &value));
    CHECK(fabs(value - 0.93) < 0.1);
    CHECK_SUCCESS(legato_dfr_destroy(once));

    /* Near linear dependence leaves only one function for two closed shells. */
    for (int i = 0; i < 10; ++i) exponents[i] = 1;
    memset(&w, 0, sizeof w);
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_WARNING, note, &w));
    legato_dfr* const dfr = new_list(NULL);
    CHECK_SUCCESS(add_helium(dfr));
    for (int i = 0; i < 20; ++i)
        CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus, 1, &n_functions, exponents, &closed, &none, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_advance(dfr, 1, &finished));
    CHECK(finished == 20 && w.lines == 11);
    CHECK(strcmp(w.line, "dfr: more than 10 atoms failed; the others are not named") == 0);
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    CHECK(w.lines == 11 && result(dfr, 0).status == LEGATO_DFR_ATOM_STATUS_CONVERGED);
    const legato_dfr_atom failed = result(dfr, 20);
    CHECK(failed.status == LEGATO_DFR_ATOM_STATUS_FAILED && failed.energy == 0 && failed.virial_ratio == 0);
    INVALID(legato_dfr_spinors(dfr, 1, 0, 0, NULL, NULL, NULL, NULL, NULL), "dfr.index: 1 has failed and has no res");
    INVALID(legato_dfr_radial_moment(dfr, 1, 0, 0, 1, &value), "dfr.index: 1 has failed");
    INVALID(legato_dfr_radial_functions(dfr, 1, 0, 0, 1, &none, &value, &value), "dfr.index: 1 has failed");
    INVALID(legato_dfr_radial_density(dfr, 1, 1, &none, &value), "dfr.index: 1 has failed");
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_SILENT, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* The energy of 2p1/2 of hydrogen-like radon without diffuse functions lies below the exact one. Nearly dependent
 * functions are partly left out. Z = 2 does not bind ten electrons. */
static void no_results(void) {
    const legato_dfr_nucleus radon = nucleus_of(86), helium = nucleus_of(2);
    const int32_t p_only[2] = {0, 40}, none[2] = {0, 0}, one_shell = 1, many = 40, neon[3] = {12, 8, 8},
                  shells[3] = {2, 1, 1};
    const double open[2] = {0, 1}, pairs[4] = {0, 0, 0, 0}, closed_only[3] = {0, 0, 0};
    double zeta[40], dense[40], few[28];
    int32_t left_out = -1;
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.gradient_threshold = 1e-6; /* attainable with near linear dependence */
    legato_dfr* const dfr = new_list(&params);
    CHECK_SUCCESS(legato_context_set_logger(context, LEGATO_LOG_LEVEL_SILENT, NULL, NULL));
    for (int i = 0; i < 40; ++i) zeta[i] = 30 * pow(2.0, i);
    for (int i = 0; i < 40; ++i) dense[i] = 0.05 * pow(1.3, i);
    CHECK_SUCCESS(legato_dfr_well_tempered(context, 0.15, 2.2, 4.5, 1.5, 12, few));
    for (int i = 12; i < 28; ++i) few[i] = few[(i - 12) % 8];
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &radon, 2, p_only, zeta, none, open, pairs, NULL));
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &helium, 1, &many, dense, &one_shell, closed_only, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &helium, 3, neon, few, shells, closed_only, NULL, NULL));
    CHECK(isnan(result(dfr, 0).limit));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    const legato_dfr_atom collapsed = result(dfr, 0), whole = result(dfr, 1), unbound = result(dfr, 2);
    const double a = 86 / 137.03599976, exact = 137.03599976 * 137.03599976 * (sqrt((1 + sqrt(1 - a * a)) / 2) - 1);
    CHECK(collapsed.status == LEGATO_DFR_ATOM_STATUS_COLLAPSED && collapsed.energy < exact && collapsed.iterations > 0);
    CHECK(fabs(collapsed.limit / exact - 1) < 5e-11);
    CHECK(whole.status == LEGATO_DFR_ATOM_STATUS_CONVERGED && whole.limit <= whole.energy);
    CHECK(unbound.status == LEGATO_DFR_ATOM_STATUS_UNBOUND && unbound.energy > 0 && isnan(unbound.limit));
    CHECK_SUCCESS(legato_dfr_left_out(dfr, 1, 0, &left_out));
    int32_t states = 0;
    CHECK_SUCCESS(legato_dfr_spinors(dfr, 1, 0, 0, &states, NULL, NULL, NULL, NULL));
    CHECK(left_out >= many - states && left_out <= 2 * many && left_out > 0);
    INVALID(legato_dfr_left_out(dfr, 1, 1, &left_out), "dfr.species: 1");
    INVALID(legato_dfr_left_out(dfr, 1, 0, NULL), "dfr.left_out.functions");
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* Runs in a thread of its own. A handle outlives its context, and two contexts work in two threads. */
static void* run_alone(void* energy) {
    legato_dfr* dfr = NULL;
    legato_dfr_atom atom;
    legato_context* const own = cpu_context(2);
    atom.struct_size = sizeof atom;
    atom.energy = 0;
    if (legato_dfr_create(own, NULL, &dfr) == LEGATO_STATUS_SUCCESS &&
        legato_context_destroy(own) == LEGATO_STATUS_SUCCESS &&
        legato_dfr_add_element_with_basis(dfr, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL) ==
            LEGATO_STATUS_SUCCESS &&
        legato_dfr_run(dfr, NULL, NULL) == LEGATO_STATUS_SUCCESS &&
        legato_dfr_add_element_with_basis(dfr, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL) ==
            LEGATO_STATUS_INVALID_ARGUMENT)
        legato_dfr_result(dfr, 0, &atom);
    legato_dfr_destroy(dfr);
    *(double*)energy = atom.energy;
    return NULL;
}

static void two_threads(void) {
    pthread_t threads[2];
    double energies[3] = {1, 2, 3};
    run_alone(&energies[2]);
    for (int i = 0; i < 2; ++i) CHECK(pthread_create(&threads[i], NULL, run_alone, &energies[i]) == 0);
    for (int i = 0; i < 2; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(energies[0] == energies[2] && energies[1] == energies[2] && energies[2] < -128.69);
}

/* Uses the largest number of atoms, with extrapolation from a hundred iterations each. */
static void little_memory(void) {
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.diis_vectors = 100;
    params.max_iterations = 1000;
    legato_dfr* const dfr = new_list(&params);
    int added = 0;
    for (int i = 0; i < 100000; ++i) added += add_helium(dfr) == LEGATO_STATUS_SUCCESS;
    CHECK(added == 100000);
    INVALID(add_helium(dfr), "dfr.n_atoms: 100001 is not in 1..100000");
    REFUSED(legato_dfr_run(dfr, NULL, NULL), LEGATO_STATUS_OUT_OF_MEMORY, "dfr.n_atoms: 100000 need ");
    CHECK(strstr(legato_context_message(context), " bytes of memory are free") != NULL);
    CHECK(result(dfr, 99999).status == LEGATO_DFR_ATOM_STATUS_WAITING);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* Tests memory limits from nothing to enough. Each run either succeeds or runs out of memory, and can then be
 * repeated. */
static void limited_address_space(void) {
#if !defined(__SANITIZE_ADDRESS__)
    int refused = 0, done = 0;
    for (int megabytes = 0; megabytes <= 64; megabytes += megabytes < 8 ? 1 : 8) {
        legato_dfr* const dfr = new_list(NULL);
        for (int i = 0; i < 30; ++i) CHECK_SUCCESS(add_helium(dfr));
        CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, 24, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
        CHECK(limit_address_space(megabytes));
        int32_t status = legato_dfr_run(dfr, NULL, NULL);
        CHECK(lift_limit());
        CHECK(status == LEGATO_STATUS_SUCCESS || status == LEGATO_STATUS_OUT_OF_MEMORY);
        done += status == LEGATO_STATUS_SUCCESS;
        if (status != LEGATO_STATUS_SUCCESS) {
            ++refused;
            CHECK(strlen(legato_context_message(context)) > 0);
            CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
        }
        CHECK(fabs(result(dfr, 0).energy + 2.861813332) < 5e-10);
        CHECK(fabs(result(dfr, 30).energy + 1049.598787919) < 1e-7);
        CHECK_SUCCESS(legato_dfr_destroy(dfr));
    }
    CHECK(refused > 0 && done > 0);
#endif
}

/* Neon with extended kinetic balance: its additional functions can be read, and all results follow from them. The
 * energy is higher than with restricted balance. */
static void extended_balance(void) {
    static double density[points], own[points], r[points];
    double zeta[max_n], restricted[max_n], electrons = 0, energy[2];
    int32_t sizes[2][3], later[3], n_species = 0;
    legato_dfr* lists[2];
    legato_dfr_params params;
    for (int i = 0; i < points; ++i) r[i] = 1e-3 * pow(1.01, i), own[i] = 0;
    for (int i = 0; i < 2; ++i) {
        CHECK_SUCCESS(legato_dfr_params_init(&params));
        params.kinetic_balance = i ? LEGATO_DFR_KINETIC_BALANCE_EXTENDED : LEGATO_DFR_KINETIC_BALANCE_RESTRICTED;
        lists[i] = new_list(&params);
        CHECK_SUCCESS(
            legato_dfr_add_element_with_basis(lists[i], 10, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, "hennessey", NULL));
        CHECK_SUCCESS(legato_dfr_atom_size(lists[i], 0, &n_species, sizes[i]));
        CHECK_SUCCESS(legato_dfr_run(lists[i], NULL, NULL));
        CHECK(result(lists[i], 0).status == LEGATO_DFR_ATOM_STATUS_CONVERGED);
        energy[i] = result(lists[i], 0).energy;
        CHECK_SUCCESS(legato_dfr_atom_size(lists[i], 0, NULL, later));
        CHECK(n_species == 3 && memcmp(later, sizes[i], sizeof later) == 0);
    }
    CHECK(sizes[0][0] == 23 && sizes[1][0] == 32 && sizes[1][1] == 29 && sizes[1][2] == sizes[0][2]);
    CHECK(energy[1] > energy[0] && energy[1] < energy[0] + 1e-8 * fabs(energy[0]));
    for (int s = 0; s < 3; ++s) {
        CHECK_SUCCESS(legato_dfr_exponents(lists[0], 0, s, restricted));
        CHECK_SUCCESS(legato_dfr_exponents(lists[1], 0, s, zeta));
        CHECK(memcmp(restricted, zeta, (size_t)sizes[0][s] * sizeof *zeta) == 0);
        electrons += check_species(lists[1], 0, 1, s, sizes[1][s], zeta, own, points, r);
    }
    CHECK(fabs(electrons - 10) < 1e-12);
    CHECK_SUCCESS(legato_dfr_radial_density(lists[1], 0, points, r, density));
    for (int i = 0; i < points; ++i) CHECK(fabs(density[i] - own[i]) <= 1e-8 * (1 + own[i]));
    INVALID(legato_dfr_exponents(lists[1], 0, 3, zeta), "dfr.species: 3 is not in 0..2");
    INVALID(legato_dfr_exponents(lists[1], 1, 0, zeta), "dfr.index: 1 is not in 0..0");
    INVALID(legato_dfr_exponents(lists[1], 0, 0, NULL), "dfr.exponents: a null pointer");
    for (int i = 0; i < 2; ++i) CHECK_SUCCESS(legato_dfr_destroy(lists[i]));
}

/* Neon: the self-consistent energies differ from the first order by little, and the energies in larger bases belong to
 * the same interaction. Energies to first order are unknown before the end and without relativity. */
static void interactions(void) {
    legato_dfr_correction_energies first = {sizeof first, 0, 0, 0}, energies = {sizeof energies, 0, 0, 0};
    double energy[3] = {0, 0, 0};
    for (int32_t i = LEGATO_DFR_INTERACTION_COULOMB; i <= LEGATO_DFR_INTERACTION_BREIT; ++i) {
        legato_dfr_params params;
        CHECK_SUCCESS(legato_dfr_params_init(&params));
        CHECK(params.interaction == LEGATO_DFR_INTERACTION_COULOMB);
        params.interaction = i;
        legato_dfr* const dfr = new_list(&params);
        CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
        CHECK_SUCCESS(legato_dfr_corrections(dfr, 0, &energies));
        CHECK(isnan(energies.gaunt) && isnan(energies.breit) && isnan(energies.uehling));
        CHECK_SUCCESS(legato_dfr_advance(dfr, 1, NULL));
        CHECK_SUCCESS(legato_dfr_corrections(dfr, 0, &energies));
        CHECK(isnan(energies.gaunt) && isnan(energies.breit) && isnan(energies.uehling));
        CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
        CHECK_SUCCESS(legato_dfr_corrections(dfr, 0, i == 0 ? &first : &energies));
        const legato_dfr_atom atom = result(dfr, 0);
        CHECK(atom.status == LEGATO_DFR_ATOM_STATUS_CONVERGED && fabs(atom.limit / atom.energy - 1) < 1e-6);
        energy[i] = atom.energy;
        CHECK_SUCCESS(legato_dfr_destroy(dfr));
    }
    CHECK(fabs(energy[1] - energy[0] - first.gaunt) < 5e-4 * first.gaunt && energy[1] - energy[0] < first.gaunt);
    CHECK(fabs(energy[2] - energy[0] - first.breit) < 5e-4 * first.breit && energy[2] - energy[0] < first.breit);
    CHECK(fabs(first.gaunt - 0.0175417) < 1e-6 && fabs(energies.breit - first.breit) < 1e-3 * first.breit);
    /* the value in a large basis (dfr_uehling_test); the built-in basis lacks functions near the nucleus: 1.5e-5 */
    CHECK(fabs(first.uehling / -6.00954e-4 - 1) < 3e-5 && fabs(energies.uehling / first.uehling - 1) < 1e-3);
    legato_dfr_params without;
    CHECK_SUCCESS(legato_dfr_params_init(&without));
    without.relativistic = 0;
    legato_dfr* const dfr = new_list(&without);
    CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_corrections(dfr, 0, &energies));
    CHECK(isnan(energies.gaunt) && isnan(energies.breit) && isnan(energies.uehling));
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* Helium 1s2s without relativity, with the energy of an independent program (dfr_open_shells_test), and its levels 3S
 * and 1S. With relativity the energy of a hole in 1s of lithium is not compared, unless kinetic balance is extended. */
static void shells(void) {
    legato_dfr_params params;
    double zeta[14] = {0.02}, energies[2] = {0, 0}, occupations[3] = {0, 0, 0};
    for (int i = 1; i < 14; ++i) zeta[i] = 2.2 * zeta[i - 1];
    const int32_t functions = 14, n[2] = {2, 1}, l[2] = {0, 0}, one_each[2] = {1, 1}, hole[2] = {2, 1};
    const legato_dfr_nucleus helium = nucleus_of(2), lithium = nucleus_of(3);
    int32_t twice_j[2] = {-1, -1}, parity = 0;
    int64_t levels = 0;
    CHECK_SUCCESS(legato_dfr_params_init(&params));
    params.relativistic = 0;
    legato_dfr* dfr = new_list(&params);
    CHECK_SUCCESS(legato_dfr_add_shells(dfr, &helium, 1, &functions, zeta, 2, n, l, NULL, one_each, NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    CHECK(result(dfr, 0).status == LEGATO_DFR_ATOM_STATUS_CONVERGED && isnan(result(dfr, 0).limit));
    CHECK(fabs(result(dfr, 0).energy - -2.1730023045064937) < 1e-11);
    CHECK_SUCCESS(
        legato_dfr_levels(dfr, 0, LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC, 2, &levels, &parity, twice_j, energies));
    CHECK(levels == 2 && parity == 1 && twice_j[0] == 2 && twice_j[1] == 0);
    CHECK(energies[0] < -1e-3 && fabs(3 * energies[0] + energies[1]) < 1e-12);
    CHECK_SUCCESS(legato_dfr_spinors(dfr, 0, 0, 3, NULL, NULL, occupations, NULL, NULL));
    CHECK(occupations[0] == 1 && occupations[1] == 1 && occupations[2] == 0);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
    for (int32_t balance = 0; balance <= 1; ++balance) {
        CHECK_SUCCESS(legato_dfr_params_init(&params));
        params.kinetic_balance = balance;
        dfr = new_list(&params);
        CHECK_SUCCESS(legato_dfr_add_shells(dfr, &lithium, 1, &functions, zeta, 2, n, l, NULL, hole, NULL));
        CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
        CHECK(result(dfr, 0).status ==
              (balance == 1 ? LEGATO_DFR_ATOM_STATUS_CONVERGED : LEGATO_DFR_ATOM_STATUS_NOT_COMPARED));
        CHECK(isnan(result(dfr, 0).limit) && fabs(result(dfr, 0).energy - -5.345) < 2e-3);
        CHECK_SUCCESS(legato_dfr_destroy(dfr));
    }
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    default_basis();
    batches();
    extended_balance();
    interactions();
    shells();
    no_results();
    carbon(1);
    carbon(0);
    hydrogen();
    interrupted_runs();
    runs_that_do_not_converge();
    two_threads();
    little_memory();
    limited_address_space();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_client");
}
