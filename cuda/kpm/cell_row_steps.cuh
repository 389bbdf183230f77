// The step of a unit-cell lattice, or of a slab of it, with the rows of a tile of cells in shared memory.
//
// A block goes through a chunk of cells plane by plane. In all planes that are not near an edge, a column of cells has
// the same rows. They are made once, with all phases and edges, so that little is left to do for a site: the elements
// of x that a row needs are requested together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/check.hpp"
#include "kpm/cell_walk.hpp"
#include "kpm/matrix_steps.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

struct DeviceCells {
    CellRows rows;
    CellSlab slab;
    bool has_factors;  // of bonds
    int bonds;         // number of bonds
};

// Bytes of RowGroup. With at most four sites in a warp, the groups that it reads begin in different banks of shared
// memory.
constexpr int bytes_of_group(int together, bool is_complex) {
    const int of_value = is_complex ? sizeof(double2) : sizeof(double),
              pieces = (together * (of_value + static_cast<int>(sizeof(std::int32_t))) + 15) / 16;
    return 16 * (pieces % 4 == 0 ? pieces + 1 : pieces);
}

// Some elements of a row. What is missing is zero and points to the row itself.
template <class Value, int together>
struct alignas(16) RowGroup {
    static constexpr bool is_complex = sizeof(Value) > sizeof(double);
    static constexpr std::size_t bytes = bytes_of_group(together, is_complex);

    Value values[together];
    std::int32_t distances[(bytes - together * sizeof(Value)) / sizeof(std::int32_t)];  // the first `together` are used
};

// How the cells of a thread follow each other. A turn has a cell of each part of the tile.
struct CellTurns {
    int turns, parts;
    int by_x, by_z;        // cells from one turn to the next
    std::int64_t by_part;  // sites from one part to the next,
    std::int64_t by_turn;  // and from behind the last part to the next turn
    int axis, first;       // axis along which turns follow each other, and the slab's first coordinate along it
    int low, high;         // between them the rows are the same
    std::int64_t to_y;     // elements from x to y
    std::int64_t ahead_x, ahead_y;  // elements to what the cell needs for the first time; 0: not requested ahead
};

inline CellTurns turns_of(const CellRows& rows, const CellSlab& slab) {
    const RowWalk& walk = slab.walk;
    const int tile = 1 << (walk.log_x + walk.log_y);
    CellTurns turns{};
    turns.parts = walk.plain ? 1 : std::max(tile / row_slots, 1);
    turns.turns = std::max(walk.chunk_rows() / (row_slots * turns.parts), 1);
    turns.by_x = walk.plain ? row_slots : 0;
    turns.by_z = walk.plain ? 0 : std::max(row_slots / tile, 1);
    turns.by_part = (row_slots >> walk.log_x) * std::int64_t{walk.line} * rows.orbitals;
    turns.by_turn = (turns.by_x + std::int64_t{walk.plane} * turns.by_z) * rows.orbitals - turns.parts * turns.by_part;
    turns.axis = walk.plain ? 0 : slab.along_1 ? 1 : 2;
    turns.first = static_cast<int>(walk.plain ? slab.first_x : slab.first_z);
    turns.low = static_cast<int>(rows.reach[turns.axis]);
    turns.high = static_cast<int>(rows.extents[turns.axis]) - turns.low;
    return turns;
}

// Returns whether a cell's rows are the same wherever it lies between the edges of the axis.
inline bool rows_repeat(const CellArrays& arrays, int axis) {
    const std::size_t low = arrays.rows.reach[axis], extent = arrays.rows.extents[axis];
    return std::all_of(arrays.bonds.begin(), arrays.bonds.end(), [&](const CellBond& bond) {
        if (bond.table[axis] < 0) return true;
        const double* const factors = &arrays.factors[2 * static_cast<std::size_t>(bond.table[axis])];
        for (std::size_t at = low; at + low < extent; ++at)
            if (factors[2 * at] != factors[2 * low] || factors[2 * at + 1] != factors[2 * low + 1]) return false;
        return true;
    });
}

// How the elements of rows are divided into groups.
struct RowGroups {
    int together, count;  // elements of a group, and groups of a row
};

