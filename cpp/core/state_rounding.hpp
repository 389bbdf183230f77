// Sums of some methods are rounded otherwise where the processor fuses multiplication and addition
// (core/cpu_level.hpp). Their states say which way they were calculated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/context.hpp"
#include "core/state_file.hpp"

namespace legato {

void put_rounding(StateWriter& writer);

// Returns whether operations were fused, and nothing if the state comes from a version that did not say so.
std::optional<bool> saved_rounding(const StateReader& reader);

// Logs a warning if `run` goes on with other rounding. A device rounds the same everywhere, so it needs none.
void tell_rounding(const Context& context, std::string_view run, std::optional<bool> saved);

}  // namespace legato
