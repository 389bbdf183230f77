// Sums of some methods are taken in the order, and with the fused operations, of an instruction set (core/cpu_level.hpp),
// so that last digits differ from one to another. Their states name the one that they were saved with.
#pragma once

#include <string>
#include <string_view>

#include "core/context.hpp"
#include "core/state_file.hpp"

namespace legato {

void put_cpu_level(StateWriter& writer);

// Empty where the state is of a version that did not name it.
std::string saved_cpu_level(const StateReader& reader);

// Warns if `run` goes on with another one. Of the CPU only: a device has the same bits wherever it is.
void tell_cpu_level(const Context& context, std::string_view run, std::string_view saved);

}  // namespace legato
