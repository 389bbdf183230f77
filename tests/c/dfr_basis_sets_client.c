/* Tests lists of basis sets as a program uses them, in C99 and in C++. Files of all formats give the same energies bit
 * for bit, and every argument that must be refused is tried. */
#include <stdlib.h>

#include "checking.h"

static legato_dfr_basis_sets* made(void) {
    legato_dfr_basis_sets* sets = NULL;
    CHECK_SUCCESS(legato_dfr_basis_sets_create(context, &sets));
    return sets;
}

static const int32_t neon_functions[] = {9, 5, 5};
static double neon_exponents[19];

static void fill_neon(void) {
    for (int i = 0; i < 9; ++i) neon_exponents[i] = 0.3 * pow(4.1, i);
    for (int i = 0; i < 10; ++i) neon_exponents[9 + i] = 0.2 * pow(3.7, i % 5);
}

/* Returns the energy of neon in set `index`. */
static double energy_of(legato_dfr_basis_sets* sets, int64_t index) {
    legato_dfr* atoms = NULL;
    legato_dfr_nucleus nucleus;
    legato_dfr_atom atom;
    int32_t n_species = 0, functions[13];
    double exponents[200];
    const int32_t closed[] = {2, 1, 1};
    const double electrons[] = {0, 0, 0};
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.charge = 10;
    atom.struct_size = sizeof atom;
    atom.energy = 0;
    CHECK_SUCCESS(legato_dfr_basis_sets_exponents(sets, index, &n_species, functions, exponents));
    CHECK(n_species == 3);
    CHECK_SUCCESS(legato_dfr_create(context, NULL, &atoms));
    CHECK_SUCCESS(legato_dfr_add_atom(atoms, &nucleus, n_species, functions, exponents, closed, electrons, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_run(atoms, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_result(atoms, 0, &atom));
    CHECK(atom.status == LEGATO_DFR_ATOM_STATUS_CONVERGED);
    CHECK_SUCCESS(legato_dfr_destroy(atoms));
    return atom.energy;
}

static void files(void) {
    const char* const path = "dfr_basis_sets_client.file";
    legato_dfr_basis_sets* const sets = made();
    const double helium[] = {0.3, 1.5, 8};
    const int32_t three[] = {3};
    int64_t found = -1, index = -1;
    CHECK_SUCCESS(legato_dfr_basis_sets_add(sets, 10, 3, neon_functions, neon_exponents));
    CHECK_SUCCESS(legato_dfr_basis_sets_add(sets, 2, 1, three, helium));
    CHECK_SUCCESS(legato_dfr_basis_sets_size(sets, &found));
    CHECK(found == 2);
    const double energy = energy_of(sets, 0);
    CHECK(fabs(energy + 128.6) < 0.2);
    for (int32_t format = LEGATO_DFR_BASIS_FORMAT_BSE_JSON; format <= LEGATO_DFR_BASIS_FORMAT_DIRAC; ++format) {
        legato_dfr_basis_sets* read = NULL;
        int32_t element = 0, n_species = 0, functions[13];
        double exponents[200];
        CHECK_SUCCESS(legato_dfr_basis_sets_write(sets, path, format, "a name", NULL));
        CHECK_SUCCESS(legato_dfr_basis_sets_read(context, path, format, &read));
        CHECK_SUCCESS(legato_dfr_basis_sets_element(read, 0, &element));
        CHECK(element == 2);
        CHECK_SUCCESS(legato_dfr_basis_sets_find(read, 10, &index));
        CHECK(index == 1);
        CHECK_SUCCESS(legato_dfr_basis_sets_exponents(read, index, NULL, NULL, NULL));
        CHECK_SUCCESS(legato_dfr_basis_sets_exponents(read, index, &n_species, functions, exponents));
        CHECK(n_species == 3 && functions[0] == 9 && functions[1] == 5 && functions[2] == 5);
        CHECK(memcmp(exponents, neon_exponents, sizeof neon_exponents) == 0);
        CHECK(energy_of(read, index) == energy);
        CHECK_SUCCESS(legato_dfr_basis_sets_destroy(read));
        const int32_t other = format == LEGATO_DFR_BASIS_FORMAT_DIRAC ? LEGATO_DFR_BASIS_FORMAT_NWCHEM : format + 1;
        REFUSED(legato_dfr_basis_sets_read(context, path, other, &read), LEGATO_STATUS_BAD_FILE,
                "basis file dfr_basis_sets_client.file");
        CHECK(read == NULL);
    }
    remove(path);
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(sets));
}

/* The contracted set of neon by each method: shells of s and p with 2 and 1 functions. */
static void contractions(void) {
    legato_dfr* atoms = NULL;
    legato_dfr_basis_sets *by_j = made(), *by_l = made();
    int32_t shells = 0, l = -1, twice_j = -1, rows = 0, columns = 0;
    double exponents[100], coefficients[200];
    CHECK_SUCCESS(legato_dfr_create(context, NULL, &atoms));
    CHECK_SUCCESS(legato_dfr_add_element_with_basis(atoms, 10, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL));
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, atoms, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, 0),
            "dfr.index: 0 has no result yet");
    CHECK_SUCCESS(legato_dfr_advance(atoms, 1, NULL));
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, atoms, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, 0),
            "dfr.basis_sets.add_contracted.index: 0 has not converged");
    CHECK_SUCCESS(legato_dfr_run(atoms, NULL, NULL));
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, atoms, 1, LEGATO_DFR_CONTRACTION_L_AVERAGED, 0),
            "dfr.index: 1 is not in 0..0");
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, atoms, 0, 2, 0),
            "dfr.basis_sets.add_contracted.contraction: 2 is not in 0..1");
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, atoms, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, -1),
            "dfr.basis_sets.add_contracted.primitives: -1 is not in 0..200");
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, NULL, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, 0),
            "dfr.basis_sets.add_contracted.dfr: a null pointer");
    CHECK_SUCCESS(legato_dfr_basis_sets_add_contracted(by_l, atoms, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, 0));
    INVALID(legato_dfr_basis_sets_add_contracted(by_l, atoms, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, 0),
            "dfr.basis_sets.add_contracted.index: 10, Ne already has a set");
    CHECK_SUCCESS(legato_dfr_basis_sets_add_contracted(by_j, atoms, 0, LEGATO_DFR_CONTRACTION_J_ADAPTED, 0));
    CHECK_SUCCESS(legato_dfr_basis_sets_shells(by_l, 0, &shells));
    CHECK(shells == 2);
    CHECK_SUCCESS(legato_dfr_basis_sets_shells(by_j, 0, &shells));
    CHECK(shells == 3);
    CHECK_SUCCESS(legato_dfr_basis_sets_shell(by_j, 0, 2, &l, &twice_j, &rows, &columns, exponents, coefficients));
    CHECK(l == 1 && twice_j == 3 && rows == 16 && columns == 1 && exponents[0] < exponents[15]);
    CHECK_SUCCESS(legato_dfr_basis_sets_shell(by_l, 0, 0, &l, &twice_j, &rows, &columns, exponents, coefficients));
    CHECK(l == 0 && twice_j == 0 && rows == 23 && columns == 2);
    CHECK_SUCCESS(legato_dfr_basis_sets_shell(by_l, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL));
    for (int32_t format = LEGATO_DFR_BASIS_FORMAT_BSE_JSON; format <= LEGATO_DFR_BASIS_FORMAT_DIRAC; ++format)
        INVALID(legato_dfr_basis_sets_write(by_j, "dfr_basis_sets_client.none", format, NULL, NULL),
                "dfr.basis_sets.write.format: ");
    CHECK(fopen("dfr_basis_sets_client.none", "r") == NULL);
    CHECK_SUCCESS(legato_dfr_destroy(atoms));
    INVALID(legato_dfr_basis_sets_add_contracted(by_j, atoms, 0, LEGATO_DFR_CONTRACTION_J_ADAPTED, 0),
            "dfr.basis_sets.add_contracted.dfr: the handle has been destroyed");
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(by_j));
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(by_l));
}

