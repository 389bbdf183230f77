/* Tests every function of Dirac-Fock-Roothaan atoms with every argument that it must refuse, in C99 and in C++. */
#include "dfr_runs.h"

static void refused_without_context(void) {
    double x[1] = {1};
    int32_t one[1] = {1};
    int64_t large = 7;
    legato_dfr_params params;
    legato_dfr* dfr = (legato_dfr*)&params;
    legato_dfr_nucleus nucleus = nucleus_of(1);
    legato_dfr_atom atom;
    legato_dfr_correction_energies energies = {sizeof energies, 3, 5, 7};
    memset(&atom, 0, sizeof atom);
    atom.struct_size = sizeof atom;
    legato_dfr_params_init(&params);
#define NONE(call) INVALID(call, "the context is a null pointer")
    NONE(legato_dfr_create(NULL, &params, &dfr));
    CHECK(dfr == NULL);
    NONE(legato_dfr_create(NULL, NULL, NULL));
    NONE(legato_dfr_add_element(NULL, 2, 1, &large));
    NONE(legato_dfr_add_element_with_basis(NULL, 2, 1, NULL, &large));
    NONE(legato_dfr_add_atom(NULL, &nucleus, 1, one, x, one, x, x, &large));
    NONE(legato_dfr_add_shells(NULL, &nucleus, 1, one, x, 1, one, one, one, one, &large));
    NONE(legato_dfr_run(NULL, NULL, NULL));
    NONE(legato_dfr_advance(NULL, 1, &large));
    NONE(legato_dfr_size(NULL, &large));
    NONE(legato_dfr_atom_size(NULL, 0, one, one));
    NONE(legato_dfr_exponents(NULL, 0, 0, NULL));
    NONE(legato_dfr_result(NULL, 0, &atom));
    NONE(legato_dfr_spinors(NULL, 0, 0, 1, one, x, x, x, x));
    NONE(legato_dfr_corrections(NULL, 0, &energies));
    NONE(legato_dfr_levels(NULL, 0, 0, 1, &large, one, one, x));
    NONE(legato_dfr_radial_moment(NULL, 0, 0, 0, 1, x));
    NONE(legato_dfr_radial_functions(NULL, 0, 0, 0, 1, x, x, x));
    NONE(legato_dfr_radial_density(NULL, 0, 1, x, x));
    NONE(legato_dfr_write_vectors(NULL, "vectors.h5"));
    NONE(legato_dfr_well_tempered(NULL, 0.1, 2, 4, 1, 1, x));
#undef NONE
    CHECK(large == 7 && x[0] == 1 && one[0] == 1 && atom.iterations == 0);
    CHECK(energies.gaunt == 3 && energies.breit == 5 && energies.uehling == 7);
    CHECK_SUCCESS(legato_dfr_destroy(NULL));
}

static void refused_params(void) {
#define AT(member) offsetof(legato_dfr_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 0, "dfr.params.struct_size: 0 is not in 56..4096"},
        {AT(struct_size), 'l', 55, "dfr.params.struct_size: 55 is not in 56..4096"},
        {AT(struct_size), 'l', 4097, "dfr.params.struct_size: 4097 is not in 56..4096"},
        {AT(struct_size), 'l', -1, "dfr.params.struct_size: 18446744073709551615 is not in 56..4096"},
    };
#undef AT
    legato_dfr_params params;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        legato_dfr* dfr = (legato_dfr*)&params;
        CHECK_SUCCESS(legato_dfr_params_init(&params));
        set_member(&params, &members[i]);
        INVALID(legato_dfr_create(context, &params, &dfr), members[i].message);
        CHECK(dfr == NULL);
    }
    CHECK_SUCCESS(legato_dfr_params_init(&params));
    params.relativistic = 0;
    params.interaction = LEGATO_DFR_INTERACTION_GAUNT;
    legato_dfr* none = NULL;
    INVALID(legato_dfr_create(context, &params, &none), "dfr.params.interaction: 1 needs relativistic = 1");
    CHECK(none == NULL);
    INVALID(legato_dfr_create(context, NULL, NULL), "dfr: a null pointer is not allowed");
    CHECK(legato_dfr_params_init(NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_params_init_sized(&params, 0) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_params_init_sized(&params, offsetof(legato_dfr_params, kinetic_balance) - 1) ==
          LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_dfr_params_init_sized(&params, (size_t)-1) == LEGATO_STATUS_INVALID_ARGUMENT);
}

