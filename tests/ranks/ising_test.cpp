// Ranks and parts that share a run of ising.
#define BOOST_TEST_MODULE ranks_ising
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "ising_runs.hpp"

using namespace ranks;

namespace {

// A callback that reads results, and may stop the run.
struct Reader {
    legato_ising* ising;
    Results* of_bins;     // results when a bin has ended; null: are not read
    Results* of_reports;  // results at every report
    int stop_at = -1;     // number of the report that stops the run
    int reports = 0;
    int64_t bins = 0;
    bool failed = false;
};
int32_t report(void* user, const legato_progress* progress) {
    auto& reader = *static_cast<Reader*>(user);
    try {
        if (reader.of_reports) read_all(reader.ising, *reader.of_reports);
        if (reader.of_bins && progress->points_done > reader.bins) read_all(reader.ising, *reader.of_bins);
    } catch (const Failure&) {
        reader.failed = true;
    }
    reader.bins = progress->points_done;
    return reader.reports++ == reader.stop_at ? 1 : 0;
}

// Runs until the callback of the given rank stops the run.
void run_until_stopped(legato_ising* ising, bool stops) {
    Reader reader{ising, nullptr, nullptr, 0};
    if (legato_ising_run(ising, stops ? report : nullptr, &reader) != LEGATO_STATUS_CANCELLED)
        throw Failure{LEGATO_STATUS_INTERNAL_ERROR};
}

void set_spins(legato_ising* ising, int64_t system) {
    std::vector<int8_t> spins(12 * 8);
    for (std::size_t i = 0; i < spins.size(); ++i) spins[i] = i % 3 == 0 ? 1 : -1;
    require(legato_ising_set_spins(ising, system, std::ssize(spins), spins.data()));
}

constexpr const char* path = "ranks_ising_test.h5";

}  // namespace

BOOST_AUTO_TEST_CASE(runs) {
    for (const Job& one : jobs())
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Ising ising(context, one);
                       read_all(ising, results);
                       require(legato_ising_run(ising, nullptr, nullptr));
                       read_all(ising, results);
                   }) == "");
}

// All boundaries of square and cubic lattices, with rows of less than a word, of a word and of several, and with fewer
// layers than parts. Every two of these meet.
BOOST_AUTO_TEST_CASE(slabs) {
    constexpr std::array<int64_t, 4> widths{2, 62, 64, 200};
    constexpr std::array<int64_t, 3> numbers_of_layers{2, 4, 10};
    for (std::size_t i = 0; i < widths.size(); ++i)
        for (int boundary = 0; boundary < 8; ++boundary)
            for (const int32_t dimension : {2, 3}) {
                const int64_t width = widths[i],
                              layers = numbers_of_layers[(i + static_cast<std::size_t>(boundary)) % 3];
                const std::array<int, 3> antiperiodic{boundary & 1, boundary >> 1 & 1, boundary >> 2};
                if (dimension == 2 && antiperiodic[2] != 0) continue;
                const Job one = in_slabs(dimension,
                                         dimension == 2 ? std::array<int64_t, 3>{width, layers, 1}
                                                        : std::array<int64_t, 3>{width, 6, layers},
                                         antiperiodic, layers == 4 ? 0.4 : 0);
                BOOST_TEST_CONTEXT(width << " " << layers << " " << boundary << " " << dimension)
                BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                               const Ising ising(context, one);
                               require(legato_ising_run(ising, nullptr, nullptr));
                               read_all(ising, results);
                           }) == "");
            }
}

// Slabs that several threads share, rows and planes of more than a piece, and bits that only the tail decides.
BOOST_AUTO_TEST_CASE(large_slabs) {
    for (Job one : {in_slabs(2, {256, 1040, 1}, {0, 1, 0}, 0), in_slabs(2, {66000, 6, 1}, {1, 1, 0}, 0.1, 2),
                    in_slabs(3, {70, 66, 22}, {1, 0, 1}, 0.1), in_slabs(3, {64, 700, 6}, {0, 0, 1}, 0)}) {
        one.params.thermalisation = 2;
        one.params.measurements_per_bin = one.params.bins = 2;
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Ising ising(context, one);
                       require(legato_ising_run(ising, nullptr, nullptr));
                       read_all(ising, results);
                   }) == "");
    }
}

