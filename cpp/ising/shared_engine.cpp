// The engine of several parts: it is made of the engines of this rank's parts. Each has some of the blocks.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "ising/engine.hpp"

namespace legato::ising {
namespace {

using CountList = std::array<std::int64_t, sizeof(AcceptanceCounts) / sizeof(std::int64_t)>;

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
    }

    void load(std::span<const std::uint32_t> words) override {
        for_each_part([&](Engine& engine, std::size_t i) { engine.load(words_of(words, i)); });
    }
    void store(std::span<std::uint32_t> words) const override {
        for_each_part([&](const Engine& engine, std::size_t i) { engine.store(words_of(words, i)); });
        parts_.gather_rows(words, model_.blocks());
    }

    // Every part writes what it has measured, [measurements][systems][values], and its counts. The lists of all parts
    // are gathered in a single meeting.
    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        std::vector<std::size_t> begins{0};  // of the lists of this rank's parts
        for (std::size_t i = 0; i < parts_.here(); ++i)
            begins.push_back(begins.back() + share_of(batch, parts_.first_here() + i).list);
        std::vector<std::int64_t> mine(begins.back());
        for_each_part([&](Engine& engine, std::size_t i) {
            const Share share = share_of(batch, parts_.first_here() + i);
            if (share.blocks.empty()) return;
            const std::size_t before = parts_.range(model_.blocks(), i).first;
            Batch of_part = batch;
            of_part.first_block = share.blocks.first - before;
            of_part.end_block = share.blocks.end - before;
            const std::span<std::int64_t> list = std::span(mine).subspan(begins[i], share.list);
            const auto counts = std::bit_cast<CountList>(engine.advance(of_part, list.first(share.measured)));
            std::copy(counts.begin(), counts.end(), list.begin() + static_cast<std::ptrdiff_t>(share.measured));
        });
        return taken_apart(gather_list<std::int64_t>(context_, mine), batch, measured);
    }

  private:
    struct Part {
        std::unique_ptr<Model> model;
        std::unique_ptr<Engine> engine;  // null if the part has no block
    };

    // What a part has of a batch.
    struct Share {
        WorkParts::Range blocks, systems;  // of all blocks; of the systems of the batch
        std::size_t measured = 0, list;    // numbers that are measured; those and the counts
    };
    Share share_of(const Batch& batch, std::size_t part) const {
        const WorkParts::Range of_part = parts_.range_of_part(model_.blocks(), part);
        const auto within = [&](std::size_t block) { return std::clamp(block, batch.first_block, batch.end(model_)); };
        Share share{{within(of_part.first), within(of_part.end)}, {}, 0, std::tuple_size_v<CountList>};
        const std::size_t before = model_.first_system(batch.first_block);
        share.systems = {model_.first_system(share.blocks.first) - before,
                         model_.first_system(share.blocks.end) - before};
        share.measured = measurements_in(batch) * share.systems.size() * model_.values.count;
        share.list += share.measured;
        return share;
    }
    static std::size_t measurements_in(const Batch& batch) {
        return batch.measure_every > 0 ? static_cast<std::size_t>(batch.sweeps / batch.measure_every) : 0;
    }

    // Copies the lists of all parts to their places in `measured`, and returns the sums of their counts.
    AcceptanceCounts taken_apart(const std::vector<std::int64_t>& lists, const Batch& batch,
                                 std::span<std::int64_t> measured) const {
        const std::size_t measurements = measurements_in(batch), values = model_.values.count;
        const std::size_t row = measurements > 0 ? measured.size() / measurements : 0;
        auto from = lists.begin();
        AcceptanceCounts sum;
        for (std::size_t part = 0; part < parts_.count(); ++part) {
            const WorkParts::Range systems = share_of(batch, part).systems;
            for (std::size_t m = 0; m < measurements; ++m) {
                const std::span<std::int64_t> to =
                    measured.subspan(m * row + systems.first * values, systems.size() * values);
                std::copy_n(from, to.size(), to.begin());
                from += static_cast<std::ptrdiff_t>(to.size());
            }
            CountList counts;
            std::copy_n(from, counts.size(), counts.begin());
            from += static_cast<std::ptrdiff_t>(counts.size());
            sum += std::bit_cast<AcceptanceCounts>(counts);
        }
        return sum;
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
};

}  // namespace

std::unique_ptr<Engine> make_shared_engine(const Context& context, WorkParts parts, Backend backend,
                                           const Model& model) {
    return std::make_unique<SharedEngine>(context, std::move(parts), backend, model);
}

}  // namespace legato::ising
