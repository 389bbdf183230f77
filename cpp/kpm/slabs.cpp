#include "kpm/slabs.hpp"

#include <algorithm>
#include <utility>

#include "core/device.hpp"
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
    if (!std::holds_alternative<Lattice>(hamiltonian)) return;
    const ChunkLayout layout(std::get<Lattice>(hamiltonian));
    periodic_ = layout.periodic[layout.slowest()];
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
    const auto& lattice = std::get<Lattice>(hamiltonian);
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_slab(context, problem, lattice, segments, place, block_width);
    return make_cpu_slab(context, problem, lattice, segments, block_width);
}

}  // namespace legato::kpm
