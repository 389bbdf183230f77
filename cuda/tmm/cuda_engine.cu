#include "tmm/cuda_engine.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/shared_memory.hpp"
#include "tmm/cluster_kernel.cuh"
#include "tmm/given_slices.hpp"
#include "tmm/grid_kernel.cuh"
#include "tmm/memory.hpp"
#include "tmm/small_kernel.cuh"

namespace legato::tmm {
inline namespace engine_parts {

using cuda::allow_shared_memory;
using cuda::attribute;
using cuda::check;

const WideKernels plain_kernels{cluster_kernel<true>, {grid_kernel<false, true>, grid_kernel<true, true>}};
constexpr std::size_t static_bytes = 4096;  // bound on the static shared memory of the kernels, without generators
static_assert(std::max(sizeof(PanelState<cluster_panel>), sizeof(PanelState<grid_panel>)) <= static_bytes);

std::size_t random_words(const Problem& p) {
    if (p.random_stream == RandomStream::lfsr113) return 4;
    return p.random_stream == RandomStream::lfsr113_per_site ? 4 * static_cast<std::size_t>(p.sites()) : 0;
}

// Returns how many clusters of `ranks` blocks the device runs at once, if every block takes a whole multiprocessor. It
// can be less than multiprocessors / ranks, because a cluster is always within one GPU processing cluster.
int clusters_at_once(int device, int ranks, std::size_t shared_bytes) {
    allow_shared_memory(plain_kernels.cluster, device);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(ranks));
    config.blockDim = dim3(cluster_threads);
    config.dynamicSmemBytes = shared_bytes;
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(ranks), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
    int count = 0;
    check(cudaOccupancyMaxActiveClusters(&count, plain_kernels.cluster, &config), "cudaOccupancyMaxActiveClusters");
    return count;
}

DeviceLimits device_limits(int device) {
    DeviceLimits limits{};
    limits.shared_memory =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) - static_bytes;
    limits.clusters[0] = attribute(cudaDevAttrMultiProcessorCount, device);
    const bool has_clusters = attribute(cudaDevAttrClusterLaunch, device) != 0;
    for (std::size_t i = 1; i < limits.clusters.size() && has_clusters; ++i)
        limits.clusters[i] = clusters_at_once(device, 1 << i, limits.shared_memory);
    return limits;
}

// The kernels for a shape of at most 32 sites, and the data for their launch.
struct SmallChoice {
    void (*kernels[2])(KernelArguments, SmallDraws, int);  // [alone]
    int parts;
    int doubles;  // shared memory per point, in doubles
};

template <class Shape>
SmallChoice small_choice() {
    return {{small_kernel<Shape, false>, small_kernel<Shape, true>}, Shape::parts, SmallShared<Shape>::doubles};
}

SmallChoice small_choice_for(const Problem& p) {
    if (p.dimension == 3) switch (p.width) {
            case 2:
                return small_choice<Bar<2>>();
            case 3:
                return small_choice<Bar<3>>();
            case 4:
                return small_choice<Bar<4>>();
            case 5:
                return small_choice<Bar<5>>();
            default:
                return small_choice<Bar<1>>();
        }
    if (p.dimension == 1) return small_choice<Chain>();
    switch ((p.width + 3) / 4) {
        case 1:
            return p.width == 1   ? small_choice<Strip<1, 1>>()
                   : p.width == 2 ? small_choice<Strip<2, 1>>()
                                  : small_choice<Strip<2, 2>>();
        case 2:
            return small_choice<Strip<4, 2>>();
        case 3:
            return small_choice<Strip<6, 2>>();
        case 4:
            return small_choice<Strip<8, 2>>();
        case 5:
            return small_choice<Strip<20, 1>>();
        case 6:
            return small_choice<Strip<24, 1>>();
        case 7:
            return small_choice<Strip<28, 1>>();
        default:
            return small_choice<Strip<32, 1>>();
    }
}

SmallDraws small_draws(const Problem& p, int parts, bool alone) {
    const auto sites = static_cast<int>(p.sites()), n_ortho = static_cast<int>(p.n_ortho);
    const bool whole_cycles = p.random_stream == RandomStream::lfsr113 && !alone && n_ortho <= small_slices;
    if (!whole_cycles || n_ortho == 1) return {sites, 1};
    return n_ortho % parts == 0 && n_ortho > parts ? SmallDraws{sites * parts, n_ortho / parts}
                                                   : SmallDraws{sites, n_ortho};
}

