// Written by tools/parameters.py from capi/include/legato/dfr.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "dfr/params.hpp"
#include "legato/dfr.h"

namespace legato::capi {

static_assert(static_cast<int>(dfr::KineticBalance::restricted) == LEGATO_DFR_KINETIC_BALANCE_RESTRICTED);
static_assert(static_cast<int>(dfr::KineticBalance::extended) == LEGATO_DFR_KINETIC_BALANCE_EXTENDED);
static_assert(static_cast<int>(dfr::Interaction::coulomb) == LEGATO_DFR_INTERACTION_COULOMB);
static_assert(static_cast<int>(dfr::Interaction::gaunt) == LEGATO_DFR_INTERACTION_GAUNT);
static_assert(static_cast<int>(dfr::Interaction::breit) == LEGATO_DFR_INTERACTION_BREIT);

inline legato_dfr_params to_c(const dfr::Params& p) {
    legato_dfr_params c{};
    c.struct_size = sizeof(c);
    c.relativistic = p.relativistic;
    c.max_iterations = p.max_iterations;
    c.diis_vectors = p.diis_vectors;
    c.speed_of_light = p.speed_of_light;
    c.energy_threshold = p.energy_threshold;
    c.gradient_threshold = p.gradient_threshold;
    c.dependence_threshold = p.dependence_threshold;
    c.kinetic_balance = static_cast<int32_t>(p.kinetic_balance);
    c.interaction = static_cast<int32_t>(p.interaction);
    return c;
}

inline void from_c(const legato_dfr_params& c, dfr::Params& p) {
    p.relativistic = flag_from_c("dfr.params.relativistic", c.relativistic);
    p.max_iterations = c.max_iterations;
    p.diis_vectors = c.diis_vectors;
    p.speed_of_light = c.speed_of_light;
    p.energy_threshold = c.energy_threshold;
    p.gradient_threshold = c.gradient_threshold;
    p.dependence_threshold = c.dependence_threshold;
    p.kinetic_balance = static_cast<dfr::KineticBalance>(c.kinetic_balance);
    p.interaction = static_cast<dfr::Interaction>(c.interaction);
}

}  // namespace legato::capi
