// Written by tools/parameters.py from capi/include/legato/dfr_optimiser.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::dfr {

// Method of an optimisation.
enum class OptimiserMethod : int {
    // NEWUOA of M. J. D. Powell, with first_step and last_step. It uses the energy only
    newuoa = 0,
    // limited-memory BFGS, with first_step and energy_tolerance. It uses also the derivatives of the energy, and
    // usually needs far fewer energies. Its variables are combinations of the parameters, of which equal steps change
    // the exponents equally
    lbfgs = 1,
};

// Parameters that all optimisations of a list share.
struct OptimiserParams {
    // Largest number of energies that are calculated for a basis set. Range [1, 1000000], default 500.
    std::int64_t max_energies = 500;
    // Radius of the trust region at the start, in ln(parameter). With LEGATO_DFR_OPTIMISER_METHOD_LBFGS it is the
    // length of the first step: the root of the sum of the squared changes of ln(exponent) in all groups. Range [1e-10,
    // 1], default 0.1.
    double first_step = 0.1;
    // Radius of the trust region at the end, in ln(parameter). It is at most first_step. Range [1e-14, 1], default
    // 1e-4.
    double last_step = 1e-4;
    // Since version 0.2. One of legato_dfr_optimiser_method, default LEGATO_DFR_OPTIMISER_METHOD_NEWUOA.
    OptimiserMethod method = OptimiserMethod::newuoa;
    // LEGATO_DFR_OPTIMISER_METHOD_LBFGS ends when a step changes the energy by less than this fraction. Since version
    // 0.2. Range [1e-15, 1e-3], default 1e-13.
    double energy_tolerance = 1e-13;
    // Weight of the spinors: |limit| x spinor_weight x spinor_error is added to the energy. A reduction needs 0. Since
    // version 0.2. Range [0, 1e6], default 0.
    double spinor_weight = 0;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<OptimiserParams> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.max_energies, Range("max_energies", 1, 1000000));
    visit(p.first_step, Range("first_step", 1e-10, 1.0));
    visit(p.last_step, Range("last_step", 1e-14, 1.0));
    visit(p.method, Range("method", 0, 1).since_later());
    visit(p.energy_tolerance, Range("energy_tolerance", 1e-15, 0.001).since_later());
    visit(p.spinor_weight, Range("spinor_weight", 0.0, 1000000.0).since_later());
}

}  // namespace legato::dfr
