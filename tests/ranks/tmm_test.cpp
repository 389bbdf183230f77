// Runs of tmm that several ranks and parts share.
#define BOOST_TEST_MODULE ranks_tmm
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "divisions.hpp"

using namespace ranks;

namespace {

struct Job {
    legato_tmm_params params{};
    std::vector<double> energy, disorder;
    legato_tmm_slice_callback change = nullptr;
};

Job job(int dimension, int width, int rule, int stream, int points) {
    Job j;
    legato_tmm_params_init(&j.params);
    j.params.dimension = dimension;
    j.params.width = width;
    j.params.boundary = dimension == 1 ? LEGATO_TMM_BOUNDARY_HARD_WALL : LEGATO_TMM_BOUNDARY_ANTIPERIODIC;
    j.params.rule = rule;
    j.params.random_stream = stream;
    j.params.epsilon = 0.08;
    j.params.max_multiplications = 3000;
    j.params.min_blocks = 8;
    j.params.burn_in = 16;
    for (int i = 0; i < points; ++i) {
        j.energy.push_back(0.25 * i);
        j.disorder.push_back(2 + 0.7 * i);
    }
    return j;
}

const Job usual = job(2, 4, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 5);

// A run that is destroyed when a call fails, too.
class Run {
  public:
    Run(legato_context* context, const Job& j) {
        const auto points = static_cast<int64_t>(j.energy.size());
        require(j.change ? legato_tmm_create_given(context, &j.params, 0, nullptr, nullptr, j.change, nullptr, points,
                                                   j.energy.data(), j.disorder.data(), &tmm_)
                         : legato_tmm_create(context, &j.params, points, j.energy.data(), j.disorder.data(), &tmm_));
    }
    Run(legato_context* context, const std::string& path) { require(legato_tmm_resume(context, path.c_str(), &tmm_)); }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() { legato_tmm_destroy(tmm_); }
    operator legato_tmm*() const { return tmm_; }

  private:
    legato_tmm* tmm_ = nullptr;
};

void read(legato_tmm* tmm, Results& results) {
    int64_t points = 0, sites = 0;
    require(legato_tmm_size(tmm, &points, &sites));
    std::vector<double> exponents(static_cast<std::size_t>(sites)), errors(exponents);
    for (int64_t i = 0; i < points; ++i) {
        legato_tmm_point point{};
        point.struct_size = sizeof(point);
        require(legato_tmm_result(tmm, i, &point, sites, exponents.data(), errors.data()));
        results.add(point.status);
        results.add(point.cycles);
        results.add(point.localisation_length);
        results.add(point.relative_error);
        results.add(exponents);
        results.add(errors);
    }
}

int32_t status_of(legato_tmm* tmm, int64_t point) {
    legato_tmm_point out{};
    out.struct_size = sizeof(out);
    require(legato_tmm_result(tmm, point, &out, 0, nullptr, nullptr));
    return out.status;
}

void advance(legato_tmm* tmm, int64_t cycles, Results& results) {
    int64_t finished = 0;
    require(legato_tmm_advance(tmm, cycles, &finished));
    results.add(finished);
}

// Runs some cycles, then to the end, and reads in between.
Program in_steps(const Job& j) {
    return [j](legato_context* context, int, Results& results) {
        const Run run(context, j);
        read(run, results);
        for (const int64_t cycles : {1, 9, 20}) {
            advance(run, cycles, results);
            read(run, results);
        }
        require(legato_tmm_run(run, nullptr, nullptr));
        read(run, results);
    };
}

// A callback that stops the run after a number of calls, and reads results.
struct Stop {
    legato_tmm* tmm;
    int after;
    Results read_inside = {};
};

int stop(void* user, const legato_progress*) {
    auto& s = *static_cast<Stop*>(user);
    read(s.tmm, s.read_inside);
    return --s.after <= 0 ? 1 : 0;
}

std::string file_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A file that is removed in the end. Its name is different for every test.
struct File {
    explicit File(const char* name)
        : path((std::filesystem::temp_directory_path() / (std::string("legato_ranks_tmm_") + name)).string()) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    std::string path;
};

// Returns what goes wrong if rank 1 of 2 changes the job.
std::string message_if(const std::function<void(Job&)>& change) {
    const auto outcomes = run_on({2, 1, 1}, [&](legato_context* context, int rank, Results&) {
        Job j = usual;
        if (rank == 1) change(j);
        const Run run(context, j);
    });
    BOOST_TEST(outcomes[0].status == LEGATO_STATUS_INVALID_ARGUMENT);
    BOOST_TEST(outcomes[1].status == outcomes[0].status);
    BOOST_TEST(outcomes[1].message == outcomes[0].message);
    return outcomes[0].message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_division) {
    for (const int rule : {LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RULE_TMSEXD})
        for (const int stream : {LEGATO_TMM_RANDOM_STREAM_LFSR113, LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE,
                                 LEGATO_TMM_RANDOM_STREAM_PHILOX})
            for (const auto& [dimension, width] : {std::pair{1, 1}, {2, 5}, {3, 2}})
                BOOST_TEST(differences(in_steps(job(dimension, width, rule, stream, 5))) == "");
}

BOOST_AUTO_TEST_CASE(wide_bars_do_not_depend_on_the_division) {
    Job j = job(2, 130, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 3);
    j.params.max_multiplications = 200;
    BOOST_TEST(differences(in_steps(j)) == "");
}

BOOST_AUTO_TEST_CASE(a_single_point_does_not_depend_on_the_division) {
    BOOST_TEST(differences(in_steps(job(2, 3, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 1))) == "");
}

// An engine of one thread has 16 slots, and these points end at different times.
BOOST_AUTO_TEST_CASE(points_that_wait_for_a_slot_do_not_depend_on_the_division) {
    Job j = job(2, 3, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 150);
    j.params.max_growth = 1e3;
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const Run run(context, j);
                   Results ignored;
                   advance(run, 3, ignored);
                   require(legato_tmm_run(run, nullptr, nullptr));
                   read(run, results);
               }) == "");
}

