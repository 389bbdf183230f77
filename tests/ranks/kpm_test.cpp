// The kernel polynomial method with several ranks and parts.
#define BOOST_TEST_MODULE ranks_kpm
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <random>
#include <set>

#include "kpm/division.hpp"
#include "kpm_runs.hpp"

using namespace legato;
using namespace ranks;

BOOST_AUTO_TEST_CASE(rounds_contain_every_sample_once_and_leave_no_part_idle) {
    std::mt19937 random(3);
    const auto any = [&](int most) { return std::uniform_int_distribution<int>(1, most)(random); };
    for (int i = 0; i < 3000; ++i) {
        kpm::Problem problem;
        problem.vectors = any(70);
        problem.realisations = any(5);
        if (i % 3 == 0) {
            problem.start_vectors = kpm::StartVectors::sites;
            problem.sites.resize(static_cast<std::size_t>(problem.vectors));
        }
        const auto parts = static_cast<std::size_t>(any(9));
        const int most = any(20);
        const std::int64_t samples = samples_of(problem);
        for (std::int64_t done = 0; done < samples;) {
            const auto blocks = blocks_of_round(problem, done, parts, most);
            BOOST_REQUIRE(!blocks.empty());
            BOOST_REQUIRE(blocks.size() <= parts);
            for (const kpm::Block& block : blocks) {
                const std::int64_t at = done % problem.vectors;
                BOOST_REQUIRE(block.realisation == done / problem.vectors);
                BOOST_REQUIRE(block.first == (i % 3 == 0 ? at : done));
                BOOST_REQUIRE(block.width >= 1);
                BOOST_REQUIRE(block.width <= most);
                BOOST_REQUIRE(at + block.width <= problem.vectors);
                if (parts == 1) BOOST_REQUIRE(block.width == std::min<std::int64_t>(most, problem.vectors - at));
                done += block.width;
            }
            // A part is idle only if nothing is left, or too few samples are to divide them.
            if (problem.realisations == 1 && blocks.size() < parts) {
                BOOST_REQUIRE(done == samples);
                for (const kpm::Block& block : blocks) BOOST_REQUIRE(block.width <= blocks[0].width);
                BOOST_REQUIRE(blocks[0].width - blocks.back().width <= 1);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(blocks_of_a_round_are_even) {
    const auto widths = [](int vectors, int realisations, std::size_t parts) {
        kpm::Problem problem;
        problem.vectors = vectors;
        problem.realisations = realisations;
        std::vector<std::vector<int>> all;
        for (std::int64_t done = 0; done < samples_of(problem);) {
            all.emplace_back();
            for (const kpm::Block& block : blocks_of_round(problem, done, parts, 16)) {
                all.back().push_back(block.width);
                done += block.width;
            }
        }
        return all;
    };
    using Widths = std::vector<std::vector<int>>;
    BOOST_TEST((widths(64, 1, 2) == Widths{{16, 16}, {16, 16}}));
    BOOST_TEST((widths(16, 1, 2) == Widths{{8, 8}}));
    BOOST_TEST((widths(48, 1, 2) == Widths{{16, 16}, {8, 8}}));
    BOOST_TEST((widths(64, 1, 3) == Widths{{16, 16, 16}, {6, 5, 5}}));
    BOOST_TEST((widths(17, 2, 2) == Widths{{9, 8}, {9, 8}}));
    BOOST_TEST((widths(3, 4, 4) == Widths{{3, 3, 3, 3}}));
    BOOST_TEST((widths(3, 1, 5) == Widths{{1, 1, 1}}));
    BOOST_TEST((widths(17, 2, 1) == Widths{{16}, {1}, {16}, {1}}));
}

BOOST_AUTO_TEST_CASE(random_vectors_have_the_same_moments) {
    for (const int kind : {LEGATO_KPM_START_VECTORS_SIGN, LEGATO_KPM_START_VECTORS_GAUSSIAN})
        for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
            BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                           legato_kpm_params params = params_of();
                           params.start_vectors = kind;
                           params.precision = precision;
                           finish(random_vectors(context, params, clean(context)), results);
                       }) == "");
}

BOOST_AUTO_TEST_CASE(realisations_of_disorder_have_the_same_moments) {
    struct Case {
        int vectors, realisations, format, bounds;
    };
    for (const Case& c : {Case{5, 4, LEGATO_KPM_FORMAT_STENCIL, LEGATO_KPM_BOUNDS_GERSHGORIN},
                          Case{1, 11, LEGATO_KPM_FORMAT_STENCIL, LEGATO_KPM_BOUNDS_LANCZOS},
                          Case{9, 3, LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_BOUNDS_LANCZOS},
                          Case{2, 3, LEGATO_KPM_FORMAT_ELL, LEGATO_KPM_BOUNDS_GERSHGORIN}})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = params_of(c.vectors, c.realisations);
                       params.format = c.format;
                       params.bounds = c.bounds;
                       finish(random_vectors(context, params, lattice_of(context)), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(vacancies_have_the_same_moments) {
    for (const int format : {LEGATO_KPM_FORMAT_STENCIL, LEGATO_KPM_FORMAT_ELL})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = params_of(3, 5);
                       params.format = format;
                       finish(random_vectors(context, params, with_vacancies(context)), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(one_vector_and_two_moments) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   legato_kpm_params params = params_of(1);
                   params.moments = 2;
                   finish(random_vectors(context, params, clean(context)), results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(local_moments_are_the_same) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   finish(local_moments(context, params_of(), ring(context), some_sites()), results);
                   finish(local_moments(context, params_of(1, 3), lattice_of(context), {0, 104, 52, 3, 7}), results);
               }) == "");
}

// Every vector is asked for once, in the thread of the call, by the rank that needs it.
BOOST_AUTO_TEST_CASE(given_vectors_have_the_same_moments) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE}) {
        const auto program = [&](legato_context* context, int, Results& results) {
            Source source;
            legato_kpm_params params = params_of(11, 2);
            params.precision = precision;
            finish(given_vectors(context, params, lattice_of(context), source), results);
            results.add(source.in_another_thread);
        };
        BOOST_TEST(differences(program) == "");
    }
    for (const ranks::Division& division : divisions) {
        std::vector<Source> sources(static_cast<std::size_t>(division.ranks));
        run_on(division, [&](legato_context* context, int rank, Results& results) {
            Source& source = sources[static_cast<std::size_t>(rank)] = Source();
            finish(given_vectors(context, params_of(14, 2), lattice_of(context), source), results);
        });
        std::multiset<std::int64_t> samples;
        for (const Source& source : sources) {
            samples.insert(source.samples.begin(), source.samples.end());
            BOOST_TEST(!source.in_another_thread);
            BOOST_TEST(!source.samples.empty());
        }
        BOOST_TEST(samples.size() == 28U);
        BOOST_TEST(std::set<std::int64_t>(samples.begin(), samples.end()).size() == 28U);
    }
}

