#include "core/state_origin.hpp"

namespace legato {
namespace {

constexpr std::string_view rounding_entry = "saved/fused_operations";

const char* words(bool fused) {
    return fused ? "fused multiplication and addition (level v3 or v4)"
                 : "separate multiplication and addition (baseline)";
}

}  // namespace

void put_rounding(StateWriter& writer) {
    writer.put(rounding_entry, static_cast<int>(has_fused_operations(cpu_level())));
}

void put_backend(StateWriter& writer, Backend backend, std::string_view entry) {
    writer.put(entry, static_cast<int>(backend));
}

std::optional<bool> saved_rounding(const StateReader& reader) {
    if (!reader.has(rounding_entry)) return std::nullopt;
    return reader.get_int(rounding_entry, 0, 1) != 0;
}

std::optional<Backend> saved_backend(const StateReader& reader, std::string_view entry) {
    if (!reader.has(entry)) return std::nullopt;
    return static_cast<Backend>(reader.get_int(entry, static_cast<int>(Backend::cpu), static_cast<int>(Backend::cuda)));
}

void warn_of_other_rounding(const Context& context, std::string_view run, std::optional<bool> saved) {
    const bool own = has_fused_operations(cpu_level());
    if (!saved || *saved == own || context.last_choice().backend == Backend::cuda) return;
    context.log(LogLevel::warning, text(run, ": the state was saved with ", words(*saved),
                                        ", and the run goes on with ", words(own), ": last digits may differ"));
}

void warn_of_other_backend(const Context& context, std::string_view run, std::optional<Backend> saved) {
    const Backend own = context.last_choice().backend;
    if (!saved || *saved == own) return;
    context.log(LogLevel::warning, text(run, ": the run was on ", name(*saved), " before, and goes on with ", name(own),
                                        ": last digits may differ"));
}

}  // namespace legato
