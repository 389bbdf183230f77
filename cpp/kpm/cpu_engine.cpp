// The CPU engine. Sums over sites are formed chunk by chunk, and the sums of the chunks are added in their order. The
// results do not depend on which thread processes a chunk, or when.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <span>
#include <type_traits>

#include "core/parallel.hpp"
#include "kpm/cpu_kernels.hpp"
#include "kpm/engine.hpp"
#include "kpm/pages.hpp"
#include "kpm/start_vectors.hpp"

namespace legato::kpm {
namespace {

constexpr std::size_t chunk_sites = 1024;  // largest size of a chunk: rows of a lattice, or a part of a long row

std::size_t pieces(std::size_t whole, std::size_t piece) {
    return (whole + piece - 1) / piece;
}

// Returns the length of pieces of equal size that are no longer than `most`.
std::size_t equal_size(std::size_t whole, std::size_t most) {
    return pieces(whole, pieces(whole, most));
}

std::size_t chunks_of_rows(std::size_t rows) {
    return pieces(rows, chunk_sites);
}

// A lattice divided into chunks. Directions of more than one site come first, which leaves the numbers of the sites
// unchanged.
struct ChunkLayout {
    explicit ChunkLayout(const Lattice& lattice) {
        for (std::size_t d = 0; d < 3; ++d)
            if (lattice.extents[d] > 1) {
                extents[dimension] = static_cast<std::size_t>(lattice.extents[d]);
                periodic[dimension++] = lattice.boundary[d] == Boundary::periodic;
            }
        dimension = std::max<std::size_t>(dimension, 1);
        row_part = equal_size(extents[0], chunk_sites);
        rows = equal_size(extents[1], std::max<std::size_t>(chunk_sites / extents[0], 1));
        grid = {pieces(extents[0], row_part), pieces(extents[1], rows), extents[2]};
    }

    std::size_t sites() const { return extents[0] * extents[1] * extents[2]; }
    std::size_t chunks() const { return grid[0] * grid[1] * grid[2]; }

    std::size_t dimension = 0;
    std::array<std::size_t, 3> extents{1, 1, 1};
    std::array<bool, 3> periodic{};
    std::size_t row_part = 1, rows = 1;  // size of a chunk: sites of a row, rows
    std::array<std::size_t, 3> grid{};   // number of chunks in each direction
};

// Returns half the size of the cache that each core has for itself.
std::size_t cached_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (const long size = sysconf(_SC_LEVEL2_CACHE_SIZE); size > 0) return static_cast<std::size_t>(size) / 2;
#endif
    return std::size_t{1} << 19;
}

// A group of interleaved vectors of a block. A block consists of panels side by side, whose widths are powers of two.
struct Panel {
    std::size_t first, width;
};

std::vector<Panel> panels_of(std::size_t width, std::size_t widest) {
    std::vector<Panel> panels;
    for (std::size_t first = 0; first < width;) {
        panels.push_back({first, std::min(std::bit_floor(width - first), widest)});
        first += panels.back().width;
    }
    return panels;
}

// The arguments of a step that are the same for all kinds of Hamiltonian.
template <class Real>
struct Sweep {
    std::size_t width;
    const Real* x;
    const Real* y;
    Real* y_new;  // y, or null if only the products are computed
    Step step;
    double* sums;  // [chunks][2][width]
};

// Memory for the results of a sweep that are not read. It is allocated before the threads start, because a thread could
// not report that memory is lacking.
template <class Real>
class Discarded {
  public:
    Discarded(const Sweep<Real>& sweep, std::size_t sites, int threads)
        : size_(sweep.y_new ? 0 : sites * sweep.width), values_(new Real[size_ * static_cast<std::size_t>(threads)]) {}

    Real* of(const Team& team) const { return values_.get() + size_ * team.rank; }

