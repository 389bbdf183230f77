// The step of a unit-cell lattice, or of a slab of it, with planes of x in shared memory.
//
// A block has a tile of cell_slots cells, the tile of a chunk, and goes through successive chunks plane by plane. A ring
// of planes of x contains the cells beside the tile, too, and zeros beyond hard walls, so that all bonds are the same
// and lead to known places of the ring. Planes ahead are being copied meanwhile. A thread processes the same cells in
// the same order as in cell_step, so that both kernels have the same bits.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kpm/cell_walk.hpp"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

struct DeviceCells {
    CellRows rows;
    CellSlab slab;
    bool has_factors;  // of bonds
    int bonds;         // number of bonds
};

// The planes in shared memory. z is the direction in which a block moves, and `axis_z` its number.
struct CellRing {
    int reach_x, reach_y, reach_z, axis_z;
    int tile_x, row, cells;  // cells: of a plane, with those beside the tile; row: of a line of it
    int ahead;               // number of planes of y that are being copied while one is computed

    LEGATO_HOST_DEVICE int planes() const { return 2 * reach_z + 1 + ahead; }
    // An orbital begins in other banks than the one before.
    LEGATO_HOST_DEVICE int of_orbital() const { return cells | 1; }
};

// Elements are copied in pieces of up to 16 bytes.
template <int P, class Element>
inline constexpr int piece = std::min<int>(16 / sizeof(Element), P);

struct PieceOfPlane {
    std::int32_t from, to;  // pieces in a plane of the lattice, or -1 beyond a hard wall, and in one of the ring
};

// The arrays of a block in shared memory.
template <int P, class Value, class Element>
struct SharedCells {
    double* sums;
    CellBond* bonds;  // distance: in a plane of the ring, in elements
    Value* values;    // [bonds][cell_slots] with factors
    Element* x;       // [planes][orbitals][of_orbital][P]
    Element* y;       // [ahead + 1][orbitals][cell_slots][P]
    double* energies;
    PieceOfPlane* pieces;
    std::int32_t *first_bond, *plane_of;  // plane_of: where the plane of a bond begins, in elements
    std::size_t bytes;

    LEGATO_HOST_DEVICE SharedCells(char* start, const CellRing& ring, const DeviceCells& cells) {
        const std::size_t orbitals = cells.rows.orbitals, bonds_count = static_cast<std::size_t>(cells.bonds),
                          held = static_cast<std::size_t>(ring.ahead) + 1;
        bytes = 0;
        const auto take = [&](auto*& array, std::size_t count) {
            array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(start + bytes);
            bytes += (count * sizeof(*array) + 15) / 16 * 16;
        };
        take(sums, cell_slots * lanes<P> / 32 * 2 * P);
        take(bonds, bonds_count);
        take(values, cells.has_factors ? bonds_count * cell_slots : 0);
        take(x, static_cast<std::size_t>(ring.planes()) * orbitals * ring.of_orbital() * P);
        take(y, held * orbitals * cell_slots * P);
        take(energies, cells.rows.has_site_energies ? held * orbitals * cell_slots : 0);
        take(pieces, orbitals * ring.cells * (P / piece<P, Element>));
        take(first_bond, orbitals + 1);
        take(plane_of, bonds_count);
    }
};

// What a thread knows of its block and its cell.
template <int P, class Value, class Element>
class RingBlock {
  public:
    __device__ RingBlock(char* start, const CellRing& ring, const DeviceCells& cells,
                         const DeviceStep<Element>& step, unsigned panel, unsigned tile, unsigned first_plane)
        : at_(start, ring, cells), ring_(ring), cells_(cells), step_(step), first_(first_plane) {
        const RowWalk& walk = cells.slab.walk;
        place_ = walk.place(walk.start(tile), slot());
        mine_ = place_.x < walk.line && place_.y < walk.lines;
        panel_ = panel * step.panel;
        own_ = (place_.x - (tile % walk.tiles_x << walk.log_x) + ring.reach_x +
                ring.row * (place_.y - (tile / walk.tiles_x << walk.log_y) + ring.reach_y)) *
                   P +
               lane();
        plane_elements_ = static_cast<int>(cells.rows.orbitals) * ring.of_orbital() * P;
        of_plane_ = std::int64_t{walk.plane} * cells.rows.orbitals;
        in_plane_ = (place_.x + walk.line * std::int64_t{place_.y}) * cells.rows.orbitals;
        prepare_bonds();
        prepare_pieces(tile);
    }

