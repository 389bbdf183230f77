// How every method saves its state: named scalars and arrays in one HDF5 file (h5dump and h5ls read it),
// behind a readable header that says whose state it is and carries the checksums (core/state_header.hpp). A file
// is written beside its target and renamed over it, so that there is always a whole one; a broken, foreign or
// newer file is refused by name before HDF5 sees a byte of it.
//
// Debian's HDF5 is not thread-safe: all calls made here take turns. A program that uses HDF5 itself, in
// another thread and at the same time, is beyond that.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace legato {

// What an array may hold: as it is here, so it is in the file (little-endian).
template <class T>
concept StateElement = std::same_as<T, double> || std::same_as<T, std::int8_t> || std::same_as<T, std::uint8_t> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint64_t>;

// What counts as an integer scalar: all that a 64-bit signed integer can hold.
template <class T>
concept StateScalar = std::integral<T> &&(std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t));

// Collects a state in memory. A name may have groups ("problem/width") and is used once.
class StateWriter {
  public:
    // `method`: 1 to 32 of a-z, 0-9 and _. `schema` >= 1 counts the changes of this method's layout.
    StateWriter(std::string_view method, std::int64_t schema);
    ~StateWriter();
    StateWriter(StateWriter&&) noexcept;
    StateWriter& operator=(StateWriter&&) noexcept;

    void put(std::string_view name, std::int64_t value);
    void put(std::string_view name, double value);
    void put(std::string_view name, std::string_view value);
    template <StateScalar T>
    void put(std::string_view name, T value) {
        put(name, static_cast<std::int64_t>(value));
    }

    template <StateElement T>
    void put(std::string_view name, std::span<const T> values) {
        put_part(name, values.size(), 0, values);
    }
    template <StateElement T>
    void put(std::string_view name, const std::vector<T>& values) {
        put(name, std::span<const T>(values));
    }

    // Part of an array of `length` that is too large to have twice in memory: values[i] goes to [first + i].
    // The part with first = 0 comes before all others.
    template <StateElement T>
    void put_part(std::string_view name, std::size_t length, std::size_t first, std::span<const T> values);

    // Writes the file. Throws io_error "state file <path>: <what>: <why>"; what was at `path` is then as
    // before, or, where only the fsync of its folder has failed, the new file.
    void commit(const std::filesystem::path& path);

  private:
    struct Image;
    std::string method_;
    std::int64_t schema_;
    std::unique_ptr<Image> image_;
};

// Reads what a StateWriter wrote. Whatever is not as expected is a bad_file whose message names the file,
// what was found and what was expected; a file that cannot be read at all is an io_error, one larger than the
// free memory an out_of_memory.
class StateReader {
  public:
    StateReader(const std::filesystem::path& path, std::string_view method, std::int64_t newest_schema);
    // The same from the bytes of a file; `label` stands for its path in messages.
    StateReader(std::vector<std::byte> file, std::string label, std::string_view method, std::int64_t newest_schema);
    ~StateReader();
    StateReader(StateReader&&) noexcept;
    StateReader& operator=(StateReader&&) noexcept;

    // Gives up the copy of the file: before a run takes its memory. Nothing can be read any more.
    void close();

    std::int64_t schema() const;

    // Returns whether the file has an entry of this name. Earlier versions may not have written it.
    bool has(std::string_view name) const;

    std::int64_t get_int(std::string_view name) const;
    std::int64_t get_int(std::string_view name, std::int64_t low, std::int64_t high) const;
    double get_real(std::string_view name) const;  // finite
    std::string get_text(std::string_view name) const;

    template <StateElement T>
    std::vector<T> get(std::string_view name, std::size_t length) const {
        expect<T>(name, length);
        std::vector<T> values(length);
        get_part(name, length, 0, std::span<T>(values));
        return values;
    }
    std::vector<double> get_reals(std::string_view name, std::size_t length) const;  // all finite
    std::vector<std::int64_t> get_ints(std::string_view name, std::size_t length) const {
        return get<std::int64_t>(name, length);
    }
    std::vector<std::uint32_t> get_words(std::string_view name, std::size_t length) const {
        return get<std::uint32_t>(name, length);
    }

    // Throws unless the file holds an array of `length` under this name; only then take memory for it.
    template <StateElement T>
    void expect(std::string_view name, std::size_t length) const;

    // Elements first, first + 1, ... of an array of `length`.
    template <StateElement T>
    void get_part(std::string_view name, std::size_t length, std::size_t first, std::span<T> values) const;

    // Throws bad_file "state file <path>: <why>", for what only the method itself can tell.
    [[noreturn]] void refuse(const std::string& why) const;

    // check() speaks of arguments; here the file is to blame.
    template <class Check>
    void require_valid(Check&& check) const {
        try {
            check();
        } catch (const Error& error) {
            if (error.status() == Status::bad_file) throw;  // it names the file already
            refuse(error.what());
        }
    }

  private:
    struct Image;
    std::int64_t schema_ = 0;
    std::unique_ptr<Image> image_;
};

}  // namespace legato
