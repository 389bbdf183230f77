// Two steps of a cubic or a square lattice in one pass through the vectors. Sites beside a tile are computed by several
// blocks. The arithmetic and the order of the sums are those of lattice_step.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>
#include <cstring>

#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {

// The elements of a site and panel, 16 bytes. One thread processes them.
template <class Element>
struct alignas(16) SitePart {
    static constexpr int count = 16 / sizeof(Element);
    Element v[count] = {};
};

template <class Element>
__device__ inline SitePart<Element> site_at(const SitePart<Element>* shared) {
    const float4 all = *reinterpret_cast<const float4*>(shared);
    SitePart<Element> part;
    memcpy(&part, &all, sizeof part);
    return part;
}
template <class Element>
__device__ inline void store_site(Element* to, const SitePart<Element>& part) {
    float4 all;
    memcpy(&all, &part, sizeof part);
    __stcs(reinterpret_cast<float4*>(to), all);
}

// The columns of a block: a tile of x times y sites, which consists of tiles of the layout.
struct CubicTile {
    static constexpr int x = 32, y = 16, layout_x = 16, layout_y = 8, rim = 2;
};
struct SquareTile {
    static constexpr int x = 512, y = 1, layout_x = 128, layout_y = 1, rim = 0;
};

template <class Tile>
struct PassShape {
    // Sites next to the tile, and those next to them.
    static constexpr int core = Tile::x * Tile::y, beside = Tile::rim ? 2 * (Tile::x + Tile::y) : 2,
                         beyond = Tile::rim ? beside + 4 : 2;
    static constexpr int threads = core + (beyond + 31) / 32 * 32;
    static constexpr int row = Tile::x + 4 + (Tile::rim ? 1 : 0);  // odd, against bank conflicts
    static constexpr int slab = row * (Tile::y + 2 * Tile::rim);
    static constexpr int planes = 4;  // of x and of y in shared memory
    static constexpr int half_warps = core / 16;
    static constexpr std::size_t bytes =
        (2 * planes + 2) * slab * 16 + half_warps * 2 * 16 / sizeof(float) * sizeof(double);
};

// A column of sites, by its place in the tile.
struct TileColumn {
    int x, y;
};

// Returns column number i of those at a distance from the tile: 1 for those next to it, 2 for those next to them.
template <class Tile>
__device__ inline TileColumn column_beside(int i, int distance) {
    if constexpr (Tile::rim == 0) {
        return {i == 0 ? -distance : Tile::x - 1 + distance, 0};
    } else {
        if (i < 2 * Tile::x) return {i % Tile::x, i < Tile::x ? -distance : Tile::y - 1 + distance};
        i -= 2 * Tile::x;
        if (i < 2 * Tile::y) return {i < Tile::y ? -distance : Tile::x - 1 + distance, i % Tile::y};
        i -= 2 * Tile::y;  // a corner
        return {i % 2 == 0 ? -1 : Tile::x, i < 2 ? -1 : Tile::y};
    }
}

// Returns the position of a site that may be up to two sites beyond an edge; -1 if there is none, or it is farther
// away.
__device__ inline std::int64_t wrapped(const LatticeLayout& at, int direction, std::int64_t position) {
    const std::int64_t extent = at.extents[direction];
    if (position >= 0 && position < extent) return position;
    if (!at.periodic[direction] || position > extent + 1) return -1;
    return position < 0 ? position + extent : position - extent;
}

// Returns the number of a column's site in a plane, or -1 if there is none.
__device__ inline std::int64_t place_of(const LatticeLayout& at, std::int64_t x, std::int64_t y) {
    const std::int64_t in_x = wrapped(at, 0, x), in_y = wrapped(at, 1, y);
    return in_x < 0 || in_y < 0 ? -1 : in_x + at.extents[0] * in_y;
}

