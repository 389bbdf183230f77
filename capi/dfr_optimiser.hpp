// The parameters of an optimisation, for optimiser and reducer.
#pragma once

#include "dfr.hpp"
#include "dfr/optimiser.hpp"
#include "dfr_optimiser_params.hpp"
#include "legato/dfr_optimiser.h"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_dfr_optimiser_params> = LEGATO_SIZE_UP_TO(legato_dfr_optimiser_params,
                                                                                         last_step);

// Null stands for the defaults.
inline dfr::OptimiserProblem read_problem(const legato_dfr_params* field, const legato_dfr_optimiser_params* params) {
    dfr::OptimiserProblem p;
    p.field = read_problem(field);
    legato_dfr_optimiser_params c = to_c(p);
    if (params) read_struct("dfr.optimiser.params", params, c);
    from_c(c, p);
    validate(p);
    return p;
}

}  // namespace legato::capi
