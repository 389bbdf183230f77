#include "dfr/basis_files.hpp"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>
#include <system_error>

#include "core/memory.hpp"
#include "core/ranks.hpp"
#include "core/state_disk.hpp"
#include "dfr/basis_formats.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr {
namespace {

namespace fs = std::filesystem;

constexpr const char* kind = "basis file";

std::string text_of(const fs::path& path) {
    const SourceFile file(path, kind);
    const MemoryLimit free = free_memory();
    if (file.size() > static_cast<std::uint64_t>(free.bytes) / 32)  // a reader needs more than the bytes
        fail(Status::out_of_memory, kind, " ", path.string(), ": it is ", file.size(), " bytes long, but ", free.text);
    std::string text(file.size(), '\0');
    text.resize(file.read(std::as_writable_bytes(std::span(text))));
    return text;
}

const char* name_of(BasisFormat format) {
    switch (format) {
        case BasisFormat::bse_json:
            return "bse-json";
        case BasisFormat::nwchem:
            return "nwchem";
        case BasisFormat::gaussian94:
            return "gaussian94";
        case BasisFormat::dirac:
            return "dirac";
    }
    fail(Status::internal_error, "dfr: a format of basis sets without a name");
}

void require_l_shells(BasisFormat format, const std::vector<BasisSet>& sets) {
    if (sets.empty()) fail(Status::invalid_argument, "dfr.basis_sets.write: there are no sets");
    for (const BasisSet& set : sets)
        for (const BasisShell& shell : set.shells)
            if (shell.twice_j != 0)
                fail(Status::invalid_argument, "dfr.basis_sets.write.format: ", name_of(format), " has no place for ",
                     symbol_of(set.element), "'s functions of ",
                     dfr::name_of(2 * shell.l - (shell.twice_j < 2 * shell.l)),
                     ": in this format both j of an l share their functions");
}

// The folder with this library, or with the program if the library is linked statically; or an empty path.
fs::path own_folder() {
    Dl_info info;
    if (dladdr(reinterpret_cast<const void*>(&read_basis_library), &info) == 0 || !info.dli_fname) return {};
    // The name of a program that is linked statically and was found through PATH has no folder.
    const bool has_folder = std::string_view(info.dli_fname).find('/') != std::string_view::npos;
    std::error_code error;
    const fs::path library = fs::weakly_canonical(has_folder ? info.dli_fname : "/proc/self/exe", error);
    return error ? fs::path() : library.parent_path();
}

// The library is one or two levels below the prefix: in lib, lib64, bin or lib/x86_64-linux-gnu. A program of a build
// tree may be one level deeper.
constexpr int levels_below_prefix = 3;

std::vector<fs::path> library_folders() {
    std::vector<fs::path> folders;
    if (const char* const list = std::getenv("LEGATO_BASIS_PATH"))
        for (std::string_view rest = list; !rest.empty();) {
            const std::size_t colon = std::min(rest.find(':'), rest.size());
            if (colon > 0) folders.emplace_back(rest.substr(0, colon));
            rest.remove_prefix(std::min(colon + 1, rest.size()));
        }
    fs::path prefix = own_folder();
    for (int level = 0; level < levels_below_prefix && prefix.has_relative_path(); ++level) {
        prefix = prefix.parent_path();
        folders.push_back(prefix / LEGATO_BASIS_BELOW_PREFIX);
    }
    folders.emplace_back(LEGATO_BASIS_INSTALLED);
    return folders;
}

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

// Adds the libraries of a folder. (The directory_iterator of GCC ends the program if memory is lacking.)
void add_libraries(const fs::path& folder, std::map<std::string, fs::path>& found) {
    const std::unique_ptr<DIR, CloseFolder> open(opendir(folder.c_str()));
    if (!open) {
        const int reason = errno;
        if (reason == ENOENT || reason == ENOTDIR || reason == EACCES) return;
        fail(Status::io_error, "dfr.basis_library: the folder ", folder.string(),
             " cannot be read: ", std::generic_category().message(reason));
    }
    while (const dirent* const entry = readdir(open.get())) {
        const fs::path name = entry->d_name;
        if (name.extension() == ".json") found.emplace(name.stem().string(), folder / name);
    }
}

// The libraries by their names. If two folders have the same name, the first one counts.
std::map<std::string, fs::path> libraries() {
    std::map<std::string, fs::path> found;
    for (const fs::path& folder : library_folders()) add_libraries(folder, found);
    return found;
}

[[noreturn]] void fail_without_library(std::string_view name, double largest_error,
                                       const std::map<std::string, fs::path>& known) {
    std::string names, folders;
    for (const auto& [found, path] : known) names += text(names.empty() ? "" : ", ", found);
    for (const fs::path& folder : library_folders()) folders += text(folders.empty() ? "" : ", ", folder.string());
    const std::string wanted = largest_error > 0 ? text(" with an error of at most ", largest_error) : std::string();
    fail(Status::invalid_argument, "dfr.basis_library: there is no library ", basis_formats::shown(name), wanted,
         " in the folders ", folders, ", where there are: ", names.empty() ? "none" : names,
         "; the environment variable LEGATO_BASIS_PATH adds folders");
}

fs::path find_library(std::string_view name, double largest_error) {
    const std::map<std::string, fs::path> known = libraries();
    auto chosen = known.end();
    if (largest_error == 0.0) {
        chosen = known.find(std::string(name));
    } else {
        const std::string prefix = text(name, "-");
        double best = 0;
        for (auto entry = known.begin(); entry != known.end(); ++entry) {
            if (!entry->first.starts_with(prefix)) continue;
            const double error = basis_formats::number_of(std::string_view(entry->first).substr(prefix.size()));
            if (!(error > best && error <= largest_error)) continue;
            best = error;
            chosen = entry;
        }
    }
    if (chosen == known.end()) fail_without_library(name, largest_error, known);
    return chosen->second;
}

}  // namespace

