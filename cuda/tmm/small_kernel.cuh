// The kernel for up to 32 sites. A lane has a column, or a part of its sites. Points are entirely in registers, and a
// warp has as many points as fit. Columns are combined only in the orthonormalisation, where each column in turn is
// copied to shared memory.
#pragma once

#include "tmm/precision.hpp"
#include "tmm/reciprocal.cuh"
#include "tmm/slot.cuh"

namespace legato::tmm {

inline constexpr int small_most_sites = 32;
inline constexpr int small_warps = 2;    // warps of a block
inline constexpr int small_slices = 16;  // slices whose potentials are drawn ahead

// Shapes of the cross-section. `parts` lanes share a column, and each has `sites_per_lane` of its sites in registers.
// around() returns the sum over the neighbours of site i. In 2D `sites_per_lane * parts` may exceed the number of sites
// by up to three; the surplus remains zero.
struct Chain {
    static constexpr int sites_per_lane = 1, parts = 1;
    struct Edges {};
    __device__ static Edges edges(const double (&)[1], int, int, double) { return {}; }
    __device__ static double around(const double (&)[1], const Edges&, int, int, double) { return 0.0; }
};

template <int Sites, int Parts>
struct Strip {
    static constexpr int sites_per_lane = Sites, parts = Parts;
    struct Edges {
        double before, after;  // neighbours of the first and of the last site of the lane, times the factor at the edge
    };

    // Returns the outer neighbours. `last` is the register of the strip's last site, in the lane that has it.
    __device__ static Edges edges(const double (&p)[Sites], int part, int last, double wrap) {
        double end = p[Sites - 1];
#pragma unroll
        for (int k = Sites > 4 ? Sites - 4 : 0; k < Sites - 1; ++k)
            if (part == Parts - 1 && k == last) end = p[k];
        if constexpr (Parts == 1) return {wrap * end, wrap * p[0]};
        const int lane = threadIdx.x % 32, base = lane - part;
        const double before = __shfl_sync(0xffffffffu, end, base + (part + Parts - 1) % Parts);
        const double after = __shfl_sync(0xffffffffu, p[0], base + (part + 1) % Parts);
        return {part == 0 ? wrap * before : before, part == Parts - 1 ? wrap * after : after};
    }
    __device__ static double around(const double (&p)[Sites], const Edges& e, int i, int last, double) {
        const double left = i > 0 ? p[i > 0 ? i - 1 : 0] : e.before;
        const double right = i == last || i + 1 == Sites ? e.after : p[i + 1 < Sites ? i + 1 : 0];
        return left + right;
    }
};

template <int Width>
struct Bar {
    static constexpr int sites_per_lane = Width * Width, parts = 1;
    struct Edges {};
    __device__ static Edges edges(const double (&)[Width * Width], int, int, double) { return {}; }
    __device__ static double around(const double (&p)[Width * Width], const Edges&, int i, int, double wrap) {
        constexpr int m = Width;
        const int x = i % m, y = i / m;
        const double left = x > 0 ? p[x > 0 ? i - 1 : 0] : wrap * p[i + m - 1 < m * m ? i + m - 1 : 0];
        const double right = x < m - 1 ? p[x < m - 1 ? i + 1 : 0] : wrap * p[i >= m - 1 ? i - m + 1 : 0];
        const double down = y > 0 ? p[y > 0 ? i - m : 0] : wrap * p[x + (m - 1) * m];
        const double up = y < m - 1 ? p[y < m - 1 ? i + m : 0] : wrap * p[x];
        return (left + right) + (down + up);
    }
};

// Copies two doubles at a time. `shared` is 16-byte aligned.
template <int n>
__device__ void copy_to_shared(double* shared, const double (&from)[n]) {
#pragma unroll
    for (int i = 0; i + 1 < n; i += 2) reinterpret_cast<double2*>(shared)[i / 2] = {from[i], from[i + 1]};
    if (n % 2) shared[n - 1] = from[n - 1];
}

template <int n>
__device__ void copy_from_shared(double (&to)[n], const double* shared) {
#pragma unroll
    for (int i = 0; i + 1 < n; i += 2) {
        const double2 pair = reinterpret_cast<const double2*>(shared)[i / 2];
        to[i] = pair.x;
        to[i + 1] = pair.y;
    }
    if (n % 2) to[n - 1] = shared[n - 1];
}

// Layout of a point in shared memory: `small_slices` diagonals, then the two slices of a column.
template <class Shape>
struct SmallShared {
    static constexpr int part = (Shape::sites_per_lane + 1) / 2 * 2;  // doubles of a lane's sites
    static constexpr int row = part * Shape::parts;                   // doubles of a slice
    static constexpr int doubles = (small_slices + 2) * row;
};

template <class Shape>
struct SmallPoint {
    static constexpr int sites_per_lane = Shape::sites_per_lane;
    using Shared = SmallShared<Shape>;

