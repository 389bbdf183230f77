// Tests arrays in pieces beside a state file: what is read is what was saved. Whatever ends a save, the file and its
// pieces belong together. Pieces that do not belong to it are refused.
#define BOOST_TEST_MODULE state_pieces
#ifndef BOOST_TEST_DYN_LINK
#define BOOST_TEST_DYN_LINK
#endif
#include "core/state_pieces.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "folder.hpp"

using namespace legato;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::uint32_t>;
using Names = std::set<std::string>;

struct StateFolder : Folder {
    const fs::path file = path / "state.h5", pieces = path / "state.h5.pieces";
};

Names names(const fs::path& folder) {
    Names all;
    for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path().filename().string());
    return all;
}

Words words_from(std::uint32_t first, std::size_t count) {
    Words words(count);
    for (std::uint32_t& word : words) word = first++;
    return words;
}

void put(PiecedStateWriter& writer, const Words& words, std::size_t piece) {
    writer.put_pieces("words", words.size(), piece, [&](std::size_t first, std::span<std::uint32_t> to) {
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
    });
}

void save(const fs::path& file, const Words& words, std::size_t piece) {
    PiecedStateWriter writer("demo", 1, file);
    put(writer, words, piece);
    writer.commit();
}

Words load(const fs::path& file, std::size_t length) {
    StateReader index(file, "demo", 1);
    const PieceReader pieces(index, "words", length);
    index.close();
    Words all;
    while (all.size() < length) {
        const Words piece = pieces.read(all.size() / pieces.piece_length());
        BOOST_REQUIRE(!piece.empty());
        all.insert(all.end(), piece.begin(), piece.end());
    }
    return all;
}

void check_fails(Status status, const std::string& start, const std::function<void()>& action) {
    BOOST_CHECK_EXCEPTION(action(), Error, [&](const Error& error) {
        BOOST_TEST(std::string(error.what()).substr(0, start.size()) == start);
        return error.status() == status;
    });
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_read_is_what_was_saved, StateFolder) {
    for (const std::size_t length : {1, 5, 6, 7, 64})
        for (const std::size_t piece : {1, 2, 3, 6, 7, 100}) {
            const Words words = words_from(static_cast<std::uint32_t>(100 * length + piece), length);
            save(file, words, piece);
            BOOST_TEST(load(file, length) == words, boost::test_tools::per_element());
            BOOST_TEST(names(pieces).size() == (length + piece - 1) / piece);
        }
}

BOOST_FIXTURE_TEST_CASE(a_save_replaces_the_pieces_of_the_one_before, StateFolder) {
    save(file, words_from(1, 5), 2);
    BOOST_TEST((names(pieces) == Names{"1-0", "1-1", "1-2"}));
    save(file, words_from(10, 3), 2);
    BOOST_TEST((names(pieces) == Names{"2-0", "2-1"}));
    BOOST_TEST(load(file, 3) == words_from(10, 3), boost::test_tools::per_element());
    PiecedStateWriter("demo", 1, file).commit();  // without pieces
    BOOST_TEST((names(path) == Names{"state.h5"}));
}

// A rank that does not write passes its words all the same.
BOOST_FIXTURE_TEST_CASE(without_a_target_nothing_is_written, StateFolder) {
    PiecedStateWriter writer("demo", 1, std::nullopt);
    std::size_t calls = 0;
    writer.put_pieces("words", 5, 2, [&](std::size_t first, std::span<std::uint32_t> words) {
        BOOST_TEST(first == 2 * calls++);
        BOOST_TEST(words.size() == (calls < 3 ? 2u : 1u));
    });
    BOOST_TEST(calls == 3u);
    writer.commit();
    BOOST_TEST(names(path).empty());
}