std::vector<BasisSet> read_basis_file(const Context& context, const fs::path& path, BasisFormat format) {
    std::string content = context.rank() == 0 ? text_of(path) : std::string(), file = text(kind, " ", path.string());
    take_of_first_rank(context, content);
    take_of_first_rank(context, file);
    switch (format) {
        case BasisFormat::bse_json:
            return basis_formats::read_json(content, file);
        case BasisFormat::nwchem:
            return basis_formats::read_nwchem(content, file);
        case BasisFormat::gaussian94:
            return basis_formats::read_gaussian94(content, file);
        case BasisFormat::dirac:
            return basis_formats::read_dirac(content, file);
    }
    fail(Status::internal_error, "dfr: a format of basis sets without a reader");
}

void write_basis_file(const fs::path& path, BasisFormat format, const std::vector<BasisSet>& sets,
                      const BasisTexts& texts) {
    require_l_shells(format, sets);
    std::vector<BasisSet> sorted = sets;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.element < b.element; });
    const std::string content = format == BasisFormat::bse_json     ? basis_formats::to_json(sorted, texts)
                                : format == BasisFormat::nwchem     ? basis_formats::to_nwchem(sorted, texts)
                                : format == BasisFormat::gaussian94 ? basis_formats::to_gaussian94(sorted, texts)
                                                                    : basis_formats::to_dirac(sorted, texts);
    ReplacementFile file(path, path, kind);
    file.write(std::as_bytes(std::span(content)));
    file.replace_target();
    file.sync_folder();
}

std::vector<BasisSet> read_basis_library(const Context& context, std::string_view name, double largest_error) {
    std::string path = context.rank() == 0 ? find_library(name, largest_error).string() : std::string();
    take_of_first_rank(context, path);
    return read_basis_file(context, path, BasisFormat::bse_json);
}

}  // namespace legato::dfr
