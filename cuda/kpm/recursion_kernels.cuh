// The step y <- a H x + b x + c y with the products <x|x> and <y|x>, by lattice and by matrix.
//
// A panel is P vectors side by side, P a power of two: element v of site i is at [i * P + v]. A thread has two of them
// (one where P is 1), neighbouring threads the next ones, then the next site's. Sums over sites are formed per chunk of
// sites in an order that P has no part in, so that the bits of a vector are the same in any panel.
#pragma once

#include <cstdint>

#include "kpm/lattice_layout.hpp"

namespace legato::kpm {

template <int P>
inline constexpr int per_thread = P == 1 ? 1 : 2;
template <int P>
inline constexpr int lanes = P / per_thread<P>;  // threads of a site

// What a thread has of one site.
template <int P>
struct Part {
    double v[per_thread<P>];
};

template <int P>
__device__ inline Part<P> load(const double* at) {
    if constexpr (P == 1) {
        return {{__ldg(at)}};
    } else {
        const double2 pair = __ldg(reinterpret_cast<const double2*>(at));
        return {{pair.x, pair.y}};
    }
}

// y is written where it was read: no read-only cache.
template <int P>
__device__ inline Part<P> load_own(const double* at) {
    if constexpr (P == 1) {
        return {{__ldcs(at)}};
    } else {
        const double2 pair = __ldcs(reinterpret_cast<const double2*>(at));
        return {{pair.x, pair.y}};
    }
}

template <int P>
__device__ inline void store(double* at, const Part<P>& part) {
    if constexpr (P == 1)
        __stcs(at, part.v[0]);
    else
        __stcs(reinterpret_cast<double2*>(at), make_double2(part.v[0], part.v[1]));
}

struct DeviceStep {
    double a, b, c;
    bool keep;
    const double* x;  // [panels][sites][P]
    double* y;
    double* sums;         // [chunks][2][panels * P] <x|x>, <y|x>
    std::int64_t panel;   // doubles from one panel to the next
    std::int64_t panels;  // all of width P
};

// Adds up over the `slots` of a chunk, a power of two, in pairs of neighbours, and leaves the sums of its P vectors.
template <int P>
__device__ inline void add_up(int slots, int slot, int lane, double* shared, const Part<P>& xx, const Part<P>& yx,
                              double* sums, std::int64_t vectors) {
    double* const mine = shared + 2 * (slot * P + lane * per_thread<P>);
    for (int i = 0; i < per_thread<P>; ++i) {
        mine[2 * i] = xx.v[i];
        mine[2 * i + 1] = yx.v[i];
    }
    for (int half = 1; half < slots; half *= 2) {
        __syncthreads();
        if (slot % (2 * half) == 0)
            for (int i = 0; i < 2 * per_thread<P>; ++i) mine[i] += mine[i + 2 * half * P];
    }
    if (slot != 0) return;
    for (int i = 0; i < per_thread<P>; ++i) {
        const int v = lane * per_thread<P> + i;
        sums[v] = mine[2 * i];
        sums[vectors + v] = mine[2 * i + 1];
    }
}

// What a step makes of one site, given H x without the diagonal; adds its products.
template <int P>
__device__ inline void finish_site(const DeviceStep& step, double* y, double a, double b, const Part<P>& hx,
                                   const Part<P>& x, const Part<P>& y_old, Part<P>& xx, Part<P>& yx) {
    Part<P> y_new;
    for (int i = 0; i < per_thread<P>; ++i) {
        // Not fused, as on the CPU: for the one level of a single site a H x + b x is to be zero.
        y_new.v[i] = __dadd_rn(__dadd_rn(__dmul_rn(a, hx.v[i]), __dmul_rn(b, x.v[i])), __dmul_rn(step.c, y_old.v[i]));
        xx.v[i] = fma(x.v[i], x.v[i], xx.v[i]);
        yx.v[i] = fma(y_new.v[i], x.v[i], yx.v[i]);
    }
    if (step.keep) store<P>(y, y_new);
}

// Where the neighbour's element lies, in doubles from one's own; in 32 bits where a plane is that small.
template <int P, class Offset>
class Bond {
  public:
    __device__ explicit Bond(std::int64_t to, std::int64_t stride = 1)
        : by_(to == LatticeLayout::none ? none : static_cast<Offset>(to * stride * P)) {}
    __device__ Part<P> load_from(const double* at) const { return by_ != none ? load<P>(at + by_) : Part<P>{}; }

