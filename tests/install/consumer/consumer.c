/* Calls a function of every header from outside, and compares results that are cheap to compute with known values. */
#include <legato/legato.h>
#include <math.h>
#include <stdio.h>

static legato_context* context;
static int failures;

static void expect(int holds, const char* what) {
    if (holds) return;
    ++failures;
    fprintf(stderr, "%s; last message: %s\n", what, legato_context_message(context));
}

#define CHECK_SUCCESS(call) expect((call) == LEGATO_STATUS_SUCCESS, #call)
#define CHECK(condition) expect(condition, #condition)

/* Runs the 1D chain at E = 1, W = 1, whose localisation length is about 72 (24 (4 - E^2) / W^2). Multiplies a single
 * slice of one site of energy E: psi_b = E psi_a - psi_b. */
static void transfer_matrices(void) {
    const double energy = 1.0, disorder = 1.0, diagonal = 0.5, psi_a = 2;
    double psi_b = 0.25;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    legato_tmm_point point = {.struct_size = sizeof point};
    CHECK_SUCCESS(legato_tmm_params_init(&params));
    params.dimension = 1;
    params.boundary = LEGATO_TMM_BOUNDARY_HARD_WALL;
    params.epsilon = 0.02;
    CHECK_SUCCESS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_result(tmm, 0, &point, 0, NULL, NULL));
    CHECK(point.localisation_length > 65 && point.localisation_length < 80);
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
    CHECK_SUCCESS(legato_tmm_multiply(context, 1, 1, LEGATO_TMM_BOUNDARY_HARD_WALL, 1, LEGATO_TMM_LAYOUT_SITE_FIRST,
                                      &diagonal, &psi_a, &psi_b));
    CHECK(fabs(psi_b - 0.75) < 1e-15);
}

/* Runs helium, whose energy is -2.861813342 hartree in a complete basis. */
static void atoms(void) {
    const int32_t functions = 1;
    const double exponent = 1;
    legato_dfr* dfr = NULL;
    legato_dfr_optimiser* optimiser = NULL;
    legato_dfr_reducer_params reduction;
    legato_dfr_pruner_params pruning;
    legato_dfr_repulsion* repulsion = NULL;
    legato_dfr_basis_sets* sets = NULL;
    legato_dfr_nucleus nucleus = {.struct_size = sizeof nucleus};
    legato_dfr_atom atom = {.struct_size = sizeof atom};
    CHECK_SUCCESS(legato_dfr_create(context, NULL, &dfr));
    CHECK_SUCCESS(legato_dfr_add_element(dfr, 2, LEGATO_DFR_NUCLEAR_MODEL_POINT, NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_result(dfr, 0, &atom));
    CHECK(fabs(atom.energy + 2.861813342) < 1e-6);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, 54, LEGATO_DFR_NUCLEAR_MODEL_POINT, &nucleus));
    CHECK(nucleus.charge == 54);
    CHECK_SUCCESS(legato_dfr_optimiser_create(context, NULL, NULL, &optimiser));
    CHECK_SUCCESS(legato_dfr_optimiser_destroy(optimiser));
    CHECK_SUCCESS(legato_dfr_reducer_params_init(&reduction));
    CHECK_SUCCESS(legato_dfr_pruner_params_init(&pruning));
    CHECK_SUCCESS(legato_dfr_repulsion_create(context, 1, 1, &functions, &exponent, &repulsion));
    CHECK_SUCCESS(legato_dfr_repulsion_destroy(repulsion));
    CHECK_SUCCESS(legato_dfr_basis_sets_create(context, &sets));
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(sets));
}

/* Runs a clean chain of 16 sites, whose first moment is 1. Asks for the default cluster of 82 sites, and for the
 * default beta. */
static void lattices(void) {
    double moments[2] = {0, 1}, beta = 0;
    int32_t sites = 0;
    legato_kpm_lattice lattice;
    legato_kpm_cell_lattice cells;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm* kpm = NULL;
    legato_kpm_green* green = NULL;
    const int64_t site = 0;
    legato_vmc_optimiser_params optimisation;
    legato_ising* ising = NULL;
    const double m[4] = {0.5, 1, 0.5, 1}, e[4] = {-1, -2, -1, -2};
    const int64_t n = 4;
    legato_ising_reweighting* reweighting = NULL;
    legato_ising_reweighted averages = {sizeof averages};
    legato_fss_params orders;
    CHECK_SUCCESS(legato_fss_params_init(&orders));
    CHECK_SUCCESS(legato_kpm_lattice_init(&lattice));
    lattice.extents[0] = 16;
    lattice.extents[1] = lattice.extents[2] = 1;
    CHECK_SUCCESS(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    CHECK_SUCCESS(legato_kpm_create(context, NULL, hamiltonian, &kpm));
    CHECK_SUCCESS(legato_kpm_run(kpm, NULL, NULL));
    CHECK_SUCCESS(legato_kpm_moments(kpm, 2, moments, NULL));
    CHECK(fabs(moments[0] - 1) < 1e-12);
    CHECK_SUCCESS(legato_kpm_destroy(kpm));
    CHECK_SUCCESS(legato_kpm_green_create(context, NULL, hamiltonian, 1, &site, 1, &site, NULL, NULL, &green));
    CHECK_SUCCESS(legato_kpm_green_destroy(green));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    CHECK_SUCCESS(legato_kpm_cell_lattice_init(&cells));
    CHECK_SUCCESS(
        legato_kpm_cell_lattice_create(context, &cells, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, &hamiltonian));
    CHECK_SUCCESS(legato_kpm_cell_lattice_set_vacancies(hamiltonian, 0, NULL));
    CHECK_SUCCESS(legato_kpm_hamiltonian_destroy(hamiltonian));
    CHECK_SUCCESS(legato_vmc_sites(context, NULL, &sites));
    CHECK(sites == 82);
    CHECK_SUCCESS(legato_vmc_optimiser_params_init(&optimisation));
    CHECK_SUCCESS(legato_ising_create(context, NULL, 0, NULL, 0, NULL, &ising));
    CHECK_SUCCESS(legato_ising_get_betas(ising, 1, &beta));
    CHECK(beta == 0.4);
    CHECK_SUCCESS(legato_ising_destroy(ising));
    CHECK_SUCCESS(legato_ising_reweighting_create(context, 4, 1, &beta, &n, m, e, 2, &reweighting));
    CHECK_SUCCESS(legato_ising_reweighting_at(reweighting, beta, &averages));
    CHECK(fabs(averages.energy + 1.5) < 1e-12);
    CHECK_SUCCESS(legato_ising_reweighting_destroy(reweighting));
}

int main(void) {
    CHECK_SUCCESS(legato_context_create(NULL, &context));
    transfer_matrices();
    atoms();
    lattices();
    printf("Legato %s: every header's functions, %d failures\n", legato_version(), failures);
    CHECK_SUCCESS(legato_context_destroy(context));
    return failures != 0;
}
