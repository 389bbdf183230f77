// A slab of a unit-cell lattice on a device. The layers of chunks with the first and the last sites are computed before
// those between them, so that these sites are passed meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "kpm/cell_steps.cuh"
#include "kpm/device_slab.cuh"
#include "kpm/device_vacancies.cuh"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
class CudaCells final : public DeviceSlab<Element> {
    using Base = DeviceSlab<Element>;

  public:
    CudaCells(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
              const SegmentRange& segments, const SlabPlace& place, int block_width)
        : Base(context, problem, place,
               bytes_of_edge(cells_of_slab(std::get<CellLattice>(hamiltonian), segments).halo,
                             std::min(block_width, widest_matrix_panel<Element>)),
               widest_matrix_panel<Element>),
          vacancies_(problem, hamiltonian),
          cells_(problem, std::get<CellLattice>(hamiltonian), segments, vacancies_.words(), context.options().device) {
        const auto& lattice = std::get<CellLattice>(hamiltonian);
        const InnerLayers inner = inner_layers(walk(), cells_.sites().below, lattice.orbitals);
        first_inner_ = inner.first * walk().chunks_of_layer();
        end_inner_ = inner.end * walk().chunks_of_layer();
        Base::allocate(cells_.sites(), walk().chunks(), cell_walk_of(lattice).chunks_of_segment(), block_width);
    }

    Edges edges(std::size_t panel) override {
        const auto [width, start] = Base::placed(panel);
        const std::size_t edge = bytes_of_edge(cells_.sites().below, width),
                          inside = static_cast<std::size_t>(cells_.sites().count * width) * sizeof(Element);
        const std::span<std::byte> x(reinterpret_cast<std::byte*>(start) - edge, inside + 2 * edge);
        return {x.subspan(edge, edge), x.subspan(inside, edge), x.first(edge), x.last(edge), &Base::all_edges()};
    }

  private:
    static std::size_t bytes_of_edge(std::int64_t sites, std::int64_t width) {
        return static_cast<std::size_t>(sites * width) * sizeof(Element);
    }
    const RowWalk& walk() const { return cells_.walk(); }

    void begin_realisation(const Block& block) override {
        vacancies_.begin(block.realisation);
        cells_.begin(block.realisation);
    }
    const std::uint32_t* vacancies() const override { return vacancies_.words(); }
    cudaStream_t begin_edges() override { return Base::all_edges().begin_edges(); }
    void launch_edges(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) override {
        cells_.chunks(step, width, 0, first_inner_, stream);
        cells_.chunks(step, width, end_inner_, walk().chunks(), stream);
    }
    void launch_interior(const DeviceStep<Element>& step, std::int64_t width) override {
        cells_.chunks(step, width, first_inner_, end_inner_, nullptr);
    }

    DeviceVacancies vacancies_;
    CellSteps<Element> cells_;
    std::int64_t first_inner_ = 0, end_inner_ = 0;  // chunks that neither need halos nor are passed
};

}  // namespace engine_parts
}  // namespace legato::kpm
