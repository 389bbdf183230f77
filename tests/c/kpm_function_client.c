/* Tests functions of a Hamiltonian that are applied to vectors, as a program uses them, in C99 and in C++. Every
 * argument that must be refused is tried. */
#include <stdlib.h>

#include "checking.h"

enum { sites = 12 };

/* A chain without ends, whose eigenvalues are 2 cos(2 pi k / sites). */
static legato_kpm_hamiltonian* ring(void) {
    legato_kpm_lattice lattice;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    CHECK_SUCCESS(legato_kpm_lattice_init(&lattice));
    lattice.extents[0] = sites;
    lattice.hopping = -1;
    CHECK_SUCCESS(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    return hamiltonian;
}

static legato_kpm_function* function_of_ring(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring();
    legato_kpm_function* function = NULL;
    CHECK_SUCCESS(legato_kpm_function_create(context, NULL, hamiltonian, 0, &function));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    return function;
}

static legato_kpm_state state_of(legato_kpm_function* function) {
    legato_kpm_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_kpm_function_get_state(function, &state));
    return state;
}

/* Fills in the plane wave with the wave number 2 pi k / sites, which is an eigenvector, and returns its energy. */
static double plane_wave(int k, double wave[]) {
    const double angle = 2 * acos(-1.0) * k / (double)sites;
    for (int i = 0; i < sites; ++i) {
        wave[2 * i] = cos(angle * i);
        wave[2 * i + 1] = sin(angle * i);
    }
    return 2 * cos(angle);
}

/* Checks that out is (real + i imaginary) times in. */
static int is_multiple(const double out[], const double in[], double real, double imaginary, double error) {
    double largest = 0;
    for (int i = 0; i < sites; ++i) {
        const double re = real * in[2 * i] - imaginary * in[2 * i + 1];
        const double im = real * in[2 * i + 1] + imaginary * in[2 * i];
        largest = fmax(largest, fmax(fabs(out[2 * i] - re), fabs(out[2 * i + 1] - im)));
    }
    return largest <= error;
}

static int square_and_cube(void* user, int64_t n, const double energies[], double values[]) {
    *(int64_t*)user += n;
    for (int64_t i = 0; i < n; ++i) {
        values[2 * i] = energies[i] * energies[i];
        values[2 * i + 1] = energies[i] * energies[i] * energies[i];
    }
    return 0;
}

static int stopping(void* user, int64_t n, const double energies[], double values[]) {
    (void)user;
    (void)n;
    (void)energies;
    (void)values;
    return 1;
}

static int stop_after_a_vector(void* user, const legato_progress* progress) {
    *(int64_t*)user = progress->cycles_done;
    return progress->points_done > 0;
}

static void eigenvectors(void) {
    legato_kpm_function* const function = function_of_ring();
    double in[4 * sites], out[4 * sites], bound = -1;
    int64_t terms = -1, calls = 0;
    const double first = plane_wave(1, in), second = plane_wave(-4, in + 2 * sites);
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 3.5, 0, 1e-13, &terms, &bound));
    CHECK(terms > 10 && terms < 60 && bound > 0 && bound < 1e-12);
    CHECK(state_of(function).moments == terms && state_of(function).samples == 0);
    CHECK_SUCCESS(legato_kpm_function_apply(function, 2, in, out, NULL, NULL));
    CHECK(is_multiple(out, in, cos(3.5 * first), -sin(3.5 * first), 1e-12));
    CHECK(is_multiple(out + 2 * sites, in + 2 * sites, cos(3.5 * second), -sin(3.5 * second), 1e-12));
    const legato_kpm_state state = state_of(function);
    CHECK(state.sites == sites && state.samples == 2 && state.samples_done == 2 && state.block_width == 4);
    CHECK(state.centre == 0 && state.half_width == 2.02 && state.bytes > 0);
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_RESOLVENT, 0.5, 0.25, 1e-13, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_function_apply(function, 1, in, out, NULL, NULL));
    const double distance = (0.5 - first) * (0.5 - first) + 0.0625;
    CHECK(is_multiple(out, in, (0.5 - first) / distance, -0.25 / distance, 1e-11));
    CHECK_SUCCESS(legato_kpm_function_set_callback(function, square_and_cube, &calls, 1e-13, &terms, &bound));
    CHECK(terms == 4 && calls >= 2048);
    CHECK_SUCCESS(legato_kpm_function_apply(function, 2, in, in, NULL, NULL));
    CHECK(is_multiple(in + 2 * sites, in + 2 * sites, 1, 0, 0));
    plane_wave(1, out);
    CHECK(is_multiple(in, out, first * first, first * first * first, 1e-11));
    CHECK_SUCCESS(legato_kpm_function_destroy(function));
    CHECK_SUCCESS(legato_kpm_function_destroy(NULL));
}

