// Limits of the machine's performance, measured in the same run.
#pragma once

#include "common.hpp"

namespace benchmarks {

// Bytes per second that a copy reads and writes, and operations per second in double precision.
struct Limit {
    double bytes_per_second = 0, flops_per_second = 0;
};

struct Limits {
    Limit one_thread, all_threads, gpu;
};

Limits measure_limits(const Options& options);
Limit host_limit(int threads);
Limit device_limit();  // operations: of matrix products; 0 in a build without CUDA

// Returns a lower limit of the seconds for a unit of work; 0 if it is unknown.
inline double floor_of(const Work& work, const Limit& limit) {
    return std::max(limit.bytes_per_second > 0 ? work.bytes / limit.bytes_per_second : 0,
                    limit.flops_per_second > 0 ? work.flops / limit.flops_per_second : 0);
}

}  // namespace benchmarks
