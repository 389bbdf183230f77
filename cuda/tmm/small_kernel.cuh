// Up to 32 sites: a lane to a column, whole points in registers, as many points to a warp as fit. Columns meet only in
// the orthonormalisation, where each in turn is laid out in shared memory.
#pragma once

#include "tmm/slot.cuh"

namespace legato::tmm {

inline constexpr int small_most_sites = 32;
inline constexpr int small_warps = 2;   // of a block
inline constexpr int small_chunk = 8;   // slices whose potential is drawn ahead

// Shapes: which registers are the neighbours of site i. `Sites` is a compile-time bound; the real number may be up to
// three less in 2D, the surplus registers staying zero.
struct Chain {
    static constexpr int most = 1;
    __device__ static double around(const double (&)[1], int, int, double) { return 0.0; }
};

template <int Sites>
struct Strip {
    static constexpr int most = Sites;
    __device__ static double around(const double (&p)[Sites], int i, int sites, double wrap) {
        double last = p[Sites - 1];
#pragma unroll
        for (int k = Sites > 4 ? Sites - 4 : 0; k < Sites - 1; ++k)
            if (k == sites - 1) last = p[k];
        const double left = i > 0 ? p[i > 0 ? i - 1 : 0] : wrap * last;
        const double right = i == sites - 1 ? wrap * p[0] : p[i + 1 < Sites ? i + 1 : 0];
        return left + right;
    }
};

template <int Width>
struct Bar {
    static constexpr int most = Width * Width;
    __device__ static double around(const double (&p)[Width * Width], int i, int, double wrap) {
        constexpr int m = Width;
        const int x = i % m, y = i / m;
        const double left = x > 0 ? p[x > 0 ? i - 1 : 0] : wrap * p[i + m - 1 < m * m ? i + m - 1 : 0];
        const double right = x < m - 1 ? p[x < m - 1 ? i + 1 : 0] : wrap * p[i >= m - 1 ? i - m + 1 : 0];
        const double down = y > 0 ? p[y > 0 ? i - m : 0] : wrap * p[x + (m - 1) * m];
        const double up = y < m - 1 ? p[y < m - 1 ? i + m : 0] : wrap * p[x];
        return (left + right) + (down + up);
    }
};

template <class Shape>
struct SmallPoint {
    static constexpr int most = Shape::most;
    static constexpr int padded = (most + 1) / 2 * 2;  // for 16-byte accesses

    double current[most], previous[most];  // this lane's column

    // One slice: `from` is the newest slice, `to` the one before, which becomes the next.
    __device__ static void step(const double (&from)[most], double (&to)[most], const double* diagonal, double hopping,
                                double wrap, int sites) {
#pragma unroll
        for (int i = 0; i < most; ++i) {
            const double value =
                fma(diagonal[i], from[i], fma(-hopping, Shape::around(from, i, sites, wrap), -to[i]));
            to[i] = i < sites ? value : 0.0;
        }
    }

    // `slices` slices, whose diagonals lie `padded` apart.
    __device__ void multiply(const double* diagonals, int slices, double hopping, double wrap, int sites) {
        int s = 0;
        for (; s + 1 < slices; s += 2) {
            step(current, previous, diagonals + s * padded, hopping, wrap, sites);
            step(previous, current, diagonals + (s + 1) * padded, hopping, wrap, sites);
        }
        if (s == slices) return;
        step(current, previous, diagonals + s * padded, hopping, wrap, sites);
#pragma unroll
        for (int i = 0; i < most; ++i) {
            const double t = current[i];
            current[i] = previous[i];
            previous[i] = t;
        }
    }