CudaEngine::CudaEngine(const Problem& problem, std::size_t slots, std::size_t points_of_run, int device, int threads,
                       int only)
    : problem_(problem),
      sites_(static_cast<std::size_t>(problem.channels())),
      words_(random_words(problem)),
      is_small_(problem.has_plain_hopping() && problem.sites() <= small_most_sites),
      kernels_(problem.has_plain_hopping() ? plain_kernels : coupled_kernels()),
      device_(device),
      threads_(threads),
      transfer_(threads),
      heads_host_(slots) {
    limits_ = device_limits(device);
    limits_.only = only;
    plan_ = make_plan(problem, points_of_run, limits_);
    heads_ = Buffer<SlotHead>(slots);
    psi_ = Buffer<double>(slots * 2 * sites_ * sites_);
    log_norms_ = Buffer<double>(slots * sites_);
    log_norms2_ = Buffer<double>(slots * sites_);
    if (problem.rule == Rule::blocks) blocks_ = Buffer<double>(slots * most_blocks * sites_);
    random_ = Buffer<std::uint32_t>(slots * words_);
    work_ = Buffer<std::size_t>(slots);
    queue_ = Buffer<unsigned>(1);
    if (problem.random_stream == RandomStream::lfsr113) {
        const auto upload = [&problem](Buffer<std::uint32_t>& buffer, SmallDraws draws) {
            // A generator has to skip the draws of the others after its own.
            const int others = (draws.generators - 1) * draws.run * draws_per_site(problem.disorder);
            const random::Lfsr113Leap leap(static_cast<std::uint64_t>(others));
            buffer = Buffer<std::uint32_t>(random::Lfsr113Leap::table_size);
            buffer.upload(leap.tables());
        };
        const SmallDraws site_by_site{static_cast<int>(problem.sites()), 1};
        upload(leap_, is_small_ ? small_draws(problem, small_choice_for(problem).parts, problem.max_growth > 0)
                                : site_by_site);
        if (is_small_) upload(leap_alone_, site_by_site);
    }
}

void CudaEngine::load(std::span<const Entry> entries) {
    const cuda::DeviceScope scope(device_);
    const std::size_t most = batch_size(problem_);
    for (std::size_t first = 0; first < entries.size(); first += most)
        load_batch(entries.subspan(first, std::min(most, entries.size() - first)));
    within_cycle_ = false;
}

void CudaEngine::load_batch(std::span<const Entry> entries) {
    std::vector<PointState> starts(entries.size());
    for_each_point(problem_, entries.size(), threads_, [&](std::size_t i, int team_size) {
        if (!entries[i].state) starts[i] = initial_state(problem_, entries[i].stream, team_size);
    });
    const auto state_of = [&](std::size_t i) -> const PointState& {
        return entries[i].state ? *entries[i].state : starts[i];
    };
    std::vector<std::size_t> slots;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& [slot, point, stream, unused] = entries[i];
        const PointState& state = state_of(i);
        heads_host_[slot] = {point.energy,   point.disorder, state.cycles,        state.slices,
                             state.interval, stream,         PointStatus::running};
        slots.push_back(slot);
    }
    transfer_.choose(slots);
    transfer_.load(heads_, 1, [&](std::size_t i) { return std::span<const SlotHead>(&heads_host_[slots[i]], 1); });
    const auto load = [&](const auto& array, std::size_t length, auto member) {
        transfer_.load(array, length, [&](std::size_t i) { return std::span(state_of(i).*member); });
    };
    load(psi_, 2 * sites_ * sites_, &PointState::psi);
    load(log_norms_, sites_, &PointState::log_norms);
    load(log_norms2_, sites_, &PointState::log_norms2);
    if (problem_.rule == Rule::blocks) load(blocks_, most_blocks * sites_, &PointState::blocks);
    if (words_) load(random_, words_, &PointState::random);
}

