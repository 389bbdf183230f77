// An engine whose devices share the columns of every point (grid_share.cuh).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>

#include "core/device.hpp"
#include "core/peers.hpp"
#include "tmm/cuda_engine.cuh"
#include "tmm/precision.hpp"

namespace legato::tmm {
inline namespace divided_parts {

using cuda::attribute;
using cuda::check;

static_assert(most_devices_of_point <= most_grid_parts);

// Locks devices for a thread. If two threads launched at the same time, each kernel could get one of two devices and
// wait for the other. Memory is also allocated and freed under the lock, because this may wait for a kernel that still
// waits for the launch on another device.
class DeviceLocks {
  public:
    explicit DeviceLocks(const std::vector<int>& devices) {  // in ascending order
        static std::array<std::mutex, most_devices> mutexes;
        for (std::size_t i = 0; i < devices.size(); ++i)
            locks_[i] = std::unique_lock(mutexes[static_cast<std::size_t>(devices[i])]);
    }

  private:
    std::array<std::unique_lock<std::mutex>, most_grid_parts> locks_;
};

// Returns the different devices of some contexts, in ascending order.
std::vector<int> different_devices(std::span<const Context* const> contexts) {
    std::vector<int> devices;
    for (const Context* context : contexts) devices.push_back(context->options().device);
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    return devices;
}

class DividedEngine final : public Engine {
  public:
    // The caller has locked the devices.
    DividedEngine(const Problem& problem, int threads, std::vector<int> devices,
                  std::vector<std::unique_ptr<CudaEngine>> members);
    ~DividedEngine() override {
        const DeviceLocks locks(devices_);
        members_.clear();
    }

    std::size_t slots() const override { return slots_; }
    void load(std::span<const Entry> entries) override;
    void store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const override;
    std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                         std::span<PointStatus> statuses) override;
    void pause_at(std::int64_t cycles) override {
        for (const auto& member : members_) member->pause_at(cycles);
    }
    CycleEnd cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) override;

  private:
    void run();
    void require_whole() const {
        if (broken_) fail(Status::device_error, "tmm: an error has interrupted the devices that share a point");
    }

    Problem problem_;
    int threads_;
    std::size_t sites_, slots_;
    std::vector<int> devices_;
    std::vector<std::unique_ptr<CudaEngine>> members_;
    bool broken_ = false;  // the columns are lost
};

DividedEngine::DividedEngine(const Problem& problem, int threads, std::vector<int> devices,
                             std::vector<std::unique_ptr<CudaEngine>> members)
    : problem_(problem),
      threads_(threads),
      sites_(static_cast<std::size_t>(problem.channels())),
      slots_(members[0]->slots()),
      devices_(std::move(devices)),
      members_(std::move(members)) {
    const auto parts = static_cast<int>(members_.size());
    GridShare share{};
    share.parts = parts;
    for (int part = 0; part < parts; ++part) share.peers[part] = members_[static_cast<std::size_t>(part)]->peer(parts);
    for (const auto& member : members_) {
        slots_ = std::min(slots_, member->slots());
        const auto on_device = static_cast<int>(std::count_if(
            members_.begin(), members_.end(), [&](const auto& other) { return other->device() == member->device(); }));
        member->join(share, attribute(cudaDevAttrMultiProcessorCount, member->device()) / on_device, on_device == 1);
        ++share.part;
    }
}

// The start of a point is computed once for all members.
void DividedEngine::load(std::span<const Entry> entries) {
    require_whole();
    const DeviceLocks locks(devices_);
    for (Entry entry : entries) {
        PointState start;
        if (!entry.state) {
            start = initial_state(problem_, entry.stream, threads_);
            entry.state = &start;
        }
        for (const auto& member : members_) member->load({&entry, 1});
    }
}

