// The engine of several parts: it is made of the engines of this rank's parts. Each has some of the blocks.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ising/bins.hpp"
#include "ising/engine.hpp"
#include "ising/slab.hpp"

namespace legato::ising {
namespace {

class SharedEngine final : public Engine {
  public:
    SharedEngine(const Context& context, WorkParts parts, Backend backend, const Model& model)
        : context_(context), parts_(std::move(parts)), model_(model), own_(parts_.here()) {
        parts_.side_by_side([&](std::size_t i) {
            const WorkParts::Range blocks = parts_.range(model.blocks(), i);
            if (blocks.empty()) return;
            own_[i].model = std::make_unique<Model>(model.of_blocks(blocks.first, blocks.end));
            own_[i].engine = make_engine_of_part(parts_.context(i), backend, *own_[i].model);
        });
        adds_up_ = !on_any_rank(context, std::any_of(own_.begin(), own_.end(), [](const Part& part) {
                                    return part.engine && !part.engine->adds_up();
                                }));
    }

    void load(std::span<const std::uint32_t> words) override {
        for_each_part([&](Engine& engine, std::size_t i) { engine.load(words_of(words, i)); });
    }
    void store(std::span<std::uint32_t> words) const override {
        for_each_part([&](const Engine& engine, std::size_t i) { engine.store(words_of(words, i)); });
        parts_.gather_rows(words, model_.blocks());
    }

    std::vector<Systems> divisions(const Batch& batch, Systems all) const override {
        std::vector<Systems> divisions;
        for (std::size_t part = 0; part < parts_.count(); ++part)
            if (const WorkParts::Range systems = share_of(batch, part).systems; !systems.empty())
                divisions.push_back({all.first + systems.first, all.first + systems.end});
        return divisions;
    }

    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        std::vector<AcceptanceCounts> counts(parts_.here());
        for_each_part([&](Engine& engine, std::size_t i) {
            const Share share = share_of(batch, parts_.first_here() + i);
            if (!share.blocks.empty())
                counts[i] = engine.advance(batch_of_part(batch, share, i), measured_by(share, batch, measured));
        });
        if (context_.ranks() > 1) gather_measured(batch, measured);
        return sum_of_all(counts);
    }

    bool adds_up() const override { return adds_up_; }
    AcceptanceCounts advance_bin(const Batch& batch, std::span<double> sums) override {
        const std::size_t count = BinnedValues(model_).count;
        const auto sums_of = [&](const WorkParts::Range& systems) {
            return WorkParts::Range{systems.first * count, systems.end * count};
        };
        std::vector<AcceptanceCounts> counts(parts_.here());
        for_each_part([&](Engine& engine, std::size_t i) {
            const Share share = share_of(batch, parts_.first_here() + i);
            const WorkParts::Range range = sums_of(share.systems);
            if (!share.blocks.empty())
                counts[i] = engine.advance_bin(batch_of_part(batch, share, i), sums.subspan(range.first, range.size()));
        });
        parts_.gather_ranges(sums, [&](std::size_t rank) {
            const WorkParts::Range parts = parts_.range_of_rank(parts_.count(), rank);
            return sums_of({share_of(batch, parts.first).systems.first, share_of(batch, parts.end - 1).systems.end});
        });
        return sum_of_all(counts);
    }

  private:
    struct Part {
        std::unique_ptr<Model> model;
        std::unique_ptr<Engine> engine;  // null if the part has no block
    };

