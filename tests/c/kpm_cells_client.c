/* Tests unit-cell lattices as a program uses them, in C99 and in C++: known moments, and every argument that must be
 * refused. */
#include <stddef.h>

#include "checking.h"

static legato_kpm_cell_lattice cells(int64_t l, int64_t m, int32_t orbitals) {
    legato_kpm_cell_lattice lattice;
    memset(&lattice, 0xa5, sizeof lattice);
    CHECK_SUCCESS(legato_kpm_cell_lattice_init(&lattice));
    lattice.extents[0] = l;
    lattice.extents[1] = m;
    lattice.orbitals = orbitals;
    return lattice;
}

/* Graphene: the mean of E^2 is 3 from first neighbours, and 2.5^2 / 4 is added by two-valued disorder of 2.5. */
static void graphene(void) {
    static const int32_t from[] = {1, 1, 1}, to[] = {0, 0, 0}, offsets[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const double hoppings[] = {-1, 0, -1, 0, -1, 0}, positions[] = {0, 0, 0, 1.0 / 3, 1.0 / 3, 0},
                        energies[] = {0.5, -0.5};
    legato_kpm_cell_lattice lattice = cells(6, 5, 2);
    legato_kpm_params params;
    legato_kpm_state state;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm* kpm = NULL;
    double m[3], on_site[60];
    int64_t sites[60];
    for (int64_t i = 0; i < 60; ++i) {
        sites[i] = i;
        on_site[i] = i % 2 ? 0.5 : -0.5;
    }
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.moments = 3;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    for (int kind = 0; kind < 3; ++kind) {
        lattice.on_site = kind == 0   ? LEGATO_KPM_ON_SITE_CONSTANT
                          : kind == 1 ? LEGATO_KPM_ON_SITE_ENERGIES
                                      : LEGATO_KPM_ON_SITE_BINARY;
        lattice.disorder = 2.5;
        CHECK_SUCCESS(legato_kpm_cell_lattice_create(context, &lattice, positions, kind == 1 ? energies : NULL, 3, from,
                                                     to, offsets, hoppings, kind == 1 ? 60 : 0,
                                                     kind == 1 ? on_site : NULL, &hamiltonian));
        CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 60, sites, &kpm));
        CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
        CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
        CHECK_SUCCESS(legato_kpm_get_state(kpm, &state));
        CHECK(state.sites == 60 && state.format == LEGATO_KPM_FORMAT_STENCIL && state.centre == 0);
        CHECK_SUCCESS(legato_kpm_moments(kpm, 3, m, NULL));
        m[2] = state.half_width * state.half_width * (m[2] + 1) / 2;
        CHECK(fabs(m[2] - (kind == 2 ? 3 + 2.5 * 2.5 / 4 : 3)) < 1e-12);
        CHECK_SUCCESS(legato_kpm_destroy(kpm));
    }
}

/* Graphene without some of its sites, as local moments of the others: the mean of E^2 is twice the number of bonds
 * divided by that of sites. The first moments of random vectors are 1. */
