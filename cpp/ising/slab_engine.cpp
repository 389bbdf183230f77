// The engine of parts that share every lattice. It is made of the slabs of this rank's parts. Its halos are up to date
// between two half-sweeps, because the edges of a colour are passed as soon as it has been updated.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "ising/engine.hpp"
#include "ising/slab.hpp"

namespace legato::ising {
namespace {

std::unique_ptr<Slab> make_slab(const Context& context, Backend backend, const Model& model, const SlabLayout& layout,
                                const SlabPlace& place) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_slab(context, model, layout, place);
    return make_cpu_slab(context, model, layout);
}

class SlabEngine final : public Engine {
  public:
    SlabEngine(const Context& context, WorkParts parts, Backend backend, const Model& model, std::size_t slabs)
        : context_(context), parts_(std::move(parts)), model_(model), slabs_(slabs) {
        const WorkParts::Range here = slabs_of_rank(static_cast<std::size_t>(context.rank()));
        for (std::size_t slab = here.first; slab < here.end; ++slab)
            own_.push_back(make_slab(parts_.context(slab - here.first), backend, model,
                                     SlabLayout(model.packing, slab, slabs), {context.devices(), here.size() < slabs}));
        edges_.resize(own_.size());
    }

    // After an error of the communicator a slab may still copy to the memory of another one.
    ~SlabEngine() override {
        for (const auto& slab : own_) slab->wait();
    }

    void load(std::span<const std::uint32_t> words) override { load_piece(0, words); }
    void store(std::span<std::uint32_t> words) const override {
        store_own(0, words);
        const std::size_t lattice = model_.packing.words();
        for (std::size_t first = 0; first < words.size(); first += lattice)
            parts_.gather_ranges(words.subspan(first, lattice), [&](std::size_t rank) { return words_of_rank(rank); });
    }

    bool has_piece(std::size_t first, std::size_t count) const override {
        bool has = false;
        for_each_run(first, count, [&](const ColourRun& run) {
            for (std::size_t i = 0; i < own_.size(); ++i)
                layout(i).take(model_.packing, run.number, run.count, [&](auto...) { has = true; });
        });
        return has;
    }
    void load_piece(std::size_t first, std::span<const std::uint32_t> words) override {
        for_each_run(first, words.size(), [&](const ColourRun& run) {
            for (const auto& slab : own_)
                slab->load(run.block, run.colour, run.number, words.subspan(run.from, run.count));
        });
    }
    // Between the meeting and the last exchange nothing can fail on one rank only.
    void store_piece(std::size_t first, std::span<std::uint32_t> words) const override {
        store_own(first, words);
        on_any_rank(context_, false);
        for_each_run(first, words.size(), [&](const ColourRun& run) {
            for (std::size_t rank = 1; rank < static_cast<std::size_t>(context_.ranks()); ++rank) {
                const WorkParts::Range of_rank = words_of_rank(rank);
                const std::size_t begin = std::max(of_rank.first, run.number),
                                  end = std::min(of_rank.end, run.number + run.count);
                if (begin < end) pass_to_first(rank, words.subspan(run.from + (begin - run.number), end - begin));
            }
        });
    }

    // Between the meeting at its beginning and the last edges nothing can fail on one rank only.
    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        const auto ranks = static_cast<std::size_t>(context_.ranks());
        std::fill(measured.begin(), measured.end(), 0);
        const std::size_t at_once = std::min(measured.size(), std::max<std::size_t>(most_sums_gathered / ranks, 1));
        if (gathered_.size() < ranks * at_once) gathered_.resize(ranks * at_once);
        const std::size_t blocks = batch.end(model_) - batch.first_block, count = model_.values.count;
        for (const auto& slab : own_) slab->begin(measured.size() / count);
        on_any_rank(context_, false);
        for (std::size_t i = 0; i < blocks; ++i)
            advance_block(batch, batch.first_block + i, [&](std::size_t measurement) {
                return measured.subspan((measurement * blocks + i) * count, count);
            });
        finish_all(own_);
        for (std::size_t first = 0; first < measured.size() && ranks > 1; first += at_once)
            add_other_ranks(measured.subspan(first, std::min(at_once, measured.size() - first)));
        return counts_of_all();
    }

