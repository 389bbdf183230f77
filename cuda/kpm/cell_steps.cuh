// The steps of a unit-cell lattice, or of a slab of it, without a matrix on a device.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/buffer.hpp"
#include "kpm/cell_row_steps.cuh"
#include "kpm/cell_walk.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/drawn_energies.cuh"
#include "kpm/matrix_steps.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

inline constexpr int cell_threads = 512;  // per multiprocessor
inline constexpr int most_staged_bonds = 64;
constexpr int widest_cell_panel = 32;

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
    const auto add = [&](const Value& value, const WidePart<P, parts, Element>& x) {
        for (int i = 0; i < parts; ++i) add_product<P>(value, x.part[i], sum.part[i]);
    };
    if (!inside) {
        rows.for_each<is_complex>(row, at, inside, [&](std::int64_t column, double re, double im) {
            add(value_of(re, im, Value{}), load_wide<P, parts>(from + column * width));
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
            values[i] = value_of(re, im, Value{});
        }
#pragma unroll
        for (int i = 0; i < count(); ++i) add(values[i], others[i]);
        bond += count();
    };
    while (bond + 3 <= end) add_together(std::integral_constant<int, 3>());
    while (bond < end) add_together(std::integral_constant<int, 1>());
    return sum;
}

// Performs the step of a thread's rows in a quarter, from place number `first` of the chunk on, and adds their
// products. `from` and `to` are the thread's elements of the panel's first site.
template <int P, int parts, class Value, class Element>
__device__ inline void step_of_quarter(const DeviceStep<Element>& step, const DeviceCells& cells, const CellRows& rows,
                                       const RowWalk::Place& start, int first, int end, const Element* from,
                                       Element* to, WidePart<P, parts, double>& xx, WidePart<P, parts, double>& yx) {
    constexpr int width = parts * P;
    for (int k = first + threadIdx.x / lanes<P> % row_slots; k < end; k += row_slots) {
        const RowWalk::Place place = cells.slab.walk.place(start, k);
        const std::int64_t cell = cells.slab.walk.row_at(place);
        if (cell < 0) continue;
        CellRows::Place at = cells.slab.cell_at(place);
        const bool inside = rows.is_inside(at);
        std::int64_t row = cell * rows.orbitals;
        for (at.orbital = 0; at.orbital < rows.orbitals; ++at.orbital, ++row) {
            if (rows.is_empty(row)) continue;  // x and y are 0
            WidePart<P, parts, Element> y_old{};
            if (step.c != 0)
                for (int i = 0; i < parts; ++i) y_old.part[i] = load_own<P>(to + row * width + i * P);
            const WidePart<P, parts, Element> here = load_wide<P, parts>(from + row * width);
            const double diagonal = __dadd_rn(__dmul_rn(step.a, rows.energy(row, at)), step.b);
            const auto sum = sum_over_bonds<P, parts, Value>(rows, cells.has_factors, row, at, inside, from);
            for (int i = 0; i < parts; ++i)
                finish_site<P, Value>(step, to + row * width + i * P, step.a, diagonal, sum.part[i], here.part[i],
                                      y_old.part[i], xx.part[i], yx.part[i]);
        }
    }
}

// Performs the step of a thread's rows in a chunk, and adds their products, in the order of cell_row_step. A block has
// the threads of one quarter, or of all.
template <int P, int parts, class Value, class Element, class Quarters>
__device__ inline void step_of_cells(const DeviceStep<Element>& step, const DeviceCells& cells, const CellRows& rows,
                                     unsigned chunk, const Element* from, Element* to, const Quarters* sums) {
    constexpr int threads = row_slots * lanes<P>;
    const RowWalk& walk = cells.slab.walk;
    const RowWalk::Place start = walk.start(chunk);
    const int quarters = quarters_of(walk), count = walk.chunk_rows() / quarters;
    for (int quarter = threadIdx.x / threads; quarter < quarters; quarter += blockDim.x / threads) {
        WidePart<P, parts, double> xx{}, yx{};
        step_of_quarter<P, parts, Value>(step, cells, rows, start, quarter * count, (quarter + 1) * count, from, to, xx,
                                         yx);
        for (int i = 0; i < parts; ++i) sums[i].take(xx.part[i], yx.part[i]);
    }
}

