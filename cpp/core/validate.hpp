// Range checks whose message is always "<field>: <value> is not in <range>".
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "core/error.hpp"

namespace legato {

inline void require_integer(std::string_view field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) fail(Status::invalid_argument, field, ": ", value, " is not in ", low, "..", high);
}

// Checks the index of one of `count` existing things.
template <class Index>
void require_index(std::string_view field, Index index, std::size_t count) {
    if (count == 0) fail(Status::invalid_argument, field, ": ", index, " does not exist, because there is none yet");
    require_integer(field, static_cast<std::int64_t>(index), 0, static_cast<std::int64_t>(count) - 1);
}

// Requires a finite value in [low, high].
inline void require_real(std::string_view field, double value, double low, double high) {
    if (!(std::isfinite(value) && value >= low && value <= high))
        fail(Status::invalid_argument, field, ": ", value, " is not in [", low, ", ", high, "]");
}

// Does the same. field() returns the name, and is called only for the message: making a name takes longer than the
// check, and a list may have millions of values.
template <class Field>
requires std::is_invocable_v<Field>
void require_real(const Field& field, double value, double low, double high) {
    if (!(value >= low && value <= high)) require_real(std::string_view(field()), value, low, high);
}

}  // namespace legato
