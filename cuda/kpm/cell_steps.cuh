// The steps of a unit-cell lattice without a matrix on a device.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/buffer.hpp"
#include "kpm/cell_rows.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/matrix_steps.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

struct DeviceCells {
    CellRows rows;
    RowWalk walk;  // through the cells; its z is the second coordinate of a cell if along_1 is true
    bool along_1;
    bool has_factors;  // of bonds
    int bonds;         // number of bonds
};

inline constexpr int cell_threads = 512;  // per multiprocessor
inline constexpr int most_staged_bonds = 64;
constexpr int widest_cell_panel = 32;

// Returns a walk through the cells of a lattice that has enough chunks for all multiprocessors.
inline RowWalk cell_walk_of(const CellLattice& lattice) {
    constexpr std::int64_t most = 1024, least = 32, enough_chunks = 1024;
    const auto& extents = lattice.extents;
    const auto chunk = static_cast<std::uint64_t>(std::clamp(lattice.cells() / enough_chunks, least, most));
    const int log_chunk = static_cast<int>(std::bit_width(chunk)) - 1;
    const auto log_within = [](std::int64_t extent, int log) {
        return std::min(log, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent))) - 1);
    };
    const bool is_cubic = extents[1] > 1 && extents[2] > 1;
    const bool is_chain = extents[1] == 1 && extents[2] == 1;
    const int log_x = log_within(extents[0], is_cubic   ? 3
                                             : is_chain ? log_chunk
                                                        : 5),
              log_y = is_cubic ? log_within(extents[1], 3) : 0, planes = 1 << std::max(log_chunk - log_x - log_y, 0);
    const std::int64_t line = extents[0], plane = is_cubic ? line * extents[1] : line;
    return walk_with(lattice.cells(), line, plane, log_x, log_y, planes);
}

// What a thread processes of a site of a panel of width parts * P.
template <int P, int parts, class Element>
struct WidePart {
    Part<P, Element> part[parts];
};

template <int P, int parts, class Element>
__device__ inline WidePart<P, parts, Element> load_wide(const Element* at) {
    WidePart<P, parts, Element> wide;
    for (int i = 0; i < parts; ++i) wide.part[i] = load<P>(at + i * P);
    return wide;
}

// Adds up the products of the elements of a row with x. The elements of x that several bonds need are requested
// together, because each of them takes longer to arrive than everything else.
template <int P, int parts, class Value, class Element>
__device__ inline WidePart<P, parts, double> sum_over_bonds(const CellRows& rows, bool has_factors, std::int64_t row,
                                                            const CellRows::Place& at, bool inside,
                                                            const Element* from) {
    constexpr bool is_complex = std::is_same_v<Value, double2>;
    constexpr int width = parts * P;
    WidePart<P, parts, double> sum{};
    const auto value_of = [](double re, double im) {
        if constexpr (is_complex)
            return double2{re, im};
        else
            return re;
    };
    const auto add = [&](const Value& value, const WidePart<P, parts, Element>& x) {
        for (int i = 0; i < parts; ++i) add_product<P>(value, x.part[i], sum.part[i]);
    };
    if (!inside) {
        rows.for_each<is_complex>(row, at, inside, [&](std::int64_t column, double re, double im) {
            add(value_of(re, im), load_wide<P, parts>(from + column * width));
        });
        return sum;
    }
    const Element* const own = from + row * width;
    std::int32_t bond = rows.first_bond[at.orbital];
    const std::int32_t end = rows.first_bond[at.orbital + 1];
    const auto add_together = [&](auto count) {
        WidePart<P, parts, Element> others[count()];
        Value values[count()];
#pragma unroll
        for (int i = 0; i < count(); ++i)
            others[i] = load_wide<P, parts>(own + std::int64_t{rows.bonds[bond + i].distance} * width);
#pragma unroll
        for (int i = 0; i < count(); ++i) {
            double re = rows.bonds[bond + i].re, im = is_complex ? rows.bonds[bond + i].im : 0;
            if (has_factors) rows.multiply<is_complex>(rows.bonds[bond + i], at, re, im);
            values[i] = value_of(re, im);
        }
#pragma unroll
        for (int i = 0; i < count(); ++i) add(values[i], others[i]);
        bond += count();
    };
    while (bond + 3 <= end) add_together(std::integral_constant<int, 3>());
    while (bond < end) add_together(std::integral_constant<int, 1>());
    return sum;
}

// Performs the step of a thread's rows in a chunk, and adds their products. `from` and `to` are the thread's elements
// of the panel's first site.
template <int P, int parts, class Value, class Element>
__device__ inline void step_of_cells(const DeviceStep<Element>& step, const DeviceCells& cells, const CellRows& rows,
                                     unsigned chunk, const Element* from, Element* to, WidePart<P, parts, double>& xx,
                                     WidePart<P, parts, double>& yx) {
    constexpr int width = parts * P;
    const RowWalk::Place start = cells.walk.start(chunk);
    const int end = cells.walk.chunk_rows();
    for (int k = threadIdx.x / lanes<P>; k < end; k += row_slots) {
        const RowWalk::Place place = cells.walk.place(start, k);
        const std::int64_t cell = cells.walk.row_at(place);
        if (cell < 0) continue;
        CellRows::Place at{0, {place.x, cells.along_1 ? place.z : place.y, cells.along_1 ? 0 : place.z}};
        const bool inside = rows.is_inside(at);
        std::int64_t row = cell * rows.orbitals;
        for (at.orbital = 0; at.orbital < rows.orbitals; ++at.orbital, ++row) {
            WidePart<P, parts, Element> y_old{};
            if (step.c != 0)
                for (int i = 0; i < parts; ++i) y_old.part[i] = load_own<P>(to + row * width + i * P);
            const WidePart<P, parts, Element> here = load_wide<P, parts>(from + row * width);
            const double diagonal = __dadd_rn(__dmul_rn(step.a, rows.energy(row, at)), step.b);
            const auto sum = sum_over_bonds<P, parts, Value>(rows, cells.has_factors, row, at, inside, from);
            for (int i = 0; i < parts; ++i)
                finish_site<P>(step, to + row * width + i * P, step.a, diagonal, sum.part[i], here.part[i],
                               y_old.part[i], xx.part[i], yx.part[i]);
        }
    }
}

