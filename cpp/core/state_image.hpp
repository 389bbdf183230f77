// The whole state file in memory, for StateWriter and StateReader. HDF5 writes the datasets. They are read without
// HDF5, because some damaged files crash it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "core/hdf5.hpp"
#include "core/hdf5_layout.hpp"
#include "core/state_file.hpp"
#include "core/state_header.hpp"

namespace legato {

// Throws io_error, with the names of the method and the entry, if HDF5 refuses a call.
struct StateWriter::Image {
    explicit Image(std::string method);

    template <class T>  // std::int64_t or double
    void put_scalar(std::string_view name, T value) const;
    void put_text(std::string_view name, std::string_view value) const;  // `value` has no zero bytes
    template <StateElement T>
    void put_part(std::string_view name, std::size_t length, std::size_t first, std::span<const T> values) const;

    // Returns the bytes of the file. The caller fills the first state_format::header_size of them. They are in HDF5's
    // own memory, so that a large state is in memory only once.
    std::span<std::byte> bytes() const;

  private:
    hdf5::Handle create(const std::string& name, hid_t type, const hdf5::Handle& space) const;
    void write_scalar(std::string_view name, hid_t file_type, hid_t memory_type, const void* value) const;
    [[noreturn]] void fail_at(std::string_view name) const {
        fail(Status::io_error, "state of ", method_, ": entry ", name, ": ", hdf5::reason());
    }

    std::string method_;
    hdf5::Handle file_;
};

// Reads a whole file whose header and checksum have been checked. Throws bad_file, with the names of the file and the
// entry, if something is wrong nevertheless.
struct StateReader::Image {
    Image(std::vector<std::byte> file, std::string path);

    bool has(std::string_view name) const;
    template <class T>  // std::int64_t or double
    T get_scalar(std::string_view name) const;
    std::string get_text(std::string_view name) const;
    template <StateElement T>
    void expect(std::string_view name, std::size_t length) const;
    template <StateElement T>
    void get_part(std::string_view name, std::size_t length, std::size_t first, std::span<T> values) const;
    void require_known(std::string_view group) const;
    template <class... Parts>
    [[noreturn]] void refuse(std::string_view name, Parts&&... parts) const {
        state_format::bad_file(label, "entry ", name, ": ", std::forward<Parts>(parts)...);
    }

    const std::string label;

  private:
    // Expects a scalar if `length` is nullopt.
    hdf5::Dataset expected(std::string_view name, hdf5::Dataset::Kind kind, std::size_t size,
                           std::optional<std::size_t> length) const;
    hdf5::Dataset found(std::string_view name) const;

    std::vector<std::byte> bytes_;
    hdf5::Layout layout_;
    mutable std::set<std::string, std::less<>> known_;  // the entries that have been asked for
};

// Lists the types of StateElement, for explicit instantiations.
#define LEGATO_FOR_STATE_ELEMENTS(INSTANTIATE) \
    INSTANTIATE(double)                        \
    INSTANTIATE(std::int8_t)                   \
    INSTANTIATE(std::uint8_t)                  \
    INSTANTIATE(std::int32_t)                  \
    INSTANTIATE(std::uint32_t)                 \
    INSTANTIATE(std::int64_t)                  \
    INSTANTIATE(std::uint64_t)

}  // namespace legato
