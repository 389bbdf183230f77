// Large lattices in slabs: ranks never have the whole state, which is saved in pieces.
#define BOOST_TEST_MODULE ranks_ising_pieces
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <map>

#include "ising_runs.hpp"
#include "no_memory.hpp"

using namespace ranks;
namespace fs = std::filesystem;

namespace {

constexpr const char *path = "ranks_ising_pieces_test.h5", *path_of_end = "ranks_ising_pieces_end.h5";
const fs::path folder = std::string(path) + ".pieces";

// Sets the most words of a file for as long as this object lives. A piece has a sixteenth of them.
struct MostWords {
    explicit MostWords(std::size_t words) { most_words_of_file = words; }
    MostWords(const MostWords&) = delete;
    MostWords& operator=(const MostWords&) = delete;
    ~MostWords() { most_words_of_file = 0; }
};

// States of 168, 128 and 160 words. Pieces of 5 words end within rows, layers and lattices.
constexpr std::size_t most_words = 80, piece_words = 5;
std::vector<Job> large_jobs() {
    return {in_slabs(2, {130, 14, 1}, {0, 1, 0}, 0.3, 2), in_slabs(3, {12, 8, 4}, {0, 0, 1}, 0, 2),
            in_slabs(3, {66, 4, 10}, {0, 0, 0}, -0.2)};
}

void remove_files() {
    fs::remove(path);
    fs::remove_all(folder);
}

// Returns the contents of the state file and of its pieces, by their names.
std::map<std::string, std::string> files() {
    std::map<std::string, std::string> all{{"index", bytes_of(path)}};
    if (fs::exists(folder))
        for (const auto& entry : fs::directory_iterator(folder))
            all[entry.path().filename().string()] = bytes_of(entry.path().string());
    return all;
}

// Returns whether the ranks of a division have no whole state.
bool has_pieces(const Division& division, const Job& job) {
    return division.ranks > 1 && static_cast<std::size_t>(division.ranks * division.parts) > job.betas.size();
}

void check_good(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes) BOOST_TEST(outcome.message == "");
}

}  // namespace

// Each division saves within the run and at its end. Its files are those of one rank, and they are resumed by ranks
// with and without the whole state.
BOOST_AUTO_TEST_CASE(files_are_the_same_for_every_division) {
    const MostWords few(most_words);
    for (const Job& one : large_jobs()) {
        std::map<std::string, std::string> begun, ended;
        Results expected;
        for (const Division& division : divisions) {
            remove_files();
            check_good(run_on(division, [&](legato_context* context, int, Results&) {
                const Ising ising(context, one);
                require(legato_ising_advance(ising, 1, nullptr));
                require(legato_ising_save(ising, path));
            }));
            if (begun.empty()) begun = files();
            BOOST_TEST(begun.size() > 128 / piece_words);
            BOOST_TEST((files() == begun));
            // Ranks with the whole state go on where ranks without it have saved, and the other way round.
            const Division resuming = division.ranks > 2 ? Division{1, 1, 1} : Division{3, 1, 1};
            const auto outcomes = run_on(resuming, [&](legato_context* context, int, Results& results) {
                const Ising ising(context, path);
                require(legato_ising_run(ising, nullptr, nullptr));
                read_all(ising, results, false);
                require(legato_ising_save(ising, path_of_end));
            });
            check_good(outcomes);
            if (expected.empty()) expected = outcomes[0].results;
            for (const Outcome& outcome : outcomes) BOOST_TEST((outcome.results == expected));
            BOOST_TEST((files() == begun));  // reading has changed nothing
            remove_files();
            fs::rename(path_of_end, path);
            fs::rename(std::string(path_of_end) + ".pieces", folder);
            if (ended.empty()) ended = files();
            BOOST_TEST((files() == ended));
        }
        const Outcome whole = run_on({}, [&](legato_context* context, int, Results& results) {
            const Ising ising(context, one);
            require(legato_ising_run(ising, nullptr, nullptr));
            read_all(ising, results, false);
        })[0];
        BOOST_TEST((whole.results == expected));
    }
    remove_files();
}

