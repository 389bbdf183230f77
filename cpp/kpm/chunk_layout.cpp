#include "kpm/chunk_layout.hpp"

namespace legato::kpm {

std::vector<std::size_t> Segments::chunks_of(const SegmentRange& range) const {
    std::vector<std::size_t> first;
    for (std::size_t s = range.first; s <= range.end; ++s) first.push_back(first_chunk(s) - first_chunk(range.first));
    return first;
}

ChunkLayout::ChunkLayout(const Lattice& lattice) {
    for (std::size_t d = 0; d < 3; ++d)
        if (lattice.extents[d] > 1) {
            extents[dimension] = static_cast<std::size_t>(lattice.extents[d]);
            periodic[dimension++] = lattice.boundary[d] == Boundary::periodic;
        }
    dimension = std::max<std::size_t>(dimension, 1);
    row_part = equal_size(extents[0], chunk_sites);
    rows = equal_size(extents[1], std::max<std::size_t>(chunk_sites / extents[0], 1));
    grid = {pieces(extents[0], row_part), pieces(extents[1], rows), extents[2]};
    segments = {grid[slowest()], chunks() / grid[slowest()]};
    own = {0, segments.count()};
}

ChunkLayout ChunkLayout::slab(const SegmentRange& range) const {
    const std::size_t d = slowest(), layers_of_chunk = std::array{row_part, rows, std::size_t{1}}[d];
    const std::size_t first = segments.first_layer(range.first), end = segments.first_layer(range.end);
    ChunkLayout slab = *this;
    slab.grid[d] = end - first;
    slab.extents[d] = std::min(end * layers_of_chunk, extents[d]) - first * layers_of_chunk;
    slab.first_site = first * layers_of_chunk * layer_sites();
    slab.has_halos = range.size() < segments.count();
    slab.own = range;
    return slab;
}

}  // namespace legato::kpm
