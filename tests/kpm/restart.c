/* restart KIND STATE RESULT: writes moments and their errors of a disordered lattice in 40 realisations (KIND
 * lattice), or of a real or a complex matrix (matrix, complex), to RESULT. Saves to STATE whenever progress is
 * reported, and resumes from STATE if it exists. */
#include "restart.h"

enum { N = 2048, ROWS = 900, ELEMENTS = 7 * ROWS };

typedef struct target {
    legato_kpm* kpm;
    const char* path;
} target;

static int save(void* user, const legato_progress* progress) {
    const target* const to = user;
    (void)progress;
    require(legato_kpm_save(to->kpm, to->path));
    return 0;
}

static legato_kpm_hamiltonian* lattice(void) {
    legato_kpm_hamiltonian* hamiltonian = NULL;
    legato_kpm_lattice l;
    require(legato_kpm_lattice_init(&l));
    l.extents[0] = 12;
    l.extents[1] = 10;
    l.extents[2] = 8;
    l.on_site = LEGATO_KPM_ON_SITE_BOX;
    l.disorder = 6;
    require(legato_kpm_lattice_create(context, &l, 0, NULL, &hamiltonian));
    return hamiltonian;
}

/* Returns the matrix of a ring with bonds to three neighbours on each side, which all differ. If it is complex, some
 * elements are multiplied by i or -i. */
static legato_kpm_hamiltonian* matrix(int is_complex) {
    static int64_t row_pointers[ROWS + 1];
    static int32_t columns[ELEMENTS];
    static double values[ELEMENTS], complex_values[2 * ELEMENTS];
    legato_kpm_hamiltonian* hamiltonian = NULL;
    int64_t k = 0;
    for (int i = 0; i < ROWS; ++i) {
        row_pointers[i] = k;
        for (int d = -3; d <= 3; ++d, ++k) {
            const int j = (i + d + ROWS) % ROWS;
            columns[k] = j;
            values[k] = 1.0 / (1 + (i * j) % 17) - 0.3 * ((i + j) % 5);
            if ((i + j) % 3 == 0 && i != j)
                complex_values[2 * k + 1] = i < j ? values[k] : -values[k];
            else
                complex_values[2 * k] = values[k];
        }
    }
    row_pointers[ROWS] = k;
    if (is_complex)
        require(legato_kpm_complex_matrix_create(context, ROWS, ELEMENTS, 0, row_pointers, columns, complex_values,
                                                 &hamiltonian));
    else
        require(legato_kpm_matrix_create(context, ROWS, ELEMENTS, 0, row_pointers, columns, values, &hamiltonian));
    return hamiltonian;
}

static legato_kpm* begun(int is_lattice, int is_complex, const legato_kpm_hamiltonian* hamiltonian) {
    legato_kpm* kpm = NULL;
    legato_kpm_params params;
    require(legato_kpm_params_init(&params));
    params.moments = N;
    params.vectors = is_lattice ? 3 : 60;
    params.realisations = is_lattice ? 40 : 2;
    params.block_width = 2;
    if (is_complex) params.start_vectors = LEGATO_KPM_START_VECTORS_PHASE;
    params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
    require(legato_kpm_create(context, &params, hamiltonian, &kpm));
    return kpm;
}

static void write_result(legato_kpm* kpm, const char* path) {
    static double mean_and_error[2][N];
    require(legato_kpm_moments(kpm, N, mean_and_error[0], mean_and_error[1]));
    write_numbers(path, mean_and_error, sizeof mean_and_error);
}

int main(int argc, char** argv) {
    if (argc != 4) return EXIT_FAILURE;
    const int is_lattice = strcmp(argv[1], "lattice") == 0, is_complex = strcmp(argv[1], "complex") == 0;
    require(legato_context_create(NULL, &context));
    legato_kpm_hamiltonian* const hamiltonian = is_lattice ? lattice() : matrix(is_complex);
    target to = {NULL, argv[2]};
    if (there(argv[2]))
        require(legato_kpm_resume(context, argv[2], hamiltonian, NULL, NULL, &to.kpm));
    else
        to.kpm = begun(is_lattice, is_complex, hamiltonian);
    legato_kpm_state state = {.struct_size = sizeof state};
    require(legato_kpm_get_state(to.kpm, &state));
    tell_start(state.samples_done);
    require(legato_kpm_run(to.kpm, save, &to));
    write_result(to.kpm, argv[3]);
    require(legato_kpm_destroy(to.kpm));
    require(legato_kpm_hamiltonian_destroy(hamiltonian));
    require(legato_context_destroy(context));
    return EXIT_SUCCESS;
}
