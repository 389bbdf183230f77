// The last digits of some methods' sums depend on the backend, and on the CPU on whether the processor fuses
// multiplication and addition (core/cpu_level.hpp). Their states say which way they were calculated.
#pragma once

#include <optional>
#include <string_view>

#include "core/context.hpp"
#include "core/state_file.hpp"

namespace legato {

void put_rounding(StateWriter& writer);
void put_backend(StateWriter& writer, Backend backend);

// Returns whether operations were fused, and nothing if the state comes from a version that did not say so.
std::optional<bool> saved_rounding(const StateReader& reader);

// Returns the backend of the run that was saved, and nothing if the state comes from a version that did not say so.
std::optional<Backend> saved_backend(const StateReader& reader);

// Logs a warning if `run` goes on with other rounding. A device rounds the same everywhere, so it needs none.
void tell_rounding(const Context& context, std::string_view run, std::optional<bool> saved);

// Logs a warning if `run` goes on with another backend.
void tell_backend(const Context& context, std::string_view run, std::optional<Backend> saved);

}  // namespace legato
