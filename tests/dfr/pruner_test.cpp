// Tests basis sets of decreasing size.
#define BOOST_TEST_MODULE dfr_pruner
#include "dfr/pruner.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "dfr/elements.hpp"
#include "dfr/optimiser_state.hpp"
#include "message_of.hpp"
#include "silent_context.hpp"

using namespace legato;
using namespace legato::dfr;
using legato::dfr::tests::context;
using legato::dfr::tests::message_of;

namespace {

PrunerProblem problem_to(double largest_error) {
    PrunerProblem problem;
    problem.field.kinetic_balance = KineticBalance::extended;
    problem.largest_error = largest_error;
    return problem;
}

// Returns an element with a small well-tempered set. `counts` are the functions of s, p, ...
Candidate small_start(int element, const std::vector<int>& counts) {
    Candidate start = start_of({}, element, NuclearModel::gaussian);
    for (std::size_t l = 0; l < counts.size(); ++l) start.basis.groups[l] = WellTempered{0.1, 2.3, 4.0, 0.5};
    for (std::size_t s = 0; s < start.basis.ranges.size(); ++s)
        start.basis.ranges[s].last = counts[static_cast<std::size_t>(start.basis.group[s])];
    return start;
}

double error_of(const Pruner& pruner, std::size_t atom, const PrunedSet& set) {
    const double limit = pruner.result(atom).limit;
    return (set.energy - limit) / std::fabs(limit);
}

// Returns the lowest energy of this basis that an optimisation finds.
double optimised(const Pruner& pruner, const GroupedBasis& basis, OptimiserMethod method = OptimiserMethod::lbfgs) {
    OptimiserProblem problem;
    problem.field = pruner.problem().field;
    problem.method = method;
    Candidate candidate = pruner.starts()[0];
    candidate.basis = basis;
    Optimiser optimiser(context(), problem, {candidate});
    optimiser.run({});
    return optimiser.result(0).energy;
}

bool same(const PrunedSet& a, const PrunedSet& b) {
    bool equal = a.energy == b.energy && a.spinor_error == b.spinor_error && a.group == b.group &&
                 a.basis.groups.size() == b.basis.groups.size();
    for (std::size_t g = 0; equal && g < a.basis.groups.size(); ++g)
        equal = a.basis.groups[g].form == b.basis.groups[g].form &&
                a.basis.groups[g].parameters == b.basis.groups[g].parameters;
    return equal;
}

bool same(const Pruner& a, std::size_t atom_a, const Pruner& b, std::size_t atom_b) {
    const auto &x = a.sets(atom_a), &y = b.sets(atom_b);
    bool equal = x.size() == y.size() && a.result(atom_a).status == b.result(atom_b).status &&
                 a.result(atom_a).energies == b.result(atom_b).energies;
    for (std::size_t i = 0; equal && i < x.size(); ++i) equal = same(x[i], y[i]);
    return equal;
}

const std::filesystem::path file = "dfr_pruner_test.state";

}  // namespace

BOOST_AUTO_TEST_CASE(a_function_fewer) {
    const GroupedBasis basis{{WellTempered{0.1, 2.0, 3.0, 0.5}, ExponentGroup(GroupForm::even_tempered, {0.2, 3.0}),
                              ExponentGroup(GroupForm::free, {0.5, 2.0, 32.0})},
                             {0, 1, 1, 2},
                             {{1, 5}, {1, 4}, {1, 4}, {1, 3}}};
    const auto before = exponents_of(basis);
    for (std::size_t g = 0; g < 3; ++g) {
        const GroupedBasis fewer = without_one(basis, g);
        const auto after = exponents_of(fewer);
        BOOST_TEST((fewer.groups[g].form == basis.groups[g].form));
        for (std::size_t s = 0; s < 4; ++s) {
            const bool in_group = basis.group[s] == static_cast<int>(g);
            BOOST_TEST(after[s].size() == before[s].size() - (in_group ? 1 : 0));
            BOOST_TEST(after[s].front() == before[s].front(), boost::test_tools::tolerance(1e-14));
            BOOST_TEST(after[s].back() == before[s].back(), boost::test_tools::tolerance(1e-13));
            if (!in_group) BOOST_TEST((after[s] == before[s]));
        }
    }
    // With fewer functions than parameters a well-tempered group becomes free.
    GroupedBasis three = without_one(without_one(basis, 0), 0);
    BOOST_TEST((three.groups[0].form == GroupForm::free));
    BOOST_TEST(three.groups[0].parameters.size() == 3);
    // The largest exponent is superfluous if it is far from the next one.
    for (const ExponentGroup& group : {ExponentGroup(GroupForm::free, {0.5, 2.0, 6.0, 24.0, 2000.0}),
                                       ExponentGroup(WellTempered{0.5, 2.0, 25.0, 20.0})}) {
        GroupedBasis with_jump{{group}, {0, 0}, {{1, 5}, {1, 5}}};
        const auto all = exponents_of(with_jump), shorter = exponents_of(without_one(with_jump, 0));
        BOOST_TEST(shorter[1].size() == 4);
        BOOST_TEST(shorter[0].front() == all[0].front(), boost::test_tools::tolerance(1e-13));
        BOOST_TEST(shorter[0].back() == all[0][3], boost::test_tools::tolerance(1e-13));
        BOOST_TEST(shorter[0][2] < 10 * shorter[0][1]);
    }
    // Free exponents may be in any order.
    GroupedBasis unsorted = basis;
    unsorted.groups[2].parameters = {2.0, 32.0, 0.5};
    BOOST_TEST((without_one(unsorted, 2).groups[2].parameters == without_one(basis, 2).groups[2].parameters));
    // The only exponent that remains lies between the last two.
    const GroupedBasis one = without_one(without_one(without_one(basis, 2), 2), 0);
    BOOST_TEST(exponents_of(one)[3].size() == 1);
    BOOST_TEST(exponents_of(one)[3][0] == 4.0, boost::test_tools::tolerance(1e-14));
}

