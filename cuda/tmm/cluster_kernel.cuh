// The kernel for points whose columns fit into the shared memory of a thread-block cluster (cluster_layout.hpp).
//
// Orthonormalisation goes panel by panel. Let X_p be the present panel and x any column that is not before it:
//     W = X_p^T x;   G = X_p^T X_p = R^T R;   x <- x - X_p R^-1 R^-T W,   and X_p <- X_p R^-1.
// All work runs on FP64 matrix instructions. A panel ends early, before the first column of which the earlier ones
// leave too little. If they leave little, X_p <- X_p R^-1 comes first, and W, G and R are then computed from the new
// X_p (panel.cuh). In the extreme case this is modified Gram-Schmidt.
#pragma once

#include <cooperative_groups.h>

#include <type_traits>

#include "tmm/cluster_layout.hpp"
#include "tmm/panel.cuh"

namespace legato::tmm {

namespace cg = cooperative_groups;

// Functions of a cluster. On architectures without clusters it has one block.
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

struct ClusterArguments {
    KernelArguments common;
    ClusterLayout layout;
    double* cycle_log_norms;  // [point in flight][sites]
};

// A point of a problem with plain hopping, or with any.
template <bool plain>
class ClusterPoint {
  public:
    __device__ ClusterPoint(const ClusterArguments& arguments, double* shared, PanelState<cluster_panel>& state)
        : a_(arguments),
          p_(arguments.common.problem),
          l_(arguments.layout),
          x_(shared),
          state_(state),
          thread_(static_cast<int>(threadIdx.x)),
          warp_(thread_ / 32),
          lane_(thread_ % 32),
          rank_(l_.ranks > 1 ? Cluster::rank() : 0),
          first_site_(rank_ * l_.slice),
          slice_(max(0, min(l_.slice, l_.sites - first_site_))),
          cycle_log_norms_(a_.cycle_log_norms + static_cast<std::size_t>(blockIdx.x / l_.ranks) * l_.sites),
          random_(reinterpret_cast<SiteRandom*>(shared + l_.random_at)),
          near_(reinterpret_cast<int*>(shared + l_.near_at)) {
        prepare();
    }

    // Begins with the numbers that are given for point `index` of KernelArguments::work.
    __device__ void take_given(int index) { given_ = given_of(a_.common, index); }
    __device__ void load(std::size_t slot, const SlotHead& head);
    __device__ void store(std::size_t slot);
    __device__ void multiply(int slices);
    __device__ void orthonormalise();
    __device__ void restart_columns();
    __device__ bool keeps_sums() const { return rank_ == 0; }
    __device__ double* cycle_log_norms() const { return cycle_log_norms_; }

  private:
    __device__ void prepare();
    __device__ int neighbour(int site, int position, int stride, int direction) const;
    __device__ void draw(int s, int k, int done);
    __device__ void draw_couplings(int s, int k);
    __device__ void copy_given(int s, int k);
    __device__ void step(int k, int from, int to);
    template <int components>
    __device__ void step_channel(int s, int k, int first, int abreast, int from, int to);
    __device__ void step_site(int s, int first, int abreast, double diagonal, int from, int to);
    __device__ void overlaps(int first, int width, int end);
    __device__ void overlaps_of_rows(int first, int width, int tile0, int tiles, int splits);
    __device__ void sum_overlaps(int width, int tile0, int tiles, int splits);
    __device__ void take_gram(int first, int width);
    __device__ bool factorise(int first, int width);
    __device__ void replace_panel(int first);
    __device__ void refactorise(int first);
    template <class Left>
    __device__ void multiply_tile(double (&c)[4][2], const double* tile, const Left& left) const;
    __device__ void coefficients(int first);
    __device__ void update(int first);

