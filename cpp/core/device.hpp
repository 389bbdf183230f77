// Properties of a GPU, without any CUDA header. A build without CUDA finds no device.
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

// Devices are numbered from 0 to most_devices - 1, the range of context.params.device.
inline constexpr int most_devices = 1024;

// Returns the number of devices. If it is 0, `why` gets a text about what is missing.
int device_count(std::string* why = nullptr);

// Returns true if a driver is installed. It does not start the driver, which takes a while.
bool driver_is_present();

// Returns true if why_unusable() has found this device usable. Its start then takes no more time.
bool device_is_started(int ordinal);

// Starts the device. Returns an empty text if it can be used. Otherwise returns what is missing: a driver, the device,
// or code for its compute capability in this build.
std::string why_unusable(int ordinal);

// Throws no_device if the device cannot be used.
DeviceInfo device_info(int ordinal);

}  // namespace legato
