// libFuzzer: whatever a state file holds, resuming from it gives a Solver or a bad_file, and never a crash, a
// sanitizer's report or memory out of proportion. The first byte chooses:
//     even   the rest is the file as it is, so that header, length and checksum are tried
//     odd    the rest says which values to change in a good file, whose checksum is then made right again, so
//            that the checks of Solver::resume are tried, and the engine with a state that has passed them
// What is left out is any payload behind a right checksum: HDF5 1.10.8 itself does not survive that. Within
// seconds it leaks memory, asks for 2^53 bytes (H5C_protect) and reads through a null pointer
// (H5F__accum_read, from H5Lget_info). No file that was damaged or cut short gets that far; one that was
// forged does.
//
// LEGATO_FUZZ_CORPUS may name a folder; if that is empty, seeds are written to it first.
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/error.hpp"
#include "core/state_file.hpp"
#include "core/state_header.hpp"
#include "tmm/solver.hpp"

namespace {

using namespace legato;
namespace fs = std::filesystem;

constexpr std::array entries{"problem/dimension",  "problem/width",         "problem/boundary",
                             "problem/disorder",   "problem/random_stream", "problem/seed",
                             "problem/hopping",    "problem/n_ortho",       "problem/max_multiplications",
                             "problem/max_growth", "problem/epsilon",       "problem/rule",
                             "problem/min_blocks", "problem/burn_in",       "states/blocks",
                             "points/count",       "points/energy",         "points/disorder",
                             "states/status",      "states/cycles",         "states/slices",
                             "states/interval",    "states/log_norms",      "states/log_norms2",
                             "states/psi",         "states/random"};

// A good file, and where in it the values of each entry lie.
struct GoodFile {
    struct Place {
        std::size_t first = 0, bytes = 0;
    };
    std::vector<std::byte> bytes;
    std::array<Place, entries.size()> places;
};

Context& context() {
    static Context context({.backend = Backend::cpu, .threads = 1, .log_level = LogLevel::silent});
    return context;
}

GoodFile good_file(const fs::path& path) {
    GoodFile good;
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(text));
    good.bytes.assign(bytes.begin(), bytes.end());
    const hid_t h5 = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const hid_t set = H5Dopen2(h5, entries[i], H5P_DEFAULT);
        if (set < 0) std::abort();  // the list above is not that of tmm/solver_state.cpp
        good.places[i].bytes = H5Dget_storage_size(set);
        if (good.places[i].bytes > 0) good.places[i].first = H5Dget_offset(set);
        H5Dclose(set);
    }
    H5Fclose(h5);
    return good;
}

// Runs in every stage of a point's life, with and without generator words.
std::vector<GoodFile> good_files() {
    std::string folder = (fs::temp_directory_path() / "legato-fuzz-XXXXXX").string();
    if (!::mkdtemp(folder.data())) std::abort();
    std::vector<GoodFile> files;
    for (const auto stream : {tmm::RandomStream::lfsr113_per_site, tmm::RandomStream::philox})
        for (const int advances : {0, 1, 20}) {
            tmm::Problem problem;
            problem.width = 2;
            problem.random_stream = stream;
            problem.epsilon = 0.2;
            tmm::Solver solver(context(), problem, {{0.0, 3.0}, {1.0, 8.0}});
            for (int i = 0; i < advances; ++i) solver.advance(3);
            solver.save(fs::path(folder) / "state");
            files.push_back(good_file(fs::path(folder) / "state"));
        }
    fs::remove_all(folder);
    return files;
}

const std::vector<GoodFile>& originals() {
    static const std::vector<GoodFile> files = good_files();
    return files;
}

void write_seeds(const fs::path& folder) {
    for (std::size_t i = 0; i < originals().size(); ++i) {
        std::ofstream whole(folder / ("whole-" + std::to_string(i)), std::ios::binary);
        whole.put(0).write(reinterpret_cast<const char*>(originals()[i].bytes.data()),
                           static_cast<std::streamsize>(originals()[i].bytes.size()));
        std::ofstream(folder / ("changed-" + std::to_string(i)), std::ios::binary)
            << '\1' << static_cast<char>(i) << std::string(20, '\1');
    }
}

// `changes`: a byte for the file, then ten for each change: entry, position, and eight that go there.
std::vector<std::byte> changed(std::span<const std::uint8_t> changes) {
    if (changes.empty()) return originals()[0].bytes;
    const GoodFile& good = originals()[changes[0] % originals().size()];
    std::vector<std::byte> file = good.bytes;
    for (changes = changes.subspan(1); changes.size() >= 10; changes = changes.subspan(10)) {
        const auto [first, bytes] = good.places[changes[0] % entries.size()];
        if (bytes < 8) continue;  // no entry is shorter, except those that are empty
        std::memcpy(file.data() + first + changes[1] % (bytes / 4 - 1) * 4, changes.data() + 2, 8);
    }
    const std::string header = state_format::header("tmm", 2, std::span(file).subspan(state_format::header_size));
    std::memcpy(file.data(), header.data(), header.size());
    return file;
}

void resume_and_go_on(std::vector<std::byte> file) {
    const auto solver = tmm::Solver::resume(context(), StateReader(std::move(file), "fuzz", "tmm", 2));
    if (solver->problem().sites() <= 16) solver->advance(1);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* corpus = std::getenv("LEGATO_FUZZ_CORPUS");
    if (corpus && fs::is_directory(corpus) && fs::is_empty(corpus)) write_seeds(corpus);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto rest = std::span(data, size).subspan(1);
    try {
        const auto bytes = std::as_bytes(rest);
        resume_and_go_on(data[0] % 2 ? changed(rest) : std::vector(bytes.begin(), bytes.end()));
    } catch (const Error& error) {
        if (error.status() != Status::bad_file) {
            std::fprintf(stderr, "status %d: %s\n", static_cast<int>(error.status()), error.what());
            std::abort();
        }
    }
    return 0;
}