    // Begins to copy what the step of plane number `plane` needs and those before it did not.
    __device__ void request(int plane, int planes) {
        if (plane < planes) {
            for (int i = plane == 0 ? 0 : 2 * ring_.reach_z; i <= 2 * ring_.reach_z; ++i) request_x(plane + i);
            request_own(plane);
        }
        __pipeline_commit();
    }

    // Performs the step of a plane.
    __device__ void compute(int plane, Sums<P>& xx, Sums<P>& yx) {
        if (!mine_) return;
        const CellRows& rows = cells_.rows;
        RowWalk::Place place = place_;
        place.z = first_ + plane;
        CellRows::Place at = cells_.slab.cell_at(place);
        std::int64_t row = place.z * of_plane_ + in_plane_;
        if (cells_.has_factors) multiply(at);
        const int begin = plane % ring_.planes() * plane_elements_, end = ring_.planes() * plane_elements_;
        int middle = begin + ring_.reach_z * plane_elements_;
        if (middle >= end) middle -= end;
        const int held = plane % (ring_.ahead + 1) * static_cast<int>(rows.orbitals);
        for (at.orbital = 0; at.orbital < rows.orbitals; ++at.orbital, ++row) {
            if (rows.is_empty(row)) continue;  // x and y are 0
            const int orbital = static_cast<int>(at.orbital);
            const Element* const own = at_.x + own_ + orbital * ring_.of_orbital() * P;
            const Sums<P> sum = sum_over_bonds(orbital, own, begin, end);
            Part<P, Element> y_old{};
            if (step_.c != 0) y_old = shared_part<P>(at_.y + ((held + orbital) * cell_slots + slot()) * P + lane());
            const double energy = rows.has_site_energies ? at_.energies[(held + orbital) * cell_slots + slot()]
                                                         : __ldg(rows.energies + orbital);
            finish_site<P>(step_, step_.y + panel_ + row * P + lane(), step_.a,
                           __dadd_rn(__dmul_rn(step_.a, energy), step_.b), sum, shared_part<P>(own + middle), y_old,
                           xx, yx);
        }
    }

    __device__ double* sums() const { return at_.sums; }

  private:
    static constexpr bool is_complex = std::is_same_v<Value, double2>;

    __device__ static int slot() { return threadIdx.x / lanes<P>; }
    __device__ static int lane() { return threadIdx.x % lanes<P> * per_thread<P>; }

    __device__ void prepare_bonds() {
        for (int i = threadIdx.x; i <= static_cast<int>(cells_.rows.orbitals); i += blockDim.x)
            at_.first_bond[i] = cells_.rows.first_bond[i];
        for (int i = threadIdx.x; i < cells_.bonds; i += blockDim.x) {
            const CellOffset& offset = cells_.rows.offsets[i];
            int to = 0;
            while (cells_.rows.first_bond[to + 1] <= i) ++to;
            CellBond bond = cells_.rows.bonds[i];
            const int y = ring_.axis_z == 2 ? offset.cell[1] : 0;
            bond.distance = ((offset.from - to) * ring_.of_orbital() + offset.cell[0] + ring_.row * y) * P;
            at_.bonds[i] = bond;
            at_.plane_of[i] = (offset.cell[ring_.axis_z] + ring_.reach_z) * plane_elements_;
        }
    }

    // Finds where the elements of a plane come from, in the order of the memory, and clears what is beyond hard walls.
    __device__ void prepare_pieces(unsigned tile) {
        constexpr int of_site = P / piece<P, Element>;
        const RowWalk& walk = cells_.slab.walk;
        const CellRows& rows = cells_.rows;
        const int orbitals = static_cast<int>(rows.orbitals), of_cell = orbitals * of_site;
        const std::int64_t x0 = std::int64_t{tile % walk.tiles_x << walk.log_x} - ring_.reach_x,
                           y0 = std::int64_t{tile / walk.tiles_x << walk.log_y} - ring_.reach_y;
        for (int i = threadIdx.x; i < ring_.cells * of_cell; i += blockDim.x) {
            const int cell = i / of_cell, rest = i % of_cell, line = cell / ring_.row;
            const std::int64_t x = neighbour_cell(x0 + cell % ring_.row, 0, rows.extents[0], rows.boundary[0]),
                               y = ring_.axis_z == 2 ? neighbour_cell(y0 + line, 0, rows.extents[1], rows.boundary[1])
                                                     : 0;
            const int to = (rest / of_site * ring_.of_orbital() + cell) * of_site + rest % of_site;
            const bool missing = x < 0 || y < 0;
            at_.pieces[i] = {missing ? -1 : static_cast<std::int32_t>((x + walk.line * y) * of_cell + rest), to};
            if (!missing) continue;
            for (int plane = 0; plane < ring_.planes(); ++plane) clear(plane, to);
        }
        __syncthreads();
    }

