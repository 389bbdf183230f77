/* Tests configurations and data of the elements as a program uses them, in C99 and in C++. Results are compared with
 * independent numbers, and every argument that must be refused is tried. */
#include "checking.h"

enum { most_species = 13, most_rows = 64 };

typedef struct configuration {
    int32_t n_species, closed[most_species];
    double electrons[most_species], pairs[most_species * most_species];
} configuration;

static configuration nothing(void) {
    configuration c;
    memset(&c, 0xa5, sizeof c);
    c.n_species = -1;
    return c;
}

static int near(double a, double b) {
    return fabs(a - b) <= 1e-14 * fabs(b);
}

/* ---- Averages over subshells ---- */

static configuration average_of(int32_t n_subshells, const int32_t* n, const int32_t* l, const int32_t* electrons) {
    configuration c = nothing();
    CHECK_SUCCESS(
        legato_dfr_average_of_configuration(context, n_subshells, n, l, electrons, 0, &c.n_species, NULL, NULL, NULL));
    CHECK(c.n_species >= 1 && c.n_species <= most_species);
    CHECK_SUCCESS(legato_dfr_average_of_configuration(context, n_subshells, n, l, electrons, c.n_species, NULL,
                                                      c.closed, c.electrons, c.pairs));
    return c;
}

/* Averages chromium, 4s1 3d5, with subshells in arbitrary order. */
static void averages(void) {
    const int32_t n[] = {3, 4, 1, 2, 2, 3, 3}, l[] = {2, 0, 0, 0, 1, 1, 0}, electrons[] = {5, 1, 2, 2, 6, 6, 2};
    const configuration c = average_of(7, n, l, electrons);
    const int32_t closed[5] = {3, 2, 2, 0, 0};
    const double open[5] = {1, 0, 0, 2, 3};
    CHECK(c.n_species == 5);
    for (int s = 0; s < 5; ++s) {
        CHECK(c.closed[s] == closed[s] && near(c.electrons[s], open[s]));
        for (int t = 0; t < 5; ++t) {
            const double pair = s > 2 && t > 2 ? 4.0 * 10 / (5 * 9) : s == 0 && t == 0 ? 0 : 1;
            CHECK(near(c.pairs[5 * s + t], pair));
        }
    }
    /* Tests arrays for more species than there are, and with only some of the arrays. */
    configuration wide = nothing();
    CHECK_SUCCESS(legato_dfr_average_of_configuration(context, 7, n, l, electrons, most_species, &wide.n_species,
                                                      wide.closed, wide.electrons, wide.pairs));
    CHECK(wide.n_species == 5 && wide.closed[12] == 0 && wide.electrons[12] == 0 && wide.electrons[4] == 3);
    CHECK(near(wide.pairs[3 * 13 + 4], 8.0 / 9) && wide.pairs[12 * 13 + 12] == 1 && wide.pairs[3 * 13 + 12] == 1);
    wide = nothing();
    CHECK_SUCCESS(
        legato_dfr_average_of_configuration(context, 7, n, l, electrons, 5, NULL, NULL, wide.electrons, NULL));
    CHECK(wide.electrons[4] == 3 && wide.n_species == -1);
    CHECK_SUCCESS(legato_dfr_average_of_configuration(context, 7, n, l, electrons, 0, NULL, NULL, NULL, NULL));
}

