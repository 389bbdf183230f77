// Written by tools/parameters.py from capi/include/legato/fss.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::fss {

// Orders of the expansions, and the resampling.
struct Params {
    // Order n_1 of F in the relevant field. Range [1, 12], default 3.
    int relevant_order = 3;
    // Order n_2 of F in the irrelevant field; 0 leaves this field out. Range [0, 4], default 0.
    int irrelevant_order = 0;
    // Order m_1 of the relevant field u_1 in w. Range [1, 8], default 2.
    int relevant_expansion = 2;
    // Order m_2 of the irrelevant field u_2 in w; with irrelevant_order 0 only 0 is allowed. Range [0, 8], default 0.
    int irrelevant_expansion = 0;
    // Number of synthetic data sets. All errors and intervals are unknown (NaN) with fewer than 100 that converge, or
    // if more than 2 % do not. Range [0, 100000], default 1000.
    std::int64_t resamples = 1000;
    // Seed of the random numbers of the resampling. Any value, default 1277.
    std::int64_t seed = 1277;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<Params> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.relevant_order, Range("relevant_order", 1, 12));
    visit(p.irrelevant_order, Range("irrelevant_order", 0, 4));
    visit(p.relevant_expansion, Range("relevant_expansion", 1, 8));
    visit(p.irrelevant_expansion, Range("irrelevant_expansion", 0, 8));
    visit(p.resamples, Range("resamples", 0, 100000));
    visit(p.seed, Range("seed"));
}

}  // namespace legato::fss
