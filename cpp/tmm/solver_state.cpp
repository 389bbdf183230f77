// Saving and resuming. The state file of method "tmm", schema 2, has the entries below. There are P points of S
// channels, in the order of their indices, and N sequences, the replicas of all points; B of them have begun (are not
// waiting) and R are running. The sequences of points that have finished are not needed, and count as waiting.
//     problem/<member of Problem>           scalars
//     points/count, energy [P], disorder [P]
//     states/status, cycles, slices, interval [N]
//     states/log_norms, log_norms2 [B x S]
//     states/blocks [R x most_blocks x S], for Rule::blocks alone, else [0]
//     states/psi [R x 2 S x S], random [R x words of a generator]
// With more than one replica there are also these, the averages when the replicas were last compared. C points have
// been compared, and U of them have not finished.
//     averages/compared_at, round_end       number of cycles of each replica then, and when they are compared next
//     averages/status, cycles, interval [P]
//     averages/log_norms, log_norms2 [C x S]
//     averages/blocks [U x most_blocks x S]
// A run with given slices also has these; L is the number of links of the caller, 0 for the problem's lattice.
//     given/count                           L
//     given/links [2 L]                     first and second site of each link
// Schema 1 has no blocks, rule, min_blocks and burn_in. Such a run is resumed with the rule that it began with,
// Rule::tmsexd, and its results remain bitwise identical.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "tmm/memory.hpp"
#include "tmm/replicas.hpp"
#include "tmm/solver.hpp"

namespace legato::tmm {
namespace {

constexpr std::int64_t first_with_rule = 2;

bool is_begun(PointStatus status) {
    return status != PointStatus::waiting;
}

void put_points(StateWriter& writer, const std::vector<Point>& points) {
    std::vector<double> values(points.size());
    writer.put("points/count", static_cast<std::int64_t>(points.size()));
    std::transform(points.begin(), points.end(), values.begin(), [](const Point& point) { return point.energy; });
    writer.put("points/energy", values);
    std::transform(points.begin(), points.end(), values.begin(), [](const Point& point) { return point.disorder; });
    writer.put("points/disorder", values);
}

// Packs the states of all points into arrays. psi, the largest, is written to the file at once.
class PackedStates {
  public:
    PackedStates(StateWriter& writer, const Problem& problem, std::size_t running)
        : writer_(writer), psi_size_(psi_size(problem)), psi_length_(running * psi_size_) {}

    void add(const PointState& state);
    void put() const;

