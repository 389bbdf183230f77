// The seven kinds of state files, through the C interface: small runs to save, and functions to resume them.
#pragma once

#include <cstdint>
#include <span>

namespace legato::fuzz {

struct StateKind {
    const char* method;  // name in the header of the file
    std::int64_t schema;
    int runs;  // number of runs that save() knows
    void (*save)(int run, const char* path);
    // Resumes from the file, advances a little if that is quick, and returns the status of resuming.
    std::int32_t (*resume)(const char* path);
};

std::span<const StateKind> state_kinds();

// Returns the message of the last call that failed.
const char* last_message();

}  // namespace legato::fuzz