// The first sets of the elements are close to the limit: H, He, C and Ne here, all others in the record
// 2026-11-28-dfr-pruning.
BOOST_AUTO_TEST_CASE(starts) {
    const PrunerProblem problem = problem_to(1e-5);
    std::vector<Candidate> all;
    for (const int element : {1, 2, 6, 10}) all.push_back(start_of(problem.field, element, NuclearModel::gaussian));
    Pruner pruner(context(), problem, all);
    while (!pruner.complete()) {
        pruner.advance();
        bool have_first = true;
        for (std::size_t i = 0; i < all.size(); ++i) have_first = have_first && !pruner.sets(i).empty();
        if (have_first) break;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        BOOST_TEST_REQUIRE(!pruner.sets(i).empty());
        const double error = error_of(pruner, i, pruner.sets(i)[0]);
        BOOST_TEST(error >= -5e-11);
        BOOST_TEST(error < 2e-9);
    }
    // Each seed gives another start.
    const auto start_with = [&](std::int64_t seed) {
        const Candidate start = start_of(problem.field, 10, NuclearModel::gaussian, seed);
        validate(problem, start, "start");
        return exponents_of(start.basis);
    };
    BOOST_TEST((start_with(1) == start_with(1)));
    BOOST_TEST((start_with(1) != start_with(0)));
    BOOST_TEST((start_with(1) != start_with(2)));
    // Every element has a start.
    for (int element = 1; element <= max_element; ++element)
        for (const auto model : {NuclearModel::point, NuclearModel::gaussian})
            if (model == NuclearModel::gaussian || element <= 97)
                BOOST_CHECK_NO_THROW(
                    validate(problem, start_of(problem.field, element, model), std::to_string(element)));
}

BOOST_AUTO_TEST_CASE(helium_to_1e_5) {
    Pruner pruner(context(), problem_to(1e-5), {small_start(2, {13})});
    BOOST_TEST((pruner.result(0).status == OptimiserStatus::waiting));
    pruner.run({});
    BOOST_TEST((pruner.result(0).status == OptimiserStatus::converged));
    const auto& sets = pruner.sets(0);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        BOOST_TEST(sets[i].group == (i == 0 ? -1 : 0));
        BOOST_TEST(pool_size(sets[i].basis, 0) == 13 - static_cast<int>(i));
        BOOST_TEST(error_of(pruner, 0, sets[i]) <= 1e-5);
        BOOST_TEST(error_of(pruner, 0, sets[i]) > 0);
        if (i > 0) BOOST_TEST(sets[i].energy > sets[i - 1].energy);
    }
    // Another minimiser does not find a lower energy, and one function fewer is not enough.
    BOOST_TEST_REQUIRE(sets.size() == 5);
    const PrunedSet& last = sets.back();
    BOOST_TEST(optimised(pruner, last.basis, OptimiserMethod::newuoa) > last.energy * (1 + 1e-9));
    const double limit = pruner.result(0).limit;
    BOOST_TEST(optimised(pruner, without_one(last.basis, 0)) - limit > 1e-5 * std::fabs(limit));
}

