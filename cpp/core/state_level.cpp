#include "core/state_level.hpp"

#include "core/cpu_level.hpp"

namespace legato {
namespace {

constexpr std::string_view entry = "saved/cpu_level";

}  // namespace

void put_cpu_level(StateWriter& writer) {
    writer.put(entry, std::string_view(name(cpu_level())));
}

std::string saved_cpu_level(const StateReader& reader) {
    return reader.has(entry) ? reader.get_text(entry) : "";
}

void tell_cpu_level(const Context& context, std::string_view run, std::string_view saved) {
    const char* const own = name(cpu_level());
    if (saved.empty() || saved == own || context.last_choice().backend == Backend::cuda) return;
    context.log(LogLevel::warning, text(run, ": the state was saved with the instruction set ", saved,
                                        ", and the run goes on with ", own, ": last digits may differ"));
}

}  // namespace legato
