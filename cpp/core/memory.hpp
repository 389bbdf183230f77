// The memory that computations need, and the memory that is free.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/context.hpp"

namespace legato {

// Bytes that a computation needs: a fixed number, and a number for each of its parts.
struct MemoryNeeds {
    std::int64_t fixed = 0, each = 0;

    // Returns the bytes for `parts` parts, or the largest 64-bit number if that is not enough to hold them.
    std::int64_t bytes(std::int64_t parts) const {
        std::int64_t sum = 0;
        const bool is_beyond = __builtin_mul_overflow(each, parts, &sum) || __builtin_add_overflow(sum, fixed, &sum);
        return is_beyond ? std::numeric_limits<std::int64_t>::max() : sum;
    }
};

// Bytes that may be allocated, and a text about them for messages: "only 4096 bytes of memory are free".
struct MemoryLimit {
    std::int64_t bytes = 0;
    std::string text;
};

// Returns the host memory that the system can give without swapping and within `ulimit -v`, or a large guess if the
// system does not tell. `allocated` bytes of the computation are already in memory; they are added.
MemoryLimit free_memory(std::int64_t allocated = 0);
// Returns the memory where an engine of this backend computes: on CUDA that of the fullest device of the context. On
// the CPU the ranks of a machine have equal shares of the free memory, besides the `allocated` bytes of each.
MemoryLimit free_memory(const Context& context, Backend backend, std::int64_t allocated = 0);

// Throws out_of_memory "<who> <needed> bytes, but <text of the limit>" if the limit is exceeded. `who` ends with the
// verb: "vmc.params.chains: 16 chains need". If parts need memory, the message says how many "would fit".
void require_memory(std::string_view who, std::int64_t needed, const MemoryLimit& limit);
void require_memory(std::string_view who, const MemoryNeeds& needs, std::int64_t parts, const MemoryLimit& limit);

// Returns whether `needed` bytes fit, for the choice of a backend. Logs a line if they do not.
bool fits_memory(const Context& context, std::string_view method, Backend backend, std::int64_t needed,
                 const MemoryLimit& limit);
bool fits_memory(const Context& context, std::string_view method, Backend backend, std::int64_t needed);

}  // namespace legato
