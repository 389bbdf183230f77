// An engine whose slots are those of several engines: one for each device of each rank.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/work_parts.hpp"
#include "tmm/engine.hpp"

namespace legato::tmm {
namespace {

class SharedEngine final : public Engine {
  public:
    SharedEngine(const Context& context, Backend backend, const Problem& problem, std::size_t points, WorkParts parts);

    std::size_t slots() const override { return places_.size(); }
    int rank_of(std::size_t slot) const override { return places_[slot].rank; }
    void load(std::size_t slot, const Point& point, std::uint32_t stream, const PointState& state) override {
        engine_of(slot).load(places_[slot].slot, point, stream, state);
    }
    void store(std::size_t slot, PointState& state, bool whole) const override {
        engine_of(slot).store(places_[slot].slot, state, whole);
    }
    std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                         std::span<PointStatus> statuses) override;
    CycleEnd cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) override {
        return engine_of(slot).cycle(places_[slot].slot, diagonals, log_norms);
    }

  private:
    // Where a slot is.
    struct Place {
        int rank;
        std::size_t part;  // of that rank
        std::size_t slot;  // of that part
    };
    Engine& engine_of(std::size_t slot) const { return *engines_[places_[slot].part]; }

    int rank_;
    WorkParts parts_;
    std::vector<std::unique_ptr<Engine>> engines_;  // [parts of this rank]
    std::vector<Place> places_;                     // [slots]
};

// Deals the slots out to the parts in turn, because neighbouring points take similar times.
SharedEngine::SharedEngine(const Context& context, Backend backend, const Problem& problem, std::size_t points,
                           WorkParts parts)
    : rank_(context.rank()), parts_(std::move(parts)) {
    std::vector<Place> sizes;  // `slot` is the number of slots
    for (std::size_t i = 0; i < parts_.here(); ++i) {
        engines_.push_back(make_part_engine(parts_.context(i), backend, problem, parts_.most(points)));
        sizes.push_back({rank_, i, engines_.back()->slots()});
    }
    sizes = gather_list<Place>(context, sizes);
    std::size_t most = 0;
    for (const Place& part : sizes) most = std::max(most, part.slot);
    for (std::size_t slot = 0; slot < most; ++slot)
        for (const Place& part : sizes)
            if (slot < part.slot && places_.size() < points) places_.push_back({part.rank, part.part, slot});
}

std::int64_t SharedEngine::advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                   std::span<PointStatus> statuses) {
    std::vector<std::int64_t> done(parts_.here());
    parts_.side_by_side([&](std::size_t part) {
        std::vector<std::size_t> own, indices;  // the part's slots, and their indices in `slots`
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Place& place = places_[slots[i]];
            if (place.rank != rank_ || place.part != part) continue;
            own.push_back(place.slot);
            indices.push_back(i);
        }
        std::vector<PointStatus> ends(own.size());
        if (!own.empty()) done[part] = engines_[part]->advance(cycles, own, ends);
        for (std::size_t i = 0; i < own.size(); ++i) statuses[indices[i]] = ends[i];
    });
    return std::accumulate(done.begin(), done.end(), std::int64_t{0});
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    std::size_t points) {
    WorkParts parts(context, backend);
    if (parts.count() == 1) return make_part_engine(context, backend, problem, points);
    return std::make_unique<SharedEngine>(context, backend, problem, points, std::move(parts));
}

}  // namespace legato::tmm
