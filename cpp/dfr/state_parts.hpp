// Arrays of state files that hold the values of many objects, one object after the other.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parameter.hpp"
#include "core/state_file.hpp"

namespace legato::dfr {

// The values of an entry, which are taken in their order.
template <class T>
class Parts {
  public:
    Parts(std::vector<T> values) : values_(std::move(values)) {}

    std::vector<T> next(std::size_t count) {
        const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(at_);
        at_ += count;
        return {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }
    T next() { return values_[at_++]; }

  private:
    std::vector<T> values_;
    std::size_t at_ = 0;
};

// Reads counts and refuses those outside their range. Their sum is the length of the entries that follow.
inline std::vector<std::int32_t> get_counts(const StateReader& reader, std::string_view name, std::size_t length,
                                            std::int32_t low, std::int32_t high) {
    std::vector<std::int32_t> counts = reader.get<std::int32_t>(name, length);
    for (std::size_t i = 0; i < length; ++i)
        if (counts[i] < low || counts[i] > high)
            reader.refuse(text("entry ", name, ": found ", counts[i], " at [", i, "], expected ", low, "..", high));
    return counts;
}

}  // namespace legato::dfr