static void refused_averages(void) {
    const int32_t good_n[] = {1, 2, 2}, good_l[] = {0, 0, 1}, good_electrons[] = {2, 2, 3};
    static const struct {
        int which, at, value;
        const char* message;
    } bad[] = {
        {0, 0, 0, "dfr.subshells[0].n: 0 is not in 1..200"},
        {0, 2, 1, "dfr.subshells[2].n: 1 is not in 2..200"},
        {0, 1, 201, "dfr.subshells[1].n: 201 is not in 1..200"},
        {0, 1, INT32_MIN, "dfr.subshells[1].n: -2147483648 is not in 1..200"},
        {0, 1, 1, "dfr.subshells[1]: 1s is listed twice"},
        {1, 2, -1, "dfr.subshells[2].l: -1 is not in 0..6"},
        {1, 2, 7, "dfr.subshells[2].l: 7 is not in 0..6"},
        {1, 2, INT32_MAX, "dfr.subshells[2].l: 2147483647 is not in 0..6"},
        {2, 0, -1, "dfr.subshells[0].electrons: -1 is not in 0..2"},
        {2, 2, 7, "dfr.subshells[2].electrons: 7 is not in 0..6"},
        {2, 2, INT32_MAX, "dfr.subshells[2].electrons: 2147483647 is not in 0..6"},
        {2, 0, 1, "dfr.subshells[1s]: 1 is not 2, a full shell, but 2s has electrons"},
        {0, 2, 4, "dfr.subshells[2p]: 0 is not 6, a full shell, but 4p has electrons"},
    };
    configuration c = nothing();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        int32_t a[3][3];
        memcpy(a[0], good_n, sizeof good_n);
        memcpy(a[1], good_l, sizeof good_l);
        memcpy(a[2], good_electrons, sizeof good_electrons);
        a[bad[i].which][bad[i].at] = bad[i].value;
        INVALID(legato_dfr_average_of_configuration(context, 3, a[0], a[1], a[2], most_species, &c.n_species, c.closed,
                                                    c.electrons, c.pairs),
                bad[i].message);
    }
    CHECK(c.n_species == -1);
#define AVERAGE(subshells, a, b, c_, extent) \
    legato_dfr_average_of_configuration(context, subshells, a, b, c_, extent, NULL, c.closed, c.electrons, c.pairs)
    INVALID(AVERAGE(-1, good_n, good_l, good_electrons, 3), "dfr.n_subshells: -1 is not in 0..100");
    INVALID(AVERAGE(101, good_n, good_l, good_electrons, 3), "dfr.n_subshells: 101 is not in 0..100");
    INVALID(AVERAGE(0, NULL, NULL, NULL, 3), "dfr.subshells: no electrons");
    INVALID(AVERAGE(3, NULL, good_l, good_electrons, 3), "dfr.subshell_n: a null pointer");
    INVALID(AVERAGE(3, good_n, NULL, good_electrons, 3), "dfr.subshell_l: a null pointer");
    INVALID(AVERAGE(3, good_n, good_l, NULL, 3), "dfr.subshell_electrons: a null pointer");
    INVALID(AVERAGE(3, good_n, good_l, good_electrons, 2), "dfr.average_of_configuration.n: 2 is not in 3..13");
    INVALID(AVERAGE(3, good_n, good_l, good_electrons, 0), "dfr.average_of_configuration.n: 0 is not in 3..13");
    INVALID(AVERAGE(3, good_n, good_l, good_electrons, -1), "dfr.average_of_configuration.n: -1 is not in 3..13");
    INVALID(AVERAGE(3, good_n, good_l, good_electrons, 14), "dfr.average_of_configuration.n: 14 is not in 3..13");
#undef AVERAGE
    CHECK(c.closed[0] == nothing().closed[0]);
}

/* ---- Averages over lists ---- */