  private:
    StateWriter& writer_;
    std::size_t psi_size_, psi_length_, psi_done_ = 0;
    std::vector<std::int32_t> status_;
    std::vector<std::int64_t> cycles_, slices_, interval_;
    std::vector<double> log_norms_, log_norms2_, blocks_;
    std::vector<std::uint32_t> random_;
};

void PackedStates::add(const PointState& state) {
    const bool begun = is_begun(state.status);
    status_.push_back(static_cast<std::int32_t>(is_under_way(state.status) ? PointStatus::running : state.status));
    cycles_.push_back(begun ? state.cycles : 0);
    slices_.push_back(begun ? state.slices : 0);
    interval_.push_back(begun ? state.interval : 0);
    if (!begun) return;
    log_norms_.insert(log_norms_.end(), state.log_norms.begin(), state.log_norms.end());
    log_norms2_.insert(log_norms2_.end(), state.log_norms2.begin(), state.log_norms2.end());
    if (!is_under_way(state.status)) return;
    blocks_.insert(blocks_.end(), state.blocks.begin(), state.blocks.end());
    random_.insert(random_.end(), state.random.begin(), state.random.end());
    writer_.put_part("states/psi", psi_length_, psi_done_, std::span<const double>(state.psi));
    psi_done_ += psi_size_;
}

void PackedStates::put() const {
    if (psi_length_ == 0) writer_.put("states/psi", std::span<const double>());
    writer_.put("states/status", status_);
    writer_.put("states/cycles", cycles_);
    writer_.put("states/slices", slices_);
    writer_.put("states/interval", interval_);
    writer_.put("states/log_norms", log_norms_);
    writer_.put("states/log_norms2", log_norms2_);
    writer_.put("states/blocks", blocks_);
    writer_.put("states/random", random_);
}

Problem get_problem(const StateReader& reader) {
    Problem problem;
    if (reader.schema() < first_with_rule) problem.rule = Rule::tmsexd;
    get_parameters(reader, problem, "problem", reader.schema() < first_with_rule);
    reader.require_known("problem");
    reader.require_valid([&] { validate(problem); });
    return problem;
}

constexpr const char* links_entry = "given/links";

// Returns what the run needs of the caller. Throws bad_file if the run has given slices and the caller gives none, or
// the other way round.
Given get_given(const StateReader& reader, const Problem& problem, SliceCallback callback) {
    if (!reader.has(links_entry) && !reader.has("given/count")) {
        if (callback) reader.refuse("the run has no given slices; resume it without a callback");
        return {};
    }
    if (!callback) reader.refuse("the run has given slices; resume it with the callback that gives them");
    const auto count = static_cast<std::size_t>(reader.get_int("given/count", 0, most_links));
    const std::vector<std::int64_t> sites = reader.get_ints(links_entry, 2 * count);
    Given given{{}, std::move(callback)};
    for (std::size_t l = 0; l < count; ++l) {
        for (const std::size_t end : {2 * l, 2 * l + 1})
            if (sites[end] < 0 || sites[end] >= problem.sites())
                reader.refuse(text("entry ", links_entry, ": found ", sites[end], " at [", end, "], expected 0..",
                                   problem.sites() - 1));
        given.links.push_back({static_cast<std::int32_t>(sites[2 * l]), static_cast<std::int32_t>(sites[2 * l + 1])});
    }
    reader.require_valid([&] { require_lattice(problem, given.links); });
    return given;
}

void put_given(StateWriter& writer, const GivenSlices* given) {
    if (!given) return;
    std::vector<std::int64_t> sites;
    for (const Link& link : given->own_links()) sites.insert(sites.end(), {link.first, link.second});
    writer.put("given/count", static_cast<std::int64_t>(given->own_links().size()));
    writer.put(links_entry, sites);
}

std::vector<Point> get_points(const StateReader& reader) {
    const auto count = static_cast<std::size_t>(reader.get_int("points/count", 1, max_points));
    const std::vector<double> energy = reader.get_reals("points/energy", count);
    const std::vector<double> disorder = reader.get_reals("points/disorder", count);
    std::vector<Point> points(count);
    for (std::size_t i = 0; i < count; ++i) points[i] = {energy[i], disorder[i]};
    reader.require_valid([&] { validate(std::span<const Point>(points)); });
    return points;
}

// Reads status and counters of every point. Throws bad_file if a run of this problem cannot reach them.
std::vector<PointState> get_counters(const StateReader& reader, const Problem& problem, std::size_t points) {
    const std::vector<std::int32_t> status = reader.get<std::int32_t>("states/status", points);
    const std::vector<std::int64_t> cycles = reader.get_ints("states/cycles", points);
    const std::vector<std::int64_t> slices = reader.get_ints("states/slices", points);
    const std::vector<std::int64_t> interval = reader.get_ints("states/interval", points);
    std::vector<PointState> states(points);
    const auto require = [&reader](std::string_view name, std::size_t point, std::int64_t value, std::int64_t low,
                                   std::int64_t high) {
        if (value < low || value > high)
            reader.refuse(
                text("entry states/", name, ": found ", value, " at [", point, "], expected ", low, "..", high));
    };
    constexpr auto limit = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < points; ++i) {
        require("status", i, status[i], 0, static_cast<int>(PointStatus::imprecise));
        states[i].status = static_cast<PointStatus>(status[i]);
        const bool begun = is_begun(states[i].status);
        require("cycles", i, states[i].cycles = cycles[i], 0, begun ? problem.max_cycles() : 0);
        // A cycle has n_ortho slices. A point fails within a cycle. Cycles that lost precision are not counted, but
        // their slices are.
        const std::int64_t least = cycles[i] * problem.n_ortho;
        const PointStatus state = states[i].status;
        const bool room = least <= limit - problem.n_ortho, failed = state == PointStatus::failed;
        const bool lost =
            begun && (interval[i] < problem.n_ortho || problem.max_growth > 0.0 || state == PointStatus::imprecise);
        require("slices", i, states[i].slices = slices[i], least,
                !room    ? least
                : lost   ? limit
                : failed ? least + problem.n_ortho
                         : least);
        if (!failed && (slices[i] - least) % problem.n_ortho != 0)
            reader.refuse(text("entry states/slices: found ", slices[i], " at [", i, "], expected whole cycles of ",
                               problem.n_ortho));
        require("interval", i, states[i].interval = interval[i], begun ? 1 : 0, begun ? problem.n_ortho : 0);
    }
    return states;
}

// Values that an entry may have. An unknown error is not a finite number.
enum class Values { finite, any };

// Reads a packed array, with `size` values per point, point by point.
template <class T>
class Unpacked {
  public:
    Unpacked(const StateReader& reader, std::string name, std::size_t points, std::size_t size,
             Values values = Values::finite)
        : reader_(reader), name_(std::move(name)), length_(points * size), size_(size), values_(values) {
        reader_.expect<T>(name_, length_);
    }

