// The sites of a simple lattice, or of a slab of it, on the CPU.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/cpu_kernels.hpp"
#include "kpm/cpu_sites.hpp"
#include "kpm/hamiltonian.hpp"
#include "kpm/pages.hpp"

namespace legato::kpm {

// Returns half the size of the cache that each core has for itself.
inline std::size_t cached_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (const long size = sysconf(_SC_LEVEL2_CACHE_SIZE); size > 0) return static_cast<std::size_t>(size) / 2;
#endif
    return std::size_t{1} << 19;
}
// A box of chunks that one thread sweeps over, plane after plane. It is narrow enough that what a plane shares with the
// next one is still in cache when that one is reached.
struct Tile {
    std::array<std::size_t, 3> first, last;  // range of parts of a row, groups of rows, planes
};

inline std::span<const Tile> tiles_of(std::span<const Tile> tiles, const Team& team) {
    const auto [first, last] = team.share(tiles.size());
    return tiles.subspan(first, last - first);
}

template <class Real>
class LatticeSites final : public Sites<Real> {
  public:
    LatticeSites(const Problem& problem, const Lattice& lattice, const ChunkLayout& layout, int threads);

    SiteNumbers numbers() const override {
        return {layout_.sites(), layout_.halo_sites(), layout_.halo_sites(), layout_.first_site};
    }
    const std::vector<std::size_t>& segments() const override { return segments_; }
    std::size_t widest_panel() const override { return widest; }
    void begin(const Block& block) override;
    void sweep(const Sweep<Real>& sweep) const override;
    void over_sites(std::size_t width, const std::function<void(std::size_t, std::size_t)>& work) const override;

  private:
    static constexpr std::size_t widest = std::size_t{1} << (stencil_widths - 1);

    std::vector<Tile> make_tiles(std::size_t width) const;
    void sweep_chunk(const Sweep<Real>& sweep, const StencilStep& step, std::array<std::size_t, 3> chunk,
                     Real* discarded) const;
    const Real* neighbour(const Sweep<Real>& sweep, std::size_t site, std::size_t at, std::size_t direction,
                          int by) const;

    const Problem& problem_;
    const Lattice& lattice_;
    int threads_;
    const ChunkLayout layout_;
    std::vector<std::size_t> segments_;
    std::array<std::vector<Tile>, stencil_widths> tiles_;
    bool given_or_random_ = false;
    Pages<double> energies_;     // [sites], or [layout_.row_part] if all are the same
    std::vector<Real> nothing_;  // zeros for the sites beyond an open boundary
    std::int64_t realisation_ = -1;
};

template <class Real>
LatticeSites<Real>::LatticeSites(const Problem& problem, const Lattice& lattice, const ChunkLayout& layout, int threads)
    : problem_(problem),
      lattice_(lattice),
      threads_(threads),
      layout_(layout),
      segments_(layout.segments.chunks_of(layout.own)) {
    for (std::size_t log2 = 0; log2 < stencil_widths; ++log2) tiles_[log2] = make_tiles(std::size_t{1} << log2);
    given_or_random_ = lattice.on_site == OnSite::energies || is_random(lattice);
    energies_ = Pages<double>(given_or_random_ ? layout_.sites() : layout_.row_part);
    nothing_.assign(layout_.row_part * widest, Real{0});
}

// Makes tiles of which the planes times rows times parts of rows fit in the cache, with rows as long as possible. They
// are then split along the planes (or rows, or parts of rows, if there is one plane) until every thread has several.
template <class Real>
std::vector<Tile> LatticeSites<Real>::make_tiles(std::size_t width) const {
    const std::size_t bytes = width * sizeof(Real), planes = std::min<std::size_t>(layout_.dimension, 3);
    const auto fits = [&](std::size_t row_parts, std::size_t groups_of_rows) {
        const std::size_t rows = layout_.dimension == 3 ? groups_of_rows * layout_.rows + 2 : 1;
        return planes * rows * std::min(row_parts * layout_.row_part, layout_.extents[0]) * bytes <= cached_bytes();
    };
    std::size_t across = layout_.grid[0], groups = layout_.dimension == 3 ? layout_.grid[1] : 1;
    while (groups > 1 && !fits(across, groups)) --groups;
    while (across > 1 && !fits(across, groups)) --across;
    groups = equal_size(layout_.grid[1], groups);
    across = equal_size(layout_.grid[0], across);
    std::array<std::size_t, 3> size{across, groups, layout_.grid[2]};
    if (layout_.dimension == 2) size[1] = layout_.grid[1];
    const auto count = [&] {
        return pieces(layout_.grid[0], size[0]) * pieces(layout_.grid[1], size[1]) * pieces(layout_.grid[2], size[2]);
    };
    const auto wanted = 4 * static_cast<std::size_t>(threads_);
    for (std::size_t d = 3; d-- > 0;)
        while (threads_ > 1 && count() < wanted && size[d] > 1) size[d] = pieces(size[d], 2);
    std::vector<Tile> tiles;
    for (std::size_t z = 0; z < layout_.grid[2]; z += size[2])
        for (std::size_t y = 0; y < layout_.grid[1]; y += size[1])
            for (std::size_t x = 0; x < layout_.grid[0]; x += size[0])
                tiles.push_back({{x, y, z},
                                 {std::min(x + size[0], layout_.grid[0]), std::min(y + size[1], layout_.grid[1]),
                                  std::min(z + size[2], layout_.grid[2])}});
    return tiles;
}

