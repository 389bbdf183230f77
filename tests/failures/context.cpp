// Tests contexts, and state files that are refused.
#include <cstring>
#include <fstream>

#include "core/state_header.hpp"
#include "scenario.hpp"

namespace legato::tests {
namespace {

void ask(Scenario& scenario) {
    legato_context* const context = scenario.context();
    int32_t backend = 0, count = 0;
    const char* reason = nullptr;
    scenario.step("legato_context_backend", [&] { return legato_context_backend(context, &backend, &reason); });
    scenario.step("legato_context_device_count", [&] { return legato_context_device_count(context, &count); });
    legato_device_info info{};
    info.struct_size = sizeof info;
    scenario.step(
        "legato_context_device_info", [&] { return legato_context_device_info(context, 1000, &info); },
        LEGATO_STATUS_NO_DEVICE);
    scenario.step(
        "legato_context_set_logger", [&] { return legato_context_set_logger(context, 5, nullptr, nullptr); },
        LEGATO_STATUS_INVALID_ARGUMENT);
}

// Writes a valid header without HDF5 data behind it. HDF5 then gives its own reason.
void write_foreign(const char* path) {
    const std::string payload(4096, 'x');
    const std::string header = state_format::header("tmm", 1, std::as_bytes(std::span(payload)));
    std::ofstream(path, std::ios::binary) << header << payload;
}

void refuse(Scenario& scenario, const char* path, int32_t expected) {
    scenario.step(
        "legato_tmm_resume",
        [&] {
            legato_tmm* made = nullptr;
            return legato_tmm_resume(scenario.context(), path, &made);
        },
        expected);
}

}  // namespace

void use_context(Scenario& scenario) {
    ask(scenario);
    write_foreign("foreign.h5");
    refuse(scenario, "foreign.h5", LEGATO_STATUS_BAD_FILE);
    std::ofstream("short.h5") << "LEGATO STATE\n";
    refuse(scenario, "short.h5", LEGATO_STATUS_BAD_FILE);
    refuse(scenario, "none.h5", LEGATO_STATUS_IO_ERROR);
    refuse(scenario, ".", LEGATO_STATUS_BAD_FILE);
}

}  // namespace legato::tests
