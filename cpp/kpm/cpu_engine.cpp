// The CPU engine. Sums over sites are formed chunk by chunk, and the sums of the chunks of a segment are added in their
// order (chunk_layout.hpp). The results do not depend on which thread processes a chunk, or when.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <span>
#include <type_traits>

#include "core/parallel.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/cpu_kernels.hpp"
#include "kpm/cpu_sites.hpp"
#include "kpm/engine.hpp"
#include "kpm/lattice_sites.hpp"
#include "kpm/matrix_part.hpp"
#include "kpm/multiples.hpp"
#include "kpm/pages.hpp"
#include "kpm/row_sites.hpp"
#include "kpm/slab.hpp"
#include "kpm/start_vectors.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

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

template <class Real>
class CpuSlab final : public Slab {
  public:
    CpuSlab(const Problem& problem, std::unique_ptr<Sites<Real>> sites, int block_width, bool takes_from_source)
        : problem_(problem),
          sites_(std::move(sites)),
          lanes_(sites_->lanes()),
          count_(sites_->numbers().count),
          below_(sites_->numbers().below),
          above_(sites_->numbers().above),
          first_(sites_->numbers().first),
          multiples_(problem.sums, count_, block_width) {
        const auto width = static_cast<std::size_t>(block_width);
        if (const MatrixPart* const part = sites_->part()) {
            packed_ = Pages<Real>(part->sent() * std::min(width, sites_->widest_panel()));
            parcels_.resize(part->links.size());
        }
        x_ = Pages<Real>(stored() * width);
        y_ = Pages<Real>(stored() * width);
        if (takes_from_source && std::is_same_v<Real, float> && problem.start_vectors == StartVectors::caller)
            given_ = Pages<double>(count_ * lanes_);
        sums_.resize(sites_->segments().back() * 2 * width);
    }

    void begin(const Block& block) override {
        sites_->begin(block);
        waves_.clear();
        for (int v = 0; v < block.width && block.kind == StartVectors::waves; ++v)
            waves_.push_back(problem_.waves.wave(static_cast<std::size_t>(block.first + v)));
        panels_ = panels_of(static_cast<std::size_t>(block.width) * lanes_, sites_->widest_panel());
        for (const Panel& panel : panels_) {
            clear_halos(x_, panel);
            clear_halos(y_, panel);
            if (block.source) take(block, panel);
            sites_->over_sites(panel.width, [&](std::size_t first, std::size_t last) {
                fill(block, panel, first, last);
                clear_vacancies(panel, first, last);
            });
        }
    }

    void set_vector(std::size_t vector, std::span<const double> elements) override {
        const std::size_t lane = vector * lanes_;
        const Panel& panel = panel_of(lane);
        Real* const x = start(x_, panel) + (lane - panel.first);
        sites_->over_sites(panel.width, [&](std::size_t first, std::size_t last) {
            for (std::size_t site = first; site < last; ++site)
                for (std::size_t l = 0; l < lanes_; ++l)
                    x[site * panel.width + l] = static_cast<Real>(elements[site * lanes_ + l]);
            clear_vacancies(panel, first, last);
        });
    }

    std::size_t panels() const override { return panels_.size(); }

    Edges edges(std::size_t number) override {
        const Panel& panel = panels_[number];
        const std::size_t edge = below_ * panel.width, inside = count_ * panel.width;
        const std::span<Real> x(start(x_, panel) - edge, inside + 2 * edge);
        const auto lowest = x.subspan(edge, edge), highest = x.subspan(inside, edge);
        return {std::as_bytes(lowest), std::as_bytes(highest), std::as_writable_bytes(x.first(edge)),
                std::as_writable_bytes(x.last(edge))};
    }

    std::span<const Parcel> parcels(std::size_t number) override {
        const MatrixPart* const part = sites_->part();
        if (!part) return {};
        const Panel& panel = panels_[number];
        const Real* const x = start(x_, panel);
        Real* const halo = start(x_, panel) + count_ * panel.width;
        Real* to = packed_.data();
        for (std::size_t slab = 0; slab < parcels_.size(); ++slab) {
            const MatrixPart::Link& link = part->links[slab];
            const std::span<const Real> sent(to, link.sent.size() * panel.width);
            for (const std::int32_t row : link.sent)
                to = std::copy_n(x + static_cast<std::size_t>(row) * panel.width, panel.width, to);
            parcels_[slab] = {std::as_bytes(sent), std::as_writable_bytes(std::span(halo + link.first * panel.width,
                                                                                    link.count * panel.width))};
        }
        return parcels_;
    }