// The spins of a run that was resumed from pieces are those of a run that nobody has stopped.
BOOST_AUTO_TEST_CASE(spins_after_a_resume) {
    for (const Job& one : large_jobs()) {
        const Outcome whole = run_on({}, [&](legato_context* context, int, Results& results) {
            const Ising ising(context, one);
            require(legato_ising_run(ising, nullptr, nullptr));
            read_all(ising, results);
        })[0];
        for (const Division& division : {Division{1, 1, 1}, Division{1, 3, 1}, Division{2, 1, 2}, Division{3, 2, 1}}) {
            // Files in one or in pieces are written and read by ranks for which they are small or large.
            for (const std::size_t saving : {std::size_t{0}, most_words})
                for (const std::size_t resuming : {std::size_t{0}, most_words}) {
                    remove_files();
                    {
                        const MostWords most(saving);
                        check_good(run_on(division, [&](legato_context* context, int, Results&) {
                            const Ising ising(context, one);
                            require(legato_ising_advance(ising, 2, nullptr));
                            require(legato_ising_save(ising, path));
                        }));
                    }
                    BOOST_TEST(fs::exists(folder) == (saving > 0));
                    {
                        const MostWords most(resuming);
                        check_good(run_on(division, [&](legato_context* context, int, Results&) {
                            const Ising ising(context, path);
                            require(legato_ising_run(ising, nullptr, nullptr));
                            require(legato_ising_save(ising, path));
                        }));
                    }
                    BOOST_TEST(fs::exists(folder) == (resuming > 0));
                    const Outcome last = run_on({}, [&](legato_context* context, int, Results& results) {
                        const Ising ising(context, path);
                        read_all(ising, results);
                    })[0];
                    BOOST_TEST((last.results == whole.results));
                }
        }
    }
    remove_files();
}

BOOST_AUTO_TEST_CASE(ranks_without_the_whole_state_refuse_spins) {
    const MostWords few(most_words);
    const Job one = large_jobs()[2];
    for (const Division& division : divisions)
        for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&results) {
                 const Ising ising(context, one);
                 std::vector<int8_t> spins(66 * 4 * 10, 1);
                 results.add(legato_ising_spins(ising, 0, std::ssize(spins), spins.data()));
                 results.add(std::string(legato_context_message(context)));
                 results.add(legato_ising_set_spins(ising, 0, std::ssize(spins), spins.data()));
                 require(legato_ising_run(ising, nullptr, nullptr));  // nothing is lost
             })) {
            BOOST_TEST(outcome.message == "");
            const bool is_refused = outcome.results.bytes().find(
                                        "ising.spins: every rank has only a slab of the lattices, because their spins "
                                        "need 640 bytes: save the run") != std::string::npos;
            BOOST_TEST(is_refused == has_pieces(division, one));
            BOOST_TEST((outcome.results.bytes().substr(0, 4) == std::string(4, '\0')) == !is_refused);
        }
}

BOOST_AUTO_TEST_CASE(a_failing_transport_is_noticed) {
    const MostWords few(143);  // pieces of 8 words
    Job one = in_slabs(2, {64, 72, 1}, {0, 0, 0}, 0);
    one.params.measurements_per_bin = one.params.bins = one.params.thermalisation = 1;
    BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                   const Ising ising(context, one);
                   require(legato_ising_save(ising, path));
                   read_all(ising, results, false);
               }) == "");
    check_good(run_on({}, [&](legato_context* context, int, Results&) {
        const Ising ising(context, one);
        require(legato_ising_save(ising, path));
    }));
    const auto saved = files();
    BOOST_TEST(saved.size() == 19u);
    BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                   const Ising ising(context, path);
                   require(legato_ising_run(ising, nullptr, nullptr));
                   read_all(ising, results, false);
               }) == "");
    BOOST_TEST((files() == saved));
    remove_files();
}

