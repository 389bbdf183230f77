/* Tests complex Hamiltonians as a program uses them, in C99 and in C++: rings with flux in all forms of the interface,
 * the caller's vectors, phase vectors and everything that must be refused. */
#include "checking.h"

enum { sites = 12, elements = 2 * sites, most = sites + 2 };

static const double phase = 0.15, length = sites;

/* A ring whose hopping to the next site is e^(i phase), with indices from `base`. */
typedef struct ring {
    int64_t rows[sites + 1];
    int32_t narrow[sites + 1], columns[elements];
    double values[2 * elements];
} ring;

/* The columns of all rows ascend. */
static ring make_ring(int base) {
    ring r;
    for (int i = 0; i <= sites; ++i) {
        r.rows[i] = 2 * i + base;
        r.narrow[i] = 2 * i + base;
    }
    for (int i = 0; i < sites; ++i)
        for (int k = 0; k < 2; ++k) {
            const int next = (i + 1) % sites, previous = (i + sites - 1) % sites;
            const int column = (k == 0) == (next < previous) ? next : previous;
            r.columns[2 * i + k] = column + base;
            r.values[2 * (2 * i + k)] = cos(phase);
            r.values[2 * (2 * i + k) + 1] = column == next ? sin(phase) : -sin(phase);
        }
    return r;
}

static legato_kpm_params defaults(void) {
    legato_kpm_params params;
    memset(&params, 0xa5, sizeof params);
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.moments = most;
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -2;
    params.highest = 2;
    params.margin = 0;
    return params;
}

/* Starts from all sites of a ring of L: mu_n = 0 for 0 < n < L, and mu_L = cos(L phase). */
static void check_ring(legato_kpm_hamiltonian* hamiltonian) {
    const legato_kpm_params params = defaults();
    int64_t all[sites];
    double mean[most], error[most];
    int32_t is_complex = -1;
    legato_kpm* kpm = NULL;
    CHECK_SUCCESS(legato_kpm_hamiltonian_is_complex(hamiltonian, &is_complex));
    CHECK(is_complex == 1);
    for (int i = 0; i < sites; ++i) all[i] = i;
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, sites, all, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_moments(kpm, most, mean, error));
    for (int n = 0; n < most; ++n) {
        const double exact = n == 0 ? 1 : n == sites ? cos(length * phase) : 0;
        CHECK(fabs(mean[n] - exact) < 1e-13);
        CHECK(error[n] == 0);
    }
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static legato_kpm_hamiltonian* copied(const ring* r, int base) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    CHECK_SUCCESS(
        legato_kpm_complex_matrix_create(context, sites, elements, base, r->rows, r->columns, r->values, &hamiltonian));
    return hamiltonian;
}

/* The elements with the values of another phase. */
static void new_values(void) {
    for (int base = 0; base < 2; ++base) {
        const ring r = make_ring(base);
        ring other = r;
        legato_kpm_hamiltonian* hamiltonian = NULL;
        for (int k = 0; k < elements; ++k) {
            other.values[2 * k] = cos(2 * phase);
            other.values[2 * k + 1] = r.values[2 * k + 1] > 0 ? sin(2 * phase) : -sin(2 * phase);
        }
        hamiltonian = copied(&other, base);
        INVALID(legato_kpm_matrix_set_values(hamiltonian, 2 * elements, r.values),
                "kpm.matrix.n_elements: 48 is not in 24..24");
        other.values[1] = -other.values[1];
        INVALID(legato_kpm_matrix_set_values(hamiltonian, elements, other.values),
                base == 1 ? "kpm.matrix: the element in row 1 and column 2 is (0.955336489125606, -0.29552"
                          : "kpm.matrix: the element in row 0 and column 1 is (0.955336489125606, -0.29552");
        CHECK_SUCCESS(legato_kpm_matrix_set_values(hamiltonian, elements, r.values));
        check_ring(hamiltonian);
    }
}