BOOST_AUTO_TEST_CASE(advancing_gives_the_same_moments) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   const Kpm kpm = random_vectors(context, params_of(), ring(context));
                   std::int64_t done = 0, before = -1;
                   while (done < 23 && done > before) {
                       before = done;
                       require(legato_kpm_advance(kpm.get(), 1 + before % 2, &done));
                   }
                   read(kpm, results);
               }) == "");
}

// Two parts of a rank take two blocks in a round, and 64 vectors two rounds.
BOOST_AUTO_TEST_CASE(a_round_has_a_block_for_every_part) {
    for (const auto& [division, expected] : std::vector<std::pair<ranks::Division, std::int64_t>>{
             {{1, 1, 1}, 16}, {{1, 2, 1}, 32}, {{2, 1, 1}, 32}, {{2, 2, 1}, 64}, {{3, 2, 1}, 64}})
        for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&results) {
                 legato_kpm_params params = params_of(64);
                 params.block_width = 16;
                 const Kpm kpm = random_vectors(context, params, ring(context));
                 std::int64_t done = 0;
                 require(legato_kpm_advance(kpm.get(), 1, &done));
                 results.add(done);
             })) {
            Results wanted;
            wanted.add(expected);
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == wanted));
        }
}

namespace {

// Reads the last finished sample in each report of a run.
struct Watch {
    legato_kpm* kpm;
    std::vector<std::pair<std::int64_t, std::vector<double>>> seen;
    std::int64_t cycles = 0;
    bool stops = false;