    void add_to_sum(std::size_t sum, double factor) override {
        for (const Panel& panel : panels_) multiples_.add(*sites_, panel, sum, factor, start(x_, panel));
    }

    void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) override {
        multiples_.read(*sites_, panel_of(vector * lanes_), sum, vector * lanes_, lanes_, elements);
    }

    void step(const Step& step, std::span<double> sums) override {
        for (const Panel& panel : panels_) {
            Real* const y = start(y_, panel);
            sites_->sweep({panel.width, start(x_, panel), y, step.keep ? y : nullptr, step, sums_.data()});
            add_chunks(panel, sums);
        }
        if (step.keep) std::swap(x_, y_);
    }

  private:
    // Number of sites that x and y have, those of the halos included.
    std::size_t stored() const { return below_ + count_ + above_; }

    // Returns where the elements of a panel begin in x or y. Those of the halo below lie before them.
    Real* start(Pages<Real>& vectors, const Panel& panel) const {
        return vectors.data() + panel.first * stored() + below_ * panel.width;
    }

    const Panel& panel_of(std::size_t lane) const {
        return *std::find_if(panels_.begin(), panels_.end(), [&](const Panel& p) { return lane < p.first + p.width; });
    }

    void clear_halos(Pages<Real>& vectors, const Panel& panel) const {
        Real* const inside = start(vectors, panel);
        std::fill_n(inside - below_ * panel.width, below_ * panel.width, Real{0});
        std::fill_n(inside + count_ * panel.width, above_ * panel.width, Real{0});
    }

    // Takes the vectors of a panel from the source. They are stored one after the other in y until all are there, and
    // then interleaved.
    void take(const Block& block, const Panel& panel) {
        Real* const x = start(x_, panel);
        const std::size_t vector = panel.first / lanes_;
        if (panel.width == lanes_) return read_vector(block, vector, x);
        Real* const y = start(y_, panel);
        for (std::size_t v = 0; v < panel.width / lanes_; ++v) read_vector(block, vector + v, y + v * count_ * lanes_);
        sites_->over_sites(panel.width, [&](std::size_t first, std::size_t last) {
            lanes_ == 1 ? interleave<1>(y, panel.width, first, last, x) : interleave<2>(y, panel.width, first, last, x);
        });
    }

    // Interleaves one cache line at a time, because the distance of the vectors may be a power of two.
    template <std::size_t lanes>
    void interleave(const Real* y, std::size_t width, std::size_t first, std::size_t last, Real* x) const {
        constexpr std::size_t line = 64 / sizeof(Real);
        for (std::size_t begin = first; begin < last; begin += line)
            for (std::size_t v = 0; v < width; v += lanes)
                for (std::size_t site = begin; site < std::min(begin + line, last); ++site)
                    for (std::size_t l = 0; l < lanes; ++l) x[site * width + v + l] = y[v * count_ + site * lanes + l];
    }

    // Gets vector number v of the block from the source.
    void read_vector(const Block& block, std::size_t v, Real* to) {
        const std::int64_t sample = block.first + static_cast<std::int64_t>(v);
        if constexpr (std::is_same_v<Real, double>) {
            (*block.source)(sample, {to, count_ * lanes_});
            require_range(sample, to);
        } else {
            (*block.source)(sample, given_);
            require_range(sample, given_.data());
            sites_->over_sites(1, [&](std::size_t first, std::size_t last) {
                std::copy(given_.data() + first * lanes_, given_.data() + last * lanes_, to + first * lanes_);
            });
        }
    }

    void require_range(std::int64_t sample, const double* vector) const {
        const double most = largest_start_element(problem_.precision);
        std::atomic<bool> all = true;
        sites_->over_sites(1, [&](std::size_t first, std::size_t last) {
            bool here = true;
            for (std::size_t i = first * lanes_; i < last * lanes_; ++i) here &= std::abs(vector[i]) <= most;
            if (!here) all = false;
        });
        if (!all) require_start_vector(problem_.precision, sample, {vector, count_ * lanes_});
    }

    // Sets y to zero and, unless the caller gives them, x to the start vectors. Their numbers are those in the lattice.
    void fill(const Block& block, const Panel& panel, std::size_t first, std::size_t last) {
        const auto seed = static_cast<std::uint64_t>(problem_.seed);
        const auto vector = static_cast<std::size_t>(block.first) + panel.first / lanes_;
        std::fill(start(y_, panel) + first * panel.width, start(y_, panel) + last * panel.width, Real{0});
        multiples_.clear(panel, first, last);
        if (block.kind == StartVectors::caller) return;
        Real* x = start(x_, panel) + first * panel.width;
        if (block.kind == StartVectors::waves)
            return fill_waves(std::span<const Wave>(waves_).subspan(panel.first / lanes_, panel.width / lanes_), lanes_,
                              first_ + first, first_ + last, x);
        if (block.kind != StartVectors::sites)
            return fill_random(block.kind, seed, vector, panel.width / lanes_, lanes_, first_ + first, first_ + last,
                               x);
        for (std::size_t site = first_ + first; site < first_ + last; ++site)
            for (std::size_t v = 0; v < panel.width / lanes_; ++v) {
                *x++ = problem_.sites[vector + v] == static_cast<std::int64_t>(site) ? Real{1} : Real{0};
                if (lanes_ == 2) *x++ = Real{0};
            }
    }

    void clear_vacancies(const Panel& panel, std::size_t first, std::size_t last) {
        const std::uint32_t* const vacancies = sites_->vacancies();
        if (!vacancies) return;
        for (std::size_t site = first; site < last; ++site)
            if (is_vacancy(vacancies, static_cast<std::int64_t>(first_ + site)))
                std::fill_n(start(x_, panel) + site * panel.width, panel.width, Real{0});
    }

    // Adds up the sums of the chunks of each segment for the vectors of a panel.
    void add_chunks(const Panel& panel, std::span<double> sums) const {
        const std::vector<std::size_t>& first = sites_->segments();
        const std::size_t width = sums.size() / (2 * (first.size() - 1));
        for (std::size_t segment = 0; segment + 1 < first.size(); ++segment)
            for (std::size_t product = 0; product < 2; ++product) {
                double* const to = sums.data() + (2 * segment + product) * width + panel.first;
                std::fill_n(to, panel.width, 0.0);
                for (std::size_t chunk = first[segment]; chunk < first[segment + 1]; ++chunk)
                    for (std::size_t v = 0; v < panel.width; ++v)
                        to[v] += sums_[(2 * chunk + product) * panel.width + v];
            }
    }

    const Problem& problem_;
    std::unique_ptr<Sites<Real>> sites_;
    std::size_t lanes_;
    std::size_t count_, below_, above_, first_;
    Pages<Real> x_, y_;  // [panels][halo, sites, halo][width of the panel]
    MultiplesOfVectors<Real> multiples_;
    Pages<Real> packed_;           // elements of x for other slabs, of one panel
    std::vector<Parcel> parcels_;  // [slabs], of one panel
    Pages<double> given_;          // [sites][lanes], used if x and y are single
    std::vector<double> sums_;     // [chunks][2][width] of one panel
    std::vector<Panel> panels_;
    std::vector<Wave> waves_;  // of the vectors of the block
};

