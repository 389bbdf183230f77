// Saving and resuming. The state file of method "tmm", schema 2, has the entries below. There are N points on S sites,
// in the order of their indices; B of them have begun (are not waiting) and R are running.
//     problem/<member of Problem>           scalars
//     points/count, energy [N], disorder [N]
//     states/status, cycles, slices, interval [N]
//     states/log_norms, log_norms2 [B x S]
//     states/blocks [R x most_blocks x S], for Rule::blocks alone, else [0]
//     states/psi [R x 2 S x S], random [R x words of a generator]
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
#include "tmm/solver.hpp"

namespace legato::tmm {
namespace {

constexpr std::int64_t first_with_rule = 2;

bool is_begun(PointStatus status) {
    return status != PointStatus::waiting;
}

std::size_t random_words(const Problem& problem) {
    switch (problem.random_stream) {
        case RandomStream::lfsr113:
            return 4;
        case RandomStream::lfsr113_per_site:
            return 4 * static_cast<std::size_t>(problem.sites());
        case RandomStream::philox:
            break;
    }
    return 0;
}

std::size_t block_sums(const Problem& problem) {
    return problem.rule == Rule::blocks ? most_blocks * static_cast<std::size_t>(problem.sites()) : 0;
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

    static std::size_t psi_size(const Problem& problem) {
        const auto sites = static_cast<std::size_t>(problem.sites());
        return 2 * sites * sites;
    }

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
    status_.push_back(static_cast<std::int32_t>(state.status));
    cycles_.push_back(begun ? state.cycles : 0);
    slices_.push_back(begun ? state.slices : 0);
    interval_.push_back(begun ? state.interval : 0);
    if (!begun) return;
    log_norms_.insert(log_norms_.end(), state.log_norms.begin(), state.log_norms.end());
    log_norms2_.insert(log_norms2_.end(), state.log_norms2.begin(), state.log_norms2.end());
    if (state.status != PointStatus::running) return;
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
    const auto sites = static_cast<std::size_t>(problem.sites());
    Unpacked<double> log_norms(reader, "states/log_norms", begun, sites);
    Unpacked<double> log_norms2(reader, "states/log_norms2", begun, sites,
                                problem.rule == Rule::blocks ? Values::any : Values::finite);
    std::optional<Unpacked<double>> blocks;
    if (problem.rule == Rule::blocks) blocks.emplace(reader, "states/blocks", count(running), block_sums(problem));
    Unpacked<double> psi(reader, "states/psi", count(running), PackedStates::psi_size(problem));
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

}  // namespace

// Completes the states of the points in these slots, as fetch() returns them, by all that their computation needs. Each
// rank gets this for its own slots, and rank 0 for all. Collective.
void Solver::fetch_whole(std::span<const std::size_t> slots, std::span<PointState> states) const {
    engine_->store(slots, states, true);
    for (int rank = 1; rank < context_.ranks(); ++rank) send_states(rank, slots, states);
}

// Sends the states in the slots of `rank` to rank 0. Their lengths are known there.
void Solver::send_states(int rank, std::span<const std::size_t> slots, std::span<PointState> states) const {
    const auto sites = static_cast<std::size_t>(problem_.sites());
    const auto for_each_list = [&](auto&& call) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (engine_->rank_of(slots[i]) != rank) continue;
            call(states[i].log_norms, sites);
            call(states[i].log_norms2, sites);
            call(states[i].blocks, block_sums(problem_));
            call(states[i].psi, PackedStates::psi_size(problem_));
            call(states[i].random, random_words(problem_));
        }
    };
    std::size_t size = 0;
    for_each_list([&](auto& list, std::size_t length) { size += length * sizeof(list[0]); });
    if (size == 0) return;
    std::vector<std::byte> bytes(context_.rank() == 0 || context_.rank() == rank ? size : 0);
    auto at = bytes.begin();
    if (context_.rank() == rank)
        for_each_list([&](auto& list, std::size_t) {
            const auto part = std::as_bytes(std::span(list));
            at = std::copy(part.begin(), part.end(), at);
        });
    context_.communicator()->send(rank, 0, bytes);
    if (context_.rank() == 0)
        for_each_list([&](auto& list, std::size_t length) {
            list.resize(length);
            const auto part = std::as_writable_bytes(std::span(list));
            std::copy_n(at, part.size(), part.begin());
            at += std::ssize(part);
        });
}

void Solver::write(StateWriter& writer) const {
    put_parameters(writer, problem_);
    put_points(writer, points_);
    const std::vector<std::size_t> busy = busy_slots();
    std::vector<PointState> fetched = fetch(busy), in_slots(point_in_.size());
    for (std::size_t i = 0; i < busy.size(); ++i) in_slots[busy[i]] = std::move(fetched[i]);
    const auto known = [&](std::size_t point) -> const PointState& {
        return slot_of_[point] < 0 ? states_[point] : in_slots[static_cast<std::size_t>(slot_of_[point])];
    };
    std::size_t running = 0;
    for (std::size_t point = 0; point < points_.size(); ++point) running += known(point).status == PointStatus::running;
    PackedStates states(writer, problem_, running);
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < points_.size(); first += most) {
        const std::size_t end = std::min(first + most, points_.size());
        const auto in_slot = [&](std::size_t point) {
            return slot_of_[point] >= 0 && known(point).status == PointStatus::running;
        };
        std::vector<std::size_t> slots;
        std::vector<PointState> whole;
        for (std::size_t point = first; point < end; ++point)
            if (in_slot(point)) {
                slots.push_back(static_cast<std::size_t>(slot_of_[point]));
                whole.push_back(known(point));
            }
        fetch_whole(slots, whole);
        if (context_.rank() > 0) continue;
        auto next = whole.begin();
        for (std::size_t point = first; point < end; ++point) states.add(in_slot(point) ? *next++ : known(point));
    }
    if (context_.rank() == 0) states.put();
    put_rounding(writer);
    put_backend(writer, backend_.backend);
}

// Reads and checks everything before it chooses a backend and allocates memory.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader) {
    const Problem problem = get_problem(reader);
    std::vector<Point> points = get_points(reader);
    std::vector<PointState> states = get_states(reader, problem, points.size());
    const std::optional<bool> rounding = saved_rounding(reader);
    const std::optional<Backend> backend = saved_backend(reader);
    reader.close();
    auto solver = std::make_unique<Solver>(context, problem, std::move(points), backend);
    solver->states_ = std::move(states);
    solver->finished_ =
        static_cast<std::size_t>(std::count_if(solver->states_.begin(), solver->states_.end(),
                                               [](const PointState& state) { return is_finished(state.status); }));
    warn_of_other_rounding(context, run_name, rounding);
    warn_of_other_backend(context, run_name, backend);
    return solver;
}

}  // namespace legato::tmm
