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

// Whether operations were fused; none where the state is of a version that did not say so.
std::optional<bool> saved_rounding(const StateReader& reader);

// Warns if `run` goes on otherwise. Of the CPU only: a device has the same bits wherever it is.
void tell_rounding(const Context& context, std::string_view run, std::optional<bool> saved);

}  // namespace legato