/* Tests structs of a later version, which are longer than the library's. Additional members may be zero, but nothing
 * else. */
static void sizes_of_structs(void) {
    struct {
        legato_dfr_params is;
        int64_t later[2];
    } params;
    struct {
        legato_dfr_nucleus is;
        int64_t later[2];
    } nucleus;
    struct {
        legato_dfr_atom is;
        unsigned char behind[64];
    } atom;
    const double zeta = 1;
    const int32_t one = 1, none = 0;
    const double electron = 1, pair = 0;
    legato_dfr* dfr = NULL;
    memset(&params, 0xa5, sizeof params);
    CHECK_SUCCESS(legato_dfr_params_init_sized(&params.is, sizeof params));
    CHECK(params.is.struct_size == sizeof params && params.later[0] == 0 && params.later[1] == 0);
    CHECK(params.is.relativistic == 1 && params.is.max_iterations == 50 && params.is.diis_vectors == 10);
    CHECK(params.is.speed_of_light == 137.03599976 && params.is.energy_threshold == 1e-12);
    CHECK(params.is.gradient_threshold == 1e-9 && params.is.dependence_threshold == 1e-10);
    CHECK_SUCCESS(legato_dfr_create(context, &params.is, &dfr));
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
    params.later[1] = 1;
    INVALID(legato_dfr_create(context, &params.is, &dfr), "dfr.params.struct_size: 80 is more than the 64 bytes that");
    CHECK(dfr == NULL);

    dfr = new_list(NULL);
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.is = nucleus_of(1);
    nucleus.is.struct_size = sizeof nucleus;
    CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL));
    nucleus.later[0] = 1;
    INVALID(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL),
            "dfr.nucleus.struct_size: 64 is more than the 48 bytes that");
    nucleus.is.struct_size = 39;
    INVALID(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL),
            "dfr.nucleus.struct_size: 39 is not in 40..4096");
    memset(&atom, 0xa5, sizeof atom);
    INVALID(legato_dfr_result(dfr, 0, &atom.is), "dfr.atom.struct_size: ");
    atom.is.struct_size = 63;
    INVALID(legato_dfr_result(dfr, 0, &atom.is), "dfr.atom.struct_size: 63 is not in 64..4096");
    CHECK(atom.behind[0] == 0xa5 && atom.is.status != LEGATO_DFR_ATOM_STATUS_WAITING);
    atom.is.struct_size = sizeof atom;
    CHECK_SUCCESS(legato_dfr_result(dfr, 0, &atom.is));
    CHECK(atom.is.struct_size == sizeof atom && atom.is.status == LEGATO_DFR_ATOM_STATUS_WAITING &&
          atom.is.energy == 0);
    CHECK(atom.behind[0] == 0xa5 && atom.behind[63] == 0xa5);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* An atom in which one thing may be wrong. */
typedef struct bad_atom {
    legato_dfr_nucleus nucleus;
    int32_t n_species, n_functions[14], closed[14];
    double exponents[8], electrons[14], pairs[9];
} bad_atom;

static int32_t add_it(legato_dfr* dfr, const bad_atom* a) {
    int64_t index = -7;
    const int32_t status = legato_dfr_add_atom(dfr, &a->nucleus, a->n_species, a->n_functions, a->exponents, a->closed,
                                               a->electrons, a->pairs, &index);
    CHECK((status == LEGATO_STATUS_SUCCESS) == (index >= 0) && (index >= 0 || index == -7));
    return status;
}

static bad_atom good_atom(void) {
    bad_atom good;
    memset(&good, 0, sizeof good);
    good.nucleus = nucleus_of(5);
    good.n_species = 3;
    good.n_functions[0] = 4;
    good.n_functions[1] = good.n_functions[2] = 2;
    for (int i = 0; i < 8; ++i) good.exponents[i] = pow(4, i % 4);
    good.closed[0] = 2;
    good.electrons[1] = 1;
    good.electrons[2] = 0.5;
    for (int i = 0; i < 9; ++i) good.pairs[i] = i % 4 == 0 ? 0.5 : 1;
    return good;
}