    std::vector<T> next() {
        if (at_ == block_.size()) read_block();
        const auto begin = block_.begin() + static_cast<std::ptrdiff_t>(at_);
        at_ += size_;
        return {begin, begin + static_cast<std::ptrdiff_t>(size_)};
    }

  private:
    // Reads many small points at a time, because every call of get_part() has to find the entry in the file.
    void read_block() {
        constexpr std::size_t about = 65536;
        const std::size_t count = size_ == 0 ? 0 : std::max<std::size_t>(about / size_, 1) * size_;
        block_.resize(std::min(count, length_ - first_));
        reader_.get_part(name_, length_, first_, std::span<T>(block_));
        if constexpr (std::is_floating_point_v<T>)
            for (std::size_t i = 0; i < block_.size() && values_ == Values::finite; ++i)
                if (!std::isfinite(block_[i]))
                    reader_.refuse(text("entry ", name_, ": found ", block_[i], " at [", first_ + i,
                                        "], expected finite numbers"));
        first_ += block_.size();
        at_ = 0;
    }

    const StateReader& reader_;
    std::string name_;
    std::size_t length_, size_, first_ = 0, at_ = 0;
    Values values_;
    std::vector<T> block_;
};

// Throws bad_file if all bits of a word that the generator's recurrence keeps are zero, which never occurs (L'Ecuyer
// 1999).
void check_generators(const StateReader& reader, const std::vector<std::uint32_t>& words) {
    constexpr std::uint32_t least[4] = {2, 8, 16, 128};
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] < least[i % 4])
            reader.refuse(text("entry states/random: found ", words[i], ", expected ", least[i % 4], " or more"));
}

std::vector<PointState> get_states(const StateReader& reader, const Problem& problem, std::size_t points) {
    std::vector<PointState> states = get_counters(reader, problem, points);
    const auto count = [&states](auto wanted) {
        return static_cast<std::size_t>(std::count_if(states.begin(), states.end(), wanted));
    };
    const auto running = [](const PointState& state) { return state.status == PointStatus::running; };
    const std::size_t begun = count([](const PointState& state) { return is_begun(state.status); });
    const auto channels = static_cast<std::size_t>(problem.channels());
    Unpacked<double> log_norms(reader, "states/log_norms", begun, channels);
    Unpacked<double> log_norms2(reader, "states/log_norms2", begun, channels,
                                problem.rule == Rule::blocks ? Values::any : Values::finite);
    std::optional<Unpacked<double>> blocks;
    if (problem.rule == Rule::blocks) blocks.emplace(reader, "states/blocks", count(running), block_sums(problem));
    Unpacked<double> psi(reader, "states/psi", count(running), psi_size(problem));
    Unpacked<std::uint32_t> random(reader, "states/random", count(running), random_words(problem));
    for (PointState& state : states) {
        if (!is_begun(state.status)) continue;
        state.log_norms = log_norms.next();
        state.log_norms2 = log_norms2.next();
        if (!running(state)) continue;
        if (blocks) state.blocks = blocks->next();
        state.psi = psi.next();
        state.random = random.next();
        check_generators(reader, state.random);
    }
    return states;
}

std::size_t count_finished(const std::vector<PointState>& states) {
    return static_cast<std::size_t>(
        std::count_if(states.begin(), states.end(), [](const PointState& state) { return is_finished(state.status); }));
}

// The numbers of cycles at which the replicas were last compared, and are compared next.
struct Round {
    std::int64_t begin = 0, end = 0;
};

// Without replicas both numbers are 0.
Round get_round(const StateReader& reader, const Problem& problem) {
    if (problem.replicas == 1) return {};
    const Round round{reader.get_int("averages/compared_at", 0, problem.max_cycles()),
                      reader.get_int("averages/round_end", 0, problem.max_cycles())};
    const auto require = [&](const char* name, std::int64_t cycles, std::int64_t expected) {
        if (cycles != expected)
            reader.refuse(
                text("entry averages/", name, ": found ", cycles, ", expected a comparison, such as ", expected));
    };
    if (round.begin > 0) require("compared_at", round.begin, next_comparison(problem, 0, round.begin));
    require("round_end", round.end, next_comparison(problem, round.begin, round.end));
    return round;
}