/* All distributions of carbon's 2p2 give its average. Some of them give another average. */
static void lists(void) {
    const int32_t n[] = {1, 2, 2}, l[] = {0, 0, 1}, two[] = {2, 2, 2}, below[] = {2, 0, 0}, open[] = {1, 2};
    const configuration average = average_of(3, n, l, two);
    double rows[2 * most_rows];
    int64_t ways = -1;
    configuration c = nothing();
    CHECK_SUCCESS(legato_dfr_all_distributions(context, 2, open, 2, 0, &ways, NULL));
    CHECK(ways == 3);
    CHECK_SUCCESS(legato_dfr_all_distributions(context, 2, open, 2, 3, NULL, rows));
    CHECK(rows[0] == 0 && rows[1] == 2 && rows[2] == 1 && rows[3] == 1 && rows[4] == 2 && rows[5] == 0);
    CHECK_SUCCESS(legato_dfr_average_of_list(context, 3, below, 2, open, 3, rows, c.closed, c.electrons, c.pairs));
    for (int s = 0; s < 3; ++s) {
        CHECK(c.closed[s] == average.closed[s] && near(c.electrons[s], average.electrons[s]));
        for (int t = 1; s > 0 && t < 3; ++t) CHECK(near(c.pairs[3 * s + t], average.pairs[3 * s + t]));
    }
    /* The configurations p1/2(1) p3/2(1) and p1/2(0) p3/2(2) have 8 and 6 determinants. */
    CHECK_SUCCESS(legato_dfr_average_of_list(context, 3, below, 2, open, 2, rows, c.closed, c.electrons, c.pairs));
    CHECK(near(c.electrons[1], 8.0 / 14) && near(c.electrons[2], 20.0 / 14));
    CHECK(c.pairs[1 * 3 + 1] == 0 && near(c.pairs[1 * 3 + 2], 8.0 / 14 / (8.0 / 14 * 20 / 14)));
    /* A shell that is full in all rows becomes closed. The array is changed in place. */
    double filled[] = {2, 1};
    int32_t closed[] = {2, 0, 0};
    CHECK_SUCCESS(legato_dfr_average_of_list(context, 3, closed, 2, open, 1, filled, closed, c.electrons, NULL));
    CHECK(closed[0] == 2 && closed[1] == 1 && closed[2] == 0 && c.electrons[1] == 0 && c.electrons[2] == 1);
    /* There are closed shells only. */
    CHECK_SUCCESS(legato_dfr_average_of_list(context, 3, below, 0, NULL, 0, NULL, c.closed, NULL, NULL));
    CHECK(c.closed[0] == 2);
    CHECK_SUCCESS(legato_dfr_all_distributions(context, 0, NULL, 0, 1, &ways, NULL));
    CHECK(ways == 1);
}

static void refused_lists(void) {
    const int32_t below[] = {2, 0, 0}, open[] = {1, 2}, falling[] = {2, 1}, beyond[] = {1, 3}, negative[] = {-1, 2};
    const int32_t too_deep[] = {2, -1, 0}, all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const double good[] = {0, 2, 1, 1}, half[] = {0, 2, 0.5, 1.5}, full[] = {0, 2, 3, -1}, unequal[] = {0, 2, 1, 2};
    const double not_a_number[] = {NAN, 2};
    configuration c = nothing();
    int64_t ways = -1;
    double rows[4] = {-1, -1, -1, -1};
#define LIST(n, below_, n_open, species, ways_, rows_, message)                                                     \
    INVALID(                                                                                                        \
        legato_dfr_average_of_list(context, n, below_, n_open, species, ways_, rows_, c.closed, c.electrons, NULL), \
        message)
    LIST(0, below, 2, open, 2, good, "dfr.list.n_species: 0 is not in 1..13");
    LIST(14, below, 2, open, 2, good, "dfr.list.n_species: 14 is not in 1..13");
    LIST(INT32_MIN, below, 2, open, 2, good, "dfr.list.n_species: -2147483648 is not in 1..13");
    LIST(3, NULL, 2, open, 2, good, "dfr.list.closed: a null pointer");
    LIST(3, too_deep, 2, open, 2, good, "dfr.list.closed[p1/2]: -1 is not in 0..200");
    LIST(3, below, -1, open, 2, good, "dfr.list.n_open: -1 is not in 0..13");
    LIST(3, below, 14, open, 2, good, "dfr.list.n_open: 14 is not in 0..13");
    LIST(3, below, 2, NULL, 2, good, "dfr.list.open_species: a null pointer");
    LIST(3, below, 2, falling, 2, good, "dfr.list.open_species[1]: 1 is not in 3..2");
    LIST(3, below, 2, beyond, 2, good, "dfr.list.open_species[1]: 3 is not in 2..2");
    LIST(3, below, 2, negative, 2, good, "dfr.list.open_species[0]: -1 is not in 0..2");
    LIST(3, below, 2, open, 0, good, "dfr.list.n_configurations: 0 is not in 1..1000000");
    LIST(3, below, 2, open, -1, good, "dfr.list.n_configurations: -1 is not in 1..1000000");
    LIST(3, below, 2, open, INT64_MAX, good, "dfr.list.n_configurations: 9223372036854775807 is not in 1..1000000");
    LIST(3, below, 0, open, 1000001, good, "dfr.list.n_configurations: 1000001 is not in 0..1000000");
    LIST(3, below, 2, open, 2, NULL, "dfr.list.occupations: a null pointer");
    LIST(3, below, 2, open, 2, half, "dfr.list.configurations[1][p1/2]: 0.5 is not a whole number in 0..2");
    LIST(3, below, 2, open, 2, full, "dfr.list.configurations[1][p1/2]: 3 is not a whole number in 0..2");
    LIST(3, below, 2, open, 1, not_a_number, "dfr.list.configurations[0][p1/2]: nan is not a whole number in 0..2");
    LIST(3, below, 2, open, 2, unequal, "dfr.list.configurations[1]: 3 electrons, but the first configuration has 2");
#undef LIST
    CHECK(c.closed[0] == nothing().closed[0]);
#define ALL(n_open, species, electrons, n, message) \
    INVALID(legato_dfr_all_distributions(context, n_open, species, electrons, n, &ways, rows), message)
    ALL(-1, open, 2, 2, "dfr.distributions.n_open: -1 is not in 0..13");
    ALL(14, open, 2, 2, "dfr.distributions.n_open: 14 is not in 0..13");
    ALL(2, NULL, 2, 2, "dfr.distributions.open_species: a null pointer");
    ALL(2, negative, 2, 2, "dfr.distributions.open_species[0]: -1 is not in 0..12");
    ALL(2, falling, 2, 2, "dfr.distributions.open_species[1]: 1 is not in 3..12");
    ALL(2, open, -1, 2, "dfr.distributions.electrons: -1 is not in 0..6");
    ALL(2, open, 7, 2, "dfr.distributions.electrons: 7 is not in 0..6");
    ALL(13, all, 49, 2, "dfr.distributions.electrons: 49 have more than 1000000 distributions over the open shells");
    CHECK(ways == -1);
    ALL(2, open, 2, 4, "dfr.distributions.n: 4 is not in 0..3");
    ALL(2, open, 2, -1, "dfr.distributions.n: -1 is not in 0..3");
    ALL(2, open, 2, INT64_MAX, "dfr.distributions.n: 9223372036854775807 is not in 0..3");
#undef ALL
    CHECK(ways == 3 && rows[0] == -1);
}

