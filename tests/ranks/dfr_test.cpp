// Lists of atoms, optimisations and reductions that several ranks share.
#define BOOST_TEST_MODULE ranks_dfr
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "../dfr/hennessey.hpp"
#include "core/state_origin.hpp"
#include "dfr/division.hpp"
#include "dfr/limit_check.hpp"
#include "divisions.hpp"
#include "no_memory.hpp"

using namespace ranks;

namespace {

struct OneAtom {
    legato_dfr_nucleus nucleus{};
    std::vector<int32_t> n_functions, closed;
    std::vector<double> exponents, electrons, pairs;
};

// Returns an atom with `functions` functions of each species, from the exponent `smallest` on.
OneAtom make_atom(double charge, int functions, double smallest, double ratio, std::vector<int32_t> closed,
                  std::vector<double> electrons) {
    OneAtom atom;
    const std::size_t species = closed.size();
    atom.nucleus.struct_size = sizeof(atom.nucleus);
    atom.nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    atom.nucleus.charge = charge;
    for (std::size_t s = 0; s < species; ++s) {
        atom.n_functions.push_back(functions);
        double zeta = smallest;
        for (int p = 0; p < functions; ++p, zeta *= ratio) atom.exponents.push_back(zeta);
    }
    atom.closed = std::move(closed);
    atom.electrons = std::move(electrons);
    atom.pairs.assign(species * species, 1.0);
    for (std::size_t s = 0; s < species; ++s) atom.pairs[s * (species + 1)] = 0.0;
    return atom;
}

// Among them are open shells, finite nuclei, an atom that has lost too many functions, one that collapses if it is
// relativistic, one that needs more than 9 iterations, and one that is not bound.
std::vector<OneAtom> some_atoms() {
    std::vector<OneAtom> atoms{make_atom(2, 9, 0.05, 3, {1}, {0}),
                               make_atom(5, 8, 0.05, 3, {2, 0}, {0, 1}),
                               make_atom(10, 10, 1.0, 1.0, {2}, {0}),
                               make_atom(4, 10, 0.03, 3, {2}, {0}),
                               make_atom(3, 9, 0.02, 3, {1}, {1}),
                               make_atom(86, 36, 30, 2.2, {0, 0}, {0, 1}),
                               make_atom(10, 9, 0.05, 4, {2, 1, 1}, {0, 0, 0}),
                               make_atom(1, 6, 0.02, 4, {2}, {0})};
    atoms[3].nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_SPHERE;
    atoms[3].nucleus.radius = 5e-5;
    atoms[4].nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN;
    atoms[4].nucleus.exponent = 1e9;
    atoms[6].nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_FERMI;
    atoms[6].nucleus.radius = 5e-5;
    atoms[6].nucleus.skin = 2e-5;
    return atoms;
}

int32_t add(legato_dfr* dfr, const OneAtom& atom) {
    return legato_dfr_add_atom(dfr, &atom.nucleus, static_cast<int32_t>(atom.closed.size()), atom.n_functions.data(),
                               atom.exponents.data(), atom.closed.data(), atom.electrons.data(), atom.pairs.data(),
                               nullptr);
}

using List = Owned<legato_dfr, legato_dfr_destroy>;
using Optimiser = Owned<legato_dfr_optimiser, legato_dfr_optimiser_destroy>;
using Reducer = Owned<legato_dfr_reducer, legato_dfr_reducer_destroy>;
using Pruner = Owned<legato_dfr_pruner, legato_dfr_pruner_destroy>;

void make(legato_context* context, const legato_dfr_params& params, const std::vector<OneAtom>& atoms, List& list) {
    require(legato_dfr_create(context, &params, &list.handle));
    for (const OneAtom& atom : atoms) require(add(list, atom));
}

legato_dfr_params make_params(bool relativistic, int32_t max_iterations = 9) {
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.relativistic = relativistic;
    params.max_iterations = max_iterations;
    return params;
}

legato_dfr_atom result_of(legato_dfr* dfr, int64_t index) {
    legato_dfr_atom result{};
    result.struct_size = sizeof(result);
    require(legato_dfr_result(dfr, index, &result));
    return result;
}

// Reads everything. What cannot be read is read as its status.
void read(legato_dfr* dfr, bool relativistic, Results& results) {
    int64_t atoms = 0;
    require(legato_dfr_size(dfr, &atoms));
    for (int64_t i = 0; i < atoms; ++i) {
        const legato_dfr_atom atom = result_of(dfr, i);
        results.add(atom.status);
        results.add(atom.iterations);
        results.add(std::vector{atom.energy, atom.kinetic, atom.nuclear, atom.repulsion, atom.virial_ratio,
                                atom.gradient, atom.limit});
        int32_t species = 0;
        std::array<int32_t, 40> functions{};
        require(legato_dfr_atom_size(dfr, i, &species, functions.data()));
        for (int32_t s = 0; s < species; ++s) {
            int32_t states = 0, left_out = 0;
            results.add(legato_dfr_spinors(dfr, i, s, 0, &states, nullptr, nullptr, nullptr, nullptr));
            results.add(legato_dfr_left_out(dfr, i, s, &left_out));
            const auto count = static_cast<std::size_t>(states);
            const auto numbers = count * static_cast<std::size_t>(functions[static_cast<std::size_t>(s)]);
            std::vector<double> energies(count), occupations(count), large(numbers), small(numbers);
            results.add(legato_dfr_spinors(dfr, i, s, states, nullptr, energies.data(), occupations.data(),
                                           large.data(), relativistic ? small.data() : nullptr));
            double moment = 0, large_at_1 = 0;
            const double one = 1;
            results.add(legato_dfr_radial_moment(dfr, i, s, 0, 2, &moment));
            results.add(legato_dfr_radial_functions(dfr, i, s, 0, 1, &one, &large_at_1, nullptr));
            results.add(large_at_1);
            for (const auto* list : {&energies, &occupations, &large, &small}) results.add(*list);
            results.add(left_out);
            results.add(moment);
        }
        std::array<double, 3> density{};
        const std::array<double, 3> r{0.01, 0.5, 3.0};
        results.add(legato_dfr_radial_density(dfr, i, 3, r.data(), density.data()));
        results.add(std::span<const double>(density));
    }
}

// A callback that reads all results, and stops the run in its call `stop_at`.
struct Watcher {
    legato_dfr* dfr;
    bool relativistic;
    Results* results;
    int stop_at = -1, calls = 0;