BOOST_AUTO_TEST_CASE(steps) {
    for (const Job& one : jobs())
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Ising ising(context, one);
                       int64_t done = 0;
                       while (done < 3) {
                           require(legato_ising_advance(ising, 1, &done));
                           read_all(ising, results);
                       }
                   }) == "");
}

// The number of measurements after a call depends on the groups, but the first measurements do not.
BOOST_AUTO_TEST_CASE(one_system_after_another) {
    for (const Job& one : jobs())
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Ising ising(context, one);
                       auto state = sized<legato_ising_state>();
                       require(legato_ising_get_state(ising, &state));
                       double m[18], e[18];
                       for (const int64_t system : {int64_t{0}, state.systems / 3, state.systems - 1})
                           for (int64_t wanted : {0, 5, 18}) {
                               int64_t done = 0;
                               while (done < wanted)
                                   require(legato_ising_advance_system(ising, system, wanted, 0, &done));
                               require(legato_ising_measurements(ising, system, 0, wanted, m, e));
                               results.add(std::span<const double>(m, static_cast<std::size_t>(wanted)));
                               Results spins;
                               read_spins(ising, spins);
                           }
                       read_all(ising, results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(results_in_callbacks) {
    for (const Job& one : jobs())
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Ising ising(context, one);
                       Reader reader{ising, &results, nullptr};
                       require(legato_ising_run(ising, report, &reader));
                       if (reader.failed || reader.bins < 3) throw Failure{LEGATO_STATUS_INTERNAL_ERROR};
                   }) == "");
}

// The times of other reports differ among runs, but not among ranks. One rank has no callback.
BOOST_AUTO_TEST_CASE(reports_are_the_same_on_every_rank) {
    for (const Division& division : divisions) {
        const auto outcomes = run_on(division, [&](legato_context* context, int rank, Results& results) {
            const Ising ising(context, job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3));
            Reader reader{ising, nullptr, &results};
            require(legato_ising_run(ising, rank == 1 ? nullptr : report, &reader));
            if (reader.failed) throw Failure{LEGATO_STATUS_INTERNAL_ERROR};
        });
        for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
            BOOST_TEST(outcomes[rank].status == LEGATO_STATUS_SUCCESS);
            BOOST_TEST(outcomes[rank].results.empty() == (rank == 1));
            if (rank != 1) BOOST_TEST((outcomes[rank].results == outcomes[0].results));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_that_stops_the_run_stops_all) {
    for (const Job& one : jobs())
        BOOST_TEST(differences([&](legato_context* context, int rank, Results& results) {
                       const Ising ising(context, one);
                       run_until_stopped(ising, rank == 0);
                       Results read;
                       read_all(ising, read);
                       require(legato_ising_run(ising, nullptr, nullptr));
                       read_all(ising, results);
                   }) == "");
    const auto outcomes = run_on({3, 1, 1}, [](legato_context* context, int rank, Results& results) {
        const Ising ising(context, job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3));
        run_until_stopped(ising, rank == 2);
        results.add(std::string(legato_context_message(context)));
        read_all(ising, results);
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.message == "");
        BOOST_TEST((outcome.results == outcomes[0].results));
        BOOST_TEST(outcome.results.bytes().find("stopped by the progress callback") != std::string::npos);
    }
}

// One division saves, and others go on. The file at the end is the same for all.
void compare_files(const Job& one, const std::vector<Division>& saving, const Program& save) {
    std::string first;
    for (const Division& division : saving)
        for (const Division& resuming : {Division{1, 1, 1}, Division{3, 2, 1}}) {
            for (const Outcome& outcome : run_on(division, save)) BOOST_TEST(outcome.message == "");
            for (const Outcome& outcome : run_on(resuming, [&](legato_context*context, int, Results&results) {
                     const Ising ising(context, path);
                     read_all(ising, results);
                     require(legato_ising_save(ising, path));
                     require(legato_ising_run(ising, nullptr, nullptr));
                     require(legato_ising_save(ising, path));
                 }))
                BOOST_TEST(outcome.message == "");
            if (first.empty()) first = bytes_of(path);
            BOOST_TEST(!first.empty());
            BOOST_TEST((bytes_of(path) == first));
        }
    const Outcome whole = run_on({}, [&](legato_context* context, int, Results&) {
        const Ising ising(context, one);
        require(legato_ising_run(ising, nullptr, nullptr));
        require(legato_ising_save(ising, path));
    })[0];
    BOOST_TEST(whole.message == "");
    BOOST_TEST((bytes_of(path) == first));
    std::remove(path);
}