  private:
    static constexpr Offset none = Offset{1} << (8 * sizeof(Offset) - 1);
    Offset by_;
};

struct DeviceLattice {
    LatticeLayout layout;
    double hopping, energy;
    const double* energies;  // [sites], or null
};

// A block goes with a tile of sites along the third direction: what it has of a plane stays in registers for the next.
template <int P, class Offset>
__global__ void __launch_bounds__(tile_sites* lanes<P>, 1024 / (tile_sites * lanes<P>))
    lattice_step(DeviceStep step, DeviceLattice lattice) {
    extern __shared__ double shared[];
    const LatticeLayout& at = lattice.layout;
    const std::int64_t panel = blockIdx.x % step.panels, chunk = blockIdx.x / step.panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>;
    const std::int64_t tile = chunk % at.tiles(), segment = chunk / at.tiles();
    const std::int64_t x = tile % at.tiles_x * at.tile_x + slot % at.tile_x,
                       y = tile / at.tiles_x * at.tile_y() + slot / at.tile_x;
    const std::int64_t first = segment * at.segment, last = min(first + at.segment, at.extents[2]);
    Part<P> xx{}, yx{};
    if (x < at.extents[0] && y < at.extents[1]) {
        const std::int64_t plane = at.extents[0] * at.extents[1], column = x + at.extents[0] * y,
                           site = column + first * plane, up = plane * P;  // doubles from a plane to the next
        const Bond<P, Offset> left(at.neighbour(0, x, -1)), right(at.neighbour(0, x, 1)),
            below(at.neighbour(1, y, -1), at.extents[0]), above(at.neighbour(1, y, 1), at.extents[0]);
        const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
        const double* from = step.x + offset + site * P;
        double* to = step.y + offset + site * P;
        const double* energies = lattice.energies ? lattice.energies + site : nullptr;
        Part<P> before = Bond<P, std::int64_t>(at.neighbour(2, first, -1), plane).load_from(from), here = load<P>(from);
        for (std::int64_t z = first; z < last; ++z, from += up, to += up) {
            const Part<P> y_old = step.c != 0 ? load_own<P>(to) : Part<P>{};
            const Part<P> after = z + 1 < at.extents[2]
                                      ? load<P>(from + up)
                                      : Bond<P, std::int64_t>(at.neighbour(2, z, 1), plane).load_from(from);
            const Part<P> beside[4] = {left.load_from(from), right.load_from(from), below.load_from(from),
                                       above.load_from(from)};
            const double energy = energies ? __ldg(energies + (z - first) * plane) : lattice.energy;
            Part<P> sum;
            for (int i = 0; i < per_thread<P>; ++i)
                sum.v[i] =
                    (before.v[i] + after.v[i]) + (beside[0].v[i] + beside[1].v[i]) + (beside[2].v[i] + beside[3].v[i]);
            const double diagonal = __dadd_rn(__dmul_rn(step.a, energy), step.b);
            finish_site<P>(step, to, -step.a * lattice.hopping, diagonal, sum, here, y_old, xx, yx);
            before = here;
            here = after;
        }
    }
    const std::int64_t vectors = step.panels * P;
    add_up<P>(tile_sites, slot, lane, shared, xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
}

struct DeviceMatrix {
    std::int64_t rows;
    const std::int64_t* row_pointers;  // null: padded rows, element k of row i at [k * rows + i]
    std::int64_t length;               // of these
    const std::int32_t* columns;
    const double* values;
};

// Rows of a chunk: row_slots of them side by side, chunk_turns times.
inline constexpr int row_slots = 16, chunk_turns = 8, chunk_rows = row_slots * chunk_turns;
inline constexpr int matrix_threads = 256;
template <int P>
inline constexpr int chunks_of_block = matrix_threads / (row_slots * lanes<P>);

template <int P>
__global__ void __launch_bounds__(matrix_threads) matrix_step(DeviceStep step, DeviceMatrix matrix) {
    extern __shared__ double shared[];
    const std::int64_t panel = blockIdx.x % step.panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P> % row_slots,
              group = threadIdx.x / (lanes<P> * row_slots);
    const std::int64_t chunk = blockIdx.x / step.panels * chunks_of_block<P> + group;
    const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
    const double* const from = step.x + offset;
    Part<P> xx{}, yx{};
    for (int turn = 0; turn < chunk_turns; ++turn) {
        const std::int64_t row = chunk * chunk_rows + turn * row_slots + slot;
        if (row >= matrix.rows) break;
        const bool padded = matrix.row_pointers == nullptr;
        const std::int64_t first = padded ? row : __ldg(matrix.row_pointers + row),
                           last = padded ? row + matrix.length * matrix.rows : __ldg(matrix.row_pointers + row + 1),
                           stride = padded ? matrix.rows : 1;
        double* const to = step.y + offset + row * P;
        const Part<P> y_old = step.c != 0 ? load_own<P>(to) : Part<P>{}, here = load<P>(from + row * P);
        Part<P> sum{};
        // Elements first, then what they point to: all of a batch are on their way at the same time.
        constexpr int batch = 4;
        for (std::int64_t k = first; k < last; k += batch * stride) {
            double elements[batch];
            std::int32_t columns[batch];
            for (int j = 0; j < batch; ++j) {
                const bool there = k + j * stride < last;
                elements[j] = there ? __ldg(matrix.values + k + j * stride) : 0.0;
                columns[j] = there ? __ldg(matrix.columns + k + j * stride) : static_cast<std::int32_t>(row);
            }
            Part<P> others[batch];
            for (int j = 0; j < batch; ++j) others[j] = load<P>(from + static_cast<std::int64_t>(columns[j]) * P);
            for (int j = 0; j < batch; ++j)
                for (int i = 0; i < per_thread<P>; ++i) sum.v[i] = fma(elements[j], others[j].v[i], sum.v[i]);
        }
        finish_site<P>(step, to, step.a, step.b, sum, here, y_old, xx, yx);
    }
    const std::int64_t vectors = step.panels * P, chunks = (matrix.rows + chunk_rows - 1) / chunk_rows;
    __shared__ double unwanted[2 * P];
    const bool wanted = chunk < chunks;
    add_up<P>(row_slots, slot, lane, shared + group * 2 * row_slots * P, xx, yx,
              wanted ? step.sums + chunk * 2 * vectors + panel * P : unwanted, wanted ? vectors : P);
}

// The sums of all chunks: a block for each vector and product; [2][vectors].
inline constexpr int sum_threads = 256;
static __global__ void add_chunks(const double* sums, std::int64_t chunks, std::int64_t vectors, double* to) {
    __shared__ double shared[sum_threads];
    double sum = 0;
    for (std::int64_t chunk = threadIdx.x; chunk < chunks; chunk += sum_threads)
        sum += sums[chunk * 2 * vectors + blockIdx.x];
    shared[threadIdx.x] = sum;
    for (int half = 1; half < sum_threads; half *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * half) == 0) shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    if (threadIdx.x == 0) to[blockIdx.x] = shared[0];
}

}  // namespace legato::kpm
