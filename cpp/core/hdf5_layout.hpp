// Finds the values in the single HDF5 layout that state files have: superblock of version 0, groups of symbol tables,
// contiguous data. Whatever the bytes are, nothing outside them is read. No memory is allocated in proportion to sizes
// that they claim, and the work is bounded by their number. The HDF5 library guarantees none of this. The layout is
// that of "HDF5 File Format Specification Version 3.0", The HDF Group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace legato::hdf5 {

// Layout throws Unreadable if the bytes have another layout, or hold no such dataset.
struct Unreadable {
    std::string why;
};

struct Dataset {
    enum class Kind { integer, unsigned_integer, real, text, other };
    Kind kind;                          // numbers are little-endian, reals IEEE 754; text is padded with zeros
    std::size_t size;                   // bytes of an element; at least 1
    std::optional<std::size_t> length;  // nullopt: a scalar
    std::span<const std::byte> values;  // size * length bytes
};

class Layout {
  public:
    // Refers to `file`, which must outlive the layout. It begins with the superblock, from which addresses count.
    explicit Layout(std::span<const std::byte> file);

    // Returns the dataset "group/group/name".
    Dataset find(std::string_view name) const;

    // Returns the names in a group of the root; none if there is no such group.
    std::vector<std::string_view> names_in(std::string_view group) const;

  private:
    struct Message {
        std::uint16_t type;
        bool shared;
        std::uint64_t at, size;
    };
    struct Group {
        std::uint64_t tree, names, size_of_names;
    };

    std::span<const std::byte> bytes(std::uint64_t at, std::uint64_t count) const;
    template <class T>
    T number(std::uint64_t at) const;
    void expect_signature(std::uint64_t at, std::string_view signature) const;
    std::vector<Message> messages(std::uint64_t object) const;
    Message message(std::span<const Message> all, std::uint16_t type, std::uint64_t least_size) const;
    std::optional<Group> group(std::uint64_t object) const;
    std::string_view name_at(const Group& group, std::uint64_t offset) const;
    std::optional<std::uint64_t> table_for(const Group& group, std::string_view name) const;
    std::optional<std::uint64_t> object_in(const Group& group, std::string_view name) const;
    void read_space(const Message& space, Dataset& dataset) const;
    void read_type(const Message& type, Dataset& dataset) const;
    void read_place(const Message& place, Dataset& dataset) const;

    std::span<const std::byte> file_;
    std::uint64_t root_ = 0;
};

}  // namespace legato::hdf5