static void rings(void) {
    for (int base = 0; base < 2; ++base) {
        const ring r = make_ring(base);
        legato_kpm_hamiltonian* hamiltonian = copied(&r, base);
        check_ring(hamiltonian);
        CHECK_SUCCESS(legato_kpm_complex_matrix_create_narrow(context, sites, elements, base, r.narrow, r.columns,
                                                              r.values, &hamiltonian));
        check_ring(hamiltonian);
        CHECK_SUCCESS(legato_kpm_complex_matrix_borrow(context, sites, elements, base, r.rows, r.columns, r.values,
                                                       &hamiltonian));
        check_ring(hamiltonian);
    }
}

/* The plane wave with the wave number of the sample. */
static int wave(void* user, int64_t sample, int64_t count, double vector[]) {
    for (int64_t i = 0; i < count; ++i) {
        const double angle = 2 * acos(-1.0) / length * (double)((sample * i) % sites);
        vector[2 * i] = cos(angle);
        vector[2 * i + 1] = sin(angle);
    }
    *(int*)user += count == sites;
    return 0;
}

static int too_large(void* user, int64_t sample, int64_t count, double vector[]) {
    (void)user;
    (void)sample;
    for (int64_t i = 0; i < 2 * count; ++i) vector[i] = 0;
    vector[2 * count - 1] = (double)INFINITY;
    return 0;
}

