// More than 32 sites: the columns of a point spread over the shared memory of a thread-block cluster, or of the whole
// device (wide_layout.hpp).
//
// Orthonormalisation goes panel by panel. With X_p the panel as it stands and x any column not before it,
//     W = X_p^T x;   G = X_p^T X_p = R^T R;   x <- x - X_p R^-1 R^-T W,   and X_p <- X_p R^-1,
// so that every block needs only X_p and the small G, and all work but the factorisation of G runs on FP64 matrix
// instructions. A panel ends early, before the first column of which the earlier ones leave less than
// `least_remainder`: such a column, orthogonalised by then to working accuracy, starts the next panel. In the extreme
// this is modified Gram-Schmidt.
#pragma once

#include <cooperative_groups.h>

#include "core/reciprocal.cuh"
#include "tmm/slot.cuh"
#include "tmm/wide_layout.hpp"

namespace legato::tmm {

inline constexpr double least_remainder = 1e-7;  // of the squared norm

namespace cg = cooperative_groups;

// A cluster of one block where the architecture has none.
struct Cluster {
#if __CUDA_ARCH__ >= 900
    __device__ static int rank() {
        return static_cast<int>(cg::this_cluster().block_rank());
    }
    __device__ static void sync() {
        cg::this_cluster().sync();
    }
    template <class T>
    __device__ static T* at(T* own, int rank) {
        return cg::this_cluster().map_shared_rank(own, static_cast<unsigned>(rank));
    }
#else
    __device__ static int rank() {
        return 0;
    }
    __device__ static void sync() {
        __syncthreads();
    }
    template <class T>
    __device__ static T* at(T* own, int) {
        return own;
    }
#endif
};

// C (8 x 8) += A (8 x 4) B (4 x 8): a lane gives A(lane / 4, lane % 4) and B(lane % 4, lane / 4) and holds
// C(lane / 4, 2 (lane % 4)) and its right neighbour.
__device__ inline void matrix_multiply(double (&c)[2], double a, double b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
}

struct WideArguments {
    KernelArguments common;
    WideLayout layout;
    double* published;        // per point in flight: layout.published_doubles
    double* spilled;          // columns that are not in shared memory: [block][layout.column_doubles]
    double* cycle_log_norms;  // [point in flight][sites]
};

// What the threads of a block tell one another.
struct BlockState {
    int panel_width;
    bool sound;
    double last_log_norm;  // of the last column, since the cycle began
    double least, most;    // log norms of this stretch
    int next;
    double norms2[wide_panel];
    double before[wide_panel];  // squared norms of the panel's columns as it stands
    double pivot_rows[2][2 * wide_panel];
};

template <bool in_shared, bool across_grid>
class WideBlock {
  public:
    __device__ WideBlock(const WideArguments& arguments, double* shared, BlockState& state)
        : a_(arguments), p_(arguments.common.problem), l_(arguments.layout), shared_(shared), state_(state) {
        thread_ = static_cast<int>(threadIdx.x);
        warp_ = thread_ / 32;
        lane_ = thread_ % 32;
        rank_ = l_.ranks > 1 ? Cluster::rank() : 0;
        const int cluster = static_cast<int>(blockIdx.x) / l_.ranks;
        group_ = across_grid ? cluster : 0;
        const int in_flight = across_grid ? 0 : cluster;  // which of the points now on the device
        first_column_ = group_ * l_.columns;
        columns_ = max(0, min(l_.columns, l_.sites - first_column_));
        first_site_ = rank_ * l_.slice;
        slice_ = max(0, min(l_.slice, l_.sites - first_site_));
        x_ = in_shared
                 ? shared
                 : a_.spilled + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(l_.column_doubles);
        published_ = a_.published + in_flight * l_.published_doubles;
        cycle_log_norms_ = a_.cycle_log_norms + static_cast<std::size_t>(in_flight) * l_.sites;
        random_ = reinterpret_cast<SiteRandom*>(shared + l_.random_at);
        near_ = reinterpret_cast<int*>(shared + l_.near_at);
        prepare();
    }

