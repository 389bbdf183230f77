// The order of the kernels and copies of a slab on a device. In every step the kernels of the edges run in a stream of
// their own, before those of the interior in the default stream. The edges are passed as soon as they are computed.
// Kernels and copies of several devices wait for each other by events; the host goes on.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "core/buffer.hpp"
#include "core/check.hpp"
#include "core/edges.hpp"

namespace legato::cuda {

class CudaEdges final : public DeviceEdges {
  public:
    // Copies between devices are direct if that is possible. `bytes_of_edge` is the largest length of an edge.
    CudaEdges(int device, const SlabPlace& place, std::size_t bytes_of_edge);
    ~CudaEdges() override;
    CudaEdges(const CudaEdges&) = delete;
    CudaEdges& operator=(const CudaEdges&) = delete;

    // The functions below do not throw. The slab calls the first seven, with its device as the current one.
    // Tells that the work in the default stream so far computes the edges.
    void start() noexcept;
    // Lets later work in the default stream wait for the halos.
    void wait_for_senders() noexcept;
    // Returns the stream for the kernels of the edges in a step. It waits for the step before and for the halos.
    cudaStream_t begin_edges() noexcept;
    // Tells that these kernels have been launched: they compute the edges that are passed next.
    void end_edges() noexcept;
    // Lets further work in the default stream wait for the edges, and later kernels of edges for the default stream.
    void end_step() noexcept;
    // Lets later kernels of edges wait for the work in the default stream so far.
    void wait_for_default_stream() noexcept;
    // Returns the stream of the copies, for kernels that prepare what is copied next.
    cudaStream_t copies() const noexcept { return copies_; }

    void copy(std::span<const std::byte> edge, DeviceEdges& to, std::span<std::byte> halo) noexcept override;
    std::span<const std::byte> fetch(Side side, std::span<const std::byte> edge) noexcept override;
    std::span<std::byte> host_halo(Side side, std::size_t bytes) noexcept override;
    void put(Side side, std::span<std::byte> halo) noexcept override;
    void download(std::span<const std::byte> from, std::span<std::byte> to) noexcept override;
    void upload(std::span<const std::byte> from, std::span<std::byte> halo) noexcept override;

    // Keeps the first failure. require_success() throws it once, so that the work can be begun anew.
    void keep(cudaError_t result, const char* call) noexcept;
    void require_success() { check(std::exchange(failure_, cudaSuccess), failed_call_); }

  private:
    static constexpr std::size_t most_senders = 64;  // of kpm there are at most 64 slabs, and the slab itself is one

    explicit CudaEdges(int device) : device_(device) {}  // the destructor runs even if the other constructor throws
    void record(cudaEvent_t event, cudaStream_t stream) noexcept;
    void wait(cudaStream_t stream, cudaEvent_t event) noexcept;
    void add_sender(cudaEvent_t sent) noexcept;
    std::span<std::byte> host(std::size_t number, std::size_t bytes) const noexcept {
        return {static_cast<std::byte*>(host_.data()) + number * host_bytes_, bytes};
    }

    int device_;
    std::size_t host_bytes_ = 0;
    HostBuffer host_;                 // two edges and two halos, if they are passed to other ranks
    cudaStream_t edges_ = nullptr;    // kernels of the edges; they begin before other kernels that wait
    cudaStream_t copies_ = nullptr;   // copies from this slab, and of its halos from the host
    cudaEvent_t computed_ = nullptr;  // the edges are computed, and the halos have been read
    cudaEvent_t stepped_ = nullptr;   // the work in the default stream is done
    cudaEvent_t sent_ = nullptr;      // the last copy is done
    std::array<cudaEvent_t, most_senders> senders_{};  // copies to the halos since the last begin_edges()
    std::size_t sender_count_ = 0;
    cudaError_t failure_ = cudaSuccess;
    const char* failed_call_ = "";
};

}  // namespace legato::cuda
