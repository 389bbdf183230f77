#include "kpm/slab_engine.hpp"

#include <algorithm>
#include <vector>

#include "core/device.hpp"
#include "core/edges.hpp"
#include "core/ranks.hpp"
#include "core/state_header.hpp"
#include "kpm/cell_rows.hpp"
#include "kpm/lanes.hpp"
#include "kpm/matrix_part.hpp"
#include "kpm/slabs.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

class SlabEngine final : public Engine {
  public:
    SlabEngine(const Context& context, const WorkParts& parts, Backend backend, const Problem& problem,
               const Hamiltonian& hamiltonian, Format format, int block_width)
        : context_(context),
          parts_(parts),
          problem_(problem),
          slabs_(backend, hamiltonian, parts.count()),
          by_rows_(!is_lattice(hamiltonian)),
          lanes_(static_cast<std::size_t>(lanes_of(hamiltonian))),
          parcel_service_(context, parts, slabs_.count()) {
        const std::size_t first = std::min(parts.first_here(), slabs_.count());
        here_.resize(std::min(parts.here(), slabs_.count() - first));
        edges_.resize(here_.size());
        side_by_side([&](std::size_t i) {
            here_[i] = make_slab(parts.context(i), backend, problem, hamiltonian, format, slabs_, first + i,
                                 {context.devices(), here_.size() < slabs_.count()}, block_width);
        });
        parcels_.resize(here_.size());
        if (problem.start_vectors == StartVectors::caller)
            given_ = Pages<double>(static_cast<std::size_t>(sites_of(hamiltonian)) * lanes_);
    }

    // After an error of the communicator a slab may still copy to the memory of another one.
    ~SlabEngine() override {
        for (const auto& slab : here_)
            if (slab) slab->wait();
    }

    void begin(const Block& block) override {
        Block without_source = block;
        without_source.source = nullptr;
        side_by_side([&](std::size_t i) { here_[i]->begin(without_source); });
        if (block.kind == StartVectors::caller) take(block);
        if (by_rows_ && context_.ranks() > 1)
            for (std::size_t panel = 0; panel < panels(); ++panel) parcel_service_.reserve(parcels(panel));
        halos_are_old_ = true;
    }

    // Between the first meeting and the last step nothing fails on one rank only. If step.keep is false, there is one
    // step, which may. The slabs of this rank take turns: devices go on by themselves, and several slabs are on the CPU
    // in tests only. The edges for the next step are passed while a device computes what lies between them.
    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override {
        const std::size_t all = static_cast<std::size_t>(count), products = 2 * xx.size() / all;
        const SegmentRange own = segments_here();
        sums_.resize(all * own.size() * products);
        on_any_rank(context_, false);
        if (halos_are_old_) pass();
        halos_are_old_ = false;
        for (std::size_t i = 0; i < all; ++i) {
            for (std::size_t slab = 0; slab < here_.size(); ++slab) {
                const SegmentRange its = slabs_.range(first_here() + slab);
                here_[slab]->step(step,
                                  std::span(sums_).subspan(((its.first - own.first) * all + i * its.size()) * products,
                                                           its.size() * products));
            }
            if (step.keep) pass();
        }
        finish_all(here_);
        add_up(gather_list<double>(context_, sums_), all, xx, yx);
    }

    void add_to_sum(std::size_t sum, double factor) override {
        for (const auto& slab : here_) slab->add_to_sum(sum, factor);
    }

