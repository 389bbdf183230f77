// Compares the arguments of a collective call among the ranks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/context.hpp"
#include "core/cpu_level.hpp"
#include "core/range.hpp"

namespace legato {

// Collects named values in the same order on every rank. A value is an integer, an enumerator, a double or a bool, or
// a list of them. Lists must stay unchanged until require_same().
class Comparison {
  public:
    template <class T>
    void add(std::string name, const T& value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        fields_.push_back({std::move(name), {bytes.begin(), bytes.end()}, {}, sizeof(T), false, &printed<T>});
    }
    template <class T>
    void add(std::string name, std::span<const T> values) {
        fields_.push_back({std::move(name), {}, std::as_bytes(values), sizeof(T), true, &printed<T>});
    }
    template <class T>
    void add(std::string name, const std::vector<T>& values) {
        add(std::move(name), std::span<const T>(values));
    }
    template <class T, std::size_t size>
    void add(std::string name, const std::array<T, size>& values) {
        add(std::move(name), std::span<const T>(values));
    }

    // Adds the parameters of a generated struct. `of` is the beginning of their names: "kpm.params".
    template <class Params>
    void add_parameters(std::string_view of, const Params& params) {
        for_each_parameter(params,
                           [&](const auto& value, const Range& range) { add(text(of, '.', range.name), value); });
    }

    // Adds whether the processor fuses multiplication and addition (core/cpu_level.hpp). Sums of ranks that differ in
    // it would differ in the last digits.
    void add_rounding(bool own = has_fused_operations(cpu_level()));

    // Collective. Throws invalid_argument if a value differs; the message names the field, the element of a list, and
    // the two values and ranks.
    void require_same(const Context& context) const;

  private:
    struct Field {
        std::string name;
        std::vector<std::byte> scalar;
        std::span<const std::byte> list;
        std::size_t element;  // bytes of an element
        bool is_list;
        std::string (*print)(const std::byte* element);

        std::span<const std::byte> bytes() const { return is_list ? list : std::span<const std::byte>(scalar); }
    };

    template <class T>
    static std::string printed(const std::byte* element) {
        T value;
        std::copy(element, element + sizeof(T), reinterpret_cast<std::byte*>(&value));
        if constexpr (std::is_floating_point_v<T>)
            return text(value);
        else
            return text(static_cast<std::int64_t>(value));
    }

    void compare(const Context& context, const Field& field) const;

    std::vector<Field> fields_;
};

}  // namespace legato
