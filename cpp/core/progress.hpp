// What a long run tells its caller, and how the caller stops it.
#pragma once

#include <cstdint>
#include <functional>

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

}  // namespace legato