    // Returns whether this column belongs to the finished panel.
    __device__ bool in_finished_panel(int column, int first) const {
        return column >= first && column < first + state_.panel_width;
    }
    __device__ void wait_cluster() const {
        if (l_.ranks > 1)
            Cluster::sync();
        else
            __syncthreads();
    }
    // Returns the address in the block of another rank that corresponds to `own` in this block.
    __device__ const double* at_rank(const double* own, int rank) const {
        return l_.ranks > 1 ? Cluster::at(own, rank) : own;
    }
    // Returns one of two buffers, which are used in turn. Only the barriers of the cluster keep ranks from overtaking
    // each other.
    __device__ double* parts() const { return x_ + l_.parts_at + parity_ * l_.part_doubles; }
    __device__ double* overlap() const { return x_ + l_.overlap_at; }
    __device__ double* inverse() const { return x_ + l_.inverse_at; }
    __device__ double* gram() const { return parts(); }  // G, then R, while no overlaps are computed
    // Numbers of slice k of those that are drawn together, for each channel of the block: E - V; the hopping from the
    // earlier slice; the parts of the hopping from the neighbour in a direction. With other than plain hopping, all are
    // divided by the hopping to the next slice.
    __device__ double* diagonals(int k) const { return x_ + l_.diagonal_at + k * l_.half; }
    __device__ double* before(int k) const { return diagonals(cluster_slices + k); }
    __device__ double* hopping(int k, int direction) const { return diagonals((2 + direction) * cluster_slices + k); }