// Waiting for a group costs about as much as two more elements.
inline RowGroups groups_of(const CellArrays& arrays) {
    int longest = 1, least = INT32_MAX;
    for (std::size_t o = 0; o < arrays.rows.orbitals; ++o)
        longest = std::max(longest, arrays.first_bond[o + 1] - arrays.first_bond[o]);
    RowGroups best{};
    for (const int together : {8, 6, 4, 3}) {
        const int count = (longest + together - 1) / together, cost = count * (together + 2);
        if (cost >= least) continue;
        least = cost;
        best = {together, count};
    }
    return best;
}

__device__ inline double value_of(double re, double, double) {
    return re;
}
__device__ inline double2 value_of(double re, double im, double2) {
    return {re, im};
}

// Makes the rows of the cells of a turn: [parts][orbitals][groups][row_slots].
template <class Value, int together>
__device__ __noinline__ void make_rows(const DeviceCells& cells, const CellTurns& turns, int groups, unsigned chunk,
                                       int turn, RowGroup<Value, together>* made) {
    constexpr bool is_complex = std::is_same_v<Value, double2>;
    const CellRows& rows = cells.rows;
    const RowWalk& walk = cells.slab.walk;
    const RowWalk::Place start = walk.start(chunk);
    const int slots = row_slots * turns.parts, orbitals = static_cast<int>(rows.orbitals), length = together * groups;
    for (int i = threadIdx.x; i < slots * orbitals * length; i += blockDim.x) {
        const int number = i % slots, k = i / slots % length, orbital = i / slots / length,
                  bond = rows.first_bond[orbital] + k;
        RowWalk::Place place = walk.place(start, number);
        place.x += turn * turns.by_x;
        place.z += turn * turns.by_z;
        const std::int64_t cell = walk.row_at(place);
        double re = 0, im = 0;
        std::int64_t distance = 0;
        if (cell >= 0 && bond < rows.first_bond[orbital + 1]) {
            const CellRows::Place at = cells.slab.cell_at(place);
            if (const std::int64_t site = rows.neighbour(rows.offsets[bond], at); site >= 0) {
                distance = rows.column_of(site) - (cell * orbitals + orbital);
                re = rows.bonds[bond].re;
                im = is_complex ? rows.bonds[bond].im : 0;
                rows.multiply<is_complex>(rows.bonds[bond], at, re, im);
            }
        }
        RowGroup<Value, together>& group =
            made[((number / row_slots * orbitals + orbital) * groups + k / together) * row_slots + number % row_slots];
        group.values[k % together] = value_of(re, im, Value{});
        group.distances[k % together] = static_cast<std::int32_t>(distance);
    }
}

// Adds the products of a group of elements with x in their order.
template <int P, class Value, int together, class Element>
__device__ inline void add_group(const RowGroup<Value, together>& group, const Element* at, Sums<P>& sum) {
    Part<P, Element> others[together];
#pragma unroll
    for (int k = 0; k < together; ++k) others[k] = load<P>(at + static_cast<std::int64_t>(group.distances[k]) * P);
#pragma unroll
    for (int k = 0; k < together; ++k) add_product<P>(group.values[k], others[k], sum);
}

// Requests the sites of a cell from the second-level cache.
template <int P, class Element>
__device__ inline void prefetch_cell(const Element* x, const Element* y, int orbitals) {
#pragma unroll 1
    for (int i = threadIdx.x % lanes<P>; i < 2 * orbitals; i += lanes<P>)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(i < orbitals ? x + i * P : y + (i - orbitals) * P));
}

// What a thread knows of its cells.
template <int P, class Element>
struct CellPlace {
    const Element* site;   // x of the thread's part
    std::uint32_t number;  // of the site in the slab
    int parts;             // parts that have a cell
    int left;              // turns with a cell that follow
};