    void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) override {
        const std::size_t lanes = elements.size() / slabs_.all_sites();
        const auto range_of = [&](std::size_t slab) {
            return elements.subspan(lanes * slabs_.first_site(slab), lanes * slabs_.sites(slab));
        };
        side_by_side([&](std::size_t i) { here_[i]->read_sum(sum, vector, range_of(first_here() + i)); });
        parts_.gather_ranges(elements, [&](std::size_t rank) {
            const WorkParts::Range parts = parts_.range_of_rank(parts_.count(), rank);
            const std::size_t first = std::min(parts.first, slabs_.count()), end = std::min(parts.end, slabs_.count());
            if (first == end) return WorkParts::Range{};
            return WorkParts::Range{lanes * slabs_.first_site(first),
                                    lanes * (slabs_.first_site(end - 1) + slabs_.sites(end - 1))};
        });
    }

  private:
    std::size_t first_here() const { return std::min(parts_.first_here(), slabs_.count()); }
    SegmentRange segments_here() const {
        if (here_.empty()) return {};
        return {slabs_.range(first_here()).first, slabs_.range(first_here() + here_.size() - 1).end};
    }

    template <class Work>
    void side_by_side(const Work& work) const {
        parts_.side_by_side([&](std::size_t i) {
            if (i < here_.size()) work(i);
        });
    }

    // Takes the vectors of a block from the caller, each in whole.
    void take(const Block& block) {
        for (std::size_t v = 0; v < static_cast<std::size_t>(block.width); ++v) {
            const std::int64_t sample = block.first + static_cast<std::int64_t>(v);
            (*block.source)(sample, given_);
            require_start_vector(problem_.precision, sample, given_);
            require_same_vector(sample);
            side_by_side([&](std::size_t i) {
                const std::size_t slab = first_here() + i;
                here_[i]->set_vector(
                    v, std::span(given_).subspan(lanes_ * slabs_.first_site(slab), lanes_ * slabs_.sites(slab)));
            });
        }
    }

    void require_same_vector(std::int64_t sample) const {
        if (context_.ranks() == 1) return;
        const std::vector<std::uint64_t> all =
            gather_value(context_, state_format::checksum(std::as_bytes(std::span(given_))));
        for (std::size_t rank = 1; rank < all.size(); ++rank)
            if (all[rank] != all[0])
                fail(Status::invalid_argument, "kpm: the callback gives start vector ", sample,
                     " other elements on rank ", rank, " than on rank 0");
    }

    std::size_t panels() const { return here_.empty() ? 0 : here_[0]->panels(); }

    std::span<const std::span<const Parcel>> parcels(std::size_t panel) {
        for (std::size_t i = 0; i < here_.size(); ++i) parcels_[i] = here_[i]->parcels(panel);
        return parcels_;
    }

    void pass() {
        if (slabs_.count() == 1) return;
        for (std::size_t panel = 0; panel < panels(); ++panel) {
            if (by_rows_) {
                parcel_service_.pass(parcels(panel));
                continue;
            }
            for (std::size_t i = 0; i < here_.size(); ++i) edges_[i] = here_[i]->edges(panel);
            pass_edges(context_, parts_, edges_, slabs_.count(), slabs_.periodic());
        }
    }

    // Adds up the sums of all segments, [slabs][steps][segments of the slab][2][width].
    void add_up(std::span<const double> sums, std::size_t steps, std::span<double> xx, std::span<double> yx) const {
        const std::size_t width = xx.size() / steps;
        std::fill(xx.begin(), xx.end(), 0.0);
        std::fill(yx.begin(), yx.end(), 0.0);
        for (std::size_t slab = 0; slab < slabs_.count(); ++slab) {
            const std::size_t of_slab = slabs_.range(slab).size() * 2 * width;
            for (std::size_t i = 0; i < steps; ++i, sums = sums.subspan(of_slab))
                add_segments(sums.first(of_slab), xx.subspan(i * width, width), yx.subspan(i * width, width));
        }
    }

    const Context& context_;
    const WorkParts& parts_;
    const Problem& problem_;
    const Slabs slabs_;   // of all ranks
    const bool by_rows_;  // the slabs are rows of a matrix
    const std::size_t lanes_;
    ParcelService parcel_service_;
    bool halos_are_old_ = true;                     // the edges of x have not been passed
    std::vector<std::unique_ptr<Slab>> here_;       // those of this rank, one for each of its first parts
    std::vector<Edges> edges_;                      // of a panel of these slabs
    std::vector<std::span<const Parcel>> parcels_;  // the same if there are rows
    std::vector<double> sums_;                      // [slabs of this rank][steps][segments of the slab][2][width]
    Pages<double> given_;                           // [sites of the lattice][lanes], a vector of the caller
};

}  // namespace

std::unique_ptr<Engine> make_slab_engine(const Context& context, const WorkParts& parts, Backend backend,
                                         const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                                         int block_width) {
    return with_added_lanes(std::make_unique<SlabEngine>(context, parts, backend, problem, hamiltonian, format,
                                                         lanes_of(hamiltonian) * block_width),
                            hamiltonian);
}

std::unique_ptr<Engine> make_lone_slab(const Context& context, Backend backend, const Problem& problem,
                                       const Hamiltonian& hamiltonian, Format format, std::size_t parts,
                                       int block_width) {
    const Slabs slabs(backend, hamiltonian, parts);
    const std::size_t largest = slabs.largest();
    const int width = lanes_of(hamiltonian) * block_width;
    return with_added_lanes(
        engine_of(make_slab(context, backend, problem, hamiltonian, format, slabs, largest, {}, width),
                  slabs.range(largest).size(), width),
        hamiltonian);
}