  private:
    // The first parts have a slab each.
    WorkParts::Range slabs_of_rank(std::size_t rank) const {
        const WorkParts::Range parts = parts_.range_of_rank(parts_.count(), rank);
        return {std::min(parts.first, slabs_), std::min(parts.end, slabs_)};
    }
    // Words of a colour that the slabs of a rank have.
    WorkParts::Range words_of_rank(std::size_t rank) const {
        const WorkParts::Range slabs = slabs_of_rank(rank);
        const std::size_t layer = words_of_layer(model_.packing);
        return {layer * first_layer(slabs.first), layer * first_layer(slabs.end)};
    }
    void store_own(std::size_t first, std::span<std::uint32_t> words) const {
        for_each_run(first, words.size(), [&](const ColourRun& run) {
            for (const auto& slab : own_)
                slab->store(run.block, run.colour, run.number, words.subspan(run.from, run.count));
        });
    }
    void pass_to_first(std::size_t rank, std::span<std::uint32_t> words) const {
        Communicator& communicator = *context_.communicator();
        if (context_.rank() == 0)
            communicator.exchange(-1, {}, static_cast<int>(rank), std::as_writable_bytes(words));
        else if (context_.rank() == static_cast<int>(rank))
            communicator.exchange(0, std::as_bytes(words), -1, {});
    }
    SlabLayout layout(std::size_t i) const {  // of own_[i]
        return {model_.packing, slabs_of_rank(static_cast<std::size_t>(context_.rank())).first + i, slabs_};
    }
    // Words of one colour in a piece of the state: words from, from + 1, ... of the piece have the numbers number,
    // number
    // + 1, ... in their lattice.
    struct ColourRun {
        std::size_t block;
        std::uint32_t colour;
        std::size_t number, from, count;
    };
    template <class Use>
    void for_each_run(std::size_t first, std::size_t count, const Use& use) const {
        const std::size_t of_colour = model_.packing.words();
        for (std::size_t from = 0; from < count;) {
            const std::size_t colours = (first + from) / of_colour, number = (first + from) % of_colour;
            const ColourRun run{colours / 2, static_cast<std::uint32_t>(colours % 2), number, from,
                                std::min(count - from, of_colour - number)};
            use(run);
            from += run.count;
        }
    }
    std::size_t first_layer(std::size_t slab) const { return layers_of_slab(model_.packing, slab, slabs_).first; }

    // The slabs of this rank take turns: devices go on by themselves, and several slabs are on the CPU in tests only.
    template <class ValuesOf>
    void advance_block(const Batch& batch, std::size_t block, const ValuesOf& values_of) {
        for (std::int64_t s = 1; s <= batch.sweeps; ++s) {
            for (std::uint32_t colour = 0; colour < 2; ++colour) {
                for (const auto& slab : own_) slab->update(block, batch.first_sweep + s - 1, colour);
                pass(block, colour);
            }
            if (batch.measure_every == 0 || s % batch.measure_every != 0) continue;
            for (const auto& slab : own_)
                slab->measure(block, values_of(static_cast<std::size_t>(s / batch.measure_every - 1)));
        }
    }

    void pass(std::size_t block, std::uint32_t colour) {
        for (std::size_t i = 0; i < own_.size(); ++i) edges_[i] = own_[i]->edges(block, colour);
        pass_edges(context_, parts_, edges_, slabs_, true);
        for (const auto& slab : own_) slab->take_halos(block, colour);
    }

    void add_other_ranks(std::span<std::int64_t> values) {
        const auto ranks = static_cast<std::size_t>(context_.ranks()), own = static_cast<std::size_t>(context_.rank());
        const auto all = std::span(gathered_).first(ranks * values.size());
        context_.communicator()->gather(std::as_bytes(values), std::as_writable_bytes(all));
        for (std::size_t rank = 0; rank < ranks; ++rank)
            for (std::size_t i = 0; i < values.size() && rank != own; ++i) values[i] += all[rank * values.size() + i];
    }

    AcceptanceCounts counts_of_all() {
        AcceptanceCounts own, sum;
        for (const auto& slab : own_) own += slab->take_counts();
        for (const AcceptanceCounts& of_rank : gather_value(context_, own)) sum += of_rank;
        return sum;
    }

    const Context& context_;
    WorkParts parts_;
    const Model& model_;
    std::size_t slabs_;
    std::vector<std::unique_ptr<Slab>> own_;  // this rank's slabs
    std::vector<Edges> edges_;                // of own_
    std::vector<std::int64_t> gathered_;      // buffer of add_other_ranks()
};

}  // namespace

std::unique_ptr<Engine> make_slab_engine(const Context& context, WorkParts parts, Backend backend, const Model& model,
                                         std::size_t slabs) {
    return std::make_unique<SlabEngine>(context, std::move(parts), backend, model, slabs);
}

}  // namespace legato::ising
