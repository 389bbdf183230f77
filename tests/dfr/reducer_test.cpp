// Tests the automatic reduction of a basis set.
#define BOOST_TEST_MODULE dfr_reducer
#include "dfr/reducer.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/optimiser_state.hpp"
#include "silent_context.hpp"

using namespace legato;
using namespace legato::dfr;
using legato::dfr::tests::context;

namespace {

// Returns a problem with coarse settings, to save time.
ReducerProblem reduction(int element, int functions, double accuracy) {
    ReducerProblem problem;
    problem.nucleus = make_nucleus(element, NuclearModel::point);
    problem.configuration = average_of_configuration(ground_configuration(element));
    problem.start = {0.1, 2.2, 4.5, 1.5};
    problem.functions = functions;
    problem.accuracy = accuracy;
    problem.optimiser.last_step = 1e-2;
    problem.optimiser.max_energies = 40;
    return problem;
}

double error_of(const ReducerResult& result) {
    return (result.energy - result.limit) / std::fabs(result.limit);
}

const std::filesystem::path file = "dfr_reducer_test.state";

}  // namespace

BOOST_AUTO_TEST_CASE(helium_to_the_smallest_set) {
    const ReducerProblem problem = reduction(2, 14, 1e-5);
    Reducer reducer(context(), problem);
    BOOST_TEST((reducer.result().status == OptimiserStatus::waiting));
    reducer.run({});
    const ReducerResult result = reducer.result();
    BOOST_TEST((result.status == OptimiserStatus::converged));
    BOOST_TEST(result.stages_done == 2);
    BOOST_TEST(error_of(result) <= 1e-5);
    BOOST_TEST(error_of(result) >= 0);
    BOOST_TEST(result.basis.ranges[0].first == 1);
    // One function less is not enough, for every start of the optimisation of that set.
    const int last = result.basis.ranges[0].last;
    BOOST_TEST_REQUIRE(last > 2);
    BOOST_TEST(last < 14);
    Candidate smaller = whole_candidate(problem);
    smaller.basis = result.basis;
    smaller.basis.ranges[0].last = last - 1;
    Optimiser optimiser(context(), {}, {smaller});
    optimiser.run({});
    const double best = optimiser.result(0).energy;
    BOOST_TEST((best - result.limit) / std::fabs(result.limit) > 1e-5);
}

BOOST_AUTO_TEST_CASE(ranges_of_neon) {
    Reducer reducer(context(), reduction(10, 12, 1e-4));
    std::int64_t points = 0, energies = 0;
    reducer.run([&](const Progress& progress) {
        BOOST_TEST(progress.points_total == 4);
        BOOST_TEST(progress.points_done >= points);
        BOOST_TEST(progress.cycles_done > energies);
        points = progress.points_done;
        energies = progress.cycles_done;
        return true;
    });
    const ReducerResult result = reducer.result();
    BOOST_TEST((result.status == OptimiserStatus::converged));
    BOOST_TEST(error_of(result) <= 1e-4);
    BOOST_TEST_REQUIRE(reducer.stages().size() == 4);
    const StageKind kinds[] = {StageKind::whole, StageKind::last, StageKind::last, StageKind::first};
    const int l[] = {0, 1, 0, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        BOOST_TEST((reducer.stages()[i].kind == kinds[i]));
        BOOST_TEST(reducer.stages()[i].l == l[i]);
        BOOST_TEST_MESSAGE("stage " << i << ": l = " << l[i] << ", " << reducer.stages()[i].chosen << ", energy "
                                    << reducer.stages()[i].energy << " by " << reducer.stages()[i].energies);
    }
    const auto& ranges = result.basis.ranges;
    BOOST_TEST(ranges[1].last == ranges[2].last);
    BOOST_TEST(ranges[1].first == ranges[2].first);
    BOOST_TEST(ranges[0].last >= ranges[1].last);
    BOOST_TEST(ranges[1].last < 12);
}

