#include "kpm/slabs.hpp"

#include <algorithm>

#include "core/device.hpp"

namespace legato::kpm {
namespace {

std::vector<std::size_t> segments_of(Backend backend, const Lattice& lattice) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_segments(lattice);
    return cpu_segments(lattice);
}

}  // namespace

Slabs::Slabs(Backend backend, const Lattice& lattice, std::size_t parts)
    : first_sites_(segments_of(backend, lattice)), count_(std::min(parts, segments())) {
    const ChunkLayout layout(lattice);
    periodic_ = layout.periodic[layout.slowest()];
}

std::size_t Slabs::largest() const {
    std::size_t largest = 0;
    for (std::size_t slab = 1; slab < count_; ++slab)
        if (sites(slab) > sites(largest)) largest = slab;
    return largest;
}

std::unique_ptr<Slab> make_slab(const Context& context, Backend backend, const Problem& problem, const Lattice& lattice,
                                const SegmentRange& segments, const SlabPlace& place, int block_width) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_slab(context, problem, lattice, segments, place, block_width);
    return make_cpu_slab(context, problem, lattice, segments, block_width);
}

}  // namespace legato::kpm