  private:
    std::size_t size_;
    std::unique_ptr<Real[]> values_;
};

template <class Real>
const KernelsOf<Real>& kernels() {
    if constexpr (std::is_same_v<Real, float>)
        return cpu_kernels().single;
    else
        return cpu_kernels().full;
}

// The sites of a Hamiltonian in chunks, and one step of all chunks.
template <class Real>
class Sites {
  public:
    virtual ~Sites() = default;
    virtual std::size_t chunks() const = 0;
    virtual std::size_t widest_panel() const = 0;
    virtual void begin(std::int64_t realisation) = 0;
    virtual void sweep(const Sweep<Real>& sweep) const = 0;
    // Calls work(first, last) for ranges of sites, each by the thread that sweeps over them.
    virtual void over_sites(std::size_t width, const std::function<void(std::size_t, std::size_t)>& work) const = 0;
};

template <class Real>
class MatrixSites final : public Sites<Real> {
  public:
    MatrixSites(const Problem& problem, const Hamiltonian& hamiltonian, Format format, int threads)
        : problem_(problem), hamiltonian_(hamiltonian), format_(format), threads_(threads) {
        if (const auto matrix = matrix_in(hamiltonian)) use(*matrix);
    }

    std::size_t chunks() const override { return chunks_of_rows(rows()); }
    std::size_t widest_panel() const override { return std::size_t{1} << (matrix_widths - 1); }

    void begin(std::int64_t realisation) override {
        const auto* lattice = std::get_if<Lattice>(&hamiltonian_);
        if (!lattice || realisation == realisation_) return;
        if (realisation_ >= 0 && !is_random(hamiltonian_)) return;
        own_ = {};  // frees the old matrix before the new one is made
        own_ = matrix_of(*lattice, static_cast<std::uint64_t>(problem_.seed), realisation);
        use(view_of(own_));
        if (format_ == Format::ell) own_ = {};
        realisation_ = realisation;
    }

    void sweep(const Sweep<Real>& sweep) const override {
        const auto log2 = static_cast<std::size_t>(std::countr_zero(sweep.width));
        const Discarded discarded(sweep, chunk_sites, threads_);
        in_team(threads_, [&](const Team& team) {
            const auto [begin, end] = team.share(chunks());
            for (std::size_t chunk = begin; chunk < end; ++chunk) {
                const std::size_t first = chunk * chunk_sites, last = std::min(first + chunk_sites, rows());
                const MatrixStep<Real> step{sweep.step.a,
                                            sweep.step.b,
                                            sweep.step.c,
                                            sweep.x,
                                            sweep.y,
                                            sweep.y_new ? sweep.y_new : discarded.of(team),
                                            sweep.y_new ? 0 : first};
                double* const sums = sweep.sums + chunk * 2 * sweep.width;
                std::fill_n(sums, 2 * sweep.width, 0.0);
                if (format_ == Format::crs)
                    kernels<Real>().crs[log2](crs_, step, first, last, sums);
                else
                    kernels<Real>().ell[log2](ell_, step, first, last, sums);
            }
        });
    }

    void over_sites(std::size_t, const std::function<void(std::size_t, std::size_t)>& work) const override {
        in_team(threads_, [&](const Team& team) {
            const auto [begin, end] = team.share(chunks());
            for (std::size_t chunk = begin; chunk < end; ++chunk)
                work(chunk * chunk_sites, std::min((chunk + 1) * chunk_sites, rows()));
        });
    }

  private:
    std::size_t rows() const { return static_cast<std::size_t>(sites_of(hamiltonian_)); }

    void use(const CrsView& matrix) {
        crs_ = {matrix.row_pointers, matrix.columns, matrix.values, matrix.index_base};
        if (format_ != Format::ell) return;
        const std::int64_t length = longest_row(hamiltonian_);
        pad(matrix, length, threads_, padded_);
        ell_ = {rows(), static_cast<std::size_t>(length), padded_.columns.data(), padded_.values.data()};
    }

