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
    SlotHead head;                    // of the point
    double sum, sum2;                 // sums of the last column, as Slots::log_norms and log_norms2
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

// Adds the last column's growth in the cycle that has just ended to its sums. Returns true in all threads if the point
// has converged.
template <int panel>
__device__ bool add_growth(PanelState<panel>& state, const KernelArguments& a) {
    const Problem& p = a.problem;
    const std::int64_t cycles = state.head.cycles;
    if (threadIdx.x == 0) {
        const double growth = state.last_log_norm;
        state.sum += growth;
        state.sum2 += growth * growth;
        if (a.slots.blocks && touches_blocks(cycles)) state.sum = close_block(state.last_blocks, 1, cycles, state.sum);
    }
    __syncthreads();
    if (!a.slots.blocks) return has_converged(state.sum, state.sum2, cycles, p.width, p.epsilon);
    return touches_blocks(cycles) && blocks_have_converged(state.last_blocks, 1, cycles, p);
}

// Advances a point by up to a.cycles cycles. All threads of all its blocks call it. Each block has its own `bar`, which
// loads and stores columns and generators, multiplies, orthonormalises, and restarts from psi_1 = identity, psi_0 = 0.
// What all threads need for long is in `state`, where it takes no registers.
template <class Bar, int panel>
__device__ __forceinline__ void run_point(Bar& bar, const KernelArguments& a, PanelState<panel>& state,
                                          std::size_t slot, double* cycle_log_norms) {
    const Problem& p = a.problem;
    const bool leads = threadIdx.x == 0;
    SlotHead& head = state.head;
    __syncthreads();
    if (leads) {
        const std::size_t last = slot * a.sites + a.sites - 1;
        head = a.slots.heads[slot];
        head.status = PointStatus::running;
        state.sum = a.slots.log_norms[last];
        state.sum2 = a.slots.log_norms2[last];
        state.valid = true;
    }
    if (a.slots.blocks)
        for (int b = static_cast<int>(threadIdx.x); b < most_blocks; b += static_cast<int>(blockDim.x))
            state.last_blocks[b] = a.slots.blocks[(slot * most_blocks + b) * a.sites + a.sites - 1];
    __syncthreads();
    bar.load(slot, head);
    for (std::int64_t c = 0; c < a.cycles && head.status == PointStatus::running; ++c) {
        if (bar.keeps_sums())
            for (int j = static_cast<int>(threadIdx.x); j < a.sites; j += static_cast<int>(blockDim.x))
                cycle_log_norms[j] = 0;
        if (leads) state.last_log_norm = 0;
        int slice = 0;
        bool lost = false, ended = false;  // precision was lost; it was lost within one slice
        do {
            __syncthreads();
            const int slices = static_cast<int>(min(head.interval, p.n_ortho - slice));
            if (leads) {
                state.least = INFINITY;
                state.most = -INFINITY;
            }
            bar.multiply(slices);
            bar.orthonormalise();
            const double growth = state.most - state.least;
            if (p.max_growth > 0 && leads) head.interval = adapted_interval(slices, growth, p.max_growth, p.n_ortho);
            if (loses_precision(growth)) {
                if (leads) head.interval = min(head.interval, shortened_interval(slices, growth));
                lost = true;
                bar.restart_columns();
                ended = ended || slices == 1;
            }
            slice += slices;
        } while (slice < p.n_ortho && state.valid);
        __syncthreads();
        if (leads) {
            head.slices += slice;
            // A cycle with given diagonals is undone if precision is lost, a drawn one does not count.
            if (!state.valid)
                head.status = PointStatus::failed;
            else if (lost && (ended || a.given))
                head.status = PointStatus::imprecise;
            else if (!lost)
                ++head.cycles;
        }
        __syncthreads();
        if (lost || head.status != PointStatus::running) continue;
        if (bar.keeps_sums()) add_cycle(a, slot, head.cycles, cycle_log_norms);
        const bool converged = add_growth(state, a);
        if (leads && (converged || head.cycles >= a.max_cycles))
            head.status = converged ? PointStatus::converged : a.status_at_max;
        __syncthreads();
    }
    if (!a.given || head.status != PointStatus::imprecise) bar.store(slot);
    if (bar.keeps_sums() && leads) a.slots.heads[slot] = head;
}

}  // namespace legato::tmm
