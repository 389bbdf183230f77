// The step of a unit-cell lattice, or of a slab of it, with the rows of a tile of cells in shared memory.
//
// A block goes through a chunk of cells plane by plane. In all planes that are not near an edge, a column of cells has
// the same rows. They are made once, with all phases and edges, so that little is left to do for a site: the elements
// of x that a row needs are requested together. The first rows are made while the last step ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/check.hpp"
#include "core/dependent_launch.cuh"
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
    int of_quarter;        // turns of a quarter of a chunk
    int by_x, by_z;        // cells from one turn to the next
    std::int64_t by_part;  // sites from one part to the next,
    std::int64_t by_turn;  // and from behind the last part to the next turn
    int axis, first;       // axis along which turns follow each other, and the slab's first coordinate along it
    int low, high;         // between them the rows are the same
    std::int64_t to_y;     // elements from x to y
    std::int64_t ahead_x, ahead_y;  // elements to what the cell needs for the first time; 0: not requested ahead
};

// Returns the number of quarters of a chunk, or fewer parts if there are fewer than four times as many cells as are
// processed side by side. Sums over the cells of a slot are formed for each quarter and then added in their order, so
// that quarters can be computed at the same time.
LEGATO_HOST_DEVICE inline int quarters_of(const RowWalk& walk) {
    const int tile = walk.plain ? 1 : 1 << (walk.log_x + walk.log_y),
              turns = walk.chunk_rows() / (tile > row_slots ? tile : row_slots);
    return turns >= 4 ? 4 : turns >= 2 ? 2 : 1;
}

inline CellTurns turns_of(const CellRows& rows, const CellSlab& slab) {
    const RowWalk& walk = slab.walk;
    const int tile = 1 << (walk.log_x + walk.log_y);
    CellTurns turns{};
    turns.parts = walk.plain ? 1 : std::max(tile / row_slots, 1);
    turns.turns = std::max(walk.chunk_rows() / (row_slots * turns.parts), 1);
    turns.of_quarter = turns.turns / quarters_of(walk);
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
    int turn, end;         // turns with a cell

    // Leaves out the turns of other quarters of the chunk.
    __device__ void keep_quarter(const CellTurns& turns, int quarter) {
        turn = quarter * turns.of_quarter;
        end = min(end, turn + turns.of_quarter);
        const std::int64_t before = turn * (turns.by_turn + turns.parts * turns.by_part);
        site += before * P;
        number += static_cast<std::uint32_t>(before);
    }
};

// Returns the number of turns of a chunk in which there is a cell at this place of its first turn.
__device__ inline int turns_from(const RowWalk& walk, const CellTurns& turns, const RowWalk::Place& place) {
    const int beyond = walk.plain ? walk.line - place.x : walk.rows / walk.plane - place.z;
    return min((beyond - 1) / (turns.by_x + turns.by_z) + 1, turns.turns);
}

// Returns the cells of a slot of a chunk. `x` is the panel.
template <int P, class Element>
__device__ inline CellPlace<P, Element> cell_of(const Element* x, const DeviceCells& cells, const CellTurns& turns,
                                                const RowWalk::Place& start, int slot) {
    const RowWalk& walk = cells.slab.walk;
    const RowWalk::Place place = walk.place(start, slot);
    const std::int64_t row = std::int64_t{walk.row_at(place)} * cells.rows.orbitals;
    CellPlace<P, Element> cell{x + threadIdx.x % lanes<P> * per_thread<P> + row * P, static_cast<std::uint32_t>(row), 1,
                               0, 0};
    if (row < 0 || slot >= walk.chunk_rows()) return cell;
    cell.end = turns_from(walk, turns, place);
    while (cell.parts < turns.parts && walk.row_at(walk.place(start, slot + cell.parts * row_slots)) >= 0) ++cell.parts;
    return cell;
}