    const Problem& problem_;
    const Hamiltonian& hamiltonian_;
    Format format_;
    int threads_;
    std::int64_t realisation_ = -1;
    CrsMatrix own_;
    EllMatrix padded_;
    CrsRows crs_{};
    EllRows ell_{};
};

// A box of chunks that one thread sweeps over, plane after plane. It is narrow enough that what a plane shares with the
// next one is still in cache when that one is reached.
struct Tile {
    std::array<std::size_t, 3> first, last;  // range of parts of a row, groups of rows, planes
};

std::span<const Tile> tiles_of(std::span<const Tile> tiles, const Team& team) {
    const auto [first, last] = team.share(tiles.size());
    return tiles.subspan(first, last - first);
}

template <class Real>
class LatticeSites final : public Sites<Real> {
  public:
    LatticeSites(const Problem& problem, const Lattice& lattice, int threads);

    std::size_t chunks() const override { return layout_.chunks(); }
    std::size_t widest_panel() const override { return widest; }
    void begin(std::int64_t realisation) override;
    void sweep(const Sweep<Real>& sweep) const override;
    void over_sites(std::size_t width, const std::function<void(std::size_t, std::size_t)>& work) const override;

  private:
    static constexpr std::size_t widest = std::size_t{1} << (stencil_widths - 1);

    std::vector<Tile> make_tiles(std::size_t width) const;
    void sweep_chunk(const Sweep<Real>& sweep, const StencilStep& step, std::array<std::size_t, 3> chunk,
                     Real* discarded) const;
    const Real* neighbour_row(const Sweep<Real>& sweep, std::size_t site, std::size_t at, std::size_t direction,
                              int by) const;

