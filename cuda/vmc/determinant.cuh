// The inverse I of a chain's matrix M and the products P = phi I kept with it, as cpp/vmc/determinant.hpp has them.
#pragma once

#include "vmc/chain.cuh"

namespace legato::vmc {

// M in the place of the products.
template <class S>
__device__ void set_matrix(const Chain<S>& c) {
    const int pairs = c.m.d.pairs;
    c.each_row(c.m.d.order(), [&](int i) {
        if (i >= c.m.d.order()) return;
        double* const row = c.product(i);
        if (i < pairs) {
            const int site = c.up_site()[i], code = c.up_code()[i];
            c.each([&](int, int j) { row[j] = c.to(site, code, j); });
        } else {
            c.each([&](int, int j) { row[j] = j < pairs ? c.mode(i - pairs)[c.down_site()[j]] : 0.0; });
        }
    });
}

// The row, of those that have been no pivot yet, with the largest element of a column. Every warp finds it for itself.
template <class S>
__device__ int pivot_of(const Chain<S>& c, int column) {
    const int warp_lane = static_cast<int>(threadIdx.x) % 32;
    double largest = -1;
    int row = 0x7fffffff;
    for (int i = warp_lane; i < c.m.d.order(); i += 32) {
        const double size = c.pivots()[i] >= 0 ? -1.0 : fabs(c.product(i)[column]);
        if (size > largest) {
            largest = size;
            row = i;
        }
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        const double other = __shfl_xor_sync(whole_warp, largest, step);
        const int other_row = __shfl_xor_sync(whole_warp, row, step);
        if (other > largest || (other == largest && other_row < row)) {
            largest = other;
            row = other_row;
        }
    }
    return row;
}

// Gauss and Jordan's elimination where M stands, without exchanges: element (pivot row of c, k) becomes that of the
// inverse in row c and the column of the matrix row that was pivot k. pivots[row] = c. False if M is singular.
template <class S>
__device__ bool eliminate(const Chain<S>& c) {
    const int order = c.m.d.order();
    for (int i = static_cast<int>(threadIdx.x); i < order; i += S::threads) c.pivots()[i] = -1;
    __syncthreads();
    for (int column = 0; column < order; ++column) {
        const int pivot = pivot_of(c, column);
        if (pivot >= order) return false;
        const double reciprocal = 1 / c.product(pivot)[column];
        if (!(fabs(reciprocal) < 1e300)) return false;
        for (int k = static_cast<int>(threadIdx.x); k < order; k += S::threads)
            c.x()[k] = (k == column ? 1.0 : c.product(pivot)[k]) * reciprocal;
        __syncthreads();
        if (threadIdx.x == 0) c.pivots()[pivot] = column;
        const Slice<S> x(c, c.x());
        c.each_row(order, [&](int i) {
            double* const row = c.product(i < order ? i : 0);
            const double factor = i < order ? row[column] : 0;
            __syncwarp();
            if (i >= order) return;
            c.each([&](int e, int k) {
                const double was = k == column ? 0.0 : row[k];
                row[k] = i == pivot ? x(e, k) : was - factor * x(e, k);
            });
        });
        __syncthreads();
    }
    return true;
}

// The inverse, put in order, takes the place of the old one. Returns the largest change of an element relative to the
// largest element.
template <class S>
__device__ double take_inverse(const Chain<S>& c) {
    const int order = c.m.d.order();
    // Column k is that of the row of M that was the pivot of k: x has its number.
    for (int i = static_cast<int>(threadIdx.x); i < order; i += S::threads) c.x()[c.pivots()[i]] = i;
    __syncthreads();
    double largest = 0, change = 0;
    c.each_row(order, [&](int i) {
        if (i >= order) return;
        const double* const fresh = c.product(i);
        double* const row = c.inverse(c.pivots()[i]);
        c.each([&](int, int k) {
            const int to = static_cast<int>(c.x()[k]);
            const double now = fresh[k], moved = fabs(now - row[to]);
            largest = fabs(now) <= largest ? largest : fabs(now);
            change = moved <= change ? change : moved;
            row[to] = now;
        });
    });
    return c.largest(change) / c.largest(largest);
}

// Rows begin .. begin + `rows` - 1 of P(l, k) = sum_j phi(s_l - s_j) I(j, k), by a group.
template <int rows, class S>
__device__ void add_products(const Chain<S>& c, int begin) {
    constexpr int held = S::elements > 0 ? S::elements : 1;
    const int pairs = c.m.d.pairs;
    int site[rows], code[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        const int l = min(begin + r, pairs - 1);
        site[r] = c.down_site()[l];
        code[r] = c.down_code()[l];
    }
    // Of a shape without a limit a lane goes through all j for each of its elements.
    for (int first = c.lane(); first < c.m.d.order(); first += S::lanes * held) {
        double sums[rows][held] = {};
        for (int j = 0; j < c.m.d.order(); ++j) {
            double phi[rows];
#pragma unroll
            for (int r = 0; r < rows; ++r) phi[r] = c.to(site[r], code[r], j);
#pragma unroll
            for (int e = 0; e < held; ++e) {
                const int k = first + e * S::lanes;
                const double element = k < c.m.d.order() ? c.inverse(j)[k] : 0.0;
#pragma unroll
                for (int r = 0; r < rows; ++r) sums[r][e] += phi[r] * element;
            }
        }
#pragma unroll
        for (int r = 0; r < rows; ++r)
#pragma unroll
            for (int e = 0; e < held; ++e)
                if (const int k = first + e * S::lanes; begin + r < pairs && k < c.m.d.order())
                    c.product(begin + r)[k] = sums[r][e];
    }
}

template <class S>
__device__ void set_products(const Chain<S>& c) {
    constexpr int at_once = 4;
    for (int begin = c.group() * at_once; begin < c.m.d.pairs; begin += S::groups * at_once)
        add_products<at_once>(c, begin);
    __syncthreads();
}

// P(x, .) of any site, into a row that is none of the inverse's. v: [order], the function's values at the down sites.
template <class S>
__device__ void set_product(const Chain<S>& c, int site, int code, double* v, double* row) {
    const int order = c.m.d.order(), thread = static_cast<int>(threadIdx.x);
    for (int j = thread; j < order; j += S::threads) v[j] = c.to(site, code, j);
    __syncthreads();
    const int width = min((order + 15) / 16 * 16, S::threads), parts = S::threads / width, part = thread / width;
    if (part < parts)
        for (int k = thread % width; k < order; k += width) {
            double sum = 0;
            for (int j = part; j < order; j += parts) sum += v[j] * c.inverse(j)[k];
            c.partial()[part * order + k] = sum;
        }
    __syncthreads();
    for (int k = thread; k < order; k += S::threads) {
        double sum = c.partial()[k];
        for (int p = 1; p < parts; ++p) sum += c.partial()[p * order + k];
        row[k] = sum;
    }
    __syncthreads();
}

// The inverse and the products anew. `drift`: of the inverse there was. False where the matrix is singular.
template <class S>
__device__ bool refresh(const Chain<S>& c, double& drift) {
    set_matrix(c);
    __syncthreads();
    if (!eliminate(c)) return false;
    drift = take_inverse(c);
    set_products(c);
    return true;
}

// What an accepted move changes: electrons k and l (of a hop one of them), from where to where, Psi' / Psi, and of an
// exchange the matrix 1 + V^T I U.
struct Move {
    int k, l;
    int site, code;  // of a hop: the target
    double ratio, s[2][2];
};

// Every row r of I and P: row -= [column] row[k] x + [projection] (row . b - shift(r)) y.
template <bool column, bool projection, class S, class Shift>
__device__ void update_rows(const Chain<S>& c, int k, const Shift& shift) {
    const int count = c.m.d.order() + c.m.d.pairs;
    const Slice<S> x(c, c.x()), y(c, c.y()), b(c, c.b());
    c.each_row(count, [&](int r) {
        const bool there = r < count;
        double* const row = c.rows() + (there ? r : 0) * c.m.d.stride;
        const Slice<S> was(c, row);
        const double factor = column ? row[k] : 0.0;
        double projected = 0;
        if constexpr (projection) {
            c.each([&](int e, int i) { projected += was(e, i) * b(e, i); });
            projected = c.group_sum(projected);
        }
        __syncwarp();
        if (!there) return;
        if constexpr (projection) projected -= shift(r);
        c.each([&](int e, int i) {
            double now = was(e, i);
            if constexpr (column) now -= factor * x(e, i);
            if constexpr (projection) now -= projected * y(e, i);
            row[i] = now;
        });
    });
    __syncthreads();
}

template <class S>
__device__ void move_up(const Chain<S>& c, const Move& move) {
    set_product(c, move.site, move.code, c.b(), c.x());
    for (int i = static_cast<int>(threadIdx.x); i < c.m.d.order(); i += S::threads)
        c.x()[i] = (c.x()[i] - (i == move.k ? 1.0 : 0.0)) / move.ratio;
    __syncthreads();
    if (threadIdx.x == 0) {
        const std::int32_t hole = c.electron_at()[move.site], from = c.up_site()[move.k];
        c.electron_at()[from] = hole;
        c.hole_site()[hole - first_hole] = from;
        c.electron_at()[move.site] = move.k + 1;
        c.up_site()[move.k] = move.site;
        c.up_code()[move.k] = move.code;
    }
    update_rows<true, false>(c, move.k, [](int) { return 0.0; });
}

template <class S>
__device__ void move_down(const Chain<S>& c, const Move& move) {
    const int order = c.m.d.order(), l = move.l;
    set_product(c, move.site, move.code, c.x(), c.product(l));
    for (int i = static_cast<int>(threadIdx.x); i < order; i += S::threads) {
        c.b()[i] = c.from(move.site, move.code, i);
        c.y()[i] = c.inverse(l)[i] / move.ratio;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const std::int32_t hole = c.electron_at()[move.site], from = c.down_site()[l];
        c.electron_at()[from] = hole;
        c.hole_site()[hole - first_hole] = from;
        c.electron_at()[move.site] = -(l + 1);
        c.down_site()[l] = move.site;
        c.down_code()[l] = move.code;
    }
    update_rows<false, true>(c, 0, [&](int r) {
        if (r < order) return r == l ? 1.0 : 0.0;
        return c.table()[(r - order == l ? move.code : c.down_code()[r - order]) - move.code];
    });
}

template <class S>
__device__ void exchange(const Chain<S>& c, const Move& move) {
    const int order = c.m.d.order(), k = move.k, l = move.l;
    const int r_site = c.up_site()[k], r = c.up_code()[k], s_site = c.down_site()[l], s = c.down_code()[l];
    double* const p = c.product(l);
    for (int i = static_cast<int>(threadIdx.x); i < order; i += S::threads) {
        const double a = p[i] - (i == k ? 1.0 : 0.0), g = c.inverse(l)[i];
        c.x()[i] = (move.s[1][1] * a - move.s[0][1] * g) / move.ratio;
        c.y()[i] = (move.s[0][0] * g - move.s[1][0] * a) / move.ratio;
        c.b()[i] = i == k ? c.table()[s - r] - c.table()[0] : c.from(r_site, r, i) - c.from(s_site, s, i);
        p[i] = i == k ? 1.0 : 0.0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        c.up_site()[k] = s_site;
        c.up_code()[k] = s;
        c.down_site()[l] = r_site;
        c.down_code()[l] = r;
        c.electron_at()[r_site] = -(l + 1);
        c.electron_at()[s_site] = k + 1;
    }
    update_rows<true, true>(c, k, [&](int row) {
        if (row < order) return 0.0;
        const int code = row - order == l ? r : c.down_code()[row - order];
        return c.table()[code - r] - c.table()[code - s];
    });
}

}  // namespace legato::vmc
