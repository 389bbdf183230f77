// Common parts of the kernels that orthonormalise panel by panel: the state of a thread block, and the loop over the
// cycles of a point.
#pragma once

#include "tmm/matrix.cuh"
#include "tmm/precision.hpp"
#include "tmm/slot.cuh"

namespace legato::tmm {

// Smallest share of a column's squared norm that the earlier columns of its panel may leave. The panel ends before a
// column with a smaller share, which would spoil the factorisation. That column starts the next panel; by then it has
// been orthogonalised once.
inline constexpr double least_remainder = 1e-7;

// Share of the squared norm below which a panel is steep. The factorisation of X^T X loses the square of what X R^-1
// itself loses. If a column of the panel keeps less than this share, X R^-1 therefore replaces X first. Its columns are
// nearly orthonormal, and their products are factorised once more. This is as accurate as modified Gram-Schmidt
// (CholeskyQR2: Y. Yamamoto, Y. Nakatsukasa, Y. Yanagisawa and T. Fukaya, ETNA 44, 306 (2015)).
inline constexpr double mild_remainder = 0.1;

// Remembers which panels were steep the last time, by their number modulo 64, as a guess of what to compute first. The
// results are bitwise identical whether the guess is right or wrong.
class SteepPanels {
  public:
    __device__ bool expected(int panel) const { return seen_ >> panel % 64 & 1; }
    __device__ void note(int panel, bool steep) {
        const std::uint64_t bit = std::uint64_t{1} << panel % 64;
        seen_ = steep ? seen_ | bit : seen_ & ~bit;
    }

