// Tests how a state file reaches the disk. Files that others have put in the way are not written to, and the new file
// is on the disk before it is renamed. The linker puts the functions below in place of fsync and rename.
#define BOOST_TEST_MODULE state_disk
#include "core/state_disk.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/state_pieces.hpp"
#include "folder.hpp"

using namespace legato;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> steps;
std::size_t failing_step = SIZE_MAX;  // number of the step that fails

// Notes a step. Returns whether it fails.
bool fails_at(const char* step) {
    steps.emplace_back(step);
    errno = EIO;
    return steps.size() == failing_step + 1;
}

}  // namespace

extern "C" {
int __real_fsync(int file);
int __wrap_fsync(int file) {
    struct stat status {};
    BOOST_REQUIRE(::fstat(file, &status) == 0);
    return fails_at(S_ISDIR(status.st_mode) ? "fsync of the folder" : "fsync of the file") ? -1 : __real_fsync(file);
}

int __real_rename(const char* from, const char* to);
int __wrap_rename(const char* from, const char* to) {
    return fails_at("rename") ? -1 : __real_rename(from, to);
}
}

namespace {

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replace(const fs::path& target, const std::string& text) {
    ReplacementFile file(target);
    file.write(std::as_bytes(std::span(text)));
    file.replace_target();
    file.sync_folder();
}

}  // namespace

// Otherwise a crash may leave an empty file under the name of a good one, or keep the old file although the new one was
// reported as saved.
BOOST_FIXTURE_TEST_CASE(on_the_disk_before_it_is_renamed, Folder) {
    steps.clear();
    replace(path / "state", "new");
    const std::vector<std::string> wanted{"fsync of the file", "rename", "fsync of the folder"};
    BOOST_TEST(steps == wanted, boost::test_tools::per_element());
    BOOST_TEST(contents(path / "state") == "new");
}

// All temporary names that the library would use are links to somebody else's file.
BOOST_FIXTURE_TEST_CASE(links_in_the_way_are_not_followed, Folder) {
    std::ofstream(path / "victim") << "untouched";
    constexpr int names = 1000;  // it tries a hundred names, from where earlier tests have stopped
    for (int serial = 0; serial < names; ++serial)
        fs::create_symlink(path / "victim", path / text(".legato-state-", ::getpid(), "-", serial));
    try {
        ReplacementFile file(path / "state");
        file.write(std::as_bytes(std::span("harm", 4)));
        BOOST_ERROR("a name that was taken has been used");
    } catch (const Error& error) {
        BOOST_TEST(static_cast<int>(error.status()) == static_cast<int>(Status::io_error));
        BOOST_TEST(std::string(error.what()).find("create a file in") != std::string::npos, error.what());
    }
    BOOST_TEST(contents(path / "victim") == "untouched");
    BOOST_TEST(std::distance(fs::directory_iterator(path), fs::directory_iterator()) == names + 1);
}

// Others who were not allowed to read the old file may not read the new one. A link is itself replaced, and its target
// remains.
BOOST_FIXTURE_TEST_CASE(permissions_are_those_of_the_file_before, Folder) {
    const mode_t mask = ::umask(022);
    replace(path / "state", "first");
    BOOST_TEST((fs::status(path / "state").permissions() == static_cast<fs::perms>(0644)));
    for (const mode_t mode : {0600, 0664, 0400}) {
        fs::permissions(path / "state", static_cast<fs::perms>(mode));
        replace(path / "state", "another");
        BOOST_TEST((fs::status(path / "state").permissions() == static_cast<fs::perms>(mode)));
    }
    ::umask(mask);
    std::ofstream(path / "mine") << "untouched";
    fs::create_symlink(path / "mine", path / "link");
    replace(path / "link", "new");
    BOOST_TEST(!fs::is_symlink(path / "link"));
    BOOST_TEST(contents(path / "link") == "new");
    BOOST_TEST(contents(path / "mine") == "untouched");
}

// Every piece is on the disk before the index is renamed.
BOOST_FIXTURE_TEST_CASE(pieces_are_on_the_disk_before_their_index, Folder) {
    const std::vector<std::string> file{"fsync of the file", "rename", "fsync of the folder"};
    std::vector<std::string> pieces{"fsync of the folder"};  // with the name of the new folder
    for (int piece = 0; piece < 2; ++piece) pieces.insert(pieces.end(), file.begin(), file.end());
    steps.clear();
    PiecedStateWriter writer("demo", 1, path / "state");
    writer.put_pieces("words", 3, 2, [](std::size_t, std::span<std::uint32_t> words) { words[0] = 1; });
    BOOST_TEST(steps == pieces, boost::test_tools::per_element());
    steps.clear();
    writer.commit();
    BOOST_TEST(steps == file, boost::test_tools::per_element());
}

// Each fsync and each renaming of a save fails in turn. The file and its pieces are those before as long as the new
// index has not been renamed, and then the new ones. Pieces before remain until it is known that the new name is on the
// disk.
BOOST_FIXTURE_TEST_CASE(whatever_fails_the_pieces_belong_to_the_index, Folder) {
    const auto save = [&](std::uint32_t word) {
        PiecedStateWriter writer("demo", 1, path / "state");
        writer.put_pieces("words", 3, 2, [&](std::size_t, std::span<std::uint32_t> words) {
            std::fill(words.begin(), words.end(), word);
        });
        writer.commit();
    };
    const auto load = [&] {
        const StateReader index(path / "state", "demo", 1);
        const PieceReader pieces(index, "words", 3);
        const std::uint32_t word = pieces.read(0)[0];
        BOOST_TEST((pieces.read(0) == std::vector<std::uint32_t>(2, word)));
        BOOST_TEST((pieces.read(1) == std::vector<std::uint32_t>(1, word)));
        return word;
    };
    const auto entries = [&] {
        return std::distance(fs::directory_iterator(path / "state.pieces"), fs::directory_iterator());
    };
    constexpr std::size_t all_steps = 10,
                          last = all_steps - 1;  // as in the test before; the last is after the renaming
    for (std::size_t step = 0; step < all_steps; ++step) {
        save(1);
        BOOST_TEST(entries() == 2);
        steps.clear();
        failing_step = step;
        BOOST_CHECK_EXCEPTION(save(2), Error, [](const Error& error) { return error.status() == Status::io_error; });
        failing_step = SIZE_MAX;
        BOOST_TEST(load() == (step == last ? 2u : 1u));
        BOOST_TEST(entries() == (step == last ? 4 : 2));
        BOOST_TEST(std::distance(fs::directory_iterator(path), fs::directory_iterator()) == 2);
    }
}
