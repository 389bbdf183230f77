#include "core/cuda_edges.hpp"

#include <algorithm>

namespace legato::cuda {
inline namespace edges_parts {

// Lets this device write to the memory of a peer. Without this, the driver passes copies through host memory.
void enable_peer(int device, int peer) {
    int possible = 0;
    if (peer == device) return;
    check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
    if (!possible) return;
    const cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
    if (result == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    else
        check(result, "cudaDeviceEnablePeerAccess");
}

}  // namespace edges_parts

CudaEdges::CudaEdges(int device, std::span<const int> peers, std::size_t host_bytes) : CudaEdges(device) {
    const DeviceScope scope(device);
    for (const int peer : peers) enable_peer(device, peer);
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaEventCreateWithFlags(&computed_, cudaEventDisableTiming), "cudaEventCreate");
    check(cudaEventCreateWithFlags(&sent_, cudaEventDisableTiming), "cudaEventCreate");
    if (host_bytes > 0) {
        void* memory = nullptr;
        check(cudaHostAlloc(&memory, 4 * host_bytes, cudaHostAllocDefault), "cudaHostAlloc");
        host_ = static_cast<std::byte*>(memory);
        host_bytes_ = host_bytes;
        std::fill_n(host_, 4 * host_bytes, std::byte{0});
    }
}

CudaEdges::~CudaEdges() {
    const CurrentDevice current(device_);
    if (copies_) clear_error(cudaStreamSynchronize(copies_));
    if (sent_) clear_error(cudaEventDestroy(sent_));
    if (computed_) clear_error(cudaEventDestroy(computed_));
    if (copies_) clear_error(cudaStreamDestroy(copies_));
    clear_error(cudaFreeHost(host_));
}

void CudaEdges::keep(cudaError_t result, const char* call) noexcept {
    if (result == cudaSuccess) return;
    cudaGetLastError();
    if (failure_ != cudaSuccess) return;
    failure_ = result;
    failed_call_ = call;
}

void CudaEdges::computed(cudaStream_t stream) noexcept {
    keep(cudaEventRecord(computed_, stream), "cudaEventRecord");
    keep(cudaStreamWaitEvent(copies_, computed_, 0), "cudaStreamWaitEvent");
}

void CudaEdges::await_halos(cudaStream_t stream) noexcept {
    for (std::size_t i = 0; i < sender_count_; ++i)
        keep(cudaStreamWaitEvent(stream, senders_[i], 0), "cudaStreamWaitEvent");
    sender_count_ = 0;
}

void CudaEdges::add_sender(cudaEvent_t sent) noexcept {
    const auto end = senders_.begin() + static_cast<std::ptrdiff_t>(sender_count_);
    if (std::find(senders_.begin(), end, sent) == end) senders_[sender_count_++] = sent;
}

void CudaEdges::await_edges(cudaStream_t stream) noexcept {
    keep(cudaStreamWaitEvent(stream, computed_, 0), "cudaStreamWaitEvent");
}

// The halo may be written when the slab `to` has computed its edges, because it has read its halos then.
void CudaEdges::copy(std::span<const std::byte> edge, DeviceEdges& to, std::span<std::byte> halo) noexcept {
    auto& receiver = static_cast<CudaEdges&>(to);
    const CurrentDevice current(device_);
    keep(cudaStreamWaitEvent(copies_, receiver.computed_, 0), "cudaStreamWaitEvent");
    keep(cudaMemcpyPeerAsync(halo.data(), receiver.device_, edge.data(), device_, edge.size(), copies_),
         "cudaMemcpyPeerAsync");
    keep(cudaEventRecord(sent_, copies_), "cudaEventRecord");
    receiver.add_sender(sent_);
}

std::span<const std::byte> CudaEdges::fetch(Side side, std::span<const std::byte> edge) noexcept {
    const CurrentDevice current(device_);
    const std::span<std::byte> copy = host(side == Side::below ? 0 : 1, edge.size());
    keep(cudaMemcpyAsync(copy.data(), edge.data(), edge.size(), cudaMemcpyDeviceToHost, copies_), "cudaMemcpyAsync");
    keep(cudaEventRecord(sent_, copies_), "cudaEventRecord");
    keep(cudaEventSynchronize(sent_), "cudaEventSynchronize");
    return copy;
}

// The memory is free: an earlier copy of it precedes the edge in copies_ that the caller has fetched meanwhile, or the
// slab has no other rank beside it.
std::span<std::byte> CudaEdges::host_halo(Side side, std::size_t bytes) noexcept {
    return host(side == Side::below ? 2 : 3, bytes);
}

void CudaEdges::put(Side side, std::span<std::byte> halo) noexcept {
    const CurrentDevice current(device_);
    keep(
        cudaMemcpyAsync(halo.data(), host_halo(side, halo.size()).data(), halo.size(), cudaMemcpyHostToDevice, copies_),
        "cudaMemcpyAsync");
    keep(cudaEventRecord(sent_, copies_), "cudaEventRecord");
    add_sender(sent_);
}

}  // namespace legato::cuda