    double current[sites_per_lane], previous[sites_per_lane];  // this lane's sites of its column
    int column, part;
    int last;  // register of the last site in the lane that has it; `sites_per_lane` in other lanes

    // Multiplies by one slice. `from` is the newest slice; `to` is the one before, and becomes the next.
    __device__ void step(const double (&from)[sites_per_lane], double (&to)[sites_per_lane], const double* diagonal,
                         double hopping, double wrap) const {
        double d[sites_per_lane];
        copy_from_shared(d, diagonal);
        const auto edges = Shape::edges(from, part, last, wrap);
#pragma unroll
        for (int i = 0; i < sites_per_lane; ++i) {
            const double value = fma(d[i], from[i], fma(-hopping, Shape::around(from, edges, i, last, wrap), -to[i]));
            to[i] = i <= last ? value : 0.0;
        }
    }

    __device__ void multiply(const double* diagonals, int slices, double hopping, double wrap) {
        const double* d = diagonals + part * Shared::part;
        int s = 0;
        for (; s + 1 < slices; s += 2) {
            step(current, previous, d + s * Shared::row, hopping, wrap);
            step(previous, current, d + (s + 1) * Shared::row, hopping, wrap);
        }
        if (s == slices) return;
        step(current, previous, d + s * Shared::row, hopping, wrap);
#pragma unroll
        for (int i = 0; i < sites_per_lane; ++i) {
            const double t = current[i];
            current[i] = previous[i];
            previous[i] = t;
        }
    }

    // Restarts from psi_1 = identity, psi_0 = 0 if `is_so`. `holds` is true if this lane has a column.
    __device__ void restart_columns(bool is_so, bool holds) {
#pragma unroll
        for (int i = 0; i < sites_per_lane; ++i) {
            const double unit = holds && part * sites_per_lane + i == column ? 1.0 : 0.0;
            current[i] = is_so ? unit : current[i];
            previous[i] = is_so ? 0.0 : previous[i];
        }
    }

    // Orthonormalises the columns of a point by modified Gram-Schmidt. Returns the squared norm of this lane's column.
    // `shared` has two rows.
    __device__ double orthonormalise(double* shared, int sites, int lanes) {
        double own_norm2 = 1.0;
        double* const mine = shared + part * Shared::part;
        for (int v = 0; v < sites; ++v) {
            if (column == v) {
                copy_to_shared(mine, current);
                copy_to_shared(mine + Shared::row, previous);
            }
            __syncwarp();
            double a[sites_per_lane], b[sites_per_lane];
            copy_from_shared(a, mine);
            copy_from_shared(b, mine + Shared::row);
            double sums[4] = {};  // independent chains
#pragma unroll
            for (int i = 0; i < sites_per_lane; ++i) {
                sums[i % 2] = fma(a[i], current[i], sums[i % 2]);
                sums[2 + i % 2] = fma(b[i], previous[i], sums[2 + i % 2]);
            }
            double dot = (sums[0] + sums[1]) + (sums[2] + sums[3]);
#pragma unroll
            for (int distance = 1; distance < Shape::parts; distance *= 2)
                dot += __shfl_xor_sync(0xffffffffu, dot, distance);
            const double norm2 = __shfl_sync(0xffffffffu, dot, v * Shape::parts, lanes);
            if (column == v) own_norm2 = norm2;
            const double factor = column > v ? dot * reciprocal(norm2) : 0.0;
#pragma unroll
            for (int i = 0; i < sites_per_lane; ++i) {
                current[i] = fma(-factor, a[i], current[i]);
                previous[i] = fma(-factor, b[i], previous[i]);
            }
            __syncwarp();
        }
        const double inverse = rsqrt(own_norm2);
#pragma unroll
        for (int i = 0; i < sites_per_lane; ++i) {
            current[i] *= inverse;
            previous[i] *= inverse;
        }
        return own_norm2;
    }
};

// Returns the difference of the largest and the smallest value over the lanes of a point that hold a column.
__device__ inline double spread(double value, bool holds, int lanes) {
    double most = holds ? value : -INFINITY, least = holds ? value : INFINITY;
    for (int step = lanes / 2; step > 0; step /= 2) {
        most = fmax(most, __shfl_xor_sync(0xffffffffu, most, step, lanes));
        least = fmin(least, __shfl_xor_sync(0xffffffffu, least, step, lanes));
    }
    return most - least;
}

// Returns the shorter interval that is needed after an interval in which precision was lost, or 0 if it was not lost.
// An interval is the slices between two orthonormalisations. The function is rarely needed and not inlined, so that it
// takes no registers of the kernel.
__device__ __noinline__ std::int64_t interval_if_lost(std::int64_t interval, double log_norm, bool holds, int lanes) {
    const double log_growth = spread(log_norm, holds, lanes);
    return loses_precision(log_growth) ? shortened_interval(interval, log_growth) : 0;
}

// The way to draw the numbers of a cycle. With the single lfsr113 stream, `generators` lanes may draw `run` successive
// numbers each, for a whole cycle at once. If run is 1, each site draws a number, slice by slice, as with the other
// streams.
struct SmallDraws {
    int generators, run;
};

// The work of a warp. If `alone`, a warp has one point, so that each point can have its own interval.
template <class Shape, bool alone>
class SmallWarp {
  public:
    using State = SmallPoint<Shape>;
    using Shared = SmallShared<Shape>;

