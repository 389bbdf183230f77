// The step of a real unit-cell lattice, or of a slab of it, with planes of x in shared memory.
//
// A block has a tile of cell_slots cells, the tile of a chunk, and goes through successive chunks plane by plane. A
// ring of planes of x contains the cells beside the tile, too, and zeros beyond hard walls, so that all bonds are the
// same and lead to known places of the ring. Planes ahead are being copied meanwhile. A thread processes the same cells
// in the same order as in cell_step, so that both kernels have the same bits.
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

    LEGATO_HOST_DEVICE int planes() const { return 2 * reach_z + 2; }  // one of them is being copied
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
template <int P, class Element>
struct SharedCells {
    double* sums;
    CellBond* bonds;  // distance: in a plane of the ring, in elements
    double* values;   // [bonds][cell_slots] with factors
    Element* x;       // [planes][orbitals][of_orbital][P]
    Element* y;       // [2][orbitals][cell_slots][P]
    double* energies;
    PieceOfPlane* pieces;
    std::int32_t *first_bond, *plane_of;  // plane_of: where the plane of a bond begins, in elements
    std::int32_t* places;                 // [2][bonds] where the bonds lead in the ring, of successive planes
    unsigned bytes;

    LEGATO_HOST_DEVICE SharedCells(char* start, const CellRing& ring, const DeviceCells& cells) {
        const unsigned orbitals = cells.rows.orbitals, bonds_count = static_cast<unsigned>(cells.bonds), held = 2;
        bytes = 0;
        const auto take = [&](auto*& array, unsigned count) {
            array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(start + bytes);
            bytes += (count * static_cast<unsigned>(sizeof(*array)) + 15) / 16 * 16;
        };
        take(sums, cell_slots * lanes<P> / 32 * 2 * P);
        take(bonds, bonds_count);
        take(values, cells.has_factors ? bonds_count * cell_slots : 0);
        take(x, static_cast<unsigned>(ring.planes()) * orbitals * ring.of_orbital() * P);
        take(y, held * orbitals * cell_slots * P);
        take(energies, cells.rows.has_site_energies ? held * orbitals * cell_slots : 0);
        take(pieces, orbitals * ring.cells * (P / piece<P, Element>));
        take(first_bond, orbitals + 1);
        take(plane_of, bonds_count);
        take(places, 2 * bonds_count);
    }
};

// What a thread knows of its block and its cell.
template <int P, class Element>
class RingBlock {
  public:
    __device__ RingBlock(char* start, const CellRing& ring, const DeviceCells& cells, const DeviceStep<Element>& step,
                         unsigned panel, unsigned tile, unsigned first_plane)
        : at_(start, ring, cells), ring_(ring), cells_(cells), step_(step) {
        const RowWalk& walk = cells.slab.walk;
        place_ = walk.place(walk.start(tile), slot());
        place_.z = first_plane;
        mine_ = place_.x < walk.line && place_.y < walk.lines;
        has_y_ = step.c != 0;
        orbitals_ = static_cast<int>(cells.rows.orbitals);
        of_orbital_ = ring.of_orbital() * P;
        own_ = static_cast<int>(place_.x - (tile % walk.tiles_x << walk.log_x) + ring.reach_x +
                                ring.row * (place_.y - (tile / walk.tiles_x << walk.log_y) + ring.reach_y)) *
                   P +
               lane();
        plane_elements_ = orbitals_ * of_orbital_;
        end_ = ring.planes() * plane_elements_;
        of_plane_ = std::int64_t{walk.plane} * orbitals_;
        row_ = (place_.x + walk.line * std::int64_t{place_.y}) * orbitals_ + first_plane * of_plane_;
        y_ = step.y + panel * step.panel + row_ * P + lane();
        y_ahead_ = y_;
        energies_ = cells.rows.energies + (cells.rows.has_site_energies ? row_ : 0);
        const CellRows::Place at = cells.slab.cell_at(place_);
        z_ = neighbour_cell(std::int64_t{at.cell[ring.axis_z]}, -ring.reach_z, cells.rows.extents[ring.axis_z],
                            cells.rows.boundary[ring.axis_z]);
        if (z_ < 0) z_ = std::int64_t{at.cell[ring.axis_z]} - ring.reach_z;
        x_ = step.x + panel * step.panel;
        pieces_ = ring.cells * orbitals_ * (P / piece<P, Element>);
        prepare_bonds();
        prepare_pieces(tile);
    }

