/* Lists of atoms that the tests of the C interface share. */
#ifndef LEGATO_TESTS_C_DFR_RUNS_H
#define LEGATO_TESTS_C_DFR_RUNS_H

#include "checking.h"

enum { max_n = 40, max_species = 7 };

static inline legato_dfr* new_list(const legato_dfr_params* params) {
    legato_dfr* dfr = NULL;
    CHECK_SUCCESS(legato_dfr_create(context, params, &dfr));
    return dfr;
}

static inline legato_dfr_atom result(legato_dfr* dfr, int64_t index) {
    legato_dfr_atom atom;
    memset(&atom, 0xa5, sizeof atom);
    atom.struct_size = sizeof atom;
    CHECK_SUCCESS(legato_dfr_result(dfr, index, &atom));
    return atom;
}

static inline legato_dfr_nucleus nucleus_of(double charge) {
    legato_dfr_nucleus nucleus;
    memset(&nucleus, 0, sizeof nucleus);
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.charge = charge;
    return nucleus;
}

static inline int add_helium(legato_dfr* dfr) {
    return legato_dfr_add_element_with_basis(dfr, 2, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey", NULL);
}

#endif