void CudaEngine::store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const {
    const cuda::DeviceScope scope(device_);
    require_between_cycles();
    fetch_heads();
    for_each_point(problem_, slots.size(), threads_, [&](std::size_t i, int) {
        const SlotHead& head = heads_host_[slots[i]];
        PointState& state = states[i] = {};
        state.status = head.status;
        state.cycles = head.cycles;
        state.slices = head.slices;
        state.interval = head.interval;
        state.log_norms.resize(sites_);
        state.log_norms2.resize(sites_);
        if (problem_.rule == Rule::blocks) state.blocks.resize(most_blocks * sites_);
        if (whole) state.psi.resize(2 * sites_ * sites_);
        if (whole) state.random.resize(words_);
    });
    transfer_.choose(slots);
    const auto store = [&](const auto& array, std::size_t length, auto member) {
        transfer_.store(array, length, [&](std::size_t i) { return std::span(states[i].*member); });
    };
    store(log_norms_, sites_, &PointState::log_norms);
    store(log_norms2_, sites_, &PointState::log_norms2);
    if (problem_.rule == Rule::blocks) store(blocks_, most_blocks * sites_, &PointState::blocks);
    if (whole) store(psi_, 2 * sites_ * sites_, &PointState::psi);
    if (whole && words_) store(random_, words_, &PointState::random);
}

void CudaEngine::fetch_heads() const {
    if (!heads_known_) heads_.download(heads_host_);
    heads_known_ = true;
}

void CudaEngine::require_between_cycles() const {
    if (within_cycle_)
        fail(Status::numerical_error,
             "tmm.propagation: an error has interrupted a cycle, and the columns are lost; load the two slices again");
}

KernelArguments CudaEngine::arguments_for(std::span<const std::size_t> slots, std::int64_t cycles) {
    work_.upload(slots);
    constexpr unsigned zero[1] = {};
    queue_.upload(zero);
    KernelArguments arguments{};
    arguments.problem = problem_;
    arguments.sites = static_cast<int>(sites_);
    arguments.wrap = problem_.boundary == Boundary::hard_wall  ? 0.0
                     : problem_.boundary == Boundary::periodic ? 1.0
                                                               : -1.0;
    arguments.slots = {heads_.data(),
                       psi_.data(),
                       log_norms_.data(),
                       log_norms2_.data(),
                       blocks_.data(),
                       random_.data(),
                       static_cast<std::uint32_t>(words_)};
    arguments.leap = leap_.data();
    arguments.work = work_.data();
    arguments.count = static_cast<int>(slots.size());
    arguments.cycles = cycles;
    arguments.max_cycles = limit_.cycles;
    arguments.status_at_max = limit_.status;
    arguments.queue = queue_.data();
    arguments.directions = 2 * (problem_.dimension - 1);
    return arguments;
}

// Passes the slices of the caller, and the neighbours in the caller's lattice.
void CudaEngine::give_slices(KernelArguments& arguments, std::span<const std::size_t> slots) {
    const GivenSlices& given = *problem_.given;
    const auto components = static_cast<std::size_t>(problem_.components());
    const std::size_t directions = given.directions(), numbers = (2 + directions) * sites_,
                      slices = static_cast<std::size_t>(arguments.cycles * problem_.n_ortho);
    std::vector<double> packed(slots.size() * slices * numbers);
    in_parallel(slots.size() * slices, threads_, [&](std::size_t i) {
        const SlotHead& head = heads_host_[slots[i / slices]];
        const std::int64_t slice = head.slices + static_cast<std::int64_t>(i % slices);
        double* const to = packed.data() + i * numbers;
        for (std::size_t channel = 0; channel < sites_; ++channel) {
            const std::size_t site = channel / components;
            const GivenSlices::Site here = given.site(head.stream, slice, site);
            to[channel] = (head.energy - here.on_site) / here.next;
            to[sites_ + channel] = here.earlier / here.next;
            for (std::size_t d = 0; d < directions; ++d)
                to[(2 + d) * sites_ + channel] =
                    given.hopping(head.stream, slice, site, d).part[channel % components] / here.next;
        }
    });
    grow(given_slices_, packed.size());
    given_slices_.upload(packed);
    std::vector<int> near;
    for (std::size_t site = 0; site < sites_ / components; ++site)
        for (std::size_t d = 0; d < directions; ++d) near.push_back(given.neighbour(site, d));
    grow(near_, near.size() + 1);
    if (!near.empty()) near_.upload(near);
    arguments.given_slices = given_slices_.data();
    arguments.near = near_.data();
    arguments.directions = static_cast<int>(directions);
}

std::int64_t CudaEngine::advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                 std::span<PointStatus> statuses) {
    const cuda::DeviceScope scope(device_);
    prepare_advance(cycles, slots);
    launch();
    wait();
    return finish_advance(slots, statuses);
}

