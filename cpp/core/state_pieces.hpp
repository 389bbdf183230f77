// An array that is too large for one file, and perhaps for the memory of one process. Its pieces are state files in the
// folder PATH.pieces beside the state file PATH, which is their index. A piece is named GENERATION-NUMBER, numbers
// beginning with 0; its only entry "words" has as many words as all other pieces, but the last one may have fewer. The
// index has the entries
//
//     NAME/length, NAME/piece_length    words of the array, and of a piece
//     NAME/generation                   each save has a new one, from 1 on
//     NAME/checksums [pieces]           XXH64 of the words of each piece
//
// The pieces of a save are on the disk before the index is replaced, and those of the save before are removed
// afterwards. Whenever a program is killed, the index and its pieces therefore belong together. Two programs must not
// save to the same path at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/state_file.hpp"

namespace legato {

// Writes a new generation of pieces. Failures throw io_error, as those of StateWriter::commit() do.
class PieceWriter {
  public:
    explicit PieceWriter(std::filesystem::path index);
    ~PieceWriter();  // removes the new generation again, unless keep() has been called
    PieceWriter(const PieceWriter&) = delete;
    PieceWriter& operator=(const PieceWriter&) = delete;

    void write(std::span<const std::uint32_t> words);  // the next piece

    std::int64_t generation() const { return generation_; }
    const std::vector<std::uint64_t>& checksums() const { return checksums_; }  // of the pieces so far

    void keep() { is_kept_ = true; }

  private:
    std::filesystem::path index_;
    std::int64_t generation_;
    std::vector<std::uint64_t> checksums_;
    bool is_kept_ = false;
};

// A StateWriter of a file that may have arrays in pieces.
class PiecedStateWriter : public StateWriter {
  public:
    // `target` is the path of the file. Ranks that do not write have none.
    PiecedStateWriter(std::string_view method, std::int64_t schema, std::optional<std::filesystem::path> target);

    // Writes an array of `length` >= 1 words in pieces of `piece_length` >= 1 words. get(first, words) returns the
    // words from number `first` on. It is called for one piece after the other, on each rank. A file has one such
    // array.
    using GetWords = std::function<void(std::size_t first, std::span<std::uint32_t> words)>;
    void put_pieces(std::string_view name, std::size_t length, std::size_t piece_length, const GetWords& get);

    // Writes the file, and removes the pieces of the file that it replaces. Does nothing without a target. Throws as
    // StateWriter::commit() does.
    void commit();

  private:
    std::optional<std::filesystem::path> target_;
    std::optional<PieceWriter> pieces_;
};

// Reads pieces. It remains valid when the reader of the index has been closed.
class PieceReader {
  public:
    // Throws bad_file unless the index has the entries of an array of `length` words.
    PieceReader(const StateReader& index, std::string_view name, std::size_t length);

    const std::string& index() const { return index_; }
    std::size_t piece_length() const { return piece_length_; }

    // Reads a piece. Throws as StateReader does, and bad_file if it has other words than those that were saved.
    std::vector<std::uint32_t> read(std::size_t number) const;

  private:
    std::string index_;  // path of the state file
    std::size_t length_, piece_length_;
    std::int64_t generation_;
    std::vector<std::uint64_t> checksums_;
};

}  // namespace legato