    __device__ void run(std::size_t slot);

  private:
    static constexpr int warps = wide_threads / 32;

    __device__ void prepare();
    __device__ int neighbour(int site, int position, int stride, int direction) const;
    __device__ void load(std::size_t slot, const SlotHead& head);
    __device__ void store(std::size_t slot, const SlotHead& head);
    __device__ void multiply(int slices);
    __device__ void step(const double* diagonal, int from, int to);
    __device__ void step_site(int s, int first, int abreast, double diagonal, int from, int to);
    __device__ void orthonormalise();
    __device__ void publish_panel(int first, int width);
    template <class Work>
    __device__ void over_staged(int width, const Work& work);
    __device__ void overlaps(int first, int width);
    __device__ void overlaps_of_rows(const double* panel, int panel_stride, int row, int rows, int width, int tile0,
                                     int tiles, int splits, bool begin);
    __device__ void sum_overlaps(int width, int tile0, int tiles, int splits);
    __device__ void factorise(int first, int width);
    template <class Left>
    __device__ void multiply_tile(double (&c)[4][2], const double* tile, const Left& left) const;
    __device__ void coefficients(int first);
    __device__ void update(int first);
    __device__ void update_rows(const double* panel, int panel_stride, int row, int rows, int first);
    __device__ void record(int first);
    __device__ void close_cycle(std::size_t slot);

    // Has this group the panel that begins at column `first`, or a later column?
    __device__ bool concerned(int first) const { return columns_ > 0 && first < first_column_ + columns_; }
    // Has this group column `local`, and is it one of the finished panel's?
    __device__ bool in_finished_panel(int local, int first) const {
        const int place = first_column_ + local - first;
        return local < columns_ && place >= 0 && place < state_.panel_width;
    }
    // First tile of 8 columns of this group that a panel beginning at column `first` concerns.
    __device__ int first_tile(int first) const { return max(0, first - first_column_) / 8; }
    __device__ void wait_all() const {
        if (across_grid)
            cg::this_grid().sync();
        else if (l_.ranks > 1)
            Cluster::sync();
        else
            __syncthreads();
    }
    __device__ void wait_cluster() const {
        if (l_.ranks > 1)
            Cluster::sync();
        else
            __syncthreads();
    }
    // Where the block of another rank of the cluster has what this one has at `own`, and the value there.
    __device__ const double* at_rank(const double* own, int rank) const {
        if (in_shared) return l_.ranks > 1 ? Cluster::at(own, rank) : own;
        return own + (rank - rank_) * static_cast<std::ptrdiff_t>(l_.column_doubles);
    }
    __device__ static double of_rank(const double* place) { return in_shared ? *place : __ldcg(place); }
    // Two by turns where nothing but the cluster's own barriers keeps ranks from overtaking each other.
    __device__ double* parts() const { return shared_ + l_.parts_at + (across_grid ? 0 : parity_ * l_.part_doubles); }
    __device__ double* overlap() const { return shared_ + l_.overlap_at; }
    __device__ double* inverse() const { return shared_ + l_.inverse_at; }
    __device__ double* diagonals() const { return shared_ + l_.diagonal_at; }
    __device__ double* staged() const { return shared_ + l_.stage_at; }
    __device__ double* published_panel() const { return published_ + parity_ * l_.published_panel; }
    __device__ double* published_overlap() const {
        return published_ + 2 * l_.published_panel + parity_ * wide_panel * wide_small_stride;
    }
    __device__ bool keeps_sums() const { return group_ == 0 && rank_ == 0; }