BOOST_AUTO_TEST_CASE(any_division_resumes_what_any_other_has_saved) {
    for (const Job& one : jobs())
        compare_files(one, {{1, 1, 1}, {1, 3, 1}, {2, 2, 2}, {7, 1, 1}},
                      [&](legato_context* context, int rank, Results&) {
                          const Ising ising(context, one);
                          run_until_stopped(ising, rank == 0);
                          require(legato_ising_save(ising, path));
                      });
}

// The first measurement comes long before the end of the bin. A single part would advance in groups.
BOOST_AUTO_TEST_CASE(files_that_are_saved_within_a_bin) {
    for (Job one : jobs()) {
        one.params.thermalisation = one.params.algorithm == LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL ? 3 : 0;
        one.params.measurements_per_bin = 60;
        one.params.bins = 2;
        compare_files(one, {{1, 3, 1}, {2, 2, 1}, {7, 1, 1}}, [&](legato_context* context, int, Results&) {
            const Ising ising(context, one);
            const auto systems = static_cast<int64_t>(one.betas.size() * one.seeds.size()) * one.params.replicas;
            int64_t done = 0;
            require(legato_ising_advance_system(ising, systems - 1, 1, 0, &done));
            while (done == 0) require(legato_ising_advance_system(ising, systems - 1, 1, 0, &done));
            if (done >= 60) throw Failure{LEGATO_STATUS_INTERNAL_ERROR};
            require(legato_ising_save(ising, path));
        });
    }
}

// A callback stops the run within a bin. Each division goes on with the same measurements.
BOOST_AUTO_TEST_CASE(a_run_that_is_stopped_within_a_bin) {
    Job one = job(LEGATO_ISING_ALGORITHM_METROPOLIS, 1);
    one.params.sweeps_per_measurement = 1000;
    one.params.measurements_per_bin = 100000;
    one.params.bins = 1;
    const auto stopped = run_on({3, 1, 1}, [&](legato_context* context, int rank, Results& results) {
        const Ising ising(context, one);
        run_until_stopped(ising, rank == 1);
        require(legato_ising_save(ising, path));
        read_all(ising, results);
    });
    for (const Outcome& outcome : stopped) {
        BOOST_TEST(outcome.message == "");
        BOOST_TEST((outcome.results == stopped[0].results));
    }
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const Ising ising(context, path);
                   auto state = sized<legato_ising_state>();
                   require(legato_ising_get_state(ising, &state));
                   read_all(ising, results);
                   require(legato_ising_advance_system(ising, 3, state.measurements_done + 2, 1e3, nullptr));
                   double m[2], e[2];
                   require(legato_ising_measurements(ising, 3, state.measurements_done, 2, m, e));
                   results.add(std::span<const double>(m));
                   results.add(std::span<const double>(e));
               }) == "");
    std::remove(path);
}

// A file is the same for every division at the end of each bin.
BOOST_AUTO_TEST_CASE(equal_files) {
    for (const Job& one : jobs())
        for (const int64_t bins : {0, 2}) {
            std::string first;
            for (const Division& division : divisions) {
                for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&) {
                         const Ising ising(context, one);
                         if (bins > 0) require(legato_ising_advance(ising, bins, nullptr));
                         require(legato_ising_save(ising, path));
                     }))
                    BOOST_TEST(outcome.message == "");
                if (first.empty()) first = bytes_of(path);
                BOOST_TEST((bytes_of(path) == first));
            }
        }
    std::remove(path);
}