// All members have the sums, the counters and the generators. Each has its own columns.
void DividedEngine::store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const {
    require_whole();
    const DeviceLocks locks(devices_);
    members_[0]->store(slots, states, whole);
    const std::size_t tiles = (sites_ + grid_panel - 1) / grid_panel, column = 2 * sites_;
    for (std::size_t i = 0; i < slots.size() && whole; ++i)
        for (std::size_t tile = 0; tile < tiles; ++tile) {
            const std::size_t first = tile * grid_panel, columns = std::min<std::size_t>(grid_panel, sites_ - first);
            if (tile % members_.size() != 0)
                members_[tile % members_.size()]->store_columns(
                    slots[i], first, std::span(states[i].psi).subspan(first * column, columns * column));
        }
}

// Starts what the members have prepared, and waits for all of them. If a launch fails, the kernels that wait for it are
// told to end.
void DividedEngine::run() {
    std::exception_ptr error;
    const auto attempt = [&error](const auto& work) {
        try {
            work();
        } catch (...) {
            if (!error) error = std::current_exception();
        }
    };
    std::size_t launched = 0;
    for (; launched < members_.size() && !error; ++launched) attempt([&] { members_[launched]->launch(); });
    for (std::size_t i = 0; i < launched && error; ++i) members_[i]->stop();
    for (std::size_t i = 0; i < launched; ++i) attempt([&] { members_[i]->wait(); });
    // If a kernel has failed, that is the error. The others have only waited for it.
    for (std::size_t i = 0; i < launched; ++i) attempt([&] { members_[i]->require_completed(); });
    broken_ = error != nullptr;
    if (error) std::rethrow_exception(error);
}

std::int64_t DividedEngine::advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                    std::span<PointStatus> statuses) {
    require_whole();
    const DeviceLocks locks(devices_);
    for (const auto& member : members_) member->prepare_advance(cycles, slots);
    run();
    std::int64_t done = 0;
    for (const auto& member : members_) done = member->finish_advance(slots, statuses);
    return done;
}

CycleEnd DividedEngine::cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) {
    require_whole();
    const DeviceLocks locks(devices_);
    for (const auto& member : members_) member->prepare_cycle(slot, diagonals);
    run();
    CycleEnd end{};
    for (const auto& member : members_) end = member->finish_cycle(slot, log_norms);
    return end;
}

// Returns whether `from` can write to the memory of `to` fast enough. Devices that have a fast link, such as NVLink,
// also have atomic operations on each other's memory.
bool reaches(int from, int to) {
    if (from == to) return true;
    int possible = 0, fast = 0;
    check(cudaDeviceCanAccessPeer(&possible, from, to), "cudaDeviceCanAccessPeer");
    if (!possible) return false;
    check(cudaDeviceGetP2PAttribute(&fast, cudaDevP2PAttrNativeAtomicSupported, from, to), "cudaDeviceGetP2PAttribute");
    return fast != 0;
}

// Returns whether every launch waits for its kernel, which would wait for the launch on the next device.
bool launches_block() {
    const char* const value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && std::string_view(value) != "0";
}

// Returns whether the devices round alike and reach each other.
bool can_share(std::span<const int> devices) {
    for (const int a : devices)
        for (const int b : devices)
            for (const cudaDeviceAttr equal : {cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor})
                if (attribute(equal, a) != attribute(equal, b) || !reaches(a, b)) return false;
    return true;
}

}  // namespace divided_parts

std::unique_ptr<Engine> make_divided_engine(std::span<const Context* const> contexts, const Problem& problem,
                                            std::size_t points, std::size_t points_of_run, int only) {
    std::vector<int> devices = different_devices(contexts);
    if (launches_block() || !can_share(devices)) return nullptr;
    const DeviceLocks locks(devices);
    for (const int from : devices)
        for (const int to : devices)
            if (!cuda::enable_peer(from, to)) return nullptr;
    std::vector<std::unique_ptr<CudaEngine>> members;
    int threads = 0;
    for (const Context* context : contexts) {
        threads += context->threads();
        members.push_back(make_device_engine(*context, problem, points, points_of_run, only));
        if (members.back()->plan().kernel != WideKernel::grid) return nullptr;
    }
    return std::make_unique<DividedEngine>(problem, threads, std::move(devices), std::move(members));
}

}  // namespace legato::tmm
