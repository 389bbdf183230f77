#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace legato {
namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max() / 2;

std::size_t available_to_all() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    for (std::size_t kib = 0; file >> key >> kib; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
        if (key == "MemAvailable:") return kib * 1024;
    return unknown;
}

// What `ulimit -v` leaves.
std::size_t address_space_left() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::size_t available_memory() {
    return std::min(available_to_all(), address_space_left());
}

}  // namespace legato