// One rank saves a run whose systems advance in groups. Every division goes on with it, and the results are those of a
// run of all systems together.
BOOST_AUTO_TEST_CASE(groups_are_resumed_by_any_division) {
    for (const Job& one : {job(LEGATO_ISING_ALGORITHM_METROPOLIS, 5), job(LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, 35)}) {
        const Outcome whole = run_on({}, [&](legato_context* context, int, Results& results) {
            const Ising ising(context, one);
            require(legato_ising_run(ising, nullptr, nullptr));
            read_all(ising, results);
        })[0];
        BOOST_TEST(!whole.results.empty());
        for (const Division& division : divisions) {
            const Outcome saved = run_on({}, [&](legato_context* context, int, Results& results) {
                const Ising ising(context, one);
                const int64_t system = one.params.replicas;  // in the second group
                require(legato_ising_advance_system(ising, system, 5, 1e3, nullptr));
                auto state = sized<legato_ising_state>();
                require(legato_ising_get_state(ising, &state));
                results.add(state.sweeps_done);
                require(legato_ising_save(ising, path));
            })[0];
            BOOST_TEST(saved.message == "");
            BOOST_TEST(saved.results.bytes() == std::string(8, '\0'));  // the last group has not begun
            for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&results) {
                     const Ising ising(context, path);
                     if (legato_ising_run(ising, nullptr, nullptr) != LEGATO_STATUS_INVALID_ARGUMENT)
                         throw Failure{LEGATO_STATUS_INTERNAL_ERROR};
                     require(legato_ising_advance_system(ising, 4 * one.params.replicas - 1, 18, 1e3, nullptr));
                     read_all(ising, results);
                 })) {
                BOOST_TEST(outcome.message == "");
                BOOST_TEST((outcome.results == whole.results));
            }
        }
    }
    std::remove(path);
}

BOOST_AUTO_TEST_CASE(a_failing_transport_is_noticed) {
    for (Job one : {job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3), jobs_in_slabs()[0]})
        BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                       one.params.bins = 1;
                       one.params.thermalisation = 1;
                       const Ising ising(context, one);
                       require(legato_ising_advance(ising, 1, nullptr));
                       require(legato_ising_save(ising, path));
                       read_all(ising, results);
                   }) == "");
    std::remove(path);
}

// Lets each of the last calls of the transport fail. `program` adds a number of bins and a status.
void read_after_failures(const Program& program) {
    Network whole(2);
    run_on(whole, {2, 1, 1}, program);
    for (int call = whole.calls(0) - 1; call >= whole.calls(0) - 8; --call) {
        Network network(2);
        network.fail_at(1, call);
        for (const Outcome& outcome : run_on(network, {2, 1, 1}, program)) {
            BOOST_TEST(outcome.message == "");
            int32_t status = 0;
            std::memcpy(&status, outcome.results.bytes().data() + sizeof(int64_t), sizeof(status));
            const bool is_known = status == LEGATO_STATUS_SUCCESS || status == LEGATO_STATUS_COMMUNICATION_ERROR ||
                                  status == LEGATO_STATUS_NUMERICAL_ERROR;
            BOOST_TEST(is_known);
        }
    }
}

// Bins can be read when the communicator has failed, and spins are those of all ranks or refused.
BOOST_AUTO_TEST_CASE(results_after_a_failure_can_be_read) {
    for (const Job& one : {job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3), jobs_in_slabs()[0]})
        read_after_failures([&](legato_context* context, int, Results& results) {
            const Ising ising(context, one);
            require(legato_ising_advance(ising, 1, nullptr));
            (void)legato_ising_run(ising, nullptr, nullptr);
            auto averages = sized<legato_ising_averages>();
            require(legato_ising_result(ising, 0, &averages));
            results.add(averages.bins_done);
            std::vector<int8_t> spins(12 * 8);
            results.add(legato_ising_spins(ising, 0, 96, spins.data()));
        });
}

