/* Dirac-Fock-Roothaan atoms as a program meets them, in C99 and in C++: runs in all their parts, what comes out of
 * them held against independent numbers, and every function with every argument that it must refuse. */
#define _POSIX_C_SOURCE 200809L /* setrlimit */
#include <pthread.h>
#include <sys/resource.h>

#include "checking.h"

enum { max_n = 40, max_species = 7 };

static const double pi = 3.14159265358979323846;

static legato_context* new_context(void) {
    legato_context_params params;
    legato_context* made = NULL;
    legato_context_params_init(&params);
    params.backend = LEGATO_BACKEND_CPU;
    params.threads = 2;
    legato_context_create(&params, &made);
    return made;
}

static legato_dfr* new_list(const legato_dfr_params* params) {
    legato_dfr* dfr = NULL;
    WORKS(legato_dfr_create(context, params, &dfr));
    return dfr;
}

static legato_dfr_atom result(legato_dfr* dfr, int64_t index) {
    legato_dfr_atom atom;
    memset(&atom, 0xa5, sizeof atom);
    atom.struct_size = sizeof atom;
    WORKS(legato_dfr_result(dfr, index, &atom));
    return atom;
}

static legato_dfr_nucleus nucleus_of(double charge) {
    legato_dfr_nucleus nucleus;
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_POINT;
    nucleus.charge = charge;
    return nucleus;
}

static int add_helium(legato_dfr* dfr) {
    return legato_dfr_add_element(dfr, 2, LEGATO_DFR_POINT, NULL);
}

/* ---- The functions, once more from their definition ---- */

static int l_of(int species) {
    return (species + 1) / 2;
}
static int kappa_of(int species) {
    return species % 2 ? (species + 1) / 2 : -(species / 2 + 1);
}

/* int_0^inf r^m e^(-p r^2) dr */
static double moment(int m, double p) {
    return 0.5 * tgamma(0.5 * (m + 1)) * pow(p, -0.5 * (m + 1));
}

/* <p|r^power|q> of large, or of small components. */
static double element(int species, int small, double zeta, double eta, int power) {
    const int l = l_of(species), a = l + 1 + kappa_of(species);
    const double p = zeta + eta;
    if (!small) return moment(2 * l + 2 + power, p) / sqrt(moment(2 * l + 2, 2 * zeta) * moment(2 * l + 2, 2 * eta));
    const double norms = 4 * zeta * eta * sqrt(moment(2 * l + 4, 2 * zeta) * moment(2 * l + 4, 2 * eta));
    double sum = 4 * zeta * eta * moment(2 * l + 4 + power, p);
    if (a != 0) sum += a * a * moment(2 * l + power, p) - 2 * a * p * moment(2 * l + 2 + power, p);
    return sum / norms;
}

/* The sum of P^2 and Q^2 of one state at r. */
static double square_at(int species, int n, const double* zeta, const double* large, const double* small, double r) {
    const int l = l_of(species);
    double p = 0, q = 0;
    for (int i = 0; i < n; ++i) {
        const double gaussian = exp(-zeta[i] * r * r);
        p += large[i] * pow(r, l + 1) * gaussian / sqrt(moment(2 * l + 2, 2 * zeta[i]));
        if (small)
            q += small[i] * ((l + 1 + kappa_of(species)) * pow(r, l) - 2 * zeta[i] * pow(r, l + 2)) * gaussian /
                 (2 * zeta[i] * sqrt(moment(2 * l + 4, 2 * zeta[i])));
    }
    return p * p + q * q;
}

static double matrix_element(int species, int n, const double* zeta, const double* large, const double* small, int a,
                             int b, int power) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            sum += large[a * n + i] * large[b * n + j] * element(species, 0, zeta[i], zeta[j], power);
            if (small) sum += small[a * n + i] * small[b * n + j] * element(species, 1, zeta[i], zeta[j], power);
        }
    return sum;
}

/* ---- Refusals ---- */

static void refused_without_context(void) {
    double x[1] = {1};
    int32_t one[1] = {1};
    int64_t large = 7;
    legato_dfr_params params;
    legato_dfr* dfr = (legato_dfr*)&params;
    legato_dfr_nucleus nucleus = nucleus_of(1);
    legato_dfr_atom atom;
    memset(&atom, 0, sizeof atom);
    atom.struct_size = sizeof atom;
    legato_dfr_params_init(&params);
#define NONE(call) INVALID(call, "the context is a null pointer")
    NONE(legato_dfr_create(NULL, &params, &dfr));
    HOLDS(dfr == NULL);
    NONE(legato_dfr_create(NULL, NULL, NULL));
    NONE(legato_dfr_add_element(NULL, 2, 1, &large));
    NONE(legato_dfr_add_atom(NULL, &nucleus, 1, one, x, one, x, x, &large));
    NONE(legato_dfr_run(NULL, NULL, NULL));
    NONE(legato_dfr_advance(NULL, 1, &large));
    NONE(legato_dfr_size(NULL, &large));
    NONE(legato_dfr_atom_size(NULL, 0, one, one));
    NONE(legato_dfr_result(NULL, 0, &atom));
    NONE(legato_dfr_spinors(NULL, 0, 0, 1, one, x, x, x, x));
    NONE(legato_dfr_radial_moment(NULL, 0, 0, 0, 1, x));
    NONE(legato_dfr_radial_density(NULL, 0, 1, x, x));
    NONE(legato_dfr_well_tempered(NULL, 0.1, 2, 4, 1, 1, x));
#undef NONE
    HOLDS(large == 7 && x[0] == 1 && one[0] == 1 && atom.iterations == 0);
    WORKS(legato_dfr_destroy(NULL));
}

