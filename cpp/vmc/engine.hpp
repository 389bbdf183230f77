// The interface of the hot loop. An engine advances the chains of a run in batches of sweeps.
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

// A batch: the sweeps of one call of an engine.
struct Batch {
    std::int64_t first_sweep = 0, sweeps = 1;  // sweeps are numbered from the start of the chain
    std::span<const std::int64_t> intervals;   // [all chains] sweeps between recomputations of the inverse
    bool measure = true;                       // measure after every sweep
    // Chains of the batch. `chains` may reach beyond the last chain of the run.
    int first_chain = 0, chains = max_chains;
};

struct BatchReport {
    MoveCounts moves;            // sums over the chains of the batch
    std::vector<double> drifts;  // largest drift of each chain of the batch
};

class Engine {
  public:
    virtual ~Engine() = default;

    // Sets the electrons of all chains: [chains][2][pairs] sites, up electrons first. store() returns them in this
    // order.
    virtual void load(std::span<const std::int32_t> sites) = 0;
    virtual void store(std::span<std::int32_t> sites) const = 0;

    // Makes the sweeps of the batch and recomputes the inverses at its end, so that what follows depends on the sites
    // alone. Adds local values to sums, [all chains][local values]. The results do not depend on the number of threads.
    virtual BatchReport advance(const Batch& batch, std::span<double> sums) = 0;
};

// Returns the least memory of a run. Its `each` is that of a chain.
MemoryNeeds host_needs(const Problem& problem);  // host memory, for any backend
// Returns host memory for the CPU backend, and device memory for CUDA.
MemoryNeeds memory_needs(Backend backend, const Problem& problem);

// Makes an engine. Model and context must outlive it.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model);  // only in builds with CUDA
inline constexpr std::size_t largest_shared_order = 112;               // largest order of a matrix in shared memory
inline constexpr std::size_t largest_cuda_order = max_sites / 2 + 16;  // largest order of a matrix on a device

}  // namespace legato::vmc
