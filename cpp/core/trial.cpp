#include "core/trial.hpp"

#include <cmath>

#include "core/cpu_level.hpp"

namespace legato {
namespace {

// Seconds of a device's start. `usual_start` is assumed until a start has been measured. A start of less than
// `least_start` is not recorded: the calling program has started the device before. The first kernels and the end of
// the process take about half as long again, hence the factor `with_end`.
constexpr double usual_start = 0.3, least_start = 0.03, with_end = 1.5;

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

// Starts the device. Returns why it cannot be used; empty if it can.
std::string started(int device, const Driver& driver) {
    const RunClock clock;
    std::string why = driver.why_unusable(device);
    if (const double seconds = clock.seconds(); why.empty() && seconds > least_start)
        lower_fixed_cost(start_key(device), {.fixed = with_end * seconds, .each = 0});  // the first start is slower
    return why;
}

// The seconds that a job takes on a backend.
struct Estimate {
    const Trial& trial;
    Backend backend;
    std::string key;

    Estimate(const Trial& of, Backend on, std::string_view where)
        : trial(of), backend(on), key(key_of(of.job, of.shape, where)) {}

    std::optional<double> known() const {
        const std::optional<Cost> cost = known_cost(key);
        return cost ? std::optional(cost->fixed + trial.units * cost->each) : std::nullopt;
    }
    double seconds() const {
        if (!trial.can(backend)) return never;
        if (!known()) keep_cost(key, trial.measure(backend));
        return *known();
    }
};

}  // namespace

BackendChoice choose_by_trial(const ContextOptions& options, int threads, const Trial& trial,
                              std::optional<Backend> saved_on, double& waited, const Driver& driver) {
    const int device = options.device;
    if (!trial.only_on_cpu.empty()) return {Backend::cpu, trial.only_on_cpu};
    if (!driver.is_present()) return {Backend::cpu, driver.why_unusable(device), true};
    if (saved_on == Backend::cuda && started(device, driver).empty() && trial.can(Backend::cuda))
        return {Backend::cuda, "the saved run used it"};
    const double before = trial.counts ? waited : 0;
    const double start = driver.is_started(device) ? 0 : std::max(start_seconds(device) - before, 0.0);
    const Estimate on_cpu(trial, Backend::cpu, text("cpu level ", static_cast<int>(cpu_level()), " threads ", threads)),
        on_device(trial, Backend::cuda, text("cuda ", device));
    if (saved_on == Backend::cpu && trial.can(Backend::cpu)) {
        if (trial.counts) waited += on_cpu.known().value_or(0);
        return {Backend::cpu, "the saved run used it"};
    }
    const double cpu = on_cpu.seconds();
    const auto take_cpu = [&](const std::string& why) {
        if (trial.counts) waited += cpu;
        return BackendChoice{Backend::cpu, text("measured: the CPU takes ", cpu, " s, ", why)};
    };
    if (cpu < start) return take_cpu("less than a GPU takes to start");
    if (const std::optional<double> known = on_device.known(); known && start + *known >= cpu)
        return take_cpu(text("the GPU ", start + *known, " s"));
    if (std::string why = started(device, driver); !why.empty()) return {Backend::cpu, std::move(why), true};
    double cuda = never;
    try {
        cuda = start + on_device.seconds();
    } catch (const Error& error) {
        if (!std::isfinite(cpu)) throw;
        return {Backend::cpu, text("the trial on the GPU has failed: ", error.what())};
    }
    if (cuda < cpu) return {Backend::cuda, text("measured: the GPU takes ", cuda, " s, the CPU ", cpu, " s")};
    return take_cpu(text("the GPU ", cuda, " s"));
}

}  // namespace legato