static void refused_params(void) {
#define AT(member) offsetof(legato_dfr_params, member)
    const bad_member members[] = {
        {AT(struct_size), 'l', 0, "dfr.params.struct_size: 0 is not in 56..4096"},
        {AT(struct_size), 'l', 55, "dfr.params.struct_size: 55 is not in 56..4096"},
        {AT(struct_size), 'l', 4097, "dfr.params.struct_size: 4097 is not in 56..4096"},
        {AT(struct_size), 'l', -1, "dfr.params.struct_size: 18446744073709551615 is not in 56..4096"},
        {AT(relativistic), 'i', -1, "dfr.params.relativistic: -1 is not in 0..1"},
        {AT(relativistic), 'i', 2, "dfr.params.relativistic: 2 is not in 0..1"},
        {AT(max_iterations), 'i', 0, "dfr.params.max_iterations: 0 is not in 1..1000000"},
        {AT(max_iterations), 'i', INT32_MIN, "dfr.params.max_iterations: -2147483648 is not in 1..1000000"},
        {AT(max_iterations), 'i', 1000001, "dfr.params.max_iterations: 1000001 is not in 1..1000000"},
        {AT(diis_vectors), 'i', 0, "dfr.params.diis_vectors: 0 is not in 1..100"},
        {AT(diis_vectors), 'i', 101, "dfr.params.diis_vectors: 101 is not in 1..100"},
        {AT(speed_of_light), 'd', 0.5, "dfr.params.speed_of_light: 0.5 is not in [1, 100000000]"},
        {AT(speed_of_light), 'd', -137, "dfr.params.speed_of_light: -137 is not in ["},
        {AT(speed_of_light), 'd', NAN, "dfr.params.speed_of_light: nan is not in ["},
        {AT(speed_of_light), 'd', INFINITY, "dfr.params.speed_of_light: inf is not in ["},
        {AT(energy_threshold), 'd', 0, "dfr.params.energy_threshold: 0 is not in [1e-16, 1]"},
        {AT(energy_threshold), 'd', NAN, "dfr.params.energy_threshold: nan is not in ["},
        {AT(energy_threshold), 'd', 2, "dfr.params.energy_threshold: 2 is not in ["},
        {AT(gradient_threshold), 'd', 0, "dfr.params.gradient_threshold: 0 is not in [1e-14, 1000000]"},
        {AT(gradient_threshold), 'd', NAN, "dfr.params.gradient_threshold: nan is not in ["},
        {AT(gradient_threshold), 'd', INFINITY, "dfr.params.gradient_threshold: inf is not in ["},
        {AT(dependence_threshold), 'd', 0, "dfr.params.dependence_threshold: 0 is not in [1e-14, 0.01]"},
        {AT(dependence_threshold), 'd', 0.5, "dfr.params.dependence_threshold: 0.5 is not in ["},
        {AT(dependence_threshold), 'd', NAN, "dfr.params.dependence_threshold: nan is not in ["},
    };
#undef AT
    legato_dfr_params params;
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        legato_dfr* dfr = (legato_dfr*)&params;
        WORKS(legato_dfr_params_init(&params));
        set_member(&params, &members[i]);
        INVALID(legato_dfr_create(context, &params, &dfr), members[i].words);
        HOLDS(dfr == NULL);
    }
    INVALID(legato_dfr_create(context, NULL, NULL), "dfr: a null pointer is not allowed");
    HOLDS(legato_dfr_params_init(NULL) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_dfr_params_init_sized(&params, 0) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_dfr_params_init_sized(&params, sizeof params - 1) == LEGATO_INVALID_ARGUMENT);
    HOLDS(legato_dfr_params_init_sized(&params, (size_t)-1) == LEGATO_INVALID_ARGUMENT);
}

/* A struct of a later version, in which the library's ends early: zeros behind it are of no meaning, all else is. */
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
    WORKS(legato_dfr_params_init_sized(&params.is, sizeof params));
    HOLDS(params.is.struct_size == sizeof params && params.later[0] == 0 && params.later[1] == 0);
    HOLDS(params.is.relativistic == 1 && params.is.max_iterations == 50 && params.is.diis_vectors == 10);
    HOLDS(params.is.speed_of_light == 137.03599976 && params.is.energy_threshold == 1e-12);
    HOLDS(params.is.gradient_threshold == 1e-9 && params.is.dependence_threshold == 1e-10);
    WORKS(legato_dfr_create(context, &params.is, &dfr));
    WORKS(legato_dfr_destroy(dfr));
    params.later[1] = 1;
    INVALID(legato_dfr_create(context, &params.is, &dfr), "dfr.params.struct_size: 72 is more than the 56 bytes that");
    HOLDS(dfr == NULL);

    dfr = new_list(NULL);
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.is = nucleus_of(1);
    nucleus.is.struct_size = sizeof nucleus;
    WORKS(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL));
    nucleus.later[0] = 1;
    INVALID(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL),
            "dfr.nucleus.struct_size: 56 is more than the 40 bytes that");
    nucleus.is.struct_size = 39;
    INVALID(legato_dfr_add_atom(dfr, &nucleus.is, 1, &one, &zeta, &none, &electron, &pair, NULL),
            "dfr.nucleus.struct_size: 39 is not in 40..4096");
    memset(&atom, 0xa5, sizeof atom);
    INVALID(legato_dfr_result(dfr, 0, &atom.is), "dfr.atom.struct_size: ");
    atom.is.struct_size = 63;
    INVALID(legato_dfr_result(dfr, 0, &atom.is), "dfr.atom.struct_size: 63 is not in 64..4096");
    HOLDS(atom.behind[0] == 0xa5 && atom.is.status != LEGATO_DFR_WAITING);
    atom.is.struct_size = sizeof atom;
    WORKS(legato_dfr_result(dfr, 0, &atom.is));
    HOLDS(atom.is.struct_size == sizeof atom && atom.is.status == LEGATO_DFR_WAITING && atom.is.energy == 0);
    HOLDS(atom.behind[0] == 0xa5 && atom.behind[63] == 0xa5);
    WORKS(legato_dfr_destroy(dfr));
}

