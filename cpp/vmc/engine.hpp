// The interface of the hot loop. An engine advances the chains of a run in batches of sweeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "vmc/problem.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

// The chains of an engine: `count` chains of the run with the numbers first, first + step, ... Numbers enter the random
// numbers. All arrays of an engine are those of its chains.
struct Chains {
    int first = 0, step = 1, count = 0;

    int number(int i) const { return first + i * step; }
    // Returns how many of the chains have smaller numbers.
    int below(int number) const { return number <= first ? 0 : std::min(count, (number - first + step - 1) / step); }
};
inline Chains all_chains(const Problem& problem) {
    return {0, 1, problem.chains};
}

// A batch: the sweeps of one call of an engine.
struct Batch {
    std::int64_t first_sweep = 0, sweeps = 1;  // sweeps are numbered from the start of the chain
    std::span<const std::int64_t> intervals;   // [chains of the engine] sweeps between recomputations of the inverse
    bool measure = true;                       // measure after every sweep
    // Chains of the batch, counted within the engine. `chains` may reach beyond the last one.
    int first_chain = 0, chains = max_chains;
};

struct BatchReport {
    MoveCounts moves;            // sums over the chains of the batch
    std::vector<double> drifts;  // largest drift of each chain of the batch
};

class Engine {
  public:
    virtual ~Engine() = default;

    // Sets the electrons of the chains: [chains][2][pairs] sites, up electrons first. store() returns them in this
    // order.
    virtual void load(std::span<const std::int32_t> sites) = 0;
    virtual void store(std::span<std::int32_t> sites) const = 0;

    // Makes the sweeps of the batch and recomputes the inverses at its end, so that what follows depends on the sites
    // alone. Adds local values to sums, [chains][local values]. The results do not depend on the number of threads.
    virtual BatchReport advance(const Batch& batch, std::span<double> sums) = 0;
};

// Returns the number of parts, on all ranks, among which the chains are divided.
int parts_of(const Context& context, Backend backend);
// Returns the largest number of chains of a part.
int largest_share(const Problem& problem, int parts);

// Returns the least memory of a run whose chains are divided among `parts`. Its `each` is that of a chain of the run.
MemoryNeeds host_needs(const Problem& problem, int parts = 1);  // host memory of a rank, for any backend
// Returns host memory for the CPU backend, and device memory for CUDA.
MemoryNeeds memory_needs(Backend backend, const Problem& problem, int parts = 1);

// Makes the engine of all chains, which are divided among the ranks and devices of the context. Collective, and so is
// advance(). Model and context must outlive the engine.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model);
// Makes an engine on one device. The model must outlive it.
std::unique_ptr<Engine> make_part_engine(const Context& context, Backend backend, const Model& model, Chains chains);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model, Chains chains);
// Only in builds with CUDA.
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model, Chains chains);
inline constexpr std::size_t largest_shared_order = 112;               // largest order of a matrix in shared memory
inline constexpr std::size_t largest_cuda_order = max_sites / 2 + 16;  // largest order of a matrix on a device

}  // namespace legato::vmc