// Among all removals of one function, the pruner chooses the one that costs least, although it does not try all.
BOOST_AUTO_TEST_CASE(the_cheapest_function_is_removed) {
    Pruner pruner(context(), problem_to(1e-4), {small_start(10, {13, 9})});
    pruner.run({});
    constexpr double accuracy = 1e-2;  // of an error, with the default tolerance of 1e-3
    const auto& sets = pruner.sets(0);
    BOOST_TEST_REQUIRE(sets.size() >= 4);
    int removed[2] = {};
    for (std::size_t i = 1; i < sets.size(); ++i) {
        double lowest[2];
        for (std::size_t g = 0; g < 2; ++g) lowest[g] = optimised(pruner, without_one(sets[i - 1].basis, g));
        const auto chosen = static_cast<std::size_t>(sets[i].group);
        const double error = sets[i].energy - pruner.result(0).limit;
        BOOST_TEST(lowest[chosen] <= lowest[1 - chosen] + accuracy * error);
        BOOST_TEST(std::fabs(sets[i].energy - lowest[chosen]) < accuracy * error);
        ++removed[chosen];
    }
    BOOST_TEST(removed[0] > 0);
    BOOST_TEST(removed[1] > 0);
}

// An atom gives the same sets in every list.
BOOST_AUTO_TEST_CASE(atoms_of_a_list) {
    const PrunerProblem problem = problem_to(1e-3);
    const std::vector<Candidate> starts{small_start(2, {9}), small_start(10, {10, 6}), small_start(1, {8})};
    Pruner all(context(), problem, starts);
    std::int64_t points = 0, energies = 0;
    all.run([&](const Progress& progress) {
        BOOST_TEST(progress.points_total == 3);
        BOOST_TEST(progress.points_done >= points);
        BOOST_TEST(progress.cycles_done > energies);
        points = progress.points_done;
        energies = progress.cycles_done;
        return true;
    });
    BOOST_TEST(points == 3);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        Pruner one(context(), problem, {starts[i]});
        one.run({});
        BOOST_TEST(same(all, i, one, 0), "atom " << i);
        sum += one.result(0).energies;
    }
    BOOST_TEST(sum == energies);
}

BOOST_AUTO_TEST_CASE(resumed_as_if_not_stopped) {
    PrunerProblem problem = problem_to(1e-2);
    problem.spinor_weight = 0.01;
    const std::vector<Candidate> starts{small_start(2, {6}), small_start(10, {7, 4})};
    Pruner whole(context(), problem, starts);
    int steps = 0;
    while (!whole.advance()) ++steps;
    for (const int stop : {0, 1, steps / 3, steps, steps + 1}) {
        Pruner first(context(), problem, starts);
        for (int i = 0; i < stop; ++i) first.advance();
        first.save(file);
        const auto second = Pruner::resume(context(), file);
        for (std::size_t i = 0; i < starts.size(); ++i) BOOST_TEST(same(*second, i, first, i));
        second->run({});
        for (std::size_t i = 0; i < starts.size(); ++i) BOOST_TEST(same(*second, i, whole, i), "stopped at " << stop);
        BOOST_TEST(second->problem().largest_error == problem.largest_error);
        BOOST_TEST(second->problem().spinor_weight == 0.01);
    }
    std::filesystem::remove(file);
}

// With spinor_weight the error of a set contains that of the spinors.
BOOST_AUTO_TEST_CASE(errors_of_spinors) {
    PrunerProblem problem = problem_to(1e-3);
    const Candidate start = small_start(12, {13, 8});
    Pruner without(context(), problem, {start});
    problem.spinor_weight = 0.1;
    Pruner with(context(), problem, {start});
    without.run({});
    with.run({});
    const auto spinors = find_limits(context(), problem.field, {start}).starts[0];
    for (const PrunedSet& set : with.sets(0)) {
        BOOST_TEST(set.spinor_error == spinor_error(*spinors, exponents_of(set.basis)).error,
                   boost::test_tools::tolerance(1e-10));
        BOOST_TEST(error_of(with, 0, set) + 0.1 * set.spinor_error <= 1e-3);
    }
    const GroupedBasis& smallest = without.sets(0).back().basis;
    BOOST_TEST(without.sets(0).back().spinor_error == 0.0);
    BOOST_TEST(0.1 * spinor_error(*spinors, exponents_of(smallest)).error > 1e-3);
}