/* An atom of which one thing is wrong. */
typedef struct bad_atom {
    legato_dfr_nucleus nucleus;
    int32_t n_species, n_functions[14], closed[14];
    double exponents[8], electrons[14], pairs[9];
} bad_atom;

static int32_t add_it(legato_dfr* dfr, const bad_atom* a) {
    int64_t index = -7;
    const int32_t status = legato_dfr_add_atom(dfr, &a->nucleus, a->n_species, a->n_functions, a->exponents, a->closed,
                                               a->electrons, a->pairs, &index);
    HOLDS((status == LEGATO_SUCCESS) == (index >= 0) && (index >= 0 || index == -7));
    return status;
}

static void refused_atoms(void) {
    legato_dfr* const dfr = new_list(NULL);
    bad_atom good, a;
    int64_t atoms = -1;
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
    WORKS(add_it(dfr, &good));
#define BAD(change, words)               \
    do {                                 \
        a = good;                        \
        change;                          \
        INVALID(add_it(dfr, &a), words); \
    } while (0)
    BAD(a.nucleus.struct_size = 0, "dfr.nucleus.struct_size: 0 is not in 40..4096");
    BAD(a.nucleus.model = 0, "dfr.atoms[1].nucleus.model: 0 is not in 1..3");
    BAD(a.nucleus.model = 4, "dfr.atoms[1].nucleus.model: 4 is not in 1..3");
    BAD(a.nucleus.charge = 0, "dfr.atoms[1].nucleus.charge: 0 is not in [1, 137]");
    BAD(a.nucleus.charge = 137.5, "dfr.atoms[1].nucleus.charge: 137.5 is not in [1, 137]");
    BAD(a.nucleus.charge = NAN, "dfr.atoms[1].nucleus.charge: nan is not in [1, 137]");
    BAD(a.nucleus.model = LEGATO_DFR_SPHERE, "dfr.atoms[1].nucleus.radius: 0 is not in [1e-10, 1]");
    BAD((a.nucleus.model = LEGATO_DFR_SPHERE, a.nucleus.radius = NAN), "dfr.atoms[1].nucleus.radius: nan is not in [");
    BAD(a.nucleus.model = LEGATO_DFR_GAUSSIAN, "dfr.atoms[1].nucleus.exponent: 0 is not in [1, 1e+20]");
    BAD((a.nucleus.model = LEGATO_DFR_GAUSSIAN, a.nucleus.exponent = INFINITY),
        "dfr.atoms[1].nucleus.exponent: inf is not in [1, 1e+20]");
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
    BAD(a.closed[0] = 5, "dfr.atoms[1].configuration.closed[s1/2]: 5 is not in 0..4");
    BAD(a.closed[1] = 2, "dfr.atoms[1].configuration.closed[p1/2]: 2 is not in 0..1");
    BAD(a.closed[2] = INT32_MAX, "dfr.atoms[1].configuration.closed[p3/2]: 2147483647 is not in 0..1");
    BAD(a.electrons[0] = 2, "dfr.atoms[1].configuration.electrons[s1/2]: 2 is not in [0, 2)");
    BAD(a.electrons[1] = -0.5, "dfr.atoms[1].configuration.electrons[p1/2]: -0.5 is not in [0, 2)");
    BAD(a.electrons[2] = NAN, "dfr.atoms[1].configuration.electrons[p3/2]: nan is not in [0, 4)");
    BAD((a.n_functions[0] = 6, a.n_functions[1] = 0),
        "dfr.atoms[1].configuration.electrons[p1/2]: 1 is not 0, all that no functions hold");
    BAD((a.closed[0] = 0, a.electrons[1] = a.electrons[2] = 0), "dfr.atoms[1].configuration: no electrons");
    BAD(a.pairs[4] = -1, "dfr.atoms[1].configuration.pairs[p1/2][p1/2]: -1 is not in [0, 1000000]");
    BAD(a.pairs[8] = NAN, "dfr.atoms[1].configuration.pairs[p3/2][p3/2]: nan is not in [");
    BAD(a.pairs[5] = INFINITY, "dfr.atoms[1].configuration.pairs[p1/2][p3/2]: inf is not in [");
    BAD(a.pairs[7] = 0.25, "dfr.atoms[1].configuration.pairs[p1/2][p3/2]: 1 is not 0.25, that of the same");
#undef BAD
#define WITHOUT(nucleus, functions, exponents, closed, electrons, pairs, words) \
    INVALID(legato_dfr_add_atom(dfr, nucleus, 3, functions, exponents, closed, electrons, pairs, NULL), words)
    const bad_atom* const g = &good;
    WITHOUT(NULL, g->n_functions, g->exponents, g->closed, g->electrons, g->pairs, "dfr.nucleus: a null pointer");
    WITHOUT(&g->nucleus, NULL, g->exponents, g->closed, g->electrons, g->pairs, "dfr.n_functions: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, NULL, g->closed, g->electrons, g->pairs, "dfr.exponents: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, g->exponents, NULL, g->electrons, g->pairs, "dfr.closed: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, g->exponents, g->closed, NULL, g->pairs, "dfr.electrons: a null pointer");
    WITHOUT(&g->nucleus, g->n_functions, g->exponents, g->closed, g->electrons, NULL, "dfr.pairs: a null pointer");
#undef WITHOUT
    INVALID(legato_dfr_add_element(dfr, 1, 1, NULL), "dfr.element: 1 is not in the basis library");
    INVALID(legato_dfr_add_element(dfr, 58, 1, NULL), "dfr.element: 58 is not in the basis library");
    INVALID(legato_dfr_add_element(dfr, 87, 1, NULL), "dfr.element: 87 is not in the basis library");
    INVALID(legato_dfr_add_element(dfr, INT32_MIN, 1, NULL), "dfr.element: -2147483648 is not in the basis library");
    INVALID(legato_dfr_add_element(dfr, 2, 0, NULL), "dfr.nuclear_model: 0 is not in 1..3");
    INVALID(legato_dfr_add_element(dfr, 2, 4, NULL), "dfr.nuclear_model: 4 is not in 1..3");
    WORKS(legato_dfr_size(dfr, &atoms));
    HOLDS(atoms == 1);
    WORKS(legato_dfr_destroy(dfr));

    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.speed_of_light = 50;
    legato_dfr* const slow = new_list(&params);
    INVALID(legato_dfr_add_element(slow, 54, LEGATO_DFR_POINT, NULL),
            "dfr.atoms[0].nucleus.charge: 54 is not below dfr.params.speed_of_light (50)");
    WORKS(legato_dfr_add_element(slow, 54, LEGATO_DFR_GAUSSIAN, NULL));
    WORKS(legato_dfr_destroy(slow));
}

/* What asks for a result that is not there yet, or for more than there is. */
static void refused_results(void) {
    legato_dfr* const dfr = new_list(NULL);
    legato_dfr_atom atom;
    double x[8] = {0.5, 1, 1, 1, 1, 1, 1, 1};
    int32_t states = -1, species = -1, functions[1] = {-1};
    int64_t finished = -1;
    INVALID(legato_dfr_run(dfr, NULL, NULL), "dfr.n_atoms: 0 is not in 1..100000");
    INVALID(legato_dfr_advance(dfr, 1, &finished), "dfr.n_atoms: 0 is not in 1..100000");
    INVALID(legato_dfr_atom_size(dfr, 0, &species, functions), "dfr.index: 0 is not in 0..-1");
    WORKS(add_helium(dfr));
    INVALID(legato_dfr_spinors(dfr, 0, 0, 0, NULL, NULL, NULL, NULL, NULL), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 1, x), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_radial_density(dfr, 0, 1, x, x), "dfr.index: 0 has no result yet");
    INVALID(legato_dfr_advance(dfr, 0, &finished), "dfr.advance.iterations: 0 is not in 1..9223372036854775807");
    INVALID(legato_dfr_advance(dfr, INT64_MIN, NULL), "dfr.advance.iterations: -9223372036854775808 is not in 1..");
    HOLDS(finished == -1 && species == -1);
    WORKS(add_helium(dfr)); /* The run has not begun by this. */
    WORKS(legato_dfr_advance(dfr, 1, &finished));
    HOLDS(finished == 0);
    INVALID(add_helium(dfr), "dfr.add: the run has begun; atoms are added before");
    WORKS(legato_dfr_run(dfr, NULL, NULL));
    INVALID(add_helium(dfr), "dfr.add: the run has begun; atoms are added before");
    INVALID(legato_dfr_size(dfr, NULL), "dfr.atoms: a null pointer");
    INVALID(legato_dfr_atom_size(dfr, 2, NULL, NULL), "dfr.index: 2 is not in 0..1");
    INVALID(legato_dfr_atom_size(dfr, -1, NULL, NULL), "dfr.index: -1 is not in 0..1");
    INVALID(legato_dfr_result(dfr, 0, NULL), "dfr.atom: a null pointer");
    atom.struct_size = sizeof atom;
    INVALID(legato_dfr_result(dfr, INT64_MAX, &atom), "dfr.index: 9223372036854775807 is not in 0..1");
    INVALID(legato_dfr_result(dfr, INT64_MIN, &atom), "dfr.index: -9223372036854775808 is not in 0..1");
    INVALID(legato_dfr_spinors(dfr, 2, 0, 1, NULL, NULL, NULL, NULL, NULL), "dfr.index: 2 is not in 0..1");
    INVALID(legato_dfr_spinors(dfr, 0, 1, 1, NULL, NULL, NULL, NULL, NULL), "dfr.species: 1 is not in 0..0");
    INVALID(legato_dfr_spinors(dfr, 0, -1, 1, NULL, NULL, NULL, NULL, NULL), "dfr.species: -1 is not in 0..0");
    INVALID(legato_dfr_spinors(dfr, 0, 0, 19, &states, x, NULL, NULL, NULL), "dfr.spinors.n: 19 is not in 0..18");
    INVALID(legato_dfr_spinors(dfr, 0, 0, -1, NULL, NULL, NULL, NULL, NULL), "dfr.spinors.n: -1 is not in 0..18");
    INVALID(legato_dfr_spinors(dfr, 0, 0, INT32_MAX, NULL, x, x, x, x), "dfr.spinors.n: 2147483647 is not in 0..18");
    HOLDS(states == 18 && x[0] == 0.5);
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 18, 1, x), "dfr.state: 18 is not in 0..17");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, -1, 1, x), "dfr.state: -1 is not in 0..17");
    INVALID(legato_dfr_radial_moment(dfr, 0, 3, 0, 1, x), "dfr.species: 3 is not in 0..0");
    INVALID(legato_dfr_radial_moment(dfr, -1, 0, 0, 1, x), "dfr.index: -1 is not in 0..1");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, -3, x), "dfr.radial_moment.power: -3 is not in -2..10");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 11, x), "dfr.radial_moment.power: 11 is not in -2..10");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 1, NULL), "dfr.radial_moment.value: a null pointer");
    INVALID(legato_dfr_radial_density(dfr, 0, -1, x, x), "dfr.radial_density.n: -1 is not in 0..2147483647");
    INVALID(legato_dfr_radial_density(dfr, 0, INT64_MAX, x, x), "dfr.radial_density.n: 9223372036854775807 is not");
    INVALID(legato_dfr_radial_density(dfr, 0, 1, NULL, x), "dfr.radial_density.r: a null pointer");
    INVALID(legato_dfr_radial_density(dfr, 0, 1, x, NULL), "dfr.radial_density.density: a null pointer");
    INVALID(legato_dfr_radial_density(dfr, 5, 1, x, x), "dfr.index: 5 is not in 0..1");
    WORKS(legato_dfr_radial_density(dfr, 0, 0, NULL, NULL));
    x[1] = -1;
    INVALID(legato_dfr_radial_density(dfr, 0, 2, x, x), "dfr.radial_density.r[1]: -1 is not in [0, 1000000]");
    x[1] = NAN;
    INVALID(legato_dfr_radial_density(dfr, 0, 2, x, x), "dfr.radial_density.r[1]: nan is not in [0, 1000000]");
    HOLDS(x[0] == 0.5);
    WORKS(legato_dfr_destroy(dfr));
}