/* ---- Elements ---- */

static void elements(void) {
    for (int32_t z = 1; z <= 118; ++z) {
        int32_t n[40], l[40], electrons[40], subshells = -1, sum = 0;
        CHECK_SUCCESS(legato_dfr_ground_configuration(context, z, 0, &subshells, NULL, NULL, NULL));
        CHECK(subshells >= 1 && subshells <= 40);
        CHECK_SUCCESS(legato_dfr_ground_configuration(context, z, subshells, NULL, n, l, electrons));
        for (int i = 0; i < subshells; ++i) sum += electrons[i];
        CHECK(sum == z && n[0] == 1 && l[0] == 0);
        const configuration c = average_of(subshells, n, l, electrons);
        double held = 0;
        for (int s = 0; s < c.n_species; ++s) held += c.closed[s] * 2 * (s / 2 + 1) + c.electrons[s];
        CHECK(near(held, z));
        CHECK(strlen(legato_dfr_symbol(z)) >= 1 && strlen(legato_dfr_symbol(z)) <= 2);
    }
    CHECK(strcmp(legato_dfr_symbol(1), "H") == 0 && strcmp(legato_dfr_symbol(118), "Og") == 0);
    CHECK(strcmp(legato_dfr_symbol(0), "") == 0 && strcmp(legato_dfr_symbol(119), "") == 0);
    CHECK(strcmp(legato_dfr_symbol(INT32_MIN), "") == 0 && strcmp(legato_dfr_symbol(INT32_MAX), "") == 0);

    int32_t n[2], electrons[2] = {-1, -1}, subshells = -1;
    CHECK_SUCCESS(legato_dfr_ground_configuration(context, 24, 2, &subshells, n, NULL, electrons));
    CHECK(subshells == 7 && n[0] == 1 && n[1] == 2 && electrons[1] == 2);
#define GROUND(z, ways) legato_dfr_ground_configuration(context, z, ways, NULL, n, NULL, electrons)
    INVALID(GROUND(0, 2), "dfr.element: 0 is not in 1..118");
    INVALID(GROUND(119, 2), "dfr.element: 119 is not in 1..118");
    INVALID(GROUND(INT32_MIN, 2), "dfr.element: -2147483648 is not in 1..118");
    INVALID(GROUND(24, 8), "dfr.ground_configuration.n: 8 is not in 0..7");
    INVALID(GROUND(24, -1), "dfr.ground_configuration.n: -1 is not in 0..7");
#undef GROUND
}

