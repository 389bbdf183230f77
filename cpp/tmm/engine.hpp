// The interface of the hot loop. An engine has a number of slots. A slot takes one point through its cycles, and the
// solver moves points in and out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/parallel.hpp"
#include "tmm/orthonormalise.hpp"
#include "tmm/problem.hpp"
#include "tmm/result.hpp"

namespace legato::tmm {

// All data on which the further computation of a point depends. Its form is the same for every engine.
struct PointState {
    PointStatus status = PointStatus::waiting;
    std::int64_t cycles = 0;
    std::int64_t slices = 0;    // multiplications done, also the philox counter
    std::int64_t interval = 0;  // slices between orthonormalisations (see Problem::max_growth, and precision.hpp)
    // Sums for column j, largest exponent first. Rule::tmsexd: log_norms is the sum of ln R_jj over all cycles,
    // log_norms2 that of (ln R_jj)^2. Rule::blocks: log_norms is the sum over the cycles since the last block, and
    // log_norms2 is not used. When the point has ended, the solver replaces them by the average over a cycle and its
    // relative error.
    std::vector<double> log_norms;   // [channels]
    std::vector<double> log_norms2;  // [channels]
    std::vector<double> blocks;      // [most_blocks][channels] sums over blocks (convergence.hpp); Rule::blocks only.
                                     // Empty stands for zeros, in Engine::load.
    std::vector<double> psi;         // [2 channels x channels] column j: psi_{n+1}(0..channels-1), psi_n(0..channels-1)
    std::vector<std::uint32_t> random;  // generator words at the next draw: 4 (lfsr113), 4 sites (per site), 0 (philox)
};

// Returns the start of a point, with seeded generators and orthonormal columns. Rule::tmsexd: psi_1 = identity, psi_0 =
// 0. Rule::blocks: the columns are random and depend on the seed and on `stream`, the point's index. Columns j c..j c +
// c - 1 are the products of the first of them with the c units (couplings.hpp).
PointState initial_state(const Problem& problem, std::uint32_t stream, int threads = 1);

// A point that is put into a slot.
struct Entry {
    std::size_t slot;
    Point point;
    std::uint32_t stream;     // index of the point in the run
    const PointState* state;  // null stands for initial_state()
};

// The number of cycles at which points stop, and their status there. `pause` is that of Engine::pause_at().
struct CycleLimit {
    std::int64_t cycles;
    PointStatus status;

    CycleLimit(const Problem& problem, std::int64_t pause)
        : cycles(std::min(problem.max_cycles(), pause)),
          status(pause < problem.max_cycles() ? PointStatus::paused : PointStatus::not_converged) {}
};
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Calls work(i, team_size) for i in 0..count-1, where i stands for a point. Each thread takes some narrow points at a
// time, because a single one takes less time than a thread needs to begin. Wide points come one after the other, and
// `work` may use `team_size` threads. Rethrows the first exception.
template <class Work>
void for_each_point(const Problem& problem, std::size_t count, int threads, Work&& work) {
    constexpr std::size_t at_a_time = 16;
    const bool shared = problem.channels() >= static_cast<std::int64_t>(team_from);
    in_parallel((count + at_a_time - 1) / at_a_time, shared ? 1 : threads, [&](std::size_t part) {
        const std::size_t first = part * at_a_time, last = std::min(first + at_a_time, count);
        for (std::size_t i = first; i < last; ++i) work(i, shared ? threads : 1);
    });
}

enum class CycleEnd {
    valid,
    lost_precision,  // the columns have grown too far apart (precision.hpp); the slot is as before the cycle
    failed,          // a norm was zero or not finite; the slot is unusable until the next load
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual std::size_t slots() const = 0;

    // Returns the rank that has a slot. The functions below leave out the slots of other ranks.
    virtual int rank_of(std::size_t) const { return 0; }

    // Puts points into slots. Each slot occurs once.
    virtual void load(std::span<const Entry> entries) = 0;

    // Reads slots into `states`, in the same order. If `whole` is false, it reads only status, counters and sums, and
    // leaves psi and random empty.
    virtual void store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const = 0;

    // Advances each of the given slots by up to `cycles` cycles; a point that ends stops there. A cycle in which
    // precision is lost does not count: the point restarts from psi_1 = identity, psi_0 = 0, and is orthonormalised
    // more often afterwards. Writes the statuses in the order of `slots`, and returns the number of cycles that count.
    virtual std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                 std::span<PointStatus> statuses) = 0;

    // Sets the number of cycles at which all points stop as PointStatus::paused. They go on in advance() when the
    // number has been raised. At first there is none.
    virtual void pause_at(std::int64_t cycles) = 0;

    // Makes one cycle of a slot with the caller's diagonals E - V ([slices][sites]; there may be no slices). If the end
    // is CycleEnd::valid, log_norms[sites] becomes ln R_jj. The slot's counters, sums and generators have no meaning
    // here. The problem must have plain hopping.
    virtual CycleEnd cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) = 0;
};

// Returns whether the context's CUDA device has a kernel for this problem. Only builds with CUDA have this function.
bool has_cuda_kernel(const Context& context, const Problem& problem);

// Makes an engine with at most `points` slots; the run has as many points. All ranks and devices of the context share
// the slots; collective. Throws out_of_memory, with the bytes needed and free, if not even one slot fits.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    std::size_t points);
// The same for the first device of this rank alone. The run has `points_of_run` points. On a device the last digits of
// wide points depend on this number, which decides the kernel, but not on `points`.
std::unique_ptr<Engine> make_part_engine(const Context& context, Backend backend, const Problem& problem,
                                         std::size_t points, std::size_t points_of_run);
// Returns how many devices of this rank share each point of a run with `points` points, if they can. 1: none do.
std::size_t devices_of_point(const Context& context, Backend backend, const Problem& problem, std::size_t points);
// Makes an engine like those of this rank for a run with `points_of_run` points, for a timing trial with `points`
// points. It is not collective.
std::unique_ptr<Engine> make_trial_engine(const Context& context, Backend backend, const Problem& problem,
                                          std::size_t points, std::size_t points_of_run);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, std::size_t points);

// `only` is for tests: the number of thread blocks in the cluster of a wide point, grid_plan for the grid kernel, or
// grid_plan_with(n), n > 1, for the grid kernel with n thread blocks in the group of a point.
inline constexpr int any_plan = -1, grid_plan = 0;
constexpr int grid_plan_with(int blocks) {
    return -blocks;
}
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, std::size_t points,
                                         std::size_t points_of_run, int only = any_plan);

// Makes an engine whose devices, one for each context, share the columns of every point. The results are bitwise
// identical to those of make_cuda_engine(). Returns null if the devices cannot share these points: they have no fast
// access to each other's memory, or the points are too narrow. There are at most most_devices_of_point contexts.
inline constexpr std::size_t most_devices_of_point = 8;
std::unique_ptr<Engine> make_divided_engine(std::span<const Context* const> contexts, const Problem& problem,
                                            std::size_t points, std::size_t points_of_run, int only = any_plan);

}  // namespace legato::tmm
