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

#define WORKS(call) expect((call) == LEGATO_STATUS_SUCCESS, #call)
#define HOLDS(condition) expect(condition, #condition)

/* Runs the 1D chain at E = 1, W = 1, whose localisation length is about 72 (24 (4 - E^2) / W^2). Multiplies a single
 * slice of one site of energy E: psi_b = E psi_a - psi_b. */
static void transfer_matrices(void) {
    const double energy = 1.0, disorder = 1.0, diagonal = 0.5, psi_a = 2;
    double psi_b = 0.25;
    legato_tmm* tmm = NULL;
    legato_tmm_params params;
    legato_tmm_point point = {.struct_size = sizeof point};
    WORKS(legato_tmm_params_init(&params));
    params.dimension = 1;
    params.boundary = LEGATO_TMM_BOUNDARY_HARD_WALL;
    params.epsilon = 0.02;
    WORKS(legato_tmm_create(context, &params, 1, &energy, &disorder, &tmm));
    WORKS(legato_tmm_run(tmm, NULL, NULL));
    WORKS(legato_tmm_result(tmm, 0, &point, 0, NULL, NULL));
    HOLDS(point.localisation_length > 65 && point.localisation_length < 80);
    WORKS(legato_tmm_destroy(tmm));
    WORKS(legato_tmm_multiply(context, 1, 1, LEGATO_TMM_BOUNDARY_HARD_WALL, 1, LEGATO_TMM_LAYOUT_SITE_FIRST, &diagonal,
                              &psi_a, &psi_b));
    HOLDS(fabs(psi_b - 0.75) < 1e-15);
}

/* Runs helium, whose energy is -2.861813342 hartree in a complete basis. */
static void atoms(void) {
    const int32_t functions = 1;
    const double exponent = 1;
    legato_dfr* dfr = NULL;
    legato_dfr_optimiser* optimiser = NULL;
    legato_dfr_reducer_params reduction;
    legato_dfr_repulsion* repulsion = NULL;
    legato_dfr_nucleus nucleus = {.struct_size = sizeof nucleus};
    legato_dfr_atom atom = {.struct_size = sizeof atom};
    WORKS(legato_dfr_create(context, NULL, &dfr));
    WORKS(legato_dfr_add_element(dfr, 2, LEGATO_DFR_NUCLEAR_MODEL_POINT, NULL));
    WORKS(legato_dfr_run(dfr, NULL, NULL));
    WORKS(legato_dfr_result(dfr, 0, &atom));
    HOLDS(fabs(atom.energy + 2.861813342) < 1e-6);
    WORKS(legato_dfr_destroy(dfr));
    WORKS(legato_dfr_element_nucleus(context, 54, LEGATO_DFR_NUCLEAR_MODEL_POINT, &nucleus));
    HOLDS(nucleus.charge == 54);
    WORKS(legato_dfr_optimiser_create(context, NULL, NULL, &optimiser));
    WORKS(legato_dfr_optimiser_destroy(optimiser));
    WORKS(legato_dfr_reducer_params_init(&reduction));
    WORKS(legato_dfr_repulsion_create(context, 1, 1, &functions, &exponent, &repulsion));
    WORKS(legato_dfr_repulsion_destroy(repulsion));
}

/* Runs a clean chain of 16 sites, whose first moment is 1. Asks for the default cluster of 82 sites, and for the
 * default beta. */
static void lattices(void) {
    double moments[2] = {0, 1}, beta = 0;
    int32_t sites = 0;
    legato_kpm_lattice lattice;
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm* kpm = NULL;
    legato_vmc_optimiser_params optimisation;
    legato_ising* ising = NULL;
    WORKS(legato_kpm_lattice_init(&lattice));
    lattice.extents[0] = 16;
    lattice.extents[1] = lattice.extents[2] = 1;
    WORKS(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    WORKS(legato_kpm_create(context, NULL, hamiltonian, &kpm));
    WORKS(legato_kpm_run(kpm, NULL, NULL));
    WORKS(legato_kpm_moments(kpm, 2, moments, NULL));
    HOLDS(fabs(moments[0] - 1) < 1e-12);
    WORKS(legato_kpm_destroy(kpm));
    WORKS(legato_kpm_hamiltonian_destroy(hamiltonian));
    WORKS(legato_vmc_sites(context, NULL, &sites));
    HOLDS(sites == 82);
    WORKS(legato_vmc_optimiser_params_init(&optimisation));
    WORKS(legato_ising_create(context, NULL, 0, NULL, 0, NULL, &ising));
    WORKS(legato_ising_get_betas(ising, 1, &beta));
    HOLDS(beta == 0.4);
    WORKS(legato_ising_destroy(ising));
}

int main(void) {
    WORKS(legato_context_create(NULL, &context));
    transfer_matrices();
    atoms();
    lattices();
    printf("Legato %s: every header's functions, %d failures\n", legato_version(), failures);
    WORKS(legato_context_destroy(context));
    return failures != 0;
}