    const ClusterArguments& a_;
    const Problem& p_;
    const ClusterLayout& l_;
    double* x_;  // shared memory, which begins with the columns
    PanelState<cluster_panel>& state_;
    int thread_, warp_, lane_, rank_, first_site_, slice_;
    double* cycle_log_norms_;
    SiteRandom* random_;
    int* near_;
    double energy_ = 0, strength_ = 0;
    const double* given_ = nullptr;  // the next slices of the caller
    int parity_ = 0;                 // selects the buffer of the overlaps; successive overlaps use different buffers
    SteepPanels steep_;
};

// Returns the first channel of a neighbour as rank << 20 | edge << 19 | row among the channels of that rank.
template <bool plain>
__device__ int ClusterPoint<plain>::neighbour(int site, int position, int stride, int direction) const {
    const int m = static_cast<int>(p_.width);
    const bool edge = direction < 0 ? position == 0 : position == m - 1;
    const int other = (site + direction * stride * (edge ? 1 - m : 1)) * l_.components;
    return other / l_.slice << 20 | (edge ? 1 << 19 : 0) | other % l_.slice;
}

template <bool plain>
__device__ void ClusterPoint<plain>::prepare() {
    const int m = static_cast<int>(p_.width);
    for (int s = thread_; s < slice_; s += cluster_threads) {
        const int site = (first_site_ + s) / l_.components;
        if (!plain && a_.common.near) {
            for (int d = 0; d < a_.common.directions; ++d) {
                const int other = a_.common.near[site * a_.common.directions + d] * l_.components;
                near_[4 * s + d] = other / l_.slice << 20 | other % l_.slice;
            }
            continue;
        }
        near_[4 * s] = neighbour(site, site % m, 1, -1);
        near_[4 * s + 1] = neighbour(site, site % m, 1, 1);
        if (p_.dimension < 3) continue;
        near_[4 * s + 2] = neighbour(site, site / m, m, -1);
        near_[4 * s + 3] = neighbour(site, site / m, m, 1);
    }
}

template <bool plain>
__device__ void ClusterPoint<plain>::load(std::size_t slot, const SlotHead& head) {
    const std::size_t n = l_.sites;
    // The padding is cleared too, because a point that failed may have left NaN there.
    for (int i = thread_; i < l_.column_doubles; i += cluster_threads) x_[i] = 0.0;
    __syncthreads();
    for (int c = 0; c < l_.sites; ++c) {
        const double* const psi = a_.common.slots.psi + (slot * n + c) * 2 * n + first_site_;
        for (int s = thread_; s < slice_; s += cluster_threads) {
            x_[c * l_.stride + s] = psi[s];
            x_[c * l_.stride + l_.half + s] = psi[n + s];
        }
    }
    for (int s = thread_; s < slice_; s += cluster_threads)
        random_[s].load(a_.common, head, slot, (first_site_ + s) / l_.components);
    energy_ = head.energy;
    strength_ = head.strength;
    wait_cluster();
}

template <bool plain>
__device__ void ClusterPoint<plain>::store(std::size_t slot) {
    const std::size_t n = l_.sites;
    for (int c = 0; c < l_.sites; ++c) {
        double* const psi = a_.common.slots.psi + (slot * n + c) * 2 * n + first_site_;
        for (int s = thread_; s < slice_; s += cluster_threads) {
            psi[s] = x_[c * l_.stride + s];
            psi[n + s] = x_[c * l_.stride + l_.half + s];
        }
    }
    for (int s = thread_; s < slice_; s += cluster_threads) random_[s].store(a_.common, slot, first_site_ + s);
    wait_cluster();
}

template <bool plain>
__device__ void ClusterPoint<plain>::restart_columns() {
    for (int c = 0; c < l_.sites; ++c)
        for (int s = thread_; s < slice_; s += cluster_threads) {
            x_[c * l_.stride + s] = first_site_ + s == c ? 1.0 : 0.0;
            x_[c * l_.stride + l_.half + s] = 0.0;
        }
    wait_cluster();
}

// Multiplies the columns. Only neighbouring sites of the same column are combined; they may be in another block of the
// cluster.
template <bool plain>
__device__ void ClusterPoint<plain>::multiply(int slices) {
    int from = 0, to = l_.half;
    wait_cluster();  // potentials overwrite memory where other blocks may still be reading overlaps
    for (int done = 0; done < slices;) {
        const int chunk = min(cluster_slices, slices - done);
        for (int s = thread_; s < slice_; s += cluster_threads)
            for (int k = 0; k < chunk; ++k) draw(s, k, done);
        wait_cluster();
        for (int k = 0; k < chunk; ++k) {
            step(k, from, to);
            const int swapped = from;
            from = to;
            to = swapped;
            wait_cluster();
        }
        done += chunk;
        if (!plain && given_) given_ += chunk * (2 + a_.common.directions) * l_.sites;
    }
    if (slices % 2 == 0) return;
    for (int c = 0; c < l_.sites; ++c)
        for (int s = thread_; s < slice_; s += cluster_threads) {
            double* const column = x_ + c * l_.stride;
            const double t = column[s];
            column[s] = column[l_.half + s];
            column[l_.half + s] = t;
        }
    __syncthreads();
}

// Draws what channel s needs in slice k of those that are drawn together; `done` slices come before these.
template <bool plain>
__device__ void ClusterPoint<plain>::draw(int s, int k, int done) {
    if constexpr (!plain) return given_ ? copy_given(s, k) : draw_couplings(s, k);
    double& diagonal = diagonals(k)[s];
    if (a_.common.given) {
        diagonal = a_.common.given[(done + k) * l_.sites + first_site_ + s];
        return;
    }
    diagonal = energy_ - random_[s].draw(p_, strength_);
    random_[s].skip(p_, a_.common.leap);
}

template <bool plain>
__device__ void ClusterPoint<plain>::draw_couplings(int s, int k) {
    const int part = s % l_.components;
    draw_channel(random_[s], a_.common, state_.head, part, l_.components, [&](int number, int channel, double value) {
        diagonals(number * cluster_slices + k)[s - part + channel] = value;
    });
}

template <bool plain>
__device__ void ClusterPoint<plain>::copy_given(int s, int k) {
    const double* const from = given_ + k * (2 + a_.common.directions) * l_.sites + first_site_ + s;
    diagonals(k)[s] = from[0];
    before(k)[s] = from[l_.sites];
    for (int d = 0; d < a_.common.directions; ++d) hopping(k, d)[s] = from[(2 + d) * l_.sites];
}

template <bool plain>
__device__ void ClusterPoint<plain>::step(int k, int from, int to) {
    // A thread keeps its sites and goes through the columns with a stride of `abreast`.
    const int abreast = slice_ < cluster_threads ? cluster_threads / max(slice_, 1) : 1;
    const int first = slice_ < cluster_threads ? thread_ / max(slice_, 1) : 0;
    if (first >= abreast) return;
    for (int s = slice_ < cluster_threads ? thread_ % max(slice_, 1) : thread_; s < slice_; s += cluster_threads) {
        if constexpr (plain)
            step_site(s, first, abreast, diagonals(k)[s], from, to);
        else if (l_.components == 1)
            step_channel<1>(s, k, first, abreast, from, to);
        else if (l_.components == 2)
            step_channel<2>(s, k, first, abreast, from, to);
        else
            step_channel<4>(s, k, first, abreast, from, to);
    }
}

template <bool plain>
__device__ void ClusterPoint<plain>::step_site(int s, int first, int abreast, double diagonal, int from, int to) {
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
    for (int c = first; c < l_.sites; c += unrolled * abreast) {
        double sum[unrolled], here[unrolled];
#pragma unroll
        for (int u = 0; u < unrolled; ++u) {
            const int ahead = c + u * abreast,
                      column = (ahead < l_.sites ? ahead : c) * stride;  // never another thread's
            here[u] = x_[column + from + s];
            sum[u] = -x_[column + to + s];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (k < count) sum[u] = fma(hopping[k], sources[k][column], sum[u]);
        }
#pragma unroll
        for (int u = 0; u < unrolled; ++u)
            if (c + u * abreast < l_.sites) x_[(c + u * abreast) * stride + to + s] = fma(diagonal, here[u], sum[u]);
    }
}

// Multiplies channel s, part `part` of its site, as step_site does.
template <bool plain>
template <int components>
__device__ void ClusterPoint<plain>::step_channel(int s, int k, int first, int abreast, int from, int to) {
    constexpr int unrolled = 4 / components;
    const int count = a_.common.directions, stride = l_.stride, part = s % components;
    const double diagonal = diagonals(k)[s], earlier = before(k)[s];
    const double* sources[4];
    double couplings[4][components];
#pragma unroll
    for (int d = 0; d < 4; ++d) {
        const int code = near_[4 * s + (d < count ? d : 0)];
        sources[d] = at_rank(x_ + from + (code & 0x7ffff), code >> 20);
#pragma unroll
        for (int b = 0; b < components; ++b)
            couplings[d][b] = d < count ? -unit_sign(part, b) * hopping(k, d)[s - part + (part ^ b)] : 0.0;
    }
    for (int c = first; c < l_.sites; c += unrolled * abreast) {
        double sum[unrolled], here[unrolled];
#pragma unroll
        for (int u = 0; u < unrolled; ++u) {
            const int ahead = c + u * abreast,
                      column = (ahead < l_.sites ? ahead : c) * stride;  // never another thread's
            here[u] = x_[column + from + s];
            sum[u] = -earlier * x_[column + to + s];
#pragma unroll
            for (int d = 0; d < 4; ++d)
                if (d < count)
#pragma unroll
                    for (int b = 0; b < components; ++b) sum[u] = fma(couplings[d][b], sources[d][column + b], sum[u]);
        }
#pragma unroll
        for (int u = 0; u < unrolled; ++u)
            if (c + u * abreast < l_.sites) x_[(c + u * abreast) * stride + to + s] = fma(diagonal, here[u], sum[u]);
    }
}

template <bool plain>
__device__ void ClusterPoint<plain>::orthonormalise() {
    for (int first = 0, panel = 0; first < l_.sites && state_.valid; ++panel) {
        const int width = min(cluster_panel, l_.sites - first);
        const bool panel_first = steep_.expected(panel);
        overlaps(first, width, panel_first ? first + width : l_.sites);
        const bool steep = factorise(first, width);
        if (!state_.valid) break;
        if (steep) replace_panel(first);
        if (steep || panel_first) overlaps(first, state_.panel_width, l_.sites);
        if (steep) refactorise(first);
        if (!state_.valid) break;
        coefficients(first);
        update(first);
        record_panel(state_, l_.sites, first, keeps_sums() ? cycle_log_norms_ : nullptr);
        steep_.note(panel, steep);
        first += state_.panel_width;
        __syncthreads();
    }
}

// Computes W in overlap(), for the columns from the panel up to `end`, summed over the cluster. The division of the
// rows does not depend on `end`, so that W is bitwise identical for every `end`.
template <bool plain>
__device__ void ClusterPoint<plain>::overlaps(int first, int width, int end) {
    const int tile0 = first / 8, splits = min(row_shares(l_.padded_columns / 8 - tile0), l_.splits);
    const int tiles = (end + 7) / 8 - tile0;
    overlaps_of_rows(first, width, tile0, tiles, splits);
    __syncthreads();
    sum_overlaps(width, tile0, tiles, splits);
    parity_ ^= 1;
}

// Computes parts of W. A warp takes a tile of 8 columns and a share of the rows.
template <bool plain>
__device__ void ClusterPoint<plain>::overlaps_of_rows(int first, int width, int tile0, int tiles, int splits) {
    const int steps = l_.rows / 4, i = lane_ / 4, k = lane_ % 4;
    for (int item = warp_; item < tiles * splits; item += cluster_warps) {
        const int tile = tile0 + item / splits, split = item % splits;
        double* const out = parts() + split * cluster_panel * l_.overlap_stride + tile * 8 + 2 * k;
        double c[4][2] = {};
        const double* const right = x_ + (tile * 8 + i) * l_.stride + k;
        const double* left[4];  // places beyond the panel repeat its last column; their sums are not used
        for (int t = 0; t < 4; ++t) left[t] = x_ + (first + min(8 * t + i, width - 1)) * l_.stride + k;
        const int last = steps * (split + 1) / splits;
#pragma unroll 4
        for (int step = steps * split / splits; step < last; ++step) {
            const double b = right[4 * step];
#pragma unroll
            for (int t = 0; t < 4; t += 2) matrix_multiply(c[t], c[t + 1], left[t][4 * step], left[t + 1][4 * step], b);
        }
        for (int t = 0; t < 4; ++t) {
            out[(8 * t + i) * l_.overlap_stride] = c[t][0];
            out[(8 * t + i) * l_.overlap_stride + 1] = c[t][1];
        }
    }
}

// Sums the parts of W over the shares of the rows, then over the cluster, in the same order in every block.
template <bool plain>
__device__ void ClusterPoint<plain>::sum_overlaps(int width, int tile0, int tiles, int splits) {
    const int begin = 8 * tile0, end = begin + 8 * tiles, share = cluster_panel * l_.overlap_stride;
    double* const parts = this->parts();
    const auto each = [&](double* to, const auto& sum) {
        constexpr int abreast = cluster_panel / cluster_warps;  // rows whose loads are in flight together
        for (int column = begin + lane_; column < end; column += 32) {
            double made[abreast];
#pragma unroll
            for (int q = 0; q < abreast; ++q) {
                const int row = warp_ + q * cluster_warps;
                made[q] = sum(row, row * l_.overlap_stride + column);
            }
#pragma unroll
            for (int q = 0; q < abreast; ++q) to[(warp_ + q * cluster_warps) * l_.overlap_stride + column] = made[q];
        }
    };
    each(l_.ranks > 1 ? parts : overlap(), [&](int row, int at) {
        double sum = 0;
        for (int s = 0; s < splits; ++s) sum += parts[s * share + at];
        return row < width ? sum : 0.0;
    });
    if (l_.ranks > 1) {
        Cluster::sync();
        each(overlap(), [&](int, int at) {
            double sum = 0;
            for (int r = 0; r < l_.ranks; ++r) sum += Cluster::at(parts, r)[at];
            return sum;
        });
    }
    __syncthreads();
}

// Copies G from the overlaps to gram(). It is zero from column `width` on.
template <bool plain>
__device__ void ClusterPoint<plain>::take_gram(int first, int width) {
    for (int at = thread_; at < cluster_panel * cluster_panel; at += cluster_threads) {
        const int row = at / cluster_panel, column = at % cluster_panel;
        const double value = max(row, column) < width ? overlap()[row * l_.overlap_stride + first + column] : 0.0;
        gram()[column * cluster_stride + row] = value;
        if (row == column) state_.before[row] = value;
    }
    __syncthreads();
}

// Factorises G = R^T R. Writes R^-T to inverse(), R to gram(), and the number of valid columns of the panel to
// panel_width. Returns whether the panel is steep.
template <bool plain>
__device__ bool ClusterPoint<plain>::factorise(int first, int width) {
    take_gram(first, width);
    const int done = cholesky<cluster_panel>(width, gram(), inverse(), cluster_stride, least_remainder, state_.before,
                                             state_.norms2);
    if (thread_ == 0) {
        state_.panel_width = done;
        if (done == 0) state_.valid = false;
    }
    return __syncthreads_or(thread_ < done && state_.norms2[thread_] < mild_remainder * state_.before[thread_]) != 0;
}

// Computes X_p <- X_p R^-1. All blocks of the cluster have the same R.
template <bool plain>
__device__ void ClusterPoint<plain>::replace_panel(int first) {
    double* const panel = x_ + first * l_.stride;
    const int strips = l_.rows / 8, pairs = strips / 2;
    const auto solve = [&](auto count, int strip) {
        solve_rows<cluster_panel, count.value>(panel + 8 * strip, l_.stride, state_.panel_width, inverse(), gram(),
                                               cluster_stride);
    };
    for (int pair = warp_; pair < pairs; pair += cluster_warps) solve(std::integral_constant<int, 2>{}, 2 * pair);
    if (strips % 2 == 1 && warp_ == pairs % cluster_warps) solve(std::integral_constant<int, 1>{}, strips - 1);
    __syncthreads();
}

// Factorises once more after replace_panel(). G is then nearly the unit matrix, and the norms are multiplied by its
// pivots.
template <bool plain>
__device__ void ClusterPoint<plain>::refactorise(int first) {
    const int width = state_.panel_width;
    take_gram(first, width);
    const int done = factorise_again<cluster_panel>(width, gram(), inverse(), cluster_stride, least_remainder,
                                                    state_.before, state_.norms2);
    if (thread_ == 0 && done < width) state_.valid = false;
    __syncthreads();
}

// Computes c (panel x 8) += left (panel x panel) tile (panel x 8), in a warp.
template <bool plain>
template <class Left>
__device__ void ClusterPoint<plain>::multiply_tile(double (&c)[4][2], const double* tile, const Left& left) const {
    const int i = lane_ / 4, k = lane_ % 4;
#pragma unroll
    for (int step = 0; step < cluster_panel / 4; ++step) {
        // Values beyond the panel may have overflowed.
        const double b = 4 * step + k < state_.panel_width ? tile[(4 * step + k) * l_.overlap_stride + i] : 0.0;
#pragma unroll
        for (int t = 0; t < 4; t += 2)
            matrix_multiply(c[t], c[t + 1], left(8 * t + i, 4 * step + k), left(8 * t + 8 + i, 4 * step + k), b);
    }
}

// Computes the coefficients with which the panel's columns are added to each column: -R^-1 R^-T W, or R^-1 for the
// panel itself. They replace W in overlap().
template <bool plain>
__device__ void ClusterPoint<plain>::coefficients(int first) {
    const int stride = l_.overlap_stride, end = l_.padded_columns / 8;
    const int i = lane_ / 4, k = lane_ % 4;
    const double* const r = inverse();
    double* const w = overlap();
    for (int tile = first / 8 + warp_; tile < end; tile += cluster_warps) {
        double c[4][2] = {};
        multiply_tile(c, w + tile * 8, [&](int row, int column) { return r[row * cluster_stride + column]; });
        __syncwarp();
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            double* const out = w + (8 * t + i) * stride + tile * 8 + 2 * k;
            out[0] = c[t][0];
            out[1] = c[t][1];
            c[t][0] = c[t][1] = 0.0;
        }
        __syncwarp();
        multiply_tile(c, w + tile * 8, [&](int row, int column) { return -r[column * cluster_stride + row]; });
        __syncwarp();
#pragma unroll
        for (int d = 0; d < 2; ++d) {
            const int column = tile * 8 + 2 * k + d, place = column - first;
            const bool finished = in_finished_panel(column, first);
#pragma unroll
            for (int t = 0; t < 4; ++t) {
                const double value = finished ? r[place * cluster_stride + 8 * t + i] : c[t][d];
                w[(8 * t + i) * stride + column] = place < 0 ? 0.0 : value;
            }
        }
    }
    __syncthreads();
}