// Performs the step of `count` turns with these rows, and moves on. The first group of a row is outside of the loop so
// that all its elements are requested before the first one is needed.
template <int P, class Value, int together, class Element>
__device__ inline void step_cells(const DeviceStep<Element>& step, const CellRows& rows, const CellTurns& turns,
                                  const RowGroup<Value, together>* made, int groups, int count,
                                  CellPlace<P, Element>& cell, Sums<P>& xx, Sums<P>& yx) {
    const int orbitals = static_cast<int>(rows.orbitals);
#pragma unroll 1
    for (; count > 0; --count, --cell.left) {
        const RowGroup<Value, together>* group = made;
#pragma unroll 1
        for (int part = 0; part < turns.parts; ++part) {
            if (part < cell.parts) {
                if (turns.ahead_x != 0 && cell.left > 1)
                    prefetch_cell<P>(cell.site + turns.ahead_x, cell.site + turns.ahead_y, orbitals);
#pragma unroll 1
                for (int orbital = 0; orbital < orbitals; ++orbital) {
                    if (!rows.vacancies || !rows.is_empty(cell.number)) {  // otherwise x and y are 0
                        const Element* const y = cell.site + turns.to_y;
                        const Part<P, Element> y_old = step.c != 0 ? load_own<P>(y) : Part<P, Element>{};
                        const double energy = __ldg(rows.energies + (rows.has_site_energies ? cell.number : orbital));
                        Sums<P> sum{};
                        add_group<P>(*group, cell.site, sum);
#pragma unroll 1
                        for (int g = 1; g < groups; ++g) add_group<P>(group[g * row_slots], cell.site, sum);
                        finish_site<P, Value>(step, const_cast<Element*>(y), step.a,
                                              __dadd_rn(__dmul_rn(step.a, energy), step.b), sum, load<P>(cell.site),
                                              y_old, xx, yx);
                    }
                    group += groups * row_slots;
                    cell.site += P;
                    ++cell.number;
                }
                cell.site -= orbitals * P;
                cell.number -= orbitals;
            }
            cell.site += turns.by_part * P;
            cell.number += static_cast<std::uint32_t>(turns.by_part);
        }
        cell.site += turns.by_turn * P;
        cell.number += static_cast<std::uint32_t>(turns.by_turn);
    }
}