    // Begins to copy the first planes.
    __device__ void start() {
        for (int i = 0; i <= 2 * ring_.reach_z; ++i) request_x();
        request_own(0);
        __pipeline_commit();
        place_bonds(0, 0);
    }
    // Begins to copy what the next plane needs besides. `held` is 0 and 1 by turns.
    __device__ void request(int held) {
        request_x();
        request_own(held);
        __pipeline_commit();
        int begin = begin_ + plane_elements_;
        if (begin == end_) begin = 0;
        place_bonds(held, begin);
    }

    // Performs the step of a plane.
    __device__ void compute(int held, Sums<P>& xx, Sums<P>& yx) {
        if (mine_) {
            const CellRows& rows = cells_.rows;
            const CellRows::Place at = cells_.slab.cell_at(place_);
            if (cells_.has_factors) multiply(at);
            int middle = begin_ + ring_.reach_z * plane_elements_;
            if (middle >= end_) middle -= end_;
            const Element* own = at_.x + own_;
            const Element* y_held = at_.y + (held * orbitals_ * cell_slots + slot()) * P + lane();
            const double* energy = at_.energies + held * orbitals_ * cell_slots + slot();
            const std::int32_t* const places = at_.places + held * cells_.bonds;
            Element* y = y_;
            for (int orbital = 0; orbital < orbitals_; ++orbital) {
                if (!rows.vacancies || !rows.is_empty(row_ + orbital)) {  // otherwise x and y are 0
                    const Sums<P> sum = sum_over_bonds(orbital, own, places);
                    Part<P, Element> y_old{};
                    if (has_y_) y_old = shared_part<P>(y_held);
                    const double there = rows.has_site_energies ? *energy : __ldg(rows.energies + orbital);
                    finish_site<P>(step_, y, step_.a, __dadd_rn(__dmul_rn(step_.a, there), step_.b), sum,
                                   shared_part<P>(own + middle), y_old, xx, yx);
                }
                own += of_orbital_;
                y_held += cell_slots * P;
                energy += cell_slots;
                y += P;
            }
        }
        ++place_.z;
        row_ += of_plane_;
        y_ += of_plane_ * P;
        begin_ += plane_elements_;
        if (begin_ == end_) begin_ = 0;
    }

    __device__ double* sums() const { return at_.sums; }