static void well_tempered(void) {
    double zeta[200];
    const double parameters[4] = {5.981e-2, 1.802, 5.862, 1.490};
    static const struct {
        int which, count;
        double value;
        const char* words;
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
        INVALID(legato_dfr_well_tempered(context, p[0], p[1], p[2], p[3], bad[i].count, zeta), bad[i].words);
        HOLDS(zeta[0] == 0);
    }
    INVALID(legato_dfr_well_tempered(context, 0.1, 2, 4, 1, 5, NULL), "dfr.well_tempered.exponents: a null pointer");
    WORKS(legato_dfr_well_tempered(context, parameters[0], parameters[1], parameters[2], parameters[3], 30, zeta));
    double expected = 0.05981;
    for (int k = 1; k <= 30; ++k) {
        if (k > 1) expected *= 1.802 * (k > 2 ? 1 + 1.490 * pow(k / 30.0, 5.862) : 1);
        HOLDS(fabs(zeta[k - 1] / expected - 1) < 1e-13);
    }
    HOLDS(zeta[30] == 0);
}

/* ---- What comes out ---- */

/* spec/dfr.md, section 6, of an independent program: c = 137.0359895, and without relativity. */
static const struct {
    int32_t element;
    double relativistic, non_relativistic;
} references[] = {
    {2, -2.861813332, -2.861679986},        {6, -37.676044081, -37.659697890},
    {8, -74.824999296, -74.769201053},      {10, -128.691968097, -128.547097540},
    {18, -528.684433877, -526.817510429},   {24, -1049.598788901, -1043.141750435},
    {54, -7447.157348038, -7232.138332525},
};
enum { n_references = sizeof references / sizeof *references };

