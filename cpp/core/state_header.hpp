// The readable block in front of a state file's HDF5 data. It names the method and holds the checksums:
//
//     LEGATO STATE
//     format: 1
//     method: tmm
//     schema: 1
//     payload: 8192 bytes of HDF5 after byte 512
//     payload xxh64: 0123456789abcdef
//     header xxh64: 0123456789abcdef                        (of the lines above; then spaces and a line feed)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace legato::state_format {

inline constexpr std::size_t header_size = 512;

// XXH64 with seed 0 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
std::uint64_t checksum(std::span<const std::byte> bytes);

// Returns the whole block of header_size bytes in front of `payload`.
std::string header(std::string_view method, std::int64_t schema, std::span<const std::byte> payload);

// Throws an internal_error unless a header can contain this method and schema.
void check_method(std::string_view method, std::int64_t schema);

// Throws bad_file if the start of a file or its length is wrong. `start` has header_size bytes, or all if the file is
// shorter. `label` stands for its path in messages.
void check_header(std::string_view label, std::span<const std::byte> start, std::uint64_t file_size,
                  std::string_view method, std::int64_t newest_schema);

// Checks a whole file in the same way, and the checksum of its payload. Returns its schema.
std::int64_t checked_schema(std::string_view label, std::span<const std::byte> file, std::string_view method,
                            std::int64_t newest_schema);

template <class... Parts>
[[noreturn]] void bad_file(std::string_view label, Parts&&... parts) {
    fail(Status::bad_file, "state file ", label, ": ", std::forward<Parts>(parts)...);
}

}  // namespace legato::state_format
