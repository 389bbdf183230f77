// What a benchmark of a method hands over, and what all of them measure with.
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
    double seconds = 0.3;  // that a stretch takes, half of it at least, where its length is free
    bool quick = false;    // without the problems that take long
    bool gpu = false;      // there is one
    int threads = 1;       // all
    std::string inputs;    // folder of dfratom's
};

// The least that a unit of work takes: operations in double precision, and bytes to and from main memory. 0: no limit.
struct Work {
    double flops = 0, bytes = 0;
};

// For a unit of work; 0 seconds: it cannot be done there.
struct Timing {
    double seconds = 0;
    Work least;
};

// A figure to hold the GPU's against: another library's in the same run, or a published one.
struct Peer {
    std::string name;
    std::function<double()> seconds;
};

// Where the library runs.
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
    bool on_cpu = true;  // false: too large to wait for
};

// What there is to measure of a method, the most important first.
struct Method {
    std::string name, quantity, unit;  // the unit of times: s, us, ns, ps
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

// The least of what so many calls of run return.
template <class Run>
double best_of(int repeats, const Run& run) {
    double best = run();
    for (int repeat = 1; repeat < repeats; ++repeat) best = std::min(best, run());
    return best;
}

// Seconds for a unit of work. best(units, repeats) is the best time of so many stretches of so many units, multiples of
// `least`; the first stretch, which may have set things up, does not count. They grow until the best of three takes
// half of `seconds` or more: a single one that something held up would end that too early.
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
    if (status != LEGATO_SUCCESS) fail(legato_context_message(context));
}

// A problem that this backend cannot hold is no failure: a line, and no figure.
inline bool possible(legato_context* context, int32_t status) {
    if (status != LEGATO_SUCCESS) std::printf("left out: %s\n", legato_context_message(context));
    return status == LEGATO_SUCCESS;
}

}  // namespace benchmarks