// A block goes through a chunk of cells in the order of the walk, row_slots of them side by side. Neighbouring cells
// read the same elements of x, which stay in the multiprocessor's cache. All threads have the same orbital at the same
// time, so that they read the same bonds. These are in shared memory, because what is in the cache arrives only after
// everything that was requested before. A panel has parts * P vectors, and a thread processes per_thread<P> of each
// part.
template <int P, int parts, class Value, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, cell_threads / (row_slots * lanes<P>))
    cell_step(DeviceStep<Element> step, DeviceCells cells) {
    __shared__ double shared[row_slots * lanes<P> / 32 * 2 * P];
    __shared__ CellBond bonds[most_staged_bonds];
    __shared__ std::int32_t first_bond[max_orbitals + 1];
    constexpr int width = parts * P;
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = blockIdx.x / panels;
    const std::int64_t offset = panel * step.panel + threadIdx.x % lanes<P> * per_thread<P>;
    WidePart<P, parts, double> xx{}, yx{};
    if (cells.bonds <= most_staged_bonds) {
        CellRows rows = cells.rows;
        for (int i = threadIdx.x; i < cells.bonds; i += blockDim.x) bonds[i] = rows.bonds[i];
        for (int i = threadIdx.x; i <= static_cast<int>(rows.orbitals); i += blockDim.x)
            first_bond[i] = rows.first_bond[i];
        __syncthreads();
        rows.bonds = bonds;
        rows.first_bond = first_bond;
        step_of_cells<P, parts, Value>(step, cells, rows, chunk, step.x + offset, step.y + offset, xx, yx);
    } else {
        step_of_cells<P, parts, Value>(step, cells, cells.rows, chunk, step.x + offset, step.y + offset, xx, yx);
    }
    const std::int64_t vectors = step.panels * width;
    for (int i = 0; i < parts; ++i) {
        if (i > 0) __syncthreads();
        add_up<P>(shared, xx.part[i], yx.part[i], step.sums + chunk * 2 * vectors + panel * width + i * P, vectors);
    }
}

template <class Element>
class CellSteps {
  public:
    CellSteps(const Problem& problem, const CellLattice& lattice) : problem_(problem), lattice_(lattice) {
        const CellArrays host(lattice);
        is_complex_ = host.is_complex;
        on_device_.rows = host.rows;
        on_device_.walk = cell_walk_of(lattice);
        on_device_.along_1 = lattice.extents[2] == 1;
        on_device_.has_factors = !host.factors.empty();
        on_device_.bonds = static_cast<int>(host.bonds.size());
        on_device_.rows.first_bond = copied(host.first_bond, first_bond_);
        on_device_.rows.bonds = copied(host.bonds, bonds_);
        on_device_.rows.offsets = copied(host.offsets, offsets_);
        on_device_.rows.factors = copied(host.factors, factors_);
    }

    const RowWalk& walk() const { return on_device_.walk; }

    // Draws the on-site energies of a realisation.
    void begin(std::int64_t realisation) {
        if (realisation == realisation_ || (realisation_ >= 0 && !is_random(lattice_))) return;
        energies_on_host_.resize(
            static_cast<std::size_t>(on_device_.rows.has_site_energies ? lattice_.sites() : lattice_.orbitals));
        draw_energies(lattice_, static_cast<std::uint64_t>(problem_.seed), realisation, 0, energies_on_host_);
        on_device_.rows.energies = copied(energies_on_host_, energies_);
        realisation_ = realisation;
    }

    // Launches a step of all chunks.
    void all(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) const {
        switch (width) {
            case 1:
                return launch<1, 1>(step, stream);
            case 2:
                return launch<2, 1>(step, stream);
            case 4:
                return launch<4, 1>(step, stream);
            case 8:
                return launch<4, 2>(step, stream);
            case 16:
                return launch<8, 2>(step, stream);
            default:
                return launch<16, 2>(step, stream);
        }
    }

  private:
    template <class T>
    static const T* copied(const std::vector<T>& from, Buffer<T>& to) {
        if (from.empty()) return nullptr;
        grow(to, from.size());
        to.upload(std::span<const T>(from));
        return to.data();
    }

    template <int P, int parts>
    void launch(const DeviceStep<Element>& step, cudaStream_t stream) const {
        const auto blocks = static_cast<unsigned>(on_device_.walk.chunks() * step.panels),
                   threads = unsigned{row_slots} * lanes<P>;
        if constexpr (P > 1)
            if (is_complex_) {
                cell_step<P, parts, double2, Element><<<blocks, threads, 0, stream>>>(step, on_device_);
                return;
            }
        cell_step<P, parts, double, Element><<<blocks, threads, 0, stream>>>(step, on_device_);
    }

    const Problem& problem_;
    const CellLattice& lattice_;
    std::int64_t realisation_ = -1;
    bool is_complex_ = false;
    Buffer<std::int32_t> first_bond_;
    Buffer<CellBond> bonds_;
    Buffer<CellOffset> offsets_;
    Buffer<double> factors_;
    Buffer<double> energies_;
    std::vector<double> energies_on_host_;
    DeviceCells on_device_{};
};

}  // namespace engine_parts
}  // namespace legato::kpm
