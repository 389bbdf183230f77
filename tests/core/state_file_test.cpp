// Tests that a state file returns what was written to it, and that everything else is refused with its name.
#define BOOST_TEST_MODULE state_file
#ifndef BOOST_TEST_DYN_LINK
#define BOOST_TEST_DYN_LINK
#endif
#include "core/state_file.hpp"

#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <thread>

#include "core/error.hpp"
#include "core/state_fields.hpp"
#include "core/state_header.hpp"
#include "folder.hpp"

using namespace legato;
namespace fs = std::filesystem;

namespace {

std::vector<std::byte> contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void check_fails(Status status, const std::vector<std::string>& words, const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        BOOST_TEST(static_cast<int>(error.status()) == static_cast<int>(status));
        const std::string message = error.what();
        for (const std::string& word : words)
            BOOST_TEST(message.find(word) != message.npos, "\"" << message << "\" does not say \"" << word << "\"");
        return;
    }
    BOOST_ERROR("no error was thrown");
}

void check_refused(const fs::path& path, const std::vector<std::string>& words) {
    std::vector<std::string> all{"state file " + path.string() + ": "};
    all.insert(all.end(), words.begin(), words.end());
    check_fails(Status::bad_file, all, [&] { StateReader(path, "demo", 3); });
}

const std::vector<double> reals{0.0, -1.5, 1e-310, 1.0 / 3.0};
const std::vector<std::uint32_t> words{0, 1, 0xFFFFFFFFu};

StateWriter demo() {
    StateWriter writer("demo", 2);
    writer.put("problem/width", 7);
    writer.put("problem/least", std::numeric_limits<std::int64_t>::min());
    writer.put("problem/hopping", -0.1);
    writer.put("problem/name", "Anderson");
    writer.put("problem/nothing", std::string_view());
    writer.put("state/psi/reals", reals);
    writer.put("state/words", words);
    writer.put("state/none", std::vector<std::int64_t>());
    writer.put("state/spins", std::vector<std::int8_t>{-1, 1});
    return writer;
}

struct DemoFile : Folder {
    DemoFile() { demo().commit(file); }
    const fs::path file = path / "state.h5";
};

// These return a file that HDF5 has made, with the contents that `fill` writes, and the same with a valid header of the
// library.
std::vector<std::byte> hdf5_payload(const fs::path& scratch, const std::function<void(hid_t)>& fill) {
    const hid_t file = H5Fcreate(scratch.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fill(file);
    H5Fclose(file);
    return contents(scratch);
}

std::vector<std::byte> framed(const std::vector<std::byte>& payload, std::string_view method = "demo",
                              std::int64_t schema = 1) {
    const std::string header = state_format::header(method, schema, payload);
    std::vector<std::byte> file(header.size());
    std::memcpy(file.data(), header.data(), header.size());
    file.insert(file.end(), payload.begin(), payload.end());
    return file;
}

}  // namespace

// The group has so many entries that HDF5's tree has several levels.
BOOST_AUTO_TEST_CASE(entries_that_are_not_known) {
    const Folder folder;
    const fs::path file = folder.path / "state.h5";
    StateWriter writer = demo();
    for (int i = 0; i < 3000; ++i) writer.put("many/entry_" + std::to_string(i), i);
    writer.commit(file);
    const StateReader reader(file, "demo", 3);
    reader.require_known("no_such_group");
    for (int i = 0; i < 3000; ++i) {
        const std::string name = "many/entry_" + std::to_string(i);
        if (i == 1234) check_fails(Status::bad_file, {"entry many/entry_"}, [&] { reader.require_known("many"); });
        if (i != 1234) BOOST_TEST(reader.get_int(name) == i);
    }
    check_fails(Status::bad_file, {"entry many/entry_1234: this version of Legato does not know it"},
                [&] { reader.require_known("many"); });
    BOOST_TEST(reader.get_int("many/entry_1234") == 1234);
    reader.require_known("many");
    check_fails(Status::bad_file, {"entry state/"}, [&] { reader.require_known("state"); });
}

