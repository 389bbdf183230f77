// The values that a parameter may have. Generated parameter structs (tools/parameters.py) list them.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace legato {

struct Range {
    template <std::integral T>
    constexpr Range(const char* name_, T low, T high, bool used_ = true)
        : name(name_), least(low), most(high), used(used_) {}
    constexpr Range(const char* name_, double low, double high, bool used_ = true)
        : name(name_), real_least(low), real_most(high), used(used_) {}
    constexpr explicit Range(const char* name_) : name(name_) {}  // any value

    const char* name;
    const char* entry = name;  // name in saved states
    std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    double real_least = std::numeric_limits<double>::lowest(), real_most = std::numeric_limits<double>::max();
    bool used = true;     // false if another parameter makes this one meaningless
    bool is_new = false;  // true if saved states of earlier versions do not have it

    constexpr Range since_later() const {
        Range range = *this;
        range.is_new = true;
        return range;
    }
    constexpr Range saved_as(const char* entry_) const {
        Range range = *this;
        range.entry = entry_;
        return range;
    }
};

}  // namespace legato
