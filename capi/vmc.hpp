// The parameters of a run, for solver and optimiser.
#pragma once

#include "core/validate.hpp"
#include "guard.hpp"
#include "legato/vmc.h"
#include "vmc/problem.hpp"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_vmc_params> = LEGATO_SIZE_UP_TO(legato_vmc_params, reserved);

legato_vmc_params to_c(const vmc::Problem& p);

// Null stands for the defaults.
vmc::Problem read_problem(const legato_vmc_params* params);

}  // namespace legato::capi