void CudaEngine::prepare_advance(std::int64_t cycles, std::span<const std::size_t> slots) {
    const cuda::DeviceScope scope(device_);
    fetch_heads();
    prepared_.reset();
    cycles_before_ = 0;
    // Points that stopped in an earlier call, which an error interrupted, are left out.
    std::vector<std::size_t> running;
    for (const std::size_t slot : slots) {
        const SlotHead& head = heads_host_[slot];
        cycles_before_ += head.cycles;
        if (!is_finished(head.status) && head.cycles < limit_.cycles) running.push_back(slot);
    }
    if (running.empty()) return;
    if (is_small_) return advance_small(cycles, running);
    prepared_ = arguments_for(running, cycles);
    if (problem_.given) give_slices(*prepared_, running);
    prepare_share();
}

std::int64_t CudaEngine::finish_advance(std::span<const std::size_t> slots, std::span<PointStatus> statuses) {
    const cuda::DeviceScope scope(device_);
    fetch_heads();
    std::int64_t after = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        statuses[i] = heads_host_[slots[i]].status;
        after += heads_host_[slots[i]].cycles;
    }
    return after - cycles_before_;
}

void CudaEngine::launch() {
    if (!prepared_) return;
    const cuda::DeviceScope scope(device_);
    heads_known_ = false;
    launch_wide(*prepared_);
}

void CudaEngine::wait() {
    if (!prepared_) return;
    const cuda::DeviceScope scope(device_);
    prepared_.reset();
    check(stream_ ? cudaStreamSynchronize(stream_.get()) : cudaDeviceSynchronize(), "tmm kernel");
}

void CudaEngine::require_completed() const {
    const cuda::DeviceScope scope(device_);
    unsigned stopped[1] = {};
    signals_.download(stopped, signals_.size() - 1);
    if (stopped[0] != 0)
        fail(Status::device_error, "tmm: device ", device_,
             " has waited in vain for the other devices that share a point");
}

// Launches the small kernel. Points whose interval may differ from that of others have a warp of their own.
void CudaEngine::advance_small(std::int64_t cycles, std::span<const std::size_t> slots) {
    std::vector<std::size_t> kinds[2];
    for (const std::size_t slot : slots)
        kinds[problem_.max_growth > 0 || heads_host_[slot].interval < problem_.n_ortho].push_back(slot);
    for (const bool alone : {false, true}) {
        if (kinds[alone].empty()) continue;
        KernelArguments arguments = arguments_for(kinds[alone], cycles);
        if (alone) arguments.leap = leap_alone_.data();
        heads_known_ = false;
        launch_small(arguments, alone);
        check(cudaDeviceSynchronize(), "tmm kernel");
    }
}

// Launches a kernel for wide points at any width, because these kernels accept given diagonals.
CycleEnd CudaEngine::cycle(std::size_t slot, std::span<const double> diagonals, std::span<double> log_norms) {
    const cuda::DeviceScope scope(device_);
    prepare_cycle(slot, diagonals);
    launch();
    wait();
    return finish_cycle(slot, log_norms);
}

void CudaEngine::prepare_cycle(std::size_t slot, std::span<const double> diagonals) {
    const cuda::DeviceScope scope(device_);
    require_between_cycles();
    fetch_heads();
    heads_host_[slot] = {};
    heads_host_[slot].status = PointStatus::running;
    heads_host_[slot].interval = static_cast<std::int64_t>(diagonals.size() / sites_);
    heads_.upload({&heads_host_[slot], 1}, slot);
    const std::vector<double> zeros(sites_);
    log_norms_.upload(zeros, slot * sites_);
    grow(given_, diagonals.size() + 1);
    given_.upload(diagonals);
    KernelArguments& arguments = prepared_.emplace(arguments_for({&slot, 1}, 1));
    arguments.given = given_.data();
    arguments.problem.n_ortho = heads_host_[slot].interval;
    arguments.slots.blocks = nullptr;  // without blocks, the log norms of the cycle remain in log_norms
    within_cycle_ = true;
    const std::size_t size = 2 * sites_ * sites_;
    if (plan_.kernel == WideKernel::grid) {
        grow(psi_before_, size);
        check(
            cudaMemcpy(psi_before_.data(), psi_.data() + slot * size, size * sizeof(double), cudaMemcpyDeviceToDevice),
            "cudaMemcpy on the device");
    }
    prepare_share();
}

