#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <locale>

#include "core/device.hpp"
#include "core/ranks.hpp"

namespace legato {
namespace {

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max() / 2;

std::size_t available_to_all() {
    std::ifstream file("/proc/meminfo");
    file.imbue(std::locale::classic());
    std::string key;
    for (std::size_t kib = 0; file >> key >> kib; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
        if (key == "MemAvailable:") return kib * 1024;
    return unknown;
}

// Returns the bytes that `ulimit -v` leaves.
std::size_t address_space_left() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
    std::size_t pages = 0;
    std::ifstream file("/proc/self/statm");
    file.imbue(std::locale::classic());
    file >> pages;
    const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

MemoryLimit free_memory(std::int64_t allocated) {
    const auto bytes = static_cast<std::int64_t>(std::min(available_to_all(), address_space_left())) + allocated;
    return {bytes, text("only ", bytes, " bytes of memory are free")};
}

MemoryLimit free_memory(const Context& context, Backend backend, std::int64_t allocated) {
    if (backend != Backend::cuda) {
        const int ranks = ranks_here(context);
        if (ranks == 1) return free_memory(allocated);
        const std::int64_t share = free_memory().bytes / ranks + allocated;
        return {share,
                text("only ", share, " bytes of memory are free for each of the ", ranks, " ranks of this machine")};
    }
    std::int64_t bytes = unknown;
    for (const int device : context.devices())
        bytes = std::min(bytes, static_cast<std::int64_t>(device_info(device).free_memory));
    return {bytes, text("only ", bytes, " bytes of device memory are free")};
}

void require_memory(std::string_view who, std::int64_t needed, const MemoryLimit& limit) {
    if (needed > limit.bytes) fail(Status::out_of_memory, who, " ", needed, " bytes, but ", limit.text);
}

void require_memory(std::string_view who, const MemoryNeeds& needs, std::int64_t parts, const MemoryLimit& limit) {
    if (needs.each == 0) return require_memory(who, needs.fixed, limit);
    const std::int64_t fit = std::max<std::int64_t>((limit.bytes - needs.fixed) / needs.each, 0);
    require_memory(who, needs.bytes(parts), {limit.bytes, text(limit.text, "; ", fit, " would fit")});
}

bool fits_memory(const Context& context, std::string_view method, Backend backend, std::int64_t needed,
                 const MemoryLimit& limit) {
    if (needed <= limit.bytes) return true;
    context.log(LogLevel::info,
                text(method, ": backend ", name(backend), " needs ", needed, " bytes, but ", limit.text));
    return false;
}

bool fits_memory(const Context& context, std::string_view method, Backend backend, std::int64_t needed) {
    return fits_memory(context, method, backend, needed, free_memory(context, backend));
}

}  // namespace legato
