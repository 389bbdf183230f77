#include "core/device.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>

#include "core/check.hpp"

namespace legato {
inline namespace device_parts {

__global__ void nothing() {}

// Returns the reason for a message. CUDA calls a driver that is missing one whose "version is insufficient".
std::string why_no_device(cudaError_t result) {
    int version = 0;
    if (result == cudaErrorInsufficientDriver && cudaDriverGetVersion(&version) == cudaSuccess && version == 0)
        return "no NVIDIA driver is found";
    return text("no usable CUDA device: ", cudaGetErrorString(result));
}

std::atomic<bool> is_started[most_devices];

}  // namespace device_parts

// Leaves the driver's library loaded, because CUDA needs it next.
bool driver_is_present() {
    static const bool present = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
    return present;
}

bool device_is_started(int ordinal) {
    return ordinal >= 0 && ordinal < most_devices && is_started[ordinal];
}

int device_count(std::string* why) {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess) {
        cudaGetLastError();
        count = 0;
        if (why) *why = why_no_device(result);
    } else if (count == 0 && why) {
        *why = "no CUDA device found";
    }
    return count;
}

std::string why_unusable(int ordinal) {
    std::string why;
    const int count = device_count(&why);
    if (count == 0) return why;
    if (ordinal < 0 || ordinal >= std::min(count, most_devices)) return text("there is no CUDA device ", ordinal);
    const cuda::DeviceScope scope(ordinal);
    cudaFuncAttributes attributes{};
    const cudaError_t result = cudaFuncGetAttributes(&attributes, nothing);
    cuda::clear_error(result);
    if (result == cudaErrorNoKernelImageForDevice)
        return text("this build of Legato has no code for CUDA device ", ordinal);
    is_started[ordinal] = true;
    return {};
}

DeviceInfo device_info(int ordinal) {
    const int count = device_count();
    if (count > 0 && (ordinal < 0 || ordinal >= count))
        fail(Status::no_device, "device: ", ordinal, " is not in 0..", count - 1);
    const std::string why = why_unusable(ordinal);
    if (!why.empty()) fail(Status::no_device, "device: ", ordinal, " cannot be used: ", why);
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
    const cuda::DeviceScope scope(ordinal);
    DeviceInfo info;
    cuda::check(cudaMemGetInfo(&info.free_memory, &info.total_memory), "cudaMemGetInfo");
    info.name = properties.name;
    info.compute_capability = 10 * properties.major + properties.minor;
    info.multiprocessors = properties.multiProcessorCount;
    return info;
}

}  // namespace legato
