// An engine whose slots are those of several engines: one for each device of each rank, or one for each group of
// devices that share their points.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/device.hpp"
#include "core/work_parts.hpp"
#include "tmm/engine.hpp"

namespace legato::tmm {
namespace {

class SharedEngine final : public Engine {
  public:
    SharedEngine(const Context& context, Backend backend, const Problem& problem, std::size_t points, WorkParts parts);

    std::size_t slots() const override { return places_.size(); }
    int rank_of(std::size_t slot) const override { return places_[slot].rank; }
    void load(std::span<const Entry> entries) override;
    void store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const override;
    std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                         std::span<PointStatus> statuses) override;
    void pause_at(std::int64_t cycles) override {
        for (const auto& engine : engines_) engine->pause_at(cycles);
    }
    CycleEnd cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) override {
        return engines_[places_[slot].part]->cycle(places_[slot].slot, diagonals, log_norms);
    }

  private:
    // Where a slot is.
    struct Place {
        int rank;
        std::size_t part;  // index of that rank's engine
        std::size_t slot;  // of that part
    };

    // Calls work(part, own, indices) at the same time for the parts of this rank that have some of the slots: `own` are
    // the slots of the part as it numbers them, and `indices` their indices in `slots`.
    template <class Work>
    void on_parts(std::span<const std::size_t> slots, const Work& work) const;

    int rank_;
    WorkParts parts_;
    std::vector<std::unique_ptr<Engine>> engines_;  // [parts of this rank, or groups of parts]
    std::vector<Place> places_;                     // [slots]
};

// Makes an engine whose devices, one for each context, share its points. If they cannot, only the first device works.
std::unique_ptr<Engine> make_group_engine(std::span<const Context* const> contexts, Backend backend,
                                          const Problem& problem, std::size_t points, std::size_t points_of_run) {
    if constexpr (with_cuda)
        if (contexts.size() > 1) {
            auto engine = make_divided_engine(contexts, problem, points, points_of_run);
            contexts[0]->log(LogLevel::info, engine ? text("tmm: ", contexts.size(), " devices share each point")
                                                    : text("tmm: ", contexts.size(),
                                                           " devices cannot share a point, and one of them works"));
            if (engine) return engine;
        }
    return make_part_engine(*contexts[0], backend, problem, points, points_of_run);
}

// Deals the slots out to the parts in turn, because neighbouring points take similar times.
SharedEngine::SharedEngine(const Context& context, Backend backend, const Problem& problem, std::size_t points,
                           WorkParts parts)
    : rank_(context.rank()), parts_(std::move(parts)) {
    std::vector<Place> sizes;  // `slot` is the number of slots
    const std::size_t each = devices_of_point(context, backend, problem, points);
    const std::size_t most_points = each > 1 ? 1 : parts_.most(points);
    const std::size_t engines = each > 1 ? std::min(parts_.here() / each, points) : parts_.here();
    for (std::size_t first = 0; engines_.size() < engines; first += each) {
        std::vector<const Context*> contexts;
        for (std::size_t i = first; i < first + each; ++i) contexts.push_back(&parts_.context(i));
        engines_.push_back(make_group_engine(contexts, backend, problem, most_points, points));
        sizes.push_back({rank_, engines_.size() - 1, engines_.back()->slots()});
    }
    sizes = gather_list<Place>(context, sizes);
    std::size_t most = 0;
    for (const Place& part : sizes) most = std::max(most, part.slot);
    for (std::size_t slot = 0; slot < most; ++slot)
        for (const Place& part : sizes)
            if (slot < part.slot && places_.size() < points) places_.push_back({part.rank, part.part, slot});
}

template <class Work>
void SharedEngine::on_parts(std::span<const std::size_t> slots, const Work& work) const {
    parts_.side_by_side([&](std::size_t part) {
        std::vector<std::size_t> own, indices;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Place& place = places_[slots[i]];
            if (place.rank != rank_ || place.part != part) continue;
            own.push_back(place.slot);
            indices.push_back(i);
        }
        if (!own.empty()) work(part, own, indices);
    });
}

void SharedEngine::load(std::span<const Entry> entries) {
    std::vector<std::size_t> slots;
    for (const Entry& entry : entries) slots.push_back(entry.slot);
    on_parts(slots, [&](std::size_t part, std::span<const std::size_t> own, std::span<const std::size_t> indices) {
        std::vector<Entry> of_part;
        for (std::size_t i = 0; i < own.size(); ++i) {
            of_part.push_back(entries[indices[i]]);
            of_part[i].slot = own[i];
        }
        engines_[part]->load(of_part);
    });
}

void SharedEngine::store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const {
    on_parts(slots, [&](std::size_t part, std::span<const std::size_t> own, std::span<const std::size_t> indices) {
        std::vector<PointState> of_part(own.size());
        engines_[part]->store(own, of_part, whole);
        for (std::size_t i = 0; i < own.size(); ++i) states[indices[i]] = std::move(of_part[i]);
    });
}

std::int64_t SharedEngine::advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                   std::span<PointStatus> statuses) {
    std::vector<std::int64_t> done(parts_.here());
    on_parts(slots, [&](std::size_t part, std::span<const std::size_t> own, std::span<const std::size_t> indices) {
        std::vector<PointStatus> of_part(own.size());
        done[part] = engines_[part]->advance(cycles, own, of_part);
        for (std::size_t i = 0; i < own.size(); ++i) statuses[indices[i]] = of_part[i];
    });
    return std::accumulate(done.begin(), done.end(), std::int64_t{0});
}

}  // namespace

std::unique_ptr<Engine> make_part_engine(const Context& context, Backend backend, const Problem& problem,
                                         std::size_t points, std::size_t points_of_run) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, problem, points, points_of_run);
    return make_cpu_engine(context, problem, points);
}

std::size_t devices_of_point(const Context& context, Backend backend, const Problem& problem, std::size_t points) {
    // Two H100 took 1.09 times as long as one with 512 sites each, and 0.78 times as long with 800.
    constexpr std::size_t fewest = 800;
    if (backend != Backend::cuda) return 1;
    const std::size_t asked_for = context.options().fewest_sites_of_share,
                      most = static_cast<std::size_t>(problem.channels()) / (asked_for > 0 ? asked_for : fewest),
                      ranks = static_cast<std::size_t>(context.ranks()),
                      points_here = std::max<std::size_t>((points + ranks - 1) / ranks, 1),
                      devices = context.parts_on(backend).size();
    return std::max<std::size_t>(std::min({devices / points_here, most, most_devices_of_point}), 1);
}

std::unique_ptr<Engine> make_trial_engine(const Context& context, Backend backend, const Problem& problem,
                                          std::size_t points, std::size_t points_of_run) {
    const std::size_t each = devices_of_point(context, backend, problem, points_of_run);
    if (each == 1) return make_part_engine(context, backend, problem, points, points);
    const std::vector<int> devices = context.parts_on(backend);
    const int threads = std::max(context.threads() / static_cast<int>(each), 1);
    std::vector<Context> contexts;
    for (std::size_t i = 0; i < each; ++i) contexts.push_back(context.for_part(devices[i], threads, false));
    std::vector<const Context*> group(each);
    std::transform(contexts.begin(), contexts.end(), group.begin(), [](const Context& of) { return &of; });
    return make_group_engine(group, backend, problem, points, points);
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    std::size_t points) {
    WorkParts parts(context, backend);
    if (parts.count() == 1) return make_part_engine(context, backend, problem, points, points);
    return std::make_unique<SharedEngine>(context, backend, problem, points, std::move(parts));
}

}  // namespace legato::tmm