// Groups of any form can be pruned, and each keeps as many functions as its species have shells.
BOOST_AUTO_TEST_CASE(down_to_the_shells) {
    PrunerProblem problem = problem_to(1.0);
    problem.field.relativistic = 0;
    problem.field.kinetic_balance = KineticBalance::restricted;
    Candidate even = small_start(1, {4}), free = even;
    even.basis.groups[0] = ExponentGroup(GroupForm::even_tempered, {0.1, 4.0});
    free.basis.groups[0] = ExponentGroup(GroupForm::free, {0.1, 0.4, 1.6, 6.4});
    Pruner pruner(context(), problem, {even, free});
    pruner.run({});
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST((pruner.result(i).status == OptimiserStatus::converged));
    // One function gives -4/(3 pi) hartree, whatever the form of its group.
    for (std::size_t i = 0; i < 2; ++i) {
        BOOST_TEST_REQUIRE(pruner.sets(i).size() == 4);
        BOOST_TEST(pruner.sets(i).back().energy == -4 / (3 * M_PI), boost::test_tools::tolerance(2e-3));
        BOOST_TEST((pruner.sets(i).back().basis.groups[0].form == even.basis.groups[0].form) == (i == 0));
    }
    // Two functions of s hold 1s and 2s: none can be lost.
    Candidate beryllium = small_start(4, {2});
    beryllium.basis.groups[0] = ExponentGroup(GroupForm::free, {0.1, 3.0});
    Pruner of_beryllium(context(), problem, {beryllium});
    of_beryllium.run({});
    BOOST_TEST((of_beryllium.result(0).status == OptimiserStatus::converged));
    BOOST_TEST(of_beryllium.sets(0).size() == 1);
}

BOOST_AUTO_TEST_CASE(out_of_reach) {
    Candidate unbound = small_start(2, {4});
    unbound.basis.groups[0] = WellTempered{1e3, 2.0, 1.0, 1.0};
    Pruner pruner(context(), problem_to(1e-9), {small_start(2, {5}), unbound});
    pruner.run({});
    for (std::size_t i = 0; i < 2; ++i) {
        BOOST_TEST((pruner.result(i).status == OptimiserStatus::failed));
        BOOST_TEST(pruner.sets(i).empty());
    }
    pruner.save(file);
    const auto again = Pruner::resume(context(), file);
    BOOST_TEST(again->complete());
    BOOST_TEST((again->result(0).status == OptimiserStatus::failed));
    std::filesystem::remove(file);
}

// A run that its callback has stopped goes on with the same results.
BOOST_AUTO_TEST_CASE(stopped_by_a_callback) {
    const PrunerProblem problem = problem_to(1e-2);
    Pruner whole(context(), problem, {small_start(2, {6})}), stopped(context(), problem, {small_start(2, {6})});
    whole.run({});
    int stops = 0;
    while (!stopped.complete()) {
        int calls = 0;
        try {
            stopped.run([&](const Progress&) { return ++calls < 3; });
        } catch (const Error& error) {
            BOOST_TEST((error.status() == Status::cancelled));
            ++stops;
        }
    }
    BOOST_TEST(stops > 3);
    BOOST_TEST(same(stopped, 0, whole, 0));
}

