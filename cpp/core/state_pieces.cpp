#include "core/state_pieces.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "core/state_disk.hpp"
#include "core/state_header.hpp"

namespace legato {
namespace {

namespace fs = std::filesystem;

constexpr const char* method_of_piece = "piece";
constexpr std::int64_t schema_of_piece = 1;

fs::path folder_of(fs::path index) {
    return index += ".pieces";
}

fs::path path_of(const fs::path& folder, std::int64_t generation, std::size_t number) {
    return folder / text(generation, '-', number);
}

// Returns the generation in the name of a piece, 0 for an unfinished file, or nullopt for other names.
std::optional<std::int64_t> generation_of(const std::string& name) {
    if (name.starts_with(ReplacementFile::prefix)) return 0;
    const char *const first = name.data(), *const last = first + name.size();
    std::int64_t generation = 0;
    std::size_t number = 0;
    const auto [dash, error] = std::from_chars(first, last, generation);
    if (error != std::errc() || generation < 1 || dash == last || *dash != '-') return std::nullopt;
    const auto [end, error_of_number] = std::from_chars(dash + 1, last, number);
    if (error_of_number != std::errc() || end != last) return std::nullopt;
    return generation;
}

// Calls use(path, generation) for each piece and each unfinished file in a folder. Does nothing if there is no folder.
template <class Use>
void for_each_piece(const fs::path& folder, Use&& use) {
    std::error_code error;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
        if (const auto generation = generation_of(i->path().filename().string())) use(i->path(), *generation);
}

std::int64_t newest_generation(const fs::path& folder) {
    std::int64_t newest = 0;
    for_each_piece(folder, [&](const fs::path&, std::int64_t generation) { newest = std::max(newest, generation); });
    return newest;
}

}  // namespace

PieceWriter::PieceWriter(const fs::path& index)
    : folder_(folder_of(index)), generation_(newest_generation(folder_) + 1) {
    make_folder(folder_);
}

PieceWriter::~PieceWriter() {
    if (is_kept_) return;
    for (std::size_t number = 0; number < checksums_.size(); ++number)
        ::unlink(path_of(folder_, generation_, number).c_str());
    ::rmdir(folder_.c_str());  // if it is empty
}

void PieceWriter::write(std::span<const std::uint32_t> words) {
    StateWriter piece(method_of_piece, schema_of_piece);
    piece.put("words", words);
    const std::size_t number = checksums_.size();
    checksums_.push_back(state_format::checksum(std::as_bytes(words)));  // first, so that the destructor knows the file
    piece.commit(path_of(folder_, generation_, number));
}

void remove_other_pieces(const fs::path& index, std::int64_t generation) noexcept {
    try {
        const fs::path folder = folder_of(index);
        std::vector<fs::path> others;
        for_each_piece(folder, [&](const fs::path& path, std::int64_t of_piece) {
            if (of_piece != generation) others.push_back(path);
        });
        for (const fs::path& path : others) ::unlink(path.c_str());
        if (!others.empty()) ::rmdir(folder.c_str());  // if it is empty now
    } catch (...) {                                    // too little memory: the next save tries again
    }
}

PieceReader::PieceReader(const StateReader& index, std::string_view name, std::size_t length)
    : index_(index.label()), length_(length) {
    const auto entry = [&](const char* of) { return text(name, '/', of); };
    const auto words = static_cast<std::int64_t>(length);
    index.get_int(entry("length"), words, words);
    piece_length_ = static_cast<std::size_t>(index.get_int(entry("piece_length"), 1, words));
    generation_ = index.get_int(entry("generation"), 1, INT64_MAX);
    checksums_ = index.get<std::uint64_t>(entry("checksums"), (length - 1) / piece_length_ + 1);
}

std::vector<std::uint32_t> PieceReader::read(std::size_t number) const {
    const StateReader piece(path_of(folder_of(index_), generation_, number), method_of_piece, schema_of_piece);
    std::vector<std::uint32_t> words =
        piece.get_words("words", std::min(piece_length_, length_ - number * piece_length_));
    if (const std::uint64_t found = state_format::checksum(std::as_bytes(std::span(words)));
        found != checksums_[number])
        piece.refuse(text("it does not belong to ", index_, ", which expects other words: their checksum is ", found,
                          " instead of ", checksums_[number]));
    return words;
}

}  // namespace legato