template <int P, int parts>
inline constexpr int threads_of_cell_step = row_slots* lanes<P>*(quarters_at_once(parts* P) ? 4 : 1);

// A block goes through a chunk of cells in the order of the walk, row_slots of them side by side. Neighbouring cells
// read the same elements of x, which stay in the multiprocessor's cache. All threads have the same orbital at the same
// time, so that they read the same bonds. These are in shared memory, because what is in the cache arrives only after
// everything that was requested before. A panel has parts * P vectors, and a thread processes per_thread<P> of each
// part. A launch has the chunks from `first_chunk` on.
template <int P, int parts, class Value, class Element>
__global__ void __launch_bounds__(threads_of_cell_step<P, parts>, cell_threads / threads_of_cell_step<P, parts>)
    cell_step(DeviceStep<Element> step, DeviceCells cells, std::uint32_t first_chunk) {
    constexpr int threads = threads_of_cell_step<P, parts>, slots = slots_together<Element>;
    using Quarters = QuarterSums<P, slots>;
    __shared__ double shared[threads / 32 * 2 * P];
    __shared__ typename Quarters::OfSlots of_slots[parts][threads / slots];
    __shared__ CellBond bonds[most_staged_bonds];
    __shared__ std::int32_t first_bond[max_orbitals + 1];
    constexpr int width = parts * P;
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = first_chunk + blockIdx.x / panels;
    const std::int64_t offset = panel * step.panel + threadIdx.x % lanes<P> * per_thread<P>;
    Quarters sums[parts];
    for (int i = 0; i < parts; ++i) sums[i] = Quarters(of_slots[i]);
    if (cells.bonds <= most_staged_bonds) {
        CellRows rows = cells.rows;
        for (int i = threadIdx.x; i < cells.bonds; i += blockDim.x) bonds[i] = rows.bonds[i];
        for (int i = threadIdx.x; i <= static_cast<int>(rows.orbitals); i += blockDim.x)
            first_bond[i] = rows.first_bond[i];
        __syncthreads();
        rows.bonds = bonds;
        rows.first_bond = first_bond;
        step_of_cells<P, parts, Value>(step, cells, rows, chunk, step.x + offset, step.y + offset, sums);
    } else {
        step_of_cells<P, parts, Value>(step, cells, cells.rows, chunk, step.x + offset, step.y + offset, sums);
    }
    const std::int64_t vectors = step.panels * width;
    for (int i = 0; i < parts; ++i) {
        const auto all = sums[i].all();
        add_up<P>(shared, all.xx, all.yx, step.sums + chunk * 2 * vectors + panel * width + i * P, vectors);
    }
}

template <class Element>
class CellSteps {
  public:
    // `vacancies` are those of all sites in the realisation of each step, or null.
    CellSteps(const Problem& problem, const CellLattice& lattice, const SegmentRange& segments,
              const std::uint32_t* vacancies, int device)
        : problem_(problem), lattice_(lattice) {
        const CellArrays host(lattice);
        is_complex_ = host.is_complex;
        on_device_.rows = host.rows;
        on_device_.slab = cells_of_slab(lattice, segments);
        on_device_.rows.first = on_device_.slab.first;
        on_device_.rows.count = on_device_.slab.count;
        on_device_.rows.halo = on_device_.slab.halo;
        on_device_.has_factors = !host.factors.empty();
        on_device_.bonds = static_cast<int>(host.bonds.size());
        on_device_.rows.first_bond = copied(host.first_bond, first_bond_);
        on_device_.rows.bonds = copied(host.bonds, bonds_);
        on_device_.rows.offsets = copied(host.offsets, offsets_);
        on_device_.rows.factors = copied(host.factors, factors_);
        on_device_.rows.vacancies = vacancies;
        set_energies();
        if (cells_in_shared_memory && CellRowSteps<Element>::can_have(host, on_device_))
            rows_.emplace(host, on_device_, device);
    }
    CellSteps(const CellSteps&) = delete;  // for rows_
    CellSteps& operator=(const CellSteps&) = delete;

    int widest_panel() const { return rows_ ? widest_matrix_panel<Element> : widest_cell_panel; }