static void real_vectors(void) {
    legato_kpm_function* const function = function_of_ring();
    double in[sites], out[sites], wave[2 * sites];
    const double energy = plane_wave(2, wave), occupation = 1 / (1 + exp((energy - 0.3) / 0.2));
    for (int i = 0; i < sites; ++i) in[i] = wave[2 * i];
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_FERMI, 0.3, 0.2, 1e-12, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_function_apply_real(function, 1, in, out, NULL, NULL));
    for (int i = 0; i < sites; ++i) CHECK(fabs(out[i] - occupation * in[i]) < 1e-11);
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 1, 0, 1e-12, NULL, NULL));
    INVALID(legato_kpm_function_apply_real(function, 1, in, out, NULL, NULL),
            "kpm.function: it has an imaginary part; use legato_kpm_function_apply");
    CHECK_SUCCESS(legato_kpm_function_destroy(function));
}

typedef struct nested {
    legato_kpm_function* function;
    int32_t set, apply;
    int64_t samples;
} nested;

static int call_again(void* user, const legato_progress* progress) {
    nested* const n = (nested*)user;
    double v[2 * sites] = {0};
    (void)progress;
    n->set = legato_kpm_function_set(n->function, LEGATO_KPM_FUNCTION_KIND_GAUSSIAN, 0, 1, 0.1, NULL, NULL);
    n->apply = legato_kpm_function_apply(n->function, 1, v, v, NULL, NULL);
    n->samples = state_of(n->function).samples;
    return 0;
}

