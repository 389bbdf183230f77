// Range checks whose message is always "<field>: <value> is not in <range>".
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "core/error.hpp"

namespace legato {

inline void require_integer(std::string_view field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) fail(Status::invalid_argument, field, ": ", value, " is not in ", low, "..", high);
}

// Finite and in [low, high].
inline void require_real(std::string_view field, double value, double low, double high) {
    if (!(std::isfinite(value) && value >= low && value <= high))
        fail(Status::invalid_argument, field, ": ", value, " is not in [", low, ", ", high, "]");
}

}  // namespace legato