    __device__ SmallWarp(const KernelArguments& arguments, SmallDraws draws, int lanes, double* shared,
                         const std::uint32_t* leap)
        : a_(arguments), p_(arguments.problem), draws_(draws), lanes_(lanes), leap_(leap) {
        const int in_warp = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
        in_point_ = in_warp / lanes;
        lane_ = in_warp % lanes;
        mask_ = (lanes == 32 ? 0xffffffffu : (1u << lanes) - 1) << (in_point_ * lanes);
        diagonals_ = shared + (warp * (32 / lanes) + in_point_) * Shared::doubles;
        state_.column = lane_ / Shape::parts;
        state_.part = lane_ % Shape::parts;
        holds_ = state_.column < a_.sites;
        const int last = a_.sites - 1 - (Shape::parts - 1) * Shape::sites_per_lane;
        state_.last = state_.part == Shape::parts - 1 ? last : Shape::sites_per_lane;
    }

    // Advances the point in `slot`, which is that of this lane. `has_point` is false for lanes without a point, which
    // take part only in operations of the whole warp.
    __device__ void run(std::size_t slot, bool has_point) {
        const SlotHead head = a_.slots.heads[slot];
        load(slot, head);
        active_ = has_point;
        status_ = PointStatus::running;
        // Points with different intervals cannot share a warp. If one has lost precision, all points of this warp stop
        // here, and continue in later launches with points of their kind.
        const auto parted = [this] { return !alone && __any_sync(0xffffffffu, active_ && lost_); };
        lost_ = false;
        for (std::int64_t c = 0; c < a_.cycles && __any_sync(0xffffffffu, active_) && !parted(); ++c)
            close_cycle(cycle());
        if (has_point && holds_) store(slot, head);
    }

  private:
    __device__ double* psi(std::size_t slot) const {
        return a_.slots.psi + (slot * a_.sites + state_.column) * 2 * a_.sites + state_.part * Shape::sites_per_lane;
    }

    __device__ void load(std::size_t slot, const SlotHead& head) {
        const double* const from = psi(slot);
#pragma unroll
        for (int i = 0; i < Shape::sites_per_lane; ++i) {
            const bool there = holds_ && i <= state_.last;
            state_.current[i] = there ? from[i] : 0.0;
            state_.previous[i] = there ? from[a_.sites + i] : 0.0;
        }
        sum_ = holds_ ? a_.slots.log_norms[slot * a_.sites + state_.column] : 0.0;
        sum2_ = holds_ ? a_.slots.log_norms2[slot * a_.sites + state_.column] : 0.0;
        if (lane_ < draws_.generators) random_.load(a_, head, slot, lane_, draws_.run);
        slot_ = slot;
        energy_ = head.energy;
        strength_ = head.strength;
        cycles_ = head.cycles;
        interval_ = head.interval;
        cycles_done_ = 0;
    }

