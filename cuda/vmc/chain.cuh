// The common parts of the device code of a chain: its memory, the pair function, rows, and sums over its threads.
#pragma once

#include <cstdint>

#include "vmc/chain_layout.hpp"

namespace legato::vmc {

inline constexpr unsigned whole_warp = 0xffffffffu;

// Number of the first hole. Elements of electron_at are k + 1 for up electron k, -(l + 1) for down electron l, and
// first_hole + h for hole h.
inline constexpr std::int32_t first_hole = 1 << 20;

// The chain of a block. Its data, or pointers to them, are in shared memory, where every function finds them.
template <class S>
struct Chain {
    __device__ static char* shared() {
        extern __shared__ __align__(16) char memory[];
        return memory;
    }
    template <class T>
    __device__ static T* at(std::uint32_t offset) {
        return reinterpret_cast<T*>(shared() + offset);
    }
    __device__ static BlockData<S>& block_data() { return *at<BlockData<S>>(0); }
    __device__ static const DeviceModel& m() { return block_data().model; }

    __device__ static int thread() { return static_cast<int>(threadIdx.x); }
    __device__ static int lane() { return thread() % S::lanes; }
    __device__ static int group() { return thread() / S::lanes; }

    __device__ static int stride() {
        if constexpr (S::elements > 0) return S::largest_order + 1;
        return m().d.stride;
    }
    // Returns the number of elements in a row, padding included.
    __device__ static int width() {
        if constexpr (S::elements > 0) return S::largest_order;
        return m().d.order();
    }
    __device__ static double* rows() {
        if constexpr (S::in_shared) return at<double>(m().layout.rows);
        return block_data().rows_elsewhere;
    }
    __device__ static double* inverse(int j) { return rows() + j * stride(); }
    __device__ static double* product(int l) { return rows() + (m().d.order() + l) * stride(); }
    __device__ static const double* table() {
        if constexpr (S::in_shared) return at<double>(m().layout.table);
        return m().table;
    }
    __device__ static int neighbour(int site, int which) {
        if constexpr (S::in_shared) return at<std::uint16_t>(m().layout.neighbours)[4 * site + which];
        return m().neighbours[4 * site + which];
    }
    __device__ static std::int32_t* electron_at() { return at<std::int32_t>(m().layout.electron_at); }
    __device__ static std::int32_t* hole_site() { return at<std::int32_t>(m().layout.hole_site); }

    // Returns phi(x - s_j) of a site x with this code and down electron j. from() returns phi(r_i - x) of up electron
    // i. Both include fictitious electrons. For indices after the last electron they return an arbitrary number of the
    // table.
    __device__ static double to(int code, int j) { return table()[code + block_data().down_base[j]]; }
    __device__ static double from(int code, int i) { return table()[block_data().up_base[i] - code]; }
    __device__ static double phi(int a_code, int b_code) { return table()[m().d.span - 1 + a_code - b_code]; }
    // Returns the code of an electron's site; for real electrons only.
    __device__ static int up_code(int i) { return block_data().up_base[i] - (m().d.span - 1); }
    __device__ static int down_code(int j) { return m().d.span - 1 - block_data().down_base[j]; }
    __device__ static void put_up(int i, int site, int code) {
        block_data().up_site[i] = site;
        block_data().up_base[i] = m().d.span - 1 + code;
    }
    __device__ static void put_down(int j, int site, int code) {
        block_data().down_site[j] = site;
        block_data().down_base[j] = m().d.span - 1 - code;
    }

    // Calls visit(e, i) for the elements i of a row that belong to this lane; e counts them.
    template <class Visit>
    __device__ static void each(const Visit& visit) {
        if constexpr (S::elements > 0) {
#pragma unroll
            for (int e = 0; e < S::elements; ++e) visit(e, lane() + e * S::lanes);
        } else {
            const int order = m().d.order();
            for (int i = lane(); i < order; i += S::lanes) visit(0, i);
        }
    }

    // Distributes rows 0 .. count - 1 over the groups. Calls visit(row) in all lanes of a warp, with a row of count or
    // more if no row is left. The groups of half a warp take rows that are S::lanes apart: with an odd stride these
    // fall into different banks.
    template <class Visit>
    __device__ static void each_row(int count, const Visit& visit) {
        constexpr int of_half = S::lanes < 16 ? 16 / S::lanes : 1, block = S::lanes < 16 ? 16 : 1,
                      apart = S::lanes < 16 ? S::lanes : 1;
        const int j = group() % of_half;
#pragma unroll 1
        for (int half = group() / of_half; (half - half % 2) / apart * block < count; half += S::groups / of_half)
            visit(half / apart * block + half % apart + j * apart);
    }

    __device__ static double group_sum(double value) {
#pragma unroll
        for (int step = S::lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(whole_warp, value, step);
        return value;
    }

    // Combines the values of all threads and gives the results to every thread. block_data().partial must not be in
    // use.
    template <int count, class Combine>
    __device__ static void reduce(double (&values)[count], const Combine& combine) {
#pragma unroll
        for (int v = 0; v < count; ++v)
#pragma unroll
            for (int step = 16; step > 0; step /= 2)
                values[v] = combine(values[v], __shfl_xor_sync(whole_warp, values[v], step));
        if constexpr (S::warps == 1) {
            __syncwarp();
        } else {
            __syncthreads();
            if (thread() % 32 < count) {
                double own = values[0];
#pragma unroll
                for (int v = 1; v < count; ++v) own = thread() % 32 == v ? values[v] : own;
                block_data().partial[thread() / 32 * count + thread() % 32] = own;
            }
            __syncthreads();
#pragma unroll
            for (int v = 0; v < count; ++v) values[v] = block_data().partial[v];
#pragma unroll 1
            for (int w = 1; w < S::warps; ++w)
#pragma unroll
                for (int v = 0; v < count; ++v) values[v] = combine(values[v], block_data().partial[w * count + v]);
        }
    }
};

// Returns the larger number, or NaN if one of them is NaN.
struct Larger {
    __device__ double operator()(double a, double b) const { return a != a || b <= a ? a : b; }
};
struct Sum {
    __device__ double operator()(double a, double b) const { return a + b; }
};

// The elements of a row that belong to a lane. They are copied if the shape fixes their number.
template <class S>
class Slice {
  public:
    __device__ explicit Slice(const double* row) : row_(row) {
        if constexpr (S::elements > 0) Chain<S>::each([&](int e, int i) { elements_[e] = row[i]; });
    }
    __device__ double operator()(int e, int i) const {
        if constexpr (S::elements > 0) return elements_[e];
        return row_[i];
    }

  private:
    const double* row_;
    double elements_[S::elements > 0 ? S::elements : 1];
};

}  // namespace legato::vmc
