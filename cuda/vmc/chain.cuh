// What the parts of a chain on the device share: its memory, the pair function, sums over its threads.
#pragma once

#include <cstdint>

#include "vmc/chain_layout.hpp"
#include "vmc/streams.hpp"

namespace legato::vmc {

struct DeviceModel {
    Dimensions d;
    ChainLayout layout;
    // phi(r_a - r_b) = table[code of a - code of b]; the table reaches to both sides of 0.
    const double* table;
    const double* modes;             // [modes][sites]
    const std::int32_t* codes;       // [sites]
    const std::int32_t* neighbours;  // [shells][sites][4]
    const double* signs;             // likewise
    const double* derivatives;       // [4][sites + modes][sites + modes], as Model::derivatives
    const std::int32_t* partners;    // [sites][sites] of site a and displacement r, the site r away from a
    double hopping[shells], j;
    std::uint64_t seed;
    std::int64_t attempts_per_sweep;
    double neighbour_share;
    bool gradients, correlations;
};

inline constexpr unsigned whole_warp = 0xffffffffu;

// Elements of electron_at: k + 1 for up electron k, -(l + 1) for down electron l, and this + h for hole h.
inline constexpr std::int32_t first_hole = 1 << 20;

template <class S>
class Chain {
  public:
    __device__ Chain(const DeviceModel& model, char* shared, double* rows_elsewhere)
        : m(model), shared_(shared), rows_elsewhere_(rows_elsewhere) {}

    const DeviceModel& m;

    __device__ static int lane() { return static_cast<int>(threadIdx.x) % S::lanes; }
    __device__ static int group() { return static_cast<int>(threadIdx.x) / S::lanes; }

    __device__ double* inverse(int j) const { return rows() + j * m.d.stride; }
    __device__ double* product(int l) const { return rows() + (m.d.order() + l) * m.d.stride; }
    __device__ double* rows() const {
        if constexpr (S::in_shared) return at<double>(m.layout.rows);
        return rows_elsewhere_;
    }
    __device__ const double* table() const {
        if constexpr (S::in_shared) return at<double>(m.layout.table) + m.d.table / 2;
        return m.table;
    }
    __device__ const double* mode(int number) const {
        if constexpr (S::in_shared) return at<double>(m.layout.modes) + number * m.d.sites;
        return m.modes + number * m.d.sites;
    }
    __device__ int neighbour(int site, int which) const {
        if constexpr (S::in_shared) return at<std::int32_t>(m.layout.neighbours)[4 * site + which];
        return m.neighbours[4 * site + which];
    }
    __device__ double* x() const { return at<double>(m.layout.x); }
    __device__ double* y() const { return at<double>(m.layout.y); }
    __device__ double* b() const { return at<double>(m.layout.b); }
    __device__ double* partial() const { return at<double>(m.layout.partial); }
    __device__ double* outcome(int position) const { return at<double>(m.layout.outcomes) + 4 * position; }
    __device__ double* sums() const { return at<double>(m.layout.sums); }
    __device__ Attempt* attempts() const { return at<Attempt>(m.layout.attempts); }
    __device__ std::int32_t* up_site() const { return at<std::int32_t>(m.layout.up_site); }
    __device__ std::int32_t* down_site() const { return at<std::int32_t>(m.layout.down_site); }
    __device__ std::int32_t* up_code() const { return at<std::int32_t>(m.layout.up_code); }
    __device__ std::int32_t* down_code() const { return at<std::int32_t>(m.layout.down_code); }
    __device__ std::int32_t* pivots() const { return at<std::int32_t>(m.layout.pivots); }
    __device__ std::int32_t* electron_at() const { return at<std::int32_t>(m.layout.electron_at); }
    __device__ std::int32_t* hole_site() const { return at<std::int32_t>(m.layout.hole_site); }
    __device__ std::uint32_t* counters() const { return at<std::uint32_t>(m.layout.counters); }
    __device__ std::uint32_t* first() const { return at<std::uint32_t>(m.layout.first); }

    // phi(x - s_j) of a site x and down electron j, phi(r_i - x) of up electron i, the fictitious ones included.
    __device__ double to(int site, int code, int j) const {
        return j < m.d.pairs ? table()[code - down_code()[j]] : mode(j - m.d.pairs)[site];
    }
    __device__ double from(int site, int code, int i) const {
        return i < m.d.pairs ? table()[up_code()[i] - code] : mode(i - m.d.pairs)[site];
    }

    // visit(e, i) for the elements i of a row that are this lane's, e counting them.
    template <class Visit>
    __device__ void each(const Visit& visit) const {
        if constexpr (S::elements > 0) {
#pragma unroll
            for (int e = 0; e < S::elements; ++e) {
                const int i = lane() + e * S::lanes;
                if (i < m.d.order()) visit(e, i);
            }
        } else {
            for (int i = lane(); i < m.d.order(); i += S::lanes) visit(0, i);
        }
    }

    // Rows 0 .. count - 1 by groups: visit(row) in all lanes of a warp, with a row of count or more where there is
    // none. Groups of half a warp take rows that are as many apart as there are lanes in a group: with an odd stride
    // these fall into different banks.
    template <class Visit>
    __device__ void each_row(int count, const Visit& visit) const {
        constexpr int of_half = S::lanes < 16 ? 16 / S::lanes : 1, block = S::lanes < 16 ? 16 : 1,
                      apart = S::lanes < 16 ? S::lanes : 1;
        const int j = group() % of_half;
        for (int half = group() / of_half; (half - half % 2) / apart * block < count; half += S::groups / of_half)
            visit(half / apart * block + half % apart + j * apart);
    }

    __device__ static double group_sum(double value) {
#pragma unroll
        for (int step = S::lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(whole_warp, value, step);
        return value;
    }

    // Of all threads' values, in every thread. Partial sums must not be in use.
    template <class Combine>
    __device__ double reduce(double value, const Combine& combine) const {
#pragma unroll
        for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_xor_sync(whole_warp, value, step));
        if constexpr (S::warps == 1) return value;
        if (threadIdx.x % 32 == 0) partial()[threadIdx.x / 32] = value;
        __syncthreads();
        double all = partial()[0];
        for (int w = 1; w < S::warps; ++w) all = combine(all, partial()[w]);
        __syncthreads();
        return all;
    }
    __device__ double sum(double value) const {
        return reduce(value, [](double a, double b) { return a + b; });
    }
    // The larger one, or one that is no number.
    __device__ double largest(double value) const {
        return reduce(value, [](double a, double b) { return a != a || b <= a ? a : b; });
    }

  private:
    template <class T>
    __device__ T* at(std::uint32_t offset) const {
        return reinterpret_cast<T*>(shared_ + offset);
    }

    char* shared_;
    double* rows_elsewhere_;
};

// The elements of a row that are a lane's: copied, where a shape says how many these are at most.
template <class S>
class Slice {
  public:
    __device__ Slice(const Chain<S>& chain, const double* row) : row_(row) {
        if constexpr (S::elements > 0) chain.each([&](int e, int i) { elements_[e] = row[i]; });
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
