// The last digits of some methods' sums depend on the backend. On the CPU they also depend on whether the processor
// fuses multiplication and addition (core/cpu_level.hpp). The states of these methods record both.
#pragma once

#include <optional>
#include <string_view>

#include "core/context.hpp"
#include "core/cpu_level.hpp"
#include "core/state_file.hpp"

namespace legato {

void put_rounding(StateWriter& writer);
void put_backend(StateWriter& writer, Backend backend, std::string_view entry = "saved/backend");

// Returns whether operations were fused, or nullopt if the state comes from a version that did not record it.
std::optional<bool> saved_rounding(const StateReader& reader);

// Returns the backend of the saved run, or nullopt if the state comes from a version that did not record it.
std::optional<Backend> saved_backend(const StateReader& reader, std::string_view entry = "saved/backend");

// Logs a warning if `run` is resumed with other rounding. A run on a device needs none: all devices round alike.
void warn_of_other_rounding(const Context& context, std::string_view run, std::optional<bool> saved);

// Logs a warning if `run` is resumed on another backend.
void warn_of_other_backend(const Context& context, std::string_view run, std::optional<Backend> saved);

}  // namespace legato
