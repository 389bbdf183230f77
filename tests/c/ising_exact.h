/* Computes averages of small Ising lattices by enumeration of all their configurations. */
#ifndef LEGATO_TESTS_C_ISING_EXACT_H
#define LEGATO_TESTS_C_ISING_EXACT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { exact_distances = 9 }; /* up to sixteen sites along an axis */

typedef struct exact_lattice {
    int extents[3]; /* the third one is 1 in two dimensions */
    int antiperiodic[3];
    double beta, field;
} exact_lattice;

typedef struct exact_averages {
    double m, abs_m, m2, m4, e, e2;
    double binder, susceptibility, specific_heat;
    double correlations[3][exact_distances];
    double correlation_length;
    double alike[7][2]; /* share of the sites with so many equal neighbours and spin down, up */
} exact_averages;

/* Returns the spin of the site `distance` further along an axis, with the boundary's sign. */
static int exact_neighbour(const exact_lattice* l, unsigned spins, const int* site, int axis, int distance) {
    int at[3] = {site[0], site[1], site[2]}, sign = 1;
    at[axis] += distance;
    if (at[axis] >= l->extents[axis] || at[axis] < 0) sign = l->antiperiodic[axis] ? -1 : 1;
    at[axis] = (at[axis] + l->extents[axis]) % l->extents[axis];
    const int index = at[0] + l->extents[0] * (at[1] + l->extents[1] * at[2]);
    return sign * (spins >> index & 1u ? 1 : -1);
}

/* Measures one configuration into `a`. The member `alike` counts sites by their number of equal neighbours. */
static void exact_measure(const exact_lattice* l, unsigned spins, exact_averages* a) {
    const int sites = l->extents[0] * l->extents[1] * l->extents[2];
    const int dimensions = l->extents[2] > 1 ? 3 : 2, last = dimensions - 1;
    const double pi = acos(-1.0), k = 2 * pi / l->extents[last];
    double real = 0, imaginary = 0;
    memset(a, 0, sizeof *a);
    for (int index = 0; index < sites; ++index) {
        const int at[3] = {index % l->extents[0], index / l->extents[0] % l->extents[1],
                           index / l->extents[0] / l->extents[1]};
        const int spin = spins >> index & 1u ? 1 : -1;
        int alike = 0;
        a->m += (double)spin / sites;
        real += spin * cos(k * at[last]);
        imaginary += spin * sin(k * at[last]);
        for (int axis = 0; axis < dimensions; ++axis) {
            a->e -= (double)(spin * exact_neighbour(l, spins, at, axis, 1)) / sites;
            alike +=
                (spin == exact_neighbour(l, spins, at, axis, 1)) + (spin == exact_neighbour(l, spins, at, axis, -1));
            for (int r = 0; r <= l->extents[axis] / 2; ++r)
                a->correlations[axis][r] += (double)(spin * exact_neighbour(l, spins, at, axis, r)) / sites;
        }
        a->alike[alike][spin > 0] += 1.0 / sites;
    }
    a->e -= l->field * a->m;
    a->abs_m = fabs(a->m);
    a->m2 = a->m * a->m;
    a->m4 = a->m2 * a->m2;
    a->e2 = a->e * a->e;
    a->correlation_length = (real * real + imaginary * imaginary) / sites; /* S(k), replaced later */
}

static inline exact_averages exact_of(const exact_lattice* l) {
    enum { numbers = sizeof(exact_averages) / sizeof(double) };
    const int sites = l->extents[0] * l->extents[1] * l->extents[2], last = l->extents[2] > 1 ? 2 : 1;
    double sums[numbers] = {0}, values[numbers], weights = 0;
    exact_averages a;
    for (unsigned spins = 0; spins < 1u << sites; ++spins) {
        exact_measure(l, spins, &a);
        const double weight = exp(-l->beta * sites * (a.e + 3));
        memcpy(values, &a, sizeof a);
        for (int i = 0; i < numbers; ++i) sums[i] += weight * values[i];
        weights += weight;
    }
    for (int i = 0; i < numbers; ++i) sums[i] /= weights;
    memcpy(&a, sums, sizeof a);
    a.binder = 1 - a.m4 / (3 * a.m2 * a.m2);
    a.specific_heat = l->beta * l->beta * sites * (a.e2 - a.e * a.e);
    a.susceptibility = sites * (a.m2 - a.abs_m * a.abs_m);
    a.correlation_length = sqrt(sites * a.m2 / a.correlation_length - 1) / (2 * sin(acos(-1.0) / l->extents[last]));
    return a;
}

#endif