    static std::int32_t look(void* user, const legato_progress* progress) {
        auto& watch = *static_cast<Watch*>(user);
        const std::int64_t done = progress->points_done;
        std::vector<double> moments(21);
        if (done > 0 && legato_kpm_sample(watch.kpm, done - 1, 21, moments.data()) == LEGATO_STATUS_SUCCESS)
            watch.seen.emplace_back(done - 1, moments);
        watch.cycles = progress->cycles_done;
        return watch.stops ? 1 : 0;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(samples_can_be_read_in_a_callback) {
    for (const ranks::Division& division : divisions)
        for (const Outcome& outcome : run_on(division, [](legato_context*context, int rank, Results&results) {
                 const Kpm kpm = random_vectors(context, params_of(), ring(context));
                 Watch watch{kpm.get(), {}};
                 require(legato_kpm_run(kpm.get(), rank % 2 == 0 ? Watch::look : nullptr, &watch));
                 bool good = rank % 2 != 0 || !watch.seen.empty();
                 for (const auto& [sample, seen] : watch.seen) {
                     std::vector<double> moments(21);
                     require(legato_kpm_sample(kpm.get(), sample, 21, moments.data()));
                     good = good && seen == moments;
                 }
                 results.add(good ? std::string("good") : std::string("other moments"));
             })) {
            BOOST_TEST(outcome.message == "");
            BOOST_TEST(outcome.results.bytes() == "good");
        }
}

// The recursion has 11 steps for 21 moments.
BOOST_AUTO_TEST_CASE(steps_of_all_blocks_are_counted) {
    for (const auto& [division, blocks] :
         std::vector<std::pair<ranks::Division, std::int64_t>>{{{1, 1, 1}, 6}, {{1, 2, 1}, 6}, {{2, 3, 1}, 6}})
        for (const Outcome& outcome : run_on(division, [](legato_context*context, int, Results&results) {
                 const Kpm kpm = random_vectors(context, params_of(), ring(context));
                 Watch watch{kpm.get(), {}};
                 require(legato_kpm_run(kpm.get(), Watch::look, &watch));
                 results.add(std::to_string(watch.cycles));
             }))
            BOOST_TEST(outcome.results.bytes() == std::to_string(11 * blocks));
}

BOOST_AUTO_TEST_CASE(a_callback_of_one_rank_stops_all) {
    Results expected;
    for (const ranks::Division& division : divisions)
        for (int stopping = 0; stopping < division.ranks; ++stopping)
            for (const Outcome& outcome : run_on(division, [&](legato_context*context, int rank, Results&results) {
                     const Kpm kpm = random_vectors(context, params_of(), ring(context));
                     Watch watch{kpm.get(), {}};
                     watch.stops = true;
                     const std::int32_t status =
                         legato_kpm_run(kpm.get(), rank == stopping ? Watch::look : nullptr, &watch);
                     results.add(status);
                     results.add(std::string(legato_context_message(context)));
                     finish(kpm, results);
                 })) {
                if (division.ranks == 1) continue;
                BOOST_TEST(outcome.message == "");
                if (expected.empty()) expected = outcome.results;
                BOOST_TEST((outcome.results == expected));
                BOOST_TEST(outcome.results.bytes().find("kpm: stopped by the progress callback") != std::string::npos);
            }
}

BOOST_AUTO_TEST_CASE(files_are_the_same_and_resume_on_any_division) {
    const std::string path = "ranks_kpm_test.h5";
    const auto create = [](legato_context* context) {
        return random_vectors(context, params_of(13, 2), lattice_of(context));
    };
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const Kpm kpm = create(context);
                   require(legato_kpm_run(kpm.get(), nullptr, nullptr));
                   require(legato_kpm_save(kpm.get(), path.c_str()));
                   results.add(bytes_of(path));
               }) == "");
    const Results whole =
        run_on({}, [&](legato_context* context, int, Results& results) { finish(create(context), results); })[0]
            .results;
    for (const ranks::Division& saving : divisions) {
        run_on(saving, [&](legato_context* context, int rank, Results&) {
            const Kpm kpm = create(context);
            require(legato_kpm_advance(kpm.get(), 1, nullptr));
            require(legato_kpm_save(kpm.get(), rank == 0 ? path.c_str() : "/nowhere"));
        });
        for (const ranks::Division& resuming : divisions)
            for (const Outcome& outcome : run_on(resuming, [&](legato_context*context, int rank, Results&results) {
                     legato_kpm* kpm = nullptr;
                     require(legato_kpm_resume(context, rank == 0 ? path.c_str() : "/nowhere",
                                               lattice_of(context).get(), nullptr, nullptr, &kpm));
                     finish(Kpm(kpm), results);
                 })) {
                BOOST_TEST(outcome.message == "");
                BOOST_TEST((outcome.results == whole));
            }
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    const std::string path = "ranks_kpm_failures_test.h5";
    BOOST_TEST(ranks::unnoticed_failures([&](legato_context* context, int, Results& results) {
                   const Kpm kpm = random_vectors(context, params_of(6), ring(context));
                   require(legato_kpm_advance(kpm.get(), 1, nullptr));
                   require(legato_kpm_save(kpm.get(), path.c_str()));
                   legato_kpm* resumed = nullptr;
                   require(legato_kpm_resume(context, path.c_str(), ring(context).get(), nullptr, nullptr, &resumed));
                   finish(Kpm(resumed), results);
               }) == "");
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(what_differs_is_named) {
    const auto message_of = [](const ranks::Program& program) {
        std::string message;
        for (const Outcome& outcome : run_on({2, 1, 1}, program)) {
            BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
            if (message.empty()) message = outcome.message;
            BOOST_TEST(outcome.message == message);
        }
        return message;
    };
    const std::string differ = ": the ranks of the communicator differ: ";
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   legato_kpm_params params = params_of();
                   params.margin = rank == 0 ? 0.01 : 0.02;
                   random_vectors(context, params, ring(context));
               }) == "kpm.params.margin" + differ + "0.01 on rank 0, 0.02 on rank 1");
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   local_moments(context, params_of(), ring(context), {3, 5 + rank, 7});
               }) == "kpm.sites[1]" + differ + "5 on rank 0, 6 on rank 1");
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   random_vectors(context, params_of(), ring(context, rank == 0 ? 0.3 : 0.4));
               }).starts_with("kpm.hamiltonian (fingerprint of its elements)" + differ));
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   random_vectors(context, params_of(), rank == 0 ? ring(context) : lattice_of(context));
               }) == "kpm.hamiltonian (number of sites)" + differ + "90 on rank 0, 105 on rank 1");
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   Source source;
                   if (rank == 0)
                       random_vectors(context, params_of(), ring(context));
                   else
                       given_vectors(context, params_of(), ring(context), source);
               }) == "kpm.params.start_vectors" + differ + "0 on rank 0, 4 on rank 1");
    BOOST_TEST(message_of([](legato_context* context, int rank, Results&) {
                   legato_kpm_params params = params_of();
                   if (rank == 1) params.moments = 1;
                   random_vectors(context, params, ring(context));
               }).starts_with("rank 1 of 2: kpm.params.moments: 1 is not in 2.."));
}

