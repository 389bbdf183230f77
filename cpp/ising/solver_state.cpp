// Saving and resuming. The entries of a state file of method "ising", schema 1; schema 3 where systems go one after
// another:
//     problem/<member of Problem and of its lattice>    scalars, extents [3], boundary [3], betas, seeds
//     systems/words [blocks][block_words]    as engine.hpp has the state
//     run/sweeps; attempts, flips [7][2]; first_block, end_block of the group under way (schema 3)
//     bins/done [bins done][systems][values], under_way [systems][values]    sums
//     bins/series [measurements][systems][2]    only where the problem asks for it
#include <string_view>

#include "core/state_fields.hpp"
#include "ising/solver.hpp"

namespace legato::ising {
namespace {

constexpr std::string_view method = "ising";
constexpr std::int64_t newest_schema = 3, side_by_side_schema = 1;

template <class Fields, class P>  // Problem, or const Problem
void list_fields(const Fields& fields, P& p) {
    fields("problem/dimensions", p.lattice.dimensions);
    fields("problem/extents", p.lattice.extents);
    fields("problem/boundary", p.lattice.boundary);
    fields("problem/algorithm", p.algorithm);
    fields("problem/betas", p.betas);
    fields("problem/field", p.field);
    fields("problem/seeds", p.seeds);
    fields("problem/replicas", p.replicas);
    fields("problem/start", p.start);
    fields("problem/thermalisation", p.thermalisation);
    fields("problem/sweeps_per_measurement", p.sweeps_per_measurement);
    fields("problem/measurements_per_bin", p.measurements_per_bin);
    fields("problem/bins", p.bins);
    fields("problem/refresh_interval", p.refresh_interval);
    fields("problem/time_series", p.time_series);
    fields("problem/correlations", p.correlations);
    fields("problem/acceptance", p.acceptance);
}

Problem get_problem(const StateReader& reader) {
    Problem problem;
    list_fields(GetFields(reader), problem);
    reader.require_valid([&] { validate(problem); });
    return problem;
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
    StateWriter writer(method, is_side_by_side() ? side_by_side_schema : newest_schema);
    list_fields(PutFields(writer), problem());
    writer.put("systems/words", words());
    writer.put("run/sweeps", sweeps_);
    if (!is_side_by_side()) {
        writer.put("run/first_block", static_cast<std::int64_t>(group_.first));
        writer.put("run/end_block", static_cast<std::int64_t>(group_.end));
    }
    writer.put("run/attempts", as_list(acceptance_.attempts));
    writer.put("run/flips", as_list(acceptance_.flips));
    writer.put("bins/done", bins_.done());
    writer.put("bins/under_way", bins_.under_way());
    writer.put("bins/series", bins_.series());
    writer.commit(path);
}

Solver::Group Solver::get_group(const StateReader& reader, const Model& model) {
    const auto blocks = static_cast<std::int64_t>(model.blocks());
    if (reader.schema() == side_by_side_schema) return {0, model.blocks()};
    const std::int64_t first = reader.get_int("run/first_block", 0, blocks - 1),
                       end = reader.get_int("run/end_block", first + 1, blocks);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

Solver::State Solver::get_state(const StateReader& reader, const Model& model) {
    const Problem& p = model.problem;
    State state;
    state.words = reader.get_words("systems/words", model.blocks() * model.block_words());
    require_packed(reader, model, state.words);
    state.sweeps = reader.get_int("run/sweeps", 0, sweeps_of(p));
    state.group = get_group(reader, model);
    get_counts(reader, "run/attempts", state.acceptance.attempts);
    get_counts(reader, "run/flips", state.acceptance.flips);
    const std::int64_t most = state.group.first > 0 ? sweeps_of(p) : state.sweeps,
                       measurements = std::max<std::int64_t>(most - p.thermalisation, 0) / p.sweeps_per_measurement;
    const std::size_t values = BinnedValues(model).count * model.systems();
    state.bins =
        reader.get_reals("bins/done", static_cast<std::size_t>(measurements / p.measurements_per_bin) * values);
    state.sums = reader.get_reals("bins/under_way", values);
    const std::size_t kept = p.time_series ? 2 * static_cast<std::size_t>(measurements) * model.systems() : 0;
    state.series = reader.get_ints("bins/series", kept);
    return state;
}

std::unique_ptr<Solver> Solver::resume(Context& context, const std::filesystem::path& path) {
    return resume(context, StateReader(path, method, newest_schema));
}

// All is read and checked before a backend is chosen, let alone its memory taken.
std::unique_ptr<Solver> Solver::resume(Context& context, StateReader reader) {
    const Problem problem = get_problem(reader);
    State state;
    reader.require_valid([&] { state = get_state(reader, Model(problem)); });
    reader.close();
    return std::unique_ptr<Solver>(new Solver(context, problem, &state));
}

}  // namespace legato::ising
