// The steps of a lattice, or of a slab of it, on a device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "core/buffer.hpp"
#include "core/shared_memory.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/drawn_energies.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

// Lattices use at most 8 vectors, because wider panels have nothing more to share.
constexpr int widest_lattice_panel = 8;

template <class Element>
class LatticeSteps {
  public:
    LatticeSteps(const Problem& problem, const Lattice& lattice, const LatticeLayout& layout, int device)
        : problem_(problem), lattice_(lattice), device_(device) {
        const auto sites = static_cast<std::size_t>(layout.sites()),
                   first = static_cast<std::size_t>(layout.first_site());
        if (is_random(lattice) || lattice.on_site == OnSite::energies) energies_ = Buffer<double>(sites);
        if (lattice.on_site == OnSite::energies) energies_.upload(std::span(lattice.energies).subspan(first, sites));
        on_device_ = {layout, lattice.hopping, lattice.energy, energies_.data()};
        resident_ = {resident<1>(), resident<2>(), resident<4>(), resident<8>()};
    }

    const LatticeLayout& layout() const { return on_device_.layout; }
    const DeviceLattice& on_device() const { return on_device_; }
    StoredSites sites() const {
        return {layout().sites(), layout().halo_sites(), layout().halo_sites(), layout().first_site()};
    }

    // Draws the on-site energies of a realisation.
    void begin(std::int64_t realisation) {
        if (!is_random(lattice_) || realisation == realisation_) return;
        const std::int64_t sites = layout().sites();
        draw<<<blocks_for(sites, fill_threads), fill_threads>>>(
            lattice_.on_site, lattice_.energy, lattice_.disorder, lattice_.concentration,
            static_cast<std::uint64_t>(problem_.seed), static_cast<std::uint64_t>(realisation), layout().first_site(),
            sites, energies_.data());
        check(cudaGetLastError(), "on-site energies");
        realisation_ = realisation;
    }

    // These functions launch a step of all layers, of the first and the last layer, and of those between them.
    void all(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) const {
        launch(step, width, {0, 0, 0, layers()}, stream);
    }
    void edges(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) const {
        launch(step, width, {0, std::max(layers() - 1, 1), 1, layers()}, stream);
    }
    void interior(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) const {
        if (layers() > 2) launch(step, width, {1, 0, 0, layers() - 1}, stream);
    }

  private:
    int layers() const { return static_cast<int>(layout().layers); }

    // Returns the number of blocks that all multiprocessors can hold at the same time.
    template <int P>
    std::int64_t resident() const {
        const std::size_t bytes = Ring<P, Element>::bytes(layout());
        cuda::allow_shared_memory(lattice_step<P, Element>, device_);
        int blocks = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, lattice_step<P, Element>, tile_sites * lanes<P>,
                                                            bytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        if (blocks == 0)
            fail(Status::device_error, "kpm: a block needs ", bytes, " bytes of shared memory, more than device ",
                 device_, " has");
        return std::int64_t{blocks} * cuda::attribute(cudaDevAttrMultiProcessorCount, device_);
    }

    // If layers.count is 0, layers.count and layers.stride are chosen.
    template <int P>
    void launch_with(const DeviceStep<Element>& step, Layers layers, cudaStream_t stream) const {
        const std::int64_t columns = layout().tiles() * step.panels;
        if (layers.count == 0)
            layers.stride = layers.count = layers_of_block(
                layers.end - layers.first, columns, resident_[static_cast<std::size_t>(std::countr_zero(unsigned{P}))],
                layout().chunk_planes, layout().extents[2], 3);
        lattice_step<P, Element><<<static_cast<unsigned>(columns * layers.groups()), tile_sites * lanes<P>,
                                   Ring<P, Element>::bytes(layout()), stream>>>(step, on_device_, layers);
    }

    void launch(const DeviceStep<Element>& step, std::int64_t width, const Layers& layers, cudaStream_t stream) const {
        switch (width) {
            case 1:
                return launch_with<1>(step, layers, stream);
            case 2:
                return launch_with<2>(step, layers, stream);
            case 4:
                return launch_with<4>(step, layers, stream);
            default:
                return launch_with<8>(step, layers, stream);
        }
    }

    const Problem& problem_;
    const Lattice& lattice_;
    int device_;
    std::int64_t realisation_ = -1;
    Buffer<double> energies_;
    DeviceLattice on_device_{};
    std::array<std::int64_t, 4> resident_{};  // number of blocks of lattice_step for panels of width 1, 2, 4, 8
};

}  // namespace engine_parts
}  // namespace legato::kpm