    __device__ void store(std::size_t slot, const SlotHead& head) const {
        double* const to = psi(slot);
#pragma unroll
        for (int i = 0; i < Shape::sites_per_lane; ++i)
            if (i <= state_.last) {
                to[i] = state_.current[i];
                to[a_.sites + i] = state_.previous[i];
            }
        if (lane_ < draws_.generators) random_.store(a_, slot, lane_);
        if (state_.part != 0) return;
        a_.slots.log_norms[slot * a_.sites + state_.column] = sum_;
        a_.slots.log_norms2[slot * a_.sites + state_.column] = sum2_;
        if (lane_ != 0) return;
        SlotHead& out = a_.slots.heads[slot];
        out.slices = head.slices + cycles_done_ * p_.n_ortho;
        out.cycles = cycles_;
        out.interval = interval_;
        out.status = status_;
    }

    __device__ void put_diagonal(int slice, int site, double value) {
        diagonals_[slice * Shared::row + site / Shape::sites_per_lane * Shared::part + site % Shape::sites_per_lane] =
            value;
    }

    __device__ void draw(int slices) {
        if (lane_ < draws_.generators) {
            int slice = draws_.run > 1 ? lane_ * draws_.run / a_.sites : 0;
            int site = draws_.run > 1 ? lane_ * draws_.run % a_.sites : lane_;
            const int count = draws_.run > 1 ? draws_.run : slices;
            for (int q = 0; q < count; ++q) {
                put_diagonal(slice, site, energy_ - random_.draw(p_, strength_));
                if (draws_.run == 1) {
                    random_.skip(p_, leap_);
                    ++slice;
                } else if (++site == a_.sites) {
                    site = 0;
                    ++slice;
                }
            }
            if (draws_.run > 1) random_.skip(p_, leap_);
        }
        __syncwarp();
    }

    // Multiplies and orthonormalises. Returns the log norm of this lane's column over the cycle.
    __device__ double cycle() {
        double log_norm = 0;
        far_ = lost_ = ended_ = false;
        for (std::int64_t slice = 0; slice < p_.n_ortho;) {
            std::int64_t interval = p_.n_ortho;
            if constexpr (alone) {
                const std::int64_t left = p_.n_ortho - slice;
                interval = __shfl_sync(0xffffffffu, interval_ < left ? interval_ : left, 0);  // alike in all lanes
            }
            for (std::int64_t s = 0; s < interval; s += small_slices) {
                const int slices = static_cast<int>(interval - s < small_slices ? interval - s : small_slices);
                draw(slices);
                state_.multiply(diagonals_, slices, p_.hopping, a_.wrap);
                __syncwarp();
            }
            const double norm2 = state_.orthonormalise(diagonals_ + small_slices * Shared::row, a_.sites, lanes_);
            const double here = 0.5 * log(norm2);
            log_norm += here;
            if constexpr (alone) {
                if (p_.max_growth > 0)
                    interval_ = adapted_interval(interval, spread(here, holds_, lanes_), p_.max_growth, p_.n_ortho);
                watch_precision(interval, here);
            } else {
                far_ = far_from_first(norm2);
            }
            slice += interval;
        }
        return log_norm;
    }

    // Returns whether the norms may lie too far apart. Norms that are close to that of the first column need no further
    // test.
    __device__ bool far_from_first(double norm2) const {
        constexpr double below = 1e-17, above = 1e3;
        static_assert(above / below <= 1.0001 * most_growth * most_growth);
        const double first = __shfl_sync(0xffffffffu, norm2, 0, lanes_);
        return norm2 < below * first || norm2 > above * first;
    }

    // Shortens the interval and restarts the point if precision was lost. The whole warp calls it. It has no branches,
    // so that the warp does not diverge.
    __device__ void watch_precision(std::int64_t interval, double log_norm) {
        const std::int64_t shorter = interval_if_lost(interval, log_norm, holds_, lanes_);
        const bool lost = shorter != 0;
        interval_ = lost && shorter < interval_ ? shorter : interval_;
        lost_ = lost_ || lost;
        ended_ = ended_ || (lost && interval == 1);
        state_.restart_columns(lost, holds_);
    }

    // Adds the growth of a cycle to the sums of this lane's column, by Rule::tmsexd or by Rule::blocks. Returns true if
    // the column has converged; only the last column counts.
    __device__ bool add_as_one(double growth) {
        sum_ += growth;
        sum2_ += growth * growth;
        return has_converged(sum_, sum2_, cycles_, p_.width, p_.epsilon);
    }

