// Access of a device to the memory of another one.
#pragma once

#include "core/check.hpp"

namespace legato::cuda {

// Lets a device write to the memory of a peer, if the machine allows it. Otherwise the driver passes copies through
// host memory.
inline void enable_peer(int device, int peer) {
    int possible = 0;
    if (peer == device) return;
    check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
    if (!possible) return;
    const DeviceScope scope(device);
    const cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
    if (result == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    else
        check(result, "cudaDeviceEnablePeerAccess");
}

}  // namespace legato::cuda
