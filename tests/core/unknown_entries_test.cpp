// A state file with a parameter that this version does not know is refused, whatever kind it is.
#define BOOST_TEST_MODULE unknown_entries
#include <hdf5.h>
#include <legato/types.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "../fuzz/state_kinds.hpp"
#include "core/state_header.hpp"

using namespace legato;
namespace fs = std::filesystem;

namespace {

const fs::path path = fs::temp_directory_path() / ("legato_unknown_entries_" + std::to_string(getpid()) + ".h5");

// The groups of parameters of each kind.
const std::map<std::string, std::vector<std::string>> groups{
    {"tmm", {"problem"}},
    {"dfr_optimiser", {"field", "optimiser"}},
    {"dfr_pruner", {"field", "pruner"}},
    {"dfr_reducer", {"field", "optimiser", "reducer"}},
    {"kpm", {"problem"}},
    {"kpm_correlation", {"problem"}},
    {"vmc", {"problem"}},
    {"vmc_optimiser", {"problem", "optimisation"}},
    {"ising", {"problem"}},
};

std::int64_t schema_of(const std::string& header) {
    constexpr std::string_view before = "\nschema: ";
    const std::size_t at = header.find(before);
    BOOST_REQUIRE(at != header.npos);
    return std::stoll(header.substr(at + before.size()));
}

// Adds an entry to the file, and the new checksum.
void add_entry(const std::string& method, const std::string& name) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR),
                link = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(link, 1);
    const double value = 0.5;
    const hid_t entry = H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, link, H5P_DEFAULT, H5P_DEFAULT);
    BOOST_REQUIRE(H5Dwrite(entry, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
    H5Dclose(entry);
    H5Pclose(link);
    H5Sclose(space);
    H5Fclose(file);
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::vector<std::byte> payload(text.size() - state_format::header_size);
    std::memcpy(payload.data(), text.data() + state_format::header_size, payload.size());
    const std::string header =
        state_format::header(method, schema_of(text.substr(0, state_format::header_size)), payload);
    text.replace(0, header.size(), header);
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(refused) {
    for (const fuzz::StateKind& kind : fuzz::state_kinds())
        for (const std::string& group : groups.at(kind.method))
            for (int run = 0; run < kind.runs; ++run) {
                kind.save(run, path.c_str());
                BOOST_TEST(kind.resume(path.c_str()) == LEGATO_STATUS_SUCCESS);
                add_entry(kind.method, group + "/later");
                BOOST_TEST(kind.resume(path.c_str()) == LEGATO_STATUS_BAD_FILE, kind.method);
                const std::string message = fuzz::last_message();
                BOOST_TEST(
                    message.find("entry " + group + "/later: this version of Legato does not know it") != message.npos,
                    kind.method << ": " << message);
            }
    fs::remove(path);
}

// Other entries, as those that describe the origin of a file, do not matter.
BOOST_AUTO_TEST_CASE(outside_of_the_parameters) {
    for (const fuzz::StateKind& kind : fuzz::state_kinds()) {
        kind.save(0, path.c_str());
        add_entry(kind.method, "saved/later");
        BOOST_TEST(kind.resume(path.c_str()) == LEGATO_STATUS_SUCCESS, kind.method << ": " << fuzz::last_message());
    }
    fs::remove(path);
}
