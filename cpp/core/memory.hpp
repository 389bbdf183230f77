// Memory: how much computations take, and how much there is.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/context.hpp"

namespace legato {

// Bytes that a computation takes: whatever its size is, and for each of the parts that it consists of.
struct MemoryNeeds {
    std::int64_t fixed = 0, each = 0;

    // What 64 bits do not hold counts as all that they do.
    std::int64_t bytes(std::int64_t parts) const {
        std::int64_t sum = 0;
        const bool is_beyond = __builtin_mul_overflow(each, parts, &sum) || __builtin_add_overflow(sum, fixed, &sum);
        return is_beyond ? std::numeric_limits<std::int64_t>::max() : sum;
    }
};

// Bytes that may be taken, and how messages call them: "only 4096 bytes of memory are free".
struct MemoryLimit {
    std::int64_t bytes = 0;
    std::string words;
};

// Of the host: what the system says can be had without swapping, and within `ulimit -v`; a large guess where it does
// not say. `held`: bytes of what the computation takes that it has already.
MemoryLimit free_memory(std::int64_t held = 0);
// Where an engine of this backend computes.
MemoryLimit free_memory(const Context& context, Backend backend, std::int64_t held = 0);

// Throw an out_of_memory "<who> <needed> bytes, but <words of the limit>", and how many parts "would fit" where each
// takes some; `who` ends with the verb: "vmc.params.chains: 16 chains need".
void require_memory(std::string_view who, std::int64_t needed, const MemoryLimit& limit);
void require_memory(std::string_view who, const MemoryNeeds& needs, std::int64_t parts, const MemoryLimit& limit);

// For the choice of a backend: whether so much fits; where it does not, that is logged.
bool fits_memory(const Context& context, std::string_view method, Backend backend, std::int64_t needed,
                 const MemoryLimit& limit);
bool fits_memory(const Context& context, std::string_view method, Backend backend, std::int64_t needed);

}  // namespace legato