    static int call(void* user, const legato_progress* progress) {
        auto& self = *static_cast<Watcher*>(user);
        if (self.results) {
            self.results->add(progress->points_done);
            self.results->add(progress->cycles_done);
            read(self.dfr, self.relativistic, *self.results);
        }
        return self.calls++ == self.stop_at;
    }
};

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

legato_dfr_nucleus point(double charge) {
    return make_atom(charge, 1, 1, 1, {1}, {0}).nucleus;
}

// Adds an ion with two electrons.
int32_t add_one(legato_dfr_optimiser* optimiser, int32_t functions) {
    const std::array<double, 4> start{0.1, 2.5, 4.5, 1.5};
    const int32_t closed = 1, first = 1;
    const double electrons = 0;
    const legato_dfr_nucleus nucleus = point(functions - 3);
    return legato_dfr_optimiser_add(optimiser, &nucleus, 1, &functions, &first, nullptr, 1, start.data(), &closed,
                                    &electrons, nullptr, 0.0, nullptr);
}

void make(legato_context* context, Optimiser& optimiser, int32_t method = LEGATO_DFR_OPTIMISER_METHOD_NEWUOA) {
    const legato_dfr_params field = make_params(true, 50);
    legato_dfr_optimiser_params params;
    legato_dfr_optimiser_params_init(&params);
    params.max_energies = 12;
    params.method = method;
    require(legato_dfr_optimiser_create(context, &field, &params, &optimiser.handle));
    for (int32_t functions = 5; functions < 8; ++functions) require(add_one(optimiser, functions));
}

void read(legato_dfr_optimiser* optimiser, Results& results) {
    int64_t count = 0;
    require(legato_dfr_optimiser_size(optimiser, &count));
    for (int64_t i = 0; i < count; ++i) {
        legato_dfr_optimisation one{};
        one.struct_size = sizeof(one);
        require(legato_dfr_optimiser_result(optimiser, i, &one));
        results.add(one.status);
        results.add(one.energies);
        results.add(std::vector{one.start_energy, one.energy, one.limit});
        const auto n = static_cast<std::size_t>(one.energies);
        std::vector<double> energies(n), parameters(4 * n);
        std::vector<int32_t> kinds(n);
        require(legato_dfr_optimiser_history(optimiser, i, 0, one.energies, nullptr, energies.data(), kinds.data(),
                                             parameters.data()));
        results.add(energies);
        results.add(kinds);
        results.add(parameters);
    }
}

void make(legato_context* context, Reducer& reducer) {
    const legato_dfr_params field = make_params(true, 50);
    legato_dfr_optimiser_params optimiser;
    legato_dfr_optimiser_params_init(&optimiser);
    optimiser.max_energies = 8;
    legato_dfr_reducer_params params;
    legato_dfr_reducer_params_init(&params);
    params.functions = 8;
    params.accuracy = 1e-3;
    const legato_dfr_nucleus nucleus = point(2);
    const int32_t closed = 1;
    const double electrons = 0;
    const std::array<double, 4> start{0.1, 2.5, 4.5, 1.5};
    require(legato_dfr_reducer_create(context, &field, &optimiser, &params, &nucleus, 1, &closed, &electrons, nullptr,
                                      start.data(), &reducer.handle));
}

// Two atoms, so that ranks have different work.
void make(legato_context* context, Pruner& pruner) {
    legato_dfr_pruner_params params;
    legato_dfr_pruner_params_init(&params);
    params.largest_error = 1e-3;
    require(legato_dfr_pruner_create(context, nullptr, &params, &pruner.handle));
    const int32_t closed = 1, form = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED;
    const double electrons = 0;
    const std::array<double, 4> start{0.1, 2.5, 4.5, 1.5};
    for (const int32_t functions : {7, 9}) {
        const legato_dfr_nucleus nucleus = point(functions - 5);
        require(legato_dfr_pruner_add(pruner, &nucleus, 1, &functions, &closed, nullptr, 1, &form, start.data(),
                                      &closed, &electrons, nullptr, 0.0, nullptr));
    }
}

void read(legato_dfr_pruner* pruner, Results& results) {
    for (int64_t i = 0; i < 2; ++i) {
        legato_dfr_pruning pruning{};
        pruning.struct_size = sizeof(pruning);
        require(legato_dfr_pruner_result(pruner, i, &pruning));
        results.add(pruning.status);
        results.add(pruning.energies);
        results.add(pruning.sets);
        for (int32_t k = 0; k < pruning.sets; ++k) {
            legato_dfr_pruned_set set{};
            set.struct_size = sizeof(set);
            require(legato_dfr_pruner_set(pruner, i, k, &set));
            std::array<double, 4> parameters{};
            require(legato_dfr_pruner_basis(pruner, i, k, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                            parameters.data()));
            results.add(std::vector{set.energy, set.relative_error});
            results.add(std::span<const double>(parameters));
        }
    }
}

void read(legato_dfr_reducer* reducer, Results& results) {
    legato_dfr_reduction reduction{};
    reduction.struct_size = sizeof(reduction);
    require(legato_dfr_reducer_result(reducer, &reduction));
    results.add(reduction.status);
    results.add(reduction.stages_done);
    results.add(std::vector{reduction.energy, reduction.limit, reduction.relative_error});
    std::array<double, 4> parameters{};
    int32_t functions = 0;
    require(legato_dfr_reducer_basis(reducer, nullptr, &functions, nullptr, parameters.data()));
    results.add(functions);
    results.add(std::span<const double>(parameters));
}

// Saves with one division after some steps, and goes on with others. All files have the same bytes.
template <class Handle, class Save, class Resume, class Advance>
std::string resumed(const std::string& path, Save&& save, Resume&& resume, Advance&& advance) {
    std::string found, first_file;
    Results first;
    for (const Division& saved_by : {Division{1, 1, 1}, Division{3, 2, 1}, Division{2, 1, 2}})
        for (const Division& continued_by : {Division{1, 1, 1}, Division{2, 2, 1}, Division{4, 1, 1}}) {
            const auto check = [&](const std::vector<Outcome>& outcomes) {
                for (const Outcome& outcome : outcomes)
                    if (outcome.status != LEGATO_STATUS_SUCCESS) found += outcome.message + "\n";
            };
            check(run_on(saved_by, [&](legato_context* context, int, Results&) {
                Handle handle;
                make(context, handle);
                require(advance(handle));
                require(save(handle, path.c_str()));
            }));
            const std::string file = bytes_of(path);
            if (first_file.empty()) first_file = file;
            if (file.empty() || file != first_file) found += "another file\n";
            const auto outcomes = run_on(continued_by, [&](legato_context* context, int, Results& results) {
                Handle handle;
                require(resume(context, path.c_str(), &handle.handle));
                require(advance(handle));
                read(handle.handle, results);
            });
            check(outcomes);
            if (first.empty()) first = outcomes[0].results;
            for (const Outcome& outcome : outcomes)
                if (outcome.results != first || first.empty()) found += "other results\n";
        }
    std::remove(path.c_str());
    return found;
}

// Returns the message of all ranks of a program that fails, or what is wrong with it.
std::string message_of(const Program& program, int ranks = 2) {
    const auto outcomes = run_on({ranks, 1, 1}, program);
    for (const Outcome& outcome : outcomes)
        if (outcome.status != LEGATO_STATUS_INVALID_ARGUMENT || outcome.message != outcomes[0].message)
            return "not the same on every rank: " + outcome.message;
    return outcomes[0].message;
}

}  // namespace

