// The steps of a unit-cell lattice without a matrix on a device.
#pragma once

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
    RowWalk walk;
};

// A block goes through a chunk of rows in the order of the walk, row_slots of them side by side. Neighbouring rows read
// the same elements of x, which stay in the multiprocessor's cache.
template <int P, class Value, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, matrix_threads / (row_slots * lanes<P>))
    cell_step(DeviceStep<Element> step, DeviceCells cells) {
    __shared__ double shared[row_slots * lanes<P> / 32 * 2 * P];
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = blockIdx.x / panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>, last = cells.walk.chunk_rows();
    const RowWalk::Place start = cells.walk.start(chunk);
    const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
    const Element* const from = step.x + offset;
    Element* const to = step.y + offset;
    Sums<P> xx{}, yx{};
    for (int k = slot; k < last; k += row_slots) {
        const std::int64_t row = cells.walk.row(start, k), at = row * P;
        if (row < 0) continue;
        const Part<P, Element> y_old = step.c != 0 ? load_own<P>(to + at) : Part<P, Element>{},
                               here = load<P>(from + at);
        const auto place = cells.rows.place(static_cast<std::uint32_t>(row));
        Sums<P> sum{};
        const auto use = [&](std::int64_t column, double re, double im) {
            if constexpr (std::is_same_v<Value, double2>)
                add_product<P>(double2{re, im}, load<P>(from + column * P), sum);
            else
                add_product<P>(re, load<P>(from + column * P), sum);
        };
        cells.rows.for_each<std::is_same_v<Value, double2>>(row, place, use);
        const double diagonal = __dadd_rn(__dmul_rn(step.a, cells.rows.energy(row, place)), step.b);
        finish_site<P>(step, to + at, step.a, diagonal, sum, here, y_old, xx, yx);
    }
    const std::int64_t vectors = step.panels * P;
    add_up<P>(shared, xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
}

template <class Element>
class CellSteps {
  public:
    CellSteps(const Problem& problem, const CellLattice& lattice, const RowWalk& walk)
        : problem_(problem), lattice_(lattice) {
        const CellArrays host(lattice);
        is_complex_ = host.is_complex;
        on_device_.rows = host.rows;
        on_device_.walk = walk;
        on_device_.rows.first_bond = copied(host.first_bond, first_bond_);
        on_device_.rows.bonds = copied(host.bonds, bonds_);
        on_device_.rows.factors = copied(host.factors, factors_);
    }

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
    Buffer<double> factors_;
    Buffer<double> energies_;
    std::vector<double> energies_on_host_;
    DeviceCells on_device_{};
};

}  // namespace engine_parts
}  // namespace legato::kpm
