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
};

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

// Adds the products of the elements of a row with x. The elements of x that several bonds need are requested together,
// because each of them takes longer to arrive than everything else.
template <int P, class Value, class Element>
__device__ inline void add_bonds(const CellRows& rows, std::int64_t row, const CellRows::Place& at, bool inside,
                                 const Element* from, Sums<P>& sum) {
    constexpr bool is_complex = std::is_same_v<Value, double2>;
    constexpr int together = 4;
    const auto value = [](double re, double im) {
        if constexpr (is_complex)
            return double2{re, im};
        else
            return re;
    };
    if (!inside) {
        rows.for_each<is_complex>(row, at, inside, [&](std::int64_t column, double re, double im) {
            add_product<P>(value(re, im), load<P>(from + column * P), sum);
        });
        return;
    }
    const Element* const own = from + row * P;
    const std::int32_t end = rows.first_bond[at.orbital + 1];
    for (std::int32_t first = rows.first_bond[at.orbital]; first < end; first += together) {
        Part<P, Element> others[together];
#pragma unroll
        for (int i = 0; i < together; ++i)
            others[i] = load<P>(own + std::int64_t{rows.bonds[min(first + i, end - 1)].distance} * P);
#pragma unroll
        for (int i = 0; i < together; ++i) {
            if (first + i >= end) break;
            const CellBond& bond = rows.bonds[first + i];
            double re = bond.re, im = bond.im;
            rows.multiply<is_complex>(bond, at, re, im);
            add_product<P>(value(re, im), others[i], sum);
        }
    }
}

// A block goes through a chunk of cells in the order of the walk, row_slots of them side by side. Neighbouring cells
// read the same elements of x, which stay in the multiprocessor's cache. All threads have the same orbital at the same
// time, so that they read the same bonds.
template <int P, class Value, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, (768 + row_slots * lanes<P> - 1) / (row_slots * lanes<P>))
    cell_step(DeviceStep<Element> step, DeviceCells cells) {
    __shared__ double shared[row_slots * lanes<P> / 32 * 2 * P];
    const CellRows& rows = cells.rows;
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = blockIdx.x / panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>, end = cells.walk.chunk_rows();
    const RowWalk::Place start = cells.walk.start(chunk);
    const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
    const Element* const from = step.x + offset;
    Element* const to = step.y + offset;
    Sums<P> xx{}, yx{};
    for (int k = slot; k < end; k += row_slots) {
        const RowWalk::Place place = cells.walk.place(start, k);
        const std::int64_t cell = cells.walk.row_at(place);
        if (cell < 0) continue;
        CellRows::Place at{0, {place.x, cells.along_1 ? place.z : place.y, cells.along_1 ? 0 : place.z}};
        const bool inside = rows.is_inside(at);
        std::int64_t row = cell * rows.orbitals;
        for (at.orbital = 0; at.orbital < rows.orbitals; ++at.orbital, ++row) {
            const Part<P, Element> y_old = step.c != 0 ? load_own<P>(to + row * P) : Part<P, Element>{},
                                   here = load<P>(from + row * P);
            Sums<P> sum{};
            const double diagonal = __dadd_rn(__dmul_rn(step.a, rows.energy(row, at)), step.b);
            add_bonds<P, Value>(rows, row, at, inside, from, sum);
            finish_site<P>(step, to + row * P, step.a, diagonal, sum, here, y_old, xx, yx);
        }
    }
    const std::int64_t vectors = step.panels * P;
    add_up<P>(shared, xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
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
                return launch<1>(step, stream);
            case 2:
                return launch<2>(step, stream);
            case 4:
                return launch<4>(step, stream);
            case 8:
                return launch<8>(step, stream);
            case 16:
                return launch<16>(step, stream);
            default:
                if constexpr (widest_matrix_panel < Element >> 16) return launch<32>(step, stream);
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

    template <int P>
    void launch(const DeviceStep<Element>& step, cudaStream_t stream) const {
        const auto blocks = static_cast<unsigned>(on_device_.walk.chunks() * step.panels),
                   threads = unsigned{row_slots} * lanes<P>;
        if constexpr (P > 1)
            if (is_complex_) {
                cell_step<P, double2, Element><<<blocks, threads, 0, stream>>>(step, on_device_);
                return;
            }
        cell_step<P, double, Element><<<blocks, threads, 0, stream>>>(step, on_device_);
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
