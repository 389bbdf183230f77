// Written by tools/parameters.py from capi/include/legato/dfr_pruner.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "dfr/pruner_params.hpp"
#include "legato/dfr_pruner.h"

namespace legato::capi {

inline legato_dfr_pruner_params to_c(const dfr::PrunerParams& p) {
    legato_dfr_pruner_params c{};
    c.struct_size = sizeof(c);
    c.largest_error = p.largest_error;
    c.tolerance = p.tolerance;
    c.max_energies = p.max_energies;
    c.spinor_weight = p.spinor_weight;
    c.seed = p.seed;
    return c;
}

inline void from_c(const legato_dfr_pruner_params& c, dfr::PrunerParams& p) {
    p.largest_error = c.largest_error;
    p.tolerance = c.tolerance;
    p.max_energies = c.max_energies;
    p.spinor_weight = c.spinor_weight;
    p.seed = c.seed;
}

}  // namespace legato::capi