/* A plane wave k is an eigenvector of the ring with the energy 2 cos(k + phase): mu_n = cos(n (k + phase)). */
static void waves(void) {
    const ring r = make_ring(0);
    legato_kpm_hamiltonian* const hamiltonian = copied(&r, 0);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    double moments[most];
    int calls = 0;
    params.vectors = sites;
    params.block_width = 5;
    CHECK_SUCCESS(legato_kpm_create_given(context, &params, hamiltonian, wave, &calls, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK(calls == sites);
    for (int k = 0; k < sites; ++k) {
        CHECK_SUCCESS(legato_kpm_sample(kpm, k, most, moments));
        for (int n = 0; n < most; ++n) CHECK(fabs(moments[n] - cos(n * (2 * acos(-1.0) / length * k + phase))) < 1e-12);
    }
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_create_given(context, &params, hamiltonian, too_large, NULL, &kpm));
    INVALID(legato_kpm_run(kpm, NULL, NULL), "kpm.start_vector[23] of sample 0: inf is not in [-1e+40, 1e+40]");
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void phases(void) {
    const ring r = make_ring(0);
    legato_kpm_hamiltonian* hamiltonian = copied(&r, 0);
    legato_kpm_params params = defaults();
    legato_kpm* kpm = NULL;
    double mean[most], error[most];
    params.start_vectors = LEGATO_KPM_START_VECTORS_PHASE;
    params.vectors = 200;
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_moments(kpm, most, mean, error));
    CHECK(fabs(mean[0] - 1) < 1e-13);
    for (int n = 1; n < most; ++n) /* T_L of a ring of L sites is a multiple of 1 */
        CHECK(n == sites ? fabs(mean[n] - cos(length * phase)) < 1e-13 : within(mean[n], error[n], 0, 0.03));
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    kpm = NULL;
    legato_kpm_lattice lattice;
    CHECK_SUCCESS(legato_kpm_lattice_init(&lattice));
    CHECK_SUCCESS(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm),
            "kpm.params.start_vectors: 5 (phase) is for complex Hamiltonians, and this one is real; take 0 (sign)");
    params.start_vectors = 7;
    INVALID(legato_kpm_create(context, &params, hamiltonian, &kpm), "kpm.params.start_vectors: 7 is not in 0..6");
    CHECK(kpm == NULL);
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void refused(void) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    ring r = make_ring(1);
#define ALL_FORMS(n, count, base, message)                                                                             \
    INVALID(legato_kpm_complex_matrix_create(context, n, count, base, r.rows, r.columns, r.values, &hamiltonian),      \
            message);                                                                                                  \
    INVALID(legato_kpm_complex_matrix_borrow(context, n, count, base, r.rows, r.columns, r.values, &hamiltonian),      \
            message);                                                                                                  \
    INVALID(                                                                                                           \
        legato_kpm_complex_matrix_create_narrow(context, n, count, base, r.narrow, r.columns, r.values, &hamiltonian), \
        message)
    ALL_FORMS(0, elements, 1, "kpm.matrix.rows: 0 is not in 1..2147483647");
    ALL_FORMS(INT64_MAX, elements, 1, "kpm.matrix.rows: 9223372036854775807 is not in");
    ALL_FORMS(sites, -1, 1, "kpm.matrix.n_elements: -1 is not in 0..");
    ALL_FORMS(sites, elements, 2, "kpm.matrix.index_base: 2 is not in 0..1");
    ALL_FORMS(sites, elements - 1, 1, "kpm.matrix.row_pointers[12]: 25 is not in 23..24");
    r.columns[5] = 13;
    ALL_FORMS(sites, elements, 1, "kpm.matrix.columns[5] (row 3): 13 is not in 1..12");
    r = make_ring(1);
    r.values[15] = (double)NAN;
    ALL_FORMS(sites, elements, 1, "kpm.matrix.values[15] (row 4, column 5): ");
    r.values[15] = -2e100;
    ALL_FORMS(sites, elements, 1, "kpm.matrix.values[15] (row 4, column 5): -2e+100 is not in [-1e+100, 1e+100]");
    r = make_ring(1);
    r.values[15] *= -1; /* the partner is the same number instead of the complex conjugate */
    ALL_FORMS(sites, elements, 1, "kpm.matrix: the element in row 4 and column 5 is (0.98877107793604224, -0.1494");
    r = make_ring(1);
    r.columns[0] = 1;
    ALL_FORMS(sites, elements, 1,
              "kpm.matrix: the element in row 1 and column 1 is (0.98877107793604224, 0.14943813247359922), which is "
              "not real; the matrix is not Hermitian");
    CHECK(hamiltonian == NULL);
    r = make_ring(1);
#define FORM(form, pointers, indices, numbers, to) \
    legato_kpm_complex_matrix_##form(context, sites, elements, 1, pointers, indices, numbers, to)
    INVALID(FORM(create, NULL, r.columns, r.values, &hamiltonian), "kpm.matrix.row_pointers: a null pointer");
    INVALID(FORM(create, r.rows, NULL, r.values, &hamiltonian), "kpm.matrix.columns: a null pointer");
    INVALID(FORM(create, r.rows, r.columns, NULL, &hamiltonian), "kpm.matrix.values: a null pointer");
    INVALID(FORM(create, r.rows, r.columns, r.values, NULL), "kpm.hamiltonian: a null pointer");
    INVALID(FORM(borrow, NULL, r.columns, r.values, &hamiltonian), "kpm.matrix.row_pointers: a null pointer");
    INVALID(FORM(borrow, r.rows, r.columns, r.values, NULL), "kpm.hamiltonian: a null pointer");
    INVALID(FORM(create_narrow, NULL, r.columns, r.values, &hamiltonian), "kpm.matrix.row_pointers: a null pointer");
    INVALID(FORM(create_narrow, r.narrow, r.columns, NULL, &hamiltonian), "kpm.matrix.values: a null pointer");
    CHECK(hamiltonian == NULL);
    hamiltonian = copied(&r, 1);
    INVALID(legato_kpm_hamiltonian_is_complex(hamiltonian, NULL), "kpm.is_complex: a null pointer");
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    int32_t is_complex = -1;
    CHECK(legato_kpm_hamiltonian_is_complex(NULL, &is_complex) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(is_complex == -1);
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    rings();
    new_values();
    waves();
    phases();
    refused();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_complex_client");
}