static void batches(void) {
    for (int32_t relativistic = 0; relativistic < 2; ++relativistic) {
        legato_dfr_params params;
        int64_t finished = 0, atoms = 0, index = -1;
        legato_dfr_params_init(&params);
        params.relativistic = relativistic;
        params.speed_of_light = 137.0359895;
        legato_dfr* const dfr = new_list(&params);
        for (int i = 0; i < n_references; ++i) {
            WORKS(legato_dfr_add_element(dfr, references[i].element, LEGATO_DFR_POINT, &index));
            HOLDS(index == i);
        }
        WORKS(legato_dfr_size(dfr, &atoms));
        HOLDS(atoms == n_references);
        WORKS(legato_dfr_advance(dfr, INT64_MAX, &finished));
        HOLDS(finished == n_references);
        for (int i = 0; i < n_references; ++i) {
            const legato_dfr_atom atom = result(dfr, i);
            const double energy = relativistic ? references[i].relativistic : references[i].non_relativistic;
            HOLDS(atom.status == LEGATO_DFR_CONVERGED && atom.iterations > 5 && atom.iterations < 40);
            /* 1e-10 relative, or the table's nine decimals. */
            HOLDS(fabs(atom.energy - energy) <= fmax(1e-10 * fabs(energy), 0.5e-9));
            HOLDS(fabs(atom.energy - atom.kinetic - atom.nuclear - atom.repulsion) <= 1e-12 * fabs(energy) ||
                  relativistic);
            HOLDS(fabs(atom.virial_ratio - (relativistic ? 1 : 2)) < 1e-4 && atom.gradient <= 1e-6);
            HOLDS(fabs(atom.virial_ratio + (atom.nuclear + atom.repulsion) / atom.kinetic) < 1e-14);
        }
        WORKS(legato_dfr_destroy(dfr));
    }
}

/* Everything that there is of one species, against overlaps and moments from their definition. Electrons in it. */
static double check_species(legato_dfr* dfr, int64_t index, int relativistic, int s, int n, const double* zeta,
                            double* density, int points, const double* r) {
    static double large[max_n * max_n], small[max_n * max_n];
    double energies[max_n], occupations[max_n], sum = 0, worst = 0;
    int32_t states = 0;
    WORKS(legato_dfr_spinors(dfr, index, s, 0, &states, NULL, NULL, NULL, NULL));
    HOLDS(states >= 0 && states <= n && n <= max_n);
    WORKS(legato_dfr_spinors(dfr, index, s, states, NULL, energies, occupations, large, relativistic ? small : NULL));
    for (int a = 0; a < states; ++a)
        for (int b = 0; b <= a; ++b) {
            const double overlap = matrix_element(s, n, zeta, large, relativistic ? small : NULL, a, b, 0);
            worst = fmax(worst, fabs(overlap - (a == b)));
        }
    HOLDS(worst < 1e-9);
    for (int a = 0; a < states; ++a) {
        sum += occupations[a];
        HOLDS(a == 0 || energies[a] >= energies[a - 1] || fabs(energies[a] - energies[a - 1]) < 1e-6);
        HOLDS(a == 0 || occupations[a] <= occupations[a - 1]);
    }
    for (int power = -2; power <= 10; power += 3) {
        double value = 0;
        WORKS(legato_dfr_radial_moment(dfr, index, s, 0, power, &value));
        HOLDS(fabs(value / matrix_element(s, n, zeta, large, relativistic ? small : NULL, 0, 0, power) - 1) < 1e-8);
    }
    for (int a = 0; a < states && occupations[a] > 0; ++a)
        for (int i = 0; i < points; ++i)
            density[i] +=
                occupations[a] * square_at(s, n, zeta, large + a * n, relativistic ? small + a * n : NULL, r[i]);
    return sum;
}

enum { points = 900 };

