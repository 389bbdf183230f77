#include "kpm/slabs.hpp"

#include <algorithm>
#include <utility>

#include "core/device.hpp"
#include "kpm/cell_rows.hpp"
#include "kpm/matrix_part.hpp"

namespace legato::kpm {
namespace {

std::vector<std::size_t> segments_of(Backend backend, const Hamiltonian& hamiltonian) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_segments(hamiltonian);
    return cpu_segments(hamiltonian);
}

}  // namespace

Slabs::Slabs(Backend backend, const Hamiltonian& hamiltonian, std::size_t parts)
    : first_sites_(segments_of(backend, hamiltonian)), count_(std::min(parts, segments())), periodic_(false) {
    if (const auto* cells = std::get_if<CellLattice>(&hamiltonian)) {
        periodic_ = cells->boundary[slowest_of(*cells)] == Boundary::periodic;
        const auto halo = static_cast<std::size_t>(halo_of(*cells));
        while (count_ > 1 && smallest() < halo) --count_;
    }
    if (!std::holds_alternative<Lattice>(hamiltonian)) return;
    const ChunkLayout layout(std::get<Lattice>(hamiltonian));
    periodic_ = layout.periodic[layout.slowest()];
}

std::size_t Slabs::smallest() const {
    std::size_t smallest = all_sites();
    for (std::size_t slab = 0; slab < count_; ++slab) smallest = std::min(smallest, sites(slab));
    return smallest;
}

std::size_t Slabs::largest() const {
    std::size_t largest = 0;
    for (std::size_t slab = 1; slab < count_; ++slab)
        if (sites(slab) > sites(largest)) largest = slab;
    return largest;
}

std::unique_ptr<Slab> make_slab(const Context& context, Backend backend, const Problem& problem,
                                const Hamiltonian& hamiltonian, Format format, const Slabs& slabs, std::size_t slab,
                                const SlabPlace& place, int block_width) {
    const SegmentRange segments = slabs.range(slab);
    if (const auto matrix = matrix_in(hamiltonian)) {
        MatrixPart part = part_of(*matrix, slabs, slab, context.threads());
        if constexpr (with_cuda)
            if (backend == Backend::cuda)
                return make_cuda_rows(context, problem, hamiltonian, part, format, segments, place, block_width);
        return make_cpu_rows(context, problem, std::move(part), format, segments,
                             chunks_of_rows(static_cast<std::size_t>(matrix->rows)), block_width);
    }
    if (std::holds_alternative<CellLattice>(hamiltonian)) {
        if constexpr (with_cuda)
            if (backend == Backend::cuda)
                return make_cuda_cells(context, problem, hamiltonian, segments, place, block_width);
        return make_cpu_cells(context, problem, hamiltonian, segments, block_width);
    }
    const auto& lattice = std::get<Lattice>(hamiltonian);
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_slab(context, problem, lattice, segments, place, block_width);
    return make_cpu_slab(context, problem, lattice, segments, block_width);
}

}  // namespace legato::kpm
