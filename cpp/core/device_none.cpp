// Replaces cuda/core/device.cu in a build without CUDA.
#include "core/device.hpp"

#include "core/error.hpp"

namespace legato {

int device_count(std::string* why) {
    if (why) *why = why_unusable(0);
    return 0;
}

bool driver_is_present() {
    return false;
}

bool device_is_started(int) {
    return false;
}

std::string why_unusable(int) {
    return "this build of Legato has no CUDA";
}

DeviceInfo device_info(int ordinal) {
    fail(Status::no_device, "device: ", ordinal, " cannot be used: ", why_unusable(ordinal));
}

}  // namespace legato
