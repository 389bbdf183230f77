// The rows of a matrix, or of a unit-cell lattice, on the CPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kpm/cell_rows.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/cpu_sites.hpp"
#include "kpm/pages.hpp"
#include "kpm/row_patterns.hpp"

namespace legato::kpm {

template <class Real>
class RowSites final : public Sites<Real> {
  public:
    RowSites(const Problem& problem, const Hamiltonian& hamiltonian, Format format, int threads)
        : problem_(problem),
          hamiltonian_(&hamiltonian),
          format_(format),
          threads_(threads),
          rows_(static_cast<std::size_t>(sites_of(hamiltonian))),
          longest_(longest_row(hamiltonian)),
          lanes_(static_cast<std::size_t>(lanes_of(hamiltonian))) {
        const Segments all(chunks(), 1);
        segments_ = all.chunks_of({0, all.count()});
        if (const auto matrix = matrix_in(hamiltonian)) use(*matrix);
        set_disorder(disorder_of(hamiltonian));
        if (format == Format::stencil) cells_.emplace(std::get<CellLattice>(hamiltonian));
    }
    // The rows of some segments of a unit-cell lattice without a matrix.
    RowSites(const Problem& problem, const Hamiltonian& hamiltonian, const SegmentRange& segments, int threads)
        : RowSites(problem, hamiltonian, Format::stencil, threads) {
        const auto& lattice = std::get<CellLattice>(hamiltonian);
        const Segments all(chunks(), 1);
        const std::size_t first = all.first_chunk(segments.first) * chunk_sites;
        rows_ = std::min(all.first_chunk(segments.end) * chunk_sites, rows_) - first;
        segments_ = all.chunks_of(segments);
        cells_->rows.first = static_cast<std::int64_t>(first);
        cells_->rows.count = static_cast<std::int64_t>(rows_);
        if (segments.size() < all.count()) cells_->rows.halo = halo_of(lattice);
    }
    // The rows of some segments of a matrix.
    RowSites(const Problem& problem, MatrixPart part, Format format, const Segments& all, const SegmentRange& segments,
             int threads)
        : problem_(problem),
          format_(format),
          threads_(threads),
          rows_(part.count()),
          longest_(part.rows.longest_row),
          lanes_(part.rows.lanes()),
          segments_(all.chunks_of(segments)),
          part_(std::move(part)) {
        use(view_of(part_->rows));
        set_disorder(part_->disorder);
        if (format == Format::ell) part_->rows = {};
    }

    SiteNumbers numbers() const override {
        if (part_) return {rows_, 0, part_->halo, part_->first};
        if (!cells_) return {.count = rows_};
        const auto halo = static_cast<std::size_t>(cells_->rows.halo);
        return {rows_, halo, halo, static_cast<std::size_t>(cells_->rows.first)};
    }
    const MatrixPart* part() const override { return part_ ? &*part_ : nullptr; }
    const std::vector<std::size_t>& segments() const override { return segments_; }
    std::size_t widest_panel() const override { return std::size_t{1} << (matrix_widths - 1); }
    std::size_t lanes() const override { return lanes_; }

    const std::uint32_t* vacancies() const override { return vacancies_.empty() ? nullptr : vacancies_.data(); }

    void begin(const Block& block) override {
        set_realisation(block);
        if (gains_from_patterns(static_cast<std::size_t>(block.width) * lanes_)) find_patterns();
    }

    void set_realisation(const Block& block) {
        const std::int64_t realisation = block.realisation;
        draw_vacancies(realisation);
        if (cells_) return draw(realisation);
        if (disorder_.is_any()) return draw_disorder(block);
        if (!hamiltonian_ || !is_lattice(*hamiltonian_) || realisation == realisation_) return;
        if (realisation_ >= 0 && !is_random(*hamiltonian_)) return;
        own_ = {};  // frees the old matrix before the new one is made
        own_ = matrix_of(*hamiltonian_, static_cast<std::uint64_t>(problem_.seed), realisation, threads_);
        use(view_of(own_));
        if (format_ == Format::ell) own_ = {};
        realisation_ = realisation;
    }

    void sweep(const Sweep<Real>& sweep) const override {
        const auto log2 = static_cast<std::size_t>(std::countr_zero(sweep.width));
        const auto crs = (lanes_ == 1 ? kernels<Real>().crs : kernels<Real>().complex_crs)[log2];
        const auto ell = (lanes_ == 1 ? kernels<Real>().ell : kernels<Real>().complex_ell)[log2];
        const auto patterned = (lanes_ == 1 ? kernels<Real>().patterned : kernels<Real>().complex_patterned)[log2];
        const auto cells = (lanes_ == 1 ? kernels<Real>().cells : kernels<Real>().complex_cells)[log2];
        const Discarded discarded(sweep, chunk_sites, threads_);
        in_team(threads_, [&](const Team& team) {
            const auto [begin, end] = team.share(chunks());
            for (std::size_t chunk = begin; chunk < end; ++chunk) {
                const std::size_t first = chunk * chunk_sites, last = std::min(first + chunk_sites, rows_);
                const MatrixStep<Real> step{sweep.step.a,
                                            sweep.step.b,
                                            sweep.step.c,
                                            sweep.x,
                                            sweep.y,
                                            sweep.y_new ? sweep.y_new : discarded.of(team),
                                            sweep.y_new ? 0 : first,
                                            disorder_.is_any() ? energies_.data() : nullptr};
                double* const sums = sweep.sums + chunk * 2 * sweep.width;
                std::fill_n(sums, 2 * sweep.width, 0.0);
                if (cells_)
                    cells(cells_->rows, step, first, last, sums);
                else if (patterns_ && sweep.width <= pattern_lanes)
                    patterned(patterned_, step, first, last, sums);
                else if (format_ == Format::crs)
                    crs(crs_, step, first, last, sums);
                else
                    ell(ell_, step, first, last, sums);
            }
        });
    }

