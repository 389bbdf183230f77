// The hot loop's interface. An engine holds a number of slots; a slot carries one point through its cycles, and the
// solver moves points in and out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "tmm/problem.hpp"
#include "tmm/result.hpp"

namespace legato::tmm {

// Everything a point's future depends on, the same for every engine.
struct PointState {
    PointStatus status = PointStatus::waiting;
    std::int64_t cycles = 0;
    std::int64_t slices = 0;    // multiplications done, also the philox counter
    std::int64_t interval = 0;  // slices between orthonormalisations (see Problem::max_growth, and precision.hpp)
    // Of column j, largest exponent first. Rule::tmsexd: the sums over all cycles of ln R_jj, and of its square.
    // Rule::blocks: the sum over the cycles since the last block, and nothing; once the point has ended (the solver
    // sees to it), the average over a cycle and its relative error.
    std::vector<double> log_norms;      // [sites]
    std::vector<double> log_norms2;     // [sites]
    std::vector<double> blocks;         // [most_blocks][sites] sums over blocks (convergence.hpp); Rule::blocks alone
    std::vector<double> psi;            // [2 sites x sites] column j: psi_{n+1}(0..sites-1), psi_n(0..sites-1)
    std::vector<std::uint32_t> random;  // generator words at the next draw: 4 (lfsr113), 4 sites (per site), 0 (philox)
};

// The start of a point: generators seeded, and orthonormal columns. Rule::tmsexd: psi_1 = identity, psi_0 = 0. Else
// they are random in the seed and in `stream`, the point's index.
PointState initial_state(const Problem& problem, std::uint32_t stream, int threads = 1);

enum class CycleEnd {
    sound,
    lost_precision,  // the waves have grown too far apart (precision.hpp): the slot is as it was before
    failed,          // a norm was zero or not finite: the slot is unusable until the next load
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual std::size_t slots() const = 0;

    // Puts a point into a slot. `stream` tells the points of a run apart (their index).
    virtual void load(std::size_t slot, const Point& point, std::uint32_t stream, const PointState& state) = 0;

    // Reads a slot; with `whole` false status, cycles and sums only, with psi and random left empty.
    virtual void store(std::size_t slot, PointState& state, bool whole) const = 0;

    // Carries each of the given slots through up to `cycles` further cycles; a point that ends stops there. A cycle in
    // which precision is lost does not count: the point starts anew from psi_1 = identity, psi_0 = 0, and what follows
    // is orthonormalised more often. The statuses are written in the same order; returns the number of cycles that
    // count.
    virtual std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                 std::span<PointStatus> statuses) = 0;

    // One cycle of a slot with the caller's own diagonals E - V ([slices][sites]), which may be none: log_norms[sites]
    // becomes ln R_jj where the end is sound. The slot's counters, sums and generators do not count here.
    virtual CycleEnd cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) = 0;
};

// Of each slot of either engine, in the memory it computes in.
MemoryNeeds memory_needs(const Problem& problem);
// What all slots may take there.
MemoryLimit memory_limit(const Context& context, Backend backend);

// Does the context's CUDA device have a kernel for this problem? Only in builds with CUDA.
bool cuda_engine_takes(const Context& context, const Problem& problem);

// `points`: how many there are to do; an engine makes at most that many slots. Throws out_of_memory, with the
// number of bytes wanted and free, where not even one slot fits.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    std::size_t points);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, std::size_t points);

// `only`: the blocks of the cluster that a wide point gets, or grid_plan, where a test wants to choose.
inline constexpr int any_plan = -1, grid_plan = 0;
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, std::size_t points,
                                         int only = any_plan);

}  // namespace legato::tmm
