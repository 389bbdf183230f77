/* results FILE: computes one small problem by each method. Every rank writes what it reads to FILE.RANK. */
#include "client.h"

static FILE* to;

static void tmm(int64_t replicas) {
    enum { POINTS = 5, WIDTH = 4 };
    const double energy[POINTS] = {0, 0.5, 1, 1.5, 2}, disorder[POINTS] = {8, 7, 6, 5, 4};
    double exponents[WIDTH], errors[WIDTH];
    legato_tmm* run = NULL;
    legato_tmm_params params;
    require(legato_tmm_params_init(&params));
    params.width = WIDTH;
    params.epsilon = 0.05;
    params.replicas = replicas;
    require(legato_tmm_create(context, &params, POINTS, energy, disorder, &run));
    require(legato_tmm_run(run, NULL, NULL));
    for (int i = 0; i < POINTS; ++i) {
        require(legato_tmm_result(run, i, NULL, WIDTH, exponents, errors));
        write_numbers(to, "tmm exponents", WIDTH, exponents);
        write_numbers(to, "tmm errors", WIDTH, errors);
    }
    require(legato_tmm_destroy(run));
}

static legato_kpm_hamiltonian* cubic_lattice(void) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm_lattice lattice;
    require(legato_kpm_lattice_init(&lattice));
    for (int axis = 0; axis < 3; ++axis) lattice.extents[axis] = 6;
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 4;
    require(legato_kpm_lattice_create(context, &lattice, 0, NULL, &hamiltonian));
    return hamiltonian;
}

/* A ring of three segments, with bonds across it. */
static legato_kpm_hamiltonian* ring(void) {
    enum { SITES = 2100 };
    int32_t columns[3 * SITES];
    int64_t rows[SITES + 1] = {0};
    double values[3 * SITES];
    legato_kpm_hamiltonian* hamiltonian = NULL;
    for (int i = 0; i < SITES; ++i) {
        columns[3 * i] = (i + SITES - 1) % SITES;
        columns[3 * i + 1] = (i + 1) % SITES;
        columns[3 * i + 2] = (i + SITES / 2) % SITES;
        for (int k = 0; k < 3; ++k) values[3 * i + k] = k < 2 ? -1 : 0.001 * (i % (SITES / 2) % 13);
        rows[i + 1] = 3 * (i + 1);
    }
    require(legato_kpm_matrix_create(context, SITES, 3 * SITES, 0, rows, columns, values, &hamiltonian));
    return hamiltonian;
}

/* The ranks share the vectors, or each vector. */
static void kpm(legato_kpm_hamiltonian* hamiltonian, int32_t division) {
    enum { MOMENTS = 32 };
    double mean[MOMENTS], error[MOMENTS];
    legato_kpm* run = NULL;
    legato_kpm_params params;
    require(legato_kpm_params_init(&params));
    params.moments = MOMENTS;
    params.vectors = 3;
    params.realisations = 3;
    params.block_width = 1;
    params.division = division;
    require(legato_kpm_create(context, &params, hamiltonian, &run));
    require(legato_kpm_run(run, NULL, NULL));
    require(legato_kpm_moments(run, MOMENTS, mean, error));
    write_numbers(to, "kpm moments", MOMENTS, mean);
    write_numbers(to, "kpm errors", MOMENTS, error);
    require(legato_kpm_sample(run, 7, MOMENTS, mean));
    write_numbers(to, "kpm sample", MOMENTS, mean);
    require(legato_kpm_destroy(run));
    require(legato_kpm_hamiltonian_destroy(hamiltonian));
}

static void vmc(void) {
    legato_vmc* const run = small_vmc(5, 12, 10);
    double means[12];
    require(legato_vmc_run(run, NULL, NULL));
    write_vmc(to, run);
    require(legato_vmc_bin_means(run, 0, 4, 12, means));
    write_numbers(to, "vmc bins", 12, means);
    require(legato_vmc_destroy(run));
}

static void ising(void) {
    legato_ising* const run = small_ising(3, 10, 20);
    double magnetisation[200];
    require(legato_ising_run(run, NULL, NULL));
    write_ising(to, run);
    for (int system = 0; system < 6; ++system) {
        require(legato_ising_measurements(run, system, 0, 200, magnetisation, NULL));
        write_numbers(to, "ising magnetisation", 200, magnetisation);
    }
    require(legato_ising_destroy(run));
}

/* One lattice, which several ranks share in slabs. */
static void large_ising(void) {
    const double beta = 0.44;
    double magnetisation[10], energy[10];
    legato_ising* run = NULL;
    legato_ising_params params;
    require(legato_ising_params_init(&params));
    params.extents[0] = params.extents[1] = 2048;
    params.start = LEGATO_ISING_START_RANDOM;
    params.time_series = 1;
    params.thermalisation = 5;
    params.bins = 2;
    params.measurements_per_bin = 5;
    require(legato_ising_create(context, &params, 1, &beta, 0, NULL, &run));
    require(legato_ising_run(run, NULL, NULL));
    require(legato_ising_measurements(run, 0, 0, 10, magnetisation, energy));
    write_numbers(to, "ising magnetisation of slabs", 10, magnetisation);
    write_numbers(to, "ising energy of slabs", 10, energy);
    require(legato_ising_destroy(run));
}

static void dfr(void) {
    enum { ATOMS = 5 };
    const int32_t element[ATOMS] = {2, 4, 10, 12, 18};
    legato_dfr* run = NULL;
    require(legato_dfr_create(context, NULL, &run));
    for (int i = 0; i < ATOMS; ++i)
        require(legato_dfr_add_element_with_basis(run, element[i], LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
    require(legato_dfr_run(run, NULL, NULL));
    for (int i = 0; i < ATOMS; ++i) {
        legato_dfr_atom a;
        memset(&a, 0, sizeof a);
        a.struct_size = sizeof a;
        require(legato_dfr_result(run, i, &a));
        const double numbers[] = {a.energy, a.kinetic, a.nuclear, a.repulsion, a.gradient, a.limit, a.iterations};
        write_numbers(to, "dfr", 7, numbers);
    }
    require(legato_dfr_destroy(run));
}

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    if (argc != 2) return EXIT_FAILURE;
    join();
    to = open_of_rank(argv[1]);
    tmm(1);
    tmm(7);
    kpm(cubic_lattice(), LEGATO_KPM_DIVISION_VECTORS);
    kpm(cubic_lattice(), LEGATO_KPM_DIVISION_LATTICE);
    kpm(ring(), LEGATO_KPM_DIVISION_LATTICE);
    vmc();
    ising();
    large_ising();
    dfr();
    if (fclose(to) != 0) return EXIT_FAILURE;
    require(legato_context_destroy(context));
    MPI_Finalize();
    return EXIT_SUCCESS;
}
