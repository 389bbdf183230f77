// The inverse I of a chain's matrix M and the products P = phi I, as in cpp/vmc/determinant.hpp.
#pragma once

#include "vmc/chain.cuh"

namespace legato::vmc {

// Writes M in the place of the products.
template <class S>
__device__ void set_matrix() {
    using C = Chain<S>;
    const Dimensions d = C::m().d;
    C::each_row(d.order(), [&](int i) {
        if (i >= d.order()) return;
        double* const row = C::product(i);
        const int code = i < d.pairs ? C::up_code(i) : 0;
        C::each([&](int, int j) {
            const double real = C::to(code, j), mode = C::from(j < d.pairs ? C::down_code(j) : 0, i);
            row[j] = j >= d.order() || (i >= d.pairs && j >= d.pairs) ? 0.0 : i < d.pairs ? real : mode;
        });
    });
    __syncthreads();
}

// Returns the row with the largest element of a column among the rows that have not been a pivot yet. Only the upper
// halves of the numbers are compared. Every warp finds the row by itself.
template <class S>
__device__ int pivot_of(int column) {
    using C = Chain<S>;
    const int order = C::m().d.order();
    unsigned largest = 0;
    int row = 0;
#pragma unroll 1
    for (int i = C::thread() % 32; i < order; i += 32) {
        const unsigned size = static_cast<unsigned>(__double2hiint(C::product(i)[column])) & 0x7fffffffu;
        if (C::block_data().pivots[i] < 0 && size > largest) {
            largest = size;
            row = i;
        }
    }
    const unsigned all = __reduce_max_sync(whole_warp, largest);
    const unsigned have = __ballot_sync(whole_warp, largest == all);
    return __shfl_sync(whole_warp, row, __ffs(static_cast<int>(have)) - 1);
}

// Inverts M in place by Gauss-Jordan elimination without row exchanges. Element (pivot row of c, k) becomes the element
// of the inverse in row c and in the column of the matrix row that was pivot k. pivots[row] = c. Returns false if M is
// singular.
template <class S>
__device__ bool eliminate() {
    using C = Chain<S>;
    const int order = C::m().d.order();
    for (int i = C::thread(); i < order; i += S::threads) C::block_data().pivots[i] = -1;
    __syncthreads();
#pragma unroll 1
    for (int column = 0; column < order; ++column) {
        const int pivot = pivot_of<S>(column);
        const double largest = C::product(pivot)[column];
        if (!(fabs(largest) > 1e-300 && fabs(largest) < 1e300)) return false;
        const double reciprocal = 1 / largest;
        for (int k = C::thread(); k < C::width(); k += S::threads)
            C::block_data().x[k] = (k == column ? 1.0 : C::product(pivot)[k]) * reciprocal;
        __syncthreads();
        if (C::thread() == 0) C::block_data().pivots[pivot] = column;
        const Slice<S> x(C::block_data().x);
        C::each_row(order, [&](int i) {
            double* const row = C::product(i < order ? i : 0);
            const double factor = i < order ? row[column] : 0;
            __syncwarp();
            if (i >= order) return;
            C::each([&](int e, int k) {
                const double was = k == column ? 0.0 : row[k];
                row[k] = i == pivot ? x(e, k) : was - factor * x(e, k);
            });
        });
        __syncthreads();
    }
    return true;
}

// Copies the inverse, in order, to the place of the old one. Returns the largest change of an element relative to the
// largest element.
template <class S>
__device__ double take_inverse() {
    using C = Chain<S>;
    const int order = C::m().d.order();
    double* const column_of = C::block_data().x;  // row of M that was the pivot of a column
    for (int i = C::thread(); i < C::width(); i += S::threads) column_of[i < order ? C::block_data().pivots[i] : i] = i;
    __syncthreads();
    double largest[2] = {};  // element, change
    C::each_row(order, [&](int i) {
        if (i >= order) return;
        const double* const fresh = C::product(i);
        double* const row = C::inverse(C::block_data().pivots[i]);
        C::each([&](int, int k) {
            const int to = static_cast<int>(column_of[k]);
            const double now = fresh[k];
            largest[0] = Larger()(largest[0], fabs(now));
            largest[1] = Larger()(largest[1], fabs(now - row[to]));
            row[to] = now;
        });
    });
    C::reduce(largest, Larger());
    __syncthreads();
    return largest[1] / largest[0];
}

// Computes rows begin .. begin + `rows` - 1 of P(l, k) = sum_j phi(s_l - s_j) I(j, k) by a group.
template <int rows, class S>
__device__ void set_products_of(int begin) {
    using C = Chain<S>;
    constexpr int columns_at_once = S::elements > 0 ? S::elements : 1;
    const int pairs = C::m().d.pairs, order = C::m().d.order();
    int code[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) code[r] = C::down_code(min(begin + r, pairs - 1));
        // If the shape does not fix the number of elements, a lane goes through all j for each of its elements.
#pragma unroll 1
    for (int first = C::lane(); first < C::width(); first += S::lanes * columns_at_once) {
        double sums[rows][columns_at_once] = {};
#pragma unroll 1
        for (int j = 0; j < order; ++j) {
            const double* const inverse = C::inverse(j) + first;
            double phi[rows];
#pragma unroll
            for (int r = 0; r < rows; ++r) phi[r] = C::to(code[r], j);
#pragma unroll
            for (int e = 0; e < columns_at_once; ++e)
#pragma unroll
                for (int r = 0; r < rows; ++r) sums[r][e] += phi[r] * inverse[e * S::lanes];
        }
#pragma unroll
        for (int r = 0; r < rows; ++r)
            if (begin + r < pairs) {
#pragma unroll
                for (int e = 0; e < columns_at_once; ++e) C::product(begin + r)[first + e * S::lanes] = sums[r][e];
            }
    }
}

// Recomputes the inverse and the products. `drift` is that of the old inverse. Returns false if the matrix is singular.
template <class S>
__device__ __noinline__ bool refresh(double& drift) {
    using C = Chain<S>;
    constexpr int at_once = 4;
    set_matrix<S>();
    if (!eliminate<S>()) return false;
    drift = take_inverse<S>();
#pragma unroll 1
    for (int begin = C::group() * at_once; begin < C::m().d.pairs; begin += S::groups * at_once)
        set_products_of<at_once, S>(begin);
    __syncthreads();
    return true;
}

// Computes P(x, .) of any site x into `row`, which must not be a row of the inverse. v: [width], scratch for
// phi(x - s_j).
template <class S>
__device__ void set_product(int code, double* v, double* row) {
    using C = Chain<S>;
    const int order = C::m().d.order(), thread = C::thread();
    for (int j = thread; j < order; j += S::threads) v[j] = C::to(code, j);
    __syncthreads();
    const int width = min(C::width(), S::threads), parts = S::threads / width, part = thread / width;
    if (part < parts)
#pragma unroll 1
        for (int k = thread % width; k < C::width(); k += width) {
            double sum = 0;
            for (int j = part; j < order; j += parts) sum += v[j] * C::inverse(j)[k];
            C::block_data().partial[part * width + k] = sum;
        }
    __syncthreads();
#pragma unroll 1
    for (int k = thread; k < C::width(); k += S::threads) {
        double sum = C::block_data().partial[k];
        for (int p = 1; p < parts; ++p) sum += C::block_data().partial[p * width + k];
        row[k] = sum;
    }
    __syncthreads();
}

// The data of an accepted move: up electron k, down electron l, or both; the target of a hop; Psi' / Psi; and for an
// exchange the matrix 1 + V^T I U.
struct Move {
    int k, l, site;
    double ratio, s[2][2];
};

// Updates every row r of I and P: row -= [column] row[k] x + [projection] (row . b - shift(r)) y.
template <class S, bool column, bool projection, class Shift>
__device__ void update_rows(int k, const Shift& shift) {
    using C = Chain<S>;
    const int count = C::m().d.order() + C::m().d.pairs;
    const Slice<S> x(C::block_data().x), y(C::block_data().y), b(C::block_data().b);
    C::each_row(count, [&](int r) {
        const bool there = r < count;
        double* const row = there ? C::inverse(r) : C::block_data().b;  // b is not written to meanwhile
        const Slice<S> was(row);
        const double factor = column ? row[k] : 0.0;
        double projected = 0;
        if constexpr (projection) {
            C::each([&](int e, int i) { projected += was(e, i) * b(e, i); });
            projected = C::group_sum(projected);
        }
        __syncwarp();
        if (!there) return;
        if constexpr (projection) projected -= shift(r);
        C::each([&](int e, int i) {
            double now = was(e, i);
            if constexpr (column) now -= factor * x(e, i);
            if constexpr (projection) now -= projected * y(e, i);
            row[i] = now;
        });
    });
    __syncthreads();
}

// Makes a hop. The hole at the target moves to the electron's old site.
template <class S>
__device__ __noinline__ void hop(Move move, bool up) {
    using C = Chain<S>;
    BlockData<S>& kept = C::block_data();
    const int order = C::m().d.order(), k = move.k, l = move.l, code = C::m().codes[move.site];
    const double reciprocal = 1 / move.ratio;
    set_product<S>(code, up ? kept.b : kept.x, up ? kept.x : C::product(l));
    for (int i = C::thread(); i < C::width(); i += S::threads) {
        if (up) {
            kept.x[i] = (kept.x[i] - (i == k ? 1.0 : 0.0)) * reciprocal;
        } else {
            kept.b[i] = C::from(code, i);
            kept.y[i] = C::inverse(l)[i] * reciprocal;
        }
    }
    __syncthreads();
    if (C::thread() == 0) {
        const int own = up ? kept.up_site[k] : kept.down_site[l];
        const std::int32_t hole = C::electron_at()[move.site];
        C::electron_at()[own] = hole;
        C::hole_site()[hole - first_hole] = own;
        C::electron_at()[move.site] = up ? k + 1 : -(l + 1);
        up ? C::put_up(k, move.site, code) : C::put_down(l, move.site, code);
    }
    if (up)
        update_rows<S, true, false>(k, [](int) { return 0.0; });
    else
        update_rows<S, false, true>(0, [&](int r) {
            if (r < order) return r == l ? 1.0 : 0.0;
            return C::phi(r - order == l ? code : C::down_code(r - order), code);
        });
}

template <class S>
__device__ __noinline__ void exchange(Move move) {
    using C = Chain<S>;
    BlockData<S>& kept = C::block_data();
    const int order = C::m().d.order(), k = move.k, l = move.l, r_site = kept.up_site[k], s_site = kept.down_site[l],
              r = C::up_code(k), s = C::down_code(l);
    const double reciprocal = 1 / move.ratio;
    double* const p = C::product(l);
    for (int i = C::thread(); i < C::width(); i += S::threads) {
        const double a = p[i] - (i == k ? 1.0 : 0.0), g = C::inverse(l)[i];
        kept.x[i] = (move.s[1][1] * a - move.s[0][1] * g) * reciprocal;
        kept.y[i] = (move.s[0][0] * g - move.s[1][0] * a) * reciprocal;
        kept.b[i] = i == k ? C::phi(s, r) - C::phi(0, 0) : C::from(r, i) - C::from(s, i);
        p[i] = i == k ? 1.0 : 0.0;
    }
    __syncthreads();
    if (C::thread() == 0) {
        C::put_up(k, s_site, s);
        C::put_down(l, r_site, r);
        C::electron_at()[r_site] = -(l + 1);
        C::electron_at()[s_site] = k + 1;
    }
    update_rows<S, true, true>(k, [&](int row) {
        if (row < order) return 0.0;
        const int code = row - order == l ? r : C::down_code(row - order);
        return C::phi(code, r) - C::phi(code, s);
    });
}

}  // namespace legato::vmc
