// What a long run tells its caller, and how the caller stops it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/error.hpp"

namespace legato {

struct Progress {
    std::int64_t points_done = 0;
    std::int64_t points_total = 0;
    std::int64_t cycles_done = 0;  // summed over points, since the run began
    double seconds = 0;            // since the run began
    double cycles_per_second = 0;
};

// Returns false to stop the run; results so far stay readable.
using ProgressCallback = std::function<bool(const Progress&)>;

// Progress since it was made.
class RunClock {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    Progress progress(std::size_t points_done, std::size_t points_total, std::int64_t cycles_done) const {
        const double passed = seconds();
        return {static_cast<std::int64_t>(points_done), static_cast<std::int64_t>(points_total), cycles_done, passed,
                static_cast<double>(cycles_done) / std::max(passed, 1e-9)};
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// Held while a run is carried on, so that no callback of its own, for progress or for log lines, can do the same.
class CarryingOn {
  public:
    CarryingOn(bool& held, const char* call) : held_(held) {
        if (held) fail(Status::invalid_argument, call, ": a callback cannot carry on the run that calls it");
        held = true;
    }
    CarryingOn(const CarryingOn&) = delete;
    CarryingOn& operator=(const CarryingOn&) = delete;
    ~CarryingOn() { held_ = false; }

  private:
    bool& held_;
};

}  // namespace legato