static void refused_atoms(void) {
    legato_dfr* const dfr = new_list(NULL);
    const bad_atom good = good_atom();
    bad_atom a;
    int64_t atoms = -1;
    CHECK_SUCCESS(add_it(dfr, &good));
#define BAD(change, message)               \
    do {                                   \
        a = good;                          \
        change;                            \
        INVALID(add_it(dfr, &a), message); \
    } while (0)
    BAD(a.nucleus.struct_size = 0, "dfr.nucleus.struct_size: 0 is not in 40..4096");
    BAD(a.nucleus.skin = 1e-5, "dfr.atoms[1].nucleus.skin: 1e-05 is not 0, but dfr.atoms[1].nucleus.model is ");
    BAD(a.nucleus.charge = NAN, "dfr.atoms[1].nucleus.charge: nan is not in [1, 137]");
    BAD(a.n_species = 0, "dfr.n_species: 0 is not in 1..13");
    BAD(a.n_species = -1, "dfr.n_species: -1 is not in 1..13");
    BAD(a.n_species = 14, "dfr.n_species: 14 is not in 1..13");
    BAD(a.n_species = INT32_MAX, "dfr.n_species: 2147483647 is not in 1..13");
    BAD(a.n_functions[0] = -1, "dfr.n_functions: -1 is not in 0..200");
    BAD(a.n_functions[1] = 201, "dfr.n_functions: 201 is not in 0..200");
    BAD(a.n_functions[2] = INT32_MAX, "dfr.n_functions: 2147483647 is not in 0..200");
    BAD(a.exponents[0] = 0, "dfr.atoms[1].exponents[s1/2][0]: 0 is not in [1e-08, 1e+20]");
    BAD(a.exponents[5] = -1, "dfr.atoms[1].exponents[p1/2][1]: -1 is not in [");
    BAD(a.exponents[7] = NAN, "dfr.atoms[1].exponents[p3/2][1]: nan is not in [");
    BAD(a.exponents[7] = INFINITY, "dfr.atoms[1].exponents[p3/2][1]: inf is not in [");
    BAD(a.exponents[7] = 1e21, "dfr.atoms[1].exponents[p3/2][1]: 1e+21 is not in [");
    BAD(a.closed[0] = -1, "dfr.atoms[1].configuration.closed[s1/2]: -1 is not in 0..4");
    BAD(a.closed[0] = 5,
        "dfr.atoms[1].configuration.closed[s1/2]: 5 is not in 0..4, because the basis set has 4 functions of this");
    BAD(a.closed[1] = 2, "dfr.atoms[1].configuration.closed[p1/2]: 2 is not in 0..1");
    BAD(a.closed[2] = INT32_MAX, "dfr.atoms[1].configuration.closed[p3/2]: 2147483647 is not in 0..1");
    BAD(a.electrons[0] = 2, "dfr.atoms[1].configuration.electrons[s1/2]: 2 is not in [0, 2)");
    BAD(a.electrons[1] = -0.5, "dfr.atoms[1].configuration.electrons[p1/2]: -0.5 is not in [0, 2)");
    BAD(a.electrons[2] = NAN, "dfr.atoms[1].configuration.electrons[p3/2]: nan is not in [0, 4)");
    BAD((a.n_functions[0] = 6, a.n_functions[1] = 0),
        "dfr.atoms[1].configuration.electrons[p1/2]: 1 is not 0, but the basis set has no functions of this species");
    BAD((a.closed[0] = 0, a.electrons[1] = a.electrons[2] = 0), "dfr.atoms[1].configuration: no electrons");
    BAD(a.pairs[4] = -1, "dfr.atoms[1].configuration.pairs[p1/2][p1/2]: -1 is not in [0, 1000000]");
    BAD(a.pairs[8] = NAN, "dfr.atoms[1].configuration.pairs[p3/2][p3/2]: nan is not in [");
    BAD(a.pairs[5] = INFINITY, "dfr.atoms[1].configuration.pairs[p1/2][p3/2]: inf is not in [");
    BAD(a.pairs[7] = 0.25, "dfr.atoms[1].configuration.pairs[p1/2][p3/2]: 1 is not 0.25, the value for the same");
#undef BAD
#define WITHOUT(nucleus, functions, exponents, closed, electrons, pairs, message) \
    INVALID(legato_dfr_add_atom(dfr, nucleus, 3, functions, exponents, closed, electrons, pairs, NULL), message)
    const bad_atom* const g = &good;
    WITHOUT(NULL, g->n_functions, g->exponents, g->closed, g->electrons, g->pairs, "dfr.nucleus: a null pointer");
    WITHOUT(&g->nucleus, NULL, g->exponents, g->closed, g->electrons, g->pairs, "dfr.n_functions: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, NULL, g->closed, g->electrons, g->pairs, "dfr.exponents: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, g->exponents, NULL, g->electrons, g->pairs, "dfr.closed: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, g->exponents, g->closed, NULL, g->pairs, "dfr.electrons: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, g->exponents, g->closed, g->electrons, NULL, "dfr.pairs: a null pointer");
#undef WITHOUT
    INVALID(legato_dfr_add_element(dfr, 0, 1, NULL), "dfr.element: 0 is not in 1..118");
    INVALID(legato_dfr_add_element(dfr, INT32_MIN, 1, NULL), "dfr.element: -2147483648 is not in 1..118");
    INVALID(legato_dfr_add_element(dfr, 119, 1, NULL), "dfr.element: 119 is not in 1..118");
    INVALID(legato_dfr_add_element(dfr, 1, 4, NULL), "dfr.element: 1 is not in 2..118 with a Fermi nucleus");
    INVALID(legato_dfr_add_element(dfr, 2, 0, NULL), "dfr.nuclear_model: 0 is not in 1..4");
    INVALID(legato_dfr_add_element(dfr, 2, 5, NULL), "dfr.nuclear_model: 5 is not in 1..4");
    INVALID(legato_dfr_add_element_with_basis(dfr, 58, 1, "hennessey", NULL),
            "dfr.element: 58, Ce, has no set in the basis library hennessey, which has sets for: He-La, Pr-Eu, ");
    INVALID(legato_dfr_add_element_with_basis(dfr, 2, 1, "nothing", NULL),
            "dfr.basis_library: there is no library \"nothing\" in the folders ");
    INVALID(legato_dfr_add_element_with_basis(dfr, 2, 1, "", NULL), "dfr.basis_library: there is no library \"\"");
    CHECK_SUCCESS(legato_dfr_size(dfr, &atoms));
    CHECK(atoms == 1);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

/* A point charge binds an electron only if it is smaller than the speed of light. */
static void refused_charges(void) {
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.speed_of_light = 50;
    legato_dfr* const slow = new_list(&params);
    INVALID(legato_dfr_add_element_with_basis(slow, 54, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL),
            "dfr.atoms[0].nucleus.charge: 54 is not below dfr.params.speed_of_light (50)");
    CHECK_SUCCESS(legato_dfr_add_element_with_basis(slow, 54, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, "hennessey", NULL));
    CHECK_SUCCESS(legato_dfr_destroy(slow));
}

/* Asks for results that do not exist yet, or for more than there are. */
static void refused_results(void) {
    legato_dfr* const dfr = new_list(NULL);
    legato_dfr_atom atom;
    legato_dfr_correction_energies energies = {sizeof energies, 3, 5, 7};
    double x[8] = {0.5, 1, 1, 1, 1, 1, 1, 1};
    int32_t states = -1, species = -1, functions[1] = {-1};
    int64_t finished = -1;
    INVALID(legato_dfr_run(dfr, NULL, NULL), "dfr.n_atoms: 0 is not in 1..100000");
    INVALID(legato_dfr_advance(dfr, 1, &finished), "dfr.n_atoms: 0 is not in 1..100000");
    INVALID(legato_dfr_atom_size(dfr, 0, &species, functions),
            "dfr.index: 0 does not exist, because there is none yet");
    CHECK_SUCCESS(add_helium(dfr));
    INVALID(legato_dfr_spinors(dfr, 0, 0, 0, NULL, NULL, NULL, NULL, NULL), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 1, x), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_radial_functions(dfr, 0, 0, 0, 1, x, x, x), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_radial_density(dfr, 0, 1, x, x), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_write_vectors(dfr, "vectors.h5"), "dfr.write_vectors: the run has not begun");
    INVALID(legato_dfr_advance(dfr, 0, &finished), "dfr.advance.iterations: 0 is not in 1..9223372036854775807");
    INVALID(legato_dfr_advance(dfr, INT64_MIN, NULL), "dfr.advance.iterations: -9223372036854775808 is not in 1..");
    CHECK(finished == -1 && species == -1);
    CHECK_SUCCESS(add_helium(dfr)); /* This does not start the run. */
    CHECK_SUCCESS(legato_dfr_advance(dfr, 1, &finished));
    CHECK(finished == 0);
    INVALID(add_helium(dfr), "dfr.add: the run has begun; add atoms before it begins");
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    INVALID(add_helium(dfr), "dfr.add: the run has begun; add atoms before it begins");
    INVALID(legato_dfr_size(dfr, NULL), "dfr.atoms: a null pointer");
    INVALID(legato_dfr_atom_size(dfr, 2, NULL, NULL), "dfr.index: 2 is not in 0..1");
    INVALID(legato_dfr_atom_size(dfr, -1, NULL, NULL), "dfr.index: -1 is not in 0..1");
    INVALID(legato_dfr_result(dfr, 0, NULL), "dfr.atom: a null pointer");
    atom.struct_size = sizeof atom;
    INVALID(legato_dfr_result(dfr, INT64_MAX, &atom), "dfr.index: 9223372036854775807 is not in 0..1");
    INVALID(legato_dfr_result(dfr, INT64_MIN, &atom), "dfr.index: -9223372036854775808 is not in 0..1");
    INVALID(legato_dfr_corrections(dfr, 0, NULL), "dfr.energies: a null pointer");
    INVALID(legato_dfr_corrections(dfr, 2, &energies), "dfr.index: 2 is not in 0..1");
    INVALID(legato_dfr_corrections(dfr, -1, &energies), "dfr.index: -1 is not in 0..1");
    energies.struct_size = 31;
    INVALID(legato_dfr_corrections(dfr, 0, &energies), "dfr.energies.struct_size: 31 is not in 32..4096");
    CHECK(energies.gaunt == 3 && energies.breit == 5 && energies.uehling == 7);
    INVALID(legato_dfr_spinors(dfr, 2, 0, 1, NULL, NULL, NULL, NULL, NULL), "dfr.index: 2 is not in 0..1");
    INVALID(legato_dfr_spinors(dfr, 0, 1, 1, NULL, NULL, NULL, NULL, NULL), "dfr.species: 1 is not in 0..0");
    INVALID(legato_dfr_spinors(dfr, 0, -1, 1, NULL, NULL, NULL, NULL, NULL), "dfr.species: -1 is not in 0..0");
    INVALID(legato_dfr_spinors(dfr, 0, 0, 19, &states, x, NULL, NULL, NULL), "dfr.spinors.n: 19 is not in 0..18");
    INVALID(legato_dfr_spinors(dfr, 0, 0, -1, NULL, NULL, NULL, NULL, NULL), "dfr.spinors.n: -1 is not in 0..18");
    INVALID(legato_dfr_spinors(dfr, 0, 0, INT32_MAX, NULL, x, x, x, x), "dfr.spinors.n: 2147483647 is not in 0..18");
    CHECK(states == 18 && x[0] == 0.5);
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 18, 1, x), "dfr.state: 18 is not in 0..17");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, -1, 1, x), "dfr.state: -1 is not in 0..17");
    INVALID(legato_dfr_radial_moment(dfr, 0, 3, 0, 1, x), "dfr.species: 3 is not in 0..0");
    INVALID(legato_dfr_radial_moment(dfr, -1, 0, 0, 1, x), "dfr.index: -1 is not in 0..1");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, -3, x), "dfr.radial_moment.power: -3 is not in -2..10");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 11, x), "dfr.radial_moment.power: 11 is not in -2..10");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 1, NULL), "dfr.radial_moment.value: a null pointer");
    INVALID(legato_dfr_radial_functions(dfr, 0, 0, 18, 1, x, x, x), "dfr.state: 18 is not in 0..17");
    INVALID(legato_dfr_radial_functions(dfr, 0, 3, 0, 1, x, x, x), "dfr.species: 3 is not in 0..0");
    INVALID(legato_dfr_radial_functions(dfr, 2, 0, 0, 1, x, x, x), "dfr.index: 2 is not in 0..1");
    INVALID(legato_dfr_radial_functions(dfr, 0, 0, 0, -1, x, x, x),
            "dfr.radial_functions.n: -1 is not in 0..214748364");
    INVALID(legato_dfr_radial_functions(dfr, 0, 0, 0, 1, NULL, x, x), "dfr.radial_functions.r: a null pointer");
    CHECK_SUCCESS(legato_dfr_radial_functions(dfr, 0, 0, 0, 0, NULL, NULL, NULL));
    INVALID(legato_dfr_write_vectors(dfr, NULL), "dfr.write_vectors.path: a null pointer");
    INVALID(legato_dfr_write_vectors(dfr, ""), "dfr.write_vectors.path: the path is empty");
    REFUSED(legato_dfr_write_vectors(dfr, "missing/vectors.h5"), LEGATO_STATUS_IO_ERROR,
            "vectors file missing/vectors.h5: ");
    INVALID(legato_dfr_radial_density(dfr, 0, -1, x, x), "dfr.radial_density.n: -1 is not in 0..2147483647");
    INVALID(legato_dfr_radial_density(dfr, 0, INT64_MAX, x, x), "dfr.radial_density.n: 9223372036854775807 is not");
    INVALID(legato_dfr_radial_density(dfr, 0, 1, NULL, x), "dfr.radial_density.r: a null pointer");
    INVALID(legato_dfr_radial_density(dfr, 0, 1, x, NULL), "dfr.radial_density.density: a null pointer");
    INVALID(legato_dfr_radial_density(dfr, 5, 1, x, x), "dfr.index: 5 is not in 0..1");
    CHECK_SUCCESS(legato_dfr_radial_density(dfr, 0, 0, NULL, NULL));
    x[1] = -1;
    INVALID(legato_dfr_radial_density(dfr, 0, 2, x, x), "dfr.radial_density.r[1]: -1 is not in [0, 1000000]");
    x[1] = NAN;
    INVALID(legato_dfr_radial_functions(dfr, 0, 0, 0, 2, x, x, x), "dfr.radial_functions.r[1]: nan is not in [0, 1000");
    INVALID(legato_dfr_radial_density(dfr, 0, 2, x, x), "dfr.radial_density.r[1]: nan is not in [0, 1000000]");
    CHECK(x[0] == 0.5);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