/* Tests xenon with A = 132. The exponent follows from the radius by W. R. Johnson and G. Soff, At. Data Nucl. Data
 * Tables 33, 405 (1985). */
static void nuclei(void) {
    legato_dfr_nucleus nucleus;
    struct {
        legato_dfr_nucleus is;
        unsigned char behind[32];
    } later;
    memset(&nucleus, 0xa5, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, 54, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &nucleus));
    CHECK(nucleus.model == LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN && nucleus.charge == 54 && nucleus.reserved == 0);
    CHECK(fabs(nucleus.exponent / 1.8030529331e8 - 1) < 1e-10);
    CHECK(near(nucleus.radius, sqrt(2.5 / nucleus.exponent)) && nucleus.skin == 0);
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, 54, LEGATO_DFR_NUCLEAR_MODEL_FERMI, &nucleus));
    CHECK(nucleus.model == LEGATO_DFR_NUCLEAR_MODEL_FERMI && near(nucleus.skin * 0.529177249e5, 2.30));
    INVALID(legato_dfr_element_nucleus(context, 1, LEGATO_DFR_NUCLEAR_MODEL_FERMI, &nucleus),
            "dfr.element: 1 is not in 2..118 with a Fermi nucleus: a skin of 2.30 fm alone makes it larger than its "
            "root-mean-square radius");
    /* Programs of version 0.1 have no skin. */
    nucleus.struct_size = offsetof(legato_dfr_nucleus, skin);
    nucleus.skin = 7;
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, 54, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &nucleus));
    CHECK(nucleus.skin == 7);
    nucleus.struct_size = sizeof nucleus;
    memset(&later, 0xa5, sizeof later);
    later.is.struct_size = sizeof later;
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, 118, LEGATO_DFR_NUCLEAR_MODEL_POINT, &later.is));
    CHECK(later.is.charge == 118 && later.is.struct_size == sizeof later && later.behind[0] == 0xa5);
    nucleus.charge = -1;
    INVALID(legato_dfr_element_nucleus(context, 54, 0, &nucleus), "dfr.nuclear_model: 0 is not in 1..4");
    INVALID(legato_dfr_element_nucleus(context, 54, 5, &nucleus), "dfr.nuclear_model: 5 is not in 1..4");
    INVALID(legato_dfr_element_nucleus(context, 0, 1, &nucleus), "dfr.element: 0 is not in 1..118");
    INVALID(legato_dfr_element_nucleus(context, 119, 1, &nucleus), "dfr.element: 119 is not in 1..118");
    INVALID(legato_dfr_element_nucleus(context, 54, 1, NULL), "dfr.nucleus: a null pointer");
    nucleus.struct_size = 39;
    INVALID(legato_dfr_element_nucleus(context, 54, 1, &nucleus), "dfr.nucleus.struct_size: 39 is not in 40..4096");
    CHECK(nucleus.charge == -1);
}