  private:
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
            for (int plane = 0; plane < ring_.planes(); ++plane) clear(at_.x + plane * plane_elements_, to);
        }
        __syncthreads();
    }

    __device__ static void clear(Element* plane, int to) {
        for (int v = 0; v < piece<P, Element>; ++v) plane[to * piece<P, Element> + v] = 0;
    }

    // Begins to copy the next plane of x.
    __device__ void request_x() {
        constexpr int of_piece = piece<P, Element>;
        const CellRows& rows = cells_.rows;
        const int axis = ring_.axis_z;
        if (z_ == rows.extents[axis] && rows.boundary[axis] == Boundary::periodic) z_ = 0;
        Element* const to = at_.x + x_to_;
        if (z_ < 0 || z_ >= rows.extents[axis]) {
            for (int k = threadIdx.x; k < pieces_; k += blockDim.x) clear(to, at_.pieces[k].to);
        } else {
            const Element* const from = x_ + rows.column_of(z_ * of_plane_) * P;
#pragma unroll 2
            for (int k = threadIdx.x; k < pieces_; k += cell_slots * lanes<P>) {
                const PieceOfPlane next = at_.pieces[k];
                if (next.from >= 0)
                    __pipeline_memcpy_async(to + next.to * of_piece, from + std::int64_t{next.from} * of_piece,
                                            of_piece * sizeof(Element));
            }
        }
        ++z_;
        x_to_ += plane_elements_;
        if (x_to_ == end_) x_to_ = 0;
    }

    // Begins to copy the thread's elements of y and the energies of its cell.
    __device__ void request_own(int held) {
        if (mine_) {
            if (has_y_)
#pragma unroll 1
                for (int o = 0; o < orbitals_; ++o)
                    fetch<P>(at_.y + ((held * orbitals_ + o) * cell_slots + slot()) * P + lane(), y_ahead_ + o * P);
            if (cells_.rows.has_site_energies)
#pragma unroll 1
                for (int o = threadIdx.x % lanes<P>; o < orbitals_; o += lanes<P>)
                    __pipeline_memcpy_async(at_.energies + (held * orbitals_ + o) * cell_slots + slot(), energies_ + o,
                                            sizeof(double));
        }
        y_ahead_ += of_plane_ * P;
        energies_ += of_plane_;
    }

    // Finds where the bonds of a plane lead whose ring begins at `begin`.
    __device__ void place_bonds(int held, int begin) {
        for (int i = threadIdx.x; i < cells_.bonds; i += cell_slots * lanes<P>) {
            int plane = begin + at_.plane_of[i];
            if (plane >= end_) plane -= end_;
            at_.places[held * cells_.bonds + i] = plane + at_.bonds[i].distance;
        }
    }

    // Multiplies the amplitudes of the cell's bonds by their factors. The threads of a cell belong to one warp.
    __device__ void multiply(const CellRows::Place& at) {
        const unsigned together = __activemask();
        __syncwarp(together);
        for (int i = threadIdx.x % lanes<P>; i < cells_.bonds; i += lanes<P>) {
            double value = at_.bonds[i].re, imaginary = 0;
            cells_.rows.multiply<false>(at_.bonds[i], at, value, imaginary);
            at_.values[i * cell_slots + slot()] = value;
        }
        __syncwarp(together);
    }

    __device__ double value(int bond) const {
        return cells_.has_factors ? at_.values[bond * cell_slots + slot()] : at_.bonds[bond].re;
    }

    __device__ Sums<P> sum_over_bonds(int orbital, const Element* own, const std::int32_t* places) const {
        Sums<P> sum{};
        int bond = at_.first_bond[orbital];
        const int last = at_.first_bond[orbital + 1];
        const auto add_together = [&](auto count) {
            Part<P, Element> others[count()];
            double values[count()];
#pragma unroll
            for (int i = 0; i < count(); ++i) {
                others[i] = shared_part<P>(own + places[bond + i]);
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

    const SharedCells<P, Element> at_;
    const CellRing& ring_;
    const DeviceCells& cells_;
    const DeviceStep<Element>& step_;
    RowWalk::Place place_;  // of the thread's cell
    bool mine_, has_y_;     // mine: the cell exists
    int orbitals_, of_orbital_, own_, plane_elements_, end_, pieces_;
    int begin_ = 0, x_to_ = 0;  // first plane of the step, and where the next one goes
    std::int64_t of_plane_, row_, z_;
    const Element* x_;
    Element *y_, *y_ahead_;
    const double* energies_;
};

inline constexpr int ring_threads = 768;  // per multiprocessor

// Performs a step of some layers of chunks.
template <int P, class Element>
__global__ void __launch_bounds__(cell_slots* lanes<P>, ring_threads / (cell_slots * lanes<P>))
    cell_ring_step(DeviceStep<Element> step, DeviceCells cells, CellRing ring, Layers layers) {
    extern __shared__ double2 of_block[];
    const RowWalk& walk = cells.slab.walk;
    const unsigned panels = step.panels, tiles = walk.tiles_x * walk.tiles_y, panel = blockIdx.x % panels,
                   tile = blockIdx.x / panels % tiles;
    const int layer = layers.first + static_cast<int>(blockIdx.x / panels / tiles) * layers.stride,
              count = min(layers.count, layers.end - layer);
    const unsigned first = static_cast<unsigned>(layer) * walk.planes;
    const int planes =
        static_cast<int>(min(static_cast<unsigned>(count * walk.planes), walk.rows / walk.plane - first));
    RingBlock<P, Element> block(reinterpret_cast<char*>(of_block), ring, cells, step, panel, tile, first);
    block.start();
    const std::int64_t vectors = step.panels * P;
    double* sums = step.sums + (std::int64_t{layer} * tiles + tile) * 2 * vectors + panel * P;
    Sums<P> xx{}, yx{};
    for (int plane = 0, left = walk.planes; plane < planes; ++plane) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (plane + 1 < planes) block.request((plane + 1) & 1);
        block.compute(plane & 1, xx, yx);
        if (--left > 0 && plane + 1 < planes) continue;
        add_up<P>(block.sums(), xx, yx, sums, vectors);
        sums += tiles * 2 * vectors;
        left = walk.planes;
        xx = yx = {};
    }
}

// Returns the ring of a lattice, or nothing if the kernel cannot be used.
inline std::optional<CellRing> ring_of(const CellRows& rows, const CellSlab& slab) {
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
                  0};
    ring.row = ring.tile_x + 2 * ring.reach_x;
    ring.cells = ring.row * ((1 << walk.log_y) + 2 * ring.reach_y);
    return ring;
}

}  // namespace engine_parts
}  // namespace legato::kpm