    // Gram-Schmidt over the lanes of a point; returns the squared norm of this lane's column. `column`: shared memory
    // of the point, 2 * padded doubles.
    __device__ double orthonormalise(double* column, int lane, int sites, int lanes) {
        double own_norm2 = 1.0;
        for (int v = 0; v < sites; ++v) {
            if (lane == v) {
#pragma unroll
                for (int i = 0; i < most; ++i) {
                    column[i] = current[i];
                    column[padded + i] = previous[i];
                }
            }
            __syncwarp();
            double sum = 0, sum2 = 0;
#pragma unroll
            for (int i = 0; i < most; ++i) {
                sum = fma(column[i], current[i], sum);
                sum2 = fma(column[padded + i], previous[i], sum2);
            }
            const double dot = sum + sum2;
            const double norm2 = __shfl_sync(0xffffffffu, dot, v, lanes);
            if (lane == v) own_norm2 = norm2;
            const double factor = lane > v ? dot * (1.0 / norm2) : 0.0;
#pragma unroll
            for (int i = 0; i < most; ++i) {
                current[i] = fma(-factor, column[i], current[i]);
                previous[i] = fma(-factor, column[padded + i], previous[i]);
            }
            __syncwarp();
        }
        const double inverse = rsqrt(own_norm2);
#pragma unroll
        for (int i = 0; i < most; ++i) {
            current[i] *= inverse;
            previous[i] *= inverse;
        }
        return own_norm2;
    }
};

// Largest and smallest value over the lanes of a point that hold a column.
__device__ inline double spread(double value, bool holds, int lanes) {
    double most = holds ? value : -INFINITY, least = holds ? value : INFINITY;
    for (int step = lanes / 2; step > 0; step /= 2) {
        most = fmax(most, __shfl_xor_sync(0xffffffffu, most, step, lanes));
        least = fmin(least, __shfl_xor_sync(0xffffffffu, least, step, lanes));
    }
    return most - least;
}

// `lanes`: of a point, a power of two not below the number of sites. With an adaptive interval there is one point to a
// warp, because points would part ways.
template <class Shape>
__global__ void __launch_bounds__(32 * small_warps) small_kernel(const KernelArguments arguments, int lanes) {
    using State = SmallPoint<Shape>;
    constexpr int most = Shape::most, padded = State::padded;
    extern __shared__ double shared[];
    auto* const leap = reinterpret_cast<std::uint32_t*>(shared);
    const bool leaps = arguments.problem.random_stream == RandomStream::lfsr113;
    constexpr int leap_doubles = random::Lfsr113Leap::table_size / 2;
    if (leaps)
        for (int i = threadIdx.x; i < static_cast<int>(random::Lfsr113Leap::table_size); i += blockDim.x)
            leap[i] = arguments.leap[i];
    __syncthreads();

    const Problem& p = arguments.problem;
    const int sites = arguments.sites, warp = threadIdx.x / 32, in_warp = threadIdx.x % 32, lane = in_warp % lanes;
    const int per_warp = p.max_growth > 0 ? 1 : 32 / lanes;
    const int in_point = in_warp / lanes;
    const unsigned point_mask = (lanes == 32 ? 0xffffffffu : (1u << lanes) - 1) << (in_point * lanes);
    const int places = warp * (32 / lanes) + in_point;
    double* const mine = shared + (leaps ? leap_doubles : 0) + places * (small_chunk + 2) * padded;
    double* const column = mine + small_chunk * padded;

    for (;;) {
        unsigned first = 0;
        if (in_warp == 0) first = atomicAdd(arguments.queue, static_cast<unsigned>(per_warp));
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= static_cast<unsigned>(arguments.count)) return;
        const bool has_point = in_point < per_warp && first + in_point < static_cast<unsigned>(arguments.count);
        const std::size_t slot = arguments.work[has_point ? first + in_point : first];
        const SlotHead head = arguments.slots.heads[slot];
        const bool holds = lane < sites;
        const int site = holds ? lane : 0;

        State state;
        double* const psi = arguments.slots.psi + (slot * sites + site) * 2 * sites;
#pragma unroll
        for (int i = 0; i < most; ++i) {
            state.current[i] = holds && i < sites ? psi[i] : 0.0;
            state.previous[i] = holds && i < sites ? psi[sites + i] : 0.0;
        }
        double sum = arguments.slots.log_norms[slot * sites + site];
        double sum2 = arguments.slots.log_norms2[slot * sites + site];
        SiteRandom random;
        random.load(arguments, head, slot, site);
        std::int64_t cycles = head.cycles, interval = head.interval;
        PointStatus status = PointStatus::running;
        bool active = has_point;

        for (std::int64_t c = 0; c < arguments.cycles && __any_sync(0xffffffffu, active); ++c) {
            double cycle_log_norm = 0;
            for (std::int64_t slice = 0; slice < p.n_ortho;) {
                std::int64_t stretch = interval < p.n_ortho - slice ? interval : p.n_ortho - slice;
                // One point a warp where intervals vary: lanes beyond it follow its lead.
                stretch = __shfl_sync(0xffffffffu, stretch, 0);
                for (std::int64_t s = 0; s < stretch; s += small_chunk) {
                    const int chunk = static_cast<int>(stretch - s < small_chunk ? stretch - s : small_chunk);
                    for (int k = 0; k < chunk; ++k) {
                        const double v = random.next(p, head.strength, leap);
                        if (holds) mine[k * padded + lane] = head.energy - v;
                    }
                    __syncwarp();
                    state.multiply(mine, chunk, p.hopping, arguments.wrap, sites);
                    __syncwarp();
                }
                const double norm2 = state.orthonormalise(column, lane, sites, lanes);
                const double log_norm = 0.5 * log(norm2);
                cycle_log_norm += log_norm;
                if (p.max_growth > 0)
                    interval = adapted_interval(stretch, spread(log_norm, holds, lanes), p.max_growth, p.n_ortho);
                slice += stretch;
            }
            const bool sound = __all_sync(point_mask, !holds || isfinite(cycle_log_norm));
            if (active && sound) {
                sum += cycle_log_norm;
                sum2 += cycle_log_norm * cycle_log_norm;
                ++cycles;
            }
            int verdict = static_cast<int>(PointStatus::running);
            if (!sound)
                verdict = static_cast<int>(PointStatus::failed);
            else if (has_converged(sum, sum2, cycles, p.width, p.epsilon))
                verdict = static_cast<int>(PointStatus::converged);
            else if (cycles >= p.max_cycles())
                verdict = static_cast<int>(PointStatus::not_converged);
            verdict = __shfl_sync(0xffffffffu, verdict, sites - 1, lanes);
            if (active) status = static_cast<PointStatus>(verdict);
            active = active && status == PointStatus::running;
        }

        if (has_point && holds) {
#pragma unroll
            for (int i = 0; i < most; ++i)
                if (i < sites) {
                    psi[i] = state.current[i];
                    psi[sites + i] = state.previous[i];
                }
            arguments.slots.log_norms[slot * sites + lane] = sum;
            arguments.slots.log_norms2[slot * sites + lane] = sum2;
            random.store(arguments, slot, lane);
            if (lane == 0) {
                SlotHead& out = arguments.slots.heads[slot];
                out.slices += (cycles - head.cycles) * p.n_ortho;
                out.cycles = cycles;
                out.interval = interval;
                out.status = status;
            }
        }
    }
}

inline std::size_t small_shared_bytes(int most, int lanes, bool leaps) {
    const int padded = (most + 1) / 2 * 2;
    return (leaps ? random::Lfsr113Leap::table_size * sizeof(std::uint32_t) : 0) +
           sizeof(double) * small_warps * (32 / lanes) * (small_chunk + 2) * padded;
}

}  // namespace legato::tmm
