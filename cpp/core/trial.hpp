// AUTO chooses the backend by timing trials: it runs a few units of the job on either backend. The costs are kept
// (cost_file.hpp) for later jobs of the same shape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/context.hpp"
#include "core/cost_file.hpp"
#include "core/device.hpp"
#include "core/progress.hpp"

namespace legato {

struct Trial {
    std::string_view job;                  // "ising"
    std::string shape;                     // all that the cost of a unit depends on; without tabs and line ends
    double units = 1;                      // units of the whole job, if known; otherwise an estimate
    std::function<bool(Backend)> can;      // true if a backend has the memory and a kernel; called every time
    std::function<Cost(Backend)> measure;  // called only if `can`
    std::string only_on_cpu = {};          // reason why no device can do the job; empty if one can
    bool counts = true;                    // false if `units` is a guess: its CPU time is not added to `waited`
};

// Returns the seconds per unit of work(units). It calls work() with more and more units until a call takes a few
// milliseconds.
template <class Work>
double seconds_per_unit(const Work& work) {
    constexpr double enough = 4e-3, long_enough_at_once = 0.2;
    const auto seconds = [&](std::int64_t units) {
        const RunClock clock;
        work(units);
        return clock.seconds();
    };
    if (const double first = seconds(1); first > long_enough_at_once) return first;
    for (std::int64_t units = 1;; units *= 2) {
        const double once = seconds(units);
        if (once > enough) return std::min({once, seconds(units), seconds(units)}) / static_cast<double>(units);
    }
}

// Functions by which the choice asks about the device. Tests replace them.
struct Driver {
    bool (*is_present)() = driver_is_present;
    bool (*is_started)(int device) = device_is_started;
    std::string (*why_unusable)(int device) = legato::why_unusable;
};

// Returns the faster backend for a context that has named none. The device is started only if this job and the earlier
// CPU jobs of the context together take longer than the start, or if the saved run used the device. If the CPU is
// chosen, this job's seconds are added to `waited`. `saved_on` is the backend of a run that is resumed; it is taken
// again if it can do the job, without a trial.
BackendChoice choose_by_trial(const ContextOptions& options, int threads, const Trial& trial,
                              std::optional<Backend> saved_on, double& waited, const Driver& driver = {});

}  // namespace legato
