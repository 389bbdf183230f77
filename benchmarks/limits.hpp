// What the machine could do at the best, measured in the same run.
#pragma once

#include "common.hpp"

namespace benchmarks {

// Bytes that a copy reads and writes in a second, and operations in double precision in a second.
struct Limit {
    double bytes_per_second = 0, flops_per_second = 0;
};

struct Limits {
    Limit one_thread, all_threads, gpu;
};

Limits measure_limits(const Options& options);
Limit host_limit(int threads);
Limit device_limit();  // of the GPU's matrix products; 0 in a build without CUDA

// Seconds below which a unit of work cannot be done; 0 where nothing is known.
inline double floor_of(const Work& work, const Limit& limit) {
    return std::max(limit.bytes_per_second > 0 ? work.bytes / limit.bytes_per_second : 0,
                    limit.flops_per_second > 0 ? work.flops / limit.flops_per_second : 0);
}

}  // namespace benchmarks
