#include "core/trial.hpp"

#include <cmath>

#include "core/cpu_level.hpp"

namespace legato {
namespace {

// Where this is not known yet, and the least that counts as such: less is that of a device which the host has started.
constexpr double usual_start = 0.3, least_start = 0.03;

std::string key_of(std::string_view job, const std::string& shape, std::string_view where) {
    return text(LEGATO_VERSION, ' ', machine_name(), ' ', job, ' ', where, ' ', shape);
}

std::string start_key(int device) {
    return key_of("start", {}, text("cuda ", device));
}

double start_seconds(int device) {
    const std::optional<Cost> known = known_cost(start_key(device));
    return known ? known->fixed : usual_start;
}

// Why the device cannot be used, after having started it.
std::string started(int device, const Driver& driver) {
    const RunClock clock;
    std::string why = driver.why_unusable(device);
    if (const double seconds = clock.seconds(); why.empty() && seconds > least_start)
        keep_cost(start_key(device), {.fixed = seconds, .each = 0});
    return why;
}

double seconds_of(const Trial& trial, Backend backend, std::string_view where) {
    if (!trial.can(backend)) return never;
    const std::string key = key_of(trial.job, trial.shape, where);
    std::optional<Cost> cost = known_cost(key);
    if (!cost) {
        cost = trial.measure(backend);
        keep_cost(key, *cost);
    }
    return cost->fixed + trial.units * cost->each;
}

}  // namespace

BackendChoice choose_by_trial(const ContextOptions& options, int threads, const Trial& trial, double& waited,
                              const Driver& driver) {
    const int device = options.device;
    if (!driver.is_present()) return {Backend::cpu, driver.why_unusable(device)};
    const double start = driver.is_started(device) ? 0 : std::max(start_seconds(device) - waited, 0.0);
    const double cpu = seconds_of(trial, Backend::cpu, text("cpu v", static_cast<int>(cpu_level()), ' ', threads));
    if (cpu < start) {
        waited += cpu;
        return {Backend::cpu, text("measured: ", cpu, " s, less than a device takes to start")};
    }
    if (std::string why = started(device, driver); !why.empty()) return {Backend::cpu, std::move(why)};
    double cuda = never;
    try {
        cuda = start + seconds_of(trial, Backend::cuda, text("cuda ", device));
    } catch (const Error& error) {
        if (!std::isfinite(cpu)) throw;
        return {Backend::cpu, text("no trial on the GPU: ", error.what())};
    }
    if (cuda < cpu) return {Backend::cuda, text("measured: ", cuda, " s against ", cpu, " s on the CPU")};
    waited += cpu;
    return {Backend::cpu, text("measured: ", cpu, " s against ", cuda, " s on the GPU")};
}

}  // namespace legato