    void over_sites(std::size_t, const std::function<void(std::size_t, std::size_t)>& work) const override {
        in_team(threads_, [&](const Team& team) {
            const auto [begin, end] = team.share(chunks());
            for (std::size_t chunk = begin; chunk < end; ++chunk)
                work(chunk * chunk_sites, std::min((chunk + 1) * chunk_sites, rows_));
        });
    }

  private:
    std::size_t chunks() const { return chunks_of_rows(rows_); }

    void set_disorder(const Disorder& disorder) {
        disorder_ = disorder;
        if (disorder.is_any()) energies_ = Pages<double>(rows_);
    }

    // Draws the energies that are added to the diagonal of a matrix.
    void draw_disorder(const Block& block) {
        if (block.realisation == realisation_) return;
        over_sites(1, [&](std::size_t first, std::size_t last) {
            draw_energies(disorder_, static_cast<std::uint64_t>(problem_.seed), block.realisation,
                          static_cast<std::int64_t>(numbers().first + first), block.energies,
                          {energies_.data() + first, last - first});
        });
        realisation_ = block.realisation;
    }

    void use(const CrsView& matrix) {
        crs_ = {matrix.row_pointers, matrix.columns, matrix.values, matrix.index_base};
        patterns_.reset();
        patterns_are_known_ = false;
        if (format_ != Format::ell) return;
        pad(matrix, longest_, threads_, padded_);
        ell_ = {rows_, static_cast<std::size_t>(longest_), padded_.columns.data(), padded_.values.data()};
    }

    // Returns whether a block of this many lanes is faster with patterns: if several rows are multiplied at a time, or
    // if the matrix does not stay in cache. Wider blocks share what is read of the matrix.
    bool gains_from_patterns(std::size_t lanes) const {
        constexpr std::int64_t cached = std::int64_t{1} << 24;
        if (format_ != Format::crs || part_ || lanes > pattern_lanes) return false;
        const auto element = static_cast<std::int64_t>(sizeof(double) * lanes_ + sizeof(std::int32_t));
        return (lanes_ == 1 && lanes <= 2) || elements_of(*hamiltonian_) * element > cached;
    }

    // Stores a whole matrix as patterns if it has few of them. Rows of a part refer to halos, which have no pattern.
    void find_patterns() {
        if (patterns_are_known_) return;
        patterns_are_known_ = true;
        patterns_ = row_patterns(is_lattice(*hamiltonian_) ? view_of(own_) : *matrix_in(*hamiltonian_), threads_);
        if (!patterns_) return;
        patterned_ = {patterns_->pattern.data(), patterns_->diagonal.data(),  patterns_->first.data(),
                      patterns_->own.data(),     patterns_->distances.data(), patterns_->values.data()};
    }

    void draw_vacancies(std::int64_t realisation) {
        if (!hamiltonian_ || realisation == realisation_ || (realisation_ >= 0 && !is_random(*hamiltonian_))) return;
        vacancies_ =
            kpm::draw_vacancies(*hamiltonian_, static_cast<std::uint64_t>(problem_.seed), realisation, threads_);
        if (cells_) cells_->rows.vacancies = vacancies();
    }

    // Draws the on-site energies of a lattice without a matrix.
    void draw(std::int64_t realisation) {
        if (realisation == realisation_ || (realisation_ >= 0 && !is_random(*hamiltonian_))) return;
        const auto& lattice = std::get<CellLattice>(*hamiltonian_);
        energies_.resize(cells_->rows.has_site_energies ? rows_ : static_cast<std::size_t>(lattice.orbitals));
        in_team(threads_, [&](const Team& team) {
            const auto [first, last] = team.share(energies_.size());
            const std::int64_t site =
                static_cast<std::int64_t>(first) + (cells_->rows.has_site_energies ? cells_->rows.first : 0);
            draw_energies(lattice, static_cast<std::uint64_t>(problem_.seed), realisation, site,
                          {energies_.data() + first, last - first});
        });
        cells_->rows.energies = energies_.data();
        realisation_ = realisation;
    }

    const Problem& problem_;
    const Hamiltonian* hamiltonian_ = nullptr;  // null if there are only some rows
    Format format_;
    int threads_;
    std::size_t rows_;
    std::int64_t longest_;  // row of the whole matrix, so that padded rows of a part give the same bits
    std::size_t lanes_;
    std::vector<std::size_t> segments_;
    std::optional<MatrixPart> part_;
    std::int64_t realisation_ = -1;
    CrsMatrix own_;
    EllMatrix padded_;
    CrsRows crs_{};
    EllRows ell_{};
    static constexpr std::size_t pattern_lanes = 4;  // limit of the lanes that are multiplied with patterns
    std::optional<RowPatterns> patterns_;            // with Format::crs
    bool patterns_are_known_ = false;                // those of this matrix have been looked for
    PatternedRows patterned_{};
    std::optional<CellArrays> cells_;  // with Format::stencil
    Pages<std::uint32_t> vacancies_;
    Disorder disorder_;       // of a matrix
    Pages<double> energies_;  // of the sites of these cells, of one cell, or [rows] of the disorder
};

}  // namespace legato::kpm