BOOST_AUTO_TEST_CASE(out_of_reach) {
    Reducer reducer(context(), reduction(2, 3, 1e-9));
    reducer.run({});
    const ReducerResult result = reducer.result();
    BOOST_TEST((result.status == OptimiserStatus::failed));
    BOOST_TEST(result.stages_done == 0);
    BOOST_TEST(error_of(result) > 1e-9);
    BOOST_TEST(result.energy < 0);
    reducer.save(file);
    const auto again = Reducer::resume(context(), file);
    again->run({});
    BOOST_TEST((again->result().status == OptimiserStatus::failed));
    BOOST_TEST(again->result().energy == result.energy);
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(resumed_as_if_not_stopped) {
    const ReducerProblem problem = reduction(2, 8, 1e-4);
    Reducer whole(context(), problem);
    whole.run({});
    for (const int stop : {0, 1, 20, 39, 40, 45, 79, 100}) {
        Reducer first(context(), problem);
        for (int i = 0; i < stop; ++i) first.advance();
        first.save(file);
        const auto second = Reducer::resume(context(), file);
        BOOST_TEST(second->result().stages_done == first.result().stages_done);
        second->run({});
        BOOST_TEST(second->result().energy == whole.result().energy, "stopped at " << stop);
        BOOST_TEST(second->result().basis.ranges[0].last == whole.result().basis.ranges[0].last);
        BOOST_TEST(second->result().limit == whole.result().limit);
    }
    std::filesystem::remove(file);
}

// A state that no run can have written is refused, even if its checksums are right.
BOOST_AUTO_TEST_CASE(impossible_states_are_refused) {
    const ReducerProblem problem = reduction(2, 8, 1e-4);
    Reducer whole(context(), problem);
    whole.run({});
    const std::vector<ReducerStage> stages = whole.stages();
    BOOST_TEST_REQUIRE(stages.size() == 2);
    const auto refused = [&](const std::vector<ReducerStage>& changed, double limit, const std::string& why) {
        StateWriter writer("dfr_reducer", 1);
        put_problem(writer, problem.optimiser);
        put_candidates(writer, {whole_candidate(problem)});
        writer.put("reducer/functions", problem.functions);
        writer.put("reducer/accuracy", problem.accuracy);
        writer.put("reducer/limit", limit);
        std::vector<std::int32_t> kind, l, chosen;
        std::vector<std::int64_t> energies;
        std::vector<double> energy, parameters;
        for (const ReducerStage& stage : changed) {
            kind.push_back(static_cast<std::int32_t>(stage.kind));
            l.push_back(stage.l);
            chosen.push_back(stage.chosen);
            energies.push_back(stage.energies);
            energy.push_back(stage.energy);
            const WellTempered& w = stage.parameters;
            parameters.insert(parameters.end(), {w.alpha, w.beta, w.delta, w.gamma});
        }
        writer.put("stages/count", static_cast<std::int64_t>(changed.size()));
        writer.put("stages/kind", kind);
        writer.put("stages/l", l);
        writer.put("stages/chosen", chosen);
        writer.put("stages/energies", energies);
        writer.put("stages/energy", energy);
        writer.put("stages/parameters", parameters);
        writer.put("reducer/under_way", 0);
        writer.commit(file);
        if (why.empty()) {
            BOOST_CHECK_NO_THROW(Reducer::resume(context(), file));
        } else {
            BOOST_CHECK_EXCEPTION(Reducer::resume(context(), file), Error, [&](const Error& error) {
                BOOST_TEST_MESSAGE(error.what());
                return error.status() == Status::bad_file && std::string(error.what()).find(why) != std::string::npos;
            });
        }
        std::filesystem::remove(file);
    };
    const double limit = whole.result().limit;
    refused(stages, limit, "");
    std::vector<ReducerStage> changed = stages;
    changed[1].parameters.beta = -2.0;
    refused(changed, limit, "dfr.well_tempered.beta: -2");
    changed = stages;
    changed[1].energy = -3.0;  // below the limit
    refused(changed, limit, "stages/energy");
    changed[1].energy = -2.0;  // not within the accuracy
    refused(changed, limit, "stages/energy");
    changed = stages;
    changed[0].energies = -1;
    refused(changed, limit, "stages/energies");
    refused(stages, 0.0, "stages/energy");
}

// Energies of the current stage are refused, too, if the limit contradicts what the state says of them.
BOOST_AUTO_TEST_CASE(impossible_records_are_refused) {
    for (const double given : {0.0, -2.8619}) {
        ReducerProblem problem = reduction(2, 8, 1e-4);
        problem.limit = given;
        Optimiser::Records records;
        Optimiser optimiser(context(), problem.optimiser, {whole_candidate(problem)});
        for (int i = 0; i < 3; ++i) optimiser.advance();
        const double limit = optimiser.result(0).limit;
        const auto resume = [&](double saved_limit) {
            StateWriter writer("dfr_reducer", 1);
            put_problem(writer, problem.optimiser);
            put_candidates(writer, {whole_candidate(problem)});
            writer.put("reducer/functions", problem.functions);
            writer.put("reducer/accuracy", problem.accuracy);
            writer.put("reducer/limit", saved_limit);
            writer.put("stages/count", std::int64_t{0});
            for (const char* name : {"stages/kind", "stages/l", "stages/chosen"})
                writer.put(name, std::vector<std::int32_t>{});
            writer.put("stages/energies", std::vector<std::int64_t>{});
            for (const char* name : {"stages/energy", "stages/parameters"}) writer.put(name, std::vector<double>{});
            writer.put("reducer/under_way", 1);
            put_records(writer, records);
            writer.commit(file);
            Reducer::resume(context(), file);
        };
        const auto refused = [&](double saved_limit, const std::string& why) {
            BOOST_CHECK_EXCEPTION(resume(saved_limit), Error, [&](const Error& error) {
                BOOST_TEST_MESSAGE(error.what());
                return error.status() == Status::bad_file && std::string(error.what()).find(why) != std::string::npos;
            });
        };
        records = optimiser.records();
        BOOST_CHECK_NO_THROW(resume(limit));
        refused(0.0, "reducer/limit");
        refused(5.0, "reducer/limit");
        records[0][1].energy = -3.0;  // marked as good, although below the limit
        refused(limit, "energies/energy");
        records = optimiser.records();
        records[0][1].kind = EnergyKind::collapsed;
        if (given == 0.0)
            refused(limit, "energies/energy");
        else
            BOOST_CHECK_NO_THROW(resume(limit));  // valid for a given limit, which may be too low
    }
    std::filesystem::remove(file);
}

// If the limit cannot be calculated, the reduction ends. A saved state keeps that end.
BOOST_AUTO_TEST_CASE(no_limit) {
    ReducerProblem problem = reduction(1, 8, 1e-4);
    problem.configuration.closed = {4};
    problem.configuration.electrons = {0.0};
    problem.configuration.pairs = {0.0};
    Reducer reducer(context(), problem);
    reducer.run({});
    BOOST_TEST((reducer.result().status == OptimiserStatus::failed));
    BOOST_TEST(reducer.result().limit == 0.0);
    reducer.save(file);
    const auto again = Reducer::resume(context(), file);
    again->run({});
    BOOST_TEST((again->result().status == OptimiserStatus::failed));
    std::filesystem::remove(file);
}

// A stage keeps the unchanged range, which has reached the accuracy before, if no range reaches it now. Here the saved
// energy reaches the accuracy. The saved parameters are worse, as rounding on another backend can make them.
BOOST_AUTO_TEST_CASE(what_reached_stays) {
    const ReducerProblem problem = reduction(2, 8, 1e-4);
    Reducer first(context(), problem);
    while (first.stages().empty()) first.advance();
    first.save(file);
    ReducerProblem strict = problem;
    const ReducerResult before = first.result();
    strict.accuracy = 0.99 * (before.energy - before.limit) / std::fabs(before.limit);
    StateWriter writer("dfr_reducer", 1);
    put_problem(writer, strict.optimiser);
    put_candidates(writer, {whole_candidate(strict)});
    writer.put("reducer/functions", strict.functions);
    writer.put("reducer/accuracy", strict.accuracy);
    writer.put("reducer/limit", before.limit);
    const ReducerStage& stage = first.stages()[0];
    const WellTempered& w = stage.parameters;
    writer.put("stages/count", std::int64_t{1});
    writer.put("stages/kind", std::vector{std::int32_t{0}});
    writer.put("stages/l", std::vector{std::int32_t{0}});
    writer.put("stages/chosen", std::vector{std::int32_t{stage.chosen}});
    writer.put("stages/energies", std::vector{stage.energies});
    writer.put("stages/energy", std::vector{before.limit * (1 - 0.9 * strict.accuracy)});
    writer.put("stages/parameters", std::vector{w.alpha * 1.5, w.beta, w.delta, w.gamma});
    writer.put("reducer/under_way", 0);
    writer.commit(file);
    const auto second = Reducer::resume(context(), file);
    second->run({});
    BOOST_TEST((second->result().status == OptimiserStatus::converged));
    BOOST_TEST(second->result().stages_done == 2);
    BOOST_TEST(second->result().basis.ranges[0].last == 8);
    std::filesystem::remove(file);
}

// The limit is known after the first energy.
BOOST_AUTO_TEST_CASE(limit_is_told_in_the_first_stage) {
    Reducer reducer(context(), reduction(2, 8, 1e-4));
    BOOST_TEST(reducer.result().limit == 0.0);
    reducer.advance();
    BOOST_TEST(reducer.result().stages_done == 0);
    BOOST_TEST(reducer.result().limit < -2.86);
}

BOOST_AUTO_TEST_CASE(wrong_input_is_named) {
    const auto refused = [](const ReducerProblem& problem, const std::string& start) {
        BOOST_CHECK_EXCEPTION(Reducer(context(), problem), Error, [&](const Error& error) {
            BOOST_TEST_MESSAGE(error.what());
            return error.status() == Status::invalid_argument && std::string(error.what()).starts_with(start);
        });
    };
    ReducerProblem problem = reduction(2, 8, 1e-4);
    problem.functions = 0;
    refused(problem, "dfr.reducer.functions: 0 is not in 1..200");
    problem = reduction(2, 8, 0.0);
    refused(problem, "dfr.reducer.accuracy: 0 is not in [");
    problem = reduction(10, 1, 1e-4);
    refused(problem, "dfr.reducer.configuration.closed[s1/2]: 2 is not in 0..1");
    problem = reduction(2, 8, 1e-4);
    problem.optimiser.spinor_weight = 0.01;
    refused(problem, "dfr.optimiser.spinor_weight: 0.01, but a reduction compares energies only; it needs 0");
}
