// The step y <- a H x + b x + c y with the products <x|x> and <y|x>, for a lattice and for a matrix.
//
// A panel is P interleaved vectors, where P is a power of two: element v of site i is at [i * P + v]. A thread
// processes two of them (one if P is 1). The next threads process the next vectors, then those of the next site. Sums
// over sites are formed for each chunk of sites in an order that does not depend on P. A vector is therefore bitwise
// identical in any panel.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>
#include <type_traits>

#include "kpm/lattice_layout.hpp"
#include "kpm/row_walk.hpp"

namespace legato::kpm {

template <int P>
inline constexpr int per_thread = P == 1 ? 1 : 2;
template <int P>
inline constexpr int lanes = P / per_thread<P>;  // number of threads of a site

// The elements of one site that one thread processes.
template <int P, class Element>
struct alignas(per_thread<P> * sizeof(Element)) Part {
    Element v[per_thread<P>];
};
template <int P>
using Sums = Part<P, double>;

template <class Element>
struct PairOf;
template <>
struct PairOf<double> {
    using type = double2;
};
template <>
struct PairOf<float> {
    using type = float2;
};
template <class Element>
using Pair = typename PairOf<Element>::type;

template <int P, class Element>
__device__ inline Part<P, Element> load(const Element* at) {
    if constexpr (P == 1) {
        return {{__ldg(at)}};
    } else {
        const Pair<Element> pair = __ldg(reinterpret_cast<const Pair<Element>*>(at));
        return {{pair.x, pair.y}};
    }
}

// Loads elements of y. They are overwritten in place, so that the read-only cache is not used.
template <int P, class Element>
__device__ inline Part<P, Element> load_own(const Element* at) {
    if constexpr (P == 1) {
        return {{__ldcs(at)}};
    } else {
        const Pair<Element> pair = __ldcs(reinterpret_cast<const Pair<Element>*>(at));
        return {{pair.x, pair.y}};
    }
}

template <int P, class Element>
__device__ inline Part<P, Element> shared_part(const Element* at) {
    return *reinterpret_cast<const Part<P, Element>*>(at);
}

template <int P, class Element>
__device__ inline void store(Element* at, const Part<P, Element>& part) {
    if constexpr (P == 1)
        __stcs(at, part.v[0]);
    else
        __stcs(reinterpret_cast<Pair<Element>*>(at), Pair<Element>{part.v[0], part.v[1]});
}

template <class Element>
struct DeviceStep {
    double a, b, c;
    bool keep;
    const Element* x;  // [panels][sites][P]
    Element* y;
    double* sums;         // [chunks][2][panels * P] <x|x>, <y|x>
    std::int64_t panel;   // distance from one panel to the next, in elements
    std::int64_t panels;  // number of panels, all of width P
};

// Several steps of some panels. Vectors are read from x and y and written to other memory, because a block reads sites
// that other blocks write.
template <class Element>
struct DevicePass {
    double a, b, c;
    bool keep;
    int steps;
    const Element *x, *y;  // [panels][sites][P]
    Element *x_to, *y_to;
    double* sums;                // of the first step: [chunks][2][vectors] <x|x>, <y|x>
    std::int64_t sums_of_step;   // distance between the sums of two steps
    std::int64_t panel, panels;  // distance between two panels, in elements; number of panels
    std::int64_t vectors;        // number of vectors that have sums
};

// Adds up over the slots of a block, in pairs of neighbours, and stores the sums of its P vectors. `shared` is [warps]
// [2][P], and the block no longer needs its contents.
template <int P>
__device__ inline void add_up(double* shared, const Sums<P>& xx, const Sums<P>& yx, double* sums,
                              std::int64_t vectors) {
    constexpr int warp = 32;
    const int lane = threadIdx.x % lanes<P>, first = threadIdx.x / warp * 2 * P, warps = blockDim.x / warp;
    for (int product = 0; product < 2; ++product)
        for (int i = 0; i < per_thread<P>; ++i) {
            double sum = product == 0 ? xx.v[i] : yx.v[i];
            for (int by = lanes<P>; by < warp; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
            if (threadIdx.x % warp < lanes<P>) shared[first + product * P + lane * per_thread<P> + i] = sum;
        }
    for (int half = 1; half < warps; half *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < warps / (2 * half) * 2 * P; i += blockDim.x) {
            double* const at = shared + i / (2 * P) * 2 * half * 2 * P + i % (2 * P);
            *at += at[half * 2 * P];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * P; i += blockDim.x) sums[i / P * vectors + i % P] = shared[i];
}

// These operations are not fused, as on the CPU: a H x + b x must be zero for the only level of a single site.
__device__ inline double sum_of(double a, double b) {
    return __dadd_rn(a, b);
}
__device__ inline float sum_of(float a, float b) {
    return __fadd_rn(a, b);
}
__device__ inline double product_of(double a, double b) {
    return __dmul_rn(a, b);
}
__device__ inline float product_of(float a, float b) {
    return __fmul_rn(a, b);
}

// Returns a hx + b x + c y.
template <class Real>
__device__ inline Real new_element(Real a, Real hx, Real b, Real x, Real c, Real y) {
    return sum_of(sum_of(product_of(a, hx), product_of(b, x)), product_of(c, y));
}

// Computes y = a hx + b x + c y_old of one site and adds its products, which are always double. hx is the sum over
// neighbours for a lattice, and H x for a matrix. It has the precision of the arithmetic. If elements of the matrix, of
// type Value, are complex, the two lanes of a vector are added to the same sum, which takes fewer registers.
template <int P, class Value = double, class Element, class Real>
__device__ inline void finish_site(const DeviceStep<Element>& step, Element* y, double a, double b,
                                   const Part<P, Real>& hx, const Part<P, Element>& x, const Part<P, Element>& y_old,
                                   Sums<P>& xx, Sums<P>& yx) {
    const auto real_a = static_cast<Real>(a), real_b = static_cast<Real>(b), c = static_cast<Real>(step.c);
    Part<P, Element> y_new;
    for (int i = 0; i < per_thread<P>; ++i) {
        const Real of_x = sum_of(product_of(real_a, hx.v[i]), product_of(real_b, static_cast<Real>(x.v[i]))),
                   of_y = product_of(c, static_cast<Real>(y_old.v[i]));
        y_new.v[i] = static_cast<Element>(sum_of(of_x, of_y));
        const double from = x.v[i], to = y_new.v[i];
        const int of_vector = std::is_same_v<Value, double2> ? 0 : i;
        xx.v[of_vector] = fma(from, from, xx.v[of_vector]);
        yx.v[of_vector] = fma(to, from, yx.v[of_vector]);
    }
    if (step.keep) store<P>(y, y_new);
}

struct DeviceLattice {
    LatticeLayout layout;
    double hopping, energy;
    const double* energies;  // [sites], or null
};

// Copies asynchronously from device memory into shared memory.
template <int P, class Element>
__device__ inline void fetch(Element* to, const Element* from) {
    __pipeline_memcpy_async(to, from, sizeof(Part<P, Element>));
}

// The shared memory of a block that goes through a tile plane by plane. It contains a ring of planes of x, with the
// sites beside the tile, and a ring of planes of y.
template <int P, class Element>
class Ring {
  public:
    // Number of planes in shared memory: the one that is computed, and those that follow.
    static constexpr int planes = 32 / sizeof(Element);

    __device__ Ring(double* shared, const LatticeLayout& at)
        : sums_(shared), x_(reinterpret_cast<Element*>(shared + sums)), slab_(at.slab() * P) {}
    __device__ Element* x(int plane) const { return x_ + plane % planes * slab_; }
    // Returns the elements of y of this thread.
    __device__ Element* y(int plane) const {
        return x_ + planes * slab_ + plane % planes * tile_sites * P + threadIdx.x * per_thread<P>;
    }
    __device__ double* of_sums() const { return sums_; }
    __device__ void clear() const {
        for (int i = threadIdx.x; i < planes * slab_; i += blockDim.x) x_[i] = 0;
    }

    static std::size_t bytes(const LatticeLayout& at) {
        return planes * static_cast<std::size_t>(at.slab() + tile_sites) * P * sizeof(Element) + sums * sizeof(double);
    }

  private:
    static constexpr int sums = tile_sites * lanes<P> / 32 * 2 * P;

    double* sums_;
    Element* x_;
    int slab_;
};

// The site beside the tile that the threads of slot number `slot` also load for a plane.
struct HaloSite {
    int to = -1;            // site of the slab; -1 if there is none
    bool missing = false;   // true if the site is beyond an open boundary
    std::int64_t from = 0;  // site of the plane, relative to the slot's own site
};

__device__ inline HaloSite halo_site(const LatticeLayout& at, int slot, std::int64_t x0, std::int64_t y0,
                                     std::int64_t column) {
    const int wide = static_cast<int>(min(std::int64_t{at.tile_x}, at.extents[0] - x0)),
              high = static_cast<int>(min(std::int64_t{at.tile_y()}, at.extents[1] - y0));
    const bool in_x = slot < 2 * at.tile_y();
    const int which = in_x ? slot : slot - 2 * at.tile_y(), length = in_x ? at.tile_y() : at.tile_x;
    const int side = which / length, along = which % length;
    if (side > 1 || along >= (in_x ? high : wide)) return {};
    const int across = side == 0 ? 0 : (in_x ? wide : high) - 1;  // site of the tile next to it
    const std::int64_t bond =
        in_x ? at.neighbour(0, x0 + across, side == 0 ? -1 : 1) : at.neighbour(1, y0 + across, side == 0 ? -1 : 1);
    if (bond == LatticeLayout::none) return {-1, true};
    const int x = in_x ? across + (side == 0 ? -1 : 1) : along, y = in_x ? along : across + (side == 0 ? -1 : 1);
    const std::int64_t x_from = in_x ? x0 + across + bond : x0 + along, y_from = in_x ? y0 + along : y0 + across + bond;
    return {at.slab_site(x, y), false, x_from + at.extents[0] * y_from - column};
}

template <int P, class Element>
__device__ inline void add_up_chunk(const Ring<P, Element>& ring, Sums<P>& xx, Sums<P>& yx,
                                    const DeviceStep<Element>& step, unsigned panel, unsigned tile, unsigned tiles,
                                    int layer) {
    const std::int64_t vectors = step.panels * P, chunk = tile + layer * std::int64_t{tiles};
    add_up<P>(ring.of_sums(), xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
    xx = yx = {};
}

// The layers of chunks of a launch: groups of `count` layers, which begin at first, first + stride, .. and before
// `end`. The last group may have fewer.
struct Layers {
    int first, stride, count, end;

    LEGATO_HOST_DEVICE int groups() const { return first < end ? (end - first + stride - 1) / stride : 0; }
};

// Returns the number of `layers` layers that a block goes through, such that all multiprocessors finish at about the
// same time. It minimises the number of planes one after the other, with `to_begin` more for the beginning of each
// block. There are `columns` columns of layers with `of_layer` planes each, of `planes` planes, and `at_a_time` blocks
// at the same time.
inline int layers_of_block(int layers, std::int64_t columns, std::int64_t at_a_time, std::int64_t of_layer,
                           std::int64_t planes, std::int64_t to_begin) {
    int best = 1;
    std::int64_t least = INT64_MAX;
    for (int count = 1; count <= layers; ++count) {
        const std::int64_t blocks = columns * ((layers + count - 1) / count),
                           turns = (blocks + at_a_time - 1) / at_a_time,
                           in_turn = std::min(count * of_layer, planes) + to_begin;
        if (turns * in_turn >= least) continue;
        least = turns * in_turn;
        best = count;
    }
    return best;
}

// Performs a step of some layers of a lattice. A block moves with a tile of sites along the third direction, through a
// group of layers. Planes ahead of it are being copied to shared memory meanwhile. A thread keeps the elements of its
// own site in the planes before and after. The plane after the block's last one may not exist, and nothing beside it is
// needed.
template <int P, class Element>
__global__ void __launch_bounds__(tile_sites* lanes<P>, 1024 / (tile_sites * lanes<P>))
    lattice_step(DeviceStep<Element> step, DeviceLattice lattice, Layers layers) {
    extern __shared__ double shared[];
    const LatticeLayout& at = lattice.layout;
    const Ring<P, Element> ring(shared, at);
    const unsigned panels = step.panels, tiles = at.tiles(), tiles_x = at.tiles_x;
    const unsigned panel = blockIdx.x % panels, tile = blockIdx.x / panels % tiles;
    const int layer = layers.first + static_cast<int>(blockIdx.x / panels / tiles) * layers.stride;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>;
    const int x = slot % at.tile_x, y = slot / at.tile_x, own = at.slab_site(x, y) * P + lane * per_thread<P>;
    const std::int64_t first = layer * at.chunk_planes, x0 = static_cast<std::int64_t>(tile % tiles_x) * at.tile_x,
                       y0 = static_cast<std::int64_t>(tile / tiles_x) * at.tile_y();
    const int planes =
        static_cast<int>(min(min(layers.count, layers.end - layer) * at.chunk_planes, at.extents[2] - first));
    const std::int64_t below = at.neighbour(2, first, -1), above = at.neighbour(2, first + planes - 1, 1);
    const std::int64_t plane = at.extents[0] * at.extents[1], column = x0 + x + at.extents[0] * (y0 + y),
                       site = column + first * plane, offset = panel * step.panel + site * P + lane * per_thread<P>;
    const bool mine = x0 + x < at.extents[0] && y0 + y < at.extents[1];
    const HaloSite side = halo_site(at, slot, x0, y0, column);

    const Element* ahead = step.x + offset;
    int ahead_number = 0;
    const auto request = [&] {
        const bool inside = ahead_number < planes;
        if (inside || (ahead_number == planes && above != LatticeLayout::none)) {
            const Element* const from = inside ? ahead : ahead + (above - 1) * plane * P;
            Element* const to = ring.x(ahead_number);
            if (mine) fetch<P>(to + own, from);
            if (mine && inside && step.c != 0) fetch<P>(ring.y(ahead_number), from + (step.y - step.x));
            if (inside && side.to >= 0) fetch<P>(to + side.to * P + lane * per_thread<P>, from + side.from * P);
        }
        __pipeline_commit();
        ++ahead_number;
        ahead += plane * P;
    };
    if (__syncthreads_or(side.missing)) {
        ring.clear();
        __syncthreads();
    }
    for (int number = 0; number < ring.planes - 1; ++number) request();

    Sums<P> xx{}, yx{};
    Part<P, Element> before{}, here{};
    if (mine && below != LatticeLayout::none) before = load<P>(step.x + offset + below * plane * P);
    const double* energies = lattice.energies ? lattice.energies + site : nullptr;
    double energy = energies && mine ? __ldg(energies) : lattice.energy;
    __pipeline_wait_prior(ring.planes - 2);
    if (mine) here = shared_part<P>(ring.x(0) + own);

    for (int number = 0; number < planes; ++number) {
        __pipeline_wait_prior(ring.planes - 3);
        __syncthreads();
        request();
        if (mine) {
            const Element* const around = ring.x(number) + own;
            const bool last = number + 1 == planes;
            const Part<P, Element> after =
                last && above == LatticeLayout::none ? Part<P, Element>{} : shared_part<P>(ring.x(number + 1) + own);
            const Part<P, Element> left = shared_part<P>(around - P), right = shared_part<P>(around + P);
            Part<P, Element> down{}, up{}, sum;
            if (at.rim_y()) {
                down = shared_part<P>(around - at.slab_row() * P);
                up = shared_part<P>(around + at.slab_row() * P);
            }
            const Part<P, Element> y_old = step.c != 0 ? shared_part<P>(ring.y(number)) : Part<P, Element>{};
            for (int i = 0; i < per_thread<P>; ++i)
                sum.v[i] = (before.v[i] + after.v[i]) + (left.v[i] + right.v[i]) + (down.v[i] + up.v[i]);
            const double diagonal = __dadd_rn(__dmul_rn(step.a, energy), step.b);
            Element* const to = step.y + (ahead - step.x) - ring.planes * plane * P;
            finish_site<P>(step, to, -step.a * lattice.hopping, diagonal, sum, here, y_old, xx, yx);
            before = here;
            here = after;
            if (energies && !last) energy = __ldg(energies += plane);
        }
        if (const int each = static_cast<int>(at.chunk_planes); (number + 1) % each == 0 || number + 1 == planes)
            add_up_chunk<P>(ring, xx, yx, step, panel, tile, tiles, layer + number / each);
    }
}

struct DeviceMatrix {
    std::int64_t rows;
    const std::int64_t* row_pointers;  // null for padded rows, element k of row i at [k * rows + i]
    std::int64_t length;               // length of the longest row
    const std::int32_t* columns;
    const double* values;  // a complex element has two numbers
    RowWalk walk;
    const double* energies;  // [rows], added to the diagonal; null if there are none
};

// A block goes through a chunk of rows, row_slots of them side by side. The first elements of the rows that follow are
// being copied to shared memory meanwhile. A launch has the chunks from `first_chunk` on.
inline constexpr int row_slots = 32, matrix_threads = 1024;  // matrix_threads: per multiprocessor
inline constexpr int staged_elements = 8, staged_turns = 3;

// Value is the type of an element: double, or double2 if the matrix is complex.
template <class Value>
struct Staged {
    alignas(16) Value values[row_slots][staged_elements];
    alignas(16) std::int32_t columns[row_slots][staged_elements];
};

struct RowExtent {
    std::int64_t first = 0;
    int count = 0;
};

__device__ inline RowExtent extent_of(const DeviceMatrix& matrix, std::int32_t row) {
    if (row < 0) return {};
    if (!matrix.row_pointers) return {row, static_cast<int>(matrix.length)};
    const std::int64_t first = __ldg(matrix.row_pointers + row);
    return {first, static_cast<int>(__ldg(matrix.row_pointers + row + 1) - first)};
}

// Copies the first elements of a row with the threads of this row. If the row has fewer elements, zeros that point to
// the row itself are added.
template <int P, class Value>
__device__ inline void stage(const DeviceMatrix& matrix, std::int32_t row, const RowExtent& extent, int lane, int slot,
                             Staged<Value>& to) {
    const auto* const values = reinterpret_cast<const Value*>(matrix.values);
    const std::int64_t stride = matrix.row_pointers ? 1 : matrix.rows;
    for (int k = lane; k < staged_elements; k += lanes<P>)
        if (k < extent.count) {
            __pipeline_memcpy_async(&to.values[slot][k], values + extent.first + k * stride, sizeof(Value));
            __pipeline_memcpy_async(&to.columns[slot][k], matrix.columns + extent.first + k * stride,
                                    sizeof(std::int32_t));
        } else {
            to.values[slot][k] = Value{};
            to.columns[slot][k] = max(row, 0);
        }
}

// Adds the product of an element with x. The arithmetic is double, because elements may be of any size. The two numbers
// of x are two vectors, or the real and the imaginary part of one.
template <int P, class Element>
__device__ inline void add_product(double value, const Part<P, Element>& x, Sums<P>& sum) {
    for (int i = 0; i < per_thread<P>; ++i) sum.v[i] = fma(value, static_cast<double>(x.v[i]), sum.v[i]);
}
template <int P, class Element>
__device__ inline void add_product(double2 value, const Part<P, Element>& x, Sums<P>& sum) {
    static_assert(per_thread<P> == 2);
    const double real = x.v[0], imaginary = x.v[1];
    sum.v[0] = fma(value.x, real, sum.v[0]);
    sum.v[1] = fma(value.x, imaginary, sum.v[1]);
    sum.v[0] = fma(-value.y, imaginary, sum.v[0]);
    sum.v[1] = fma(value.y, real, sum.v[1]);
}

// Adds the products of the staged elements with x in their order.
template <int P, class Value, class Element>
__device__ inline void add_staged(const Staged<Value>& staged, int slot, const Element* from, Sums<P>& sum) {
    Part<P, Element> others[staged_elements];
#pragma unroll
    for (int k = 0; k < staged_elements; ++k)
        others[k] = load<P>(from + static_cast<std::int64_t>(staged.columns[slot][k]) * P);
#pragma unroll
    for (int k = 0; k < staged_elements; ++k) add_product<P>(staged.values[slot][k], others[k], sum);
}

// Adds the products of the elements that a row has beyond the staged ones.
template <int P, class Value, class Element>
__device__ inline void add_others(const DeviceMatrix& matrix, const RowExtent& extent, const Element* from,
                                  Sums<P>& sum) {
    const std::int64_t stride = matrix.row_pointers ? 1 : matrix.rows;
#pragma unroll 4
    for (int k = staged_elements; k < extent.count; ++k) {
        const Value value = __ldg(reinterpret_cast<const Value*>(matrix.values) + extent.first + k * stride);
        const Part<P, Element> other =
            load<P>(from + static_cast<std::int64_t>(__ldg(matrix.columns + extent.first + k * stride)) * P);
        add_product<P>(value, other, sum);
    }
}

template <int P, class Value, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, matrix_threads / (row_slots * lanes<P>))
    matrix_step(DeviceStep<Element> step, DeviceMatrix matrix, std::uint32_t first_chunk) {
    __shared__ Staged<Value> ring[staged_turns];
    __shared__ double shared[row_slots * lanes<P> / 32 * 2 * P];
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = first_chunk + blockIdx.x / panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>,
              turns = (matrix.walk.chunk_rows() + row_slots - 1) / row_slots;
    const RowWalk::Place start = matrix.walk.start(chunk);
    const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
    const Element* const from = step.x + offset;
    Element* const to = step.y + offset;
    const auto row_of = [&](int turn) { return turn < turns ? matrix.walk.row(start, turn * row_slots + slot) : -1; };

    std::int32_t ahead = row_of(0);
    RowExtent ahead_extent = extent_of(matrix, ahead);
    const auto request = [&](int turn) {
        stage<P>(matrix, ahead, ahead_extent, lane, slot, ring[turn % staged_turns]);
        __pipeline_commit();
        ahead = row_of(turn + 1);
        ahead_extent = extent_of(matrix, ahead);
    };
    for (int turn = 0; turn < staged_turns - 1; ++turn) request(turn);
    Sums<P> xx{}, yx{};
    for (int turn = 0; turn < turns; ++turn) {
        __pipeline_wait_prior(staged_turns - 2);
        __syncwarp();  // the threads of a row belong to one warp
        request(turn + staged_turns - 1);
        const std::int32_t row = row_of(turn);
        const std::int64_t at = static_cast<std::int64_t>(max(row, 0)) * P;
        const Part<P, Element> y_old = row >= 0 && step.c != 0 ? load_own<P>(to + at) : Part<P, Element>{},
                               here = load<P>(from + at);
        const double energy = matrix.energies ? __ldg(matrix.energies + max(row, 0)) : 0.0;
        Sums<P> sum{};
        add_staged<P>(ring[turn % staged_turns], slot, from, sum);
        if (matrix.length > staged_elements) add_others<P, Value>(matrix, extent_of(matrix, row), from, sum);
        if (row >= 0)
            finish_site<P, Value>(step, to + at, step.a, fma(step.a, energy, step.b), sum, here, y_old, xx, yx);
    }
    const std::int64_t vectors = step.panels * P;
    add_up<P>(shared, xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
}

}  // namespace legato::kpm