BOOST_AUTO_TEST_CASE(arguments_that_differ_are_named) {
    const auto message_of = [](const std::function<void(Job&)>& change) {
        const auto outcomes = run_on({3, 1, 1}, [&](legato_context* context, int rank, Results&) {
            Job one = job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3);
            if (rank == 2) change(one);
            const Ising ising(context, one);
        });
        for (const Outcome& outcome : outcomes) BOOST_TEST(outcome.message == outcomes[0].message);
        return outcomes[0].message;
    };
    const std::string differ = ": the ranks of the communicator differ: ";
    BOOST_TEST(message_of([](Job& one) { one.params.bins = 4; }) ==
               "ising.params.bins" + differ + "3 on rank 0, 4 on rank 2");
    BOOST_TEST(message_of([](Job& one) { one.params.extents[1] = 10; }) ==
               "ising.params.extents[1]" + differ + "8 on rank 0, 10 on rank 2");
    BOOST_TEST(message_of([](Job& one) { one.params.field = 0.5; }) ==
               "ising.params.field" + differ + "0 on rank 0, 0.5 on rank 2");
    BOOST_TEST(message_of([](Job& one) { one.betas[1] = 0.25; }) ==
               "ising.betas[1]" + differ + "0.5 on rank 0, 0.25 on rank 2");
    BOOST_TEST(message_of([](Job& one) { one.seeds[0] = 6; }) ==
               "ising.seeds[0]" + differ + "5 on rank 0, 6 on rank 2");
    BOOST_TEST(message_of([](Job& one) { one.seeds.pop_back(); }) ==
               "ising.seeds" + differ + "2 elements on rank 0, 1 elements on rank 2");
    BOOST_TEST(message_of([](Job& one) { one.params.bins = 0; }) ==
               "rank 2 of 3: ising.params.bins: 0 is not in 1..1048576");
}

BOOST_AUTO_TEST_CASE(calls_that_differ_are_named) {
    const auto outcomes = run_on({2, 1, 1}, [](legato_context* context, int rank, Results& results) {
        const Ising ising(context, job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3));
        results.add(legato_ising_advance_system(ising, rank, 18, 1e3, nullptr));
        results.add(std::string(legato_context_message(context)));
        require(legato_ising_run(ising, nullptr, nullptr));  // nothing is lost
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.message == "");
        BOOST_TEST(outcome.results.bytes().substr(4) ==
                   "ising.system: the ranks of the communicator differ: 0 on rank 0, 1 on rank 1");
    }
}

BOOST_AUTO_TEST_CASE(spins_that_every_rank_sets) {
    for (const Job& one :
         {job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3), job(LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, 3), jobs_in_slabs()[0]})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Ising ising(context, one);
                       set_spins(ising, 0);
                       if (one.seeds.size() > 1) set_spins(ising, 10);
                       read_all(ising, results);
                       require(legato_ising_run(ising, nullptr, nullptr));
                       read_all(ising, results);
                   }) == "");
}

// The next collective call refuses to go on, until the missing rank sets its spins, too.
BOOST_AUTO_TEST_CASE(spins_that_one_rank_sets) {
    using Call = int32_t (*)(legato_ising*);
    const std::vector<Call> calls{
        [](legato_ising* ising) { return legato_ising_run(ising, nullptr, nullptr); },
        [](legato_ising* ising) { return legato_ising_advance(ising, 3, nullptr); },
        [](legato_ising* ising) { return legato_ising_advance_system(ising, 11, 18, 1e3, nullptr); },
        [](legato_ising* ising) {
            const int32_t status = legato_ising_save(ising, path);
            return status == LEGATO_STATUS_SUCCESS ? legato_ising_run(ising, nullptr, nullptr) : status;
        }};
    const auto program = [&](Call call, bool tries) {
        return [call, tries](legato_context* context, int rank, Results& results) {
            const Ising ising(context, job(LEGATO_ISING_ALGORITHM_METROPOLIS, 3));
            if (rank == 1 || !tries) set_spins(ising, 4);
            if (tries) {
                if (call(ising) != LEGATO_STATUS_INVALID_ARGUMENT ||
                    std::string(legato_context_message(context)) !=
                        "ising.spins: rank 1 has other spins than rank 0; every rank calls ising.set_spins with the "
                        "same spins")
                    throw Failure{LEGATO_STATUS_INTERNAL_ERROR};
                if (rank != 1) set_spins(ising, 4);
            }
            require(call(ising));
            read_all(ising, results);
        };
    };
    const Outcome expected = run_on({}, program(calls[0], false))[0];
    for (const Call call : calls)
        for (const Outcome& outcome : run_on({3, 1, 1}, program(call, true))) {
            BOOST_TEST(outcome.status == LEGATO_STATUS_SUCCESS);
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == expected.results));
        }
    std::remove(path);
}