// Replicas have a slot each, or wait for one.
BOOST_AUTO_TEST_CASE(replicas_do_not_depend_on_the_division) {
    Job j = job(2, 2, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 2);
    j.params.replicas = 3;
    BOOST_TEST(differences(in_steps(j)) == "");
    j = job(2, 2, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 5);
    j.params.replicas = 40;
    j.params.epsilon = 0.02;
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const Run run(context, j);
                   Results ignored;
                   advance(run, 3, ignored);
                   require(legato_tmm_run(run, nullptr, nullptr));
                   read(run, results);
               }) == "");
}

// Models with complex numbers and spin, and slices that the caller changes.
BOOST_AUTO_TEST_CASE(other_models_do_not_depend_on_the_division) {
    for (const int model : {LEGATO_TMM_MODEL_U1, LEGATO_TMM_MODEL_SU2, LEGATO_TMM_MODEL_ANDO})
        for (const bool given : {false, true}) {
            Job j = job(2, 3, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 5);
            j.params.model = model;
            j.params.hopping_disorder = LEGATO_TMM_HOPPING_DISORDER_UNIFORM;
            j.params.replicas = model == LEGATO_TMM_MODEL_U1 ? 2 : 1;
            if (given)
                j.change = [](void*, int64_t point, int64_t replica, int64_t slice, int64_t sites, int64_t, int64_t,
                              double on_site[], double[], double[]) {
                    for (int64_t i = 0; i < sites; ++i)
                        on_site[i] += 0.1 * static_cast<double>((slice + 3 * i + point + replica) % 7);
                    return 0;
                };
            BOOST_TEST(differences(in_steps(j)) == "", "model " << model << ", given " << given);
        }
}

// If the caller of one rank stops the run, all ranks stop.
BOOST_AUTO_TEST_CASE(a_caller_that_stops_one_rank) {
    static thread_local bool stops = false;
    const auto outcomes = run_on({2, 1, 1}, [&](legato_context* context, int rank, Results&) {
        stops = rank == 1;
        Job j = usual;
        j.change = [](void*, int64_t, int64_t, int64_t slice, int64_t, int64_t, int64_t, double[], double[], double[]) {
            return stops && slice == 30 ? 1 : 0;
        };
        const Run run(context, j);
        require(legato_tmm_run(run, nullptr, nullptr));
    });
    for (const auto& outcome : outcomes) BOOST_TEST(outcome.status == LEGATO_STATUS_CANCELLED, outcome.message);
}

