// Written by tools/parameters.py from capi/include/legato/dfr_reducer.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "dfr/reducer_params.hpp"
#include "legato/dfr_reducer.h"

namespace legato::capi {

inline legato_dfr_reducer_params to_c(const dfr::ReducerParams& p) {
    legato_dfr_reducer_params c{};
    c.struct_size = sizeof(c);
    c.functions = p.functions;
    c.accuracy = p.accuracy;
    c.limit = p.limit;
    return c;
}

inline void from_c(const legato_dfr_reducer_params& c, dfr::ReducerParams& p) {
    p.functions = c.functions;
    p.accuracy = c.accuracy;
    p.limit = c.limit;
}

}  // namespace legato::capi
