// Types that describe the benchmarks of a method, and functions that measure times.
#pragma once

#include <legato/legato.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace benchmarks {

struct Options {
    double seconds = 0.3;  // time of a batch whose length is free; at least half of it
    bool quick = false;    // true: leave out problems that take long
    bool gpu = false;      // true: there is a GPU
    int threads = 1;       // number of all threads
    std::string inputs;    // folder with the inputs of dfratom
};

// Lower limits for a unit of work: operations in double precision, and bytes to and from main memory. 0: no limit.
struct Work {
    double flops = 0, bytes = 0;
};

// Time for a unit of work; 0 seconds: the backend cannot do it.
struct Timing {
    double seconds = 0;
    Work least;
};

// A time to compare that of the GPU with: that of another library in the same run, or a published one.
struct Peer {
    std::string name;
    std::function<double()> seconds;
};

// The backend on which the library runs.
struct Place {
    legato_context* context;
    int32_t backend;
    int threads;
};

struct Problem {
    std::string name;
    std::function<double()> serial;  // seconds for a unit of work; empty: not measured
    std::function<Timing(const Place&)> library;
    Peer peer = {};
    bool on_cpu = true;  // false: takes too long on the CPU
};

// The problems of a method that are measured, the most important first.
struct Method {
    std::string name, quantity, unit;  // unit of the times: s, us, ns, ps
    std::vector<Problem> problems;
};

Method tmm_benchmark(const Options& options);
Method dfr_benchmark(const Options& options);
Method kpm_benchmark(const Options& options);
Method vmc_benchmark(const Options& options);
Method ising_benchmark(const Options& options);

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double seconds_of(const Work& work) {
    const double start = now();
    work();
    return now() - start;
}

// Returns the smallest result of `repeats` calls of run.
template <class Run>
double best_of(int repeats, const Run& run) {
    double best = run();
    for (int repeat = 1; repeat < repeats; ++repeat) best = std::min(best, run());
    return best;
}

// Returns the seconds for a unit of work. best(units, repeats) is the best time of `repeats` batches of `units` units,
// a multiple of `least`. The first batch, which may include initialisation, does not count. Batches grow until the best
// of three takes at least half of `seconds`; a single batch that was delayed would end this too early.
template <class Best>
double seconds_each(double seconds, int64_t least, const Best& best) {
    int64_t units = least;
    best(units, 1);
    double took = best(units, 1);
    if (took < 2) took = std::min(took, best(units, 2));
    while (took < seconds / 2) {
        units *= static_cast<int64_t>(std::min(8.0, seconds / took));
        took = best(units, 3);
    }
    return took / static_cast<double>(units);
}

[[noreturn]] inline void fail(const std::string& message) {
    std::fprintf(stderr, "legato-bench: %s\n", message.c_str());
    std::exit(1);
}

inline void require(legato_context* context, int32_t status) {
    if (status != LEGATO_STATUS_SUCCESS) fail(legato_context_message(context));
}

// Returns true after success. A problem that the backend cannot hold is not an error: a line is printed instead.
inline bool possible(legato_context* context, int32_t status) {
    if (status != LEGATO_STATUS_SUCCESS) std::printf("left out: %s\n", legato_context_message(context));
    return status == LEGATO_STATUS_SUCCESS;
}

}  // namespace benchmarks
