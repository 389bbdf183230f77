// Saving and resuming. The entries of a state file of method "ising", schema 2:
//     problem/<member of Problem and of its lattice>    scalars, extents [3], boundary [3], betas, seeds
//     systems/parts [3]    along each axis (parts.hpp). Schema 1 has no such entry; its lattices are not divided
//     systems/words [blocks][block_words]    the state as in engine.hpp; a large one is in pieces
//     (core/state_pieces.hpp) run/sweeps; attempts, flips [7][2]; first_block, end_block of the current group bins/done
//     [bins done][systems][values], under_way [systems][values]    sums bins/series [measurements][systems][2]    only
//     if the problem asks for it
// Schema 1 has no groups: all blocks are one group.
#include <algorithm>
#include <optional>
#include <string_view>

#include "core/parameter.hpp"
#include "core/ranks.hpp"
#include "core/state_header.hpp"
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

// Returns the number of the first word, from number `first` of the state on, that has a bit beyond the end of a row.
std::optional<std::size_t> first_wrong(const Model& model, std::size_t first, std::span<const std::uint32_t> words) {
    const Packing& p = model.packing;
    if (has_demons(model.problem.algorithm) || p.last_bits == 32) return std::nullopt;
    for (std::size_t i = p.width - 1 - first % p.width; i < words.size(); i += p.width)
        if ((words[i] & ~p.last_mask()) != 0) return first + i;
    return std::nullopt;
}

std::string beyond_row(std::size_t word) {
    return text("entry systems/words: word ", word, " has spins beyond the end of its row");
}

}  // namespace

void Solver::write(StateWriter& writer) const {
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

void Solver::write_words(StateWriter& writer) const {
    const bool keeps = sharing_.keeps_words();
    if (keeps) take_words();
    if (sharing_.piece == 0) {
        writer.put("systems/words", words());
        return;
    }
    writer.put_pieces(
        "systems/words", model_.words(), sharing_.piece, [&](std::size_t first, std::span<std::uint32_t> piece) {
            if (keeps)
                std::copy_n(words().begin() + static_cast<std::ptrdiff_t>(first), piece.size(), piece.begin());
            else
                engine_->store_piece(first, piece);
        });
}

// Rank 0 reads the piece, and passes it to the others.
std::vector<std::uint32_t> Solver::read_piece(const PieceReader& pieces, std::size_t number) const {
    std::vector<std::uint32_t> words;
    if (context_.rank() == 0) words = pieces.read(number);
    take_of_first_rank(context_, words);
    if (const auto wrong = first_wrong(model_, number * pieces.piece_length(), words))
        state_format::bad_file(pieces.index(), beyond_row(*wrong));
    return words;
}

std::vector<std::uint32_t> Solver::read_pieces(const PieceReader& pieces) const {
    std::vector<std::uint32_t> words(model_.words());
    for (auto to = words.begin(); to != words.end();) {
        const auto done = static_cast<std::size_t>(to - words.begin());
        const std::vector<std::uint32_t> piece = read_piece(pieces, done / pieces.piece_length());
        to = std::copy(piece.begin(), piece.end(), to);
    }
    return words;
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
        if (const auto wrong = first_wrong(model, 0, state.words)) reader.refuse(beyond_row(*wrong));
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