// The system lets the files of rank 0 grow to 2500 bytes only. Every rank has its message, the state before remains,
// and the run goes on.
BOOST_AUTO_TEST_CASE(a_full_disk) {
    const MostWords few(most_words);
    for (const Division& division : {Division{1, 1, 1}, Division{3, 1, 1}}) {
        remove_files();
        std::map<std::string, std::string> saved;
        rlimit old;
        ::getrlimit(RLIMIT_FSIZE, &old);
        for (const Outcome& outcome : run_on(division, [&](legato_context*context, int rank, Results&results) {
                 const Ising ising(context, large_jobs()[0]);
                 require(legato_ising_save(ising, path));
                 if (rank == 0) {
                     saved = files();
                     const rlimit small{2500, old.rlim_max};
                     ::setrlimit(RLIMIT_FSIZE, &small);
                 }
                 results.add(legato_ising_save(ising, path));
                 results.add(std::string(legato_context_message(context)));
                 if (rank == 0) ::setrlimit(RLIMIT_FSIZE, &old);
                 require(legato_ising_run(ising, nullptr, nullptr));
             })) {
            BOOST_TEST(outcome.message == "");
            int32_t status = 0;
            std::memcpy(&status, outcome.results.bytes().data(), sizeof(status));
            BOOST_TEST(status == LEGATO_STATUS_IO_ERROR);
            BOOST_TEST(outcome.results.bytes().find("2-0: cannot write: File too large") != std::string::npos);
        }
        BOOST_TEST((files() == saved));
    }
    remove_files();
}

// One rank has a part, and the other one three. Both must agree on whether they have the whole state.
BOOST_AUTO_TEST_CASE(ranks_with_different_numbers_of_parts) {
    const MostWords few(most_words);
    const Job one = large_jobs()[0];
    Network network(2);
    std::vector<Member> members{{&network, 0}, {&network, 1}};
    std::vector<Outcome> outcomes(2);
    on_ranks(2, [&](int rank) {
        legato_context* const context = make_context({2, rank == 0 ? 1 : 3, 1});
        Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
        try {
            require(legato_context_set_communicator(context, rank, 2, gather, exchange, release,
                                                    &members[static_cast<std::size_t>(rank)]));
            const Ising ising(context, one);
            require(legato_ising_run(ising, nullptr, nullptr));
            require(legato_ising_save(ising, path));
            read_all(ising, outcome.results, false);
        } catch (const Failure&) {
            outcome.message = legato_context_message(context);
        }
        legato_context_destroy(context);
    });
    const Outcome whole = run_on({}, [&](legato_context* context, int, Results& results) {
        const Ising ising(context, one);
        require(legato_ising_run(ising, nullptr, nullptr));
        read_all(ising, results, false);
    })[0];
    check_good(outcomes);
    for (const Outcome& outcome : outcomes) BOOST_TEST((outcome.results == whole.results));
    remove_files();
}

// Only rank 0 reads the files, but every rank has its message.
BOOST_AUTO_TEST_CASE(a_piece_that_is_missing) {
    const MostWords few(most_words);
    for (const Division& division : {Division{1, 1, 1}, Division{3, 1, 1}}) {
        remove_files();
        check_good(run_on(division, [&](legato_context* context, int, Results&) {
            const Ising ising(context, large_jobs()[0]);
            require(legato_ising_save(ising, path));
        }));
        fs::remove(folder / "1-9");
        for (const Outcome& outcome :
             run_on(division, [&](legato_context*context, int, Results&) { const Ising ising(context, path); })) {
            BOOST_TEST(outcome.status == LEGATO_STATUS_IO_ERROR);
            BOOST_TEST(outcome.message.find("state file " + (folder / "1-9").string() +
                                            ": cannot open: No such file") != std::string::npos);
        }
    }
    remove_files();
}

// A lattice of 4 MB for four ranks, whose slabs are of 1 MB. The state of a run that fits is allocated in one piece.
BOOST_AUTO_TEST_CASE(no_rank_has_memory_for_the_whole_state) {
    Job one = in_slabs(2, {4096, 8192, 1}, {0, 0, 0}, 0);
    one.params.thermalisation = 1;
    one.params.measurements_per_bin = one.params.bins = 1;
    for (const bool in_pieces : {true, false}) {
        const MostWords most(in_pieces ? 1 << 18 : 0);
        for (const Outcome& outcome : run_on({4, 1, 1}, [&](legato_context*context, int, Results&results) {
                 largest_allocation();
                 {
                     const Ising ising(context, one);
                     require(legato_ising_run(ising, nullptr, nullptr));
                     require(legato_ising_save(ising, path));
                 }
                 const Ising ising(context, path);
                 results.add(largest_allocation() < (std::size_t{3} << 19) ? 1 : 0);
             })) {
            BOOST_TEST(outcome.message == "");
            int fits = -1;
            std::memcpy(&fits, outcome.results.bytes().data(), sizeof(fits));
            BOOST_TEST(fits == (in_pieces ? 1 : 0));
        }
    }
    remove_files();
}