// No part has more to do than another by more than one atom.
BOOST_AUTO_TEST_CASE(parts_take_about_the_same_time) {
    using namespace legato::dfr;
    std::vector<Atom> atoms;
    double longest = 0;
    for (int element = 2; element <= 54; ++element) {
        atoms.push_back(library_atom(element, NuclearModel::point));
        longest = std::max(longest, operations({}, {&atoms.back(), 1}));
    }
    for (const std::size_t parts : {1, 2, 3, 7, 60}) {
        const std::vector<std::size_t> part_of = divide({}, atoms, parts);
        std::vector<double> loads(parts);
        for (std::size_t i = 0; i < atoms.size(); ++i) loads.at(part_of[i]) += operations({}, {&atoms[i], 1});
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        BOOST_TEST(*most - *least <= longest, parts);
        BOOST_TEST(operations({}, largest_share({}, atoms, parts)) == *most);
    }
}

BOOST_AUTO_TEST_CASE(every_kind_of_atom_is_in_the_list) {
    for (const bool relativistic : {true, false}) {
        std::set<int32_t> statuses;
        const auto outcomes = run_on({1, 1, 1}, [&](legato_context* context, int, Results&) {
            List list;
            make(context, make_params(relativistic), some_atoms(), list);
            require(legato_dfr_run(list, nullptr, nullptr));
            for (int64_t i = 0; i < 8; ++i) statuses.insert(result_of(list, i).status);
        });
        BOOST_TEST(outcomes[0].message == "");
        std::set<int32_t> expected{LEGATO_DFR_ATOM_STATUS_CONVERGED, LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED,
                                   LEGATO_DFR_ATOM_STATUS_FAILED};
        if (relativistic) expected.insert(LEGATO_DFR_ATOM_STATUS_COLLAPSED);
        for (const int32_t status : expected) BOOST_TEST(statuses.count(status) == 1u, status);
    }
}

