// What the library knows of a GPU, without any CUDA header. A build without CUDA sees no device.
#pragma once

#include <cstddef>
#include <string>

namespace legato {

#ifdef LEGATO_WITH_CUDA
inline constexpr bool with_cuda = true;
#else
inline constexpr bool with_cuda = false;
#endif

struct DeviceInfo {
    std::string name;
    int compute_capability = 0;  // 90 for Hopper
    int multiprocessors = 0;
    std::size_t total_memory = 0;  // bytes
    std::size_t free_memory = 0;
};

// Number of devices; where it is 0, `why` says in words what is missing.
int device_count(std::string* why = nullptr);

// Whether there is a driver that might have devices: asked without starting it, which takes a while.
bool driver_is_present();

// Whether this device has been asked for by the library before, so that its start has been paid for.
bool device_is_started(int ordinal);

// Empty where this device can be used; otherwise what is missing: it, or code for its compute capability in this build.
std::string why_unusable(int ordinal);

// Throws no_device where it cannot be used.
DeviceInfo device_info(int ordinal);

}  // namespace legato