    const Problem& problem_;
    const Lattice& lattice_;
    int threads_;
    const ChunkLayout layout_;
    std::array<std::vector<Tile>, stencil_widths> tiles_;
    bool given_or_random_ = false;
    Pages<double> energies_;     // [sites], or [layout_.row_part] if all are the same
    std::vector<Real> nothing_;  // zeros for the sites beyond an open boundary
    std::int64_t realisation_ = -1;
};

template <class Real>
LatticeSites<Real>::LatticeSites(const Problem& problem, const Lattice& lattice, int threads)
    : problem_(problem), lattice_(lattice), threads_(threads), layout_(lattice) {
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
void LatticeSites<Real>::begin(std::int64_t realisation) {
    if (realisation == realisation_ || (realisation_ >= 0 && !is_random(lattice_))) return;
    if (given_or_random_)
        over_sites(1, [&](std::size_t first, std::size_t last) {
            draw_energies(lattice_, static_cast<std::uint64_t>(problem_.seed), realisation,
                          static_cast<std::int64_t>(first), {energies_.data() + first, last - first});
        });
    else
        std::fill_n(energies_.data(), layout_.row_part, lattice_.energy);
    realisation_ = realisation;
}

// Returns the same part of the row before (by < 0) or after in direction 1 or 2, where the row has the number `at`.
// Returns zeros if there is no such row.
template <class Real>
const Real* LatticeSites<Real>::neighbour_row(const Sweep<Real>& sweep, std::size_t site, std::size_t at,
                                              std::size_t direction, int by) const {
    const std::size_t extent = layout_.extents[direction],
                      stride = direction == 1 ? layout_.extents[0] : layout_.extents[0] * layout_.extents[1];
    const bool at_edge = by < 0 ? at == 0 : at + 1 == extent;
    if (at_edge && !layout_.periodic[direction]) return nothing_.data();
    const std::size_t start = site - at * stride;
    const std::size_t next = by < 0 ? (at == 0 ? extent - 1 : at - 1) : (at + 1 == extent ? 0 : at + 1);
    return sweep.x + (start + next * stride) * sweep.width;
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
        const auto in_row = [&](std::size_t x, bool inside) {
            return inside || layout_.periodic[0] ? sweep.x + (start + x) * width : nothing_.data();
        };
        StencilRow<Real> row{};
        row.sites = last - first;
        row.x = sweep.x + site * width;
        row.y = sweep.y + site * width;
        row.y_new = sweep.y_new ? sweep.y_new + site * width : discarded;
        row.left = in_row(first > 0 ? first - 1 : layout_.extents[0] - 1, first > 0);
        row.right = in_row(last < layout_.extents[0] ? last : 0, last < layout_.extents[0]);
        for (std::size_t d = 1; d < layout_.dimension; ++d) {
            const std::size_t at = d == 1 ? y : chunk[2];
            row.near[2 * d - 2] = neighbour_row(sweep, site, at, d, -1);
            row.near[2 * d - 1] = neighbour_row(sweep, site, at, d, 1);
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
    const StencilStep step{layout_.extents[0] > 1 ? -s.a * lattice_.hopping : 0.0, s.a, s.b, s.c};
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

template <class Real>
class CpuEngine final : public Engine {
  public:
    CpuEngine(const Problem& problem, const Hamiltonian& hamiltonian, Format format, int block_width, int threads)
        : problem_(problem), count_(static_cast<std::size_t>(sites_of(hamiltonian))) {
        if (format == Format::stencil)
            sites_ = std::make_unique<LatticeSites<Real>>(problem, std::get<Lattice>(hamiltonian), threads);
        else
            sites_ = std::make_unique<MatrixSites<Real>>(problem, hamiltonian, format, threads);
        const auto width = static_cast<std::size_t>(block_width);
        x_ = Pages<Real>(count_ * width);
        y_ = Pages<Real>(count_ * width);
        if (std::is_same_v<Real, float> && problem.start_vectors == StartVectors::caller)
            given_ = Pages<double>(count_);
        sums_.resize(sites_->chunks() * 2 * width);
    }

    void begin(const Block& block) override {
        sites_->begin(block.realisation);
        panels_ = panels_of(static_cast<std::size_t>(block.width), sites_->widest_panel());
        for (const Panel& panel : panels_) {
            if (block.kind == StartVectors::caller) take(block, panel);
            sites_->over_sites(panel.width,
                               [&](std::size_t first, std::size_t last) { fill(block, panel, first, last); });
        }
    }

    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override {
        const std::size_t width = xx.size() / static_cast<std::size_t>(count);
        for (std::size_t i = 0; i < xx.size(); i += width) {
            for (const Panel& panel : panels_) {
                Real* const x = x_.data() + panel.first * count_;
                Real* const y = y_.data() + panel.first * count_;
                sites_->sweep({panel.width, x, y, step.keep ? y : nullptr, step, sums_.data()});
                add_up(panel, xx.subspan(i, width), yx.subspan(i, width));
            }
            if (step.keep) std::swap(x_, y_);
        }
    }

  private:
    // Takes the vectors of a panel from the source. They are stored one after the other in y until all are there, and
    // then interleaved.
    void take(const Block& block, const Panel& panel) {
        Real* const x = x_.data() + panel.first * count_;
        if (panel.width == 1) return read_vector(block, panel.first, x);
        Real* const y = y_.data() + panel.first * count_;
        for (std::size_t v = 0; v < panel.width; ++v) read_vector(block, panel.first + v, y + v * count_);
        sites_->over_sites(panel.width,
                           [&](std::size_t first, std::size_t last) { interleave(y, panel.width, first, last, x); });
    }

    // Interleaves one cache line at a time, because the distance of the vectors may be a power of two.
    void interleave(const Real* y, std::size_t width, std::size_t first, std::size_t last, Real* x) const {
        constexpr std::size_t line = 64 / sizeof(Real);
        for (std::size_t begin = first; begin < last; begin += line)
            for (std::size_t v = 0; v < width; ++v)
                for (std::size_t site = begin; site < std::min(begin + line, last); ++site)
                    x[site * width + v] = y[v * count_ + site];
    }

    // Gets vector number v of the block from the source.
    void read_vector(const Block& block, std::size_t v, Real* to) {
        const std::int64_t sample = block.first + static_cast<std::int64_t>(v);
        if constexpr (std::is_same_v<Real, double>) {
            (*block.source)(sample, {to, count_});
            require_range(sample, to);
        } else {
            (*block.source)(sample, given_);
            require_range(sample, given_.data());
            sites_->over_sites(1, [&](std::size_t first, std::size_t last) {
                std::copy(given_.data() + first, given_.data() + last, to + first);
            });
        }
    }

    void require_range(std::int64_t sample, const double* vector) const {
        const double most = largest_start_element(problem_.precision);
        std::atomic<bool> all = true;
        sites_->over_sites(1, [&](std::size_t first, std::size_t last) {
            bool here = true;
            for (std::size_t site = first; site < last; ++site) here &= std::abs(vector[site]) <= most;
            if (!here) all = false;
        });
        if (!all) require_start_vector(problem_.precision, sample, {vector, count_});
    }

    void fill(const Block& block, const Panel& panel, std::size_t first, std::size_t last) {
        const auto seed = static_cast<std::uint64_t>(problem_.seed);
        const std::size_t start = panel.first * count_;
        const auto vector = static_cast<std::size_t>(block.first) + panel.first;
        std::fill(y_.data() + start + first * panel.width, y_.data() + start + last * panel.width, Real{0});
        if (block.kind == StartVectors::caller) return;
        Real* x = x_.data() + start + first * panel.width;
        std::array<std::uint64_t, max_block_width> signs;
        for (std::size_t site = first; site < last; ++site)
            for (std::size_t v = 0; v < panel.width; ++v) {
                if (block.kind == StartVectors::sign) {
                    if (site == first || site % sites_of_signs == 0) signs[v] = sign_bits(seed, vector + v, site);
                    *x++ = static_cast<Real>(sign_of(signs[v], site));
                } else if (block.kind == StartVectors::sites) {
                    *x++ = problem_.sites[vector + v] == static_cast<std::int64_t>(site) ? Real{1} : Real{0};
                } else {
                    *x++ = static_cast<Real>(start_element(block.kind, seed, vector + v, site));
                }
            }
    }

    void add_up(const Panel& panel, std::span<double> xx, std::span<double> yx) const {
        for (std::size_t v = 0; v < panel.width; ++v) xx[panel.first + v] = yx[panel.first + v] = 0;
        const double* sums = sums_.data();
        for (std::size_t chunk = 0; chunk < sites_->chunks(); ++chunk, sums += 2 * panel.width)
            for (std::size_t v = 0; v < panel.width; ++v) {
                xx[panel.first + v] += sums[v];
                yx[panel.first + v] += sums[panel.width + v];
            }
    }

    const Problem& problem_;
    std::size_t count_;
    std::unique_ptr<Sites<Real>> sites_;
    Pages<Real> x_, y_;         // [panels][sites][width of the panel]
    Pages<double> given_;       // [sites], used if x and y are single
    std::vector<double> sums_;  // [chunks][2][width] of one panel
    std::vector<Panel> panels_;
};

}  // namespace

MemoryNeeds cpu_sums(const Hamiltonian& hamiltonian, Format format) {
    const std::size_t chunks = format == Format::stencil
                                   ? ChunkLayout(std::get<Lattice>(hamiltonian)).chunks()
                                   : chunks_of_rows(static_cast<std::size_t>(sites_of(hamiltonian)));
    return {0, static_cast<std::int64_t>(2 * sizeof(double) * chunks)};
}

std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                        Format format, int block_width) {
    // Threads that would have less work than their synchronisation costs are not used.
    constexpr std::int64_t least_sites = 4096;
    const auto threads =
        std::clamp<std::int64_t>(sites_of(hamiltonian) * block_width / least_sites, 1, context.threads());
    if (problem.precision == Precision::single)
        return std::make_unique<CpuEngine<float>>(problem, hamiltonian, format, block_width, static_cast<int>(threads));
    return std::make_unique<CpuEngine<double>>(problem, hamiltonian, format, block_width, static_cast<int>(threads));
}

}  // namespace legato::kpm
