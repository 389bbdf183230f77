// Range checks and saved states of generated parameter structs (tools/parameters.py), through their for_each_parameter().
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/state_fields.hpp"
#include "core/validate.hpp"

namespace legato {

// The values that a parameter may have.
struct Range {
    template <std::integral T>
    constexpr Range(const char* name_, T low, T high, bool used_ = true)
        : name(name_), least(low), most(high), used(used_) {}
    constexpr Range(const char* name_, double low, double high, bool used_ = true)
        : name(name_), real_least(low), real_most(high), used(used_) {}
    constexpr explicit Range(const char* name_) : name(name_) {}  // any value

    const char* name;
    std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    double real_least = std::numeric_limits<double>::lowest(), real_most = std::numeric_limits<double>::max();
    bool used = true;  // false if another parameter makes this one meaningless
};

// Throws invalid_argument "<field>: <value> is not in <range>".
template <class T>
void require_range(const std::string& field, const T& value, const Range& range) {
    if constexpr (std::is_same_v<T, double>)
        require_real(field, value, range.real_least, range.real_most);
    else
        require_integer(field, static_cast<std::int64_t>(value), range.least, range.most);
}
template <class T, std::size_t size>
void require_range(const std::string& field, const std::array<T, size>& values, const Range& range) {
    for (std::size_t i = 0; i < size; ++i) require_range(text(field, '[', i, ']'), values[i], range);
}

// Checks every parameter that is used, in order. `of` is the beginning of the fields' names, "kpm.params".
template <class Params>
void require_parameters(std::string_view of, const Params& params) {
    for_each_parameter(params, [&](const auto& value, const Range& range) {
        if (range.used) require_range(text(of, '.', range.name), value, range);
    });
}

// Writes the parameters as entries "problem/<name>".
template <class Params>
void put_parameters(StateWriter& writer, const Params& params) {
    const PutFields put(writer);
    for_each_parameter(params, [&](const auto& value, const Range& range) { put(text("problem/", range.name), value); });
}

// Reads them. A parameter that an earlier version did not have keeps its default. Ranges are not checked.
template <class Params>
void get_parameters(const StateReader& reader, Params& params) {
    const GetFields get(reader);
    for_each_parameter(params, [&](auto& value, const Range& range) {
        if (const std::string entry = text("problem/", range.name); reader.has(entry)) get(entry, value);
    });
}

}  // namespace legato
