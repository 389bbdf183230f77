// Written by tools/parameters.py from capi/include/legato/dfr_reducer.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::dfr {

// Parameters of a reduction.
struct ReducerParams {
    // Number of functions of every l at the start. Range [1, 200], default 40.
    int functions = 40;
    // Largest relative error, (energy - limit) / |limit|, where limit is the limit energy. Range [1e-12, 1], default
    // 5e-9.
    double accuracy = 5e-9;
    // Limit energy in hartree, as in legato_dfr_optimiser_add; 0 calculates it. Range [-1e9, 0], default 0.
    double limit = 0;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<ReducerParams> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.functions, Range("functions", 1, 200));
    visit(p.accuracy, Range("accuracy", 1e-12, 1.0));
    visit(p.limit, Range("limit", -1000000000.0, 0.0));
}

}  // namespace legato::dfr
