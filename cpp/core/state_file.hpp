// Every method saves its state as named scalars and arrays in one HDF5 file, which h5dump and h5ls can read. A readable
// header precedes the HDF5 data, names the method and holds the checksums (core/state_header.hpp). A file is written
// beside its target and renamed over it, so that there is always a complete one. A broken, foreign or newer file is
// refused with a message that names it. HDF5 only writes; the reader does not use it.
//
// Debian's HDF5 is not thread-safe, so all calls made here take turns. They cannot take turns with a program that calls
// HDF5 itself in another thread at the same time.
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

class ReplacementFile;

// Types of array elements. The file has them as they are in memory (little-endian).
template <class T>
concept StateElement = std::same_as<T, double> || std::same_as<T, std::int8_t> || std::same_as<T, std::uint8_t> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint64_t>;

// Types of integer scalars: all types whose values fit a signed 64-bit integer.
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

    // Writes part of an array of `length` elements that is too large to be in memory twice. values[i] goes to
    // [first + i]. The part with first = 0 must come before all others.
    template <StateElement T>
    void put_part(std::string_view name, std::size_t length, std::size_t first, std::span<const T> values);

    // Writes the file. Throws io_error "state file <path>: <what>: <why>" if this fails. The file at `path` is then the
    // old one, or the new one if only the fsync of its folder failed.
    void commit(const std::filesystem::path& path) { commit(path, path); }
    // The same. The file has the permissions of `like`, if that exists, and otherwise those that the umask leaves.
    // Messages call it `kind`.
    void commit(const std::filesystem::path& path, const std::filesystem::path& like, const char* kind = "state file");

  protected:
    void write_to(ReplacementFile& file);

  private:
    struct Image;
    std::string method_;
    std::int64_t schema_;
    std::unique_ptr<Image> image_;
};

// Reads the bytes of a file, for StateReader. Throws bad_file if its header or its length is wrong, io_error if the
// file cannot be read, and out_of_memory if it is larger than the free memory.
std::vector<std::byte> load_state(const std::filesystem::path& path, std::string_view method,
                                  std::int64_t newest_schema);

// Reads what a StateWriter wrote. Throws bad_file if something is not as expected; the message names the file, what was
// found and what was expected. Throws io_error if the file cannot be read at all, and out_of_memory if it is larger
// than the free memory.
class StateReader {
  public:
    StateReader(const std::filesystem::path& path, std::string_view method, std::int64_t newest_schema);
    // Reads from the bytes of a file. `label` stands for its path in messages.
    StateReader(std::vector<std::byte> file, std::string label, std::string_view method, std::int64_t newest_schema);
    ~StateReader();
    StateReader(StateReader&&) noexcept;
    StateReader& operator=(StateReader&&) noexcept;

    // Frees the copy of the file, so that a run can use its memory. Nothing can be read afterwards.
    void close();

    std::int64_t schema() const;
    const std::string& label() const;

    // Returns whether the file has an entry of this name. Earlier versions may not have written it.
    bool has(std::string_view name) const;

    // Throws bad_file if a group has an entry that has not been read, for example a parameter of a later version.
    void require_known(std::string_view group) const;

    std::int64_t get_int(std::string_view name) const;
    std::int64_t get_int(std::string_view name, std::int64_t low, std::int64_t high) const;
    double get_real(std::string_view name) const;  // the value is finite
    std::string get_text(std::string_view name) const;

    template <StateElement T>
    std::vector<T> get(std::string_view name, std::size_t length) const {
        expect<T>(name, length);
        std::vector<T> values(length);
        get_part(name, length, 0, std::span<T>(values));
        return values;
    }
    std::vector<double> get_reals(std::string_view name, std::size_t length) const;  // all values are finite
    std::vector<std::int64_t> get_ints(std::string_view name, std::size_t length) const {
        return get<std::int64_t>(name, length);
    }
    std::vector<std::uint32_t> get_words(std::string_view name, std::size_t length) const {
        return get<std::uint32_t>(name, length);
    }

    // Throws unless the file holds an array of `length` under this name. Call it before memory is allocated for one.
    template <StateElement T>
    void expect(std::string_view name, std::size_t length) const;

    // Reads elements first, first + 1, ... of an array of `length`.
    template <StateElement T>
    void get_part(std::string_view name, std::size_t length, std::size_t first, std::span<T> values) const;

    // Throws bad_file "state file <path>: <why>", for errors that only the method itself can detect.
    [[noreturn]] void refuse(const std::string& why) const;

    // Calls check(). Its errors about arguments become bad_file, because the file is wrong. It must not pass data to
    // other ranks.
    template <class Check>
    void require_valid(Check&& check) const {
        try {
            check();
        } catch (const Error& error) {
            if (error.status() != Status::invalid_argument) throw;  // bad_file names the file already
            refuse(error.what());
        }
    }

  private:
    struct Image;
    std::int64_t schema_ = 0;
    std::unique_ptr<Image> image_;
};

}  // namespace legato
