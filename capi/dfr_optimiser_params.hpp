// Written by tools/parameters.py from capi/include/legato/dfr_optimiser.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "dfr/optimiser_params.hpp"
#include "legato/dfr_optimiser.h"

namespace legato::capi {

static_assert(static_cast<int>(dfr::OptimiserMethod::newuoa) == LEGATO_DFR_OPTIMISER_METHOD_NEWUOA);
static_assert(static_cast<int>(dfr::OptimiserMethod::lbfgs) == LEGATO_DFR_OPTIMISER_METHOD_LBFGS);

inline legato_dfr_optimiser_params to_c(const dfr::OptimiserParams& p) {
    legato_dfr_optimiser_params c{};
    c.struct_size = sizeof(c);
    c.max_energies = p.max_energies;
    c.first_step = p.first_step;
    c.last_step = p.last_step;
    c.method = static_cast<int32_t>(p.method);
    c.energy_tolerance = p.energy_tolerance;
    c.spinor_weight = p.spinor_weight;
    return c;
}

inline void from_c(const legato_dfr_optimiser_params& c, dfr::OptimiserParams& p) {
    p.max_energies = c.max_energies;
    p.first_step = c.first_step;
    p.last_step = c.last_step;
    p.method = static_cast<dfr::OptimiserMethod>(c.method);
    p.energy_tolerance = c.energy_tolerance;
    p.spinor_weight = c.spinor_weight;
}

}  // namespace legato::capi