static void refused_sets(void) {
    legato_dfr_basis_sets* const sets = made();
    const int32_t one[] = {1}, none[] = {0}, many[] = {201}, two_j[] = {0, 1};
    const int32_t two[] = {2};
    const double exponent[] = {1}, small[] = {1e-9}, twice[] = {1, 1};
    INVALID(legato_dfr_basis_sets_add(sets, 0, 1, one, exponent), "dfr.basis_sets.add.element: 0 is not in 1..118");
    INVALID(legato_dfr_basis_sets_add(sets, 119, 1, one, exponent), "dfr.basis_sets.add.element: 119");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 0, one, exponent), "dfr.n_species: 0 is not in 1..13");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 14, one, exponent), "dfr.n_species: 14 is not in 1..13");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, NULL, exponent), "dfr.n_functions: a null pointer");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, many, exponent), "dfr.n_functions: 201 is not in 0..200");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, one, NULL), "dfr.exponents: a null pointer");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, one, small), "dfr.exponents[s1/2][0]: 1e-09 is not in");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, two, twice), "dfr.exponents[s1/2]: the exponent 1 comes twice");
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, none, exponent), "dfr.n_functions: the set of He has no functions");
    INVALID(legato_dfr_basis_sets_write(sets, "x", 0, NULL, NULL), "dfr.basis_sets.write: there are no sets");
    CHECK_SUCCESS(legato_dfr_basis_sets_add(sets, 2, 1, one, exponent));
    INVALID(legato_dfr_basis_sets_add(sets, 2, 1, one, exponent),
            "dfr.basis_sets.add.element: 2, He already has a set");
    CHECK_SUCCESS(legato_dfr_basis_sets_add(sets, 5, 2, two_j, exponent));
    INVALID(legato_dfr_basis_sets_write(sets, "x", LEGATO_DFR_BASIS_FORMAT_DIRAC, NULL, NULL),
            "dfr.basis_sets.write.format: dirac has no place for B's functions of p1/2");
    INVALID(legato_dfr_basis_sets_write(sets, NULL, 0, NULL, NULL), "dfr.basis_sets.write.path: a null pointer");
    INVALID(legato_dfr_basis_sets_write(sets, "", 0, NULL, NULL), "dfr.basis_sets.write.path: the path is empty");
    INVALID(legato_dfr_basis_sets_write(sets, "x", 4, NULL, NULL), "dfr.basis_sets.format: 4 is not in 0..3");
    INVALID(legato_dfr_basis_sets_size(sets, NULL), "dfr.basis_sets.count: a null pointer");
    int32_t number;
    int64_t index;
    INVALID(legato_dfr_basis_sets_element(sets, 2, &number), "dfr.basis_sets.index: 2 is not in 0..1");
    INVALID(legato_dfr_basis_sets_element(sets, 0, NULL), "dfr.basis_sets.element: a null pointer");
    INVALID(legato_dfr_basis_sets_find(sets, 0, &index), "dfr.basis_sets.find.element: 0 is not in 1..118");
    INVALID(legato_dfr_basis_sets_find(sets, 2, NULL), "dfr.basis_sets.find.index: a null pointer");
    INVALID(legato_dfr_basis_sets_find(sets, 3, &index),
            "dfr.basis_sets.find.element: there is no set for 3, Li; there are sets for: He, B");
    INVALID(legato_dfr_basis_sets_exponents(sets, -1, &number, NULL, NULL), "dfr.basis_sets.index: -1");
    INVALID(legato_dfr_basis_sets_groups(sets, 2, 1, &number, NULL, NULL, NULL, NULL, NULL, NULL),
            "dfr.basis_sets.index: 2 is not in 0..1");
    INVALID(legato_dfr_basis_sets_groups(sets, 0, 0, &number, NULL, NULL, NULL, NULL, NULL, NULL),
            "dfr.basis_sets.groups.n: 0 is not in 1..13");
    INVALID(legato_dfr_basis_sets_groups(sets, 0, 14, &number, NULL, NULL, NULL, NULL, NULL, NULL),
            "dfr.basis_sets.groups.n: 14 is not in 1..13");
    INVALID(legato_dfr_basis_sets_shells(sets, 0, NULL), "dfr.basis_sets.shells: a null pointer");
    INVALID(legato_dfr_basis_sets_shells(sets, 9, &number), "dfr.basis_sets.index: 9");
    INVALID(legato_dfr_basis_sets_shell(sets, 9, 0, &number, NULL, NULL, NULL, NULL, NULL), "dfr.basis_sets.index: 9");
    INVALID(legato_dfr_basis_sets_shell(sets, 0, 1, &number, NULL, NULL, NULL, NULL, NULL),
            "dfr.basis_sets.shell: 1 is not in 0..0");
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(sets));
    CHECK_SUCCESS(legato_dfr_basis_sets_destroy(NULL));
    CHECK(legato_dfr_basis_sets_size(sets, &index) == LEGATO_STATUS_INVALID_ARGUMENT);
}

