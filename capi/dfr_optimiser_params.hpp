// Written by tools/parameters.py from capi/include/legato/dfr_optimiser.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "dfr/optimiser_params.hpp"
#include "legato/dfr_optimiser.h"

namespace legato::capi {

inline legato_dfr_optimiser_params to_c(const dfr::OptimiserParams& p) {
    legato_dfr_optimiser_params c{};
    c.struct_size = sizeof(c);
    c.max_energies = p.max_energies;
    c.first_step = p.first_step;
    c.last_step = p.last_step;
    return c;
}

inline void from_c(const legato_dfr_optimiser_params& c, dfr::OptimiserParams& p) {
    p.max_energies = c.max_energies;
    p.first_step = c.first_step;
    p.last_step = c.last_step;
}

}  // namespace legato::capi
