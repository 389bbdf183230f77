// Estimates of the work in a sweep. They determine the sizes of the batches and nothing else. The sizes must not depend
// on measured times: inverses are recomputed at the end of each batch, which changes the last bits of the results.
#pragma once

#include "vmc/problem.hpp"

namespace legato::vmc {

// Seconds for one sweep of a chain and the measurement after it, on the machines that it was fitted to.
struct SweepCost {
    double alone = 0;    // seconds of a single chain
    double of_many = 0;  // seconds per chain for many chains, on one thread or on a device

    double of(double chains) const { return alone > chains * of_many ? alone : chains * of_many; }
};
SweepCost cpu_sweep(const Model& model);
SweepCost cuda_sweep(const Model& model);

}  // namespace legato::vmc