BOOST_AUTO_TEST_CASE(saved_replicas_continue_on_other_divisions) {
    Job j = job(2, 2, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_PHILOX, 5);
    j.params.replicas = 40;
    j.params.epsilon = 0.02;
    const File file("replicas.h5");
    const auto whole = run_on({7, 1, 1}, [&](legato_context* context, int, Results& results) {
        const Run run(context, j);
        Results ignored;
        advance(run, 43, ignored);
        require(legato_tmm_save(run, file.path.c_str()));
        require(legato_tmm_run(run, nullptr, nullptr));
        read(run, results);
    });
    for (const Division& division : {Division{1, 1, 1}, {1, 3, 1}, {2, 1, 1}, {2, 2, 2}, {7, 1, 1}})
        for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&results) {
                 const Run run(context, file.path);
                 require(legato_tmm_run(run, nullptr, nullptr));
                 read(run, results);
             })) {
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == whole[0].results));
        }
}

// Seven engines have 112 slots. Others that continue the run have fewer, and save points that wait for a slot again.
BOOST_AUTO_TEST_CASE(saved_points_that_wait_for_a_slot_continue_on_other_divisions) {
    Job j = job(2, 3, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE, 120);
    j.params.epsilon = 0.03;
    const File file("waiting.h5"), again("waiting_again.h5");
    const auto whole = run_on({7, 1, 1}, [&](legato_context* context, int, Results& results) {
        const Run run(context, j);
        Results ignored;
        advance(run, 20, ignored);
        require(legato_tmm_save(run, file.path.c_str()));
        require(legato_tmm_run(run, nullptr, nullptr));
        read(run, results);
    });
    for (const Division& division : {Division{1, 1, 1}, {1, 3, 1}, {2, 1, 1}, {2, 2, 2}})
        for (const std::string& path : {file.path, again.path})
            for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&results) {
                     const Run run(context, path);
                     Results ignored;
                     advance(run, 5, ignored);
                     require(legato_tmm_save(run, again.path.c_str()));
                     require(legato_tmm_run(run, nullptr, nullptr));
                     read(run, results);
                 })) {
                BOOST_TEST(outcome.message == "");
                BOOST_TEST((outcome.results == whole[0].results));
            }
}

BOOST_AUTO_TEST_CASE(points_that_fail_do_not_depend_on_the_division) {
    Job j = usual;
    j.params.n_ortho = 100;
    j.energy = {0, 1e6, 0, 1e6, 0.5};
    j.disorder = {3, 1, 60, 0, 3};  // points 1 and 3 overflow, and point 2 takes a shorter interval
    BOOST_TEST(differences(in_steps(j)) == "");
    std::vector<int32_t> statuses;
    run_on({1, 1, 1}, [&](legato_context* context, int, Results&) {
        const Run run(context, j);
        require(legato_tmm_run(run, nullptr, nullptr));
        for (int64_t point = 0; point < 5; ++point) statuses.push_back(status_of(run, point));
    });
    BOOST_REQUIRE(statuses.size() == 5u);
    for (const std::size_t point : {1, 3}) BOOST_TEST(statuses[point] == LEGATO_TMM_POINT_STATUS_FAILED);
    for (const std::size_t point : {0, 2, 4}) BOOST_TEST(statuses[point] != LEGATO_TMM_POINT_STATUS_FAILED);
}

