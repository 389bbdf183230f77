#include "core/device.hpp"

#include "core/check.hpp"

namespace legato {

int device_count(std::string* why) {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess) {
        cudaGetLastError();
        count = 0;
        if (why) *why = text("no usable CUDA device: ", cudaGetErrorString(result));
    } else if (count == 0 && why) {
        *why = "no CUDA device found";
    }
    return count;
}

DeviceInfo device_info(int ordinal) {
    std::string why;
    const int count = device_count(&why);
    if (count == 0) fail(Status::no_device, "device: ", ordinal, " cannot be used: ", why);
    if (ordinal < 0 || ordinal >= count) fail(Status::no_device, "device: ", ordinal, " is not in 0..", count - 1);
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
