// Kernels that perform several steps of a lattice in one pass through the vectors: two steps of a cubic or a square
// lattice, and up to eight steps of a chain. Sites beside a tile are computed by several blocks. The arithmetic and the
// order of the sums are those of lattice_step, so that the results are bitwise identical.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {

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

// Returns a hx + b x + c y.
template <class Real>
__device__ inline Real new_element(Real a, Real hx, Real b, Real x, Real c, Real y) {
    return sum_of(sum_of(product_of(a, hx), product_of(b, x)), product_of(c, y));
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
    static constexpr std::size_t bytes = (2 * planes + 2) * slab * 16;
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
// tile. Planes ahead of it are being copied to shared memory meanwhile. `side_by_side` panels are processed at the same
// time and read the same energies; it divides the number of panels.
template <class Tile, class Element>
__global__ void __launch_bounds__(PassShape<Tile>::threads, 1)
    lattice_two_steps(DevicePass<Element> pass, DeviceLattice lattice, Layers layers, unsigned side_by_side) {
    using Shape = PassShape<Tile>;
    using Part = SitePart<Element>;
    constexpr int count = Part::count;
    extern __shared__ double shared[];
    __shared__ double of_sums[Shape::half_warps * 2 * count];
    Part* const x_ring = reinterpret_cast<Part*>(shared);
    Part* const y_ring = x_ring + Shape::planes * Shape::slab;
    Part* const new_ring = y_ring + Shape::planes * Shape::slab;

    const LatticeLayout& at = lattice.layout;
    const unsigned tiles_x = (at.extents[0] + Tile::x - 1) / Tile::x, tiles_y = (at.extents[1] + Tile::y - 1) / Tile::y;
    unsigned rest = blockIdx.x / side_by_side;
    const unsigned tile_x = rest % tiles_x, tile_y = (rest /= tiles_x) % tiles_y;
    rest /= tiles_y;
    const int layer = layers.first + static_cast<int>(rest % layers.groups()) * layers.stride;
    const std::int64_t panel = rest / layers.groups() * side_by_side + blockIdx.x % side_by_side;
    const std::int64_t first = layer * at.chunk_planes, plane_sites = at.extents[0] * at.extents[1];
    const int planes =
        static_cast<int>(min(min(layers.count, layers.end - layer) * at.chunk_planes, at.extents[2] - first));

    // The thread's own column, and another one next to it whose x it loads.
    const int thread = threadIdx.x, outside = thread - Shape::core;
    const bool in_tile = outside < 0;
    const std::int64_t x0 = std::int64_t{tile_x} * Tile::x, y0 = std::int64_t{tile_y} * Tile::y;
    const TileColumn column =
        in_tile ? TileColumn{thread % Tile::x, thread / Tile::x} : column_beside<Tile>(outside, 1);
    const auto slab_site = [](const TileColumn& c) { return c.x + 2 + Shape::row * (c.y + Tile::rim); };
    const std::int64_t place =
        in_tile || outside < Shape::beside ? place_of(at, x0 + column.x, y0 + column.y) : std::int64_t{-1};
    const bool exists = place >= 0, mine = in_tile && x0 + column.x < at.extents[0] && y0 + column.y < at.extents[1];
    const int own = in_tile || outside < Shape::beside ? slab_site(column) : 0;
    int far = 0;
    std::int64_t far_place = -1;
    if (!in_tile && outside < Shape::beyond) {
        const TileColumn other = column_beside<Tile>(outside, 2);
        far = slab_site(other);
        far_place = place_of(at, x0 + other.x, y0 + other.y);
    }
    const Element* const x_from = pass.x + panel * pass.panel + place * count;
    const std::int64_t to_y = pass.y - pass.x, to_far = (far_place - place) * count;
    const double* const energies = lattice.energies ? lattice.energies + place : nullptr;
    const auto plane_at = [&](int plane) { return wrapped(at, 2, first + plane); };

    const auto request = [&](int plane) {
        const std::int64_t number = plane_at(plane);
        if (number >= 0 && plane <= planes + 1) {
            const Element* const from = x_from + number * plane_sites * count;
            const int slot = (plane & (Shape::planes - 1)) * Shape::slab;
            if (exists) {
                __pipeline_memcpy_async(x_ring + slot + own, from, sizeof(Part));
                if (plane >= -1 && plane <= planes)
                    __pipeline_memcpy_async(y_ring + slot + own, from + to_y, sizeof(Part));
            }
            if (far_place >= 0) __pipeline_memcpy_async(x_ring + slot + far, from + to_far, sizeof(Part));
        }
        __pipeline_commit();
    };
    for (int i = thread; i < (2 * Shape::planes + 2) * Shape::slab; i += Shape::threads) x_ring[i] = Part{};
    __syncthreads();
    for (int plane = -2; plane < 2; ++plane) request(plane);

    const auto x_own = [&](int plane) {
        return exists && plane_at(plane) >= 0
                   ? site_at<Element>(x_ring + (plane & (Shape::planes - 1)) * Shape::slab + own)
                   : Part{};
    };
    const auto energy_at = [&](int plane) {
        if (!energies) return lattice.energy;
        const std::int64_t number = plane_at(plane);
        return exists && number >= 0 ? __ldg(energies + number * plane_sites) : 0.0;
    };
    const auto a = static_cast<Element>(-pass.a * lattice.hopping), c = static_cast<Element>(pass.c);
    const std::int64_t to = panel * pass.panel + (first * plane_sites + place) * count;
    // Adds up the neighbours' elements, of which those in the plane are in a slab.
    const auto neighbours = [&](const Part& before, const Part& after, const Part* slab) {
        const Part left = site_at<Element>(slab - 1), right = site_at<Element>(slab + 1);
        Part down, up, sum;
        if constexpr (Tile::rim > 0)
            down = site_at<Element>(slab - Shape::row), up = site_at<Element>(slab + Shape::row);
        for (int i = 0; i < count; ++i)
            sum.v[i] = (before.v[i] + after.v[i]) + (left.v[i] + right.v[i]) + (down.v[i] + up.v[i]);
        return sum;
    };

    double xx_1[count] = {}, yx_1[count] = {}, xx_2[count] = {}, yx_2[count] = {};
    double energy = energy_at(-1);
    Element diagonal_before = 0;
    __pipeline_wait_prior(2);
    Part before = x_own(-2), here = x_own(-1), new_before, new_here;
    const int each = static_cast<int>(at.chunk_planes);
    for (int plane = -1; plane <= planes; ++plane) {
        __pipeline_wait_prior(1);
        __syncthreads();
        const int slot = (plane & (Shape::planes - 1)) * Shape::slab;
        const bool plane_exists = plane_at(plane) >= 0;
        const double energy_after = plane < planes ? energy_at(plane + 1) : 0.0;
        request(plane + 3);
        const Part after = x_own(plane + 1);
        const auto diagonal = static_cast<Element>(__dadd_rn(__dmul_rn(pass.a, energy), pass.b));
        Part new_after;
        if (exists && plane_exists) {
            const Part y_old = site_at<Element>(y_ring + slot + own),
                       hx = neighbours(before, after, x_ring + slot + own);
            for (int i = 0; i < count; ++i)
                new_after.v[i] = new_element(a, hx.v[i], diagonal, here.v[i], c, y_old.v[i]);
        }
        if (exists) new_ring[(plane & 1) * Shape::slab + own] = new_after;
        if (mine && plane >= 0 && plane < planes) {
            store_site(pass.y_to + to + plane * plane_sites * count, new_after);
            for (int i = 0; i < count; ++i) {
                const double from = here.v[i];
                xx_1[i] = fma(from, from, xx_1[i]);
                yx_1[i] = fma(static_cast<double>(new_after.v[i]), from, yx_1[i]);
            }
        }
        if (mine && plane > 0) {
            const Part hx = neighbours(new_before, new_after, new_ring + ((plane - 1) & 1) * Shape::slab + own);
            Part newest;
            for (int i = 0; i < count; ++i) {
                newest.v[i] = new_element(a, hx.v[i], diagonal_before, new_here.v[i], c, before.v[i]);
                const double from = new_here.v[i];
                xx_2[i] = fma(from, from, xx_2[i]);
                yx_2[i] = fma(static_cast<double>(newest.v[i]), from, yx_2[i]);
            }
            store_site(pass.x_to + to + (plane - 1) * plane_sites * count, newest);
        }
        before = here;
        here = after;
        new_before = new_here;
        new_here = new_after;
        energy = energy_after;
        diagonal_before = diagonal;
        double* const sums = pass.sums + panel * count;
        const bool ends_2 = plane > 0 && (plane % each == 0 || plane == planes),
                   ends_1 = plane >= 0 && plane < planes && ((plane + 1) % each == 0 || plane + 1 == planes);
        if (ends_2)
            add_up_tiles<Tile, Element>(of_sums, xx_2, yx_2, at, tile_x, tile_y, layer + (plane - 1) / each,
                                        sums + pass.sums_of_step, pass.vectors);
        if (ends_1 && ends_2) __syncthreads();  // of_sums has been read
        if (ends_1)
            add_up_tiles<Tile, Element>(of_sums, xx_1, yx_1, at, tile_x, tile_y, layer + plane / each, sums,
                                        pass.vectors);
    }
}

// A block of a chain: chunks of tile_sites, one for each warp, and a warp for the sites beside them. A thread keeps
// `chain_sites` neighbouring sites of one vector in registers.
inline constexpr int chain_sites = 4, chain_chunks = 8, chain_threads = (chain_chunks + 1) * 32, most_chain_steps = 8;
static_assert(chain_sites * 32 == tile_sites);

template <class Element>
struct alignas(16) ChainPart {
    Element v[chain_sites];
};

// Adds up over the sites of a chunk, in pairs of neighbours as add_up() does. Returns <x|x> in even lanes and <y|x> in
// odd ones.
__device__ inline double sum_of_chunk(const double* xx, const double* yx) {
    const double of_xx = (xx[0] + xx[1]) + (xx[2] + xx[3]), of_yx = (yx[0] + yx[1]) + (yx[2] + yx[3]);
    const bool odd = threadIdx.x % 2 == 1;
    double sum = odd ? of_yx : of_xx;
    sum += __shfl_xor_sync(~0u, odd ? of_xx : of_yx, 1);
    for (int by = 2; by < 32; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
    return sum;
}

// Performs up to most_chain_steps steps of a chain, whose panels have one vector.
template <class Element>
__global__ void __launch_bounds__(chain_threads, 3) chain_steps(DevicePass<Element> pass, DeviceLattice lattice) {
    constexpr int beside = most_chain_steps / chain_sites, places = chain_chunks * 32 + 2 * beside;
    __shared__ Element first_of[2][places + 2], last_of[2][places + 2];
    const std::int64_t extent = lattice.layout.extents[0], chunks = lattice.layout.tiles_x,
                       blocks = (chunks + chain_chunks - 1) / chain_chunks, panel = blockIdx.x / blocks,
                       start = blockIdx.x % blocks * (chain_chunks * tile_sites);
    const bool is_periodic = lattice.layout.periodic[0];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool in_chunk = warp < chain_chunks;
    // Number of the thread's sites, counted from those before the block.
    const int number = in_chunk        ? static_cast<int>(threadIdx.x) + beside
                       : lane < beside ? lane
                                       : chain_chunks * 32 + lane;
    const bool used = number < places;
    const std::int64_t first = start + (std::int64_t{number} - beside) * chain_sites;
    const bool whole = used && first >= 0 && first + chain_sites <= extent,
               together = whole && extent % chain_sites == 0;

    using Part = ChainPart<Element>;
    Part x{}, y{}, diagonal{};
    const Element* const x_from = pass.x + panel * pass.panel;
    const Element* const y_from = pass.y + panel * pass.panel;
    bool exists[chain_sites];
    for (int i = 0; i < chain_sites; ++i) {
        std::int64_t site = first + i;
        exists[i] = used && (is_periodic || (site >= 0 && site < extent));
        if (!exists[i]) continue;
        if (site < 0 || site >= extent) site = (site % extent + extent) % extent;
        if (!together) {
            x.v[i] = x_from[site];
            if (pass.c != 0) y.v[i] = y_from[site];
        }
        const double energy = lattice.energies ? __ldg(lattice.energies + site) : lattice.energy;
        diagonal.v[i] = static_cast<Element>(__dadd_rn(__dmul_rn(pass.a, energy), pass.b));
    }
    if (together) {
        x = *reinterpret_cast<const Part*>(x_from + first);
        if (pass.c != 0) y = *reinterpret_cast<const Part*>(y_from + first);
    }

    const auto a = static_cast<Element>(-pass.a * lattice.hopping), c = static_cast<Element>(pass.c);
    const std::int64_t chunk = start / tile_sites + warp;
    double* sums = pass.sums + chunk * 2 * pass.vectors + panel + (lane % 2) * pass.vectors;
    if (threadIdx.x < 2)
        for (int i = 0; i < 2; ++i) first_of[i][places + 1] = last_of[i][0] = 0;
    // Replaces y by a H x + b x + c y.
    const auto step = [&](const Part& x, Part& y, int at) {
        if (used) {
            first_of[at][number + 1] = x.v[0];
            last_of[at][number + 1] = x.v[chain_sites - 1];
        }
        __syncthreads();
        const Element left = used ? last_of[at][number] : Element{0},
                      right = used ? first_of[at][number + 2] : Element{0};
        double xx[chain_sites], yx[chain_sites];
        for (int i = 0; i < chain_sites; ++i) {
            const Element hx =
                Element{0} + ((i == 0 ? left : x.v[i - 1]) + (i + 1 == chain_sites ? right : x.v[i + 1]));
            y.v[i] = exists[i] ? new_element(a, hx, diagonal.v[i], x.v[i], c, y.v[i]) : Element{0};
            const bool mine = first + i < extent;
            const double from = x.v[i], to = y.v[i];
            xx[i] = mine ? fma(from, from, 0.0) : 0.0;
            yx[i] = mine ? fma(to, from, 0.0) : 0.0;
        }
        if (in_chunk) {
            const double sum = sum_of_chunk(xx, yx);
            if (lane < 2 && chunk < chunks) *sums = sum;
        }
        sums += pass.sums_of_step;
    };
    for (int done = 0; done < pass.steps; done += 2) {
        step(x, y, 0);
        if (done + 1 < pass.steps)
            step(y, x, 1);
        else {
            const Part newest = y;
            y = x;
            x = newest;
        }
    }
    if (!pass.keep || !in_chunk) return;
    Element* const x_to = pass.x_to + panel * pass.panel + first;
    Element* const y_to = pass.y_to + panel * pass.panel + first;
    if (together) {
        *reinterpret_cast<Part*>(x_to) = x;
        *reinterpret_cast<Part*>(y_to) = y;
    } else {
        for (int i = 0; i < chain_sites; ++i)
            if (first + i < extent) x_to[i] = x.v[i], y_to[i] = y.v[i];
    }
}

}  // namespace legato::kpm