// The file of a division has the same bytes as that of a single process, and any other division continues it.
BOOST_AUTO_TEST_CASE(saved_runs_continue_on_other_divisions) {
    for (const int rule : {LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RULE_TMSEXD})
        for (const int stream : {LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE, LEGATO_TMM_RANDOM_STREAM_PHILOX}) {
            Job j = job(2, 3, rule, stream, 6);
            j.params.epsilon = 0.12;
            const auto whole = run_on({1, 1, 1}, [&](legato_context* context, int, Results& results) {
                const Run run(context, j);
                require(legato_tmm_run(run, nullptr, nullptr));
                read(run, results);
            });
            const File file("saved.h5"), elsewhere("elsewhere.h5"), again("again.h5");
            std::string expected, expected_again;
            for (std::size_t i = 0; i < divisions.size(); ++i) {
                // The paths of other ranks do not count.
                const auto path_on = [&](const std::string& path, int rank) {
                    return rank == 0 ? path : elsewhere.path;
                };
                const auto saved = run_on(divisions[i], [&](legato_context* context, int rank, Results& results) {
                    const Run run(context, j);
                    advance(run, 45, results);
                    require(legato_tmm_save(run, path_on(file.path, rank).c_str()));
                });
                for (const Outcome& outcome : saved) BOOST_TEST(outcome.message == "");
                if (i == 0) expected = file_of(file.path);
                BOOST_TEST(!expected.empty());
                BOOST_TEST((file_of(file.path) == expected), "other bytes with division " << i);
                BOOST_TEST(!std::filesystem::exists(elsewhere.path));

                const Division& other = divisions[divisions.size() - 1 - i];
                const auto resumed = run_on(other, [&](legato_context* context, int rank, Results& results) {
                    const Run run(context, path_on(file.path, rank));
                    Results ignored;
                    require(legato_tmm_save(run, path_on(again.path, rank).c_str()));
                    advance(run, 5, ignored);
                    require(legato_tmm_save(run, path_on(again.path, rank).c_str()));
                    require(legato_tmm_run(run, nullptr, nullptr));
                    read(run, results);
                });
                if (i == 0) expected_again = file_of(again.path);
                BOOST_TEST((file_of(again.path) == expected_again), "other bytes after division " << i);
                for (const Outcome& outcome : resumed) {
                    BOOST_TEST(outcome.message == "");
                    BOOST_TEST((outcome.results == whole[0].results));
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(a_callback_on_one_rank_stops_all) {
    Job j = usual;
    j.params.epsilon = 1e-4;
    j.params.max_multiplications = 10'000'000;
    const File file("stopped.h5"), single("single.h5");
    for (const int rank_of_callback : {0, 1, 2}) {
        const auto outcomes = run_on({3, 1, 1}, [&](legato_context* context, int rank, Results& results) {
            const Run run(context, j);
            Stop callback{run, 2};
            const bool has_callback = rank == rank_of_callback;
            if (legato_tmm_run(run, has_callback ? stop : nullptr, &callback) != LEGATO_STATUS_CANCELLED) return;
            if (has_callback == callback.read_inside.empty()) return;
            read(run, results);
            require(legato_tmm_save(run, file.path.c_str()));
            advance(run, 7, results);
            read(run, results);
        });
        // A single process reads the same after the run was saved, and after as many cycles.
        const auto expected = run_on({1, 1, 1}, [&](legato_context* context, int, Results& results) {
            const Run run(context, file.path);
            read(run, results);
            require(legato_tmm_save(run, single.path.c_str()));
            advance(run, 7, results);
            read(run, results);
        });
        BOOST_TEST(expected[0].message == "");
        BOOST_TEST((file_of(single.path) == file_of(file.path)));
        for (const Outcome& outcome : outcomes) {
            BOOST_TEST(!outcome.results.empty());
            BOOST_TEST((outcome.results == expected[0].results));
        }
    }
}

BOOST_AUTO_TEST_CASE(results_can_be_read_in_a_callback_of_any_rank) {
    Job j = usual;
    j.params.epsilon = 1e-4;
    j.params.max_multiplications = 10'000'000;
    const auto outcomes = run_on({3, 2, 1}, [&](legato_context* context, int, Results& results) {
        const Run run(context, j);
        Stop callback{run, 3};
        if (legato_tmm_run(run, stop, &callback) != LEGATO_STATUS_CANCELLED) return;
        results = callback.read_inside;
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(!outcome.results.empty());
        BOOST_TEST((outcome.results == outcomes[0].results));
    }
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    Job j = job(2, 2, LEGATO_TMM_RULE_BLOCKS, LEGATO_TMM_RANDOM_STREAM_LFSR113, 3);
    const File file("failures.h5");
    BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                   {
                       const Run run(context, j);
                       advance(run, 20, results);
                       read(run, results);
                       require(legato_tmm_save(run, file.path.c_str()));
                   }
                   const Run run(context, file.path);
                   require(legato_tmm_run(run, nullptr, nullptr));
                   read(run, results);
               }) == "");
}

// If a call fails, every rank still reads the results of the calls before.
BOOST_AUTO_TEST_CASE(results_can_be_read_after_a_failure) {
    int calls = 0;  // of rank 1 in the calls that succeed
    Network whole(2);
    const auto expected = run_on(whole, {2, 1, 1}, [&](legato_context* context, int rank, Results& results) {
        const Run run(context, usual);
        advance(run, 20, results);
        if (rank == 1) calls = whole.calls(rank);
        read(run, results);
    });
    for (int later = 0; later < 8; ++later) {
        Network network(2);
        network.fail_at(1, calls + later);
        for (const Outcome& outcome : run_on(network, {2, 1, 1}, [&](legato_context*context, int, Results&results) {
                 const Run run(context, usual);
                 advance(run, 20, results);
                 if (legato_tmm_advance(run, 5, nullptr) == LEGATO_STATUS_COMMUNICATION_ERROR) read(run, results);
             }))
            BOOST_TEST((outcome.results == expected[0].results), "call " << later);
    }
}

BOOST_AUTO_TEST_CASE(an_argument_that_differs_is_named) {
    BOOST_TEST(message_if([](Job& j) { j.params.width = 5; }) ==
               "tmm.params.width: the ranks of the communicator differ: 4 on rank 0, 5 on rank 1");
    BOOST_TEST(message_if([](Job& j) { j.params.seed = 1; }) ==
               "tmm.params.seed: the ranks of the communicator differ: 1277 on rank 0, 1 on rank 1");
    BOOST_TEST(message_if([](Job& j) { j.energy[3] = 0.5; }) ==
               "tmm.energy[3]: the ranks of the communicator differ: 0.75 on rank 0, 0.5 on rank 1");
    BOOST_TEST(message_if([](Job& j) { j.disorder[0] = 3; }) ==
               "tmm.disorder[0]: the ranks of the communicator differ: 2 on rank 0, 3 on rank 1");
    BOOST_TEST(message_if([](Job& j) { j.energy.pop_back(); }) ==
               "tmm.n_points: the ranks of the communicator differ: 5 on rank 0, 4 on rank 1");
    BOOST_TEST(message_if([](Job& j) { j.params.epsilon = 2; }).starts_with("rank 1 of 2: tmm.params.epsilon"));
    for (const Outcome& outcome : run_on({2, 1, 1}, [](legato_context*context, int rank, Results&results) {
             const Run run(context, usual);
             advance(run, 5 + rank, results);
         }))
        BOOST_TEST(outcome.message ==
                   "tmm.advance.cycles: the ranks of the communicator differ: 5 on rank 0, 6 on rank 1");
}

// Every rank has its own propagation. Only its creation is collective.
BOOST_AUTO_TEST_CASE(propagations_are_not_shared) {
    const std::vector<double> unit{1, 0, 0, 1}, zero(4);
    const auto propagate = [&](legato_context* context, int count, Results& results) {
        legato_tmm_propagation* p = nullptr;
        require(legato_tmm_propagation_create(context, 2, 2, 0, 1.0, 0, &p));
        int32_t status = legato_tmm_propagation_load(p, unit.data(), zero.data());
        std::vector<double> log_norms(2);
        for (int i = 0; i < count && status == LEGATO_STATUS_SUCCESS; ++i) {
            const std::vector<double> diagonal{0.1 * i, 0.3};
            status = legato_tmm_propagation_multiply(p, diagonal.data());
            if (status == LEGATO_STATUS_SUCCESS) status = legato_tmm_propagation_orthonormalise(p, log_norms.data());
        }
        legato_tmm_propagation_destroy(p);
        require(status);
        results.add(log_norms);
    };
    const auto outcomes = run_on(
        {3, 2, 1}, [&](legato_context* context, int rank, Results& results) { propagate(context, 3 + rank, results); });
    for (int rank = 0; rank < 3; ++rank) {
        const auto expected = run_on(
            {1, 1, 1}, [&](legato_context* context, int, Results& results) { propagate(context, 3 + rank, results); });
        BOOST_TEST(outcomes[static_cast<std::size_t>(rank)].message == "");
        BOOST_TEST((outcomes[static_cast<std::size_t>(rank)].results == expected[0].results));
    }
}
