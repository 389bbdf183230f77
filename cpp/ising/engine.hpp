// The interface of the hot loop. An engine advances all systems of a run, or some of its blocks, in batches of sweeps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/work_parts.hpp"
#include "ising/problem.hpp"
#include "ising/result.hpp"

namespace legato::ising {

// A batch: the sweeps of one call of an engine.
struct Batch {
    std::int64_t first_sweep = 0, sweeps = 1;  // sweeps are numbered from the start
    std::int64_t measure_every = 0;            // sweeps between measurements, and before the first one; 0: never
    // Draw demons after each sweep whose number + 1 is a multiple of refresh_interval (canonical).
    bool draw_demons = true;
    // Blocks of the batch. `end_block` may be beyond the last block. The CUDA engines take all blocks.
    std::size_t first_block = 0, end_block = SIZE_MAX;

    std::size_t end(const Model& model) const { return end_block < model.blocks() ? end_block : model.blocks(); }
};

class Engine {
  public:
    virtual ~Engine() = default;

    // Sets the state, [blocks][block_words]. store() returns it; it is collective if there are several ranks, as is
    // advance().
    //     Metropolis: spins [2 colours][words], lattice.hpp
    //     demons: spins [2 colours][n / 2], then the demons' planes of energy 4, 8, 16: [3][n], where n is the number
    //     of sites of a part of a lattice (parts.hpp). The sites of a colour are in the order of x, y, z.
    virtual void load(std::span<const std::uint32_t> words) = 0;
    virtual void store(std::span<std::uint32_t> words) const = 0;

    // Of slabs only. These are load() and store() for a piece of the state, whose first word has the number `first` in
    // it. All pieces are loaded, in any order, but a rank may leave out those for which has_piece() returns false.
    // store_piece() is collective, and only rank 0 receives the words.
    virtual bool has_piece(std::size_t /*first*/, std::size_t /*count*/) const { return true; }
    virtual void load_piece(std::size_t /*first*/, std::span<const std::uint32_t>) { fail_without_pieces(); }
    virtual void store_piece(std::size_t /*first*/, std::span<std::uint32_t>) const { fail_without_pieces(); }

    // Divides the systems of a batch. `all` are its systems.
    virtual std::vector<Systems> divisions(const Batch&, Systems all) const { return {all}; }

    // Returns whether advance_bin() can be called. It is the same on all ranks.
    virtual bool adds_up() const { return false; }
    // As advance(), but adds the measurements to the sums over the current bin, [systems][BinnedValues::count], as
    // Bins::add() does. Far fewer bytes then leave a device.
    virtual AcceptanceCounts advance_bin(const Batch&, std::span<double> /*sums*/) {
        fail(Status::internal_error, "ising: this engine does not add up measurements");
    }

    // Makes the sweeps of the batch. Returns the measurements of its systems in `measured`: one division after the
    // other, [measurements][systems][values] each. The results are bitwise identical for every number of threads and on
    // every backend.
    virtual AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) = 0;

  private:
    [[noreturn]] static void fail_without_pieces() {
        fail(Status::internal_error, "ising: this engine has no pieces of a state");
    }
};

// Largest number of values that the measurements of a batch have, so that those of large systems do not fill the
// memory. measurements_at_once() returns the largest number of measurements in a batch.
inline constexpr std::size_t most_values = std::size_t{1} << 23;
std::int64_t measurements_at_once(const Model& model);
std::int64_t measurements_at_once(const Model& model, std::size_t systems);

// The ranks that share a run, and the parts of all of them (core/work_parts.hpp). A part has some of the blocks, or
// with several slabs (slab.hpp) a slab of all blocks.
struct Sharing {
    std::size_t ranks = 1, parts = 1, slabs = 1;
    std::size_t piece = 0;  // words of a piece of the state; 0: the state is so small that one file has all of it
    int threads = 1;        // of a rank

    // Returns false if no rank has the whole state in memory: it is large, and its slabs are on several ranks.
    bool keeps_words() const { return piece == 0 || slabs == 1 || ranks == 1; }
};
// Collective. All ranks get the same.
Sharing sharing_of(const Context& context, Backend backend, const Model& model);

// The same for both backends.
struct Sharings {
    Sharing cpu, cuda;
    const Sharing& on(Backend backend) const { return backend == Backend::cuda ? cuda : cpu; }
};
Sharings sharings_of(const Context& context, const Model& model);

// Bytes of a saved run that are in memory before its engine is made. They belong to what the run needs, except for
// words of which only slabs are kept.
struct Loaded {
    std::int64_t words = 0, others = 0;
    std::int64_t bytes(const Sharing& sharing) const { return others + (sharing.keeps_words() ? words : 0); }
};

// Returns the blocks of the part that has most.
Model largest_part(const Model& model, std::size_t parts);

// Returns the bytes of memory that a run needs at its peak, while it is saved.
MemoryNeeds host_needs(const Model& model, Sharing sharing = {});  // host memory of a rank, for any backend
// Returns host memory of a rank for the CPU backend, and memory of each device for CUDA.
MemoryNeeds memory_needs(Backend backend, const Model& model, Sharing sharing = {});

// Makes an engine. Model and context must outlive it. If there are several parts, the engine is made of those of this
// rank's parts, or of their slabs; making it is collective.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model);
std::unique_ptr<Engine> make_slab_engine(const Context& context, WorkParts parts, Backend backend, const Model& model,
                                         std::size_t slabs);
// Makes the engine of one part.
std::unique_ptr<Engine> make_engine_of_part(const Context& context, Backend backend, const Model& model);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model);  // only in builds with CUDA
// Returns whether the threads of the CPU share each lattice of a batch with so many blocks. Otherwise each has lattices
// of its own.
bool threads_share_lattices(const Model& model, std::size_t blocks, int threads);
// Returns how many lattices are under way at the same time. A batch has all blocks, or fewer.
std::size_t lattices_under_way(const Model& model, int threads);
// Returns the bytes that the clusters of all lattices under way need on the CPU; 0 without clusters.
double bytes_of_clusters(const Model& model, int threads);
// Makes the engine that make_cpu_engine() or make_cuda_engine() returns for algorithms with demons.
std::unique_ptr<Engine> make_cpu_demons(const Context& context, const Model& model);
std::unique_ptr<Engine> make_cuda_demons(const Context& context, const Model& model);  // only in builds with CUDA
// Makes the engine that make_cuda_engine() returns for Swendsen and Wang's algorithm.
std::unique_ptr<Engine> make_cuda_clusters(const Context& context, const Model& model);  // only in builds with CUDA

}  // namespace legato::ising