/* Carbon from its parts, the list of its exponents and the numbers of its open shell, is the carbon of the library. */
static void carbon(int32_t relativistic) {
    double zeta[2][max_n], exponents[3 * max_n], own[points], density[points], r[points];
    const int32_t n_functions[3] = {23, 15, 15}, closed[3] = {2, 0, 0};
    int32_t n_species = 0, functions[3];
    const double electrons[3] = {0, 2.0 / 3.0, 4.0 / 3.0}, pair = 0.6; /* (N - 1) M / [N (M - 1)] */
    const double pairs[9] = {1, 1, 1, 1, pair, pair, 1, pair, pair};
    const legato_dfr_nucleus nucleus = nucleus_of(6);
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.relativistic = relativistic;
    legato_dfr* const dfr = new_list(&params);
    WORKS(legato_dfr_well_tempered(context, 4.613e-2, 1.941, 4.717, 1.317, 23, zeta[0]));
    for (int i = 0; i < 53; ++i) exponents[i] = zeta[0][i < 23 ? i : (i - 23) % 15];
    WORKS(legato_dfr_add_atom(dfr, &nucleus, 3, n_functions, exponents, closed, electrons, pairs, NULL));
    WORKS(legato_dfr_add_element(dfr, 6, LEGATO_DFR_POINT, NULL));
    WORKS(legato_dfr_atom_size(dfr, 1, &n_species, functions));
    HOLDS(n_species == 3 && functions[0] == 23 && functions[1] == 15 && functions[2] == 15);
    WORKS(legato_dfr_run(dfr, NULL, NULL));
    const legato_dfr_atom mine = result(dfr, 0), library = result(dfr, 1);
    HOLDS(mine.status == LEGATO_DFR_CONVERGED && fabs(mine.energy / library.energy - 1) < 1e-13);
    HOLDS(fabs(mine.energy - (relativistic ? -37.676044078 : -37.659697890)) < 5e-9);

    double sum = 0, integral = 0;
    memset(own, 0, sizeof own);
    for (int i = 0; i < points; ++i) r[i] = i == 0 ? 0 : 1e-7 * pow(10, 9 * (i - 1) / (double)(points - 2));
    WORKS(legato_dfr_radial_density(dfr, 0, points, r, density));
    for (int s = 0; s < 3; ++s) {
        const double found = check_species(dfr, 0, relativistic, s, n_functions[s], zeta[0], own, points, r);
        HOLDS(fabs(found - (s == 0 ? 4 : electrons[s])) < 1e-14);
        sum += found;
    }
    HOLDS(fabs(sum - 6) < 1e-13 && density[0] >= 0);
    for (int i = 0; i < points; ++i) {
        HOLDS(fabs(own[i] - density[i]) <= 1e-9 * fabs(own[i]) + 1e-12);
        /* Trapezia in ln r. */
        if (i > 1) integral += density[i] * r[i] * log(10.0) * 9 / (double)(points - 2);
    }
    HOLDS(fabs(integral - 6) < 1e-6);
    if (!relativistic) {
        double small[max_n];
        INVALID(legato_dfr_spinors(dfr, 0, 0, 1, NULL, NULL, NULL, NULL, small),
                "dfr.spinors.small: there are no small components without relativity");
    }
    WORKS(legato_dfr_destroy(dfr));
}

/* Hydrogen, its first species without functions; and its ground state in one function. */
static void hydrogen(void) {
    const legato_dfr_nucleus nucleus = nucleus_of(1);
    const int32_t n_functions[2] = {0, 16}, closed[2] = {0, 0}, one = 1;
    const double electrons[2] = {0, 1}, zeros[4] = {0, 0, 0, 0}, best = 8 / (9 * pi), single = 1;
    double zeta[16], value = -1, r[2] = {0, 1}, density[2] = {-1, -1};
    int32_t states = -1;
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.relativistic = 0;
    legato_dfr* const dfr = new_list(&params);
    for (int i = 0; i < 16; ++i) zeta[i] = 0.005 * pow(2, i);
    WORKS(legato_dfr_add_atom(dfr, &nucleus, 2, n_functions, zeta, closed, electrons, zeros, NULL));
    WORKS(legato_dfr_add_atom(dfr, &nucleus, 1, &one, &best, closed, &single, zeros, NULL));
    WORKS(legato_dfr_run(dfr, NULL, NULL));
    HOLDS(fabs(result(dfr, 0).energy + 0.125) < 1e-7 && fabs(result(dfr, 1).energy + 4 / (3 * pi)) < 1e-14);
    WORKS(legato_dfr_spinors(dfr, 0, 0, 0, &states, NULL, NULL, NULL, NULL));
    HOLDS(states == 0);
    INVALID(legato_dfr_spinors(dfr, 0, 0, 1, &states, NULL, NULL, NULL, NULL), "dfr.spinors.n: 1 is not in 0..0");
    INVALID(legato_dfr_radial_moment(dfr, 0, 0, 0, 1, &value), "dfr.state: 0 is not in 0..-1");
    WORKS(legato_dfr_radial_moment(dfr, 0, 1, 0, 1, &value));
    HOLDS(fabs(value - 5) < 1e-3); /* [3 n^2 - l (l + 1)] / 2 */
    WORKS(legato_dfr_radial_density(dfr, 0, 2, r, density));
    HOLDS(density[0] == 0 && fabs(density[1] - exp(-1.0) / 24) < 1e-4);
    WORKS(legato_dfr_destroy(dfr));
}

/* ---- Runs ---- */

typedef struct watcher {
    legato_dfr* dfr;
    legato_progress last;
    int calls, stop_at, lines, refused;
    char line[512];
} watcher;