    __device__ bool add_in_blocks(double growth) {
        sum_ += growth;
        if (!touches_blocks(cycles_) || !holds_ || state_.part != 0) return false;
        double* const blocks = a_.slots.blocks + slot_ * most_blocks * a_.sites + state_.column;
        sum_ = close_block(blocks, a_.sites, cycles_, sum_);
        return state_.column == a_.sites - 1 && blocks_have_converged(blocks, a_.sites, cycles_, p_);
    }

    __device__ void close_cycle(double log_norm) {
        bool valid = true;
        if (__any_sync(0xffffffffu, holds_ && (far_ || !isfinite(log_norm)))) {
            valid = __all_sync(mask_, !holds_ || isfinite(log_norm));
            if constexpr (!alone) watch_precision(p_.n_ortho, valid ? log_norm : 0.0);  // the cycle was one interval
        }
        if (active_ && valid) ++cycles_done_;
        bool converged = false;
        if (active_ && valid && !lost_) {
            ++cycles_;
            converged = a_.slots.blocks ? add_in_blocks(log_norm) : add_as_one(log_norm);
        }
        auto verdict = PointStatus::running;
        if (!valid)
            verdict = PointStatus::failed;
        else if (lost_)
            verdict = ended_ ? PointStatus::imprecise : PointStatus::running;
        else if (converged)
            verdict = PointStatus::converged;
        else if (cycles_ >= a_.max_cycles)
            verdict = a_.status_at_max;
        const int decides = (a_.sites - 1) * Shape::parts;
        verdict = static_cast<PointStatus>(__shfl_sync(0xffffffffu, static_cast<int>(verdict), decides, lanes_));
        if (active_) status_ = verdict;
        active_ = active_ && status_ == PointStatus::running;
    }

    const KernelArguments& a_;
    const Problem& p_;
    SmallDraws draws_;
    int lanes_;
    const std::uint32_t* leap_;
    int in_point_, lane_;
    unsigned mask_;  // lanes of this point
    double* diagonals_;
    bool holds_;  // true if this lane has a column
    bool active_ = false;
    bool far_ = false;                   // true if the norms of this cycle, of one interval, may lie too far apart
    bool lost_ = false, ended_ = false;  // precision was lost in this cycle; it was lost within one slice
    State state_;
    SiteRandom random_;
    double energy_ = 0, strength_ = 0, sum_ = 0, sum2_ = 0;
    std::size_t slot_ = 0;
    std::int64_t cycles_ = 0, interval_ = 0;
    std::int64_t cycles_done_ = 0;  // cycles in this launch, including those that lost precision
    PointStatus status_ = PointStatus::running;
};

// `lanes` is the number of lanes of a point, a power of two of at least parts * sites. With an adaptive or a shortened
// interval a warp has only one point, because the intervals of several points would differ.
template <class Shape, bool alone>
__global__ void __launch_bounds__(32 * small_warps, Shape::sites_per_lane <= 8 ? 8 : 1)
    small_kernel(const __grid_constant__ KernelArguments arguments, SmallDraws draws, int lanes) {
    extern __shared__ __align__(16) double small_shared[];
    constexpr int table_size = static_cast<int>(random::Lfsr113Leap::table_size);
    auto* const leap = reinterpret_cast<std::uint32_t*>(small_shared);
    const bool leaps = arguments.problem.random_stream == RandomStream::lfsr113;
    if (leaps)
        for (int i = threadIdx.x; i < table_size; i += blockDim.x) leap[i] = arguments.leap[i];
    __syncthreads();

    SmallWarp<Shape, alone> warp(arguments, draws, lanes, small_shared + (leaps ? table_size / 2 : 0), leap);
    const int per_warp = alone ? 1 : 32 / lanes;
    const int in_point = threadIdx.x % 32 / lanes;
    for (;;) {
        unsigned first = 0;
        if (threadIdx.x % 32 == 0) first = atomicAdd(arguments.queue, static_cast<unsigned>(per_warp));
        first = __shfl_sync(0xffffffffu, first, 0);
        const auto count = static_cast<unsigned>(arguments.count);
        if (first >= count) return;
        const bool has_point = in_point < per_warp && first + in_point < count;
        warp.run(arguments.work[has_point ? first + in_point : first], has_point);
    }
}

}  // namespace legato::tmm