// Performs the step of the turns before `end`, which have these rows, and moves on. The first group of a row is outside
// of the loop so that all its elements are requested before the first one is needed.
template <int P, class Value, int together, class Element>
__device__ inline void step_cells(const DeviceStep<Element>& step, const CellRows& rows, const CellTurns& turns,
                                  const RowGroup<Value, together>* made, int groups, int end,
                                  CellPlace<P, Element>& cell, Sums<P>& xx, Sums<P>& yx) {
    const int orbitals = static_cast<int>(rows.orbitals);
#pragma unroll 1
    for (; cell.turn < end; ++cell.turn) {
        const RowGroup<Value, together>* group = made;
#pragma unroll 1
        for (int part = 0; part < turns.parts; ++part) {
            if (part < cell.parts) {
                if (turns.ahead_x != 0 && cell.turn + 1 < end)
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

// Returns the first turn whose rows are not those of this turn. `first` is the coordinate of turn 0, and `used` the
// number of turns.
__device__ inline int end_of_rows(const CellTurns& turns, int turn, int first, int used) {
    const int width = turns.by_x + turns.by_z, at = first + turn * width,
              inside = at < turns.low ? 0 : (turns.high - at) / width;
    return turn + max(min(inside, used - turn), 1);
}

// Panels of few elements have few threads, which compute all quarters of a chunk at the same time.
constexpr bool quarters_at_once(std::int64_t width) {
    return width <= 4;
}
template <int P>
inline constexpr int threads_of_cells = row_slots* lanes<P>*(quarters_at_once(P) ? 4 : 1);

// The neighbouring slots whose sums are added before those of quarters: as many as a warp has for wide panels.
template <class Element>
inline constexpr int slots_together = 32 / lanes<widest_matrix_panel<Element>>;

// Adds the sums of `slots` neighbouring slots, in pairs.
template <int P, int slots>
__device__ inline void add_neighbours(Sums<P>& sums) {
    for (int i = 0; i < per_thread<P>; ++i)
        for (int by = lanes<P>; by < slots * lanes<P>; by *= 2) sums.v[i] += __shfl_xor_sync(~0u, sums.v[i], by);
}

// The sums of the quarters before. In shared memory, they take no registers from the loop over cells.
template <int P, int slots>
class QuarterSums {
  public:
    struct OfSlots {
        Sums<P> xx, yx;
    };

    QuarterSums() = default;
    // `shared` is [quarters at once][row_slots / slots][lanes].
    __device__ explicit QuarterSums(OfSlots* shared) : shared_(shared) {
        if (is_first()) shared_[place()] = {};
    }
    // Adds the sums of a quarter and sets them to 0.
    __device__ void take(Sums<P>& xx, Sums<P>& yx) const {
        add_neighbours<P, slots>(xx);
        add_neighbours<P, slots>(yx);
        if (is_first()) add(shared_[place()], {xx, yx});
        xx = yx = {};
    }
    // Returns the sums of all quarters, and 0 to all but one of the threads that share them.
    __device__ OfSlots all() const {
        constexpr unsigned of_quarter = row_slots * lanes<P>;
        OfSlots all{};
        __syncthreads();
        if (is_first() && threadIdx.x < of_quarter)
            for (unsigned i = place(); i < blockDim.x / slots; i += of_quarter / slots) add(all, shared_[i]);
        __syncthreads();
        return all;
    }

  private:
    __device__ static bool is_first() { return threadIdx.x / lanes<P> % slots == 0; }
    __device__ static unsigned place() { return threadIdx.x / (slots * lanes<P>)*lanes<P> + threadIdx.x % lanes<P>; }
    __device__ static void add(OfSlots& to, const OfSlots& from) {
        for (int i = 0; i < per_thread<P>; ++i) {
            to.xx.v[i] += from.xx.v[i];
            to.yx.v[i] += from.yx.v[i];
        }
    }

    OfSlots* shared_ = nullptr;
};

// A launch has the chunks from `first_chunk` on. The dynamic shared memory contains the sums of quarters and the rows,
// and finally the sums of the block.
template <int P, class Value, int together, class Element>
__global__ void __launch_bounds__(threads_of_cells<P>, matrix_threads / threads_of_cells<P>)
    cell_row_step(DeviceStep<Element> step, const __grid_constant__ DeviceCells cells,
                  const __grid_constant__ CellTurns turns, int groups, std::uint32_t first_chunk) {
    extern __shared__ double2 of_block[];
    __shared__ int used, first;  // turns with cells, and the first one's coordinate
    using Quarters = QuarterSums<P, slots_together<Element>>;
    auto* const sums = reinterpret_cast<typename Quarters::OfSlots*>(of_block);
    auto* const made = reinterpret_cast<RowGroup<Value, together>*>(sums + blockDim.x / slots_together<Element>);
    const CellRows& rows = cells.rows;
    const RowWalk& walk = cells.slab.walk;
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = first_chunk + blockIdx.x / panels;
    const RowWalk::Place start = walk.start(chunk);
    const int slot = threadIdx.x / lanes<P> % row_slots;
    if (threadIdx.x == 0) {
        used = turns_from(walk, turns, start);
        first = static_cast<int>(walk.plain ? start.x : start.z) + turns.first;
    }
    const Quarters quarters(sums);
    CellPlace<P, Element> cell = cell_of<P>(step.x + panel * step.panel, cells, turns, start, slot);
    if (quarters_at_once(P)) cell.keep_quarter(turns, threadIdx.x / (row_slots * lanes<P>));
    Sums<P> xx{}, yx{};
    int turn = 0;
#pragma unroll 1
    do {
        __syncthreads();
        make_rows(cells, turns, groups, chunk, turn, made);
        __syncthreads();
        if (turn == 0) {
            cuda::wait_for_previous_launch();
            cuda::allow_next_launch();  // not earlier, because small lattices then take longer
        }
        int end = end_of_rows(turns, turn, first, used);
        asm volatile("" : "+r"(end));  // or it is computed in each turn, and registers keep what it depends on
#pragma unroll 1
        while (turn < end) {
            turn = quarters_at_once(P) ? end : min(end, (turn & -turns.of_quarter) + turns.of_quarter);
            step_cells<P>(step, rows, turns, made + slot, groups, min(turn, cell.end), cell, xx, yx);
            if (turn == used || (!quarters_at_once(P) && (turn & (turns.of_quarter - 1)) == 0)) quarters.take(xx, yx);
        }
    } while (turn < used);
    const auto all = quarters.all();
    const std::int64_t vectors = step.panels * P;
    add_up<P>(reinterpret_cast<double*>(of_block), all.xx, all.yx, step.sums + chunk * 2 * vectors + panel * P,
              vectors);
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
          bytes_(bytes_of_rows(arrays, turns_, groups_)),
          launch_(device) {
        for (int width = is_complex_ ? 2 : 1; width <= widest_matrix_panel<Element>; width *= 2)
            leave_cache(width, device);
    }

    // Launches a step of the chunks `first` .. `end` - 1. If `early`, it begins while the kernel before it in the
    // stream ends.
    void launch(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                cudaStream_t stream, bool early) const {
        CellTurns turns = turns_;
        turns.to_y = step.y - step.x;
        if (cells_.rows.orbitals > 1) {  // one orbital comes after the other
            turns.ahead_x = (turns.by_turn + turns.parts * turns.by_part) * width;
            turns.ahead_y = turns.to_y;
        }
        const auto first_chunk = static_cast<std::uint32_t>(first),
                   blocks = static_cast<std::uint32_t>((end - first) * step.panels);
        const cuda::LaunchSize size{blocks, threads(width), shared_bytes(width), stream};
        if (early)
            launch_(kernel(width), size, step, cells_, turns, groups_.count, first_chunk);
        else
            kernel(width)<<<blocks, size.threads, size.shared_bytes, stream>>>(step, cells_, turns, groups_.count,
                                                                               first_chunk);
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

    unsigned threads(std::int64_t width) const {
        const int at_once = quarters_at_once(width) ? quarters_of(cells_.slab.walk) : 1;
        return static_cast<unsigned>(row_slots * (width == 1 ? 1 : width / 2) * at_once);
    }
    std::size_t shared_bytes(std::int64_t width) const {
        const std::size_t of_thread = 2 * sizeof(double) * (width == 1 ? 1 : 2),
                          of_quarters = threads(width) / slots_together<Element> * of_thread,
                          of_block = threads(width) / 32 * 2 * static_cast<std::size_t>(width) * sizeof(double);
        return std::max(of_quarters + bytes_, of_block);
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
    cuda::DependentLaunch launch_;
};

}  // namespace engine_parts
}  // namespace legato::kpm
