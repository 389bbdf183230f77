// AUTO's choice of a backend: by trials of the job itself, a few units of its work on either backend, whose cost is
// kept (cost_file.hpp) for jobs of the same shape.
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
    double units = 1;                      // of the whole job, as far as that is known before
    std::function<bool(Backend)> can;      // has the memory for it, and a kernel; asked every time
    std::function<Cost(Backend)> measure;  // where it can
    std::string only_on_cpu = {};          // why no device can do the job; empty where one can
    std::optional<Backend> saved_on = {};  // the backend of the run that is resumed, which is taken again if it can be
    bool counts = true;  // whether its CPU time is added to `waited`; false where the number of units is a guess
};

// Seconds for a unit of work(units), which is called with more and more of them until that takes a few milliseconds.
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

// What the choice asks of the device.
struct Driver {
    bool (*is_present)() = driver_is_present;
    bool (*is_started)(int device) = device_is_started;
    std::string (*why_unusable)(int device) = legato::why_unusable;
};

// Returns the faster backend for a context that has named none. The device is started only where this job and the CPU
// jobs of the context before it together take longer than that start. Adds this job's seconds on the CPU to `waited`.
BackendChoice choose_by_trial(const ContextOptions& options, int threads, const Trial& trial, double& waited,
                              const Driver& driver = {});

}  // namespace legato