static void well_tempered(void) {
    double zeta[200];
    const double parameters[4] = {5.981e-2, 1.802, 5.862, 1.490};
    static const struct {
        int which, count;
        double value;
        const char* message;
    } bad[] = {
        {0, 30, 0, "dfr.well_tempered.alpha: 0 is not in [1e-08, 1e+20]"},
        {0, 30, NAN, "dfr.well_tempered.alpha: nan is not in ["},
        {1, 30, 0.5, "dfr.well_tempered.beta: 0.5 is not in [1, 1000]"},
        {1, 30, INFINITY, "dfr.well_tempered.beta: inf is not in [1, 1000]"},
        {1, 200, 1000, "dfr.well_tempered.exponents[8]: "},
        {2, 30, -1, "dfr.well_tempered.delta: -1 is not in [0, 1000]"},
        {2, 30, NAN, "dfr.well_tempered.delta: nan is not in ["},
        {3, 30, -0.1, "dfr.well_tempered.gamma: -0.1 is not in [0, 1000]"},
        {3, 30, 1001, "dfr.well_tempered.gamma: 1001 is not in [0, 1000]"},
        {3, 0, 1, "dfr.well_tempered.count: 0 is not in 1..200"},
        {3, -1, 1, "dfr.well_tempered.count: -1 is not in 1..200"},
        {3, 201, 1, "dfr.well_tempered.count: 201 is not in 1..200"},
    };
    memset(zeta, 0, sizeof zeta);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        double p[4];
        memcpy(p, parameters, sizeof p);
        p[bad[i].which] = bad[i].value;
        INVALID(legato_dfr_well_tempered(context, p[0], p[1], p[2], p[3], bad[i].count, zeta), bad[i].message);
        CHECK(zeta[0] == 0);
    }
    INVALID(legato_dfr_well_tempered(context, 0.1, 2, 4, 1, 5, NULL), "dfr.well_tempered.exponents: a null pointer");
    CHECK_SUCCESS(
        legato_dfr_well_tempered(context, parameters[0], parameters[1], parameters[2], parameters[3], 30, zeta));
    double expected = 0.05981;
    for (int k = 1; k <= 30; ++k) {
        if (k > 1) expected *= 1.802 * (k > 2 ? 1 + 1.490 * pow(k / 30.0, 5.862) : 1);
        CHECK(fabs(zeta[k - 1] / expected - 1) < 1e-13);
    }
    CHECK(zeta[30] == 0);
}

