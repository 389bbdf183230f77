// What a long run tells its caller, and how the caller stops it.
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
    std::int64_t cycles_done = 0;  // summed over points, since the run began
    double seconds = 0;            // since the run began
    double cycles_per_second = 0;
};

// Returns false to stop the run; results so far stay readable.
using ProgressCallback = std::function<bool(const Progress&)>;

inline constexpr double seconds_between_reports = 0.2;

// Since it was made.
class RunClock {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// What a call of a method's run() tells its caller.
class Reports {
  public:
    Reports(const char* method, const ProgressCallback& callback) : method_(method), callback_(callback) {}

    // Since the last report, or since the run began.
    double seconds_of_silence() const { return clock_.seconds() - reported_; }

    // Throws cancelled where the callback asks to stop.
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

// Held while a run is carried on, so that no callback of its own, for progress or for log lines, can do the same.
class CarryingOn {
  public:
    CarryingOn(Activity& activity, const char* call) : held_(free(activity, call)) {}

  private:
    static Activity& free(Activity& activity, const char* call) {
        if (activity.goes_on())
            fail(Status::invalid_argument, call, ": a callback cannot carry on the run that calls it");
        return activity;
    }

    Activity::Held held_;
};

// After an error within a stretch of sweeps some parts of a run are further than others.
inline void require_whole(bool within_stretch, const char* method) {
    if (within_stretch)
        fail(Status::numerical_error, method, ": an error has ended this run within its sweeps: it can neither go on ",
             "nor be saved; the bins before are there");
}

}  // namespace legato