BOOST_AUTO_TEST_CASE(runs_of_lists) {
    for (const bool relativistic : {true, false})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato::dfr::forget_limits();
                       List list;
                       make(context, make_params(relativistic), some_atoms(), list);
                       require(legato_dfr_run(list, nullptr, nullptr));
                       read(list, relativistic, results);
                   }) == "");
}

// Holes, empty shells, and two open shells of a species; their levels.
BOOST_AUTO_TEST_CASE(lists_of_shells) {
    const OneAtom atom = make_atom(10, 10, 0.05, 3, {1, 1, 1}, {0, 0, 0});
    const std::array<int32_t, 4> n{1, 2, 2, 3}, l{0, 0, 1, 0};
    const std::array<std::array<int32_t, 4>, 3> electrons{{{1, 2, 6, 0}, {2, 0, 5, 1}, {1, 1, 6, 1}}};
    for (const bool relativistic : {true, false})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       List list;
                       make(context, make_params(relativistic, 50), {}, list);
                       for (const auto& of : electrons)
                           require(legato_dfr_add_shells(list, &atom.nucleus, 3, atom.n_functions.data(),
                                                         atom.exponents.data(), 4, n.data(), l.data(), nullptr,
                                                         of.data(), nullptr));
                       require(legato_dfr_run(list, nullptr, nullptr));
                       read(list, relativistic, results);
                       for (int64_t i = 0; i < 3; ++i) {
                           int64_t count = 0;
                           int32_t parity = 0;
                           require(legato_dfr_levels(list, i, LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC, 0, &count,
                                                     &parity, nullptr, nullptr));
                           std::vector<int32_t> twice_j(static_cast<std::size_t>(count));
                           std::vector<double> energies(static_cast<std::size_t>(count));
                           require(legato_dfr_levels(list, i, LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC, count, nullptr,
                                                     nullptr, twice_j.data(), energies.data()));
                           results.add(parity);
                           results.add(twice_j);
                           results.add(energies);
                       }
                   }) == "");
}

