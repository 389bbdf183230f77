// The chunks and segments of sites in which sums over sites are formed, and the slabs of a lattice.
//
// The sum of a segment is formed from the sums of its chunks in their order, and a sum over all sites from the sums of
// the segments in their order. A slab consists of whole segments. The sums therefore have the same bits for every
// number of slabs, and for every number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

inline constexpr std::size_t chunk_sites = 1024;  // largest size of a chunk: rows of a lattice, or a part of a long row
inline constexpr std::size_t most_segments = 64;

// Returns how many pieces of this size, the last one maybe smaller, the whole has.
inline std::size_t pieces(std::size_t whole, std::size_t piece) {
    return (whole + piece - 1) / piece;
}
// Returns the length of pieces of equal size that are no longer than `most`.
inline std::size_t equal_size(std::size_t whole, std::size_t most) {
    return pieces(whole, pieces(whole, most));
}
inline std::size_t chunks_of_rows(std::size_t rows) {
    return pieces(rows, chunk_sites);
}

// The segments [first, end) of all.
struct SegmentRange {
    std::size_t first = 0, end = 0;

    std::size_t size() const { return end - first; }
};

// The segments of all sites. A segment has whole layers of chunks.
class Segments {
  public:
    Segments() = default;
    Segments(std::size_t layers, std::size_t chunks_of_layer) : layers_(layers), chunks_of_layer_(chunks_of_layer) {}

    std::size_t count() const { return std::min(layers_, most_segments); }
    // These functions return the first layer and the first chunk of a segment, and for count() their number.
    std::size_t first_layer(std::size_t segment) const { return layers_ * segment / count(); }
    std::size_t first_chunk(std::size_t segment) const { return first_layer(segment) * chunks_of_layer_; }

    // Returns the first chunk of each segment of a range, and the end of the last one, counted from the first chunk of
    // the range.
    std::vector<std::size_t> chunks_of(const SegmentRange& range) const;

  private:
    std::size_t layers_ = 1, chunks_of_layer_ = 1;
};

// A lattice, or a slab of it, divided into chunks. Directions of more than one site come first, which leaves the
// numbers of the sites unchanged. The slowest of these directions is divided into slabs. Its layers are the planes of a
// cubic lattice, the rows of a square one and the sites of a chain.
struct ChunkLayout {
    explicit ChunkLayout(const Lattice& lattice);

    // Returns the slab with these segments of a whole lattice.
    ChunkLayout slab(const SegmentRange& segments) const;

    std::size_t slowest() const { return dimension - 1; }
    std::size_t sites() const { return extents[0] * extents[1] * extents[2]; }
    std::size_t chunks() const { return grid[0] * grid[1] * grid[2]; }
    std::size_t layer_sites() const { return sites() / extents[slowest()]; }
    std::size_t halo_sites() const { return has_halos ? layer_sites() : 0; }  // on each side

    std::size_t dimension = 0;
    std::array<std::size_t, 3> extents{1, 1, 1};
    std::array<bool, 3> periodic{};
    std::size_t row_part = 1, rows = 1;  // size of a chunk: sites of a row, rows
    std::array<std::size_t, 3> grid{};   // number of chunks in each direction
    Segments segments;                   // of the whole lattice
    SegmentRange own;                    // those that are in this layout
    std::size_t first_site = 0;          // number of the first site
    bool has_halos = false;              // true if the layers before the first and after the last one are there
};

}  // namespace legato::kpm
