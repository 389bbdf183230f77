// The parameters of a run, for solver and optimiser.
#pragma once

#include "core/validate.hpp"
#include "guard.hpp"
#include "legato/vmc.h"
#include "vmc/problem.hpp"
#include "vmc_params.hpp"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_vmc_params> = LEGATO_SIZE_UP_TO(legato_vmc_params, reserved);

// Null stands for the defaults.
vmc::Problem read_problem(const legato_vmc_params* params);

}  // namespace legato::capi
