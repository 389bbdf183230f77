// Two steps of a cubic or a square lattice in one pass through the vectors. Sites beside a tile are computed by several
// blocks. The arithmetic and the order of the sums are those of lattice_step.
#pragma once

#include <cuda_pipeline.h>

#include <climits>
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
    static constexpr int threads = core + (beside + 31) / 32 * 32;
    static constexpr int row = Tile::x + 4 + (Tile::rim ? 1 : 0);  // odd, against bank conflicts
    static constexpr int slab = row * (Tile::y + 2 * Tile::rim);
    static constexpr int planes = 4;  // of x and of y in shared memory
    static constexpr int half_warps = core / 16;
    static constexpr std::size_t energy_bytes = planes * threads * sizeof(double),
                                 sum_bytes = 2 * half_warps * 2 * 4 * sizeof(double),  // at most 4 elements
        bytes = (2 * planes + 2) * slab * 16 + energy_bytes + sum_bytes + sizeof(std::uint64_t);
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

// A barrier for the warps of a block. Between arriving and waiting a warp can do what the others need not wait for.
//
// One lane of each warp arrives, after __syncwarp(). The tool racecheck does not follow this and reports hazards; with
// LEGATO_RACECHECK all lanes arrive.
#ifdef LEGATO_RACECHECK
constexpr int arriving_lanes = 32;
#else
constexpr int arriving_lanes = 1;
#endif
class SplitBarrier {
  public:
    __device__ SplitBarrier(std::uint64_t* shared, int warps)
        : at_(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))) {
        if (threadIdx.x == 0)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at_), "r"(warps * arriving_lanes) : "memory");
    }
    __device__ void arrive() const {
        __syncwarp();
        if (threadIdx.x % 32 < arriving_lanes)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at_) : "memory");
    }
    // Waits until all warps have arrived once more.
    __device__ void wait() {
#if __CUDA_ARCH__ >= 900
        asm volatile(
            "{\n.reg .pred done;\n"
            "again:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(at_),
            "r"(parity_)
            : "memory");
#else
        asm volatile(
            "{\n.reg .pred done;\n"
            "again:\nmbarrier.test_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(at_),
            "r"(parity_)
            : "memory");
#endif
        parity_ ^= 1;
    }

  private:
    std::uint32_t at_, parity_ = 0;
};

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
          at_(lattice.layout),
          x_ring_(reinterpret_cast<Part*>(shared)),
          y_ring_(x_ring_ + Shape::planes * Shape::slab),
          new_ring_(y_ring_ + Shape::planes * Shape::slab),
          energy_ring_(reinterpret_cast<double*>(new_ring_ + 2 * Shape::slab) + threadIdx.x),
          sums_(energy_ring_ - threadIdx.x + Shape::planes * Shape::threads),
          barrier_(reinterpret_cast<std::uint64_t*>(shared + (Shape::bytes / sizeof(double) - 1)), Shape::threads / 32),
          a_(static_cast<Element>(-pass.a * lattice.hopping)),
          c_(static_cast<Element>(pass.c)),
          plane_sites_(at_.extents[0] * at_.extents[1]),
          energy_(lattice.energy),
          has_energies_(lattice.energies != nullptr) {
        const auto tiles_x = static_cast<unsigned>((at_.extents[0] + Tile::x - 1) / Tile::x),
                   tiles_y = static_cast<unsigned>((at_.extents[1] + Tile::y - 1) / Tile::y);
        unsigned rest = blockIdx.x / side_by_side;
        tile_x_ = rest % tiles_x;
        tile_y_ = (rest /= tiles_x) % tiles_y;
        rest /= tiles_y;
        layer_ = layers.first + static_cast<int>(rest % layers.groups()) * layers.stride;
        panel_ = rest / layers.groups() * side_by_side + blockIdx.x % side_by_side;
        find_planes(lattice, layers, find_columns());
    }

    __device__ void perform() {
        for (int i = threadIdx.x; i < (2 * Shape::planes + 2) * Shape::slab; i += Shape::threads) x_ring_[i] = Part{};
        __syncthreads();
        for (int plane = -2; plane < 2; ++plane) request(plane);
        __pipeline_wait_prior(2);
        before_ = own_x(-2);
        here_ = own_x(-1);
        int left = static_cast<int>(at_.chunk_planes);  // planes of the chunk
        bool has_ended = false;                         // whether the plane before was the last one of a chunk
        barrier_.arrive();
        for (int plane = -1; plane <= planes_; ++plane) {
            __pipeline_wait_prior(1);
            barrier_.wait();
            // Shared memory is read before it is written, so that all of these elements are requested together.
            const Part after = own_x(plane + 1), y_old = site_at<Element>(y_ring_ + slot(plane) + own_);
            const InPlane beside = neighbours(x_ring_ + slot(plane) + own_);
            const Part* const new_slab = new_ring_ + ((plane - 1) & 1) * Shape::slab + own_;
            InPlane new_beside;
            if constexpr (count == 2) new_beside = neighbours(new_slab);  // the registers are enough for this
            const double energy = has_energies_ ? energy_ring_[energy_slot(plane)] : energy_;
            const auto diagonal = static_cast<Element>(__dadd_rn(__dmul_rn(pass_.a, energy), pass_.b));
            Part new_after;
            if (exists(plane)) new_after = new_part(before_, after, beside, diagonal, here_, y_old);
            if (has_own_) new_ring_[(plane & 1) * Shape::slab + own_] = new_after;
            if constexpr (count > 2) new_beside = neighbours(new_slab);
            barrier_.arrive();
            request(plane + 3);
            if (mine_ && plane >= 0 && plane < planes_) {
                store_site(y_to_, new_after);
                add_products(here_, new_after, xx_1_, yx_1_);
            }
            if (mine_ && plane > 0) {
                const Part newest = new_part(new_before_, new_after, new_beside, diagonal_before_, new_here_, before_);
                store_site(y_to_ - plane_sites_ * count + (pass_.x_to - pass_.y_to), newest);
                add_products(new_here_, newest, xx_2_, yx_2_);
            }
            before_ = here_;
            here_ = after;
            new_before_ = new_here_;
            new_here_ = new_after;
            diagonal_before_ = diagonal;
            y_to_ += plane_sites_ * count;
            if (has_ended) {
                add_up(xx_2_, yx_2_, 1);
                ++layer_;
                left = static_cast<int>(at_.chunk_planes);
            }
            const bool ends = plane >= 0 && plane < planes_ && (--left == 0 || plane + 1 == planes_);
            if (ends) add_up(xx_1_, yx_1_, 0);
            has_ended = ends;
        }
    }

  private:
    // Finds the thread's own column, and another one outside the tile whose x it loads. Returns the number of the own
    // site in a plane.
    __device__ std::int64_t find_columns() {
        std::int64_t place = -1;
        const int thread = threadIdx.x, outside = thread - Shape::core;
        const std::int64_t x0 = std::int64_t{tile_x_} * Tile::x, y0 = std::int64_t{tile_y_} * Tile::y;
        const auto slab_site = [](const TileColumn& c) { return c.x + 2 + Shape::row * (c.y + Tile::rim); };
        const bool in_tile = outside < 0;
        if (outside < Shape::beside) {
            const TileColumn own =
                in_tile ? TileColumn{thread % Tile::x, thread / Tile::x} : column_beside<Tile>(outside, 1);
            place = place_of(at_, x0 + own.x, y0 + own.y);
            own_ = slab_site(own);
            mine_ = in_tile && x0 + own.x < at_.extents[0] && y0 + own.y < at_.extents[1];
        }
        const int far_number = in_tile ? Shape::beside + thread : outside;
        if (far_number < Shape::beyond && outside < Shape::beside) {
            const TileColumn far = column_beside<Tile>(far_number, 2);
            const std::int64_t far_place = place_of(at_, x0 + far.x, y0 + far.y);
            far_ = slab_site(far);
            has_far_ = far_place >= 0;
            to_far_ = (far_place - place) * count;
        }
        has_own_ = place >= 0;
        return place;
    }

    // The planes of the block count from 0, and there are two before and after them.
    __device__ void find_planes(const DeviceLattice& lattice, const Layers& layers, std::int64_t place) {
        const std::int64_t first = layer_ * at_.chunk_planes, extent = at_.extents[2];
        planes_ = static_cast<int>(min(min(layers.count, layers.end - layer_) * at_.chunk_planes, extent - first));
        lowest_ = at_.periodic[2] || first > 0 ? -2 : 0;
        highest_ = at_.periodic[2] || first + planes_ < extent ? planes_ + 2 : planes_;
        const std::int64_t number = first >= 2 ? first - 2 : first - 2 + extent;
        until_end_ = static_cast<int>(min(extent - number, std::int64_t{INT_MAX}));
        const std::int64_t site = number * plane_sites_ + place, panel = panel_ * pass_.panel;
        ahead_ = pass_.x + panel + site * count;
        energy_ahead_ = lattice.energies + site;
        y_to_ = pass_.y_to + panel + ((first - 1) * plane_sites_ + place) * count;
    }
    __device__ bool exists(int plane) const { return plane >= lowest_ && plane < highest_; }
    __device__ static int slot(int plane) { return (plane & (Shape::planes - 1)) * Shape::slab; }
    __device__ static int energy_slot(int plane) { return (plane & (Shape::planes - 1)) * Shape::threads; }

    // Requests the next plane.
    __device__ void request(int plane) {
        if (exists(plane)) {
            if (has_own_) {
                __pipeline_memcpy_async(x_ring_ + slot(plane) + own_, ahead_, sizeof(Part));
                if (plane >= -1 && plane <= planes_) {
                    __pipeline_memcpy_async(y_ring_ + slot(plane) + own_, ahead_ + (pass_.y - pass_.x), sizeof(Part));
                    if (has_energies_)
                        __pipeline_memcpy_async(energy_ring_ + energy_slot(plane), energy_ahead_, sizeof(double));
                }
            }
            if (has_far_) __pipeline_memcpy_async(x_ring_ + slot(plane) + far_, ahead_ + to_far_, sizeof(Part));
        }
        __pipeline_commit();
        ahead_ += plane_sites_ * count;
        energy_ahead_ += plane_sites_;
        if (--until_end_ != 0) return;
        until_end_ = static_cast<int>(min(at_.extents[2], std::int64_t{INT_MAX}));
        ahead_ -= at_.extents[2] * plane_sites_ * count;
        energy_ahead_ -= at_.extents[2] * plane_sites_;
    }

    __device__ Part own_x(int plane) const {
        return has_own_ && exists(plane) ? site_at<Element>(x_ring_ + slot(plane) + own_) : Part{};
    }

    // Sums of the two neighbours along each direction of the plane.
    struct InPlane {
        Part x, y;
    };
    __device__ static InPlane neighbours(const Part* slab) {
        const Part left = site_at<Element>(slab - 1), right = site_at<Element>(slab + 1);
        InPlane sums;
        for (int i = 0; i < count; ++i) sums.x.v[i] = left.v[i] + right.v[i];
        if constexpr (Tile::rim > 0) {
            const Part down = site_at<Element>(slab - Shape::row), up = site_at<Element>(slab + Shape::row);
            for (int i = 0; i < count; ++i) sums.y.v[i] = down.v[i] + up.v[i];
        }
        return sums;
    }

    __device__ Part new_part(const Part& before, const Part& after, const InPlane& beside, Element diagonal,
                             const Part& x, const Part& y) const {
        Part to;
        for (int i = 0; i < count; ++i) {
            const Element hx = (before.v[i] + after.v[i]) + beside.x.v[i] + beside.y.v[i];
            to.v[i] = new_element(a_, hx, diagonal, x.v[i], c_, y.v[i]);
        }
        return to;
    }
    __device__ static void add_products(const Part& from, const Part& to, double* xx, double* yx) {
        for (int i = 0; i < count; ++i) {
            const double x = from.v[i];
            xx[i] = fma(x, x, xx[i]);
            yx[i] = fma(static_cast<double>(to.v[i]), x, yx[i]);
        }
    }

    // Adds up the products of a chunk for the first or the second step, each in its own shared memory.
    __device__ void add_up(double* xx, double* yx, int step) {
        add_up_tiles<Tile, Element>(sums_ + step * (Shape::half_warps * 2 * count), xx, yx, at_, tile_x_, tile_y_,
                                    layer_, pass_.sums + panel_ * count + step * pass_.sums_of_step, pass_.vectors);
    }

    const DevicePass<Element>& pass_;
    const LatticeLayout& at_;
    Part *x_ring_, *y_ring_, *new_ring_;  // planes of x, of y, and of x after the first step
    double* energy_ring_;                 // energies of the own column
    double* sums_;                        // of half warps
    SplitBarrier barrier_;                // before a plane, for what the planes before have read and written
    Element a_, c_;
    std::int64_t plane_sites_;
    double energy_;  // of all sites, unless there are energies
    bool has_energies_;
    std::int64_t panel_ = 0;
    unsigned tile_x_ = 0, tile_y_ = 0;
    int layer_ = 0;                              // of the chunk
    int planes_ = 0, lowest_ = 0, highest_ = 0;  // the planes lowest_ .. highest_ - 1 exist
    bool has_own_ = false, has_far_ = false;     // false if there is no such column
    bool mine_ = false;                          // true if the own column is in the tile
    int own_ = 2 + Shape::row * Tile::rim;       // the columns' places in a slab
    int far_ = 0;
    std::int64_t to_far_ = 0;         // from the own column to the other one, in elements
    int until_end_ = 0;               // number of planes that are requested before the lattice ends
    const Element* ahead_ = nullptr;  // x of the next plane that is requested
    const double* energy_ahead_ = nullptr;
    Element* y_to_ = nullptr;  // where the first step's elements of the plane go
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