// Adds up the products of the tile's sites for each tile of the layout, in pairs of neighbours as add_up() does. Sums
// of tiles beyond the lattice are left out. `shared` is [half warps][2][count].
template <class Tile, class Element>
__device__ inline void add_up_tiles(double* shared, double* xx, double* yx, const LatticeLayout& at, unsigned tile_x,
                                    unsigned tile_y, std::int64_t layer, double* sums, std::int64_t vectors) {
    constexpr int count = SitePart<Element>::count, half_warps = PassShape<Tile>::half_warps, of_tile = tile_sites / 16,
                  tiles_x = Tile::x / Tile::layout_x, tiles = half_warps / of_tile;
    for (int product = 0; product < 2; ++product)
        for (int i = 0; i < count; ++i) {
            double sum = product == 0 ? xx[i] : yx[i];
            for (int by = 1; by < 16; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
            if (threadIdx.x < PassShape<Tile>::core && threadIdx.x % 16 == 0)
                shared[(threadIdx.x / 16 * 2 + product) * count + i] = sum;
            (product == 0 ? xx : yx)[i] = 0;
        }
    __syncthreads();
    if (threadIdx.x >= tiles * 2 * count) return;
    const int which = threadIdx.x % (2 * count), tile = threadIdx.x / (2 * count), x = tile % tiles_x,
              y = tile / tiles_x;
    const std::int64_t in_x = std::int64_t{tile_x} * tiles_x + x,
                       in_y = std::int64_t{tile_y} * (Tile::y / Tile::layout_y) + y;
    if (in_x >= at.tiles_x || in_y >= at.tiles_y) return;
    // Half warp `piece` of the tile: rows of 16 sites in a cubic lattice, parts of a row in a square one.
    const auto piece = [&](int i) {
        const int half_warp = Tile::rim ? (y * Tile::layout_y + i) * tiles_x + x : x * of_tile + i;
        return shared[half_warp * 2 * count + which];
    };
    const double sum =
        ((piece(0) + piece(1)) + (piece(2) + piece(3))) + ((piece(4) + piece(5)) + (piece(6) + piece(7)));
    const std::int64_t chunk = in_x + at.tiles_x * in_y + layer * at.tiles();
    sums[chunk * 2 * vectors + which / count * vectors + which % count] = sum;
}

// Performs two steps. A block moves with a tile along the third direction, through a group of layers. In every plane it
// computes the first step for the tile and the columns next to it, and in the plane before the second step for the
// tile. Planes ahead of it are being copied to shared memory meanwhile.
template <class Tile, class Element>
class TwoSteps {
    using Shape = PassShape<Tile>;
    using Part = SitePart<Element>;
    static constexpr int count = Part::count;

  public:
    // `side_by_side` panels are processed at the same time and read the same energies.
    __device__ TwoSteps(double* shared, const DevicePass<Element>& pass, const DeviceLattice& lattice,
                        const Layers& layers, unsigned side_by_side)
        : pass_(pass),
          lattice_(lattice),
          at_(lattice.layout),
          x_ring_(reinterpret_cast<Part*>(shared)),
          y_ring_(x_ring_ + Shape::planes * Shape::slab),
          new_ring_(y_ring_ + Shape::planes * Shape::slab),
          sums_(reinterpret_cast<double*>(new_ring_ + 2 * Shape::slab)),
          a_(static_cast<Element>(-pass.a * lattice.hopping)),
          c_(static_cast<Element>(pass.c)),
          plane_sites_(at_.extents[0] * at_.extents[1]) {
        const auto tiles_x = static_cast<unsigned>((at_.extents[0] + Tile::x - 1) / Tile::x),
                   tiles_y = static_cast<unsigned>((at_.extents[1] + Tile::y - 1) / Tile::y);
        unsigned rest = blockIdx.x / side_by_side;
        tile_x_ = rest % tiles_x;
        tile_y_ = (rest /= tiles_x) % tiles_y;
        rest /= tiles_y;
        layer_ = layers.first + static_cast<int>(rest % layers.groups()) * layers.stride;
        panel_ = rest / layers.groups() * side_by_side + blockIdx.x % side_by_side;
        first_ = layer_ * at_.chunk_planes;
        planes_ =
            static_cast<int>(min(min(layers.count, layers.end - layer_) * at_.chunk_planes, at_.extents[2] - first_));
        find_columns();
        x_from_ = pass.x + panel_ * pass.panel + place_ * count;
        to_ = panel_ * pass.panel + (first_ * plane_sites_ + place_) * count;
    }

    __device__ void perform() {
        for (int i = threadIdx.x; i < (2 * Shape::planes + 2) * Shape::slab; i += Shape::threads) x_ring_[i] = Part{};
        __syncthreads();
        for (int plane = -2; plane < 2; ++plane) request(plane);
        double energy = energy_at(-1);
        __pipeline_wait_prior(2);
        before_ = own_x(-2);
        here_ = own_x(-1);
        for (int plane = -1; plane <= planes_; ++plane) {
            __pipeline_wait_prior(1);
            __syncthreads();
            const double energy_after = plane < planes_ ? energy_at(plane + 1) : 0.0;
            request(plane + 3);
            const Part after = own_x(plane + 1);
            const auto diagonal = static_cast<Element>(__dadd_rn(__dmul_rn(pass_.a, energy), pass_.b));
            const Part new_after = first_step(plane, after, diagonal);
            if (mine_ && plane > 0) second_step(plane - 1, new_after);
            before_ = here_;
            here_ = after;
            new_before_ = new_here_;
            new_here_ = new_after;
            diagonal_before_ = diagonal;
            energy = energy_after;
            add_up(plane);
        }
    }

  private:
    // Finds the thread's own column, and another one outside the tile whose x it loads.
    __device__ void find_columns() {
        const int thread = threadIdx.x, outside = thread - Shape::core;
        const std::int64_t x0 = std::int64_t{tile_x_} * Tile::x, y0 = std::int64_t{tile_y_} * Tile::y;
        const auto slab_site = [](const TileColumn& c) { return c.x + 2 + Shape::row * (c.y + Tile::rim); };
        const bool in_tile = outside < 0;
        if (outside < Shape::beside) {
            const TileColumn own =
                in_tile ? TileColumn{thread % Tile::x, thread / Tile::x} : column_beside<Tile>(outside, 1);
            place_ = place_of(at_, x0 + own.x, y0 + own.y);
            own_ = slab_site(own);
            mine_ = in_tile && x0 + own.x < at_.extents[0] && y0 + own.y < at_.extents[1];
        }
        if (!in_tile && outside < Shape::beyond) {
            const TileColumn far = column_beside<Tile>(outside, 2);
            far_place_ = place_of(at_, x0 + far.x, y0 + far.y);
            far_ = slab_site(far);
        }
    }

    // The planes of the block count from 0, and there are two before and after them. Returns the number of a plane in
    // the lattice, or -1 if there is none.
    __device__ std::int64_t plane_at(int plane) const { return wrapped(at_, 2, first_ + plane); }
    __device__ static int slot(int plane) { return (plane & (Shape::planes - 1)) * Shape::slab; }

    __device__ void request(int plane) const {
        const std::int64_t number = plane_at(plane);
        if (number >= 0 && plane <= planes_ + 1) {
            const Element* const from = x_from_ + number * plane_sites_ * count;
            if (place_ >= 0) {
                __pipeline_memcpy_async(x_ring_ + slot(plane) + own_, from, sizeof(Part));
                if (plane >= -1 && plane <= planes_)
                    __pipeline_memcpy_async(y_ring_ + slot(plane) + own_, from + (pass_.y - pass_.x), sizeof(Part));
            }
            if (far_place_ >= 0)
                __pipeline_memcpy_async(x_ring_ + slot(plane) + far_, from + (far_place_ - place_) * count,
                                        sizeof(Part));
        }
        __pipeline_commit();
    }

    __device__ Part own_x(int plane) const {
        return place_ >= 0 && plane_at(plane) >= 0 ? site_at<Element>(x_ring_ + slot(plane) + own_) : Part{};
    }

    __device__ double energy_at(int plane) const {
        if (!lattice_.energies) return lattice_.energy;
        const std::int64_t number = plane_at(plane);
        return place_ >= 0 && number >= 0 ? __ldg(lattice_.energies + place_ + number * plane_sites_) : 0.0;
    }

    // Adds up the neighbours' elements, of which those in the plane are in a slab.
    __device__ static Part neighbours(const Part& before, const Part& after, const Part* slab) {
        const Part left = site_at<Element>(slab - 1), right = site_at<Element>(slab + 1);
        Part down, up, sum;
        if constexpr (Tile::rim > 0) {
            down = site_at<Element>(slab - Shape::row);
            up = site_at<Element>(slab + Shape::row);
        }
        for (int i = 0; i < count; ++i)
            sum.v[i] = (before.v[i] + after.v[i]) + (left.v[i] + right.v[i]) + (down.v[i] + up.v[i]);
        return sum;
    }

    // Computes the new elements `to` from x and y, adds their products and stores them.
    __device__ Part new_part(const Part& hx, Element diagonal, const Part& x, const Part& y) const {
        Part to;
        for (int i = 0; i < count; ++i) to.v[i] = new_element(a_, hx.v[i], diagonal, x.v[i], c_, y.v[i]);
        return to;
    }
    __device__ static void add_products(const Part& from, const Part& to, double* xx, double* yx) {
        for (int i = 0; i < count; ++i) {
            const double x = from.v[i];
            xx[i] = fma(x, x, xx[i]);
            yx[i] = fma(static_cast<double>(to.v[i]), x, yx[i]);
        }
    }

    __device__ Part first_step(int plane, const Part& after, Element diagonal) {
        Part to;
        if (place_ < 0) return to;
        if (plane_at(plane) >= 0)
            to = new_part(neighbours(before_, after, x_ring_ + slot(plane) + own_), diagonal, here_,
                          site_at<Element>(y_ring_ + slot(plane) + own_));
        new_ring_[(plane & 1) * Shape::slab + own_] = to;
        if (mine_ && plane >= 0 && plane < planes_) {
            store_site(pass_.y_to + to_ + plane * plane_sites_ * count, to);
            add_products(here_, to, xx_1_, yx_1_);
        }
        return to;
    }

    __device__ void second_step(int plane, const Part& after) {
        const Part to = new_part(neighbours(new_before_, after, new_ring_ + (plane & 1) * Shape::slab + own_),
                                 diagonal_before_, new_here_, before_);
        store_site(pass_.x_to + to_ + plane * plane_sites_ * count, to);
        add_products(new_here_, to, xx_2_, yx_2_);
    }

    // Adds up the products of the chunks that end with the first step of this plane or the second one of that before.
    __device__ void add_up(int plane) {
        const int each = static_cast<int>(at_.chunk_planes);
        const auto ends = [&](int p) { return p >= 0 && p < planes_ && ((p + 1) % each == 0 || p + 1 == planes_); };
        double* const sums = pass_.sums + panel_ * count;
        if (ends(plane - 1))
            add_up_tiles<Tile, Element>(sums_, xx_2_, yx_2_, at_, tile_x_, tile_y_, layer_ + (plane - 1) / each,
                                        sums + pass_.sums_of_step, pass_.vectors);
        if (!ends(plane)) return;
        if (ends(plane - 1)) __syncthreads();  // the shared memory has been read
        add_up_tiles<Tile, Element>(sums_, xx_1_, yx_1_, at_, tile_x_, tile_y_, layer_ + plane / each, sums,
                                    pass_.vectors);
    }

    const DevicePass<Element>& pass_;
    const DeviceLattice& lattice_;
    const LatticeLayout& at_;
    Part *x_ring_, *y_ring_, *new_ring_;  // planes of x, of y, and of x after the first step
    double* sums_;                        // of half warps
    Element a_, c_;
    std::int64_t plane_sites_, panel_ = 0, first_ = 0;  // first_: number of plane 0 in the lattice
    unsigned tile_x_ = 0, tile_y_ = 0;
    int layer_ = 0, planes_ = 0;
    std::int64_t place_ = -1, far_place_ = -1;  // of the columns in a plane of the lattice; -1: there is none
    int own_ = 0, far_ = 0;                     // and in a slab
    bool mine_ = false;                         // true if the own column is in the tile and in the lattice
    const Element* x_from_ = nullptr;           // x of the own column in plane 0 of the lattice
    std::int64_t to_ = 0;                       // where the new elements of plane 0 of the block go
    Part before_, here_, new_before_, new_here_;
    Element diagonal_before_ = 0;
    double xx_1_[count] = {}, yx_1_[count] = {}, xx_2_[count] = {}, yx_2_[count] = {};  // products of both steps
};

// side_by_side divides the number of panels.
template <class Tile, class Element>
__global__ void __launch_bounds__(PassShape<Tile>::threads, 1)
    lattice_two_steps(DevicePass<Element> pass, DeviceLattice lattice, Layers layers, unsigned side_by_side) {
    extern __shared__ double shared[];
    TwoSteps<Tile, Element>(shared, pass, lattice, layers, side_by_side).perform();
}

}  // namespace legato::kpm
