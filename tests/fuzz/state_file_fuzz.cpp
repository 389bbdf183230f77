// Fuzzes state files with libFuzzer. Resuming from any file gives a run or an error status. It never gives a crash, a
// report of a sanitizer, LEGATO_STATUS_INTERNAL_ERROR or an excessive use of memory. The name of the program is the
// kind of state, followed by _state_fuzz. The first byte of an input chooses a mode:
//     0 of 4    the rest is the whole file, which tests header, length and checksums
//     1 of 4    the rest follows a valid header, which tests the reader of the layout
//     2, 3      the rest says which values to change in a good file, whose checksums are then corrected.
//               This tests the checks of the state, and the engine with a state that has passed them.
// If LEGATO_FUZZ_SEEDS names a folder, seeds are written to it first.
#include <fcntl.h>
#include <hdf5.h>
#include <legato/types.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "core/hdf5_layout.hpp"
#include "core/state_header.hpp"
#include "state_kinds.hpp"

namespace {

using namespace legato;
namespace fs = std::filesystem;

// A good file, and the positions of the values of each entry in it.
struct GoodFile {
    struct Place {
        std::size_t first, bytes;
    };
    std::vector<std::byte> bytes;
    std::vector<Place> places;
};

const fuzz::StateKind* chosen_kind;

const fuzz::StateKind& kind() {
    return *chosen_kind;
}

void choose_kind(const fs::path& program) {
    for (const fuzz::StateKind& kind : fuzz::state_kinds())
        if (program.filename() == std::string(kind.method) + "_state_fuzz") chosen_kind = &kind;
    if (chosen_kind) return;
    std::fprintf(stderr, "%s: the name must be that of a kind of state, such as tmm_state_fuzz\n", program.c_str());
    std::exit(2);
}

std::vector<std::string> names_of_entries(const fs::path& path) {
    std::vector<std::string> names;
    const auto take = [](hid_t, const char* name, const H5O_info_t* info, void* out) -> herr_t {
        if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, take, &names) < 0) std::abort();
    H5Fclose(file);
    return names;
}

GoodFile good_file(const fs::path& path) {
    GoodFile good;
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(text));
    good.bytes.assign(bytes.begin(), bytes.end());
    const hdf5::Layout layout(std::span(good.bytes).subspan(state_format::header_size));
    for (const std::string& name : names_of_entries(path)) {
        const auto values = layout.find(name).values;
        if (values.size() < 8) continue;  // empty, or a short text
        good.places.push_back({static_cast<std::size_t>(values.data() - good.bytes.data()), values.size()});
    }
    return good;
}

const std::vector<GoodFile>& originals() {
    static const std::vector<GoodFile> files = [] {
        std::string folder = (fs::temp_directory_path() / "legato-fuzz-XXXXXX").string();
        if (!::mkdtemp(folder.data())) std::abort();
        const fs::path path = fs::path(folder) / "state";
        std::vector<GoodFile> made;
        for (int run = 0; run < kind().runs; ++run) {
            kind().save(run, path.c_str());
            made.push_back(good_file(path));
        }
        fs::remove_all(folder);
        return made;
    }();
    return files;
}

void write_seed(const fs::path& path, char mode, std::span<const std::byte> rest) {
    std::ofstream(path, std::ios::binary)
        .put(mode)
        .write(reinterpret_cast<const char*>(rest.data()), static_cast<std::streamsize>(rest.size()));
}

void write_seeds(const fs::path& folder) {
    for (std::size_t i = 0; i < originals().size(); ++i) {
        const std::span<const std::byte> file = originals()[i].bytes;
        const std::string run = std::to_string(i);
        write_seed(folder / ("whole-" + run), 0, file);
        write_seed(folder / ("payload-" + run), 1, file.subspan(state_format::header_size));
        std::vector<std::byte> changes(21, std::byte{1});
        changes[0] = static_cast<std::byte>(i);
        write_seed(folder / ("changed-" + run), 2, changes);
    }
}

std::vector<std::byte> framed(std::span<const std::byte> payload) {
    const std::string header = state_format::header(kind().method, kind().schema, payload);
    std::vector<std::byte> file(header.size() + payload.size());
    std::memcpy(file.data(), header.data(), header.size());
    if (!payload.empty()) std::memcpy(file.data() + header.size(), payload.data(), payload.size());
    return file;
}

// Returns a changed file. The first byte of `changes` chooses the file. Ten bytes follow for each change: the entry,
// the position, and eight new bytes.
std::vector<std::byte> changed(std::span<const std::byte> changes) {
    if (changes.empty()) return originals()[0].bytes;
    const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(changes[i]); };
    const GoodFile& good = originals()[at(0) % originals().size()];
    std::vector<std::byte> file = good.bytes;
    for (changes = changes.subspan(1); changes.size() >= 10; changes = changes.subspan(10)) {
        const auto [first, bytes] = good.places[at(0) % good.places.size()];
        std::memcpy(file.data() + first + at(1) % (bytes / 4 - 1) * 4, changes.data() + 2, 8);
    }
    return framed(std::span(file).subspan(state_format::header_size));
}

std::vector<std::byte> file_from(std::span<const std::byte> input) {
    const auto rest = input.subspan(1);
    switch (std::to_integer<int>(input[0]) % 4) {
        case 0:
            return {rest.begin(), rest.end()};
        case 1:
            return framed(rest);
        default:
            return changed(rest);
    }
}

// Returns the path of a file in memory, because the calls need a path.
const std::string& path_of(std::span<const std::byte> file) {
    static const int descriptor = ::memfd_create("state", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, file.data(), file.size(), 0) < 0) std::abort();
    return path;
}

}  // namespace

// Largest block that can be allocated. Larger requests fail as if memory had run out.
constexpr std::size_t most_memory = std::size_t{1} << 28;

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return size > most_memory ? nullptr : std::malloc(size);
}

void* operator new(std::size_t size) {
    void* const memory = ::operator new(size, std::nothrow);
    return memory ? memory : throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    const std::size_t step = static_cast<std::size_t>(alignment);
    void* const memory = size > most_memory ? nullptr : std::aligned_alloc(step, (size + step - 1) / step * step);
    return memory ? memory : throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
    choose_kind((*arguments)[0]);
    ::setenv("LEGATO_LOG", "silent", 1);
    if (const char* const folder = std::getenv("LEGATO_FUZZ_SEEDS")) write_seeds(folder);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::int32_t status = kind().resume(path_of(file_from(std::as_bytes(std::span(data, size)))).c_str());
    // A changed memory budget may be too small, and a matrix that results from the file may be singular.
    for (const int known :
         {LEGATO_STATUS_SUCCESS, LEGATO_STATUS_BAD_FILE, LEGATO_STATUS_OUT_OF_MEMORY, LEGATO_STATUS_NUMERICAL_ERROR})
        if (status == known) return 0;
    std::fprintf(stderr, "status %d: %s\n", status, fuzz::last_message());
    std::abort();
}