    const RowWalk& walk() const { return on_device_.slab.walk; }
    StoredSites sites() const {
        const CellSlab& slab = on_device_.slab;
        return {slab.count, slab.halo, slab.halo, slab.first, is_complex_ ? 2 : 1};
    }

    // Draws the on-site energies of a realisation.
    void begin(std::int64_t realisation) {
        if (!has_random_energies(lattice_) || realisation == realisation_) return;
        const std::int64_t sites = on_device_.slab.count;
        draw_cells<<<blocks_for(sites, fill_threads), fill_threads>>>(
            lattice_.on_site, of_orbitals_.data(), on_device_.rows.orbitals, lattice_.disorder, lattice_.concentration,
            static_cast<std::uint64_t>(problem_.seed), static_cast<std::uint64_t>(realisation), on_device_.slab.first,
            sites, energies_.data());
        check(cudaGetLastError(), "on-site energies");
        realisation_ = realisation;
    }

    // These functions launch a step of all chunks, and of the chunks `first` .. `end` - 1.
    void all(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) const {
        launch(step, width, 0, walk().chunks(), stream, true);
    }
    void chunks(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                cudaStream_t stream) const {
        if (first < end) launch(step, width, first, end, stream, false);
    }

  private:
    void launch(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                cudaStream_t stream, bool early) const {
        if (rows_) return rows_->launch(step, width, first, end, stream, early);
        switch (width) {
            case 1:
                return launch<1, 1>(step, first, end, stream);
            case 2:
                return launch<2, 1>(step, first, end, stream);
            case 4:
                return launch<4, 1>(step, first, end, stream);
            case 8:
                return launch<4, 2>(step, first, end, stream);
            case 16:
                return launch<8, 2>(step, first, end, stream);
            default:
                return launch<16, 2>(step, first, end, stream);
        }
    }

    // Sets the energies that are the same in all realisations, and allocates memory for the others.
    void set_energies() {
        std::vector<double> of_orbitals = lattice_.energies;
        of_orbitals.resize(static_cast<std::size_t>(lattice_.orbitals));
        on_device_.rows.energies = copied(of_orbitals, of_orbitals_);
        if (!on_device_.rows.has_site_energies) return;
        energies_ = Buffer<double>(static_cast<std::size_t>(on_device_.slab.count));
        on_device_.rows.energies = energies_.data();
        if (has_random_energies(lattice_)) return;
        std::vector<double> given(energies_.size());
        draw_energies(lattice_, 0, 0, on_device_.slab.first, given);
        energies_.upload(std::span<const double>(given));
    }

    template <class T>
    static const T* copied(const std::vector<T>& from, Buffer<T>& to) {
        if (from.empty()) return nullptr;
        grow(to, from.size());
        to.upload(std::span<const T>(from));
        return to.data();
    }

    template <int P, int parts>
    void launch(const DeviceStep<Element>& step, std::int64_t first, std::int64_t end, cudaStream_t stream) const {
        const int at_once = quarters_at_once(parts * P) ? quarters_of(walk()) : 1;
        const auto blocks = static_cast<unsigned>((end - first) * step.panels),
                   threads = static_cast<unsigned>(row_slots * lanes<P> * at_once),
                   first_chunk = static_cast<unsigned>(first);
        if constexpr (P > 1)
            if (is_complex_) {
                cell_step<P, parts, double2, Element><<<blocks, threads, 0, stream>>>(step, on_device_, first_chunk);
                return;
            }
        cell_step<P, parts, double, Element><<<blocks, threads, 0, stream>>>(step, on_device_, first_chunk);
    }

    const Problem& problem_;
    const CellLattice& lattice_;
    std::int64_t realisation_ = -1;
    bool is_complex_ = false;
    Buffer<std::int32_t> first_bond_;
    Buffer<CellBond> bonds_;
    Buffer<CellOffset> offsets_;
    Buffer<double> factors_;
    Buffer<double> of_orbitals_, energies_;
    DeviceCells on_device_{};
    std::optional<CellRowSteps<Element>> rows_;  // points into on_device_
};

}  // namespace engine_parts
}  // namespace legato::kpm
