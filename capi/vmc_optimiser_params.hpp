// Written by tools/parameters.py from capi/include/legato/vmc_optimiser.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "legato/vmc_optimiser.h"
#include "vmc/optimiser_params.hpp"

namespace legato::capi {

inline legato_vmc_optimiser_params to_c(const vmc::OptimiserParams& p) {
    legato_vmc_optimiser_params c{};
    c.struct_size = sizeof(c);
    c.free[0] = p.free[0];
    c.free[1] = p.free[1];
    c.free[2] = p.free[2];
    c.free[3] = p.free[3];
    c.steps = p.steps;
    c.quiet_steps = p.quiet_steps;
    c.refinement = p.refinement;
    c.time = p.time;
    c.largest_move = p.largest_move;
    c.shift = p.shift;
    c.significance = p.significance;
    return c;
}

inline void from_c(const legato_vmc_optimiser_params& c, vmc::OptimiserParams& p) {
    p.free[0] = flag_from_c("vmc.optimiser.free[0]", c.free[0]);
    p.free[1] = flag_from_c("vmc.optimiser.free[1]", c.free[1]);
    p.free[2] = flag_from_c("vmc.optimiser.free[2]", c.free[2]);
    p.free[3] = flag_from_c("vmc.optimiser.free[3]", c.free[3]);
    p.steps = c.steps;
    p.quiet_steps = c.quiet_steps;
    p.refinement = c.refinement;
    p.time = c.time;
    p.largest_move = c.largest_move;
    p.shift = c.shift;
    p.significance = c.significance;
}

}  // namespace legato::capi
