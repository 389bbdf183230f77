// The CUDA engine. Slots are in device memory, and the width determines which kernel is launched.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/buffer.hpp"
#include "tmm/engine.hpp"
#include "tmm/grid_arguments.cuh"
#include "tmm/plan.hpp"
#include "tmm/slot_transfer.cuh"
#include "tmm/wide_kernels.hpp"

namespace legato::tmm {
inline namespace engine_parts {

using cuda::Buffer;

class CudaEngine final : public Engine {
  public:
    CudaEngine(const Problem& problem, std::size_t slots, std::size_t points_of_run, int device, int threads, int only);

    std::size_t slots() const override { return heads_host_.size(); }
    void load(std::span<const Entry> entries) override;
    void store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const override;
    std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                         std::span<PointStatus> statuses) override;
    void pause_at(std::int64_t cycles) override { limit_ = {problem_, cycles}; }
    CycleEnd cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) override;

    // The functions below are for an engine whose devices share every point (divided_engine.cu). All of them prepare
    // before one of them launches.
    const Plan& plan() const { return plan_; }
    int device() const { return device_; }
    // Returns the memory that the other devices write to, where `parts` devices share a point.
    GridPeer peer(int parts);
    // Lets this device compute its share of all points, in `blocks` thread blocks and a stream of its own. If a device
    // has several members of the engine, the launch is not cooperative.
    void join(const GridShare& share, int blocks, bool cooperative);
    void prepare_advance(std::int64_t cycles, std::span<const std::size_t> slots);
    std::int64_t finish_advance(std::span<const std::size_t> slots, std::span<PointStatus> statuses);
    void prepare_cycle(std::size_t slot, std::span<const double> diagonals);
    CycleEnd finish_cycle(std::size_t slot, std::span<double> log_norms);
    // Starts what has been prepared.
    void launch();
    // Waits for it. Throws if the kernel has failed.
    void wait();
    // Throws if the kernel has ended because it waited too long for another device.
    void require_completed() const;
    // Ends a kernel that waits for other devices.
    void stop() noexcept;
    void store_columns(std::size_t slot, std::size_t first, std::span<double> columns) const;

  private:
    void load_batch(std::span<const Entry> entries);
    void fetch_heads() const;
    void require_between_cycles() const;
    KernelArguments arguments_for(std::span<const std::size_t> slots, std::int64_t cycles);
    void give_slices(KernelArguments& arguments, std::span<const std::size_t> slots);
    void advance_small(std::int64_t cycles, std::span<const std::size_t> slots);
    void launch_small(const KernelArguments& arguments, bool alone);
    void launch_wide(const KernelArguments& arguments);
    void launch_cluster(const KernelArguments& arguments);
    void launch_grid(const KernelArguments& arguments);
    Plan plan_groups(std::size_t points) const;
    GridArguments grid_arguments(const KernelArguments& arguments, const GridLayout& layout);
    void prepare_share();

    struct StreamDeleter {
        void operator()(cudaStream_t stream) const { cuda::clear_error(cudaStreamDestroy(stream)); }
    };

    Problem problem_;
    std::size_t sites_, words_;  // channels (Problem::channels); words of a point's generators
    bool is_small_;              // the small kernel takes the points
    WideKernels kernels_;
    int device_, threads_;
    DeviceLimits limits_{};
    Plan plan_;  // of wide points; every launch has its kernel, because kernels differ in the last digits
    mutable SlotTransfer transfer_;
    mutable std::vector<SlotHead> heads_host_;
    mutable bool heads_known_ = true;  // false while the device works, and after an error in this time
    bool within_cycle_ = false;        // true within cycle(); after an error it stays true until slices are loaded
    Buffer<SlotHead> heads_;
    Buffer<double> psi_, log_norms_, log_norms2_, blocks_;
    Buffer<std::uint32_t> random_;
    Buffer<std::uint32_t> leap_, leap_alone_;  // tables for the usual launch, and for one with one point per warp
    Buffer<std::size_t> work_;
    Buffer<unsigned> queue_;          // the queue of slots
    Buffer<double> cycle_log_norms_;  // [point in flight][sites] of the cluster kernel
    Buffer<double> group_memory_;     // of the grid kernel
    Buffer<GroupCounters> counters_;
    Buffer<double> given_;                     // diagonals of the caller
    Buffer<double> given_slices_;              // and slices, if the problem has them
    Buffer<int> near_;                         // neighbours in the caller's lattice
    Buffer<double> psi_before_;                // columns before cycle(), if the kernel works in place
    std::optional<KernelArguments> prepared_;  // what launch() starts
    GridShare share_{};                        // of several devices, if parts > 0
    Plan share_plan_;
    bool cooperative_ = true;
    Buffer<unsigned> signals_;  // of other devices; then GridShare::stopped
    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter> stream_;
    std::int64_t cycles_before_ = 0;  // of the slots that advance
    CycleLimit limit_{problem_, never};
};

// Makes the engine of one device.
std::unique_ptr<CudaEngine> make_device_engine(const Context& context, const Problem& problem, std::size_t points,
                                               std::size_t points_of_run, int only);

}  // namespace engine_parts
}  // namespace legato::tmm