// Reads status and cycles of the averages. Throws bad_file if a run cannot reach them.
std::vector<PointState> get_places_of_averages(const StateReader& reader, const Problem& problem, std::size_t points,
                                               const Round& round) {
    const std::int64_t compared_at = round.begin;
    const std::vector<std::int32_t> status = reader.get<std::int32_t>("averages/status", points);
    const std::vector<std::int64_t> cycles = reader.get_ints("averages/cycles", points),
                                    interval = reader.get_ints("averages/interval", points);
    std::vector<PointState> averages(points);
    for (std::size_t i = 0; i < points; ++i) {
        PointState& average = averages[i];
        average.status = static_cast<PointStatus>(status[i]);
        average.cycles = cycles[i];
        average.interval = interval[i];
        const bool goes_on = average.status == PointStatus::waiting || average.status == PointStatus::running;
        if (status[i] < 0 || status[i] > static_cast<int>(PointStatus::imprecise))
            reader.refuse(text("entry averages/status: found ", status[i], " at [", i, "], expected 0..",
                               static_cast<int>(PointStatus::imprecise)));
        if (cycles[i] < (goes_on ? compared_at : 0) || cycles[i] > compared_at)
            reader.refuse(text("entry averages/cycles: found ", cycles[i], " at [", i, "], expected ",
                               goes_on ? compared_at : 0, "..", compared_at));
        if (interval[i] < 0 || interval[i] > problem.n_ortho)
            reader.refuse(
                text("entry averages/interval: found ", interval[i], " at [", i, "], expected 0..", problem.n_ortho));
    }
    return averages;
}

// Throws bad_file if a sequence has another number of cycles than its round allows.
void require_in_round(const StateReader& reader, const Problem& problem, const Round& round,
                      const std::vector<PointState>& averages, const std::vector<PointState>& states) {
    const auto replicas = static_cast<std::size_t>(problem.replicas);
    for (std::size_t s = 0; s < states.size(); ++s) {
        const bool waits = states[s].status == PointStatus::waiting;
        if (is_finished(averages[s / replicas].status)) {
            if (!waits) reader.refuse(text("entry states/status: sequence ", s, " of a point that has finished"));
        } else if (states[s].status == PointStatus::converged || states[s].status == PointStatus::not_converged ||
                   (waits && round.begin > 0)) {
            reader.refuse(text("entry states/status: found ", static_cast<int>(states[s].status), " at [", s,
                               "], which a replica cannot have"));
        } else if (states[s].cycles < round.begin || states[s].cycles > round.end) {
            reader.refuse(text("entry states/cycles: found ", states[s].cycles, " at [", s, "], expected ", round.begin,
                               "..", round.end));
        }
    }
}

// Reads the averages over replicas; none without replicas.
std::vector<PointState> get_averages(const StateReader& reader, const Problem& problem, std::size_t points,
                                     const Round& round, const std::vector<PointState>& states) {
    if (problem.replicas == 1) return {};
    std::vector<PointState> averages = get_places_of_averages(reader, problem, points, round);
    require_in_round(reader, problem, round, averages, states);
    const auto channels = static_cast<std::size_t>(problem.channels());
    const auto count = [&averages](auto wanted) {
        return static_cast<std::size_t>(std::count_if(averages.begin(), averages.end(), wanted));
    };
    const auto has_sums = [](const PointState& average) { return average.cycles > 0; };
    const auto has_blocks = [&](const PointState& average) {
        return has_sums(average) && !is_finished(average.status);
    };
    Unpacked<double> log_norms(reader, "averages/log_norms", count(has_sums), channels);
    Unpacked<double> log_norms2(reader, "averages/log_norms2", count(has_sums), channels, Values::any);
    Unpacked<double> blocks(reader, "averages/blocks", count(has_blocks), block_sums(problem));
    for (PointState& average : averages) {
        if (!has_sums(average)) continue;
        average.log_norms = log_norms.next();
        average.log_norms2 = log_norms2.next();
        if (has_blocks(average)) average.blocks = blocks.next();
    }
    return averages;
}

}  // namespace

