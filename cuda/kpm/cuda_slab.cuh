// A slab of a lattice on a device. The first and the last layer of chunks are computed before those between them, so
// that their edges are passed meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "kpm/device_slab.cuh"
#include "kpm/lattice_steps.cuh"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
class CudaSlab final : public DeviceSlab<Element> {
    using Base = DeviceSlab<Element>;

  public:
    CudaSlab(const Context& context, const Problem& problem, const Lattice& lattice,
             const LatticeLayout& layout_of_slab, const SlabPlace& place, int block_width)
        : Base(context, problem, place,
               bytes_of_edge(layout_of_slab, std::min<std::int64_t>(block_width, widest_lattice_panel)),
               widest_lattice_panel),
          lattice_(problem, lattice, layout_of_slab, Base::device()) {
        Base::allocate(lattice_.sites(), layout().chunks(), layout().layers_of_segment * layout().tiles(), block_width);
    }

    Edges edges(std::size_t panel) override {
        const auto [width, start] = Base::placed(panel);
        const std::size_t edge = bytes_of_edge(layout(), width),
                          inside = static_cast<std::size_t>(layout().sites() * width) * sizeof(Element);
        const std::span<std::byte> x(reinterpret_cast<std::byte*>(start) - edge, inside + 2 * edge);
        return {x.subspan(edge, edge), x.subspan(inside, edge), x.first(edge), x.last(edge), &Base::all_edges()};
    }

  private:
    const LatticeLayout& layout() const { return lattice_.layout(); }

    static std::size_t bytes_of_edge(const LatticeLayout& layout, std::int64_t width) {
        return static_cast<std::size_t>(layout.halo_sites() * width) * sizeof(Element);
    }

    void begin_realisation(const Block& block) override { lattice_.begin(block.realisation); }
    cudaStream_t begin_edges() override { return Base::all_edges().begin_edges(); }
    void launch_edges(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) override {
        lattice_.edges(step, width, stream);
    }
    void launch_interior(const DeviceStep<Element>& step, std::int64_t width) override {
        lattice_.interior(step, width, nullptr);
    }

    LatticeSteps<Element> lattice_;
};

}  // namespace engine_parts
}  // namespace legato::kpm
