// Saving and resuming. The entries of a state file of method "ising", schema 2:
//
//     problem/<member of Problem and of its lattice>    scalars, extents [3], boundary [3], betas, seeds
//     systems/parts [3]                      along each axis (parts.hpp). Schema 1 has none: lattices are not divided
//     systems/words [blocks][block_words]    the state as in engine.hpp; a large one is in pieces (state_pieces.hpp)
//     run/sweeps; attempts, flips [7][2]; first_block, end_block of the current group
//     bins/done [bins done][systems][values], under_way [systems][values]    sums
//     bins/series [measurements][systems][2]    only if the problem asks for it
//
// Schema 1 has no groups: all blocks are one group.
#include <algorithm>
#include <string_view>

#include "core/parameter.hpp"
#include "ising/packed_spins.hpp"
#include "ising/solver.hpp"

namespace legato::ising {
namespace {

template <class Fields, class P>  // P is Problem or const Problem
void list_lists(const Fields& fields, P& p) {
    fields("problem/betas", p.betas);
    fields("problem/seeds", p.seeds);
}

Problem get_problem(const StateReader& reader) {
    Problem problem;
    get_parameters(reader, problem);
    list_lists(GetFields(reader), problem);
    reader.require_known("problem");
    reader.require_valid([&] { validate(problem); });
    return problem;
}

// Reads the division. Before schema 2 no lattice was divided.
Division get_division(const StateReader& reader, const Problem& problem) {
    Division division{1, 1, 1};
    if (reader.schema() < 2) return division;
    const std::vector<std::int64_t> parts = reader.get_ints("systems/parts", division.size());
    std::copy(parts.begin(), parts.end(), division.begin());
    if (!can_divide(problem.lattice, problem.replicas, division))
        reader.refuse(text("entry systems/parts: ", parts[0], ", ", parts[1], ", ", parts[2],
                           " is not a division of these lattices"));
    return division;
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

}  // namespace

void Solver::write(PiecedStateWriter& writer) const {
    require_between_batches(within_batch_, run_name);
    require_same_spins();
    put_parameters(writer, problem());
    list_lists(PutFields(writer), problem());
    writer.put("systems/parts", std::span<const std::int64_t>(model_.division));
    write_words(writer);
    writer.put("run/sweeps", sweeps_);
    writer.put("run/first_block", static_cast<std::int64_t>(group_.first));
    writer.put("run/end_block", static_cast<std::int64_t>(group_.end));
    writer.put("run/attempts", as_list(acceptance_.attempts));
    writer.put("run/flips", as_list(acceptance_.flips));
    writer.put("bins/done", bins_.done());
    writer.put("bins/under_way", bins_.under_way());
    writer.put("bins/series", bins_.series());
}

Solver::Group Solver::get_group(const StateReader& reader, const Model& model) {
    const auto blocks = static_cast<std::int64_t>(model.blocks());
    if (reader.schema() < 2) return {0, model.blocks()};
    const std::int64_t first = reader.get_int("run/first_block", 0, blocks - 1),
                       end = reader.get_int("run/end_block", first + 1, blocks);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

Solver::State Solver::get_state(const StateReader& reader, const Model& model) {
    const Problem& p = model.problem;
    State state;
    if (reader.has("systems/words/length")) {
        state.pieces.emplace(reader, "systems/words", model.words());
    } else {
        state.words = reader.get_words("systems/words", model.words());
        require_packed(reader.label(), model, 0, state.words);
    }
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

// Reads and checks everything before a backend is chosen and its memory is allocated.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader) {
    const Problem problem = get_problem(reader);
    const Model model(problem, get_division(reader, problem));
    State state;
    reader.require_valid([&] { state = get_state(reader, model); });
    reader.close();
    return std::unique_ptr<Solver>(new Solver(context, model, &state));
}

}  // namespace legato::ising
