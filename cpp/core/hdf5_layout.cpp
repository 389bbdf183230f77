#include "core/hdf5_layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/error.hpp"

namespace legato::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "state files are read as they lie in memory");

// Types of messages.
constexpr std::uint16_t dataspace = 0x0001, datatype = 0x0003, external_files = 0x0007, data_layout = 0x0008,
                        filters = 0x000B, continuation = 0x0010, symbol_table = 0x0011;
constexpr std::uint64_t undefined_address = ~std::uint64_t{0};

template <class... Parts>
[[noreturn]] void unreadable(Parts&&... parts) {
    throw Unreadable{text(std::forward<Parts>(parts)...)};
}

bool has(std::span<const std::byte> bytes, std::initializer_list<int> expected) {
    return std::equal(bytes.begin(), bytes.end(), expected.begin(), expected.end(),
                      [](std::byte found, int value) { return std::to_integer<int>(found) == value; });
}

}  // namespace

std::span<const std::byte> Layout::bytes(std::uint64_t at, std::uint64_t count) const {
    if (at > file_.size() || count > file_.size() - at)
        unreadable("found ", count, " bytes at ", at, " of an HDF5 file of ", file_.size());
    return file_.subspan(at, count);
}

template <class T>
T Layout::number(std::uint64_t at) const {
    T value;
    std::memcpy(&value, bytes(at, sizeof value).data(), sizeof value);
    return value;
}

void Layout::expect_signature(std::uint64_t at, std::string_view signature) const {
    if (std::memcmp(bytes(at, signature.size()).data(), signature.data(), signature.size()) != 0)
        unreadable("found no ", signature, " at ", at, " of the HDF5 file");
}

Layout::Layout(std::span<const std::byte> file) : file_(file) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    constexpr std::size_t superblock = 96;
    if (file.size() < superblock || std::memcmp(file.data(), signature.data(), signature.size()) != 0)
        unreadable("found no HDF5 file");
    // Versions of superblock, free space, root group and shared messages; sizes of addresses and lengths.
    for (const std::uint64_t at : {8u, 9u, 10u, 12u})
        if (number<std::uint8_t>(at) != 0) unreadable("found an HDF5 superblock of another version than 0");
    if (!has(bytes(13, 2), {8, 8})) unreadable("found HDF5 addresses of another size than 8");
    root_ = number<std::uint64_t>(64);
}

// Returns the messages of an object header of version 1. Their number has 16 bits, so that the work ends even if
// continuations lead in a circle.
std::vector<Layout::Message> Layout::messages(std::uint64_t object) const {
    if (number<std::uint8_t>(object) != 1) unreadable("found an HDF5 object header of another version than 1");
    const auto number_of_messages = number<std::uint16_t>(object + 2);
    std::vector<Message> found;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks{{object + 16, number<std::uint32_t>(object + 8)}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        auto [at, left] = blocks[i];
        bytes(at, left);
        while (left >= 8 && found.size() < number_of_messages) {
            const Message message{number<std::uint16_t>(at), (number<std::uint8_t>(at + 4) & 2) != 0, at + 8,
                                  number<std::uint16_t>(at + 2)};
            if (message.size > left - 8) unreadable("found an HDF5 message that is longer than its header");
            if (message.type == continuation && message.size >= 16)
                blocks.emplace_back(number<std::uint64_t>(message.at), number<std::uint64_t>(message.at + 8));
            found.push_back(message);
            at += 8 + message.size;
            left -= 8 + message.size;
        }
    }
    return found;
}

Layout::Message Layout::message(std::span<const Message> all, std::uint16_t type, std::uint64_t least_size) const {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Message& m) { return m.type == type; });
    if (found == all.end() || found->shared || found->size < least_size)
        unreadable("found no HDF5 message of type ", type, " with ", least_size, " bytes, expected a dataset");
    return *found;
}

// Returns nullopt if the object is not a group but, for example, a dataset.
std::optional<Layout::Group> Layout::group(std::uint64_t object) const {
    for (const Message& message : messages(object)) {
        if (message.type != symbol_table || message.shared || message.size < 16) continue;
        const auto heap = number<std::uint64_t>(message.at + 8);
        expect_signature(heap, "HEAP");
        return Group{number<std::uint64_t>(message.at), number<std::uint64_t>(heap + 24),
                     number<std::uint64_t>(heap + 8)};
    }
    return std::nullopt;
}