// Returns the vectors in the precision of the problem. make(Real{}) makes the sites.
template <class Make>
std::unique_ptr<Slab> make_slab(const Problem& problem, int block_width, bool takes_from_source, const Make& make) {
    if (problem.precision == Precision::single)
        return std::make_unique<CpuSlab<float>>(problem, make(float{}), block_width, takes_from_source);
    return std::make_unique<CpuSlab<double>>(problem, make(double{}), block_width, takes_from_source);
}

std::unique_ptr<Slab> make_lattice_slab(const Context& context, const Problem& problem, const Lattice& lattice,
                                        const ChunkLayout& layout, int block_width, bool takes_from_source) {
    const int threads = threads_for(context, static_cast<std::int64_t>(layout.sites()), block_width);
    return make_slab(problem, block_width, takes_from_source, [&]<class Real>(Real) -> std::unique_ptr<Sites<Real>> {
        return std::make_unique<LatticeSites<Real>>(problem, lattice, layout, threads);
    });
}

std::unique_ptr<Slab> make_matrix_slab(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                       Format format, int block_width) {
    const int threads = threads_for(context, sites_of(hamiltonian), block_width);
    return make_slab(problem, block_width, true, [&]<class Real>(Real) -> std::unique_ptr<Sites<Real>> {
        return std::make_unique<RowSites<Real>>(problem, hamiltonian, format, threads);
    });
}

}  // namespace

