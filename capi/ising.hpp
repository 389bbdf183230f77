// What the parts of the C interface of ising share.
#pragma once

#include "handle.hpp"
#include "ising/solver.hpp"
#include "legato/ising.h"

namespace legato::capi {

template <>
struct StandsFor<legato_ising> : Handle<ising::Solver> {};

}  // namespace legato::capi
