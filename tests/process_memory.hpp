// Measures and limits the memory of a process of its own, for tests of the memory that runs take.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>

namespace legato::tests {

// Returns the peak memory, in bytes, of a process that does `action`, which must return true.
inline std::int64_t peak_of(const std::function<bool()>& action) {
    const pid_t child = fork();
    if (child == 0) {
        bool done = false;
        try {
            done = action();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
        _exit(done ? 0 : 1);
    }
    int status = 0;
    rusage usage{};
    BOOST_REQUIRE(wait4(child, &status, 0, &usage) == child);
    BOOST_REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return std::int64_t{1024} * usage.ru_maxrss;
}

// Limits the address space of this process to what it has now plus `bytes`.
inline void leave_address_space(std::int64_t bytes) {
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + bytes);
    setrlimit(RLIMIT_AS, &limit);
}

}  // namespace legato::tests