    __device__ void clear(int plane, int to) {
        for (int v = 0; v < piece<P, Element>; ++v) at_.x[plane * plane_elements_ + to * piece<P, Element> + v] = 0;
    }

    // Begins to copy plane number i of x, counted from the first one that the block needs.
    __device__ void request_x(int i) {
        constexpr int of_piece = piece<P, Element>;
        const CellRows& rows = cells_.rows;
        const CellRows::Place first = cells_.slab.cell_at({0, 0, first_});
        const std::int64_t z = neighbour_cell(std::int64_t{first.cell[ring_.axis_z]} - ring_.reach_z, i,
                                              rows.extents[ring_.axis_z], rows.boundary[ring_.axis_z]);
        const int plane = i % ring_.planes(),
                  count = ring_.cells * static_cast<int>(rows.orbitals) * (P / of_piece);
        if (z < 0) {
            for (int k = threadIdx.x; k < count; k += blockDim.x) clear(plane, at_.pieces[k].to);
            return;
        }
        const Element* const from = step_.x + panel_ + rows.column_of(z * of_plane_) * P;
        Element* const to = at_.x + plane * plane_elements_;
        for (int k = threadIdx.x; k < count; k += blockDim.x) {
            const PieceOfPlane next = at_.pieces[k];
            if (next.from >= 0)
                __pipeline_memcpy_async(to + next.to * of_piece, from + std::int64_t{next.from} * of_piece,
                                        of_piece * sizeof(Element));
        }
    }

    // Begins to copy the thread's elements of y and the energies of its cell.
    __device__ void request_own(int plane) {
        if (!mine_) return;
        const int orbitals = static_cast<int>(cells_.rows.orbitals), held = plane % (ring_.ahead + 1) * orbitals;
        const std::int64_t row = (first_ + plane) * of_plane_ + in_plane_;
        if (step_.c != 0)
            for (int o = 0; o < orbitals; ++o)
                fetch<P>(at_.y + ((held + o) * cell_slots + slot()) * P + lane(),
                         step_.y + panel_ + (row + o) * P + lane());
        if (!cells_.rows.has_site_energies) return;
        for (int o = threadIdx.x % lanes<P>; o < orbitals; o += lanes<P>)
            __pipeline_memcpy_async(at_.energies + (held + o) * cell_slots + slot(), cells_.rows.energies + row + o,
                                    sizeof(double));
    }

    // Multiplies the amplitudes of the cell's bonds by their factors. The threads of a cell belong to one warp.
    __device__ void multiply(const CellRows::Place& at) {
        const unsigned together = __activemask();
        __syncwarp(together);
        for (int i = threadIdx.x % lanes<P>; i < cells_.bonds; i += lanes<P>) {
            double re = at_.bonds[i].re, im = is_complex ? at_.bonds[i].im : 0;
            cells_.rows.multiply<is_complex>(at_.bonds[i], at, re, im);
            at_.values[i * cell_slots + slot()] = value_of(re, im);
        }
        __syncwarp(together);
    }

    __device__ static Value value_of(double re, double im) {
        if constexpr (is_complex)
            return double2{re, im};
        else
            return re;
    }
    __device__ Value value(int bond) const {
        if (cells_.has_factors) return at_.values[bond * cell_slots + slot()];
        return value_of(at_.bonds[bond].re, at_.bonds[bond].im);
    }

