// Runs of vmc on several ranks and parts read the same bits.
#define BOOST_TEST_MODULE ranks_vmc
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "divisions.hpp"

using ranks::Division;
using ranks::Outcome;
using ranks::require;
using ranks::Results;

namespace {

// All that can be measured, on 10 sites. A batch is a bin, so that each progress report follows a bin.
legato_vmc_params small_params(int chains) {
    legato_vmc_params params;
    legato_vmc_params_init(&params);
    params.length = 3;
    params.electrons = 8;
    params.chains = chains;
    params.thermalisation = 7;
    params.bins = 4;
    params.sweeps_per_bin = 10;
    params.correlations = params.pair_correlations = params.gradients = 1;
    return params;
}

legato_vmc* created(legato_context* context, const legato_vmc_params& params) {
    legato_vmc* vmc = nullptr;
    require(legato_vmc_create(context, &params, &vmc));
    return vmc;
}

void read_sites(legato_vmc* vmc, Results& results) {
    legato_vmc_params params;
    legato_vmc_params_init(&params);
    require(legato_vmc_get_params(vmc, &params));
    std::vector<int32_t> up(static_cast<std::size_t>(params.electrons / 2)), down(up.size());
    for (int32_t chain = 0; chain < params.chains; ++chain) {
        require(legato_vmc_electron_sites(vmc, chain, params.electrons / 2, up.data(), down.data()));
        results.add(up);
        results.add(down);
    }
}

void read_bins(legato_vmc* vmc, int32_t chain, int64_t bins, Results& results) {
    std::vector<double> means(static_cast<std::size_t>(bins));
    for (int32_t o = LEGATO_VMC_OBSERVABLE_ENERGY; o <= LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED; ++o) {
        require(legato_vmc_bin_means(vmc, o, chain, bins, means.data()));
        results.add(means);
    }
}

// Reads everything. At least one bin is done.
void read_all(legato_vmc* vmc, Results& results) {
    legato_vmc_state state{};
    state.struct_size = sizeof state;
    require(legato_vmc_get_state(vmc, &state));
    results.add(std::span(reinterpret_cast<const char*>(&state), sizeof state));
    for (int32_t chain = 0; chain < state.chains; ++chain) read_bins(vmc, chain, state.bins_done, results);
    read_sites(vmc, results);
    legato_vmc_averages averages{};
    averages.struct_size = sizeof averages;
    require(legato_vmc_result(vmc, &averages));
    results.add(std::span(reinterpret_cast<const char*>(&averages), sizeof averages));

    legato_vmc_params params;
    legato_vmc_params_init(&params);
    require(legato_vmc_get_params(vmc, &params));
    const auto sites = static_cast<std::size_t>(state.sites);
    if (params.gradients) {
        std::vector<double> gradient(4), error(4), metric(16);
        require(legato_vmc_gradient(vmc, 4, gradient.data(), error.data(), metric.data()));
        for (const auto& list : {gradient, error, metric}) results.add(list);
    }
    if (params.correlations) {
        std::vector<double> spin(sites), spin_error(sites), charge(sites), charge_error(sites);
        require(legato_vmc_structure_factors(vmc, state.sites, nullptr, spin.data(), spin_error.data(), charge.data(),
                                             charge_error.data()));
        for (const auto& list : {spin, spin_error, charge, charge_error}) results.add(list);
    }
    if (params.pair_correlations) {
        std::vector<double> f(4 * sites), error(4 * sites);
        require(legato_vmc_pair_correlations(vmc, state.sites, f.data(), error.data()));
        results.add(f);
        results.add(error);
    }
}

void run_to_the_end(legato_vmc* vmc, Results& results) {
    require(legato_vmc_run(vmc, nullptr, nullptr));
    read_all(vmc, results);
    require(legato_vmc_destroy(vmc));
}

// A file that the test removes.
class TestFile {
  public:
    explicit TestFile(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                ("legato_ranks_vmc_" + name + std::to_string(getpid()) + ".h5")) {}
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;
    ~TestFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    const char* path() const { return path_.c_str(); }
    std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    std::filesystem::path path_;
};

// Reads the results after each bin, and stops after `stop_after` bins.
struct Watcher {
    legato_vmc* vmc;
    Results* results;
    int64_t stop_after, seen = 0;
};
int watch(void* user, const legato_progress* progress) {
    auto& watcher = *static_cast<Watcher*>(user);
    if (progress->points_done > watcher.seen) {
        watcher.seen = progress->points_done;
        if (watcher.results) read_all(watcher.vmc, *watcher.results);
    }
    return progress->points_done >= watcher.stop_after;
}

std::string bytes_of(const Outcome& outcome) {
    return outcome.status == LEGATO_STATUS_SUCCESS ? outcome.results.bytes() : "failed: " + outcome.message;
}

// Returns the message that every rank has, or all messages if they differ.
std::string message_of(const std::vector<Outcome>& outcomes) {
    std::string all;
    for (const Outcome& outcome : outcomes)
        if (outcome.status == LEGATO_STATUS_SUCCESS || outcome.message != outcomes[0].message)
            all += outcome.message + "; ";
    return all.empty() ? outcomes[0].message : "different messages: " + outcomes[0].message + "; " + all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(runs) {
    for (const int chains : {1, 2, 5, 13})
        BOOST_TEST(ranks::differences([&](legato_context* context, int, Results& results) {
                       run_to_the_end(created(context, small_params(chains)), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(runs_with_a_table_on_a_rectangle) {
    BOOST_TEST(ranks::differences([&](legato_context* context, int, Results& results) {
                   legato_vmc_params params = small_params(6);
                   params.cluster = LEGATO_VMC_CLUSTER_RECTANGULAR;
                   params.extents[0] = params.extents[1] = 4;
                   params.boundary[1] = LEGATO_VMC_BOUNDARY_ANTIPERIODIC;
                   std::vector<double> table(16);
                   require(legato_vmc_pair_function(context, &params, 16, table.data(), nullptr));
                   params.gradients = 0;
                   legato_vmc* vmc = nullptr;
                   require(legato_vmc_create_given(context, &params, 16, table.data(), 0, &vmc));
                   run_to_the_end(vmc, results);
               }) == "");
}

// The intervals of the chains differ, because the bound of the drift is low.
BOOST_AUTO_TEST_CASE(bins_one_after_another) {
    BOOST_TEST(ranks::differences([&](legato_context* context, int, Results& results) {
                   legato_vmc_params params = small_params(7);
                   params.drift_bound = 1e-14;
                   params.recompute_interval = 4;
                   legato_vmc* vmc = created(context, params);
                   read_sites(vmc, results);
                   for (int64_t done = 0; done < params.bins;) {
                       require(legato_vmc_advance(vmc, 1, &done));
                       read_all(vmc, results);
                   }
                   require(legato_vmc_destroy(vmc));
               }) == "");
}

// The size of a group depends on the number of threads, but not the results.
BOOST_AUTO_TEST_CASE(chains_one_after_another) {
    for (const int chains : {3, 17})
        BOOST_TEST(ranks::differences([&](legato_context* context, int, Results& results) {
                       const legato_vmc_params params = small_params(chains);
                       legato_vmc* vmc = created(context, params);
                       for (int32_t chain = 0; chain < chains; ++chain) {
                           for (int64_t done = 0; done < params.bins;)
                               require(legato_vmc_advance_chain(vmc, chain, chain % 2 == 0 ? 0.0 : 1000.0, &done));
                           read_bins(vmc, chain, params.bins, results);
                       }
                       read_all(vmc, results);
                       require(legato_vmc_destroy(vmc));
                   }) == "");
}

BOOST_AUTO_TEST_CASE(progress_reports_can_read) {
    const auto program = [](legato_context* context, int, Results& results) {
        legato_vmc* vmc = created(context, small_params(5));
        Watcher watcher{vmc, &results, 100};
        require(legato_vmc_run(vmc, watch, &watcher));
        require(legato_vmc_destroy(vmc));
    };
    BOOST_TEST(ranks::differences(program) == "");
}

// Only one rank has a callback, and it stops the run of all.
BOOST_AUTO_TEST_CASE(a_stopped_run_can_be_read_and_continued) {
    std::string expected;
    for (const Division& division : {Division{1, 1, 1}, Division{3, 1, 1}, Division{2, 2, 2}})
        for (const Outcome& outcome : ranks::run_on(division, [&](legato_context*context, int rank, Results&results) {
                 legato_vmc* vmc = created(context, small_params(5));
                 Watcher watcher{vmc, nullptr, 2};
                 const bool stops = rank == division.ranks - 1;
                 if (legato_vmc_run(vmc, stops ? watch : nullptr, &watcher) != LEGATO_STATUS_CANCELLED)
                     throw ranks::Failure{LEGATO_STATUS_INTERNAL_ERROR};
                 read_all(vmc, results);
                 run_to_the_end(vmc, results);
             })) {
            if (expected.empty()) expected = bytes_of(outcome);
            BOOST_TEST((bytes_of(outcome) == expected), division.ranks << " ranks: " << outcome.message);
        }
}

// Saves on each division, and resumes on each other one.
BOOST_AUTO_TEST_CASE(states_move_between_divisions) {
    const std::vector<Division> some{{1, 1, 1}, {1, 3, 1}, {2, 1, 1}, {3, 2, 1}, {7, 1, 1}};
    std::string saved, expected;
    for (const Division& from : some) {
        const TestFile file("moved");
        for (const Outcome& outcome : ranks::run_on(from, [&](legato_context*context, int, Results&) {
                 legato_vmc* vmc = created(context, small_params(5));
                 require(legato_vmc_advance(vmc, 2, nullptr));
                 require(legato_vmc_save(vmc, file.path()));
                 require(legato_vmc_destroy(vmc));
             }))
            BOOST_TEST(outcome.status == LEGATO_STATUS_SUCCESS, outcome.message);
        if (saved.empty()) saved = file.bytes();
        BOOST_TEST((!saved.empty() && file.bytes() == saved), from.ranks << " ranks save another file");
        for (const Division& to : some)
            for (const Outcome& outcome : ranks::run_on(to, [&](legato_context*context, int, Results&results) {
                     legato_vmc* vmc = nullptr;
                     require(legato_vmc_resume(context, file.path(), &vmc));
                     run_to_the_end(vmc, results);
                 })) {
                if (expected.empty()) expected = bytes_of(outcome);
                BOOST_TEST((bytes_of(outcome) == expected), to.ranks << " ranks: " << outcome.message);
            }
    }
    const Outcome whole = ranks::run_on({}, [](legato_context* context, int, Results& results) {
        run_to_the_end(created(context, small_params(5)), results);
    })[0];
    BOOST_TEST((bytes_of(whole) == expected));
}

// A bin takes several batches, of which one is made.
BOOST_AUTO_TEST_CASE(states_within_a_bin_move_between_divisions) {
    legato_vmc_params params = small_params(5);
    params.thermalisation = 0;
    params.bins = 1;
    params.sweeps_per_bin = 60000;
    params.correlations = params.pair_correlations = params.gradients = 0;
    const Outcome whole = ranks::run_on({}, [&](legato_context* context, int, Results& results) {
        run_to_the_end(created(context, params), results);
    })[0];
    for (const auto& [from, to] :
         {std::pair{Division{2, 1, 1}, Division{1, 1, 1}}, {Division{1, 1, 1}, Division{3, 1, 1}}}) {
        const TestFile file("within"), again("again");
        for (const Outcome& outcome : ranks::run_on(from, [&](legato_context*context, int, Results&results) {
                 legato_vmc* vmc = created(context, params);
                 int64_t done = -1;
                 require(legato_vmc_advance_chain(vmc, 0, 0, &done));
                 if (done != 0) throw ranks::Failure{LEGATO_STATUS_INTERNAL_ERROR};
                 require(legato_vmc_save(vmc, file.path()));
                 read_sites(vmc, results);
                 require(legato_vmc_destroy(vmc));
             }))
            BOOST_TEST(outcome.status == LEGATO_STATUS_SUCCESS, outcome.message);
        for (const Outcome& outcome : ranks::run_on(to, [&](legato_context*context, int, Results&results) {
                 legato_vmc* vmc = nullptr;
                 require(legato_vmc_resume(context, file.path(), &vmc));
                 require(legato_vmc_save(vmc, again.path()));
                 require(legato_vmc_advance_chain(vmc, params.chains - 1, 1000, nullptr));
                 read_all(vmc, results);
                 require(legato_vmc_destroy(vmc));
             }))
            BOOST_TEST((bytes_of(outcome) == bytes_of(whole)), to.ranks << " ranks: " << outcome.message);
        BOOST_TEST((file.bytes() == again.bytes()));
    }
}

// A bin takes several batches. The first report stops the run, at a time that differs between divisions.
BOOST_AUTO_TEST_CASE(cancelled_states_move_between_divisions) {
    legato_vmc_params params = small_params(5);
    params.thermalisation = 0;
    params.bins = 1;
    params.sweeps_per_bin = 50000;
    params.correlations = params.pair_correlations = params.gradients = 0;
    const auto stop = [](void*, const legato_progress*) { return 1; };
    std::string expected;
    for (const Division& from : {Division{2, 1, 1}, Division{1, 2, 1}}) {
        const TestFile file("cancelled");
        std::vector<Outcome> saved = ranks::run_on(from, [&](legato_context* context, int rank, Results& results) {
            legato_vmc* vmc = created(context, params);
            if (legato_vmc_run(vmc, rank == from.ranks - 1 ? +stop : nullptr, nullptr) != LEGATO_STATUS_CANCELLED)
                throw ranks::Failure{LEGATO_STATUS_INTERNAL_ERROR};
            require(legato_vmc_save(vmc, file.path()));
            read_sites(vmc, results);
            run_to_the_end(vmc, results);
        });
        for (const Outcome& outcome : saved) BOOST_TEST((bytes_of(outcome) == bytes_of(saved[0])), outcome.message);
        for (const Division& to : {Division{1, 1, 1}, Division{3, 1, 1}})
            for (const Outcome& outcome : ranks::run_on(to, [&](legato_context*context, int, Results&results) {
                     legato_vmc* vmc = nullptr;
                     require(legato_vmc_resume(context, file.path(), &vmc));
                     run_to_the_end(vmc, results);
                 })) {
                if (expected.empty()) expected = bytes_of(outcome);
                BOOST_TEST((bytes_of(outcome) == expected), to.ranks << " ranks: " << outcome.message);
                BOOST_TEST(bytes_of(saved[0]).ends_with(expected));
            }
    }
}

namespace {

legato_vmc_optimiser* created_optimiser(legato_context* context) {
    legato_vmc_params run = small_params(5);
    run.length = 5;
    run.electrons = 24;
    run.mu = -0.3;
    run.sweeps_per_bin = 20;
    run.correlations = run.pair_correlations = 0;
    legato_vmc_optimiser_params params;
    legato_vmc_optimiser_params_init(&params);
    params.steps = 6;
    params.significance = 6;  // the survey begins early
    legato_vmc_optimiser* optimiser = nullptr;
    require(legato_vmc_optimiser_create(context, &run, &params, &optimiser));
    return optimiser;
}

void read_optimisation(legato_vmc_optimiser* optimiser, Results& results) {
    legato_vmc_optimisation found{};
    found.struct_size = sizeof found;
    require(legato_vmc_optimiser_result(optimiser, &found));
    results.add(std::span(reinterpret_cast<const char*>(&found), sizeof found));
    for (int64_t i = 0; i < found.steps_done; ++i) {
        legato_vmc_optimiser_step step{};
        step.struct_size = sizeof step;
        require(legato_vmc_optimiser_get_step(optimiser, i, &step));
        results.add(std::span(reinterpret_cast<const char*>(&step), sizeof step));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(optimisations) {
    BOOST_TEST(ranks::differences([](legato_context* context, int, Results& results) {
                   legato_vmc_optimiser* optimiser = created_optimiser(context);
                   require(legato_vmc_optimiser_advance(optimiser, 1, nullptr));
                   read_optimisation(optimiser, results);
                   require(legato_vmc_optimiser_run(optimiser, nullptr, nullptr));
                   read_optimisation(optimiser, results);
                   require(legato_vmc_optimiser_destroy(optimiser));
               }) == "");
}

BOOST_AUTO_TEST_CASE(optimisations_move_between_divisions) {
    std::string expected, saved;
    for (const auto& [from, to] :
         {std::pair{Division{1, 1, 1}, Division{2, 1, 1}}, {Division{3, 1, 1}, Division{1, 2, 1}}}) {
        const TestFile file("optimiser");
        for (const Outcome& outcome : ranks::run_on(from, [&](legato_context*context, int, Results&) {
                 legato_vmc_optimiser* optimiser = created_optimiser(context);
                 require(legato_vmc_optimiser_advance(optimiser, 3, nullptr));
                 require(legato_vmc_optimiser_save(optimiser, file.path()));
                 require(legato_vmc_optimiser_destroy(optimiser));
             }))
            BOOST_TEST(outcome.status == LEGATO_STATUS_SUCCESS, outcome.message);
        if (saved.empty()) saved = file.bytes();
        BOOST_TEST((!saved.empty() && file.bytes() == saved));
        for (const Outcome& outcome : ranks::run_on(to, [&](legato_context*context, int, Results&results) {
                 legato_vmc_optimiser* optimiser = nullptr;
                 require(legato_vmc_optimiser_resume(context, file.path(), &optimiser));
                 require(legato_vmc_optimiser_run(optimiser, nullptr, nullptr));
                 read_optimisation(optimiser, results);
                 require(legato_vmc_optimiser_destroy(optimiser));
             })) {
            if (expected.empty()) expected = bytes_of(outcome);
            BOOST_TEST((bytes_of(outcome) == expected), to.ranks << " ranks: " << outcome.message);
        }
    }
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    const TestFile file("failures");
    BOOST_TEST(ranks::unnoticed_failures([&](legato_context* context, int, Results& results) {
                   legato_vmc_params params = small_params(3);
                   params.bins = 2;
                   legato_vmc* vmc = created(context, params);
                   require(legato_vmc_advance(vmc, 1, nullptr));
                   require(legato_vmc_save(vmc, file.path()));
                   require(legato_vmc_destroy(vmc));
                   vmc = nullptr;
                   require(legato_vmc_resume(context, file.path(), &vmc));
                   run_to_the_end(vmc, results);
               }) == "");
}

// The transport fails in the meeting after a batch, when the engines have gone on.
BOOST_AUTO_TEST_CASE(results_before_a_failure_of_the_transport_can_be_read) {
    const auto begin = [](legato_context* context) {
        legato_vmc* vmc = created(context, small_params(5));
        require(legato_vmc_advance(vmc, 2, nullptr));
        return vmc;
    };
    ranks::Network whole(2);
    const std::vector<Outcome> expected =
        ranks::run_on(whole, {2, 1, 1}, [&](legato_context* context, int, Results& results) {
            legato_vmc* vmc = begin(context);
            read_all(vmc, results);
            require(legato_vmc_destroy(vmc));
        });
    for (const int later : {0, 1}) {
        ranks::Network network(2);
        network.fail_at(1, whole.calls(1) + later);
        for (const Outcome& outcome :
             ranks::run_on(network, {2, 1, 1}, [&](legato_context*context, int, Results&results) {
                 legato_vmc* vmc = begin(context);
                 for (int i = 0; i < 2; ++i)
                     if (legato_vmc_advance(vmc, 1, nullptr) != LEGATO_STATUS_COMMUNICATION_ERROR)
                         throw ranks::Failure{LEGATO_STATUS_INTERNAL_ERROR};
                 read_all(vmc, results);
                 require(legato_vmc_destroy(vmc));
             }))
            BOOST_TEST((bytes_of(outcome) == bytes_of(expected[0])), "call " << later << ": " << outcome.message);
    }
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_in_an_optimisation_are_noticed) {
    BOOST_TEST(ranks::unnoticed_failures([&](legato_context* context, int, Results& results) {
                   legato_vmc_optimiser* optimiser = created_optimiser(context);
                   require(legato_vmc_optimiser_advance(optimiser, 1, nullptr));
                   read_optimisation(optimiser, results);
                   require(legato_vmc_optimiser_destroy(optimiser));
               }) == "");
}

BOOST_AUTO_TEST_CASE(arguments_that_differ_are_named) {
    const auto message = [](const ranks::Program& program) { return message_of(ranks::run_on({2, 1, 1}, program)); };
    BOOST_TEST(message([](legato_context* context, int rank, Results&) { created(context, small_params(5 + rank)); }) ==
               "vmc.params.chains: the ranks of the communicator differ: 5 on rank 0, 6 on rank 1");
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   legato_vmc_params params = small_params(5);
                   params.mu = rank;
                   created(context, params);
               }) == "vmc.params.mu: the ranks of the communicator differ: 0 on rank 0, 1 on rank 1");
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   legato_vmc_params params = small_params(5);
                   params.gradients_by[2] = rank;
                   created(context, params);
               }) == "vmc.params.gradients_by[2]: the ranks of the communicator differ: 0 on rank 0, 1 on rank 1");
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   legato_vmc_params params = small_params(5);
                   params.gradients = 0;
                   std::vector<double> table(10, 0.25);
                   table[0] = 1;
                   table[7] += 0.5 * rank;
                   legato_vmc* vmc = nullptr;
                   require(legato_vmc_create_given(context, &params, 10, table.data(), 0, &vmc));
               }) == "vmc.pair_function[7]: the ranks of the communicator differ: 0.25 on rank 0, 0.75 on rank 1");
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   legato_vmc_optimiser_params params;
                   legato_vmc_optimiser_params_init(&params);
                   params.quiet_steps += rank;
                   legato_vmc_optimiser* optimiser = nullptr;
                   require(legato_vmc_optimiser_create(context, nullptr, &params, &optimiser));
               }) == "vmc.optimiser.quiet_steps: the ranks of the communicator differ: 3 on rank 0, 4 on rank 1");
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   legato_vmc* vmc = created(context, small_params(5));
                   require(legato_vmc_advance_chain(vmc, rank, 0, nullptr));
               }) == "vmc.chain: the ranks of the communicator differ: 0 on rank 0, 1 on rank 1");
}

BOOST_AUTO_TEST_CASE(errors_of_one_rank_are_those_of_all) {
    const auto outcomes = ranks::run_on({3, 1, 1}, [](legato_context* context, int rank, Results&) {
        created(context, small_params(rank == 1 ? 0 : 5));
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(outcome.message == "rank 1 of 3: vmc.params.chains: 0 is not in 1..1048576");
    }
}

BOOST_AUTO_TEST_CASE(too_many_chains_for_the_memory_are_refused_on_every_rank) {
    const auto outcomes = ranks::run_on({2, 1, 1}, [](legato_context* context, int, Results&) {
        legato_vmc_params params = small_params(1 << 20);
        params.bins = 1 << 20;
        created(context, params);
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_OUT_OF_MEMORY);
        BOOST_TEST(outcome.message.find("vmc.params.chains: 1048576 chains need") != std::string::npos);
    }
}