std::string_view Layout::name_at(const Group& group, std::uint64_t offset) const {
    const auto names = bytes(group.names, group.size_of_names);
    if (offset >= names.size()) unreadable("found an HDF5 name at ", offset, " of ", names.size(), " bytes");
    constexpr std::size_t longest = 255;  // limit, because a large file with long names could take very long
    const auto rest = names.subspan(offset, std::min(longest + 1, names.size() - offset));
    const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
    if (end == rest.end()) unreadable("found an HDF5 name of more than ", longest, " characters");
    return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

// Goes down a B-tree. Its keys lie between the children: child i has the names up to that of key i + 1.
std::optional<std::uint64_t> Layout::table_for(const Group& group, std::string_view name) const {
    std::uint64_t node = group.tree;
    for (int level = -1;;) {
        expect_signature(node, "TREE");
        const int found_level = number<std::uint8_t>(node + 5);
        if (number<std::uint8_t>(node + 4) != 0 || (level >= 0 && found_level != level))
            unreadable("found an HDF5 B-tree out of order");
        const auto children = number<std::uint16_t>(node + 6);
        std::uint64_t i = 0;
        while (i < children && name_at(group, number<std::uint64_t>(node + 24 + 16 * (i + 1))) < name) ++i;
        if (i == children) return std::nullopt;
        node = number<std::uint64_t>(node + 32 + 16 * i);
        if (found_level == 0) return node;
        level = found_level - 1;
    }
}

std::optional<std::uint64_t> Layout::object_in(const Group& group, std::string_view name) const {
    const std::optional<std::uint64_t> table = table_for(group, name);
    if (!table) return std::nullopt;
    expect_signature(*table, "SNOD");
    const auto symbols = number<std::uint16_t>(*table + 6);
    for (std::uint64_t i = 0; i < symbols; ++i) {
        const std::uint64_t entry = *table + 8 + 40 * i;
        if (name_at(group, number<std::uint64_t>(entry)) != name) continue;
        constexpr std::uint32_t soft_link = 2;
        if (number<std::uint32_t>(entry + 16) == soft_link) unreadable("found a soft link, expected a dataset");
        return number<std::uint64_t>(entry + 8);
    }
    return std::nullopt;
}

Dataset Layout::find(std::string_view name) const {
    std::uint64_t object = root_;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::optional<Group> here = group(object);
        const auto next = here ? object_in(*here, name.substr(begin, end - begin)) : std::nullopt;
        if (!next) unreadable("found none, expected one");
        object = *next;
        begin = end + 1;
    }
    const std::vector<Message> all = messages(object);
    const auto elsewhere = [](const Message& m) { return m.type == external_files || m.type == filters; };
    if (std::any_of(all.begin(), all.end(), elsewhere)) unreadable("found another layout, expected contiguous");
    Dataset dataset{};
    read_space(message(all, dataspace, 8), dataset);
    read_type(message(all, datatype, 8), dataset);
    read_place(message(all, data_layout, 18), dataset);
    return dataset;
}

// Visits all nodes of the group's B-tree. A damaged tree may lead in circles, so that their number is bounded.
std::vector<std::string_view> Layout::names_in(std::string_view name) const {
    constexpr std::size_t most = 10000;
    const std::optional<Group> root = group(root_);
    const auto object = root ? object_in(*root, name) : std::nullopt;
    const std::optional<Group> here = object ? group(*object) : std::nullopt;
    std::vector<std::string_view> names;
    if (!here) return names;
    std::vector<std::uint64_t> nodes{here->tree};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes.size() > most || names.size() > most)
            unreadable("found more than ", most, " entries in an HDF5 group");
        const std::uint64_t node = nodes[i];
        const bool leaf = std::memcmp(bytes(node, 4).data(), "SNOD", 4) == 0;
        if (!leaf) expect_signature(node, "TREE");
        const auto count = number<std::uint16_t>(node + 6);
        for (std::uint64_t k = 0; k < count; ++k) {
            if (leaf)
                names.push_back(name_at(*here, number<std::uint64_t>(node + 8 + 40 * k)));
            else
                nodes.push_back(number<std::uint64_t>(node + 32 + 16 * k));
        }
    }
    return names;
}

void Layout::read_space(const Message& space, Dataset& dataset) const {
    const int rank = number<std::uint8_t>(space.at + 1);
    if (number<std::uint8_t>(space.at) != 1) unreadable("found an HDF5 dataspace of another version than 1");
    if (rank > 1) unreadable("found an array of ", rank, " dimensions");
    if (rank == 0) return;
    if (space.size < 16) unreadable("found an HDF5 dataspace of ", space.size, " bytes");
    dataset.length = number<std::uint64_t>(space.at + 8);
}

void Layout::read_type(const Message& type, Dataset& dataset) const {
    const auto description = bytes(type.at, 4), properties = bytes(type.at + 8, type.size - 8);
    const auto size = number<std::uint32_t>(type.at + 4);
    if (size == 0) unreadable("found values of 0 bytes");
    dataset.size = size;
    dataset.kind = Dataset::Kind::other;
    const int bits = static_cast<int>(8 * std::min<std::uint32_t>(size, 8));
    const bool whole = properties.size() >= 4 && has(properties.first(4), {0, 0, bits, 0});
    if (whole && has(description, {0x10, 0x08, 0, 0})) dataset.kind = Dataset::Kind::integer;
    if (whole && has(description, {0x10, 0x00, 0, 0})) dataset.kind = Dataset::Kind::unsigned_integer;
    if (has(description, {0x13, 0x01, 0, 0})) dataset.kind = Dataset::Kind::text;
    if (size == 8 && has(description, {0x11, 0x20, 0x3f, 0}) && properties.size() >= 12 &&
        has(properties.first(12), {0, 0, 64, 0, 52, 11, 0, 52, 0xff, 0x03, 0, 0}))
        dataset.kind = Dataset::Kind::real;
}

void Layout::read_place(const Message& place, Dataset& dataset) const {
    if (!has(bytes(place.at, 2), {3, 1})) unreadable("found another layout, expected contiguous");
    const auto address = number<std::uint64_t>(place.at + 2);
    const auto stored = address == undefined_address ? 0 : number<std::uint64_t>(place.at + 10);
    const std::uint64_t count = dataset.length.value_or(1);
    if (stored / dataset.size != count || stored % dataset.size != 0)
        unreadable("found ", stored, " bytes for ", count, " values of ", dataset.size, " bytes in a file of ",
                   file_.size());
    if (stored > 0) dataset.values = bytes(address, stored);
}

}  // namespace legato::hdf5