/* Lists of shells for an atom with one s function and one p1/2 function, and levels. */
static void refused_shells(void) {
    const legato_dfr_nucleus nucleus = nucleus_of(3);
    const int32_t functions[2] = {1, 1}, n[2] = {1, 2}, l[2] = {0, 1}, j[2] = {0, 1}, electrons[2] = {1, 1};
    const int32_t wrong[2] = {-1, 7};
    const double zeta[2] = {1, 1};
    legato_dfr* const dfr = new_list(NULL);
    int64_t index = -7, levels = -7;
    int32_t parity = -7, twice_j[2] = {-7, -7};
    double energies[2] = {0.5, 0.5};
#define ADD(species, count, of_n, of_l, of_j, of_electrons) \
    legato_dfr_add_shells(dfr, &nucleus, species, functions, zeta, count, of_n, of_l, of_j, of_electrons, &index)
    INVALID(legato_dfr_add_shells(dfr, NULL, 2, functions, zeta, 2, n, l, j, electrons, NULL), "dfr.nucleus: a null");
    INVALID(legato_dfr_add_shells(dfr, &nucleus, 2, NULL, zeta, 2, n, l, j, electrons, NULL),
            "dfr.n_functions: a null");
    INVALID(legato_dfr_add_shells(dfr, &nucleus, 2, functions, NULL, 2, n, l, j, electrons, NULL),
            "dfr.exponents: a null pointer");
    INVALID(ADD(0, 2, n, l, j, electrons), "dfr.n_species: 0 is not in 1..13");
    INVALID(ADD(2, 0, n, l, j, electrons), "dfr.n_shells: 0 is not in 1..10000");
    INVALID(ADD(2, 10001, n, l, j, electrons), "dfr.n_shells: 10001 is not in 1..10000");
    INVALID(ADD(2, 2, NULL, l, j, electrons), "dfr.shell_n: a null pointer");
    INVALID(ADD(2, 2, n, NULL, j, electrons), "dfr.shell_l: a null pointer");
    INVALID(ADD(2, 2, n, l, j, NULL), "dfr.shell_electrons: a null pointer");
    INVALID(ADD(2, 2, wrong, l, j, electrons), "dfr.shells[0].n: -1 is not in 1..200");
    INVALID(ADD(2, 2, n, wrong, j, electrons), "dfr.shells[0].l: -1 is not in 0..6");
    INVALID(ADD(2, 2, n, l, wrong, electrons), "dfr.shells[0].twice_j: -1 is not 0 or 1, which l = 0 allows");
    INVALID(ADD(2, 2, n, l, j, wrong), "dfr.shells[0].electrons: -1 is not in 0..2");
    INVALID(ADD(2, 2, n, l, NULL, electrons), "dfr.shells: electrons in p3/2, but the basis has only 2 species");
    INVALID(ADD(2, 1, &n[1], l, j, electrons),
            "dfr.atoms[0].configuration.open: s1/2 has 2 shells, but the basis set has 1 function of this species");
    CHECK(index == -7);
    CHECK_SUCCESS(ADD(2, 2, n, l, j, electrons));
    CHECK(index == 0);
#undef ADD
    INVALID(legato_dfr_levels(dfr, 0, 0, 0, NULL, NULL, NULL, NULL), "dfr.index: 0 has no result yet");
    CHECK_SUCCESS(legato_dfr_advance(dfr, 1, NULL));
    INVALID(legato_dfr_levels(dfr, 0, 0, 0, NULL, NULL, NULL, NULL), "dfr.levels: the atom has not converged");
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    INVALID(legato_dfr_levels(dfr, 1, 0, 0, NULL, NULL, NULL, NULL), "dfr.index: 1 is not in 0..0");
    INVALID(legato_dfr_levels(dfr, 0, 2, 0, NULL, NULL, NULL, NULL), "dfr.levels.space: 2 is not in 0..1");
    INVALID(legato_dfr_levels(dfr, 0, 0, -1, NULL, NULL, twice_j, energies), "dfr.levels.n: -1 is not in 0..2");
    INVALID(legato_dfr_levels(dfr, 0, 0, 3, &levels, &parity, twice_j, energies), "dfr.levels.n: 3 is not in 0..2");
    CHECK(levels == 2 && parity == -1 && twice_j[0] == -7 && energies[0] == 0.5);
    CHECK_SUCCESS(legato_dfr_levels(dfr, 0, 0, 2, NULL, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

int main(void) {
    refused_without_context();
    CHECK((context = cpu_context(2)) != NULL);
    refused_params();
    sizes_of_structs();
    refused_atoms();
    refused_charges();
    refused_results();
    refused_shells();
    well_tempered();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_refusals_client");
}
