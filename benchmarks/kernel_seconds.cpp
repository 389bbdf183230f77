// Measures how long the device is busy in a CUDA program that this library is injected into:
//     CUDA_INJECTION64_PATH=libkernel_seconds.so ./program
// When the program ends, a line on standard error gives the seconds in which at least one kernel or copy was running.
// With LEGATO_KERNELS=1 a line follows for each kernel and kind of copy of each device: its seconds and its number.
#include <cupti.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t buffer_bytes = std::size_t{8} << 20;

std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals;  // [begin, end), ns

struct Total {
    std::uint64_t nanoseconds = 0, count = 0;
};
std::map<std::pair<std::uint32_t, std::string>, Total> totals;  // of each device, by name

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
    *size = *buffer ? buffer_bytes : 0;
    *most_records = 0;  // as many as the buffer holds
}

template <class Activity>
void add(const CUpti_Activity* record, const char* name) {
    const auto* activity = reinterpret_cast<const Activity*>(record);
    intervals.emplace_back(activity->start, activity->end);
    Total& total = totals[{activity->deviceId, name}];
    total.nanoseconds += activity->end - activity->start;
    ++total.count;
}

void add(const CUpti_Activity* record) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
        add<CUpti_ActivityKernel10>(record, reinterpret_cast<const CUpti_ActivityKernel10*>(record)->name);
    if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) add<CUpti_ActivityMemset4>(record, "memset");
    if (record->kind != CUPTI_ACTIVITY_KIND_MEMCPY) return;
    const auto kind = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record)->copyKind;
    add<CUpti_ActivityMemcpy6>(record, kind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? "copy to the device"
                                       : kind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "copy to the host"
                                                                                 : "other copy");
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add(record);
    std::free(buffer);
}

// Returns the length of the union of all intervals, because kernels may overlap.
double busy_seconds() {
    std::sort(intervals.begin(), intervals.end());
    std::uint64_t busy = 0, until = 0;
    for (const auto& [begin, end] : intervals) {
        if (end > until) busy += end - std::max(begin, until);
        until = std::max(until, end);
    }
    return 1e-9 * static_cast<double>(busy);
}

void tell() {
    cuptiActivityFlushAll(1);
    std::fprintf(stderr, "device busy for %.4f s\n", busy_seconds());
    if (!std::getenv("LEGATO_KERNELS")) return;
    for (const auto& [what, total] : totals)
        std::fprintf(stderr, "device %u %9.4f s %8llu  %s\n", what.first, 1e-9 * static_cast<double>(total.nanoseconds),
                     static_cast<unsigned long long>(total.count), what.second.c_str());
}

}  // namespace

// Is called by the CUDA driver when the program starts the driver.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY) != CUPTI_SUCCESS) {
        std::fprintf(stderr, "kernel_seconds: CUPTI refuses\n");
        return 0;
    }
    std::atexit(tell);
    return 1;
}
