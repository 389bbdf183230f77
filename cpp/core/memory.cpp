#include "core/memory.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace legato {

std::size_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    for (std::size_t kib = 0; file >> key >> kib; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
        if (key == "MemAvailable:") return kib * 1024;
    return std::numeric_limits<std::size_t>::max() / 2;
}

}  // namespace legato