    // What a part has of a batch: blocks of the run, and systems of the batch.
    struct Share {
        WorkParts::Range blocks, systems;
    };
    Share share_of(const Batch& batch, std::size_t part) const {
        const WorkParts::Range of_part = parts_.range_of_part(model_.blocks(), part);
        const auto within = [&](std::size_t block) { return std::clamp(block, batch.first_block, batch.end(model_)); };
        const WorkParts::Range blocks{within(of_part.first), within(of_part.end)};
        const std::size_t before = model_.first_system(batch.first_block);
        return {blocks, {model_.first_system(blocks.first) - before, model_.first_system(blocks.end) - before}};
    }
    Batch batch_of_part(const Batch& batch, const Share& share, std::size_t i) const {
        const std::size_t before = parts_.range(model_.blocks(), i).first;
        Batch of_part = batch;
        of_part.first_block = share.blocks.first - before;
        of_part.end_block = share.blocks.end - before;
        return of_part;
    }
    AcceptanceCounts sum_of_all(const std::vector<AcceptanceCounts>& of_parts) const {
        AcceptanceCounts sum;
        for (const AcceptanceCounts& of_part : gather_list<AcceptanceCounts>(context_, of_parts)) sum += of_part;
        return sum;
    }
    std::span<std::int64_t> measured_by(const Share& share, const Batch& batch,
                                        std::span<std::int64_t> measured) const {
        const std::size_t of_system = measurements_in(batch) * model_.values.count;
        return measured.subspan(share.systems.first * of_system, share.systems.size() * of_system);
    }
    static std::size_t measurements_in(const Batch& batch) {
        return batch.measure_every > 0 ? static_cast<std::size_t>(batch.sweeps / batch.measure_every) : 0;
    }

    // Returns what the parts of a rank measure.
    std::span<std::int64_t> measured_on(std::size_t rank, const Batch& batch, std::span<std::int64_t> measured) const {
        const WorkParts::Range parts = parts_.range_of_rank(parts_.count(), rank);
        const auto first = measured_by(share_of(batch, parts.first), batch, measured),
                   last = measured_by(share_of(batch, parts.end - 1), batch, measured);
        return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
    }

    // Copies what the parts of other ranks have measured into `measured`. The buffers are kept, because new memory
    // would cost more than the copies.
    void gather_measured(const Batch& batch, std::span<std::int64_t> measured) {
        const auto ranks = static_cast<std::size_t>(context_.ranks());
        std::size_t most = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank)
            most = std::max(most, measured_on(rank, batch, measured).size());
        if (own_measured_.size() < most) own_measured_.resize(most);
        if (all_measured_.size() < ranks * most) all_measured_.resize(ranks * most);
        const auto own = measured_on(static_cast<std::size_t>(context_.rank()), batch, measured);
        std::copy(own.begin(), own.end(), own_measured_.begin());
        context_.communicator()->gather(std::as_bytes(std::span(own_measured_).first(most)),
                                        std::as_writable_bytes(std::span(all_measured_).first(ranks * most)));
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const auto of_rank = measured_on(rank, batch, measured);
            std::copy_n(all_measured_.begin() + static_cast<std::ptrdiff_t>(rank * most), of_rank.size(),
                        of_rank.begin());
        }
    }

    template <class Work>
    void for_each_part(const Work& work) const {
        parts_.side_by_side([&](std::size_t i) {
            if (own_[i].engine) work(*own_[i].engine, i);
        });
    }
    template <class Word>
    std::span<Word> words_of(std::span<Word> words, std::size_t i) const {
        const WorkParts::Range blocks = parts_.range(model_.blocks(), i);
        return words.subspan(blocks.first * model_.block_words(), blocks.size() * model_.block_words());
    }

    const Context& context_;
    WorkParts parts_;
    const Model& model_;
    std::vector<Part> own_;  // this rank's parts
    bool adds_up_ = false;
    std::vector<std::int64_t> own_measured_, all_measured_;  // buffers of gather_measured()
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    WorkParts parts(context, backend);
    if (parts.count() == 1) return make_engine_of_part(context, backend, model);
    if (const std::size_t slabs = slabs_of(context, backend, model, parts.count()); slabs > 1)
        return make_slab_engine(context, std::move(parts), backend, model, slabs);
    return std::make_unique<SharedEngine>(context, std::move(parts), backend, model);
}

}  // namespace legato::ising
