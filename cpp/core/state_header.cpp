#include "core/state_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>

namespace legato::state_format {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                        prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

template <class Word>
std::uint64_t word_at(const std::byte* p) {
    Word word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * prime2, 31) * prime1;
}

std::uint64_t merged(std::uint64_t hash, std::uint64_t lane) {
    return (hash ^ mixed(0, lane)) * prime1 + prime4;
}

// Returns the hash of all whole stripes of 32 bytes, from four lanes.
std::uint64_t stripes(const std::byte* p, const std::byte* end) {
    std::array<std::uint64_t, 4> lanes{prime1 + prime2, prime2, 0, std::uint64_t{0} - prime1};
    for (; end - p >= 32; p += 32)
        for (std::size_t i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i], word_at<std::uint64_t>(p + 8 * i));
    std::uint64_t hash =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = merged(hash, lane);
    return hash;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
    const std::byte* p = bytes.data();
    const std::byte* const end = p + bytes.size();
    std::uint64_t hash = prime5;
    if (bytes.size() >= 32) {
        hash = stripes(p, end);
        p += bytes.size() / 32 * 32;
    }
    hash += bytes.size();
    for (; end - p >= 8; p += 8) hash = std::rotl(hash ^ mixed(0, word_at<std::uint64_t>(p)), 27) * prime1 + prime4;
    for (; end - p >= 4; p += 4) hash = std::rotl(hash ^ word_at<std::uint32_t>(p) * prime1, 23) * prime2 + prime3;
    for (; p != end; ++p) hash = std::rotl(hash ^ std::to_integer<std::uint64_t>(*p) * prime5, 11) * prime1;
    hash = (hash ^ (hash >> 33)) * prime2;
    hash = (hash ^ (hash >> 29)) * prime3;
    return hash ^ (hash >> 32);
}

namespace {

constexpr std::string_view magic = "LEGATO STATE\n";
constexpr std::int64_t newest_format = 1;

struct Header {
    std::int64_t format = newest_format;
    std::string method;
    std::int64_t schema = 0;
    std::uint64_t payload = 0;  // bytes
    std::uint64_t checksum = 0;
};

std::string hexadecimal(std::uint64_t value) {
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value >>= 4)
        *digit = "0123456789abcdef"[value & 15];
    return digits;
}

std::string rendered(const Header& header) {
    std::string block = text(magic, "format: ", header.format, "\nmethod: ", header.method, "\nschema: ", header.schema,
                             "\npayload: ", header.payload, " bytes of HDF5 after byte ", header_size,
                             "\npayload xxh64: ", hexadecimal(header.checksum), '\n');
    block += text("header xxh64: ", hexadecimal(checksum(std::as_bytes(std::span(block)))), '\n');
    block.resize(header_size - 1, ' ');
    return block + '\n';
}

// Returns the text between `key` and the next space or line feed; empty if there is no such key.
std::string_view field(std::string_view block, std::string_view key) {
    const std::size_t found = block.find(key);
    if (found == block.npos) return {};
    const std::string_view rest = block.substr(found + key.size());
    return rest.substr(0, std::min(rest.find_first_of(" \n"), rest.size()));
}

template <class Integer>
std::optional<Integer> number(std::string_view digits, int base = 10) {
    Integer value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

// Returns nullopt unless the block is exactly what this library writes.
std::optional<Header> parsed(std::string_view block) {
    const auto format = number<std::int64_t>(field(block, "\nformat: "));
    const auto schema = number<std::int64_t>(field(block, "\nschema: "));
    const auto payload = number<std::uint64_t>(field(block, "\npayload: "));
    const auto checksum = number<std::uint64_t>(field(block, "\npayload xxh64: "), 16);
    if (!format || !schema || !payload || !checksum) return std::nullopt;
    Header header{*format, std::string(field(block, "\nmethod: ")), *schema, *payload, *checksum};
    if (rendered(header) != block) return std::nullopt;
    return header;
}

std::string printable(std::string_view bytes) {
    std::string shown(bytes);
    for (char& c : shown)
        if (c < ' ' || c > '~') c = '.';
    return shown;
}

// Checks all that the first block and the length of the file can show.
Header checked_header(std::string_view label, std::string_view block, std::uint64_t file_size, std::string_view method,
                      std::int64_t newest_schema) {
    if (!block.starts_with(magic)) {
        if (block.size() < magic.size() && magic.starts_with(block))
            bad_file(label, "it is cut short: found ", block.size(), " bytes, expected ", header_size, " and more");
        bad_file(label, "it is not a Legato state: it begins with \"", printable(block.substr(0, magic.size() - 1)),
                 "\", expected \"", magic.substr(0, magic.size() - 1), "\"");
    }
    if (block.size() < header_size)
        bad_file(label, "it is cut short: found ", block.size(), " bytes, expected ", header_size, " and more");
    const auto format = number<std::int64_t>(field(block, "\nformat: "));
    if (format && *format > newest_format)
        bad_file(label, "found format ", *format, ", expected ", newest_format,
                 ": it was written by a newer version of Legato");
    const auto header = parsed(block);
    if (!header || header->format != newest_format)
        bad_file(label, "its header is damaged: found other text or another checksum than Legato writes");
    if (header->method != method)
        bad_file(label, "found the state of method \"", header->method, "\", expected \"", method, "\"");
    if (header->schema < 1 || header->schema > newest_schema)
        bad_file(label, "found schema ", header->schema, " of ", method, ", expected 1..", newest_schema,
                 ": it was written by a newer version of Legato");
    if (header->payload != file_size - header_size)
        bad_file(label, file_size - header_size < header->payload ? "it is cut short" : "it is too long", ": found ",
                 file_size, " bytes, expected ", header_size, " + ", header->payload);
    return *header;
}

std::string_view first_block(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), header_size)};
}

}  // namespace

std::string header(std::string_view method, std::int64_t schema, std::span<const std::byte> payload) {
    return rendered({newest_format, std::string(method), schema, payload.size(), checksum(payload)});
}

void check_method(std::string_view method, std::int64_t schema) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    if (method.empty() || method.size() > 32 || !std::all_of(method.begin(), method.end(), allowed))
        fail(Status::internal_error, "state file: \"", method, "\" cannot be a method's name");
    if (schema < 1) fail(Status::internal_error, "state file: schema ", schema, " is not 1 or more");
}

void check_header(std::string_view label, std::span<const std::byte> start, std::uint64_t file_size,
                  std::string_view method, std::int64_t newest_schema) {
    checked_header(label, first_block(start), file_size, method, newest_schema);
}

std::int64_t checked_schema(std::string_view label, std::span<const std::byte> file, std::string_view method,
                            std::int64_t newest_schema) {
    const Header header = checked_header(label, first_block(file), file.size(), method, newest_schema);
    const std::uint64_t found = checksum(file.subspan(header_size));
    if (found != header.checksum)
        bad_file(label, "it is damaged: found checksum ", hexadecimal(found), ", expected ",
                 hexadecimal(header.checksum));
    return header.schema;
}

}  // namespace legato::state_format
