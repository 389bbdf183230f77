// A small measured model of how long a run takes, for Backend::automatic.
#pragma once

#include "core/context.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

// Seconds for one sweep of a chain and the measurement after it.
struct SweepCost {
    double alone = 0;    // of the only chain
    double of_many = 0;  // for each of many chains: on one thread, or on a device

    double of(double chains) const { return alone > chains * of_many ? alone : chains * of_many; }
};
SweepCost cpu_sweep(const Model& model);
SweepCost cuda_sweep(const Model& model);

// Of a run; those of a device `never` where there is no choice, or too little memory, which is then logged.
double cpu_seconds(const Context& context, const Model& model);
double cuda_seconds(const Context& context, const Model& model);

}  // namespace legato::vmc
