#include "kpm/slab_engine.hpp"

#include <algorithm>
#include <vector>

#include "core/device.hpp"
#include "core/edges.hpp"
#include "core/ranks.hpp"
#include "core/state_header.hpp"
#include "kpm/slabs.hpp"

namespace legato::kpm {
namespace {

class SlabEngine final : public Engine {
  public:
    SlabEngine(const Context& context, const WorkParts& parts, Backend backend, const Problem& problem,
               const Lattice& lattice, int block_width)
        : context_(context), parts_(parts), problem_(problem), slabs_(backend, lattice, parts.count()) {
        const std::size_t first = std::min(parts.first_here(), slabs_.count());
        here_.resize(std::min(parts.here(), slabs_.count() - first));
        edges_.resize(here_.size());
        side_by_side([&](std::size_t i) {
            here_[i] = make_slab(parts.context(i), backend, problem, lattice, slabs_.range(first + i),
                                 {context.devices(), here_.size() < slabs_.count()}, block_width);
        });
        if (problem.start_vectors == StartVectors::caller)
            given_ = Pages<double>(static_cast<std::size_t>(lattice.sites()));
    }

    void begin(const Block& block) override {
        Block without_source = block;
        without_source.source = nullptr;
        side_by_side([&](std::size_t i) { here_[i]->begin(without_source); });
        if (block.kind == StartVectors::caller) take(block);
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
                here_[i]->set_vector(v, std::span(given_).subspan(slabs_.first_site(slab), slabs_.sites(slab)));
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

    void pass() {
        if (here_.empty() || slabs_.count() == 1) return;
        for (std::size_t panel = 0; panel < here_[0]->panels(); ++panel) {
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
    const Slabs slabs_;                        // of all ranks
    bool halos_are_old_ = true;                // the edges of x have not been passed
    std::vector<std::unique_ptr<Slab>> here_;  // those of this rank, one for each of its first parts
    std::vector<Edges> edges_;                 // of a panel of these slabs
    std::vector<double> sums_;                 // [slabs of this rank][steps][segments of the slab][2][width]
    Pages<double> given_;                      // [sites of the lattice], a vector of the caller
};

}  // namespace

std::unique_ptr<Engine> make_slab_engine(const Context& context, const WorkParts& parts, Backend backend,
                                         const Problem& problem, const Lattice& lattice, int block_width) {
    return std::make_unique<SlabEngine>(context, parts, backend, problem, lattice, block_width);
}

std::unique_ptr<Engine> make_lone_slab(const Context& context, Backend backend, const Problem& problem,
                                       const Lattice& lattice, std::size_t parts, int block_width) {
    const Slabs slabs(backend, lattice, parts);
    const SegmentRange range = slabs.range(slabs.largest());
    return engine_of(make_slab(context, backend, problem, lattice, range, {}, block_width), range.size(), block_width);
}

// The sums of segments are in memory several times while they are gathered: those of this rank twice, those of all
// ranks padded to the same number, and in their order.
MemoryNeeds slab_needs(Backend backend, const Problem& problem, const Lattice& lattice, std::size_t parts) {
    const Slabs slabs(backend, lattice, parts);
    const SegmentRange largest = slabs.range(slabs.largest());
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_slab_needs(problem, lattice, largest);
    const ChunkLayout slab = ChunkLayout(lattice).slab(largest);
    const std::size_t most = pieces(slabs.segments(), slabs.count()), segments = (2 + parts) * most + slabs.segments();
    const auto steps = static_cast<std::size_t>(steps_at_once(lattice.sites(), 1));
    const auto bytes = [](std::size_t count, std::int64_t each) { return static_cast<std::int64_t>(count) * each; };
    MemoryNeeds needs{0, bytes(2 * (slab.chunks() + segments * steps), sizeof(double))};
    needs.each += bytes(2 * (slab.sites() + 2 * slab.halo_sites()), element_bytes(problem.precision));
    if (problem.start_vectors == StartVectors::caller) needs.fixed += 8 * lattice.sites();
    if (is_random(lattice) || lattice.on_site == OnSite::energies) needs.fixed += bytes(slab.sites(), sizeof(double));
    return needs;
}

}  // namespace legato::kpm
