// Range checks and saved states of generated parameter structs (tools/parameters.py), through their
// for_each_parameter().
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/range.hpp"
#include "core/state_fields.hpp"
#include "core/validate.hpp"

namespace legato {

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

// Writes the parameters as entries "<group>/<entry>" of a state file.
template <class Params>
void put_parameters(StateWriter& writer, const Params& params, std::string_view group = "problem") {
    const PutFields put(writer);
    for_each_parameter(params,
                       [&](const auto& value, const Range& range) { put(text(group, '/', range.entry), value); });
}

// Reads them. A new parameter that the file does not have keeps its value; if `is_older` is true, so does any other.
// Throws bad_file if another entry is missing. Ranges are not checked.
template <class Params>
void get_parameters(const StateReader& reader, Params& params, std::string_view group = "problem",
                    bool is_older = false) {
    const GetFields get(reader);
    for_each_parameter(params, [&](auto& value, const Range& range) {
        const std::string entry = text(group, '/', range.entry);
        if ((range.is_new || is_older) && !reader.has(entry)) return;
        get(entry, value);
    });
}

}  // namespace legato
