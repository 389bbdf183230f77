/* What the programs that test the kernel polynomial method share: a ring, whose moments are known, as a lattice and as
 * a matrix. */
#include "checking.h"

enum { ring_sites = 12, ring_elements = 2 * ring_sites, most = 64 };

static int near(double a, double b) {
    return fabs(a - b) <= 1e-12;
}

static legato_kpm_params defaults(void) {
    legato_kpm_params params;
    memset(&params, 0xa5, sizeof params);
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    return params;
}

static legato_kpm_lattice chain(int64_t sites) {
    legato_kpm_lattice lattice;
    memset(&lattice, 0xa5, sizeof lattice);
    CHECK_SUCCESS(legato_kpm_lattice_init(&lattice));
    lattice.extents[0] = sites;
    return lattice;
}

static legato_kpm_state state_of(legato_kpm* kpm) {
    legato_kpm_state state;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_kpm_get_state(kpm, &state));
    return state;
}

static legato_kpm_hamiltonian* lattice_of(const legato_kpm_lattice* lattice) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    CHECK_SUCCESS(legato_kpm_lattice_create(context, lattice, 0, NULL, &hamiltonian));
    return hamiltonian;
}

/* The matrix of the ring, with indices from `base`. */
typedef struct ring {
    int64_t rows[ring_sites + 1];
    int32_t narrow[ring_sites + 1], columns[ring_elements];
    double values[ring_elements];
} ring;

static ring make_ring(int base) {
    ring r;
    for (int i = 0; i <= ring_sites; ++i) {
        r.rows[i] = 2 * i + base;
        r.narrow[i] = 2 * i + base;
    }
    for (int i = 0; i < ring_sites; ++i) {
        r.columns[2 * i] = (i + 1) % ring_sites + base;
        r.columns[2 * i + 1] = (i + ring_sites - 1) % ring_sites + base;
        r.values[2 * i] = r.values[2 * i + 1] = -1;
    }
    return r;
}

/* Starts from all sites of a ring of L: mu_n = 0 for 0 < n < L, and mu_L = 1 if half_width is 2. */
static legato_kpm* exact_ring(const legato_kpm_hamiltonian* hamiltonian) {
    legato_kpm_params params = defaults();
    int64_t sites[ring_sites];
    legato_kpm* kpm = NULL;
    for (int i = 0; i < ring_sites; ++i) sites[i] = i;
    params.moments = ring_sites + 2;
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -2;
    params.highest = 2;
    params.margin = 0;
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, ring_sites, sites, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    return kpm;
}

static void check_ring(const legato_kpm_hamiltonian* hamiltonian) {
    double mean[ring_sites + 2], error[ring_sites + 2], local[ring_sites + 2];
    legato_kpm* const kpm = exact_ring(hamiltonian);
    const legato_kpm_state state = state_of(kpm);
    CHECK(state.backend == LEGATO_BACKEND_CPU && state.sites == ring_sites && state.samples == ring_sites);
    CHECK(state.samples_done == ring_sites && state.moments == ring_sites + 2 && state.bytes > 0);
    CHECK(state.centre == 0 && state.half_width == 2 && state.block_width >= 1);
    CHECK_SUCCESS(legato_kpm_moments(kpm, ring_sites + 2, mean, error));
    for (int n = 0; n < ring_sites + 2; ++n) {
        CHECK(near(mean[n], n % ring_sites == 0));
        CHECK(error[n] == 0);
    }
    CHECK_SUCCESS(legato_kpm_sample(kpm, 3, ring_sites + 2, local));
    CHECK(near(local[0], 1) && near(local[1], 0) && near(local[2], 0) && near(local[ring_sites], 1));
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
}
