// A slab on the CPU. Each thread takes some of its words.
#include <algorithm>
#include <memory>
#include <utility>

#include "core/parallel.hpp"
#include "ising/cpu_lattices.hpp"

namespace legato::ising {
namespace {

template <class C>
class CpuSlab final : public Slab {
  public:
    CpuSlab(const Context& context, const Model& model, const SlabLayout& layout)
        : model_(model), lattices_(model, layout) {
        const std::uint32_t most_threads = std::max((layout.end() - layout.begin()) / Piece::capacity, 1u),
                            threads = std::min(static_cast<std::uint32_t>(context.threads()), most_threads);
        for (std::uint32_t i = 0; i < threads; ++i) workers_.push_back(std::make_unique<CpuWorker>(model.values.count));
        lattices_.words().resize(model.blocks() * 2 * layout.packing.words());
    }

    void load(std::size_t block, std::uint32_t colour, std::size_t first,
              std::span<const std::uint32_t> words) override {
        std::uint32_t* const stored = lattices_.spins(block, colour);
        layout().take(model_.packing, first, words.size(),
                      [&](std::size_t from, std::size_t to, std::size_t count, bool turned) {
                          for (std::size_t i = 0; i < count; ++i)
                              stored[to + i] = turned ? ~words[from + i] : words[from + i];
                      });
    }
    void store(std::size_t block, std::uint32_t colour, std::size_t first,
               std::span<std::uint32_t> words) const override {
        const std::uint32_t* const stored = lattices_.spins(block, colour);
        layout().keep(first, words.size(), [&](std::size_t from, std::size_t to, std::size_t count, bool) {
            std::copy_n(stored + to, count, words.data() + from);
        });
    }

    void update(std::size_t block, std::int64_t sweep, std::uint32_t colour) override {
        in_team(threads(),
                [&](const Team& team) { lattices_.update(block, sweep, colour, part_of(team), *workers_[team.rank]); });
    }

    Edges edges(std::size_t block, std::uint32_t colour) override {
        const std::size_t halo = layout().halo;
        std::uint32_t *const first = lattices_.spins(block, colour), *const end = first + layout().packing.words();
        return {std::as_bytes(std::span(first + halo, halo)), std::as_bytes(std::span(end - 2 * halo, halo)),
                std::as_writable_bytes(std::span(first, halo)), std::as_writable_bytes(std::span(end - halo, halo))};
    }
    void take_halos(std::size_t block, std::uint32_t colour) override {
        const auto turn = [&](std::uint32_t* halo) {
            for (std::uint32_t i = 0; i < layout().halo; ++i) halo[i] = ~halo[i];
        };
        if (layout().turned_below) turn(lattices_.spins(block, colour));
        if (layout().turned_above) turn(lattices_.spins(block, colour) + layout().end());
    }

    void measure(std::size_t block, std::span<std::int64_t> values) override {
        for (const auto& worker : workers_) std::fill(worker->values.begin(), worker->values.end(), 0);
        in_team(threads(), [&](const Team& team) {
            CpuWorker& worker = *workers_[team.rank];
            lattices_.measure_spins(block, part_of(team), worker.values, worker.piece);
        });
        for (const auto& worker : workers_)
            for (std::size_t i = 0; i < values.size(); ++i) values[i] += worker->values[i];
    }

    AcceptanceCounts take_counts() override {
        AcceptanceCounts sum;
        for (const auto& worker : workers_) sum += std::exchange(worker->counts, {});
        return sum;
    }

  private:
    using Part = typename CpuLattices<C>::Part;

    const SlabLayout& layout() const { return lattices_.layout(); }
    int threads() const { return static_cast<int>(workers_.size()); }
    Part part_of(const Team& team) const {
        const auto [first, last] = team.share(layout().end() - layout().begin());
        return {layout().begin() + static_cast<std::uint32_t>(first),
                layout().begin() + static_cast<std::uint32_t>(last)};
    }

    const Model& model_;
    CpuLattices<C> lattices_;
    std::vector<std::unique_ptr<CpuWorker>> workers_;  // one for each thread
};

}  // namespace

std::unique_ptr<Slab> make_cpu_slab(const Context& context, const Model& model, const SlabLayout& layout) {
    return with_classes(model.problem, [&](auto classes) -> std::unique_ptr<Slab> {
        return std::make_unique<CpuSlab<decltype(classes)>>(context, model, layout);
    });
}

}  // namespace legato::ising
