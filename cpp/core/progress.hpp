// Progress reports of a long run to its caller, who can stop the run.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>

#include "core/activity.hpp"
#include "core/error.hpp"

namespace legato {

struct Progress {
    std::int64_t points_done = 0;
    std::int64_t points_total = 0;
    std::int64_t cycles_done = 0;  // sum over points, since the run began
    double seconds = 0;            // time since the run began
    double cycles_per_second = 0;
};

// Returns false to stop the run. The results so far remain readable.
using ProgressCallback = std::function<bool(const Progress&)>;

inline constexpr double seconds_between_reports = 0.2;

// Measures the time since its construction.
class RunClock {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// Reports the progress of one call of a method's run().
class Reports {
  public:
    Reports(const char* method, const ProgressCallback& callback) : method_(method), callback_(callback) {}

    // Returns the seconds since the last report, or since the call began.
    double seconds_of_silence() const { return clock_.seconds() - reported_; }

    // Calls the callback. Throws cancelled if it asks to stop.
    template <std::integral Points>
    void give(Points done, Points total, std::int64_t cycles_done) {
        reported_ = clock_.seconds();
        const Progress progress{static_cast<std::int64_t>(done), static_cast<std::int64_t>(total), cycles_done,
                                reported_, static_cast<double>(cycles_done) / std::max(reported_, 1e-9)};
        if (callback_ && !callback_(progress)) fail(Status::cancelled, method_, ": stopped by the progress callback");
    }

  private:
    const char* method_;
    const ProgressCallback& callback_;
    RunClock clock_;
    double reported_ = 0;
};

// Lives while a call continues a run. Throws if a callback of that run, for progress or for log lines, tries to
// continue it too.
class CarryingOn {
  public:
    CarryingOn(Activity& activity, const char* call) : held_(free(activity, call)) {}

  private:
    static Activity& free(Activity& activity, const char* call) {
        if (activity.goes_on())
            fail(Status::invalid_argument, call, ": a callback cannot continue the run that calls it");
        return activity;
    }

    Activity::Held held_;
};

// Throws if an error has ended a run within a batch of sweeps: some parts of the run are then further than others.
inline void require_whole(bool within_stretch, const char* method) {
    if (within_stretch)
        fail(Status::numerical_error, method,
             ": an error has ended this run within its sweeps: it can neither be continued ",
             "nor saved; the results of earlier bins can be read");
}

}  // namespace legato
