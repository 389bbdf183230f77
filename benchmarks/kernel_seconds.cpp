// Adds up the time of all kernels and copies of a CUDA program that it is injected into:
//     CUDA_INJECTION64_PATH=liblegato_kernel_seconds.so ./program
// At its end a line on standard error gives the seconds in which the device was computing, and in which it was copying.
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t buffer_bytes = std::size_t{8} << 20;

double kernels = 0, copies = 0;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
    *size = *buffer ? buffer_bytes : 0;
    *most_records = 0;  // as many as it holds
}

template <class Activity>
double seconds_of(const CUpti_Activity* record) {
    const auto* activity = reinterpret_cast<const Activity*>(record);
    return 1e-9 * static_cast<double>(activity->end - activity->start);
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) kernels += seconds_of<CUpti_ActivityKernel10>(record);
        if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) copies += seconds_of<CUpti_ActivityMemcpy6>(record);
    }
    std::free(buffer);
}

void tell() {
    cuptiActivityFlushAll(1);
    std::fprintf(stderr, "device computing %.4f s, copying %.4f s\n", kernels, copies);
}

}  // namespace

// Called by the driver when the program starts it.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY) != CUPTI_SUCCESS) {
        std::fprintf(stderr, "kernel_seconds: CUPTI refuses\n");
        return 0;
    }
    std::atexit(tell);
    return 1;
}
