// Tests state files of older schemas, and divisions of lattices that a file must not have.
#define BOOST_TEST_MODULE ising_state
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "core/error.hpp"
#include "core/state_fields.hpp"
#include "core/state_pieces.hpp"
#include "demon_runs.hpp"
#include "ising/bins.hpp"
#include "ising/packed_spins.hpp"
#include "ising/solver.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

constexpr std::int64_t sweeps_before = 17;  // sweeps done before saving, within the thermalisation
const std::filesystem::path path = "ising-state-test.h5";

Problem problem_with(Algorithm algorithm, int replicas) {
    Problem problem = demon_problem({2, {16, 8, 1}, {}}, algorithm);
    problem.lattice.boundary[1] = Boundary::antiperiodic;
    problem.replicas = replicas;
    problem.start = Start::random;
    problem.thermalisation = 30;
    problem.measurements_per_bin = 4;
    problem.bins = 2;
    problem.refresh_interval = 3;
    problem.time_series = problem.correlations = false;
    return problem;
}

// Writes a file as 0.1.0 did (schema 1), or with a division along each axis. With `piece` > 0 the words are in pieces.
void write(const Model& model, std::span<const std::uint32_t> words, std::span<const std::int64_t> parts,
           std::size_t piece = 0) {
    const Problem& p = model.problem;
    PiecedStateWriter writer("ising", parts.empty() ? 1 : 2, path);
    const PutFields put(writer);
    put("problem/dimensions", p.lattice.dimension);
    put("problem/extents", p.lattice.extents);
    put("problem/boundary", p.lattice.boundary);
    put("problem/algorithm", p.algorithm);
    put("problem/betas", p.betas);
    put("problem/field", p.field);
    put("problem/seeds", p.seeds);
    put("problem/replicas", p.replicas);
    put("problem/start", p.start);
    put("problem/thermalisation", p.thermalisation);
    put("problem/sweeps_per_measurement", p.sweeps_per_measurement);
    put("problem/measurements_per_bin", p.measurements_per_bin);
    put("problem/bins", p.bins);
    put("problem/refresh_interval", p.refresh_interval);
    put("problem/time_series", p.time_series);
    put("problem/correlations", p.correlations);
    put("problem/acceptance", p.acceptance);
    if (!parts.empty()) {
        writer.put("systems/parts", parts);
        writer.put("run/first_block", std::int64_t{0});
        writer.put("run/end_block", static_cast<std::int64_t>(model.blocks()));
    }
    if (piece == 0) {
        writer.put("systems/words", words);
    } else {
        writer.put_pieces("systems/words", words.size(), piece, [&](std::size_t first, std::span<std::uint32_t> to) {
            std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
        });
    }
    writer.put("run/sweeps", sweeps_before);
    writer.put("run/attempts", std::vector<std::int64_t>(14));
    writer.put("run/flips", std::vector<std::int64_t>(14));
    writer.put("bins/done", std::vector<double>());
    writer.put("bins/under_way", std::vector<double>(BinnedValues(model).count * model.systems()));
    writer.put("bins/series", std::vector<std::int64_t>());
    writer.commit();
}

constexpr Algorithm all_demons[] = {Algorithm::demon_naive, Algorithm::demon_binomial, Algorithm::demon_microcanonical};

}  // namespace

// Lattices of schema 1 are not divided, and remain undivided when they are saved again. Their sweeps are those of an
// engine that does not divide them.
BOOST_AUTO_TEST_CASE(lattices_of_older_files_go_on_undivided) {
    for (const Algorithm algorithm : all_demons) {
        for (const int replicas : {1, 3, 16}) {
            const Model undivided(problem_with(algorithm, replicas), {1, 1, 1});
            const auto engine = make_engine(context_on(Backend::cpu), Backend::cpu, undivided);
            engine->load(first_words(undivided, 1));
            engine->advance({.first_sweep = 0, .sweeps = sweeps_before}, {});
            std::vector<std::uint32_t> words(undivided.blocks() * undivided.block_words());
            engine->store(words);
            write(undivided, words, {});

            Context context = context_on(Backend::cpu);
            auto solver = Solver::resume(context, path);
            solver->advance();
            solver->save(path);
            solver = Solver::resume(context, path);
            solver->run(nullptr);

            const Problem& p = undivided.problem;
            const bool draws = algorithm != Algorithm::demon_microcanonical;
            std::vector<std::int64_t> measured(static_cast<std::size_t>(measurements_of(p)) * undivided.systems() *
                                               undivided.values.count);
            engine->advance({.first_sweep = sweeps_before, .sweeps = p.thermalisation - sweeps_before}, {});
            engine->advance({.first_sweep = p.thermalisation,
                             .sweeps = measurements_of(p),
                             .measure_every = 1,
                             .draw_demons = draws},
                            measured);
            engine->store(words);
            for (std::size_t system = 0; system < undivided.systems(); ++system)
                BOOST_TEST((unpacked_spins(undivided, words, system) == solver->spins(system)));
        }
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(divisions_that_cannot_be_are_refused) {
    const Model model(problem_with(Algorithm::demon_binomial, 1), {1, 1, 1});
    const std::vector<std::uint32_t> words = first_words(model, 1);
    Context context = context_on(Backend::cpu);
    for (const std::vector<std::int64_t>& parts : std::vector<std::vector<std::int64_t>>{{1, 64, 1},
                                                                                         {2, 2, 2},
                                                                                         {-1, 1, 1},
                                                                                         {0, 0, 0},
                                                                                         {3, 1, 1},
                                                                                         {8, 8, 1},
                                                                                         {std::int64_t{1} << 62, 4, 1},
                                                                                         {1, 1},
                                                                                         {1, 1, 1, 1}}) {
        write(model, words, parts);
        BOOST_CHECK_EXCEPTION(Solver::resume(context, path), Error, [](const Error& error) {
            return error.status() == Status::bad_file && std::string(error.what()).find("systems/parts") < 200;
        });
    }
    // This division is possible, but does not belong to the words.
    write(model, words, std::vector<std::int64_t>{1, 4, 1});
    BOOST_CHECK_THROW(Solver::resume(context, path), Error);
    std::filesystem::remove(path);
}

// Rows of 35 bits of a colour: the last 29 bits of every second word must be 0.
BOOST_AUTO_TEST_CASE(spins_beyond_a_row_are_refused) {
    Problem problem = problem_with(Algorithm::metropolis, 1);
    problem.lattice.extents = {70, 6, 1};
    problem.refresh_interval = Problem().refresh_interval;
    const Model model(problem);
    Context context = context_on(Backend::cpu);
    const std::vector<std::int64_t> undivided{1, 1, 1};
    std::vector<std::uint32_t> words = first_words(model, 1);
    for (const std::size_t piece : {0, 1, 5, 24}) {
        write(model, words, undivided, piece);
        BOOST_TEST((Solver::resume(context, path)->spins(0) == unpacked_spins(model, words, 0)));
        for (std::size_t word = 0; word < words.size(); ++word) {
            words[word] ^= 1u << 31;
            write(model, words, undivided, piece);
            if (word % 2 == 0)
                BOOST_CHECK_NO_THROW(Solver::resume(context, path));
            else
                BOOST_CHECK_EXCEPTION(Solver::resume(context, path), Error, [&](const Error& error) {
                    return error.status() == Status::bad_file &&
                           error.what() == text("state file ", path.string(), ": entry systems/words: word ", word,
                                                " has spins beyond the end of its row");
                });
            words[word] ^= 1u << 31;
        }
    }
    std::filesystem::remove(path);
    std::filesystem::remove_all(path.string() + ".pieces");
}