MemoryNeeds cpu_sums(const Hamiltonian& hamiltonian, Format format) {
    std::size_t chunks = chunks_of_rows(static_cast<std::size_t>(sites_of(hamiltonian))),
                segments = Segments(chunks, 1).count();
    if (format == Format::stencil && std::holds_alternative<Lattice>(hamiltonian)) {
        const ChunkLayout layout(std::get<Lattice>(hamiltonian));
        chunks = layout.chunks();
        segments = layout.own.size();
    }
    return {0, lanes_of(hamiltonian) * static_cast<std::int64_t>(2 * sizeof(double) * (chunks + segments))};
}

std::vector<std::size_t> cpu_segments(const Hamiltonian& hamiltonian) {
    std::vector<std::size_t> first;
    if (!std::holds_alternative<Lattice>(hamiltonian)) {
        const auto rows = static_cast<std::size_t>(sites_of(hamiltonian));
        const Segments segments(chunks_of_rows(rows), 1);
        for (std::size_t s = 0; s < segments.count(); ++s) first.push_back(segments.first_chunk(s) * chunk_sites);
        first.push_back(rows);
        return first;
    }
    const ChunkLayout whole(std::get<Lattice>(hamiltonian));
    for (std::size_t s = 0; s < whole.segments.count(); ++s) first.push_back(whole.slab({s, s + 1}).first_site);
    first.push_back(whole.sites());
    return first;
}

std::unique_ptr<Slab> make_cpu_slab(const Context& context, const Problem& problem, const Lattice& lattice,
                                    const SegmentRange& segments, int block_width) {
    return make_lattice_slab(context, problem, lattice, ChunkLayout(lattice).slab(segments), block_width, false);
}

std::unique_ptr<Slab> make_cpu_cells(const Context& context, const Problem& problem, const Hamiltonian& lattice,
                                     const SegmentRange& segments, int block_width) {
    const auto sites = static_cast<std::size_t>(sites_of(lattice)), all = Segments(chunks_of_rows(sites), 1).count();
    const auto here = static_cast<std::int64_t>(sites * segments.size() / all);
    const int threads = threads_for(context, here, block_width);
    return make_slab(problem, block_width, false, [&]<class Real>(Real) -> std::unique_ptr<Sites<Real>> {
        return std::make_unique<RowSites<Real>>(problem, lattice, segments, threads);
    });
}

std::unique_ptr<Slab> make_cpu_rows(const Context& context, const Problem& problem, MatrixPart part, Format format,
                                    const SegmentRange& segments, std::size_t chunks, int block_width) {
    const int threads = threads_for(context, static_cast<std::int64_t>(part.count()), block_width);
    return make_slab(problem, block_width, false, [&]<class Real>(Real) -> std::unique_ptr<Sites<Real>> {
        return std::make_unique<RowSites<Real>>(problem, std::move(part), format, Segments(chunks, 1), segments,
                                                threads);
    });
}

// A lattice is one slab, and so is a matrix.
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                        Format format, int block_width) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian); lattice && format == Format::stencil) {
        const ChunkLayout whole(*lattice);
        return engine_of(make_lattice_slab(context, problem, *lattice, whole, block_width, true), whole.own.size(),
                         block_width);
    }
    const Segments segments(chunks_of_rows(static_cast<std::size_t>(sites_of(hamiltonian))), 1);
    return engine_of(make_matrix_slab(context, problem, hamiltonian, format, block_width), segments.count(),
                     block_width);
}

}  // namespace legato::kpm
