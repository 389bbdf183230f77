// The hot loop's interface: all chains of a run, carried on by stretches of sweeps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "vmc/problem.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

struct Stretch {
    std::int64_t first_sweep = 0, sweeps = 1;  // a sweep's number is that of the chain since its start
    std::span<const std::int64_t> intervals;   // sweeps between inverses anew, of each of all chains
    bool measure = true;                       // after every sweep
    int first_chain = 0, chains = max_chains;  // those that there are of these
};

struct StretchReport {
    MoveCounts moves;            // of all these chains
    std::vector<double> drifts;  // the largest of each of these chains
};

class Engine {
  public:
    virtual ~Engine() = default;

    // The chains' electrons: [chains][2][pairs] sites, up ones first. Inverses are computed.
    virtual void load(std::span<const std::int32_t> sites) = 0;
    virtual void store(std::span<std::int32_t> sites) const = 0;

    // Carries the chains through the stretch, and computes its inverse anew at the end: what follows depends on the
    // sites alone. Local values are added to sums, [all chains][local values]. Deterministic, whatever the number of
    // threads.
    virtual StretchReport advance(const Stretch& stretch, std::span<double> sums) = 0;
};

// Of a run at least, for each of its chains.
MemoryNeeds host_needs(const Problem& problem);                     // of the host, wherever it runs
MemoryNeeds memory_needs(Backend backend, const Problem& problem);  // of the host where it runs there, or the device

// Model and context must outlive the engine.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model);  // only in builds with CUDA
inline constexpr std::size_t largest_shared_order = 112;               // of a matrix that it keeps in shared memory
inline constexpr std::size_t largest_cuda_order = max_sites / 2 + 16;  // of a matrix

}  // namespace legato::vmc