template <class Real>
void LatticeSites<Real>::begin(const Block& block) {
    const std::int64_t realisation = block.realisation;
    if (realisation == realisation_ || (realisation_ >= 0 && !is_random(lattice_))) return;
    if (given_or_random_)
        over_sites(1, [&](std::size_t first, std::size_t last) {
            draw_energies(lattice_, static_cast<std::uint64_t>(problem_.seed), realisation,
                          static_cast<std::int64_t>(layout_.first_site + first),
                          {energies_.data() + first, last - first});
        });
    else
        std::fill_n(energies_.data(), layout_.row_part, lattice_.energy);
    realisation_ = realisation;
}

// Returns x from the site before (by = -1) or after (by = 1) in a direction, where the site has the coordinate `at`. It
// is the same part of another row in all directions but the first one. Returns zeros if there is no such site.
template <class Real>
const Real* LatticeSites<Real>::neighbour(const Sweep<Real>& sweep, std::size_t site, std::size_t at,
                                          std::size_t direction, int by) const {
    const std::size_t extent = layout_.extents[direction];
    const std::array strides{std::size_t{1}, layout_.extents[0], layout_.extents[0] * layout_.extents[1]};
    auto distance = by * static_cast<std::ptrdiff_t>(strides[direction]);
    const bool at_edge = by < 0 ? at == 0 : at + 1 == extent,
               has_halo = layout_.has_halos && direction == layout_.slowest();
    if (at_edge && !has_halo) {
        if (!layout_.periodic[direction]) return nothing_.data();
        distance *= 1 - static_cast<std::ptrdiff_t>(extent);
    }
    return sweep.x + (static_cast<std::ptrdiff_t>(site) + distance) * static_cast<std::ptrdiff_t>(sweep.width);
}

template <class Real>
void LatticeSites<Real>::sweep_chunk(const Sweep<Real>& sweep, const StencilStep& step,
                                     std::array<std::size_t, 3> chunk, Real* discarded) const {
    const std::size_t width = sweep.width, first = chunk[0] * layout_.row_part,
                      last = std::min(first + layout_.row_part, layout_.extents[0]);
    std::array<double, 2 * partial_sums * widest> partial;
    std::fill_n(partial.data(), 2 * partial_sums * width, 0.0);
    const auto kernel =
        kernels<Real>().stencil[layout_.dimension - 1][static_cast<std::size_t>(std::countr_zero(width))];
    for (std::size_t y = chunk[1] * layout_.rows; y < std::min((chunk[1] + 1) * layout_.rows, layout_.extents[1]);
         ++y) {
        const std::size_t start = (y + layout_.extents[1] * chunk[2]) * layout_.extents[0], site = start + first;
        StencilRow<Real> row{};
        row.sites = last - first;
        row.x = sweep.x + site * width;
        row.y = sweep.y + site * width;
        row.y_new = sweep.y_new ? sweep.y_new + site * width : discarded;
        row.left = neighbour(sweep, site, first, 0, -1);
        row.right = neighbour(sweep, start + last - 1, last - 1, 0, 1);
        for (std::size_t d = 1; d < layout_.dimension; ++d) {
            const std::size_t at = d == 1 ? y : chunk[2];
            row.near[2 * d - 2] = neighbour(sweep, site, at, d, -1);
            row.near[2 * d - 1] = neighbour(sweep, site, at, d, 1);
        }
        row.energies = given_or_random_ ? energies_.data() + site : energies_.data();
        kernel(row, step, partial.data());
    }
    double* const sums =
        sweep.sums + (chunk[0] + layout_.grid[0] * (chunk[1] + layout_.grid[1] * chunk[2])) * 2 * width;
    for (std::size_t product = 0; product < 2; ++product)
        for (std::size_t v = 0; v < width; ++v) {
            const double* const p = partial.data() + product * partial_sums * width + v;
            sums[product * width + v] = (p[0] + p[width]) + (p[2 * width] + p[3 * width]);
        }
}

template <class Real>
void LatticeSites<Real>::sweep(const Sweep<Real>& sweep) const {
    const std::vector<Tile>& tiles = tiles_[static_cast<std::size_t>(std::countr_zero(sweep.width))];
    const Step& s = sweep.step;
    const StencilStep step{lattice_.sites() > 1 ? -s.a * lattice_.hopping : 0.0, s.a, s.b, s.c};
    const Discarded discarded(sweep, layout_.row_part, threads_);
    in_team(threads_, [&](const Team& team) {
        for (const Tile& tile : tiles_of(tiles, team))
            for (std::size_t z = tile.first[2]; z < tile.last[2]; ++z)
                for (std::size_t y = tile.first[1]; y < tile.last[1]; ++y)
                    for (std::size_t x = tile.first[0]; x < tile.last[0]; ++x)
                        sweep_chunk(sweep, step, {x, y, z}, discarded.of(team));
    });
}

template <class Real>
void LatticeSites<Real>::over_sites(std::size_t width,
                                    const std::function<void(std::size_t, std::size_t)>& work) const {
    const std::vector<Tile>& tiles = tiles_[static_cast<std::size_t>(std::countr_zero(width))];
    const auto over_rows = [&](const Tile& tile, std::size_t z) {
        for (std::size_t y = tile.first[1] * layout_.rows;
             y < std::min(tile.last[1] * layout_.rows, layout_.extents[1]); ++y) {
            const std::size_t start = (y + layout_.extents[1] * z) * layout_.extents[0];
            work(start + tile.first[0] * layout_.row_part,
                 start + std::min(tile.last[0] * layout_.row_part, layout_.extents[0]));
        }
    };
    in_team(threads_, [&](const Team& team) {
        for (const Tile& tile : tiles_of(tiles, team))
            for (std::size_t z = tile.first[2]; z < tile.last[2]; ++z) over_rows(tile, z);
    });
}

}  // namespace legato::kpm