BOOST_AUTO_TEST_CASE(too_many_entries) {
    const Folder folder;
    const fs::path file = folder.path / "state.h5";
    StateWriter writer = demo();
    for (int i = 0; i < 10100; ++i) writer.put("many/entry_" + std::to_string(i), i);
    writer.commit(file);
    const StateReader reader(file, "demo", 3);
    check_fails(Status::bad_file, {"entry many: found more than 10000 entries"}, [&] { reader.require_known("many"); });
}

BOOST_AUTO_TEST_CASE(checksum_is_xxh64) {
    const auto sum = [](std::string_view bytes) { return state_format::checksum(std::as_bytes(std::span(bytes))); };
    BOOST_TEST(sum("") == 0xEF46DB3751D8E999u);
    BOOST_TEST(sum("a") == 0xD24EC4F1A98C6E5Bu);
    BOOST_TEST(sum("abc") == 0x44BC2CF5AD770999u);
    BOOST_TEST(sum("Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1u);
}

BOOST_FIXTURE_TEST_CASE(round_trip, DemoFile) {
    const StateReader reader(file, "demo", 3);
    BOOST_TEST(reader.schema() == 2);
    BOOST_TEST(reader.get_int("problem/width") == 7);
    BOOST_TEST(reader.get_int("problem/width", 7, 7) == 7);
    BOOST_TEST(reader.get_int("problem/least") == std::numeric_limits<std::int64_t>::min());
    BOOST_TEST(reader.get_real("problem/hopping") == -0.1);
    BOOST_TEST(reader.get_text("problem/name") == "Anderson");
    BOOST_TEST(reader.get_text("problem/nothing") == "");
    BOOST_TEST(reader.get_reals("state/psi/reals", 4) == reals, boost::test_tools::per_element());
    BOOST_TEST(reader.get_words("state/words", 3) == words, boost::test_tools::per_element());
    BOOST_TEST(reader.get_ints("state/none", 0).empty());
    BOOST_TEST((reader.get<std::int8_t>("state/spins", 2) == std::vector<std::int8_t>{-1, 1}));
    std::vector<double> part(2);
    reader.get_part("state/psi/reals", 4, 1, std::span(part));
    BOOST_TEST(part[0] == reals[1]);
    BOOST_TEST(part[1] == reals[2]);
}

BOOST_FIXTURE_TEST_CASE(parts_make_the_same_file_as_the_whole, Folder) {
    const std::span all(reals);
    StateWriter whole("demo", 1), parts("demo", 1);
    whole.put("a", all);
    parts.put_part("a", 4, 0, all.first(1));
    parts.put_part("a", 4, 3, all.last(1));
    parts.put_part("a", 4, 1, all.subspan(1, 2));
    whole.commit(path / "whole");
    parts.commit(path / "parts");
    BOOST_TEST((contents(path / "whole") == contents(path / "parts")));
    check_fails(Status::internal_error, {"entry a"}, [&] { parts.put_part("a", 4, 3, all.first(2)); });
}

BOOST_FIXTURE_TEST_CASE(plain_hdf5_can_open_it, DemoFile) {
    const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    BOOST_REQUIRE(h5 >= 0);
    const hid_t set = H5Dopen2(h5, "state/psi/reals", H5P_DEFAULT);
    std::vector<double> values(4);
    BOOST_TEST(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    BOOST_TEST(values == reals, boost::test_tools::per_element());
    H5Dclose(set);
    H5Fclose(h5);
}

enum class Colour : int { red, green };

template <class T, class Stored>
void check_array_refused(const std::vector<Stored>& stored, const std::string& words) {
    Folder folder;
    StateWriter writer("demo", 1);
    writer.put("array", stored);
    writer.commit(folder.path / "state");
    const StateReader reader(folder.path / "state", "demo", 1);
    const GetFields get(reader);
    std::array<T, 2> values{};
    check_fails(Status::bad_file, {"entry array: found " + words}, [&] { get("array", values); });
}

BOOST_FIXTURE_TEST_CASE(arrays_of_members, Folder) {
    const std::array<Colour, 2> colours{Colour::green, Colour::red};
    const std::array<bool, 2> flags{true, false};
    const std::array<double, 2> numbers{0.5, -1e300};
    StateWriter writer("demo", 1);
    const PutFields put(writer);
    put("colours", colours);
    put("flags", flags);
    put("numbers", numbers);
    writer.commit(path / "state");
    const StateReader reader(path / "state", "demo", 1);
    const GetFields get(reader);
    std::array<Colour, 2> colours_back{};
    std::array<bool, 2> flags_back{};
    std::array<double, 2> numbers_back{};
    get("colours", colours_back);
    get("flags", flags_back);
    get("numbers", numbers_back);
    BOOST_TEST((colours_back == colours && flags_back == flags && numbers_back == numbers));

    const std::int64_t wraps_to_one = (std::int64_t{1} << 32) + 1;
    check_array_refused<Colour>(std::vector{std::int64_t{0}, wraps_to_one},
                                "4294967297 at [1], expected -2147483648..2147483647");
    check_array_refused<bool>(std::vector<std::int8_t>{2, 0}, "2 at [0], expected 0..1");
    check_array_refused<bool>(std::vector<std::int8_t>{1, -1}, "-1 at [1], expected 0..1");
    check_array_refused<double>(std::vector{1.0, HUGE_VAL}, "inf at [1], expected finite numbers");
}

BOOST_FIXTURE_TEST_CASE(replaces_an_older_file_and_leaves_nothing_else, DemoFile) {
    StateWriter writer("demo", 1);
    writer.put("a", 1);
    writer.commit(file);
    BOOST_TEST(StateReader(file, "demo", 1).get_int("a") == 1);
    writer.put("b", 2);  // a writer may be used again
    writer.commit(file);
    BOOST_TEST(StateReader(file, "demo", 1).get_int("b") == 2);
    BOOST_TEST(entries() == 1u);
}

BOOST_FIXTURE_TEST_CASE(several_at_once, Folder) {
    const auto work = [this](int i) {
        const fs::path file = path / std::to_string(i);
        for (int round = 0; round < 20; ++round) {
            StateWriter writer("demo", 1);
            writer.put("i", 100 * i + round);
            writer.commit(file);
            const StateReader reader(file, "demo", 1);
            if (reader.get_int("i") != 100 * i + round) std::abort();
        }
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
}

BOOST_FIXTURE_TEST_CASE(cut_short, DemoFile) {
    const auto bytes = contents(file);
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, std::size_t{12}, std::size_t{13}, std::size_t{100}, std::size_t{511},
          std::size_t{512}, std::size_t{513}, std::size_t{1024}, bytes.size() / 2, bytes.size() - 1}) {
        write(file, std::span(bytes).first(length));
        check_refused(file, {"is cut short", "found " + std::to_string(length) + " bytes", "expected"});
    }
}

BOOST_FIXTURE_TEST_CASE(too_long, DemoFile) {
    auto bytes = contents(file);
    bytes.push_back(std::byte{0});
    write(file, bytes);
    check_refused(file, {"is too long"});
}

BOOST_FIXTURE_TEST_CASE(one_byte_changed, DemoFile) {
    const auto bytes = contents(file);
    for (std::size_t at = 0; at < bytes.size(); at += at < 600 ? 1 : 97)
        for (const auto bit : {std::byte{1}, std::byte{0x80}}) {
            auto changed = bytes;
            changed[at] ^= bit;
            check_fails(Status::bad_file, {"state file changed: "},
                        [&] { StateReader(std::move(changed), "changed", "demo", 3); });
        }
}

BOOST_FIXTURE_TEST_CASE(foreign, Folder) {
    const fs::path file = path / "foreign";
    const std::string_view poem = "Legato is no state of mind\n";
    write(file, std::as_bytes(std::span(poem)));
    check_refused(file, {"is not a Legato state", "\"Legato is no\"", "\"LEGATO STATE\""});
    hdf5_payload(file, [](hid_t) {});
    check_refused(file, {"is not a Legato state", ".HDF"});
    check_refused(path, {"it is not a regular file"});
    check_fails(Status::io_error, {"state file", "/none: cannot open: No such file or directory"},
                [&] { StateReader(path / "none", "demo", 3); });
}

BOOST_FIXTURE_TEST_CASE(other_method_schema_or_format, DemoFile) {
    check_fails(Status::bad_file, {file.string(), "found the state of method \"demo\", expected \"other\""},
                [&] { StateReader(file, "other", 3); });
    check_fails(Status::bad_file, {file.string(), "found schema 2", "expected 1..1", "newer version"},
                [&] { StateReader(file, "demo", 1); });
    auto bytes = contents(file);
    bytes[21] = std::byte{'2'};  // the byte after "LEGATO STATE\nformat: "
    write(file, bytes);
    check_refused(file, {"found format 2, expected 1", "newer version"});
}

BOOST_FIXTURE_TEST_CASE(other_entries_than_expected, DemoFile) {
    const StateReader reader(file, "demo", 3);
    const auto refused = [&](const std::string& message, const std::function<void()>& action) {
        check_fails(Status::bad_file, {"state file " + file.string() + ": entry " + message}, action);
    };
    refused("none: found none, expected one", [&] { reader.get_int("none"); });
    refused("no/such/entry: found none", [&] { reader.get_reals("no/such/entry", 1); });
    refused("problem: ", [&] { reader.get_int("problem"); });
    refused("problem/width/more: found none", [&] { reader.get_int("problem/width/more"); });
    refused("problem/width: found a scalar of 64-bit integer, expected a scalar of 64-bit real",
            [&] { reader.get_real("problem/width"); });
    refused("problem/width: found a scalar of 64-bit integer, expected a scalar of text",
            [&] { reader.get_text("problem/width"); });
    refused("problem/name: found a scalar of text, expected a scalar of 64-bit integer",
            [&] { reader.get_int("problem/name"); });
    refused("problem/width: found 7, expected 8..9", [&] { reader.get_int("problem/width", 8, 9); });
    refused("problem/width: found a scalar", [&] { reader.get_ints("problem/width", 1); });
    refused("state/spins: found an array of 2", [&] { reader.get_int("state/spins"); });
    refused("state/psi/reals: found an array of 4 of 64-bit real, expected an array of 5 of 64-bit real",
            [&] { reader.get_reals("state/psi/reals", 5); });
    refused(
        "state/words: found an array of 3 of 32-bit unsigned integer, expected an array of 3 of 32-bit "
        "integer",
        [&] { reader.get<std::int32_t>("state/words", 3); });
    check_fails(Status::internal_error, {"entry state/words"}, [&] {
        std::vector<std::uint32_t> part(2);
        reader.get_part("state/words", 3, 2, std::span(part));
    });
}

BOOST_FIXTURE_TEST_CASE(numbers_that_are_none, Folder) {
    StateWriter writer("demo", 1);
    writer.put("infinite", std::numeric_limits<double>::infinity());
    writer.put("no number", std::numeric_limits<double>::quiet_NaN());
    writer.put("array", std::vector<double>{1.0, std::numeric_limits<double>::quiet_NaN()});
    writer.commit(path / "a");
    const StateReader reader(path / "a", "demo", 1);
    check_fails(Status::bad_file, {"entry infinite", "expected a finite number"}, [&] { reader.get_real("infinite"); });
    check_fails(Status::bad_file, {"entry no number", "found nan"}, [&] { reader.get_real("no number"); });
    check_fails(Status::bad_file, {"entry array", "at [1]"}, [&] { reader.get_reals("array", 2); });
    BOOST_TEST(std::isnan(reader.get<double>("array", 2)[1]));
}

// HDF5 makes a tree of tables for so many entries.
BOOST_FIXTURE_TEST_CASE(groups_of_many_entries, Folder) {
    constexpr std::int64_t entries = 2000;
    StateWriter writer("demo", 1);
    for (std::int64_t i = 0; i < entries; ++i) writer.put("many/" + std::to_string(i * 7919 % entries), i);
    writer.commit(path / "a");
    const StateReader reader(path / "a", "demo", 1);
    for (std::int64_t i = 0; i < entries; ++i)
        BOOST_TEST(reader.get_int("many/" + std::to_string(i * 7919 % entries)) == i);
    for (const char* const none : {"many/", "many/-1", "many/19999", "many/:", "many", "many//1", "/many/1", ""})
        check_fails(Status::bad_file, {"expected"}, [&] { reader.get_int(none); });
}

// The test overwrites every place of a file with each of four numbers, and makes the checksums right again.
BOOST_FIXTURE_TEST_CASE(no_forged_byte_is_fatal, DemoFile) {
    const std::vector<std::byte> file_bytes = contents(file);
    const std::vector<std::byte> good(file_bytes.begin() + state_format::header_size, file_bytes.end());
    std::size_t refused = 0;
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const std::uint64_t forged :
             {std::uint64_t{0}, std::uint64_t{0x11}, ~std::uint64_t{0}, std::uint64_t{1} << 62}) {
            std::vector<std::byte> payload = good;
            std::memcpy(payload.data() + at, &forged, std::min(sizeof forged, payload.size() - at));
            try {
                const StateReader reader(framed(payload), "bytes", "demo", 1);
                reader.get_int("problem/width");
                reader.get_text("problem/name");
                reader.get_reals("state/psi/reals", 4);
                reader.get_words("state/words", 3);
            } catch (const Error& error) {
                BOOST_TEST((error.status() == Status::bad_file), error.what());
                ++refused;
            }
        }
    BOOST_TEST(refused > 1000);
}

BOOST_FIXTURE_TEST_CASE(payload_that_is_no_hdf5, Folder) {
    const std::vector<std::byte> zeros(3000);
    check_fails(Status::bad_file, {"state file bytes: found no HDF5 file"},
                [&] { StateReader(framed(zeros), "bytes", "demo", 1); });
}

// HDF5 would read these entries, but they stand for values in other files or for more values than the file contains.
BOOST_FIXTURE_TEST_CASE(entries_that_lead_elsewhere, Folder) {
    const auto payload = hdf5_payload(path / "scratch", [](hid_t file) {
        const hsize_t few = 2, many = hsize_t{1} << 40, chunk = 1024;
        const hid_t small = H5Screate_simple(1, &few, nullptr), huge = H5Screate_simple(1, &many, nullptr);
        const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE), external = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(chunked, 1, &chunk);
        H5Pset_external(external, "/etc/hostname", 0, 16);
        H5Dclose(H5Dcreate2(file, "a", H5T_IEEE_F64LE, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Dclose(H5Dcreate2(file, "chunked", H5T_IEEE_F64LE, huge, H5P_DEFAULT, chunked, H5P_DEFAULT));
        H5Dclose(H5Dcreate2(file, "unwritten", H5T_IEEE_F64LE, huge, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Dclose(H5Dcreate2(file, "outside", H5T_IEEE_F64LE, small, H5P_DEFAULT, external, H5P_DEFAULT));
        H5Lcreate_soft("/a", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
        for (const hid_t list : {chunked, external}) H5Pclose(list);
        for (const hid_t space : {small, huge}) H5Sclose(space);
    });
    const StateReader reader(framed(payload), "bytes", "demo", 1);
    const auto refused = [&](const std::string& name, std::size_t length, const std::string& why) {
        check_fails(Status::bad_file, {"state file bytes: entry " + name + ": ", why},
                    [&] { reader.get_reals(name, length); });
    };
    refused("chunked", std::size_t{1} << 40, "contiguous");
    refused("unwritten", std::size_t{1} << 40, "found 0 bytes for 1099511627776 values");
    refused("outside", 2, "contiguous");
    refused("soft", 2, "link");
    refused("soft/a", 2, "link");
}

// Groups with links into other files have another layout, in which no entry is found.
BOOST_FIXTURE_TEST_CASE(groups_of_another_layout, Folder) {
    const auto payload = hdf5_payload(path / "scratch", [](hid_t file) {
        H5Lcreate_external("/etc/hostname", "/a", file, "link", H5P_DEFAULT, H5P_DEFAULT);
    });
    const StateReader reader(framed(payload), "bytes", "demo", 1);
    check_fails(Status::bad_file, {"state file bytes: entry link: found none"}, [&] { reader.get_reals("link", 2); });
}

BOOST_FIXTURE_TEST_CASE(hdf5_prints_again_afterwards, DemoFile) {
    const auto print = [](hid_t, void*) -> herr_t { return 0; };
    H5E_auto2_t before = nullptr, after = nullptr;
    void* data = nullptr;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    H5Eset_auto2(H5E_DEFAULT, print, nullptr);
    check_fails(Status::bad_file, {}, [&] { StateReader(file, "demo", 3).get_int("none"); });
    H5Eget_auto2(H5E_DEFAULT, &after, nullptr);
    BOOST_TEST((after == static_cast<H5E_auto2_t>(print)));
    H5Eset_auto2(H5E_DEFAULT, before, data);
}

BOOST_FIXTURE_TEST_CASE(misuse, Folder) {
    check_fails(Status::internal_error, {"Demo"}, [] { StateWriter("Demo", 1); });
    check_fails(Status::internal_error, {"schema 0"}, [] { StateWriter("demo", 0); });
    StateWriter writer("demo", 1);
    writer.put("a", 1);
    check_fails(Status::io_error, {"state of demo: entry a: "}, [&] { writer.put("a", 2.0); });
    check_fails(Status::internal_error, {"entry b"}, [&] { writer.put("b", std::string_view("x\0y", 3)); });
}

BOOST_FIXTURE_TEST_CASE(targets_that_cannot_be, DemoFile) {
    StateWriter writer = demo();
    check_fails(Status::io_error, {"state file " + (path / "none/a").string() + ": ", "No such file or directory"},
                [&] { writer.commit(path / "none/a"); });
    fs::create_directory(path / "folder");
    check_fails(Status::io_error, {"state file " + (path / "folder").string() + ": ", "Is a directory"},
                [&] { writer.commit(path / "folder"); });
    // /dev/full is not used here: if the tested code were faulty and run by root, it would replace the machine's own.
    const fs::path pipe = path / "pipe";
    BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    check_fails(Status::io_error, {"state file " + pipe.string() + ": ", "not a regular file"},
                [&] { writer.commit(pipe); });
    BOOST_TEST(fs::is_fifo(pipe));
    BOOST_TEST(entries() == 3u);
}

BOOST_FIXTURE_TEST_CASE(folder_without_write_permission, DemoFile) {
    const auto before = contents(file);
    fs::permissions(path,
                    fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    constexpr uid_t nobody = 65534;
    const bool root = ::geteuid() == 0;  // permissions do not apply to root
    if (root) BOOST_REQUIRE(::seteuid(nobody) == 0);
    check_fails(Status::io_error, {"state file " + file.string() + ": ", "Permission denied"},
                [&] { demo().commit(file); });
    if (root) BOOST_REQUIRE(::seteuid(0) == 0);
    BOOST_TEST((contents(file) == before));
    BOOST_TEST(entries() == 1u);
}

// The system lets a file grow to 1000 bytes only, as on a full disk.
BOOST_FIXTURE_TEST_CASE(failed_write_leaves_the_old_file, DemoFile) {
    const auto before = contents(file);
    StateWriter writer("demo", 1);
    writer.put("new", std::vector<double>(100000));
    rlimit old;
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{1000, old.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    check_fails(Status::io_error, {"state file " + file.string() + ": cannot write: File too large"},
                [&] { writer.commit(file); });
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    BOOST_TEST((contents(file) == before));
    BOOST_TEST(entries() == 1u);
    writer.commit(file);
    BOOST_TEST(StateReader(file, "demo", 1).get_reals("new", 100000).size() == 100000u);
}