static void try_from_within(watcher* w) {
    w->refused += legato_dfr_run(w->dfr, NULL, NULL) == LEGATO_INVALID_ARGUMENT;
    w->refused += legato_dfr_advance(w->dfr, 1, NULL) == LEGATO_INVALID_ARGUMENT;
    w->refused += add_helium(w->dfr) == LEGATO_INVALID_ARGUMENT;
}

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    double energies[1];
    WORKS(legato_dfr_spinors(w->dfr, 0, 0, 1, NULL, energies, NULL, NULL, NULL));
    HOLDS(energies[0] < 0 && result(w->dfr, 0).iterations > 0);
    INVALID(legato_dfr_run(w->dfr, watch, w), "dfr.run: a callback cannot carry on the run that calls it");
    INVALID(legato_dfr_advance(w->dfr, 1, NULL), "dfr.advance: a callback cannot carry on the run that calls it");
    INVALID(add_helium(w->dfr), "dfr.add: the run has begun");
    w->last = *progress;
    return ++w->calls == w->stop_at;
}

static void note(void* user, int32_t level, const char* line) {
    watcher* const w = (watcher*)user;
    HOLDS(level == LEGATO_LOG_WARNING || level == LEGATO_LOG_INFO);
    ++w->lines;
    strncpy(w->line, line, sizeof w->line - 1);
    if (w->dfr) try_from_within(w);
}

static int same_atom(legato_dfr* a, legato_dfr* b, int64_t index) {
    static double x[4][max_n * max_n], y[4][max_n * max_n];
    const legato_dfr_atom of_a = result(a, index), of_b = result(b, index);
    int32_t n = 0;
    if (memcmp(&of_a, &of_b, sizeof of_a) != 0) return 0;
    memset(x, 0, sizeof x);
    memset(y, 0, sizeof y);
    WORKS(legato_dfr_spinors(a, index, 0, 0, &n, NULL, NULL, NULL, NULL));
    WORKS(legato_dfr_spinors(a, index, 0, n, NULL, x[0], x[1], x[2], x[3]));
    WORKS(legato_dfr_spinors(b, index, 0, n, NULL, y[0], y[1], y[2], y[3]));
    return memcmp(x, y, sizeof x) == 0;
}

static void interrupted_runs(void) {
    legato_dfr* const whole = new_list(NULL);
    watcher w;
    int64_t finished = -1;
    memset(&w, 0, sizeof w);
    WORKS(legato_context_set_logger(context, LEGATO_LOG_INFO, note, &w));
    legato_dfr* const parts = new_list(NULL);
    const int32_t elements[2] = {10, 2};
    for (int i = 0; i < 2; ++i) {
        WORKS(legato_dfr_add_element(whole, elements[i], LEGATO_DFR_POINT, NULL));
        WORKS(legato_dfr_add_element(parts, elements[i], LEGATO_DFR_POINT, NULL));
    }
    WORKS(legato_dfr_run(whole, NULL, NULL));
    HOLDS(w.lines == 1 && strstr(w.line, "dfr: backend cpu") != NULL);
    w.dfr = parts; /* From here on log lines try to carry on, too: at first while the run is being begun. */
    WORKS(legato_dfr_advance(parts, 2, &finished));
    HOLDS(finished == 0 && result(parts, 0).iterations == 2 && result(parts, 0).status == LEGATO_DFR_RUNNING);
    HOLDS(w.lines == 2 && w.refused == 3);
    w.stop_at = 3;
    REFUSED(legato_dfr_run(parts, watch, &w), LEGATO_CANCELLED, "dfr: stopped by the progress callback");
    HOLDS(w.calls == 3 && w.last.points_total == 2 && w.last.points_done == 0 && w.last.cycles_done == 6);
    HOLDS(w.last.struct_size == sizeof w.last && w.last.seconds > 0 && w.last.cycles_per_second > 0);
    HOLDS(result(parts, 0).iterations == 5 && result(parts, 0).energy < -128);
    WORKS(legato_dfr_advance(parts, 1, NULL));
    WORKS(legato_dfr_run(parts, watch, &w));
    HOLDS(w.last.points_done == 2);
    WORKS(legato_dfr_run(parts, watch, &w)); /* Nothing is left to do. */
    WORKS(legato_dfr_advance(parts, 1, &finished));
    HOLDS(finished == 2);
    HOLDS(same_atom(whole, parts, 0) && same_atom(whole, parts, 1));
    WORKS(legato_context_set_logger(context, LEGATO_LOG_SILENT, NULL, NULL));
    WORKS(legato_dfr_destroy(whole));
    WORKS(legato_dfr_destroy(parts));
}

static void runs_that_do_not_converge(void) {
    const legato_dfr_nucleus nucleus = nucleus_of(10);
    const int32_t n_functions = 10, closed = 2;
    double exponents[10], value, none = 0;
    watcher w;
    legato_dfr_params params;
    int64_t finished = 0;
    legato_dfr_params_init(&params);
    params.max_iterations = 1;
    legato_dfr* const once = new_list(&params);
    WORKS(add_helium(once));
    WORKS(legato_dfr_run(once, NULL, NULL));
    const legato_dfr_atom atom = result(once, 0);
    HOLDS(atom.status == LEGATO_DFR_NOT_CONVERGED && atom.iterations == 1 && fabs(atom.energy + 2.86) < 0.1);
    WORKS(legato_dfr_radial_moment(once, 0, 0, 0, 1, &value));
    HOLDS(fabs(value - 0.93) < 0.1);
    WORKS(legato_dfr_destroy(once));

    /* Two closed shells in functions of which near linear dependence leaves one. */
    for (int i = 0; i < 10; ++i) exponents[i] = 1;
    memset(&w, 0, sizeof w);
    WORKS(legato_context_set_logger(context, LEGATO_LOG_WARNING, note, &w));
    legato_dfr* const dfr = new_list(NULL);
    WORKS(add_helium(dfr));
    for (int i = 0; i < 20; ++i)
        WORKS(legato_dfr_add_atom(dfr, &nucleus, 1, &n_functions, exponents, &closed, &none, NULL, NULL));
    WORKS(legato_dfr_advance(dfr, 1, &finished));
    HOLDS(finished == 20 && w.lines == 11);
    HOLDS(strcmp(w.line, "dfr: more than 10 atoms failed; the others are not named") == 0);
    WORKS(legato_dfr_run(dfr, NULL, NULL));
    HOLDS(w.lines == 11 && result(dfr, 0).status == LEGATO_DFR_CONVERGED);
    const legato_dfr_atom failed = result(dfr, 20);
    HOLDS(failed.status == LEGATO_DFR_FAILED && failed.energy == 0 && failed.virial_ratio == 0);
    INVALID(legato_dfr_spinors(dfr, 1, 0, 0, NULL, NULL, NULL, NULL, NULL), "dfr.index: 1 has failed and has no res");
    INVALID(legato_dfr_radial_moment(dfr, 1, 0, 0, 1, &value), "dfr.index: 1 has failed");
    INVALID(legato_dfr_radial_density(dfr, 1, 1, &none, &value), "dfr.index: 1 has failed");
    WORKS(legato_context_set_logger(context, LEGATO_LOG_SILENT, NULL, NULL));
    WORKS(legato_dfr_destroy(dfr));
}

