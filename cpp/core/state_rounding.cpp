#include "core/state_rounding.hpp"

#include "core/cpu_level.hpp"

namespace legato {
namespace {

constexpr std::string_view entry = "saved/fused_operations";

const char* words(bool fused) {
    return fused ? "fused multiplication and addition (level v3 or v4)"
                 : "separate multiplication and addition (baseline)";
}

}  // namespace

void put_rounding(StateWriter& writer) {
    writer.put(entry, static_cast<int>(has_fused_operations(cpu_level())));
}

std::optional<bool> saved_rounding(const StateReader& reader) {
    if (!reader.has(entry)) return std::nullopt;
    return reader.get_int(entry, 0, 1) != 0;
}

void tell_rounding(const Context& context, std::string_view run, std::optional<bool> saved) {
    const bool own = has_fused_operations(cpu_level());
    if (!saved || *saved == own || context.last_choice().backend == Backend::cuda) return;
    context.log(LogLevel::warning, text(run, ": the state was saved with ", words(*saved),
                                        ", and the run goes on with ", words(own), ": last digits may differ"));
}

}  // namespace legato
