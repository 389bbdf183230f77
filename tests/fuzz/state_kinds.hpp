// The seven kinds of state file, through the C interface: small runs to save, and what becomes of a file that is
// resumed.
#pragma once

#include <cstdint>
#include <span>

namespace legato::fuzz {

struct StateKind {
    const char* method;  // as the header of the file names it
    std::int64_t schema;
    int runs;  // that save() knows
    void (*save)(int run, const char* path);
    // Takes the file up, goes a little further where that is quick, and returns the status of taking it up.
    std::int32_t (*resume)(const char* path);
};

std::span<const StateKind> state_kinds();

// Of the last call that failed.
const char* last_message();

}  // namespace legato::fuzz