void Solver::write(StateWriter& writer) const {
    put_parameters(writer, problem_);
    put_given(writer, given_.get());
    put_points(writer, points_);
    const Sequences& all = *sequences_;
    const std::vector<std::size_t> occupied = all.occupied_slots();
    const std::vector<PointState> fetched = all.fetch(occupied);
    std::vector<const PointState*> in_slots(all.engine().slots());
    for (std::size_t i = 0; i < occupied.size(); ++i) in_slots[occupied[i]] = &fetched[i];
    const PointState not_needed;
    const auto known = [&](std::size_t sequence) -> const PointState& {
        if (has_replicas() && is_finished(averages_[sequence / replicas()].status)) return not_needed;
        return all.is_in_slot(sequence) ? *in_slots[all.slot_of(sequence)] : all[sequence];
    };
    std::size_t running = 0;
    for (std::size_t s = 0; s < all.count(); ++s) running += is_under_way(known(s).status);
    PackedStates states(writer, problem_, running);
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < all.count(); first += most) {
        const std::size_t end = std::min(first + most, all.count());
        const auto in_slot = [&](std::size_t sequence) {
            return all.is_in_slot(sequence) && is_under_way(known(sequence).status);
        };
        std::vector<std::size_t> slots;
        std::vector<PointState> whole;
        for (std::size_t s = first; s < end; ++s)
            if (in_slot(s)) {
                slots.push_back(all.slot_of(s));
                whole.push_back(known(s));
            }
        all.fetch_whole(slots, whole, false);
        if (context_.rank() > 0) continue;
        auto next = whole.begin();
        for (std::size_t s = first; s < end; ++s) states.add(in_slot(s) ? *next++ : known(s));
    }
    if (context_.rank() == 0) states.put();
    if (has_replicas()) write_averages(writer);
    put_rounding(writer);
    put_backend(writer, backend_.backend);
}

void Solver::write_averages(StateWriter& writer) const {
    std::vector<std::int32_t> status;
    std::vector<std::int64_t> cycles, interval;
    std::vector<double> log_norms, log_norms2, blocks;
    for (const PointState& average : averages_) {
        status.push_back(static_cast<std::int32_t>(average.status));
        cycles.push_back(average.cycles);
        interval.push_back(average.interval);
        log_norms.insert(log_norms.end(), average.log_norms.begin(), average.log_norms.end());
        log_norms2.insert(log_norms2.end(), average.log_norms2.begin(), average.log_norms2.end());
        blocks.insert(blocks.end(), average.blocks.begin(), average.blocks.end());
    }
    writer.put("averages/compared_at", compared_at_);
    writer.put("averages/round_end", round_end_);
    writer.put("averages/status", status);
    writer.put("averages/cycles", cycles);
    writer.put("averages/interval", interval);
    writer.put("averages/log_norms", log_norms);
    writer.put("averages/log_norms2", log_norms2);
    writer.put("averages/blocks", blocks);
}

// Takes the averages and the place of each sequence in its round.
void Solver::take_averages(std::int64_t compared_at, std::int64_t round_end, std::vector<PointState> averages) {
    compared_at_ = compared_at;
    round_end_ = round_end;
    averages_ = std::move(averages);
    finished_ = count_finished(averages_);
    begin_round();
    for (std::size_t s = 0; s < sequences_->count(); ++s) {
        const PointStatus of_point = averages_[s / replicas()].status;
        PointState& state = (*sequences_)[s];
        if (is_finished(of_point)) {
            state.status = of_point;
        } else if (is_finished(state.status) || state.cycles == round_end_) {
            has_stopped_[s] = 1;
            --under_way_;
        }
    }
}

// Reads and checks everything before it chooses a backend and allocates memory.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader, SliceCallback callback) {
    const Problem problem = get_problem(reader);
    Given given = get_given(reader, problem, std::move(callback));
    std::vector<Point> points = get_points(reader);
    std::size_t sequences = 0;
    reader.require_valid([&] { sequences = sequences_of(problem, points.size()); });
    std::vector<PointState> states = get_states(reader, problem, sequences);
    const Round round = get_round(reader, problem);
    std::vector<PointState> averages = get_averages(reader, problem, points.size(), round, states);
    const std::optional<bool> rounding = saved_rounding(reader);
    const std::optional<Backend> backend = saved_backend(reader);
    reader.close();
    auto solver = std::make_unique<Solver>(context, problem, std::move(points), backend, std::move(given));
    const std::size_t ended = count_finished(states);
    solver->sequences_->replace(std::move(states));
    if (solver->has_replicas())
        solver->take_averages(round.begin, round.end, std::move(averages));
    else
        solver->finished_ = ended;
    warn_of_other_rounding(context, run_name, rounding);
    warn_of_other_backend(context, run_name, backend);
    return solver;
}

}  // namespace legato::tmm