/* A callback can read the state, but neither change nor apply the function that calls it. */
static void nested_calls(void) {
    nested n = {function_of_ring(), -1, -1, -1};
    double v[2 * sites];
    const double energy = plane_wave(1, v);
    double in[2 * sites];
    memcpy(in, v, sizeof in);
    CHECK_SUCCESS(legato_kpm_function_set(n.function, LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 1, 0, 1e-12, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_function_apply(n.function, 1, v, v, call_again, &n));
    CHECK(n.set == LEGATO_STATUS_INVALID_ARGUMENT && n.apply == LEGATO_STATUS_INVALID_ARGUMENT && n.samples == 1);
    CHECK(is_multiple(v, in, cos(energy), -sin(energy), 1e-11));
    CHECK_SUCCESS(legato_kpm_function_destroy(n.function));
}

/* One vector at a time: what is finished stays, the rest is unchanged. */
static void stopped(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring();
    legato_kpm_function* function = NULL;
    legato_kpm_params params;
    double in[4 * sites], out[4 * sites];
    int64_t cycles = 0;
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.block_width = 2;
    CHECK_SUCCESS(legato_kpm_function_create(context, &params, hamiltonian, 0, &function));
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 2, 0, 1e-12, NULL, NULL));
    const double energy = plane_wave(1, in);
    plane_wave(2, in + 2 * sites);
    for (int i = 0; i < 4 * sites; ++i) out[i] = -7;
    REFUSED(legato_kpm_function_apply(function, 2, in, out, stop_after_a_vector, &cycles), LEGATO_STATUS_CANCELLED,
            "kpm: stopped by the progress callback");
    CHECK(cycles > 5 && state_of(function).samples == 2 && state_of(function).samples_done == 1);
    CHECK(is_multiple(out, in, cos(2 * energy), -sin(2 * energy), 1e-11));
    for (int i = 2 * sites; i < 4 * sites; ++i) CHECK(out[i] == -7);
    CHECK_SUCCESS(legato_kpm_function_destroy(function));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void refused(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring();
    legato_kpm_function* function = NULL;
    double v[4 * sites] = {0};
    INVALID(legato_kpm_function_create(context, NULL, NULL, 0, &function), "kpm.hamiltonian: a null pointer");
    INVALID(legato_kpm_function_create(context, NULL, hamiltonian, 0, NULL), "kpm.function: a null pointer");
    INVALID(legato_kpm_function_create(context, NULL, hamiltonian, 1, &function), "kpm.realisation: 1 is not in 0..0");
    INVALID(legato_kpm_function_create(context, NULL, hamiltonian, -1, &function),
            "kpm.realisation: -1 is not in 0..0");
    CHECK(function == NULL);
    CHECK_SUCCESS(legato_kpm_function_create(context, NULL, hamiltonian, 0, &function));
    INVALID(legato_kpm_function_apply(function, 1, v, v, NULL, NULL), "kpm.function: no function is set");
#define SET(kind, first, second, tolerance) \
    legato_kpm_function_set(function, kind, first, second, tolerance, NULL, NULL)
    INVALID(SET(-1, 0, 0, 0.1), "kpm.function.kind: -1 is not in 0..6");
    INVALID(SET(7, 0, 0, 0.1), "kpm.function.kind: 7 is not in 0..6");
    INVALID(SET(0, (double)NAN, 0, 0.1), "kpm.function.first: ");
    INVALID(SET(0, 1e101, 0, 0.1), "kpm.function.first: 1e+101 is not in");
    INVALID(SET(0, 1, 2, 0.1), "kpm.function.second: 2 must be 0");
    INVALID(SET(0, 1e8, 0, 0.1), "kpm.function.tolerance: 0.1 needs more than the 1048576 terms that are allowed; ");
    INVALID(SET(2, 0, 0, 0.1), "kpm.function.second: 0 is a step or a point");
    INVALID(SET(2, 0, (double)NAN, 0.1), "kpm.function.second: ");
    INVALID(SET(5, 0, 0, 0.1), "kpm.function.first: 0 is above -2.02, the lower end of the energy interval");
    INVALID(SET(6, 0, 0, 0.1), "kpm.function.second: 0 is 0 or too near");
    INVALID(SET(0, 1, 0, 0), "kpm.function.tolerance: 0 is not in ");
    INVALID(SET(0, 1, 0, 0.6), "kpm.function.tolerance: 0.6 is not in ");
#undef SET
    INVALID(legato_kpm_function_set_callback(function, NULL, NULL, 0.1, NULL, NULL), "kpm.callback: a null pointer");
    REFUSED(legato_kpm_function_set_callback(function, stopping, NULL, 0.1, NULL, NULL), LEGATO_STATUS_CANCELLED,
            "kpm.function: stopped by the callback for the function");
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_GAUSSIAN, 0, 1, 0.1, NULL, NULL));
    INVALID(legato_kpm_function_apply(function, 0, v, v, NULL, NULL), "kpm.function.n_vectors: 0 is not in 1..1048576");
    INVALID(legato_kpm_function_apply(function, 1, NULL, v, NULL, NULL), "kpm.function.in: a null pointer");
    INVALID(legato_kpm_function_apply(function, 1, v, NULL, NULL, NULL), "kpm.function.out: a null pointer");
    INVALID(legato_kpm_function_apply(function, 1, v, v + 2, NULL, NULL), "kpm.function.out: it overlaps");
    INVALID(legato_kpm_function_apply_real(function, 2, v + sites, v, NULL, NULL), "kpm.function.out: it overlaps");
    v[5] = (double)NAN;
    INVALID(legato_kpm_function_apply(function, 1, v, v, NULL, NULL), "kpm.function.in[5]: nan is not finite");
    INVALID(legato_kpm_function_get_state(function, NULL), "kpm.state: a null pointer");
    CHECK_SUCCESS(legato_kpm_function_destroy(function));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

/* The spectrum lies beyond the given interval. */
static void too_narrow(void) {
    legato_kpm_hamiltonian* const hamiltonian = ring();
    legato_kpm_function* function = NULL;
    legato_kpm_params params;
    double v[2 * sites];
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -2;
    params.highest = 1.8;
    CHECK_SUCCESS(legato_kpm_function_create(context, &params, hamiltonian, 0, &function));
    CHECK_SUCCESS(legato_kpm_function_set(function, LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 20, 0, 1e-9, NULL, NULL));
    plane_wave(0, v);
    REFUSED(legato_kpm_function_apply(function, 1, v, v, NULL, NULL), LEGATO_STATUS_NUMERICAL_ERROR,
            "kpm.params.lowest, kpm.params.highest: the bounds ");
    CHECK(v[0] == 1 && v[1] == 0);
    CHECK_SUCCESS(legato_kpm_function_destroy(function));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    eigenvectors();
    real_vectors();
    stopped();
    nested_calls();
    refused();
    too_narrow();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_function_client");
}
