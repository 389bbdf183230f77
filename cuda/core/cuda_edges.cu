#include "core/cuda_edges.hpp"

#include <algorithm>

#include "core/peers.hpp"

namespace legato::cuda {

CudaEdges::CudaEdges(int device, const SlabPlace& place, std::size_t bytes_of_edge) : CudaEdges(device) {
    const DeviceScope scope(device);
    for (const int peer : place.devices) enable_peer(device, peer);
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    check(cudaStreamCreateWithPriority(&edges_, cudaStreamNonBlocking, greatest), "cudaStreamCreate");
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cudaStreamCreate");
    for (cudaEvent_t* const event : {&computed_, &stepped_, &sent_})
        check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "cudaEventCreate");
    if (!place.beside_other_ranks || bytes_of_edge == 0) return;
    host_bytes_ = bytes_of_edge;
    host_ = HostBuffer(4 * host_bytes_);
}

CudaEdges::~CudaEdges() {
    const CurrentDevice current(device_);
    if (copies_) clear_error(cudaStreamSynchronize(copies_));
    for (const cudaEvent_t event : {computed_, stepped_, sent_})
        if (event) clear_error(cudaEventDestroy(event));
    for (const cudaStream_t stream : {edges_, copies_})
        if (stream) clear_error(cudaStreamDestroy(stream));
}

void CudaEdges::keep(cudaError_t result, const char* call) noexcept {
    if (result == cudaSuccess) return;
    cudaGetLastError();
    if (failure_ != cudaSuccess) return;
    failure_ = result;
    failed_call_ = call;
}

void CudaEdges::record(cudaEvent_t event, cudaStream_t stream) noexcept {
    keep(cudaEventRecord(event, stream), "cudaEventRecord");
}

void CudaEdges::wait(cudaStream_t stream, cudaEvent_t event) noexcept {
    keep(cudaStreamWaitEvent(stream, event, 0), "cudaStreamWaitEvent");
}

void CudaEdges::start() noexcept {
    record(computed_, nullptr);
    wait(copies_, computed_);
    wait_for_default_stream();
}

void CudaEdges::wait_for_senders() noexcept {
    for (std::size_t i = 0; i < sender_count_; ++i) wait(nullptr, senders_[i]);
}

cudaStream_t CudaEdges::begin_edges() noexcept {
    wait(edges_, stepped_);
    for (std::size_t i = 0; i < sender_count_; ++i) wait(edges_, senders_[i]);
    sender_count_ = 0;
    return edges_;
}

void CudaEdges::end_edges() noexcept {
    record(computed_, edges_);
    wait(copies_, computed_);
}

void CudaEdges::end_step() noexcept {
    wait(nullptr, computed_);
    wait_for_default_stream();
}

void CudaEdges::wait_for_default_stream() noexcept {
    record(stepped_, nullptr);
}

void CudaEdges::add_sender(cudaEvent_t sent) noexcept {
    const auto end = senders_.begin() + static_cast<std::ptrdiff_t>(sender_count_);
    if (std::find(senders_.begin(), end, sent) == end) senders_[sender_count_++] = sent;
}

// The halo may be written when the slab `to` has computed its edges, because it has read its halos then.
void CudaEdges::copy(std::span<const std::byte> edge, DeviceEdges& to, std::span<std::byte> halo) noexcept {
    auto& receiver = static_cast<CudaEdges&>(to);
    const CurrentDevice current(device_);
    wait(copies_, receiver.computed_);
    keep(cudaMemcpyPeerAsync(halo.data(), receiver.device_, edge.data(), device_, edge.size(), copies_),
         "cudaMemcpyPeerAsync");
    record(sent_, copies_);
    receiver.add_sender(sent_);
}

std::span<const std::byte> CudaEdges::fetch(Side side, std::span<const std::byte> edge) noexcept {
    const CurrentDevice current(device_);
    const std::span<std::byte> copy = host(side == Side::below ? 0 : 1, edge.size());
    keep(cudaMemcpyAsync(copy.data(), edge.data(), edge.size(), cudaMemcpyDeviceToHost, copies_), "cudaMemcpyAsync");
    record(sent_, copies_);
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
    record(sent_, copies_);
    add_sender(sent_);
}

void CudaEdges::download(std::span<const std::byte> from, std::span<std::byte> to) noexcept {
    const CurrentDevice current(device_);
    keep(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToHost, copies_), "cudaMemcpyAsync");
    record(sent_, copies_);
    keep(cudaEventSynchronize(sent_), "cudaEventSynchronize");
}

void CudaEdges::upload(std::span<const std::byte> from, std::span<std::byte> halo) noexcept {
    const CurrentDevice current(device_);
    keep(cudaMemcpyAsync(halo.data(), from.data(), from.size(), cudaMemcpyHostToDevice, copies_), "cudaMemcpyAsync");
    record(sent_, copies_);
    keep(cudaEventSynchronize(sent_), "cudaEventSynchronize");
}

}  // namespace legato::cuda