// A state that no run can have written is refused, even if its checksums are right.
BOOST_AUTO_TEST_CASE(impossible_states) {
    struct State {
        std::int64_t energies = 40;
        std::vector<std::int32_t> group{-1, 0}, fresh{1};
        std::vector<double> energy{-2.8618, -2.8617}, parameters{0.1, 2.3, 4, 0.5, 0.11, 2.4, 4, 0.5};
        std::vector<double> cost{1e-3}, trial_energy{-2.8607}, trial_parameters{0.12, 2.5, 4, 0.5}, limit{-2.8618134};
        std::vector<double> spinor_error{0, 0}, trial_spinor_error{0};
    };
    const PrunerProblem problem = problem_to(1e-2);
    const auto outcome = [&](const State& state) -> std::string {
        StateWriter writer("dfr_pruner", 1);
        put_parameters(writer, problem.field, "field");
        put_parameters(writer, problem, "pruner");
        put_candidates(writer, {small_start(2, {9})});
        put_limits(writer, {{state.limit[0], state.limit[0] * (1 + 5e-11)}}, 1);
        writer.put("atom_0/energies", state.energies);
        writer.put("atom_0/sets", static_cast<std::int64_t>(state.group.size()));
        writer.put("atom_0/group", state.group);
        writer.put("atom_0/values", static_cast<std::int64_t>(state.parameters.size()));
        writer.put("atom_0/energy", state.energy);
        writer.put("atom_0/spinor_error", state.spinor_error);
        writer.put("atom_0/parameters", state.parameters);
        writer.put("atom_0/cost", state.cost);
        writer.put("atom_0/fresh", state.fresh);
        writer.put("atom_0/trial_values", static_cast<std::int64_t>(state.trial_parameters.size()));
        writer.put("atom_0/trial_energy", state.trial_energy);
        writer.put("atom_0/trial_spinor_error", state.trial_spinor_error);
        writer.put("atom_0/trial_parameters", state.trial_parameters);
        put_records(writer, {{}});
        put_rounding(writer);
        writer.commit(file);
        try {
            Pruner::resume(context(), file);
        } catch (const Error& error) {
            BOOST_TEST((error.status() == Status::bad_file));
            return error.what();
        }
        return "";
    };
    const auto refused = [&](const std::string& why, const auto& change) {
        State state;
        state.cost[0] = state.trial_energy[0] - state.energy[1];
        change(state);
        const std::string message = outcome(state);
        BOOST_TEST((why.empty() ? message.empty() : message.find(why) != std::string::npos), why << ": " << message);
    };
    refused("", [](State&) {});
    refused("entry atom_0/energies", [](State& s) { s.energies = 0; });
    refused("entry atom_0/energies", [](State& s) { s.energies = std::numeric_limits<std::int64_t>::max(); });
    refused("entry atom_0/group: found 0,", [](State& s) { s.group[0] = 0; });
    refused("entry atom_0/group: found 1,", [](State& s) { s.group[1] = 1; });
    refused("entry atom_0/group: found -1,", [](State& s) { s.group[1] = -1; });
    refused("entry atom_0/energy: found -2.87,", [](State& s) { s.energy[0] = -2.87; });
    refused("entry atom_0/energy: found -2.8,", [](State& s) { s.energy[1] = -2.8; });
    refused("entry atom_0/energy: found 0,", [](State& s) {
        s.energy[0] = 0;
        s.limit[0] = 0;
    });
    refused("dfr.well_tempered.beta", [](State& s) { s.parameters[1] = 0.5; });
    refused("entry atom_0/values: 3 parameters remain for a set with 4", [](State& s) { s.parameters.resize(7); });
    refused("entry atom_0/trial_energy: found -1000", [](State& s) { s.trial_energy[0] = -1000; });
    refused("entry atom_0/trial_energy", [](State& s) { s.cost[0] *= 2; });
    refused("entry atom_0/spinor_error: found 0.5", [](State& s) { s.spinor_error[1] = 0.5; });
    refused("entry atom_0/trial_spinor_error: found -1", [](State& s) { s.trial_spinor_error[0] = -1; });
    refused("entry atom_0/trial_values", [](State& s) { s.trial_parameters.resize(3); });
    refused("entry atom_0/fresh", [](State& s) { s.fresh[0] = 2; });
    refused("entry atom_0/group: found 0,", [](State& s) {
        s.group.clear();
        s.energy.clear();
        s.spinor_error.clear();
        s.parameters.clear();
    });
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(refused) {
    const Candidate start = small_start(10, {6, 4});
    const auto message = [&](const PrunerProblem& problem, const Candidate& candidate) {
        return message_of([&] { Pruner(context(), problem, {candidate}); });
    };
    PrunerProblem problem = problem_to(1e-5);
    problem.field.kinetic_balance = KineticBalance::restricted;
    BOOST_TEST(message(problem, start).starts_with("dfr.params.kinetic_balance: 0 (restricted)"));
    problem = problem_to(2.0);
    BOOST_TEST(message(problem, start) == "dfr.pruner.largest_error: 2 is not in [1e-12, 1]");
    problem = problem_to(1e-5);
    Candidate bad = start;
    bad.basis.ranges[0].first = 2;
    BOOST_TEST(message(problem, bad) == "dfr.candidates[0].first[s1/2]: 2 is not in 1..1");
    bad = start;
    bad.basis.ranges[2].last = 3;
    BOOST_TEST(message(problem, bad) == "dfr.candidates[0].last[p3/2]: 3 is not in 4..4");
    BOOST_TEST(message_of([&] { Pruner(context(), problem, {}); }) == "dfr.pruner.n_atoms: 0 is not in 1..1000");
    BOOST_TEST(message_of([&] { start_of({}, 119, NuclearModel::point); }).starts_with("dfr.element: 119"));
}