// A block that does not fit on one rank is refused on all.
BOOST_AUTO_TEST_CASE(memory_is_refused_on_every_rank) {
    for (const Outcome& outcome : run_on({3, 1, 1}, [](legato_context*context, int, Results&) {
             legato_kpm_params params = params_of();
             params.memory_budget = 100;
             random_vectors(context, params, ring(context));
         })) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_OUT_OF_MEMORY);
        BOOST_TEST(outcome.message.find("kpm.params.memory_budget is 100") != std::string::npos, outcome.message);
    }
}

// The error names the same sample for every division, and the samples before it can be read.
BOOST_AUTO_TEST_CASE(bounds_that_are_too_tight) {
    const auto fail_in = [](const Kpm& kpm, legato_context* context, Results& results) {
        results.add(legato_kpm_run(kpm.get(), nullptr, nullptr));
        results.add(std::string(legato_context_message(context)));
        read(kpm, results);
        results.add(legato_kpm_advance(kpm.get(), 1, nullptr));
        results.add(std::string(legato_context_message(context)));
    };
    const auto tight = [](double reach, int vectors, int realisations) {
        legato_kpm_params params = params_of(vectors, realisations);
        params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
        params.lowest = -reach;
        params.highest = reach;
        params.margin = 0;
        return params;
    };
    const auto at_once = [&](legato_context* context, int, Results& results) {
        fail_in(random_vectors(context, tight(1.0, 23, 1), ring(context)), context, results);
    };
    // Vectors at sites far from the last one, whose energy is outside, do not reach it.
    const auto late = [&](legato_context* context, int, Results& results) {
        std::vector<std::int64_t> sites(40);
        for (std::size_t i = 0; i < sites.size(); ++i) sites[i] = 85 - static_cast<std::int64_t>((i * 7 + 40) % 80);
        fail_in(local_moments(context, tight(4.0, 1, 1), ring(context, 9), sites), context, results);
    };
    // The disorder of a later realisation is too large.
    const auto by_disorder = [&](legato_context* context, int, Results& results) {
        legato_kpm_params params = tight(6.35, 2, 100);
        params.moments = 64;
        fail_in(random_vectors(context, params, lattice_of(context, LEGATO_KPM_ON_SITE_NORMAL, 1)), context, results);
    };
    for (const auto& [program, evidence] :
         std::vector<std::pair<ranks::Program, std::string>>{{at_once, "moment 2 of sample 0 is "},
                                                             {late, "moment 19 of sample 6 is "},
                                                             {by_disorder, "moments of sample 22 give"}}) {
        BOOST_TEST(differences(program) == "");
        const std::string read = run_on({}, program)[0].results.bytes();
        BOOST_TEST(read.find("do not enclose the spectrum: ") != std::string::npos);
        BOOST_TEST(read.find(evidence) != std::string::npos, read.substr(4, 400));
    }
}

BOOST_AUTO_TEST_CASE(a_source_that_stops_on_one_rank_stops_all) {
    const Results whole = run_on({},
                                 [](legato_context* context, int, Results& results) {
                                     Source source;
                                     finish(given_vectors(context, params_of(), ring(context), source), results);
                                 })[0]
                              .results;
    for (const ranks::Division& division : divisions) {
        const auto outcomes = run_on(division, [&](legato_context* context, int, Results& results) {
            Source source;
            source.stops_at = 14;
            const Kpm kpm = given_vectors(context, params_of(), ring(context), source);
            const std::int32_t status = legato_kpm_run(kpm.get(), nullptr, nullptr);
            const std::string message = legato_context_message(context);
            if (status != LEGATO_STATUS_CANCELLED ||
                !message.ends_with("kpm: stopped by the callback for start vector 14"))
                return results.add("status " + std::to_string(status) + ": " + message);
            source.stops_at = -1;
            finish(kpm, results);
        });
        for (const Outcome& outcome : outcomes) {
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == whole), outcome.results.bytes().substr(0, 200));
        }
    }
}