static void refused_files(void) {
    legato_dfr_basis_sets* sets = NULL;
    INVALID(legato_dfr_basis_sets_create(context, NULL), "dfr.basis_sets: a null pointer");
    INVALID(legato_dfr_basis_sets_read(context, NULL, 0, &sets), "dfr.basis_sets.read.path: a null pointer");
    INVALID(legato_dfr_basis_sets_read(context, "x", -1, &sets), "dfr.basis_sets.format: -1 is not in 0..3");
    REFUSED(legato_dfr_basis_sets_read(context, "no such file", 0, &sets), LEGATO_STATUS_IO_ERROR,
            "basis file no such file: cannot open");
    INVALID(legato_dfr_basis_sets_library(context, NULL, 0, &sets), "dfr.basis_sets.library.name: a null pointer");
    INVALID(legato_dfr_basis_sets_library(context, "x", -1e-9, &sets), "dfr.basis_sets.library.largest_error: ");
    INVALID(legato_dfr_basis_sets_library(context, "x", 1.5, &sets), "dfr.basis_sets.library.largest_error: 1.5");
    INVALID(legato_dfr_basis_sets_library(context, "x", NAN, &sets), "dfr.basis_sets.library.largest_error: ");
    INVALID(legato_dfr_basis_sets_library(context, "no library", 0, &sets),
            "dfr.basis_library: there is no library \"no library\"");
    CHECK(sets == NULL);
}

int main(void) {
    context = cpu_context(2);
    fill_neon();
    files();
    contractions();
    refused_sets();
    refused_files();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_basis_sets_client");
}
