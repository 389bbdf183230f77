// How much work a sweep is, about: nothing but the lengths of stretches follows from it. They must not follow from
// anything that is measured, since inverses are computed anew at the end of each, which the last bits tell.
#pragma once

#include "vmc/problem.hpp"

namespace legato::vmc {

// Seconds for one sweep of a chain and the measurement after it, on the machines that it was fitted to.
struct SweepCost {
    double alone = 0;    // of the only chain
    double of_many = 0;  // for each of many chains: on one thread, or on a device

    double of(double chains) const { return alone > chains * of_many ? alone : chains * of_many; }
};
SweepCost cpu_sweep(const Model& model);
SweepCost cuda_sweep(const Model& model);

}  // namespace legato::vmc