  private:
    std::uint64_t seen_ = 0;
};

// Data that the threads of a block share. An interval is the slices between two orthonormalisations.
template <int panel>
struct PanelState {
    int panel_width;
    bool valid;
    double last_log_norm;             // log norm of the last column since the cycle began
    double last_blocks[most_blocks];  // block sums of the last column; all thread blocks have a copy and decide alike
    double least, most;               // smallest and largest log norm of this interval
    int next;
    double norms2[panel];  // squared norms of the finished panel
    double before[panel];  // squared norms of the panel's columns before any of them is taken out of another
};

// Computes the log norms of a finished panel that began at column `first`, in warp 0. Adds them to `sums` unless it is
// null.
template <int panel>
__device__ void record_panel(PanelState<panel>& state, int sites, int first, double* sums) {
    if (threadIdx.x >= 32) return;
    const int lane = static_cast<int>(threadIdx.x);
    double least = INFINITY, most = -INFINITY;
    for (int place = lane; place < state.panel_width; place += 32) {
        const double log_norm = 0.5 * log(state.norms2[place]);
        least = fmin(least, log_norm);
        most = fmax(most, log_norm);
        if (first + place == sites - 1) state.last_log_norm += log_norm;
        if (sums) sums[first + place] += log_norm;
    }
    for (int step = 16; step > 0; step /= 2) {
        least = fmin(least, __shfl_xor_sync(0xffffffffu, least, step));
        most = fmax(most, __shfl_xor_sync(0xffffffffu, most, step));
    }
    if (lane == 0) {
        state.least = fmin(state.least, least);
        state.most = fmax(state.most, most);
    }
}

// Adds the log norms of the last cycle to the sums of the slot. The thread block that keeps the sums calls it.
__device__ inline void add_cycle(const KernelArguments& a, std::size_t slot, std::int64_t cycles,
                                 const double* cycle_log_norms) {
    for (int j = static_cast<int>(threadIdx.x); j < a.sites; j += static_cast<int>(blockDim.x)) {
        const double log_norm = cycle_log_norms[j];
        double& sum = a.slots.log_norms[slot * a.sites + j];
        sum += log_norm;
        if (a.slots.blocks) {
            double* const blocks = a.slots.blocks + slot * most_blocks * a.sites + j;
            if (touches_blocks(cycles)) sum = close_block(blocks, a.sites, cycles, sum);
            continue;
        }
        a.slots.log_norms2[slot * a.sites + j] += log_norm * log_norm;
    }
}

// Adds the last column's growth in the `cycles`-th cycle, which has just ended, to its sums. sum and sum2 are those of
// Slots::log_norms and log_norms2. Returns true in all threads if the point has converged.
template <int panel>
__device__ bool add_growth(PanelState<panel>& state, const KernelArguments& a, std::int64_t cycles, double& sum,
                           double& sum2) {
    const Problem& p = a.problem;
    const double growth = state.last_log_norm;
    sum += growth;
    if (!a.slots.blocks) {
        sum2 += growth * growth;
        return has_converged(sum, sum2, cycles, p.width, p.epsilon);
    }
    if (!touches_blocks(cycles)) return false;
    if (threadIdx.x == 0) close_block(state.last_blocks, 1, cycles, sum);
    if (completes_block(cycles)) sum = 0;
    __syncthreads();
    return blocks_have_converged(state.last_blocks, 1, cycles, p);
}

// Advances a point by up to a.cycles cycles. All threads of all its blocks call it. Each block has its own `bar`, which
// loads and stores columns and generators, multiplies, orthonormalises, and restarts from psi_1 = identity, psi_0 = 0.
template <class Bar, int panel>
__device__ void run_point(Bar& bar, const KernelArguments& a, PanelState<panel>& state, std::size_t slot,
                          double* cycle_log_norms) {
    const Problem& p = a.problem;
    const bool leads = threadIdx.x == 0;
    const std::size_t last = slot * a.sites + a.sites - 1;
    SlotHead head = a.slots.heads[slot];
    double sum = a.slots.log_norms[last], sum2 = a.slots.log_norms2[last];
    bar.load(slot, head);
    if (leads) state.valid = true;
    if (a.slots.blocks)
        for (int b = static_cast<int>(threadIdx.x); b < most_blocks; b += static_cast<int>(blockDim.x))
            state.last_blocks[b] = a.slots.blocks[(slot * most_blocks + b) * a.sites + a.sites - 1];
    head.status = PointStatus::running;
    for (std::int64_t c = 0; c < a.cycles && head.status == PointStatus::running; ++c) {
        if (leads) state.last_log_norm = 0;
        if (bar.keeps_sums())
            for (int j = static_cast<int>(threadIdx.x); j < a.sites; j += static_cast<int>(blockDim.x))
                cycle_log_norms[j] = 0;
        std::int64_t slice = 0;
        bool lost = false, ended = false;  // precision was lost; it was lost within one slice
        do {
            const std::int64_t slices = head.interval < p.n_ortho - slice ? head.interval : p.n_ortho - slice;
            __syncthreads();
            if (leads) {
                state.least = INFINITY;
                state.most = -INFINITY;
            }
            bar.multiply(static_cast<int>(slices));
            bar.orthonormalise();
            if (p.max_growth > 0)
                head.interval = adapted_interval(slices, state.most - state.least, p.max_growth, p.n_ortho);
            if (loses_precision(state.most - state.least)) {
                const std::int64_t shorter = shortened_interval(slices, state.most - state.least);
                head.interval = shorter < head.interval ? shorter : head.interval;
                lost = true;
                bar.restart_columns();
                ended = ended || slices == 1;
            }
            slice += slices;
        } while (slice < p.n_ortho && state.valid);
        head.slices += slice;
        __syncthreads();
        if (!state.valid) {
            head.status = PointStatus::failed;
            break;
        }
        if (lost) {  // a cycle with given diagonals is undone, a drawn one does not count
            if (ended || a.given) head.status = PointStatus::imprecise;
            __syncthreads();
            continue;
        }
        ++head.cycles;
        if (bar.keeps_sums()) add_cycle(a, slot, head.cycles, cycle_log_norms);
        if (add_growth(state, a, head.cycles, sum, sum2))
            head.status = PointStatus::converged;
        else if (head.cycles >= a.max_cycles)
            head.status = a.status_at_max;
        __syncthreads();
    }
    if (!a.given || head.status != PointStatus::imprecise) bar.store(slot);
    if (bar.keeps_sums() && leads) a.slots.heads[slot] = head;
}

}  // namespace legato::tmm