CycleEnd CudaEngine::finish_cycle(std::size_t slot, std::span<double> log_norms) {
    const cuda::DeviceScope scope(device_);
    heads_.download({&heads_host_[slot], 1}, slot);
    heads_known_ = true;
    const bool lost = heads_host_[slot].status == PointStatus::imprecise;
    const std::size_t size = 2 * sites_ * sites_;
    if (lost && plan_.kernel == WideKernel::grid)
        check(
            cudaMemcpy(psi_.data() + slot * size, psi_before_.data(), size * sizeof(double), cudaMemcpyDeviceToDevice),
            "cudaMemcpy on the device");
    if (!lost) log_norms_.download(log_norms, slot * sites_);
    within_cycle_ = false;
    if (lost) return CycleEnd::lost_precision;
    return heads_host_[slot].status == PointStatus::failed ? CycleEnd::failed : CycleEnd::valid;
}

void CudaEngine::launch_small(const KernelArguments& arguments, bool alone) {
    const SmallChoice choice = small_choice_for(problem_);
    int lanes = choice.parts;
    while (lanes < arguments.sites * choice.parts) lanes *= 2;
    const std::size_t tables =
        problem_.random_stream == RandomStream::lfsr113 ? leap_.size() * sizeof(std::uint32_t) : 0;
    const std::size_t shared =
        tables + sizeof(double) * static_cast<std::size_t>(small_warps * (32 / lanes) * choice.doubles);
    const auto kernel = choice.kernels[alone];
    const int per_block = small_warps * (alone ? 1 : 32 / lanes);
    int resident = 0;
    allow_shared_memory(kernel, device_);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, 32 * small_warps, shared),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const int blocks =
        std::min((arguments.count + per_block - 1) / per_block, std::max(resident, 1) * limits_.clusters[0]);
    kernel<<<static_cast<unsigned>(blocks), 32 * small_warps, shared>>>(
        arguments, small_draws(problem_, choice.parts, alone), lanes);
    check(cudaGetLastError(), "launch of the small tmm kernel");
}

void CudaEngine::launch_wide(const KernelArguments& arguments) {
    if (plan_.kernel == WideKernel::cluster)
        launch_cluster(arguments);
    else
        launch_grid(arguments);
}

void CudaEngine::launch_cluster(const KernelArguments& arguments) {
    const int points = std::min(plan_.points_at_once, arguments.count);
    grow(cycle_log_norms_, static_cast<std::size_t>(points) * sites_);
    allow_shared_memory(kernels_.cluster, device_);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(plan_.cluster.ranks * points));
    config.blockDim = dim3(cluster_threads);
    config.dynamicSmemBytes = plan_.shared_bytes;
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(plan_.cluster.ranks), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = plan_.cluster.ranks > 1 ? 1 : 0;
    const ClusterArguments wide{arguments, plan_.cluster, cycle_log_norms_.data()};
    check(cudaLaunchKernelEx(&config, kernels_.cluster, wide), "launch of the cluster tmm kernel");
}

// Returns the plan for `points` points with the grid kernel, with as many groups as the free memory allows. The results
// do not depend on the number of groups.
Plan CudaEngine::plan_groups(std::size_t points) const {
    DeviceLimits limits = limits_;
    if (limits.only == any_plan) limits.only = grid_plan;
    const Plan plan = make_plan(problem_, points, limits);
    const auto groups = static_cast<std::size_t>(plan.grid.groups), each = static_cast<std::size_t>(plan.grid.doubles);
    if (groups == 1 || groups * each <= group_memory_.size()) return plan;
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    const std::size_t most = (free / 2 / sizeof(double) + group_memory_.size()) / each;
    return most >= groups ? plan : make_plan(problem_, std::max<std::size_t>(most, 1), limits);
}

GridArguments CudaEngine::grid_arguments(const KernelArguments& arguments, const GridLayout& layout) {
    const auto groups = static_cast<std::size_t>(layout.groups);
    grow(group_memory_, groups * static_cast<std::size_t>(layout.doubles));
    grow(counters_, groups);
    return {arguments, layout, group_memory_.data(), counters_.data(), share_};
}

