// The hot loop's interface: all systems of a run, or some of its blocks, carried on by stretches of sweeps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "ising/problem.hpp"
#include "ising/result.hpp"

namespace legato::ising {

struct Stretch {
    std::int64_t first_sweep = 0, sweeps = 1;  // a sweep's number is that since the start
    std::int64_t measure_every = 0;            // sweeps, 0: never; the first measurement after as many
    bool draw_demons = true;  // canonical: after each sweep whose number + 1 is a multiple of refresh_interval
    std::size_t first_block = 0, end_block = SIZE_MAX;  // those that there are of these; the CUDA engines take all

    std::size_t end(const Model& model) const { return end_block < model.blocks() ? end_block : model.blocks(); }
};

class Engine {
  public:
    virtual ~Engine() = default;

    // The state: [blocks][block_words].
    //     Metropolis: spins [2 colours][words], lattice.hpp
    //     demons: spins [2 colours][n / 2], then the demons' planes of energy 4, 8, 16: [3][n], where n are the sites
    //     of a part of a lattice (parts.hpp). The sites of a colour are in the order of x, y, z.
    virtual void load(std::span<const std::uint32_t> words) = 0;
    virtual void store(std::span<std::uint32_t> words) const = 0;

    // Carries the stretch's blocks through it; what it measures comes as [measurements][systems of these][values].
    // Deterministic, whatever the number of threads, and the same on every backend.
    virtual AcceptanceCounts advance(const Stretch& stretch, std::span<std::int64_t> measured) = 0;
};

// The most measurements that one stretch has, so that those of large systems do not fill the memory: of so many values.
inline constexpr std::size_t most_values = std::size_t{1} << 23;
std::int64_t measurements_at_once(const Model& model);
std::int64_t measurements_at_once(const Model& model, std::size_t systems);

// Bytes of memory that a run takes at its peak, while it is saved.
MemoryNeeds host_needs(const Model& model);                     // of the host, wherever it runs
MemoryNeeds memory_needs(Backend backend, const Model& model);  // of the host where it runs there, or the device

// Model and context must outlive the engine.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model);  // only in builds with CUDA
// What these two make where there are demons.
std::unique_ptr<Engine> make_cpu_demons(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_demons(const Context& context, const Model& model);  // only in builds with CUDA

}  // namespace legato::ising