static void vacancies(void) {
    static const int32_t from[] = {1, 1, 1}, to[] = {0, 0, 0}, offsets[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const double hoppings[] = {-1, 0, -1, 0, -1, 0};
    static const int64_t missing[] = {59, 0, 59}; /* not neighbours: 90 - 2 * 3 bonds remain */
    legato_kpm_cell_lattice lattice = cells(6, 5, 2);
    legato_kpm_params params;
    legato_kpm_state state;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm* kpm = NULL;
    int64_t sites[58];
    double m[3];
    for (int64_t i = 0; i < 58; ++i) sites[i] = i + 1;
    CHECK_SUCCESS(legato_kpm_params_init(&params));
    params.moments = 3;
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    CHECK_SUCCESS(legato_kpm_cell_lattice_create(context, &lattice, NULL, NULL, 3, from, to, offsets, hoppings, 0, NULL,
                                                 &hamiltonian));
    CHECK_SUCCESS(legato_kpm_cell_lattice_set_vacancies(hamiltonian, 3, missing));
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 58, sites, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_get_state(kpm, &state));
    CHECK(state.sites == 60);
    CHECK_SUCCESS(legato_kpm_moments(kpm, 3, m, NULL));
    CHECK(fabs(state.half_width * state.half_width * (m[2] + 1) / 2 - 2.0 * 84 / 58) < 1e-12);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    kpm = NULL;
    INVALID(legato_kpm_create_local(context, &params, hamiltonian, 1, missing, &kpm), "kpm.sites[0]: site 59 is a vac");
    INVALID(legato_kpm_cell_lattice_set_vacancies(hamiltonian, -1, missing),
            "kpm.n_vacancies: -1 is not in 0..2147483");
    INVALID(legato_kpm_cell_lattice_set_vacancies(hamiltonian, 1, NULL), "kpm.vacancies: a null pointer");
    sites[57] = 60;
    INVALID(legato_kpm_cell_lattice_set_vacancies(hamiltonian, 58, sites), "kpm.vacancies[57]: 60 is not in 0..59");
    CHECK(legato_kpm_cell_lattice_set_vacancies(NULL, 0, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_kpm_cell_lattice_set_vacancies(hamiltonian, 0, NULL));
    CHECK_SUCCESS(legato_kpm_create_local(context, &params, hamiltonian, 1, missing, &kpm));
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    lattice.vacancy_concentration[1] = 0.25;
    params.realisations = 3;
    CHECK_SUCCESS(legato_kpm_cell_lattice_create(context, &lattice, NULL, NULL, 3, from, to, offsets, hoppings, 0, NULL,
                                                 &hamiltonian));
    CHECK_SUCCESS(legato_kpm_create(context, &params, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_moments(kpm, 3, m, NULL));
    CHECK(m[0] == 1);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
}

static void refused_cells(void) {
    static const int32_t from[] = {0, 1}, to[] = {0, 1}, offsets[] = {1, 0, 0, 0, 0, 5000}, none[3] = {0, 0, 0},
                         right[] = {1, 0, 0, 0, 1, 0};
    static const double amplitudes[] = {1, 0, 1, (double)NAN}, positions[] = {0, 0, 0, 0, 2000, 0},
                        energies[] = {0, 1e7};
    legato_kpm_cell_lattice lattice = cells(3, 2, 2);
    legato_kpm_hamiltonian* hamiltonian = NULL;
#define CELLS(positions, energies, n, from, to, offsets, amplitudes, n_sites, sites)                                  \
    legato_kpm_cell_lattice_create(context, &lattice, positions, energies, n, from, to, offsets, amplitudes, n_sites, \
                                   sites, &hamiltonian)
    INVALID(CELLS(positions, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL), "kpm.positions[4]: 2000 is not in [-1000, ");
    INVALID(CELLS(NULL, energies, 0, NULL, NULL, NULL, NULL, 0, NULL), "kpm.energies[1]: 10000000 is not in [");
    INVALID(CELLS(NULL, NULL, -1, from, to, offsets, amplitudes, 0, NULL), "kpm.n_hoppings: -1 is not in 0..1048576");
    INVALID(CELLS(NULL, NULL, INT64_MAX, from, to, offsets, amplitudes, 0, NULL), "kpm.n_hoppings: 92233720368547758");
    INVALID(CELLS(NULL, NULL, 1, NULL, to, offsets, amplitudes, 0, NULL), "kpm.from: a null pointer");
    INVALID(CELLS(NULL, NULL, 1, from, NULL, offsets, amplitudes, 0, NULL), "kpm.to: a null pointer");
    INVALID(CELLS(NULL, NULL, 1, from, to, NULL, amplitudes, 0, NULL), "kpm.offsets: a null pointer");
    INVALID(CELLS(NULL, NULL, 1, from, to, offsets, NULL, 0, NULL), "kpm.amplitudes: a null pointer");
    INVALID(CELLS(NULL, NULL, 2, from, to, offsets, amplitudes, 0, NULL), "kpm.offsets[5]: 5000 is not in -4096..4096");
    INVALID(CELLS(NULL, NULL, 1, from, to, none, amplitudes, 0, NULL), "kpm.to[0]: hopping 0 joins orbital 0 with");
    INVALID(CELLS(NULL, NULL, 2, from, to, right, amplitudes, 0, NULL), "kpm.amplitudes[3]: nan is not in [");
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 1, energies), "kpm.n_site_energies: 1 is not in 0..0");
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, energies),
            "kpm.site_energies: kpm.cell_lattice.on_site is");
    lattice.vacancy_concentration[1] = 1;
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL), "kpm.cell_lattice.vacancy_concentration[1]: 1 is ");
    lattice.struct_size = offsetof(legato_kpm_cell_lattice, concentration); /* no version had fewer members */
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL), "kpm.cell_lattice.struct_size: 112 is not in 120..");
    lattice.struct_size = sizeof lattice;
    lattice.on_site = LEGATO_KPM_ON_SITE_ENERGIES;
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 11, energies), "kpm.n_site_energies: 11 is not in 12..12");
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 12, NULL), "kpm.site_energies: a null pointer");
    lattice = cells(INT64_MAX, 2, 2);
    lattice.on_site = LEGATO_KPM_ON_SITE_ENERGIES;
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 4, energies), "kpm.cell_lattice.extents[0]: ");
    lattice = cells(3, 2, 1);
    INVALID(CELLS(NULL, NULL, 2, from, to, right, amplitudes, 0, NULL), "kpm.from[1]: 1 is not in 0..0");
    lattice.orbitals = 0;
    INVALID(CELLS(NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL), "kpm.cell_lattice.orbitals: 0 is not in 1..16");
#undef CELLS
    INVALID(legato_kpm_cell_lattice_create(context, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, &hamiltonian),
            "kpm.cell_lattice: a null pointer");
    INVALID(legato_kpm_cell_lattice_create(context, &lattice, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL),
            "kpm.hamiltonian: a null pointer");
    CHECK(legato_kpm_cell_lattice_init_sized(NULL, sizeof lattice) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(hamiltonian == NULL);
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    graphene();
    vacancies();
    refused_cells();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("kpm_cells_client");
}