void CudaEngine::launch_grid(const KernelArguments& arguments) {
    const bool divided = share_.parts > 0;
    const Plan plan = divided ? share_plan_ : plan_groups(static_cast<std::size_t>(arguments.count));
    GridArguments grid = grid_arguments(arguments, plan.grid);
    check(cudaMemsetAsync(counters_.data(), 0, counters_.size() * sizeof(GroupCounters), stream_.get()),
          "cudaMemset on the device");
    const auto kernel = kernels_.grid[divided];
    if (!divided) allow_shared_memory(kernel, device_);
    void* parameters[] = {&grid};
    const auto blocks = static_cast<unsigned>(grid.layout.groups * grid.layout.blocks);
    const auto* const function = reinterpret_cast<const void*>(kernel);
    check(cooperative_ ? cudaLaunchCooperativeKernel(function, dim3(blocks), dim3(grid_threads), parameters,
                                                     plan.shared_bytes, stream_.get())
                       : cudaLaunchKernel(function, dim3(blocks), dim3(grid_threads), parameters, plan.shared_bytes,
                                          stream_.get()),
          "launch of the grid tmm kernel");
}

GridPeer CudaEngine::peer(int parts) {
    const cuda::DeviceScope scope(device_);
    share_plan_ = plan_groups(1);
    grow(signals_, static_cast<std::size_t>(parts * (share_plan_.grid.row_tiles + 2) + 1));
    const GridArguments grid = grid_arguments({}, share_plan_.grid);
    return {psi_.data(), panel_factors(grid.memory, grid.layout, static_cast<int>(sites_)), signals_.data()};
}

void CudaEngine::join(const GridShare& share, int blocks, bool cooperative) {
    const cuda::DeviceScope scope(device_);
    share_ = share;
    share_.stopped = signals_.data() + signals_.size() - 1;
    share_plan_.grid.blocks = blocks;
    cooperative_ = cooperative;
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    stream_.reset(stream);
}

// The other devices may launch and send as soon as all devices have prepared.
void CudaEngine::prepare_share() {
    if (share_.parts == 0) return;
    const std::vector<unsigned> zeros(signals_.size());
    signals_.upload(zeros);
    allow_shared_memory(kernels_.grid[true], device_);  // loads the kernel, which would wait for those of others
    check(cudaDeviceSynchronize(), "tmm: preparing a kernel");
}

void CudaEngine::stop() noexcept {
    constexpr unsigned one = 1;
    cuda::clear_error(cudaMemcpy(share_.stopped, &one, sizeof one, cudaMemcpyHostToDevice));
}

void CudaEngine::store_columns(std::size_t slot, std::size_t first, std::span<double> columns) const {
    const cuda::DeviceScope scope(device_);
    psi_.download(columns, (slot * sites_ + first) * 2 * sites_);
}

}  // namespace engine_parts

bool has_cuda_kernel(const Context& context, const Problem& problem) {
    if (problem.given && problem.given->directions() > std::size_t{most_directions}) return false;
    const cuda::DeviceScope scope(context.options().device);
    return std::isfinite(make_plan(problem, 1, device_limits(context.options().device)).microseconds_per_cycle);
}

std::unique_ptr<CudaEngine> engine_parts::make_device_engine(const Context& context, const Problem& problem,
                                                             std::size_t points, std::size_t points_of_run, int only) {
    if (problem.given && problem.given->directions() > std::size_t{most_directions})
        fail(Status::invalid_argument, "tmm.n_links: a site has ", problem.given->directions(),
             " links, and a device computes lattices of at most ", most_directions, "; use the CPU backend");
    const int device = context.options().device;
    const cuda::DeviceScope scope(device);
    DeviceLimits limits = device_limits(device);
    limits.only = only;
    if (!std::isfinite(make_plan(problem, 1, limits).microseconds_per_cycle))
        fail(Status::out_of_memory, "tmm.params.width: ", problem.width,
             " needs more shared memory or multiprocessors than device ", device, " has");
    const MemoryLimit limit = memory_limit(context, Backend::cuda);
    const std::int64_t each = memory_needs(problem).each;
    static_assert(sizeof(SlotHead) <= sizeof(Point) + sizeof(PointState));
    require_memory(text("tmm.params.width: ", problem.width, " needs for each point"), each, limit);
    constexpr std::size_t comfortable = 1 << 20;  // largest number of points at once
    const auto fit = static_cast<std::size_t>(limit.bytes / each);
    return std::make_unique<CudaEngine>(problem, std::min({points, fit, comfortable}), points_of_run, device,
                                        context.threads(), only);
}

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, std::size_t points,
                                         std::size_t points_of_run, int only) {
    return make_device_engine(context, problem, points, points_of_run, only);
}

}  // namespace legato::tmm