// Rank 0 writes the file, and all ranks learn whether it could.
BOOST_AUTO_TEST_CASE(files_of_spinors) {
    const std::string path = "ranks_dfr_vectors.h5";
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   legato::dfr::forget_limits();
                   List list;
                   make(context, make_params(true), some_atoms(), list);
                   require(legato_dfr_run(list, nullptr, nullptr));
                   require(legato_dfr_write_vectors(list, path.c_str()));
                   results.add(bytes_of(path));
                   results.add(legato_dfr_write_vectors(list, "missing/vectors.h5"));
               }) == "");
    BOOST_TEST(bytes_of(path).size() > 10000);
    std::remove(path.c_str());
}

BOOST_AUTO_TEST_CASE(fewer_atoms_than_parts) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   List list;
                   make(context, make_params(true), {some_atoms()[1]}, list);
                   require(legato_dfr_run(list, nullptr, nullptr));
                   read(list, true, results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(results_after_each_step) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   legato::dfr::forget_limits();  // they change the number of steps
                   List list;
                   make(context, make_params(true), some_atoms(), list);
                   int64_t finished = 0;
                   for (int step = 0; step < 4; ++step) {
                       require(legato_dfr_advance(list, 1 + step, &finished));
                       results.add(finished);
                       read(list, true, results);
                   }
                   require(legato_dfr_run(list, nullptr, nullptr));
                   read(list, true, results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(results_in_a_callback) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   List list;
                   make(context, make_params(false), some_atoms(), list);
                   Watcher watcher{list, false, &results};
                   require(legato_dfr_run(list, Watcher::call, &watcher));
               }) == "");
}

