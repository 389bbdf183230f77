// Progress reports of a long run to its caller, who can stop the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

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

}  // namespace legato
