// The steps of a unit-cell lattice, or of a slab of it, without a matrix on a device.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/buffer.hpp"
#include "kpm/cell_walk.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/drawn_energies.cuh"
#include "kpm/matrix_steps.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

struct DeviceCells {
    CellRows rows;
    CellSlab slab;
};

// A block goes through a chunk of cells in the order of the walk, row_slots of them side by side. Neighbouring cells
// read the same elements of x, which stay in the multiprocessor's cache. All threads have the same orbital at the same
// time, so that they read the same bonds. A launch has the chunks from `first_chunk` on.
template <int P, class Value, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, matrix_threads / (row_slots * lanes<P>))
    cell_step(DeviceStep<Element> step, DeviceCells cells, std::uint32_t first_chunk) {
    constexpr bool is_complex = std::is_same_v<Value, double2>;
    __shared__ double shared[row_slots * lanes<P> / 32 * 2 * P];
    const CellRows& rows = cells.rows;
    const RowWalk& walk = cells.slab.walk;
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = first_chunk + blockIdx.x / panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>, end = walk.chunk_rows();
    const RowWalk::Place start = walk.start(chunk);
    const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
    const Element* const from = step.x + offset;
    Element* const to = step.y + offset;
    Sums<P> xx{}, yx{};
    for (int k = slot; k < end; k += row_slots) {
        const RowWalk::Place place = walk.place(start, k);
        const std::int64_t cell = walk.row_at(place);
        if (cell < 0) continue;
        CellRows::Place at = cells.slab.cell_at(place);
        const bool inside = rows.is_inside(at);
        std::int64_t row = cell * rows.orbitals;
        for (at.orbital = 0; at.orbital < rows.orbitals; ++at.orbital, ++row) {
            if (rows.is_empty(row)) continue;  // x and y are 0
            const Part<P, Element> y_old = step.c != 0 ? load_own<P>(to + row * P) : Part<P, Element>{},
                                   here = load<P>(from + row * P);
            Sums<P> sum{};
            rows.for_each<is_complex>(row, at, inside, [&](std::int64_t column, double re, double im) {
                if constexpr (is_complex)
                    add_product<P>(double2{re, im}, load<P>(from + column * P), sum);
                else
                    add_product<P>(re, load<P>(from + column * P), sum);
            });
            const double diagonal = __dadd_rn(__dmul_rn(step.a, rows.energy(row, at)), step.b);
            finish_site<P>(step, to + row * P, step.a, diagonal, sum, here, y_old, xx, yx);
        }
    }
    const std::int64_t vectors = step.panels * P;
    add_up<P>(shared, xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
}

template <class Element>
class CellSteps {
  public:
    // `vacancies` are those of all sites in the realisation of each step, or null.
    CellSteps(const Problem& problem, const CellLattice& lattice, const SegmentRange& segments,
              const std::uint32_t* vacancies)
        : problem_(problem), lattice_(lattice) {
        const CellArrays host(lattice);
        is_complex_ = host.is_complex;
        on_device_.rows = host.rows;
        on_device_.slab = cells_of_slab(lattice, segments);
        on_device_.rows.first = on_device_.slab.first;
        on_device_.rows.count = on_device_.slab.count;
        on_device_.rows.halo = on_device_.slab.halo;
        on_device_.rows.first_bond = copied(host.first_bond, first_bond_);
        on_device_.rows.bonds = copied(host.bonds, bonds_);
        on_device_.rows.offsets = copied(host.offsets, offsets_);
        on_device_.rows.factors = copied(host.factors, factors_);
        on_device_.rows.vacancies = vacancies;
        set_energies();
    }

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
        chunks(step, width, 0, walk().chunks(), stream);
    }
    void chunks(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                cudaStream_t stream) const {
        if (first == end) return;
        switch (width) {
            case 1:
                return launch<1>(step, first, end, stream);
            case 2:
                return launch<2>(step, first, end, stream);
            case 4:
                return launch<4>(step, first, end, stream);
            case 8:
                return launch<8>(step, first, end, stream);
            case 16:
                return launch<16>(step, first, end, stream);
            default:
                if constexpr (widest_matrix_panel < Element >> 16) return launch<32>(step, first, end, stream);
        }
    }

  private:
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

    template <int P>
    void launch(const DeviceStep<Element>& step, std::int64_t first, std::int64_t end, cudaStream_t stream) const {
        const auto blocks = static_cast<unsigned>((end - first) * step.panels),
                   threads = unsigned{row_slots} * lanes<P>, first_chunk = static_cast<unsigned>(first);
        if constexpr (P > 1)
            if (is_complex_) {
                cell_step<P, double2, Element><<<blocks, threads, 0, stream>>>(step, on_device_, first_chunk);
                return;
            }
        cell_step<P, double, Element><<<blocks, threads, 0, stream>>>(step, on_device_, first_chunk);
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
};

}  // namespace engine_parts
}  // namespace legato::kpm
