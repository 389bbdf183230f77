// The members of a plain struct in a state file. One function template lists them: it calls fields(name, member) for
// each. `fields` is a PutFields, which writes the members, or a GetFields, which reads them.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <type_traits>

#include "core/state_file.hpp"

namespace legato {

// Type in the file of an array element of type T.
template <class T>
using StoredElement =
    std::conditional_t<std::is_same_v<T, bool>, std::int8_t, std::conditional_t<std::is_enum_v<T>, std::int64_t, T>>;

// Returns the name of the entry that holds a vector's length: "problem/n_sites" for "problem/sites".
inline std::string length_entry(std::string_view name) {
    return std::string(name).insert(name.rfind('/') + 1, "n_");
}

class PutFields {
  public:
    explicit PutFields(StateWriter& writer) : writer_(writer) {}

    template <class T>
    void operator()(std::string_view name, T value) const {
        if constexpr (std::is_enum_v<T>)
            writer_.put(name, static_cast<std::int64_t>(value));
        else
            writer_.put(name, value);
    }
    template <class T>
    void operator()(std::string_view name, const std::vector<T>& values) const {
        writer_.put(length_entry(name), std::ssize(values));
        writer_.put(name, values);
    }
    template <class T, std::size_t size>
    void operator()(std::string_view name, const std::array<T, size>& values) const {
        std::vector<StoredElement<T>> stored(size);
        for (std::size_t i = 0; i < size; ++i) stored[i] = static_cast<StoredElement<T>>(values[i]);
        writer_.put(name, stored);
    }

  private:
    StateWriter& writer_;
};

// Reads numbers, and throws bad_file unless they are finite and fit their members. Further checks are for validate().
class GetFields {
  public:
    explicit GetFields(const StateReader& reader) : reader_(reader) {}

    template <class T>
    void operator()(std::string_view name, T& value) const {
        if constexpr (std::is_same_v<T, double>)
            value = reader_.get_real(name);
        else if constexpr (std::is_same_v<T, bool>)
            value = reader_.get_int(name, 0, 1) != 0;
        else if constexpr (std::is_same_v<T, std::int64_t>)
            value = reader_.get_int(name);
        else
            value = static_cast<T>(reader_.get_int(name, least, most));
    }
    template <class T>
    void operator()(std::string_view name, std::vector<T>& values) const {
        const auto length = static_cast<std::size_t>(reader_.get_int(length_entry(name), 0, most));
        if constexpr (std::is_same_v<T, double>)
            values = reader_.get_reals(name, length);
        else
            values = reader_.get<T>(name, length);
    }
    template <class T, std::size_t size>
    void operator()(std::string_view name, std::array<T, size>& values) const {
        if constexpr (std::is_same_v<T, double>) {
            const std::vector<double> stored = reader_.get_reals(name, size);
            std::copy(stored.begin(), stored.end(), values.begin());
        } else {
            const std::vector<StoredElement<T>> stored = reader_.get<StoredElement<T>>(name, size);
            for (std::size_t i = 0; i < size; ++i) {
                if constexpr (std::is_same_v<T, bool>) require_within(name, i, stored[i], 0, 1);
                if constexpr (std::is_enum_v<T>) require_within(name, i, stored[i], least, most);
                values[i] = static_cast<T>(stored[i]);
            }
        }
    }

  private:
    static constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();

    void require_within(std::string_view name, std::size_t i, std::int64_t value, int low, int high) const {
        if (value < low || value > high)
            reader_.refuse(text("entry ", name, ": found ", value, " at [", i, "], expected ", low, "..", high));
    }

    const StateReader& reader_;
};

}  // namespace legato