// Only rank 0 has a callback. All ranks read the results where it stops, and go on.
BOOST_AUTO_TEST_CASE(a_callback_of_one_rank_stops_all) {
    BOOST_TEST(differences([](legato_context* context, int rank, Results& results) {
                   legato::dfr::forget_limits();
                   List list;
                   make(context, make_params(true), some_atoms(), list);
                   Watcher watcher{list, true, nullptr, 3};
                   const int32_t status = legato_dfr_run(list, rank == 0 ? Watcher::call : nullptr, &watcher);
                   results.add(status);
                   read(list, true, results);
                   require(legato_dfr_run(list, nullptr, nullptr));
                   read(list, true, results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(optimisations) {
    for (const int32_t method : {LEGATO_DFR_OPTIMISER_METHOD_NEWUOA, LEGATO_DFR_OPTIMISER_METHOD_LBFGS})
        BOOST_TEST(differences([method](legato_context* context, int, Results& results) {
                       Optimiser optimiser;
                       make(context, optimiser, method);
                       require(legato_dfr_optimiser_run(optimiser, nullptr, nullptr));
                       read(optimiser, results);
                   }) == "");
    BOOST_TEST(resumed<Optimiser>("ranks_dfr_optimiser.state", legato_dfr_optimiser_save, legato_dfr_optimiser_resume,
                                  [](legato_dfr_optimiser* optimiser) {
                                      return legato_dfr_optimiser_advance(optimiser, 4, nullptr);
                                  }) == "");
}

BOOST_AUTO_TEST_CASE(reductions) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   Reducer reducer;
                   make(context, reducer);
                   require(legato_dfr_reducer_run(reducer, nullptr, nullptr));
                   read(reducer, results);
               }) == "");
    BOOST_TEST(resumed<Reducer>(
                   "ranks_dfr_reducer.state", legato_dfr_reducer_save, legato_dfr_reducer_resume,
                   [](legato_dfr_reducer* reducer) { return legato_dfr_reducer_advance(reducer, 9, nullptr); }) == "");
}

BOOST_AUTO_TEST_CASE(prunings) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   Pruner pruner;
                   make(context, pruner);
                   require(legato_dfr_pruner_run(pruner, nullptr, nullptr));
                   read(pruner, results);
               }) == "");
    BOOST_TEST(
        resumed<Pruner>("ranks_dfr_pruner.state", legato_dfr_pruner_save, legato_dfr_pruner_resume,
                        [](legato_dfr_pruner* pruner) { return legato_dfr_pruner_advance(pruner, 9, nullptr); }) == "");
}

// A rank without memory ends the call of all ranks, whether they resume or go on. A call that has failed can be
// repeated, or it names what differs.
BOOST_AUTO_TEST_CASE(a_rank_without_memory_ends_a_pruning) {
    const char* const path = "ranks_dfr_no_memory.state";
    run_on({1, 1, 1}, [&](legato_context* context, int, Results&) {
        Pruner pruner;
        make(context, pruner);
        require(legato_dfr_pruner_advance(pruner, 20, nullptr));
        require(legato_dfr_pruner_save(pruner, path));
    });
    int not_resumed = 0, not_advanced = 0, complete = 0;
    for (long after = 1; after < 40000 && complete < 2; after += after / 16 + 7) {
        std::array<int32_t, 2> resumed{}, advanced{}, again{};
        std::array<std::string, 2> messages;
        NetworkWithMemory network(2);
        const auto outcomes = run_on(network, {2, 1, 1}, [&](legato_context* context, int rank, Results&) {
            const auto at = static_cast<std::size_t>(rank);
            Pruner pruner;
            if (rank == 1) memory_runs_out(after);
            resumed[at] = legato_dfr_pruner_resume(context, path, &pruner.handle);
            memory_is_back();
            if (resumed[at] != LEGATO_STATUS_SUCCESS) return;
            if (rank == 1) memory_runs_out(after);
            advanced[at] = legato_dfr_pruner_advance(pruner, 5, nullptr);
            memory_is_back();
            again[at] = legato_dfr_pruner_advance(pruner, 1, nullptr);
            messages[at] = legato_context_message(context);
        });
        const std::string with = "memory for " + std::to_string(after) + " calls";
        BOOST_TEST(resumed[0] == resumed[1], with);
        BOOST_TEST(advanced[0] == advanced[1], with);
        BOOST_TEST(again[0] == again[1], with);
        for (const int32_t status : {resumed[0], advanced[0]})
            BOOST_TEST((status == LEGATO_STATUS_SUCCESS || status == LEGATO_STATUS_OUT_OF_MEMORY), with);
        BOOST_TEST((again[0] == LEGATO_STATUS_SUCCESS ||
                    messages[0].find("an error has ended an earlier call at different places") != std::string::npos),
                   with << ": " << messages[0]);
        not_resumed += resumed[0] != LEGATO_STATUS_SUCCESS;
        not_advanced += advanced[0] != LEGATO_STATUS_SUCCESS;
        complete += resumed[0] == LEGATO_STATUS_SUCCESS && advanced[0] == LEGATO_STATUS_SUCCESS;
    }
    BOOST_TEST(not_resumed > 5);
    BOOST_TEST(not_advanced > 3);
    BOOST_TEST(complete == 2);
    std::remove(path);
}

