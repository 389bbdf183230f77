// The parameters of an optimisation, for optimiser and reducer.
#pragma once

#include "dfr.hpp"
#include "dfr/optimiser.hpp"
#include "legato/dfr_optimiser.h"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_dfr_optimiser_params> = LEGATO_SIZE_UP_TO(legato_dfr_optimiser_params,
                                                                                         last_step);

inline legato_dfr_optimiser_params to_c(const dfr::OptimiserProblem& p) {
    legato_dfr_optimiser_params c{};
    c.struct_size = sizeof(c);
    c.max_energies = p.max_energies;
    c.first_step = p.first_step;
    c.last_step = p.last_step;
    return c;
}

// Null stands for the defaults.
inline dfr::OptimiserProblem read_problem(const legato_dfr_params* field, const legato_dfr_optimiser_params* params) {
    dfr::OptimiserProblem p;
    p.field = read_problem(field);
    legato_dfr_optimiser_params c = to_c(p);
    if (params) read_struct("dfr.optimiser.params", params, c);
    require_integer("dfr.optimiser.max_energies", c.max_energies, 1, dfr::max_energies);
    p.max_energies = static_cast<int>(c.max_energies);
    p.first_step = c.first_step;
    p.last_step = c.last_step;
    validate(p);
    return p;
}

}  // namespace legato::capi