/* A handle outlives its context; two contexts work in two threads. */
static void* run_alone(void* energy) {
    legato_dfr* dfr = NULL;
    legato_dfr_atom atom;
    legato_context* const own = new_context();
    atom.struct_size = sizeof atom;
    atom.energy = 0;
    if (legato_dfr_create(own, NULL, &dfr) == LEGATO_SUCCESS && legato_context_destroy(own) == LEGATO_SUCCESS &&
        legato_dfr_add_element(dfr, 10, LEGATO_DFR_POINT, NULL) == LEGATO_SUCCESS &&
        legato_dfr_run(dfr, NULL, NULL) == LEGATO_SUCCESS &&
        legato_dfr_add_element(dfr, 10, LEGATO_DFR_POINT, NULL) == LEGATO_INVALID_ARGUMENT)
        legato_dfr_result(dfr, 0, &atom);
    legato_dfr_destroy(dfr);
    *(double*)energy = atom.energy;
    return NULL;
}

static void two_threads(void) {
    pthread_t threads[2];
    double energies[3] = {1, 2, 3};
    run_alone(&energies[2]);
    for (int i = 0; i < 2; ++i) HOLDS(pthread_create(&threads[i], NULL, run_alone, &energies[i]) == 0);
    for (int i = 0; i < 2; ++i) HOLDS(pthread_join(threads[i], NULL) == 0);
    HOLDS(energies[0] == energies[2] && energies[1] == energies[2] && energies[2] < -128.69);
}

/* As many atoms as there may be, with a hundred iterations each to extrapolate from. */
static void little_memory(void) {
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.diis_vectors = 100;
    params.max_iterations = 1000;
    legato_dfr* const dfr = new_list(&params);
    int added = 0;
    for (int i = 0; i < 100000; ++i) added += add_helium(dfr) == LEGATO_SUCCESS;
    HOLDS(added == 100000);
    INVALID(add_helium(dfr), "dfr.n_atoms: 100001 is not in 1..100000");
    REFUSED(legato_dfr_run(dfr, NULL, NULL), LEGATO_OUT_OF_MEMORY, "dfr.n_atoms: 100000 need ");
    HOLDS(strstr(legato_context_message(context), " bytes of memory are free") != NULL);
    HOLDS(result(dfr, 99999).status == LEGATO_DFR_WAITING);
    WORKS(legato_dfr_destroy(dfr));
}

static size_t address_space(void) {
    unsigned long pages = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (size_t)pages * 4096;
}

/* Every limit from nothing to enough: each run ends in either way, and one that ran out of memory can be repeated. */
static void limited_address_space(void) {
#if !defined(__SANITIZE_ADDRESS__)
    struct rlimit before, limit;
    int refused = 0;
    HOLDS(getrlimit(RLIMIT_AS, &before) == 0);
    for (int megabytes = 0; megabytes <= 64; megabytes += megabytes < 8 ? 1 : 8) {
        legato_dfr* const dfr = new_list(NULL);
        for (int i = 0; i < 30; ++i) WORKS(add_helium(dfr));
        WORKS(legato_dfr_add_element(dfr, 24, LEGATO_DFR_POINT, NULL));
        limit = before;
        limit.rlim_cur = address_space() + (size_t)megabytes * 1048576;
        HOLDS(setrlimit(RLIMIT_AS, &limit) == 0);
        int32_t status = legato_dfr_run(dfr, NULL, NULL);
        HOLDS(setrlimit(RLIMIT_AS, &before) == 0);
        HOLDS(status == LEGATO_SUCCESS || status == LEGATO_OUT_OF_MEMORY);
        if (status != LEGATO_SUCCESS) {
            ++refused;
            HOLDS(strlen(legato_context_message(context)) > 0);
            WORKS(legato_dfr_run(dfr, NULL, NULL));
        }
        HOLDS(fabs(result(dfr, 0).energy + 2.861813332) < 5e-10);
        HOLDS(fabs(result(dfr, 30).energy + 1049.598787919) < 1e-7);
        WORKS(legato_dfr_destroy(dfr));
    }
    HOLDS(refused > 0);
#else
    (void)address_space;
#endif
}

int main(void) {
    refused_without_context();
    context = new_context();
    HOLDS(context != NULL);
    WORKS(legato_context_set_logger(context, LEGATO_LOG_SILENT, NULL, NULL));
    refused_params();
    sizes_of_structs();
    refused_atoms();
    refused_results();
    well_tempered();
    batches();
    carbon(1);
    carbon(0);
    hydrogen();
    interrupted_runs();
    runs_that_do_not_converge();
    two_threads();
    little_memory();
    limited_address_space();
    WORKS(legato_context_destroy(context));
    printf("%d cases, %d failures\n", cases, failures);
    return failures != 0;
}
