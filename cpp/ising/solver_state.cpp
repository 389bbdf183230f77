// Saving and resuming. The entries of a state file of method "ising", schema 1:
//     problem/<member of Problem and of its lattice>    scalars, extents [3], boundary [3], betas, seeds
//     systems/words [blocks][block_words]    as engine.hpp has the state
//     run/sweeps; attempts, flips [7][2]
//     bins/done [bins done][systems][values], under_way [systems][values]    sums
//     bins/series [measurements][systems][2]    only where the problem asks for it
#include <string_view>

#include "core/state_file.hpp"
#include "ising/solver.hpp"

namespace legato::ising {
namespace {

constexpr std::string_view method = "ising";
constexpr std::int64_t newest_schema = 1, most = 2147483647;

void put_problem(StateWriter& writer, const Problem& p) {
    const std::vector<std::int64_t> extents(p.lattice.extents.begin(), p.lattice.extents.end());
    std::vector<std::int64_t> boundary;
    for (const Boundary b : p.lattice.boundary) boundary.push_back(static_cast<int>(b));
    writer.put("problem/dimensions", p.lattice.dimensions);
    writer.put("problem/extents", extents);
    writer.put("problem/boundary", boundary);
    writer.put("problem/algorithm", static_cast<int>(p.algorithm));
    writer.put("problem/n_betas", static_cast<std::int64_t>(p.betas.size()));
    writer.put("problem/betas", p.betas);
    writer.put("problem/field", p.field);
    writer.put("problem/n_seeds", static_cast<std::int64_t>(p.seeds.size()));
    writer.put("problem/seeds", p.seeds);
    writer.put("problem/replicas", p.replicas);
    writer.put("problem/start", static_cast<int>(p.start));
    writer.put("problem/thermalisation", p.thermalisation);
    writer.put("problem/sweeps_per_measurement", p.sweeps_per_measurement);
    writer.put("problem/measurements_per_bin", p.measurements_per_bin);
    writer.put("problem/bins", p.bins);
    writer.put("problem/refresh_interval", p.refresh_interval);
    writer.put("problem/time_series", p.time_series);
    writer.put("problem/correlations", p.correlations);
    writer.put("problem/acceptance", p.acceptance);
}

int get_small(const StateReader& reader, std::string_view name) {
    return static_cast<int>(reader.get_int(name, -most, most));
}

std::size_t get_length(const StateReader& reader, std::string_view name) {
    return static_cast<std::size_t>(reader.get_int(name, 1, most));
}

std::int64_t get_long(const StateReader& reader, std::string_view name) {
    return reader.get_int(name, 0, std::int64_t{1} << 62);
}

Problem get_problem(const StateReader& reader) {
    Problem p;
    p.lattice.dimensions = get_small(reader, "problem/dimensions");
    const std::vector<std::int64_t> extents = reader.get_ints("problem/extents", 3),
                                    boundary = reader.get_ints("problem/boundary", 3);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        p.lattice.extents[axis] = extents[axis];
        if (boundary[axis] < 0 || boundary[axis] > 1) reader.refuse(text("entry problem/boundary: ", boundary[axis]));
        p.lattice.boundary[axis] = static_cast<Boundary>(boundary[axis]);
    }
    p.algorithm = static_cast<Algorithm>(get_small(reader, "problem/algorithm"));
    p.betas = reader.get_reals("problem/betas", get_length(reader, "problem/n_betas"));
    p.field = reader.get_real("problem/field");
    p.seeds = reader.get_ints("problem/seeds", get_length(reader, "problem/n_seeds"));
    p.replicas = get_small(reader, "problem/replicas");
    p.start = static_cast<Start>(get_small(reader, "problem/start"));
    p.thermalisation = get_long(reader, "problem/thermalisation");
    p.sweeps_per_measurement = get_long(reader, "problem/sweeps_per_measurement");
    p.measurements_per_bin = get_long(reader, "problem/measurements_per_bin");
    p.bins = get_long(reader, "problem/bins");
    p.refresh_interval = get_long(reader, "problem/refresh_interval");
    p.time_series = reader.get_int("problem/time_series", 0, 1) != 0;
    p.correlations = reader.get_int("problem/correlations", 0, 1) != 0;
    p.acceptance = reader.get_int("problem/acceptance", 0, 1) != 0;
    return p;
}

std::vector<std::int64_t> as_list(const std::array<std::array<std::int64_t, 2>, 7>& counts) {
    std::vector<std::int64_t> list;
    for (const auto& of_number : counts) list.insert(list.end(), of_number.begin(), of_number.end());
    return list;
}

void get_counts(const StateReader& reader, std::string_view name, std::array<std::array<std::int64_t, 2>, 7>& counts) {
    const std::vector<std::int64_t> list = reader.get_ints(name, 14);
    for (std::size_t i = 0; i < list.size(); ++i) counts[i / 2][i % 2] = list[i];
}

// Bits beyond the ends of rows are 0.
void require_packed(const StateReader& reader, const Model& model, const std::vector<std::uint32_t>& words) {
    const Packing& p = model.packing;
    if (has_demons(model.problem.algorithm) || p.last_bits == 32) return;
    for (std::size_t i = p.width - 1; i < words.size(); i += p.width)
        if ((words[i] & ~p.last_mask()) != 0)
            reader.refuse(text("entry systems/words: word ", i, " has spins beyond the end of its row"));
}

}  // namespace

