// The hot loop's interface: all chains of a run, carried on by stretches of sweeps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/context.hpp"
#include "vmc/problem.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

struct Stretch {
    std::int64_t first_sweep = 0, sweeps = 1;  // a sweep's number is that of the chain since its start
    std::int64_t interval = 1;                 // sweeps between inverses anew
    bool measure = true;                       // after every sweep
};

struct StretchReport {
    MoveCounts moves;  // of all chains
    double drift = 0;  // the largest of all chains
};

class Engine {
  public:
    virtual ~Engine() = default;

    // The chains' electrons: [chains][2][pairs] sites, up ones first. Inverses are computed.
    virtual void load(std::span<const std::int32_t> sites) = 0;
    virtual void store(std::span<std::int32_t> sites) const = 0;

    // Carries every chain through the stretch, and computes its inverse anew at the end: what follows depends on the
    // sites alone. Local values are added to sums, [chains][local values]. Deterministic, whatever the number of
    // threads.
    virtual StretchReport advance(const Stretch& stretch, std::span<double> sums) = 0;
};

// Bytes of the host's or the device's memory that a run takes at least: what its chains share, and for each of them. A
// run on a device takes the host's for its bins as well.
struct MemoryNeeds {
    std::int64_t shared = 0, per_chain = 0;
};
MemoryNeeds memory_needs(Backend backend, const Problem& problem);

// Model and context must outlive the engine.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model);  // only in builds with CUDA

}  // namespace legato::vmc