/* Builds from its parts the same atom as legato_dfr_add_element. */
static void an_element_from_its_parts(int32_t z) {
    int32_t n[20], l[20], subshell_electrons[20], subshells = 0, pool = 0, species = 0;
    int32_t n_functions[7] = {0}, first[7] = {0};
    double p[4], zeta[200], exponents[7 * 200], *next = exponents;
    legato_dfr_nucleus nucleus;
    legato_dfr_atom atoms[2];
    legato_dfr* dfr = NULL;
    CHECK_SUCCESS(legato_dfr_ground_configuration(context, z, 0, &subshells, NULL, NULL, NULL));
    CHECK_SUCCESS(legato_dfr_ground_configuration(context, z, subshells, NULL, n, l, subshell_electrons));
    const configuration c = average_of(subshells, n, l, subshell_electrons);
    CHECK_SUCCESS(legato_dfr_library_basis(context, z, p, &pool, 0, &species, NULL, NULL));
    CHECK(species >= c.n_species && species <= 7);
    CHECK_SUCCESS(legato_dfr_library_basis(context, z, NULL, NULL, c.n_species, NULL, n_functions, first));
    CHECK_SUCCESS(legato_dfr_well_tempered(context, p[0], p[1], p[2], p[3], pool, zeta));
    for (int s = 0; s < c.n_species; ++s) {
        CHECK(first[s] >= 1 && first[s] + n_functions[s] - 1 <= pool);
        for (int i = 0; i < n_functions[s]; ++i) *next++ = zeta[first[s] - 1 + i];
    }
    nucleus.struct_size = sizeof nucleus;
    CHECK_SUCCESS(legato_dfr_element_nucleus(context, z, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &nucleus));
    CHECK_SUCCESS(legato_dfr_create(context, NULL, &dfr));
    CHECK_SUCCESS(legato_dfr_add_element_with_basis(dfr, z, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, "hennessey", NULL));
    CHECK_SUCCESS(
        legato_dfr_add_atom(dfr, &nucleus, c.n_species, n_functions, exponents, c.closed, c.electrons, c.pairs, NULL));
    CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
    for (int i = 0; i < 2; ++i) {
        atoms[i].struct_size = sizeof atoms[i];
        CHECK_SUCCESS(legato_dfr_result(dfr, i, &atoms[i]));
    }
    CHECK(atoms[0].status == LEGATO_DFR_ATOM_STATUS_CONVERGED && memcmp(&atoms[0], &atoms[1], sizeof *atoms) == 0);
    CHECK_SUCCESS(legato_dfr_destroy(dfr));
}

static void library(void) {
    double p[4] = {-1, -1, -1, -1};
    int32_t species = -1, pool = -1, functions[7], first[7];
    an_element_from_its_parts(2);
    an_element_from_its_parts(8);
    an_element_from_its_parts(24);
    CHECK_SUCCESS(legato_dfr_library_basis(context, 86, p, &pool, 7, &species, functions, first));
    CHECK(species == 7 && pool == 32 && p[0] == 5.716e-2 && p[1] == 1.749 && p[2] == 5.695 && p[3] == 1.486);
    CHECK(functions[0] == 32 && functions[2] == 27 && functions[4] == 21 && functions[6] == 14 && first[6] == 6);
    species = -1;
#define BASIS(z, n) legato_dfr_library_basis(context, z, p, &pool, n, &species, functions, first)
    INVALID(BASIS(1, 1), "dfr.element: 1, H, has no set in the basis library hennessey, which has sets for: He");
    INVALID(BASIS(58, 1), "dfr.element: 58, Ce, has no set in the basis library hennessey");
    INVALID(BASIS(119, 1), "dfr.element: 119 is not in 1..118");
    INVALID(BASIS(INT32_MIN, 1), "dfr.element: -2147483648 is not in 1..118");
    CHECK(species == -1);
    INVALID(BASIS(2, 2), "dfr.library_basis.n: 2 is not in 0..1");
    INVALID(BASIS(86, -1), "dfr.library_basis.n: -1 is not in 0..7");
#undef BASIS
    CHECK(species == 7 && pool == 32);
}

