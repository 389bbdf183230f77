// Access of a device to the memory of another one.
#pragma once

#include "core/check.hpp"

namespace legato::cuda {

// Lets a device write to the memory of a peer, if the machine allows it. Returns false otherwise. The driver then
// passes copies through host memory.
inline bool enable_peer(int device, int peer) {
    int possible = 0;
    if (peer == device) return true;
    check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
    if (!possible) return false;
    const DeviceScope scope(device);
    const cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
    if (result == cudaErrorPeerAccessAlreadyEnabled || result == cudaErrorTooManyPeers)
        cudaGetLastError();
    else
        check(result, "cudaDeviceEnablePeerAccess");
    return result != cudaErrorTooManyPeers;
}

}  // namespace legato::cuda