namespace {

std::int64_t bytes(std::size_t count, std::int64_t each) {
    return static_cast<std::int64_t>(count) * each;
}

// Returns the memory of the sums of a slab with these chunks. The sums of segments are in memory several times while
// they are gathered: those of this rank twice, those of all ranks padded to the same number, and in their order.
MemoryNeeds needs_of_sums(const Slabs& slabs, std::int64_t sites, std::size_t chunks, std::size_t parts) {
    const std::size_t most = pieces(slabs.segments(), slabs.count()), segments = (2 + parts) * most + slabs.segments();
    const auto steps = static_cast<std::size_t>(steps_at_once(sites, 1));
    return {0, bytes(2 * (chunks + segments * steps), sizeof(double))};
}

// Returns the memory for rows of a matrix: vectors and halos, what is sent, packed and, on the CPU, between ranks, and
// the part of the matrix.
MemoryNeeds rows_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, const CrsView& matrix,
                       Format format, const Slabs& slabs, std::size_t parts) {
    const std::size_t rows = slabs.sites(slabs.largest());
    const Traffic traffic = largest_traffic(matrix, slabs, 1);
    std::size_t between_ranks = traffic.sent + traffic.halo;
    std::size_t elements = 0;
    for (std::size_t slab = 0; slab < slabs.count(); ++slab) {
        const std::size_t first = slabs.first_site(slab);
        elements = std::max(elements, matrix.begin(first + slabs.sites(slab)) - matrix.begin(first));
    }
    MemoryNeeds needs = needs_of_sums(slabs, matrix.rows, chunks_of_rows(rows), parts);
    needs.each *= lanes_of(hamiltonian);
    if constexpr (with_cuda)
        if (backend == Backend::cuda) {
            needs = cuda_rows_sums(hamiltonian, slabs.range(slabs.largest()));
            between_ranks = 0;
        }
    const std::int64_t of_element = 8 * lanes_of(hamiltonian) + 4;
    needs.each +=
        bytes((2 + static_cast<std::size_t>(problem.sums)) * rows + 2 * traffic.halo + traffic.sent + between_ranks,
              element_bytes(problem.precision) * lanes_of(hamiltonian));
    needs.fixed += bytes(elements, of_element) + bytes(rows, 8) + bytes(traffic.sent + traffic.halo, 4);
    if (format == Format::ell) needs.fixed += bytes(rows * static_cast<std::size_t>(matrix.longest_row), of_element);
    return needs;
}

// Returns the memory for a slab of a unit-cell lattice.
MemoryNeeds cells_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, const Slabs& slabs,
                        std::size_t parts) {
    const auto& lattice = std::get<CellLattice>(hamiltonian);
    const std::size_t rows = slabs.sites(slabs.largest()),
                      halos = slabs.count() > 1 ? 2 * static_cast<std::size_t>(halo_of(lattice)) : 0;
    MemoryNeeds needs = needs_of_sums(slabs, lattice.sites(), chunks_of_rows(rows), parts);
    needs.each *= lanes_of(hamiltonian);
    const bool on_device = backend == Backend::cuda;
    if constexpr (with_cuda)
        if (on_device) needs = cuda_cells_sums(lattice, slabs.range(slabs.largest()));
    needs.each += bytes(2 * (rows + halos) + static_cast<std::size_t>(problem.sums) * rows,
                        element_bytes(problem.precision) * lanes_of(hamiltonian));
    needs.fixed += bytes_of_cells(lattice, on_device) + 2 * bytes_of_vacancies(hamiltonian);
    if (has_site_energies(hamiltonian)) needs.fixed += bytes(rows, sizeof(double));
    return needs;
}

}  // namespace

MemoryNeeds slab_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                       std::size_t parts) {
    const Slabs slabs(backend, hamiltonian, parts);
    const std::int64_t lanes = lanes_of(hamiltonian), sites = sites_of(hamiltonian),
                       given = problem.start_vectors == StartVectors::caller ? 8 * lanes * sites : 0;
    if (const auto matrix = matrix_in(hamiltonian)) {
        MemoryNeeds needs = rows_needs(backend, problem, hamiltonian, *matrix, format, slabs, parts);
        // A device keeps the elements of its rows only.
        const bool on_device = backend == Backend::cuda && given > 0;
        needs.fixed += on_device ? lanes * bytes(slabs.sites(slabs.largest()), sizeof(double)) : given;
        if (matrix->disorder.is_any()) needs.fixed += bytes(slabs.sites(slabs.largest()), sizeof(double));
        if (matrix->disorder.on_site == OnSite::energies && backend != Backend::cuda)
            needs.fixed += 8 * sites;  // those of all sites
        return needs;
    }
    if (std::holds_alternative<CellLattice>(hamiltonian)) {
        MemoryNeeds needs = cells_needs(backend, problem, hamiltonian, slabs, parts);
        // A device keeps the elements of its sites only.
        const bool of_slab = backend == Backend::cuda && given > 0;
        needs.fixed += of_slab ? lanes * bytes(slabs.sites(slabs.largest()), sizeof(double)) : given;
        return needs;
    }
    const auto& lattice = std::get<Lattice>(hamiltonian);
    const SegmentRange largest = slabs.range(slabs.largest());
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_slab_needs(problem, lattice, largest);
    const ChunkLayout slab = ChunkLayout(lattice).slab(largest);
    MemoryNeeds needs = needs_of_sums(slabs, sites, slab.chunks(), parts);
    needs.each += bytes(2 * (slab.sites() + 2 * slab.halo_sites()), element_bytes(problem.precision));
    needs.each += bytes(slab.sites() * static_cast<std::size_t>(problem.sums), element_bytes(problem.precision));
    needs.fixed += given;
    if (is_random(lattice) || lattice.on_site == OnSite::energies) needs.fixed += bytes(slab.sites(), sizeof(double));
    return needs;
}

}  // namespace legato::kpm