// A launch has the chunks from `first_chunk` on. The dynamic shared memory contains the rows, and afterwards the sums.
template <int P, class Value, int together, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, matrix_threads / (row_slots * lanes<P>))
    cell_row_step(DeviceStep<Element> step, const __grid_constant__ DeviceCells cells,
                  const __grid_constant__ CellTurns turns, int groups, std::uint32_t first_chunk) {
    extern __shared__ double2 rows_of_turn[];
    auto* const made = reinterpret_cast<RowGroup<Value, together>*>(rows_of_turn);
    const CellRows& rows = cells.rows;
    const RowWalk& walk = cells.slab.walk;
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = first_chunk + blockIdx.x / panels;
    const int slot = threadIdx.x / lanes<P>, width = turns.by_x + turns.by_z;
    const RowWalk::Place start = walk.start(chunk), place = walk.place(start, slot);
    const std::int64_t row = std::int64_t{walk.row_at(place)} * rows.orbitals;
    CellPlace<P, Element> cell{step.x + panel * step.panel + threadIdx.x % lanes<P> * per_thread<P> + row * P,
                               static_cast<std::uint32_t>(row), 1, 0};
    if (row >= 0 && slot < walk.chunk_rows()) {
        const int beyond = walk.plain ? walk.line - place.x : walk.rows / walk.plane - place.z;
        cell.left = min((beyond - 1) / width + 1, turns.turns);
        while (cell.parts < turns.parts && walk.row_at(walk.place(start, slot + cell.parts * row_slots)) >= 0)
            ++cell.parts;
    }
    Sums<P> xx{}, yx{};
    const int first = static_cast<int>(walk.plain ? start.x : start.z) + turns.first;
#pragma unroll 1
    for (int turn = 0; turn < turns.turns;) {
        __syncthreads();
        make_rows(cells, turns, groups, chunk, turn, made);
        __syncthreads();
        const int at = first + turn * width, inside = at < turns.low ? 0 : (turns.high - at) / width,
                  count = max(min(inside, turns.turns - turn), 1);
        step_cells<P>(step, rows, turns, made + slot, groups, min(count, cell.left), cell, xx, yx);
        turn += count;
    }
    const std::int64_t vectors = step.panels * P;
    __syncthreads();
    add_up<P>(reinterpret_cast<double*>(rows_of_turn), xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
}

// Returns the bytes of the rows of a turn.
inline std::size_t bytes_of_rows(const CellArrays& arrays, const CellTurns& turns, const RowGroups& groups) {
    return static_cast<std::size_t>(row_slots * turns.parts * groups.count) * arrays.rows.orbitals *
           bytes_of_group(groups.together, arrays.is_complex);
}

// The launches of this kernel.
template <class Element>
class CellRowSteps {
  public:
    // Returns whether the kernel can be used. All slabs of a lattice have the same answer.
    static bool can_have(const CellArrays& arrays, const DeviceCells& cells) {
        const CellTurns turns = turns_of(cells.rows, cells.slab);
        return bytes_of_rows(arrays, turns, groups_of(arrays)) <= most_bytes && rows_repeat(arrays, turns.axis);
    }

    CellRowSteps(const CellArrays& arrays, const DeviceCells& cells, int device)
        : cells_(cells),
          is_complex_(arrays.is_complex),
          turns_(turns_of(cells.rows, cells.slab)),
          groups_(groups_of(arrays)),
          bytes_(bytes_of_rows(arrays, turns_, groups_)) {
        for (int width = is_complex_ ? 2 : 1; width <= widest_matrix_panel<Element>; width *= 2)
            leave_cache(width, device);
    }

    // Launches a step of the chunks `first` .. `end` - 1.
    void launch(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                cudaStream_t stream) const {
        CellTurns turns = turns_;
        turns.to_y = step.y - step.x;
        if (cells_.rows.orbitals > 1) {  // one orbital comes after the other
            turns.ahead_x = (turns.by_turn + turns.parts * turns.by_part) * width;
            turns.ahead_y = turns.to_y;
        }
        const auto blocks = static_cast<unsigned>((end - first) * step.panels);
        kernel(width)<<<blocks, threads(width), shared_bytes(width), stream>>>(step, cells_, turns, groups_.count,
                                                                               static_cast<std::uint32_t>(first));
    }

  private:
    using Kernel = void (*)(DeviceStep<Element>, DeviceCells, CellTurns, int, std::uint32_t);

    // The rows of the blocks of a multiprocessor take memory from the first-level cache.
    static constexpr std::size_t most_bytes = 24 * 1024;
    static constexpr int most_blocks = 32;  // of a multiprocessor

    template <int P, class Value>
    Kernel kernel_of() const {
        switch (groups_.together) {
            case 3:
                return cell_row_step<P, Value, 3, Element>;
            case 4:
                return cell_row_step<P, Value, 4, Element>;
            case 6:
                return cell_row_step<P, Value, 6, Element>;
            default:
                return cell_row_step<P, Value, 8, Element>;
        }
    }
    template <int P>
    Kernel kernel_of() const {
        if constexpr (P > 1)
            if (is_complex_) return kernel_of<P, double2>();
        return kernel_of<P, double>();
    }
    Kernel kernel(std::int64_t width) const {
        switch (width) {
            case 1:
                return kernel_of<1>();
            case 2:
                return kernel_of<2>();
            case 4:
                return kernel_of<4>();
            case 8:
                return kernel_of<8>();
            case 16:
                return kernel_of<16>();
            default:
                return kernel_of<widest_matrix_panel<Element>>();
        }
    }

    static unsigned threads(std::int64_t width) {
        return static_cast<unsigned>(row_slots * (width == 1 ? 1 : width / 2));
    }
    std::size_t shared_bytes(std::int64_t width) const {
        const std::size_t sums = threads(width) / 32 * 2 * static_cast<std::size_t>(width) * sizeof(double);
        return std::max(bytes_, sums);
    }

    // Asks for no more shared memory than the resident blocks need, so that the cache has the rest.
    void leave_cache(int width, int device) const {
        const int blocks = std::min(matrix_threads / static_cast<int>(threads(width)), most_blocks),
                  of_block = static_cast<int>(shared_bytes(width)) +
                             cuda::attribute(cudaDevAttrReservedSharedMemoryPerBlock, device),
                  all = cuda::attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
        cuda::check(cudaFuncSetAttribute(kernel(width), cudaFuncAttributePreferredSharedMemoryCarveout,
                                         std::min((blocks * of_block * 100 + all - 1) / all, 100)),
                    "cudaFuncSetAttribute");
    }

    const DeviceCells& cells_;
    bool is_complex_;
    CellTurns turns_;
    RowGroups groups_;
    std::size_t bytes_;  // of the rows of a turn
};

}  // namespace engine_parts
}  // namespace legato::kpm