BOOST_FIXTURE_TEST_CASE(a_save_that_fails_leaves_the_one_before, StateFolder) {
    const auto fails = [&] {
        PiecedStateWriter writer("demo", 1, file);
        writer.put_pieces("words", 9, 2, [&](std::size_t first, std::span<std::uint32_t> words) {
            std::fill(words.begin(), words.end(), 77);
            if (first == 4) fail(Status::communication_error, "a rank has left");
        });
    };
    check_fails(Status::communication_error, "a rank has left", fails);
    BOOST_TEST(names(path).empty());
    save(file, words_from(1, 5), 2);
    check_fails(Status::communication_error, "a rank has left", fails);
    {
        PiecedStateWriter writer("demo", 1, file);
        put(writer, words_from(50, 5), 2);  // but no commit()
    }
    BOOST_TEST((names(pieces) == Names{"1-0", "1-1", "1-2"}));
    BOOST_TEST(load(file, 5) == words_from(1, 5), boost::test_tools::per_element());
}

// The system lets a file grow to 4000 bytes only, as on a full disk. A piece of a few words fits, a larger one does
// not.
BOOST_FIXTURE_TEST_CASE(a_full_disk, StateFolder) {
    save(file, words_from(1, 5), 2);
    rlimit old;
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{4000, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    check_fails(Status::io_error, "state file " + (pieces / "2-0").string() + ": cannot write: File too large",
                [&] { save(file, words_from(1, 5000), 2000); });
    ::setrlimit(RLIMIT_FSIZE, &old);
    BOOST_TEST((names(pieces) == Names{"1-0", "1-1", "1-2"}));
    BOOST_TEST(load(file, 5) == words_from(1, 5), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_folder_that_cannot_be_made, StateFolder) {
    std::ofstream(pieces.string()) << "in the way";
    check_fails(Status::io_error, "state file " + pieces.string() + ": cannot make this folder: File exists",
                [&] { save(file, words_from(1, 5), 2); });
    check_fails(Status::io_error, "state file " + (path / "none/a").string() + ": cannot create a file in ",
                [&] { save(path / "none/a", words_from(1, 5), 2); });
    BOOST_TEST((names(path) == Names{"state.h5.pieces"}));
}

// Pieces of a program that was killed are removed by the next save, and other files remain.
BOOST_FIXTURE_TEST_CASE(what_a_killed_program_has_left, StateFolder) {
    save(file, words_from(1, 5), 2);
    for (const char* name : {"7-0", "7-1"}) fs::copy(pieces / "1-0", pieces / name);
    Names others{"notes",
                 "8",
                 "8-",
                 "-8-1",
                 "0-1",
                 "8-1x",
                 "x8-1",
                 "1-9",
                 "3-4",
                 "4611686018427387904-0",
                 "9223372036854775807-0",
                 "99999999999999999999-1"};
    for (const std::string& name : others) std::ofstream(pieces / name) << "somebody else's";
    fs::create_directory(pieces / "5-5");
    fs::create_symlink("nowhere", pieces / "0000001-7");
    std::ofstream(pieces / ".legato-state-1-1") << "unfinished";
    save(file, words_from(20, 5), 2);
    Names expected{"8-0", "8-1", "8-2"};
    others.insert({"5-5", "0000001-7"});
    expected.insert(others.begin(), others.end());
    BOOST_TEST((names(pieces) == expected));
    BOOST_TEST(load(file, 5) == words_from(20, 5), boost::test_tools::per_element());
    std::ofstream(pieces / ".legato-state-1-2") << "unfinished";
    PiecedStateWriter("demo", 1, file).commit();  // without pieces
    BOOST_TEST((names(pieces) == others));
}

// Otherwise a new generation could replace the one of the index, which it does not see.
BOOST_FIXTURE_TEST_CASE(a_folder_that_cannot_be_listed, StateFolder) {
    save(file, words_from(1, 5), 2);
    fs::permissions(pieces,
                    fs::perms::owner_write | fs::perms::owner_exec | fs::perms::others_write | fs::perms::others_exec);
    fs::permissions(path, fs::perms::all);
    constexpr uid_t nobody = 65534;
    const bool root = ::geteuid() == 0;  // permissions do not apply to root
    if (root) BOOST_REQUIRE(::seteuid(nobody) == 0);
    check_fails(Status::io_error, "state file " + pieces.string() + ": cannot list this folder: Permission denied",
                [&] { save(file, words_from(20, 5), 2); });
    if (root) BOOST_REQUIRE(::seteuid(0) == 0);
    fs::permissions(pieces, fs::perms::owner_all);
    BOOST_TEST((names(pieces) == Names{"1-0", "1-1", "1-2"}));
    BOOST_TEST(load(file, 5) == words_from(1, 5), boost::test_tools::per_element());
}

// The process may open no more files.
BOOST_FIXTURE_TEST_CASE(too_many_open_files, StateFolder) {
    save(file, words_from(1, 5), 2);
    rlimit old;
    ::getrlimit(RLIMIT_NOFILE, &old);
    int failures = 0;
    for (rlim_t most = 3; most < 12; ++most) {
        const rlimit small{most, old.rlim_max};
        bool failed = false;
        ::setrlimit(RLIMIT_NOFILE, &small);
        try {
            save(file, words_from(20, 5), 2);
        } catch (const Error&) {
            failed = true;
        }
        ::setrlimit(RLIMIT_NOFILE, &old);
        if (failed) ++failures;
        BOOST_TEST(load(file, 5) == words_from(failed ? 1 : 20, 5), boost::test_tools::per_element());
        save(file, words_from(1, 5), 2);
        BOOST_TEST(names(pieces).size() == 3u);
    }
    BOOST_TEST(failures > 0);
    BOOST_TEST(failures < 9);
}

// No piece is written before.
BOOST_FIXTURE_TEST_CASE(an_index_that_cannot_be_written, StateFolder) {
    fs::create_directory(file);
    check_fails(Status::io_error, "state file " + file.string() + ": cannot replace what is not a regular file", [&] {
        PiecedStateWriter writer("demo", 1, file);
        writer.put_pieces("words", 5, 2,
                          [](std::size_t, std::span<std::uint32_t>) { BOOST_ERROR("a piece is asked for"); });
    });
    BOOST_TEST((names(path) == Names{"state.h5"}));
}

BOOST_FIXTURE_TEST_CASE(another_program_saves_to_the_same_path, StateFolder) {
    PieceWriter first(file), second(file);
    first.write(words_from(1, 2));
    check_fails(Status::io_error, "state file " + (pieces / "1-0").string() + ": it exists: another program saves to ",
                [&] { second.write(words_from(5, 2)); });
}

// The spins of a private file remain private.
BOOST_FIXTURE_TEST_CASE(pieces_have_the_permissions_of_the_index, StateFolder) {
    const mode_t mask = ::umask(022);
    save(file, words_from(1, 5), 2);
    BOOST_TEST((fs::status(pieces / "1-0").permissions() == static_cast<fs::perms>(0644)));
    fs::permissions(file, static_cast<fs::perms>(0600));
    save(file, words_from(1, 5), 2);
    BOOST_TEST((fs::status(pieces / "2-2").permissions() == static_cast<fs::perms>(0600)));
    ::umask(mask);
}

BOOST_FIXTURE_TEST_CASE(a_link_to_the_index, StateFolder) {
    save(file, words_from(1, 5), 2);
    fs::create_directory(path / "other");
    fs::create_symlink("../state.h5", path / "other/link");
    BOOST_TEST(load(path / "other/link", 5) == words_from(1, 5), boost::test_tools::per_element());
    fs::create_directory(path / "other/link.pieces");  // of a save to the link that was killed
    fs::copy(pieces / "1-1", path / "other/link.pieces/1-0");
    BOOST_TEST(load(path / "other/link", 5) == words_from(1, 5), boost::test_tools::per_element());
    fs::rename(file, path / "moved");
    check_fails(Status::io_error,
                "state file " + (path / "moved").string() + ": its folder " + (path / "moved.pieces").string() +
                    " is not there; both must be moved and copied together",
                [&] { load(path / "moved", 5); });
}

// A child saves one state after another, all words of which are the same number. It is killed some time after its first
// save, because a save may take long.
BOOST_FIXTURE_TEST_CASE(whenever_a_program_is_killed_the_state_is_whole, StateFolder) {
    constexpr std::size_t length = 40, piece = 4;
    save(file, Words(length, 1), piece);
    std::uint32_t last = 1;
    for (int kill = 0; kill < 20; ++kill) {
        int saved[2];
        BOOST_REQUIRE(::pipe(saved) == 0);
        const pid_t child = ::fork();
        BOOST_REQUIRE(child >= 0);
        if (child == 0)
            for (std::uint32_t number = last + 1;; ++number) {
                save(file, Words(length, number), piece);
                if (number == last + 1 && ::write(saved[1], "", 1) != 1) ::_exit(1);
            }
        ::close(saved[1]);
        char byte;
        BOOST_REQUIRE(::read(saved[0], &byte, 1) == 1);
        ::close(saved[0]);
        ::usleep(static_cast<useconds_t>(1700 * kill));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const Words words = load(file, length);
        BOOST_TEST((words == Words(length, words[0])));
        BOOST_TEST(words[0] > last);
        last = words[0];
    }
    save(file, Words(length, 0), piece);
    BOOST_TEST(names(pieces).size() == length / piece);
    for (const std::string& name : names(path))  // a killed program may leave an unfinished index
        BOOST_TEST((name == "state.h5" || name == "state.h5.pieces" || name.rfind(".legato-state-", 0) == 0), name);
}

BOOST_FIXTURE_TEST_CASE(pieces_that_do_not_belong_to_the_file, StateFolder) {
    save(file, words_from(1, 6), 2);
    const auto load_fails = [&](Status status, const std::string& name, const std::string& why) {
        check_fails(status, "state file " + (pieces / name).string() + ": " + why, [&] { load(file, 6); });
    };
    fs::rename(pieces / "1-0", path / "kept");
    load_fails(Status::io_error, "1-0", "cannot open: No such file");
    fs::copy(pieces / "1-1", pieces / "1-0");
    load_fails(Status::bad_file, "1-0", "it does not belong to " + file.string() + ", which expects other words: ");
    fs::copy(path / "kept", pieces / "1-0", fs::copy_options::overwrite_existing);
    BOOST_TEST(load(file, 6) == words_from(1, 6), boost::test_tools::per_element());
    fs::resize_file(pieces / "1-2", fs::file_size(pieces / "1-2") - 1);
    load_fails(Status::bad_file, "1-2", "");
    fs::copy(file, pieces / "1-2", fs::copy_options::overwrite_existing);
    load_fails(Status::bad_file, "1-2", "");
    fs::remove_all(pieces);
    save(file, words_from(1, 5), 2);
    fs::copy(path / "kept", pieces / "1-2", fs::copy_options::overwrite_existing);
    check_fails(Status::bad_file,
                "state file " + (pieces / "1-2").string() + ": entry words: ", [&] { load(file, 5); });
}

BOOST_FIXTURE_TEST_CASE(an_index_that_cannot_be, StateFolder) {
    const auto fails = [&](std::int64_t length, std::int64_t piece, std::int64_t generation, std::size_t checksums,
                           const std::string& entry) {
        StateWriter writer("demo", 1);
        writer.put("words/length", length);
        writer.put("words/piece_length", piece);
        writer.put("words/generation", generation);
        writer.put("words/checksums", std::vector<std::uint64_t>(checksums));
        writer.commit(file);
        const StateReader index(file, "demo", 1);
        check_fails(Status::bad_file, "state file " + file.string() + ": entry words/" + entry,
                    [&] { PieceReader(index, "words", 6); });
    };
    fails(5, 2, 1, 3, "length: found 5, expected 6..6");
    fails(6, 0, 1, 3, "piece_length: found 0, expected 1..6");
    fails(6, 7, 1, 1, "piece_length: found 7, expected 1..6");
    fails(6, 2, 0, 3, "generation: found 0, expected 1..");
    fails(6, 2, 1, 2, "checksums: ");
    fails(6, 2, 1, 4, "checksums: ");
}
