// The edges of a slab on a device. Kernels and copies of several devices wait for each other by events; the host goes
// on.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/check.hpp"
#include "core/edges.hpp"

namespace legato::cuda {

class CudaEdges final : public DeviceEdges {
  public:
    // `peers` are the devices of this process that have slabs; the copies between them are direct if that is possible.
    // `host_bytes` is the largest length of an edge that is passed to another rank; 0 if none is.
    CudaEdges(int device, std::span<const int> peers, std::size_t host_bytes);
    ~CudaEdges() override;
    CudaEdges(const CudaEdges&) = delete;
    CudaEdges& operator=(const CudaEdges&) = delete;

    // The functions below do not throw. These three are called by the slab, with its device as the current one.
    // Tells that the work in `stream` so far computes the edges that are passed next, and has read the halos.
    void computed(cudaStream_t stream) noexcept;
    // Lets further work in `stream` wait for these edges, and for the halos that have been passed so far.
    void await_edges(cudaStream_t stream) noexcept;
    void await_halos(cudaStream_t stream) noexcept;

    void copy(std::span<const std::byte> edge, DeviceEdges& to, std::span<std::byte> halo) noexcept override;
    std::span<const std::byte> fetch(Side side, std::span<const std::byte> edge) noexcept override;
    std::span<std::byte> host_halo(Side side, std::size_t bytes) noexcept override;
    void put(Side side, std::span<std::byte> halo) noexcept override;

    // Keeps the first failure. require_success() throws it.
    void keep(cudaError_t result, const char* call) noexcept;
    void require_success() const { check(failure_, failed_call_); }

  private:
    static constexpr std::size_t most_senders = 3;  // the slabs on both sides, and the host

    explicit CudaEdges(int device) : device_(device) {}  // the destructor runs even if the other constructor throws
    void add_sender(cudaEvent_t sent) noexcept;
    std::span<std::byte> host(std::size_t number, std::size_t bytes) const noexcept {
        return {host_ + number * host_bytes_, bytes};
    }

    int device_;
    std::size_t host_bytes_ = 0;
    std::byte* host_ = nullptr;                        // page-locked memory for two edges and two halos
    cudaStream_t copies_ = nullptr;                    // copies from this slab, and of its halos from the host
    cudaEvent_t computed_ = nullptr;                   // edges are computed
    cudaEvent_t sent_ = nullptr;                       // the last copy is done
    std::array<cudaEvent_t, most_senders> senders_{};  // copies to the halos since the last await_halos()
    std::size_t sender_count_ = 0;
    cudaError_t failure_ = cudaSuccess;
    const char* failed_call_ = "";
};

}  // namespace legato::cuda