    __device__ Sums<P> sum_over_bonds(int orbital, const Element* own, int begin, int end) const {
        Sums<P> sum{};
        int bond = at_.first_bond[orbital];
        const int last = at_.first_bond[orbital + 1];
        const auto add_together = [&](auto count) {
            Part<P, Element> others[count()];
            Value values[count()];
#pragma unroll
            for (int i = 0; i < count(); ++i) {
                int from = begin + at_.plane_of[bond + i];
                if (from >= end) from -= end;
                others[i] = shared_part<P>(own + from + at_.bonds[bond + i].distance);
                values[i] = value(bond + i);
            }
#pragma unroll
            for (int i = 0; i < count(); ++i) add_product<P>(values[i], others[i], sum);
            bond += count();
        };
        while (bond + 3 <= last) add_together(std::integral_constant<int, 3>());
        while (bond < last) add_together(std::integral_constant<int, 1>());
        return sum;
    }

    const SharedCells<P, Value, Element> at_;
    const CellRing& ring_;
    const DeviceCells& cells_;
    const DeviceStep<Element>& step_;
    unsigned first_;  // plane of the slab
    RowWalk::Place place_;
    bool mine_;
    int own_, plane_elements_;
    std::int64_t panel_, of_plane_, in_plane_;
};

inline constexpr int ring_threads = 768;  // per multiprocessor

// Performs a step of some layers of chunks.
template <int P, class Value, class Element>
__global__ void __launch_bounds__(cell_slots* lanes<P>, ring_threads / (cell_slots * lanes<P>))
    cell_ring_step(DeviceStep<Element> step, DeviceCells cells, CellRing ring, Layers layers) {
    extern __shared__ double2 of_block[];
    const RowWalk& walk = cells.slab.walk;
    const unsigned panels = step.panels, tiles = walk.tiles_x * walk.tiles_y, panel = blockIdx.x % panels,
                   tile = blockIdx.x / panels % tiles;
    const int layer = layers.first + static_cast<int>(blockIdx.x / panels / tiles) * layers.stride,
              count = min(layers.count, layers.end - layer);
    const unsigned first = static_cast<unsigned>(layer) * walk.planes;
    const int planes = static_cast<int>(min(static_cast<unsigned>(count * walk.planes), walk.rows / walk.plane - first));
    RingBlock<P, Value, Element> block(reinterpret_cast<char*>(of_block), ring, cells, step, panel, tile, first);
    for (int plane = 0; plane < ring.ahead; ++plane) block.request(plane, planes);
    const std::int64_t vectors = step.panels * P;
    double* sums = step.sums + (std::int64_t{layer} * tiles + tile) * 2 * vectors + panel * P;
    Sums<P> xx{}, yx{};
    for (int plane = 0, left = walk.planes; plane < planes; ++plane) {
        if (ring.ahead == 1)
            __pipeline_wait_prior(0);
        else if (ring.ahead == 2)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(2);
        __syncthreads();
        block.request(plane + ring.ahead, planes);
        block.compute(plane, xx, yx);
        if (--left > 0 && plane + 1 < planes) continue;
        add_up<P>(block.sums(), xx, yx, sums, vectors);
        sums += tiles * 2 * vectors;
        left = walk.planes;
        xx = yx = {};
    }
}

// Returns the ring of a lattice, or nothing if the kernel cannot be used.
inline std::optional<CellRing> ring_of(const CellRows& rows, const CellSlab& slab, int ahead) {
    const RowWalk& walk = slab.walk;
    const int axis_z = slab.along_1 ? 1 : 2, most_reach = 8;
    if (walk.is_plain() || 1 << (walk.log_x + walk.log_y) != cell_slots) return {};
    if (slab.along_1 && rows.reach[2] > 0) return {};
    for (const std::uint32_t reach : rows.reach)
        if (reach > most_reach) return {};
    const std::int64_t of_plane = std::int64_t{walk.plane} * rows.orbitals, beside = slab.halo / of_plane;
    if (slab.halo > 0 && beside <= rows.reach[axis_z]) return {};
    if (of_plane > INT32_MAX / 4) return {};
    CellRing ring{static_cast<int>(rows.reach[0]),
                  slab.along_1 ? 0 : static_cast<int>(rows.reach[1]),
                  static_cast<int>(rows.reach[axis_z]),
                  axis_z,
                  1 << walk.log_x,
                  0,
                  0,
                  ahead};
    ring.row = ring.tile_x + 2 * ring.reach_x;
    ring.cells = ring.row * ((1 << walk.log_y) + 2 * ring.reach_y);
    return ring;
}

}  // namespace engine_parts
}  // namespace legato::kpm