// Adds the panel's columns to all columns, with these coefficients. A warp has 8 rows. It reads the panel's part of
// them first, because the panel is among the columns.
template <bool plain>
__device__ void ClusterPoint<plain>::update(int first) {
    const int i = lane_ / 4, k = lane_ % 4, last = l_.padded_columns / 8;
    const double* const panel = x_ + first * l_.stride;
    for (int strip = warp_; strip < l_.rows / 8; strip += cluster_warps) {
        double b[cluster_panel / 4];
#pragma unroll
        for (int step = 0; step < cluster_panel / 4; ++step)
            b[step] = 4 * step + k < state_.panel_width ? panel[(4 * step + k) * l_.stride + strip * 8 + i] : 0.0;
        __syncwarp();
        for (int tile = first / 8; tile < last; tile += 2) {
            const int column[2] = {tile * 8 + i,
                                   min(tile + 1, last - 1) * 8 + i};  // a tile without a partner is computed twice
            double c[2][2];
#pragma unroll
            for (int u = 0; u < 2; ++u) {
                const double* const x = x_ + column[u] * l_.stride + strip * 8 + 2 * k;
                const bool fresh = in_finished_panel(column[u], first);
                c[u][0] = fresh ? 0.0 : x[0];
                c[u][1] = fresh ? 0.0 : x[1];
            }
            __syncwarp();
#pragma unroll
            for (int step = 0; step < cluster_panel / 4; ++step) {
                const double* const factors = overlap() + (4 * step + k) * l_.overlap_stride;
                matrix_multiply(c[0], c[1], factors[column[0]], factors[column[1]], b[step]);
            }
#pragma unroll
            for (int u = 0; u < 2; ++u) {
                double* const x = x_ + column[u] * l_.stride + strip * 8 + 2 * k;
                x[0] = c[u][0];
                x[1] = c[u][1];
            }
        }
    }
    __syncthreads();
}

// Computes points from the queue. Each cluster has one point at a time.
template <bool plain>
__global__ void __launch_bounds__(cluster_threads, 1)
    cluster_kernel(const __grid_constant__ ClusterArguments arguments) {
    extern __shared__ __align__(16) double shared[];
    __shared__ PanelState<cluster_panel> state;
    ClusterPoint<plain> point(arguments, shared, state);
    const KernelArguments& common = arguments.common;
    const bool leads = arguments.layout.ranks == 1 || Cluster::rank() == 0;
    for (;;) {
        if (leads && threadIdx.x == 0) state.next = static_cast<int>(atomicAdd(common.queue, 1u));
        Cluster::sync();
        const int next = *Cluster::at(&state.next, 0);
        Cluster::sync();
        if (next >= common.count) return;
        if constexpr (!plain) point.take_given(next);
        run_point(point, common, state, common.work[next], point.cycle_log_norms());
    }
}

}  // namespace legato::tmm
