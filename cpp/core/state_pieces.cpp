#include "core/state_pieces.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "core/state_disk.hpp"
#include "core/state_header.hpp"

namespace legato {
namespace {

namespace fs = std::filesystem;

constexpr const char* method_of_piece = "piece";
constexpr std::int64_t schema_of_piece = 1, most_generations = std::int64_t{1} << 62;

fs::path folder_of(fs::path index) {
    return index += ".pieces";
}

fs::path path_of(const fs::path& index, std::int64_t generation, std::size_t number) {
    return folder_of(index) / text(generation, '-', number);
}

// Returns the generation in the name of a piece, or 0 for other names.
std::int64_t generation_of(const std::string& name) {
    const char *const first = name.data(), *const last = first + name.size();
    std::int64_t generation = 0;
    std::size_t number = 0;
    const auto [dash, error] = std::from_chars(first, last, generation);
    if (error != std::errc() || generation < 1 || generation >= most_generations || dash == last || *dash != '-')
        return 0;
    const auto [end, error_of_number] = std::from_chars(dash + 1, last, number);
    return error_of_number == std::errc() && end == last ? generation : 0;
}

// Returns the names in the folder of the pieces, none if there is no folder. Throws io_error if they are not known,
// because a new generation might then replace the one of the index.
std::vector<std::string> names_of(const fs::path& index) {
    std::vector<std::string> names;
    const fs::path folder = folder_of(index);
    std::error_code error;
    fs::directory_iterator i(folder, error);
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) return names;
    for (const fs::directory_iterator end; !error && i != end; i.increment(error))
        names.push_back(i->path().filename().string());
    if (error) fail(Status::io_error, "state file ", folder.string(), ": cannot list this folder: ", error.message());
    return names;
}

std::int64_t newest_generation(const fs::path& index) {
    std::int64_t newest = 0;
    for (const std::string& name : names_of(index)) newest = std::max(newest, generation_of(name));
    return newest;
}

// Returns whether a file is a piece. Another program may have given such a name to a file of its own.
bool is_piece(const fs::path& path) {
    try {
        const SourceFile file(path);
        std::string start(state_format::header_size, '\0');
        (void)file.read(std::as_writable_bytes(std::span(start)));
        return start.find(text("\nmethod: ", method_of_piece, '\n')) != start.npos;
    } catch (const Error&) {  // it cannot be read
        return false;
    }
}

// Removes the pieces of other generations, and files that a killed program has not finished. Pieces that cannot be read
// or removed remain.
void remove_other_pieces(const fs::path& index, std::int64_t generation) {
    try {
        const std::vector<std::string> names = names_of(index);
        for (const std::string& name : names) {
            const fs::path path = folder_of(index) / name;
            const std::int64_t of_file = generation_of(name);
            if (name.starts_with(ReplacementFile::prefix) || (of_file > 0 && of_file != generation && is_piece(path)))
                ::unlink(path.c_str());
        }
        if (generation == 0 && !names.empty()) ::rmdir(folder_of(index).c_str());  // if it is empty now
    } catch (const std::exception&) {  // the new state is complete all the same
    }
}

}  // namespace

// An index that could not be written is refused before its pieces are written.
PieceWriter::PieceWriter(fs::path index) : index_(std::move(index)), generation_(newest_generation(index_) + 1) {
    (void)ReplacementFile(index_);
    make_folder(folder_of(index_));
}

PieceWriter::~PieceWriter() {
    if (is_kept_) return;
    for (std::size_t number = 0; number < checksums_.size(); ++number)
        ::unlink(path_of(index_, generation_, number).c_str());
    ::rmdir(folder_of(index_).c_str());  // if it is empty
}

// A piece has the permissions of the index.
void PieceWriter::write(std::span<const std::uint32_t> words) {
    const fs::path path = path_of(index_, generation_, checksums_.size());
    std::error_code error;
    if (fs::exists(path, error))
        fail(Status::io_error, "state file ", path.string(), ": it exists: another program saves to ", index_.string());
    StateWriter piece(method_of_piece, schema_of_piece);
    piece.put("words", words);
    checksums_.push_back(state_format::checksum(std::as_bytes(words)));  // the destructor removes the file from here on
    piece.commit(path, index_);
}

PiecedStateWriter::PiecedStateWriter(std::string_view method, std::int64_t schema, std::optional<fs::path> target)
    : StateWriter(method, schema), target_(std::move(target)) {}

void PiecedStateWriter::put_pieces(std::string_view name, std::size_t length, std::size_t piece_length,
                                   const GetWords& get) {
    if (target_) pieces_.emplace(*target_);
    piece_length = std::min(piece_length, length);
    std::vector<std::uint32_t> piece;
    for (std::size_t first = 0; first < length; first += piece_length) {
        piece.resize(std::min(piece_length, length - first));
        get(first, piece);
        if (pieces_) pieces_->write(piece);
    }
    if (!pieces_) return;
    put(text(name, "/length"), static_cast<std::int64_t>(length));
    put(text(name, "/piece_length"), static_cast<std::int64_t>(piece_length));
    put(text(name, "/generation"), pieces_->generation());
    put(text(name, "/checksums"), pieces_->checksums());
}

// From the renaming on the new pieces belong to the index. Those before are removed when that is on the disk.
void PiecedStateWriter::commit() {
    if (!target_) return;
    ReplacementFile file(*target_);
    write_to(file);
    file.replace_target();
    if (pieces_) pieces_->keep();
    file.sync_folder();
    remove_other_pieces(*target_, pieces_ ? pieces_->generation() : 0);
}

PieceReader::PieceReader(const StateReader& index, std::string_view name, std::size_t length)
    : index_(index.label()), length_(length) {
    const auto entry = [&](const char* of) { return text(name, '/', of); };
    const auto words = static_cast<std::int64_t>(length);
    index.get_int(entry("length"), words, words);
    piece_length_ = static_cast<std::size_t>(index.get_int(entry("piece_length"), 1, words));
    generation_ = index.get_int(entry("generation"), 1, most_generations);
    checksums_ = index.get<std::uint64_t>(entry("checksums"), (length - 1) / piece_length_ + 1);
}

// A symbolic link to the index has no pieces of its own. Only those of a save that was killed may be beside it.
std::vector<std::uint32_t> PieceReader::read(std::size_t number) const {
    std::error_code error;
    fs::path index = index_;
    if (fs::is_symlink(index, error)) index = fs::canonical(index, error);
    if (!error && !fs::exists(folder_of(index), error) && !error)
        fail(Status::io_error, "state file ", index_, ": its folder ", folder_of(index).string(),
             " is not there; both must be moved and copied together");
    const StateReader piece(path_of(index, generation_, number), method_of_piece, schema_of_piece);
    std::vector<std::uint32_t> words =
        piece.get_words("words", std::min(piece_length_, length_ - number * piece_length_));
    if (const std::uint64_t found = state_format::checksum(std::as_bytes(std::span(words)));
        found != checksums_[number])
        piece.refuse(text("it does not belong to ", index_, ", which expects other words: their checksum is ", found,
                          " instead of ", checksums_[number]));
    return words;
}

}  // namespace legato