/* A smaller error needs more functions and gives a lower energy; the exact one is known. */
static void large_bases(void) {
    const int32_t closed[3] = {0, 0, 0};
    const double electrons[3] = {1, 0, 0}, two[3] = {2, 0, 0}, zeros[9] = {0}, c = 137.03599976,
                 exact = -c * c * (1 / (c * c)) / (1 + sqrt(1 - 1 / (c * c))), errors[3] = {1e-6, 1e-9, 1e-12};
    double previous = 1, zeta[600], cut_off = -1;
    int32_t n_functions[3] = {-1, -1, -1}, before = 0;
    legato_dfr_nucleus nucleus = {sizeof nucleus, LEGATO_DFR_NUCLEAR_MODEL_POINT, 0, 1, 0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        legato_dfr* dfr = NULL;
        legato_dfr_atom atom;
        CHECK_SUCCESS(
            legato_dfr_large_basis(context, NULL, &nucleus, 3, closed, electrons, errors[i], n_functions, NULL, NULL));
        CHECK(n_functions[0] > before && n_functions[1] == 0 && n_functions[2] == 0);
        before = n_functions[0];
        zeta[before] = -7;
        CHECK_SUCCESS(
            legato_dfr_large_basis(context, NULL, &nucleus, 3, closed, electrons, errors[i], NULL, zeta, &cut_off));
        CHECK(zeta[before] == -7 && zeta[0] < zeta[before - 1] && cut_off == 0);
        CHECK_SUCCESS(legato_dfr_create(context, NULL, &dfr));
        CHECK_SUCCESS(legato_dfr_add_atom(dfr, &nucleus, 1, n_functions, zeta, closed, electrons, zeros, NULL));
        CHECK_SUCCESS(legato_dfr_run(dfr, NULL, NULL));
        atom.struct_size = sizeof atom;
        CHECK_SUCCESS(legato_dfr_result(dfr, 0, &atom));
        CHECK(atom.energy < previous && atom.energy > exact - 1e-13 && atom.energy < exact + errors[i]);
        previous = atom.energy;
        CHECK_SUCCESS(legato_dfr_destroy(dfr));
    }
    nucleus.charge = 118;
    CHECK_SUCCESS(legato_dfr_large_basis(context, NULL, &nucleus, 1, closed, electrons, 1e-11, NULL, NULL, &cut_off));
    CHECK(cut_off > 2e-9 && cut_off < 1e-7);
#define LARGE(species, occupations, error) \
    legato_dfr_large_basis(context, NULL, &nucleus, species, closed, occupations, error, n_functions, zeta, &cut_off)
    n_functions[0] = 7;
    INVALID(LARGE(0, electrons, 1e-9), "dfr.n_species: 0 is not in 1..13");
    INVALID(LARGE(14, electrons, 1e-9), "dfr.n_species: 14 is not in 1..13");
    INVALID(LARGE(1, electrons, 9e-13), "dfr.large_basis.error: 9e-13 is not in [1e-12, 1e-05]");
    INVALID(LARGE(1, electrons, NAN), "dfr.large_basis.error: nan is not in [1e-12, 1e-05]");
    INVALID(LARGE(1, two, 1e-9), "dfr.large_basis.configuration.electrons[s1/2]: 2 is not in [0, 2)");
    INVALID(LARGE(1, zeros, 1e-9), "dfr.large_basis.configuration: no electrons");
    INVALID(LARGE(1, NULL, 1e-9), "dfr.electrons: a null pointer");
    nucleus.charge = 138;
    INVALID(LARGE(1, electrons, 1e-9), "dfr.large_basis.nucleus.charge: 138 is not in [1, 137]");
#undef LARGE
    CHECK(n_functions[0] == 7);
    INVALID(legato_dfr_large_basis(context, NULL, NULL, 1, closed, electrons, 1e-9, NULL, NULL, NULL),
            "dfr.nucleus: a null pointer");
}

static void refused_without_context(void) {
    int32_t i[4] = {1, 1, 1, 1};
    int64_t ways = 7;
    double x[4] = {7, 7, 7, 7};
    legato_dfr_nucleus nucleus;
    nucleus.struct_size = sizeof nucleus;
#define NONE(call) INVALID(call, "the context is a null pointer")
    NONE(legato_dfr_average_of_configuration(NULL, 1, i, i, i, 1, i, i, x, x));
    NONE(legato_dfr_average_of_list(NULL, 1, i, 1, i, 1, x, i, x, x));
    NONE(legato_dfr_all_distributions(NULL, 1, i, 1, 1, &ways, x));
    NONE(legato_dfr_ground_configuration(NULL, 2, 1, i, i, i, i));
    NONE(legato_dfr_element_nucleus(NULL, 2, 1, &nucleus));
    NONE(legato_dfr_library_basis(NULL, 2, x, i, 1, i, i, i));
    NONE(legato_dfr_large_basis(NULL, NULL, &nucleus, 1, i, x, 1e-9, i, x, x));
#undef NONE
    CHECK(ways == 7 && x[0] == 7 && i[0] == 1);
}

int main(void) {
    refused_without_context();
    CHECK((context = cpu_context(2)) != NULL);
    averages();
    refused_averages();
    lists();
    refused_lists();
    elements();
    nuclei();
    library();
    large_bases();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("dfr_atoms_client");
}
