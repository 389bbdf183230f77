// Written by tools/parameters.py from capi/include/legato/fss.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "fss/params.hpp"
#include "legato/fss.h"

namespace legato::capi {

inline legato_fss_params to_c(const fss::Params& p) {
    legato_fss_params c{};
    c.struct_size = sizeof(c);
    c.relevant_order = p.relevant_order;
    c.irrelevant_order = p.irrelevant_order;
    c.relevant_expansion = p.relevant_expansion;
    c.irrelevant_expansion = p.irrelevant_expansion;
    c.resamples = p.resamples;
    c.seed = p.seed;
    return c;
}

inline void from_c(const legato_fss_params& c, fss::Params& p) {
    p.relevant_order = c.relevant_order;
    p.irrelevant_order = c.irrelevant_order;
    p.relevant_expansion = c.relevant_expansion;
    p.irrelevant_expansion = c.irrelevant_expansion;
    p.resamples = c.resamples;
    p.seed = c.seed;
}

}  // namespace legato::capi