BOOST_AUTO_TEST_CASE(repulsions_are_those_of_each_rank) {
    const auto compute = [](legato_context* context, double smallest, Results& results) {
        const std::array<double, 3> exponents{smallest, 3 * smallest, 9 * smallest}, spinor{0.3, 0.5, 0.4};
        const std::array<int32_t, 1> functions{3}, first{0}, spinors{1};
        const std::array<double, 1> electrons{2}, factors{1};
        std::array<double, 9> matrix{};
        Owned<legato_dfr_repulsion, legato_dfr_repulsion_destroy> repulsion;
        require(legato_dfr_repulsion_create(context, 0, 1, functions.data(), exponents.data(), &repulsion.handle));
        require(legato_dfr_repulsion_apply(repulsion, 1, first.data(), spinors.data(), electrons.data(), spinor.data(),
                                           1, first.data(), factors.data(), matrix.data()));
        results.add(std::span<const double>(matrix));
    };
    const auto together = run_on({3, 1, 1}, [&](legato_context* context, int rank, Results& results) {
        compute(context, 0.1 * (1 + rank), results);
    });
    for (int rank = 0; rank < 3; ++rank) {
        const auto alone = run_on({1, 1, 1}, [&](legato_context* context, int, Results& results) {
            compute(context, 0.1 * (1 + rank), results);
        });
        BOOST_TEST(together[static_cast<std::size_t>(rank)].message == "");
        BOOST_TEST((together[static_cast<std::size_t>(rank)].results == alone[0].results));
    }
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport) {
    BOOST_TEST(unnoticed_failures([](legato_context* context, int, Results& results) {
                   legato::dfr::forget_limits();
                   List list;
                   make(context, make_params(true, 4), {some_atoms()[0], make_atom(1, 6, 0.05, 3, {0}, {1})}, list);
                   require(legato_dfr_advance(list, 1, nullptr));
                   read(list, true, results);
                   require(legato_dfr_run(list, nullptr, nullptr));
                   read(list, true, results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(what_differs_is_named) {
    const auto message = [](auto&& change) {
        return message_of([&](legato_context* context, int rank, Results&) {
            legato_dfr_params params = make_params(true);
            std::vector<OneAtom> atoms = some_atoms();
            if (rank == 1) change(params, atoms);
            List list;
            make(context, params, atoms, list);
            require(legato_dfr_run(list, nullptr, nullptr));
        });
    };
    const std::string differ = ": the ranks of the communicator differ: ";
    BOOST_TEST(message([](auto& params, auto&) { params.max_iterations = 8; }) ==
               "dfr.params.max_iterations" + differ + "9 on rank 0, 8 on rank 1");
    BOOST_TEST(message([](auto&, auto& atoms) { atoms.pop_back(); }) ==
               "dfr.n_atoms" + differ + "8 on rank 0, 7 on rank 1");
    BOOST_TEST(message([](auto&, auto& atoms) { atoms[3].nucleus.charge = 5; }) ==
               "dfr.atoms[3].nucleus.charge" + differ + "4 on rank 0, 5 on rank 1");
    BOOST_TEST(message([](auto&, auto& atoms) { atoms[6].nucleus.skin = 3e-5; }) ==
               "dfr.atoms[6].nucleus.skin" + differ + "2e-05 on rank 0, 3e-05 on rank 1");
    BOOST_TEST(message([](auto&, auto& atoms) { atoms[1].electrons[1] = 1.5; }) ==
               "dfr.atoms[1].configuration.electrons[1]" + differ + "1 on rank 0, 1.5 on rank 1");
    BOOST_TEST(message([](auto&, auto& atoms) { atoms[2].exponents[4] = 2; }) ==
               "dfr.atoms[2].exponents[s1/2][4]" + differ + "1 on rank 0, 2 on rank 1");
    BOOST_TEST(message([](auto&, auto& atoms) { atoms[0] = atoms[1]; }) ==
               "dfr.atoms[0].nucleus.charge" + differ + "2 on rank 0, 5 on rank 1");
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   Optimiser optimiser;
                   make(context, optimiser);
                   if (rank == 1) require(add_one(optimiser, 5));
                   require(legato_dfr_optimiser_advance(optimiser, 1, nullptr));
               }) == "dfr.optimiser.n_candidates" + differ + "3 on rank 0, 4 on rank 1");
}

// Adding an element of a library is collective, too: if it fails on one rank, it fails on all.
BOOST_AUTO_TEST_CASE(elements_of_a_library) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   const legato_dfr_params params = make_params(true, 50);
                   List list;
                   require(legato_dfr_create(context, &params, &list.handle));
                   require(legato_dfr_add_element_with_basis(list, 2, 1, "hennessey", nullptr));
                   require(legato_dfr_add_element(list, 4, 1, nullptr));
                   require(legato_dfr_run(list, nullptr, nullptr));
                   read(list, true, results);
                   std::array<double, 4> parameters{};
                   require(
                       legato_dfr_library_basis(context, 10, parameters.data(), nullptr, 0, nullptr, nullptr, nullptr));
                   results.add(std::vector(parameters.begin(), parameters.end()));
               }) == "");
    const auto outcomes = run_on({2, 1, 1}, [](legato_context* context, int rank, Results&) {
        List list;
        require(legato_dfr_create(context, nullptr, &list.handle));
        require(legato_dfr_add_element_with_basis(list, rank == 0 ? 58 : 10, 1, "hennessey", nullptr));
    });
    for (const auto& outcome : outcomes) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(outcome.message.find("dfr.element: 58, Ce, has no set") != std::string::npos, outcome.message);
    }
    for (const bool known : {false, true})
        for (const auto& outcome : run_on({2, 1, 1}, [&](legato_context*context, int rank, Results&) {
                 List list;
                 require(legato_dfr_create(context, nullptr, &list.handle));
                 if (known) require(legato_dfr_add_element(list, 10, 1, nullptr));
                 require(legato_dfr_add_element_with_basis(list, 10, 1, rank == 0 ? "hennessey" : nullptr, nullptr));
             })) {
            BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
            BOOST_TEST(outcome.message == "rank 1 of 2: dfr.basis: legato-5e-9, but hennessey on rank 0");
        }
    for (const auto& outcome : run_on({2, 1, 1}, [](legato_context*context, int, Results&) {
             List list;
             require(legato_dfr_create(context, nullptr, &list.handle));
             require(legato_dfr_add_element_with_basis(list, 10, 1, "nothing", nullptr));
         }))
        BOOST_TEST(outcome.message.find("there is no library \"nothing\" in the folders") != std::string::npos,
                   outcome.message);
}
