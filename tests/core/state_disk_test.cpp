// How a state file gets to the disk: nothing that others have put in the way is written into, and the new file is there
// before it takes its name. The linker puts the functions below in place of fsync and rename.
#define BOOST_TEST_MODULE state_disk
#include "core/state_disk.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.hpp"

using namespace legato;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> steps;

}  // namespace

extern "C" {
int __real_fsync(int file);
int __wrap_fsync(int file) {
    struct stat status {};
    BOOST_REQUIRE(::fstat(file, &status) == 0);
    steps.emplace_back(S_ISDIR(status.st_mode) ? "fsync of the folder" : "fsync of the file");
    return __real_fsync(file);
}

int __real_rename(const char* from, const char* to);
int __wrap_rename(const char* from, const char* to) {
    steps.emplace_back("rename");
    return __real_rename(from, to);
}
}

namespace {

struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "legato-state-disk-XXXXXX").string();
        BOOST_REQUIRE(::mkdtemp(name.data()));
        path = name;
    }
    ~Folder() { fs::remove_all(path); }

    fs::path path;
};

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replace(const fs::path& target, const std::string& text) {
    ReplacementFile file(target);
    file.write(std::as_bytes(std::span(text)));
    file.replace_target();
}

}  // namespace

// Else a crash may leave an empty file under the name of a good one, or the old name of a file that was reported saved.
BOOST_FIXTURE_TEST_CASE(on_the_disk_before_it_is_renamed, Folder) {
    steps.clear();
    replace(path / "state", "new");
    const std::vector<std::string> wanted{"fsync of the file", "rename", "fsync of the folder"};
    BOOST_TEST(steps == wanted, boost::test_tools::per_element());
    BOOST_TEST(contents(path / "state") == "new");
}

// All names that it would take for its own are links to somebody else's file.
BOOST_FIXTURE_TEST_CASE(links_in_the_way_are_not_followed, Folder) {
    std::ofstream(path / "victim") << "untouched";
    constexpr int names = 1000;  // it tries a hundred, from where the tests before have left off
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

// What others were not allowed to read stays so. A link is itself replaced, and what it led to stays.
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