void Solver::save(const std::filesystem::path& path) const {
    StateWriter writer(method, newest_schema);
    put_problem(writer, problem());
    writer.put("systems/words", words());
    writer.put("run/sweeps", sweeps_);
    writer.put("run/attempts", as_list(acceptance_.attempts));
    writer.put("run/flips", as_list(acceptance_.flips));
    writer.put("bins/done", bins_.done());
    writer.put("bins/under_way", bins_.under_way());
    writer.put("bins/series", bins_.series());
    writer.commit(path);
}

Solver::State Solver::get_state(const StateReader& reader, const Model& model) {
    const Problem& p = model.problem;
    State state;
    state.words = reader.get_words("systems/words", model.blocks() * model.block_words());
    require_packed(reader, model, state.words);
    state.sweeps = reader.get_int("run/sweeps", 0, sweeps_of(p));
    get_counts(reader, "run/attempts", state.acceptance.attempts);
    get_counts(reader, "run/flips", state.acceptance.flips);
    const std::int64_t measurements =
        std::max<std::int64_t>(state.sweeps - p.thermalisation, 0) / p.sweeps_per_measurement;
    const std::size_t values = BinnedValues(model).count * model.systems();
    state.bins =
        reader.get_reals("bins/done", static_cast<std::size_t>(measurements / p.measurements_per_bin) * values);
    state.sums = reader.get_reals("bins/under_way", values);
    const std::size_t kept = p.time_series ? 2 * static_cast<std::size_t>(measurements) * model.systems() : 0;
    state.series = reader.get_ints("bins/series", kept);
    return state;
}

Solver::Saved Solver::get_saved(const StateReader& reader) {
    Saved saved{get_problem(reader), {}};
    reader.require_valid([&] {
        validate(saved.problem);
        saved.state = get_state(reader, Model(saved.problem));
    });
    return saved;
}

// The reader's copy of the file is gone before memory is taken for the run.
std::unique_ptr<Solver> Solver::resume(Context& context, const std::filesystem::path& path) {
    Saved saved = get_saved(StateReader(path, method, newest_schema));
    return std::unique_ptr<Solver>(new Solver(context, saved.problem, &saved.state));
}

std::unique_ptr<Solver> Solver::resume(Context& context, const StateReader& reader) {
    Saved saved = get_saved(reader);
    return std::unique_ptr<Solver>(new Solver(context, saved.problem, &saved.state));
}

}  // namespace legato::ising
