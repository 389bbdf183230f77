// Stands in for cuda/core/device.cpp in a build without CUDA.
#include "core/device.hpp"

#include "core/error.hpp"

namespace legato {

int device_count(std::string* why) {
    if (why) *why = "this build of Legato has no CUDA";
    return 0;
}

DeviceInfo device_info(int ordinal) {
    fail(Status::no_device, "device: ", ordinal, " cannot be used: this build of Legato has no CUDA");
}

}  // namespace legato