    const WideArguments& a_;
    const Problem& p_;
    const WideLayout& l_;
    double* shared_;
    BlockState& state_;
    int thread_, warp_, lane_, rank_, group_;
    int first_column_, columns_, first_site_, slice_;
    double* x_;
    double* published_;
    double* cycle_log_norms_;
    SiteRandom* random_;
    int* near_;
    double energy_ = 0, strength_ = 0;
    int parity_ = 0;  // of the panel: neighbouring panels use different buffers
    std::int64_t slices_ = 0, cycles_ = 0, interval_ = 0;
    double last_sum_ = 0, last_sum2_ = 0;  // of the last column, for the convergence rule
    PointStatus status_ = PointStatus::running;
};

#define LEGATO_WIDE                             \
    template <bool in_shared, bool across_grid> \
    __device__

// A neighbour as rank << 20 | edge << 19 | row in that rank's slice.
LEGATO_WIDE int WideBlock<in_shared, across_grid>::neighbour(int site, int position, int stride, int direction) const {
    const int m = static_cast<int>(p_.width);
    const bool edge = direction < 0 ? position == 0 : position == m - 1;
    const int other = site + direction * stride * (edge ? 1 - m : 1);
    return other / l_.slice << 20 | (edge ? 1 << 19 : 0) | other % l_.slice;
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::prepare() {
    const int m = static_cast<int>(p_.width);
    for (int s = thread_; s < slice_; s += wide_threads) {
        const int site = first_site_ + s;
        near_[4 * s] = neighbour(site, site % m, 1, -1);
        near_[4 * s + 1] = neighbour(site, site % m, 1, 1);
        if (p_.dimension < 3) continue;
        near_[4 * s + 2] = neighbour(site, site / m, m, -1);
        near_[4 * s + 3] = neighbour(site, site / m, m, 1);
    }
    for (int i = thread_; i < l_.column_doubles; i += wide_threads) x_[i] = 0.0;
    __syncthreads();
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::load(std::size_t slot, const SlotHead& head) {
    const std::size_t n = l_.sites;
    for (int c = 0; c < columns_; ++c) {
        const double* const psi = a_.common.slots.psi + (slot * n + first_column_ + c) * 2 * n + first_site_;
        for (int s = thread_; s < slice_; s += wide_threads) {
            x_[c * l_.stride + s] = psi[s];
            x_[c * l_.stride + l_.half + s] = psi[n + s];
        }
    }
    for (int s = thread_; s < slice_; s += wide_threads) random_[s].load(a_.common, head, slot, first_site_ + s);
    energy_ = head.energy;
    strength_ = head.strength;
    slices_ = head.slices;
    cycles_ = head.cycles;
    interval_ = head.interval;
    status_ = PointStatus::running;
    last_sum_ = a_.common.slots.log_norms[slot * n + n - 1];
    last_sum2_ = a_.common.slots.log_norms2[slot * n + n - 1];
    wait_all();
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::store(std::size_t slot, const SlotHead&) {
    const std::size_t n = l_.sites;
    for (int c = 0; c < columns_; ++c) {
        double* const psi = a_.common.slots.psi + (slot * n + first_column_ + c) * 2 * n + first_site_;
        for (int s = thread_; s < slice_; s += wide_threads) {
            psi[s] = x_[c * l_.stride + s];
            psi[n + s] = x_[c * l_.stride + l_.half + s];
        }
    }
    if (group_ == 0)
        for (int s = thread_; s < slice_; s += wide_threads) random_[s].store(a_.common, slot, first_site_ + s);
    if (keeps_sums() && thread_ == 0) {
        SlotHead& out = a_.common.slots.heads[slot];
        out.cycles = cycles_;
        out.slices = slices_;
        out.interval = interval_;
        out.status = status_;
    }
    wait_all();
}

// Columns do not meet: only neighbouring sites of the same column, which may be in the cluster's next block.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::multiply(int slices) {
    int from = 0, to = l_.half;
    wait_cluster();  // the potentials lie where other blocks may still be reading overlaps
    for (int done = 0; done < slices;) {
        const int chunk = min(wide_slices, slices - done);
        for (int s = thread_; s < slice_; s += wide_threads)
            for (int k = 0; k < chunk; ++k) {
                double& diagonal = diagonals()[k * l_.half + s];
                if (a_.common.given) {
                    diagonal = a_.common.given[(done + k) * l_.sites + first_site_ + s];
                    continue;
                }
                diagonal = energy_ - random_[s].draw(p_, strength_);
                random_[s].skip(p_, a_.common.leap);
            }
        wait_cluster();
        for (int k = 0; k < chunk; ++k) {
            step(diagonals() + k * l_.half, from, to);
            const int swapped = from;
            from = to;
            to = swapped;
            wait_cluster();
        }
        done += chunk;
    }
    slices_ += slices;
    if (slices % 2 == 0) return;
    for (int c = 0; c < columns_; ++c)
        for (int s = thread_; s < slice_; s += wide_threads) {
            double* const column = x_ + c * l_.stride;
            const double t = column[s];
            column[s] = column[l_.half + s];
            column[l_.half + s] = t;
        }
    __syncthreads();
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::step(const double* diagonal, int from, int to) {
    // A thread keeps to its sites, and goes through the columns in strides.
    const int abreast = slice_ < wide_threads ? wide_threads / max(slice_, 1) : 1;
    const int first = slice_ < wide_threads ? thread_ / max(slice_, 1) : 0;
    if (first >= abreast) return;
    for (int s = slice_ < wide_threads ? thread_ % max(slice_, 1) : thread_; s < slice_; s += wide_threads)
        step_site(s, first, abreast, diagonal[s], from, to);
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::step_site(int s, int first, int abreast, double diagonal, int from,
                                                              int to) {
    constexpr int unrolled = 4;  // columns whose loads are in flight together
    const int count = p_.dimension < 3 ? 2 : 4, stride = l_.stride;
    const double* sources[4];
    double hopping[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int code = near_[4 * s + (k < count ? k : 0)];
        sources[k] = at_rank(x_ + from + (code & 0x7ffff), code >> 20);
        hopping[k] = k >= count ? 0.0 : code & 1 << 19 ? -p_.hopping * a_.common.wrap : -p_.hopping;
    }
    for (int c = first; c < columns_; c += unrolled * abreast) {
        double sum[unrolled], here[unrolled];
#pragma unroll
        for (int u = 0; u < unrolled; ++u) {
            const int ahead = c + u * abreast,
                      column = (ahead < columns_ ? ahead : c) * stride;  // never another thread's
            here[u] = x_[column + from + s];
            sum[u] = -x_[column + to + s];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (k < count) sum[u] = fma(hopping[k], of_rank(sources[k] + column), sum[u]);
        }
#pragma unroll
        for (int u = 0; u < unrolled; ++u)
            if (c + u * abreast < columns_) x_[(c + u * abreast) * stride + to + s] = fma(diagonal, here[u], sum[u]);
    }
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::orthonormalise() {
    if (thread_ == 0) {
        state_.least = INFINITY;
        state_.most = -INFINITY;
    }
    for (int first = 0; first < l_.sites && state_.sound;) {
        const int width = min(wide_panel, l_.sites - first);
        if (across_grid) publish_panel(first, width);
        overlaps(first, width);
        factorise(first, width);
        if (!state_.sound) break;
        coefficients(first);
        update(first);
        if (warp_ == 0) record(first);
        first += state_.panel_width;
        parity_ ^= 1;
        __syncthreads();
    }
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::publish_panel(int first, int width) {
    double* const target = published_panel() + static_cast<std::size_t>(rank_) * wide_panel * l_.rows;
    const int begin = max(first, first_column_), end = min(first + width, first_column_ + columns_);
    for (int column = begin; column < end; ++column)
        for (int r = thread_; r < l_.rows; r += wide_threads)
            target[(column - first) * l_.rows + r] = x_[(column - first_column_) * l_.stride + r];
    wait_all();
}

// Work(row, rows) on the published panel, chunk by chunk in shared memory, the next chunk on its way meanwhile.
template <bool in_shared, bool across_grid>
template <class Work>
__device__ void WideBlock<in_shared, across_grid>::over_staged(int width, const Work& work) {
    constexpr int columns_each = wide_panel / warps, pairs_each = wide_chunk / 64;
    const double* const source = published_panel() + static_cast<std::size_t>(rank_) * wide_panel * l_.rows;
    double2 ahead[columns_each][pairs_each];
    const auto fetch = [&](int row) {
#pragma unroll
        for (int q = 0; q < columns_each; ++q)
#pragma unroll
            for (int t = 0; t < pairs_each; ++t) {
                const int column = min(warp_ + q * warps, width - 1), r = row + 2 * lane_ + 64 * t;
                if (2 * lane_ + 64 * t < l_.chunk && r < l_.rows)
                    ahead[q][t] = __ldcg(reinterpret_cast<const double2*>(source + column * l_.rows + r));
            }
    };
    fetch(0);
    for (int row = 0; row < l_.rows; row += l_.chunk) {
        const int rows = min(l_.chunk, l_.rows - row);
        __syncthreads();
#pragma unroll
        for (int q = 0; q < columns_each; ++q)
#pragma unroll
            for (int t = 0; t < pairs_each; ++t)
                if (2 * lane_ + 64 * t < rows)
                    *reinterpret_cast<double2*>(staged() + (warp_ + q * warps) * (l_.chunk + 4) + 2 * lane_ + 64 * t) =
                        ahead[q][t];
        __syncthreads();
        if (row + l_.chunk < l_.rows) fetch(row + l_.chunk);
        work(row, rows);
    }
}

// W into overlap(), for the tiles of this group from the panel on, summed over the cluster; G to where all can read it.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::overlaps(int first, int width) {
    const int tile0 = first_tile(first), tiles = max(0, l_.padded_columns / 8 - tile0);
    const int splits = min(wide_splits(tiles), l_.splits);
    if (concerned(first)) {
        if (across_grid)
            over_staged(width, [&](int row, int rows) {
                overlaps_of_rows(staged(), l_.chunk + 4, row, rows, width, tile0, tiles, splits, row == 0);
            });
        else
            overlaps_of_rows(x_ + first * l_.stride, l_.stride, 0, l_.rows, width, tile0, tiles, splits, true);
    }
    __syncthreads();
    if (concerned(first)) sum_overlaps(width, tile0, tiles, splits);
    if (!across_grid) return;
    const int begin = max(first, first_column_), end = min(first + width, first_column_ + columns_);
    if (concerned(first) && rank_ == 0)
        for (int i = thread_; i < wide_panel * (end - begin); i += wide_threads) {
            const int column = begin + i / wide_panel, r = i % wide_panel;
            published_overlap()[r * wide_small_stride + column - first] =
                overlap()[r * l_.overlap_stride + column - first_column_];
        }
    wait_all();
}

// A warp takes a tile of 8 columns and a share of the rows; `panel` begins at the first of these rows.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::overlaps_of_rows(const double* panel, int panel_stride, int row,
                                                                     int rows, int width, int tile0, int tiles,
                                                                     int splits, bool begin) {
    const int steps = rows / 4, i = lane_ / 4, k = lane_ % 4;
    for (int item = warp_; item < tiles * splits; item += warps) {
        const int tile = tile0 + item / splits, split = item % splits;
        double* const out = parts() + split * wide_panel * l_.overlap_stride + tile * 8 + 2 * k;
        double c[4][2] = {};
        if (!begin)
            for (int t = 0; t < 4; ++t) {
                c[t][0] = out[(8 * t + i) * l_.overlap_stride];
                c[t][1] = out[(8 * t + i) * l_.overlap_stride + 1];
            }
        const double* const right = x_ + (tile * 8 + i) * l_.stride + row + k;
        const double* left[4];  // rows beyond the panel repeat its last: their sums are not used
        for (int t = 0; t < 4; ++t) left[t] = panel + min(8 * t + i, width - 1) * panel_stride + k;
        const int last = steps * (split + 1) / splits;
#pragma unroll 4
        for (int step = steps * split / splits; step < last; ++step) {
            const double b = right[4 * step];
#pragma unroll
            for (int t = 0; t < 4; ++t) matrix_multiply(c[t], left[t][4 * step], b);
        }
        for (int t = 0; t < 4; ++t) {
            out[(8 * t + i) * l_.overlap_stride] = c[t][0];
            out[(8 * t + i) * l_.overlap_stride + 1] = c[t][1];
        }
    }
}

// Over the shares of the rows, then over the cluster, in the same order in every block.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::sum_overlaps(int width, int tile0, int tiles, int splits) {
    const int end = 8 * (tile0 + tiles), share = wide_panel * l_.overlap_stride;
    double* const parts = this->parts();
    double* const sums = l_.ranks > 1 ? parts : overlap();
    for (int row = warp_; row < wide_panel; row += warps)
        for (int column = 8 * tile0 + lane_; column < end; column += 32) {
            const int at = row * l_.overlap_stride + column;
            double sum = 0;
            for (int s = 0; s < splits; ++s) sum += parts[s * share + at];
            sums[at] = row < width ? sum : 0.0;
        }
    if (l_.ranks > 1) {
        Cluster::sync();
        for (int row = warp_; row < wide_panel; row += warps)
            for (int column = 8 * tile0 + lane_; column < end; column += 32) {
                const int at = row * l_.overlap_stride + column;
                double sum = 0;
                for (int r = 0; r < l_.ranks; ++r) sum += Cluster::at(parts, r)[at];
                overlap()[at] = sum;
            }
    }
    __syncthreads();
}

// R^T R = G by all threads: R^-T to inverse(), the squared pivots to norms2, and how far the panel is sound to
// panel_width. Thread (warp, lane) holds rows warp, warp + 8, .. of column `lane` of G, and of the identity, on which
// the same row operations leave R^-T.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::factorise(int first, int width) {
    constexpr int held = wide_panel / warps;
    const double* const from = across_grid ? published_overlap() : overlap() + first;
    const int stride = across_grid ? wide_small_stride : l_.overlap_stride;
    double g[held], e[held];
#pragma unroll
    for (int q = 0; q < held; ++q) {
        const int row = warp_ + q * warps;
        g[q] = 0.0;
        if (row < width && lane_ < width)
            g[q] = across_grid ? __ldcg(from + row * stride + lane_) : from[row * stride + lane_];
        e[q] = row == lane_ ? 1.0 : 0.0;
        if (row == lane_) state_.before[row] = g[q];
    }
    int done = 0;
#pragma unroll
    for (int block = 0; block < held; ++block)
        for (int owner = 0; owner < warps; ++owner) {
            const int k = block * warps + owner;
            if (done < k || k >= width) continue;
            double* const pivot_row = state_.pivot_rows[k % 2];
            if (warp_ == owner) {
                pivot_row[lane_] = g[block];
                pivot_row[wide_panel + lane_] = e[block];
            }
            __syncthreads();
            const double pivot = pivot_row[k];
            const double least = k == 0 ? 0.0 : least_remainder * state_.before[k];
            if (!(pivot > least && isfinite(pivot))) continue;
            if (thread_ == 0) state_.norms2[k] = pivot;
            const double inverse_pivot = -cuda::reciprocal(pivot);
            const double of_g = pivot_row[lane_] * inverse_pivot, of_e = pivot_row[wide_panel + lane_] * inverse_pivot;
#pragma unroll
            for (int q = block; q < held; ++q) {
                const int row = warp_ + q * warps;
                const double factor = row > k ? pivot_row[row] : 0.0;
                g[q] = fma(factor, of_g, g[q]);
                e[q] = fma(factor, of_e, e[q]);
            }
            done = k + 1;
        }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < held; ++q) {
        const int row = warp_ + q * warps;
        inverse()[row * wide_small_stride + lane_] = row < done ? e[q] * rsqrt(state_.norms2[row]) : 0.0;
    }
    if (thread_ == 0) {
        state_.panel_width = done;
        if (done == 0) state_.sound = false;
    }
    __syncthreads();
}

// c (panel x 8) += left (panel x panel) tile (panel x 8), by a warp.
template <bool in_shared, bool across_grid>
template <class Left>
__device__ void WideBlock<in_shared, across_grid>::multiply_tile(double (&c)[4][2], const double* tile,
                                                                 const Left& left) const {
    const int i = lane_ / 4, k = lane_ % 4;
#pragma unroll
    for (int step = 0; step < wide_panel / 4; ++step) {
        const double b = tile[(4 * step + k) * l_.overlap_stride + i];
#pragma unroll
        for (int t = 0; t < 4; ++t) matrix_multiply(c[t], left(8 * t + i, 4 * step + k), b);
    }
}

// What of each panel column is added to a column: -R^-1 R^-T W, or R^-1 for the panel itself; into overlap().
LEGATO_WIDE void WideBlock<in_shared, across_grid>::coefficients(int first) {
    if (!concerned(first)) return;
    const int stride = l_.overlap_stride, end = l_.padded_columns / 8;
    const int i = lane_ / 4, k = lane_ % 4;
    const double* const r = inverse();
    double* const w = overlap();
    for (int tile = first_tile(first) + warp_; tile < end; tile += warps) {
        double c[4][2] = {};
        multiply_tile(c, w + tile * 8, [&](int row, int column) { return r[row * wide_small_stride + column]; });
        __syncwarp();
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            double* const out = w + (8 * t + i) * stride + tile * 8 + 2 * k;
            out[0] = c[t][0];
            out[1] = c[t][1];
            c[t][0] = c[t][1] = 0.0;
        }
        __syncwarp();
        multiply_tile(c, w + tile * 8, [&](int row, int column) { return -r[column * wide_small_stride + row]; });
        __syncwarp();
#pragma unroll
        for (int d = 0; d < 2; ++d) {
            const int column = tile * 8 + 2 * k + d, place = first_column_ + column - first;
            const bool finished = in_finished_panel(column, first);
#pragma unroll
            for (int t = 0; t < 4; ++t) {
                const double value = finished ? r[place * wide_small_stride + 8 * t + i] : c[t][d];
                w[(8 * t + i) * stride + column] = place < 0 ? 0.0 : value;
            }
        }
    }
    __syncthreads();
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::update(int first) {
    if (!concerned(first)) return;
    if constexpr (across_grid) {
        const auto work = [&](int row, int rows) { update_rows(staged(), l_.chunk + 4, row, rows, first); };
        if (l_.chunk < l_.rows)
            over_staged(min(wide_panel, l_.sites - first), work);
        else
            work(0, l_.rows);  // as the overlaps left it
    } else {
        update_rows(x_ + first * l_.stride, l_.stride, 0, l_.rows, first);
    }
}

// A warp takes 8 rows of all columns, after reading the panel's part of them: the panel may be among the columns.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::update_rows(const double* panel, int panel_stride, int row,
                                                                int rows, int first) {
    const int i = lane_ / 4, k = lane_ % 4;
    const int tile0 = first_tile(first), last = l_.padded_columns / 8;
    for (int strip = warp_; strip < rows / 8; strip += warps) {
        double b[wide_panel / 4];
#pragma unroll
        for (int step = 0; step < wide_panel / 4; ++step)
            b[step] = 4 * step + k < state_.panel_width ? panel[(4 * step + k) * panel_stride + strip * 8 + i] : 0.0;
        __syncwarp();
        for (int tile = tile0; tile < last; ++tile) {
            const int column = tile * 8 + i;
            double* const x = x_ + column * l_.stride + row + strip * 8 + 2 * k;
            double c[2] = {x[0], x[1]};
            if (in_finished_panel(column, first)) c[0] = c[1] = 0.0;
#pragma unroll
            for (int step = 0; step < wide_panel / 4; ++step)
                matrix_multiply(c, overlap()[(4 * step + k) * l_.overlap_stride + column], b[step]);
            x[0] = c[0];
            x[1] = c[1];
        }
    }
}

// Log norms of a finished panel, by warp 0.
LEGATO_WIDE void WideBlock<in_shared, across_grid>::record(int first) {
    const bool holds = lane_ < state_.panel_width;
    const double log_norm = holds ? 0.5 * log(state_.norms2[lane_]) : 0.0;
    double least = holds ? log_norm : INFINITY, most = holds ? log_norm : -INFINITY;
    for (int step = 16; step > 0; step /= 2) {
        least = fmin(least, __shfl_xor_sync(0xffffffffu, least, step));
        most = fmax(most, __shfl_xor_sync(0xffffffffu, most, step));
    }
    if (lane_ == 0) {
        state_.least = fmin(state_.least, least);
        state_.most = fmax(state_.most, most);
    }
    if (holds && first + lane_ == l_.sites - 1) state_.last_log_norm += log_norm;
    if (holds && keeps_sums()) cycle_log_norms_[first + lane_] += log_norm;
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::close_cycle(std::size_t slot) {
    __syncthreads();
    if (!state_.sound) {
        status_ = PointStatus::failed;
        return;
    }
    ++cycles_;
    last_sum_ += state_.last_log_norm;
    last_sum2_ += state_.last_log_norm * state_.last_log_norm;
    if (keeps_sums())
        for (int j = thread_; j < l_.sites; j += wide_threads) {
            const double log_norm = cycle_log_norms_[j];
            a_.common.slots.log_norms[slot * l_.sites + j] += log_norm;
            a_.common.slots.log_norms2[slot * l_.sites + j] += log_norm * log_norm;
        }
    if (has_converged(last_sum_, last_sum2_, cycles_, p_.width, p_.epsilon))
        status_ = PointStatus::converged;
    else if (cycles_ >= a_.common.max_cycles)
        status_ = PointStatus::not_converged;
    __syncthreads();
}

LEGATO_WIDE void WideBlock<in_shared, across_grid>::run(std::size_t slot) {
    const SlotHead head = a_.common.slots.heads[slot];
    load(slot, head);
    if (thread_ == 0) state_.sound = true;
    for (std::int64_t c = 0; c < a_.common.cycles && status_ == PointStatus::running; ++c) {
        if (thread_ == 0) state_.last_log_norm = 0;
        if (keeps_sums())
            for (int j = thread_; j < l_.sites; j += wide_threads) cycle_log_norms_[j] = 0;
        __syncthreads();
        std::int64_t slice = 0;
        do {
            const std::int64_t stretch = interval_ < p_.n_ortho - slice ? interval_ : p_.n_ortho - slice;
            multiply(static_cast<int>(stretch));
            orthonormalise();
            if (p_.max_growth > 0)
                interval_ = adapted_interval(stretch, state_.most - state_.least, p_.max_growth, p_.n_ortho);
            slice += stretch;
        } while (slice < p_.n_ortho && state_.sound);
        close_cycle(slot);
    }
    store(slot, head);
}

#undef LEGATO_WIDE

// One point after the other over the whole grid (launched cooperatively), or one to a cluster from the queue.
template <bool in_shared, bool across_grid>
__global__ void __launch_bounds__(wide_threads, 1) wide_kernel(const __grid_constant__ WideArguments arguments) {
    extern __shared__ double shared[];
    __shared__ BlockState state;
    WideBlock<in_shared, across_grid> block(arguments, shared, state);
    const KernelArguments& common = arguments.common;
    if (across_grid) {
        for (int i = 0; i < common.count; ++i) block.run(common.work[i]);
        Cluster::sync();  // no block leaves while another may read its shared memory
        return;
    }
    const bool leads = arguments.layout.ranks == 1 || Cluster::rank() == 0;
    for (;;) {
        if (leads && threadIdx.x == 0) state.next = static_cast<int>(atomicAdd(common.queue, 1u));
        Cluster::sync();
        const int next = *Cluster::at(&state.next, 0);
        Cluster::sync();
        if (next >= common.count) return;
        block.run(common.work[next]);
    }
}

}  // namespace legato::tmm
