// The order in which the CUDA engine goes through the rows of a matrix. Rows are ordered as if they lay on a lattice
// whose strides are the commonest distances between a row and its columns. The vector elements that nearby rows need
// are then still in a multiprocessor's cache. If no distance is common, rows come one after the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/hamiltonian.hpp"
#include "kpm/row_patterns.hpp"

namespace legato::kpm {

// Rows have the numbers x + line y + plane z. A chunk is a tile of 2^log_x by 2^log_y rows, through a number of planes.
struct RowWalk {
    std::uint32_t rows, line, plane, lines;  // lines: number of lines of a plane
    int log_x, log_y, planes;
    std::uint32_t tiles_x, tiles_y, groups;  // groups: of planes
    bool plain;                              // rows come one after the other

    LEGATO_HOST_DEVICE std::uint32_t chunks() const { return tiles_x * tiles_y * groups; }
    LEGATO_HOST_DEVICE int chunk_rows() const { return planes << (log_x + log_y); }

    // A layer is a group of chunks with successive rows, in the order of the chunks: those with the same planes, or one
    // chunk if the rows come one after the other.
    bool is_plain() const { return plain; }
    std::int64_t layers() const { return is_plain() ? tiles_x : groups; }
    std::int64_t chunks_of_layer() const { return is_plain() ? 1 : std::int64_t{tiles_x} * tiles_y; }
    std::int64_t rows_of_layer() const { return is_plain() ? std::int64_t{1} << log_x : std::int64_t{plane} * planes; }
    // The sums of at most most_segments segments are formed before they are added in their order. A slab has whole
    // segments.
    std::int64_t layers_of_segment() const {
        constexpr auto most = static_cast<std::int64_t>(most_segments);
        return (layers() + most - 1) / most;
    }
    std::int64_t chunks_of_segment() const { return layers_of_segment() * chunks_of_layer(); }
    std::int64_t segment_count() const { return (layers() + layers_of_segment() - 1) / layers_of_segment(); }
    std::int64_t first_row(std::int64_t segment) const {
        return std::min<std::int64_t>(segment * layers_of_segment() * rows_of_layer(), rows);
    }
    // Returns the walk through the rows of these segments, which are counted from the first of them.
    RowWalk slab(const SegmentRange& range) const {
        const auto first = static_cast<std::int64_t>(range.first), end = static_cast<std::int64_t>(range.end);
        const std::int64_t its_layers = std::min(end * layers_of_segment(), layers()) - first * layers_of_segment();
        RowWalk slab = *this;
        slab.rows = static_cast<std::uint32_t>(first_row(end) - first_row(first));
        (is_plain() ? slab.tiles_x : slab.groups) = static_cast<std::uint32_t>(its_layers);
        if (is_plain()) slab.line = slab.plane = slab.rows;
        return slab;
    }

    struct Place {
        std::uint32_t x, y, z;
    };
    LEGATO_HOST_DEVICE Place start(std::uint32_t chunk) const {
        return {(chunk % tiles_x) << log_x, (chunk / tiles_x % tiles_y) << log_y, chunk / tiles_x / tiles_y * planes};
    }
    // Returns the place of row number k of the chunk that begins at `start`, and the row there, or -1 if there is none.
    LEGATO_HOST_DEVICE Place place(const Place& start, int k) const {
        return {start.x + (k & ((1 << log_x) - 1)), start.y + (k >> log_x & ((1 << log_y) - 1)),
                start.z + (k >> (log_x + log_y))};
    }
    LEGATO_HOST_DEVICE std::int32_t row_at(const Place& at) const {
        const std::uint64_t row = at.x + line * std::uint64_t{at.y} + plane * std::uint64_t{at.z};
        return at.x < line && at.y < lines && row < rows ? static_cast<std::int32_t>(row) : -1;
    }
    LEGATO_HOST_DEVICE std::int32_t row(const Place& start, int k) const { return row_at(place(start, k)); }
};

inline RowWalk walk_with(std::int64_t rows, std::int64_t line, std::int64_t plane, int log_x, int log_y, int planes) {
    const auto narrow = [](std::int64_t number) { return static_cast<std::uint32_t>(number); };
    const auto pieces = [&](std::int64_t whole, std::int64_t piece) { return narrow((whole + piece - 1) / piece); };
    return {narrow(rows),
            narrow(line),
            narrow(plane),
            narrow(plane / line),
            log_x,
            log_y,
            planes,
            pieces(line, std::int64_t{1} << log_x),
            pieces(plane / line, std::int64_t{1} << log_y),
            pieces(pieces(rows, plane), planes),
            line == rows};
}

// Returns the distances from a row to a later column that at least every fourth row of a sample has, in ascending
// order.
inline std::vector<std::int64_t> common_distances(const CrsView& matrix) {
    std::vector<std::int64_t> all, common;
    for (std::int64_t i = 0; i < sampled_rows; ++i) {
        const std::int64_t row = sampled_row(i, matrix.rows);
        for (std::size_t k = matrix.begin(static_cast<std::size_t>(row)); k < matrix.end(static_cast<std::size_t>(row));
             ++k)
            if (matrix.column(k) > row) all.push_back(matrix.column(k) - row);
    }
    std::sort(all.begin(), all.end());
    for (auto first = all.begin(); first != all.end();) {
        const auto last = std::upper_bound(first, all.end(), *first);
        if ((last - first) * 4 >= sampled_rows) common.push_back(*first);
        first = last;
    }
    return common;
}

inline std::vector<std::int64_t> distances_of(const Hamiltonian& hamiltonian) {
    if (const auto matrix = matrix_in(hamiltonian)) return common_distances(*matrix);
    std::vector<std::int64_t> distances;
    const auto* cells = std::get_if<CellLattice>(&hamiltonian);
    std::int64_t stride = cells ? cells->orbitals : 1;
    for (const std::int64_t extent : cells ? cells->extents : std::get<Lattice>(hamiltonian).extents) {
        if (extent > 1) distances.push_back(stride);
        stride *= extent;
    }
    return distances;
}

// Returns a walk that has enough chunks for all multiprocessors.
inline RowWalk walk_of(const Hamiltonian& hamiltonian) {
    constexpr std::int64_t worth_it = 1 << 17, longest_chunk = 2048, shortest_chunk = 32;
    constexpr int log_tile = 6, planes = 16;
    const std::int64_t rows = sites_of(hamiltonian);
    const auto chunk = static_cast<std::uint64_t>(std::clamp(rows / 1024, shortest_chunk, longest_chunk));
    const RowWalk plain = walk_with(rows, rows, rows, static_cast<int>(std::bit_width(chunk)) - 1, 0, 1);
    if (rows < worth_it) return plain;
    const std::vector<std::int64_t> distances = distances_of(hamiltonian);
    const auto line = std::find_if(distances.begin(), distances.end(), [](auto d) { return d >= 16; });
    if (line == distances.end()) return plain;
    const auto plane = std::find_if(line, distances.end(), [&](auto d) { return d >= *line * 8 && d % *line == 0; });
    if (plane == distances.end()) return walk_with(rows, *line, *line, log_tile, 0, planes);
    // Longer lines and more planes share more elements of x, as long as there are enough chunks and layers.
    const int log_x = *line >= 64 ? 4 : 3;
    return walk_with(rows, *line, *plane, log_x, log_tile - log_x, rows / *plane >= 16 * planes ? 2 * planes : planes);
}

}  // namespace legato::kpm
