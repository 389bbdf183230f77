// Written by tools/parameters.py from capi/include/legato/dfr_optimiser.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::dfr {

// Parameters that all optimisations of a list share.
struct OptimiserParams {
    // Largest number of energies that are calculated for a basis set. Range [1, 1000000], default 500.
    std::int64_t max_energies = 500;
    // Radius of the trust region at the start, in ln(parameter). Range [1e-10, 1], default 0.1.
    double first_step = 0.1;
    // Radius of the trust region at the end, in ln(parameter). It is at most first_step. Range [1e-14, 1], default
    // 1e-4.
    double last_step = 1e-4;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<OptimiserParams> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.max_energies, Range("max_energies", 1, 1000000));
    visit(p.first_step, Range("first_step", 1e-10, 1.0));
    visit(p.last_step, Range("last_step", 1e-14, 1.0));
}

}  // namespace legato::dfr
