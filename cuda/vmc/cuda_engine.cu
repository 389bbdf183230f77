// The CUDA engine: a block of threads to a chain, which stays on its multiprocessor for a whole stretch. Only the
// electrons' sites outlive it.
#include <algorithm>
#include <vector>

#include "core/buffer.hpp"
#include "vmc/attempts.cuh"
#include "vmc/engine.hpp"
#include "vmc/local_energy.cuh"

namespace legato::vmc {
namespace {

using cuda::Buffer;
using cuda::check;

// What all chains add to.
struct Totals {
    unsigned long long moves[2][move_counters];
    unsigned long long drift;  // bits of a number that is not negative: larger ones have larger bits
    unsigned failed;           // the first chain whose matrix has become singular
};

struct DeviceStretch {
    std::int64_t first_sweep, sweeps, interval;
    bool measure;
    int chains;
    std::int32_t* sites;   // [chains][2][pairs]
    double* sums;          // [chains][all values]
    std::int64_t of_sums;  // local values, correlations included
    double* rows;          // [blocks][rows][stride], where these are not in shared memory
    Totals* totals;
};

template <class S>
__device__ void take_tables(const Chain<S>& c, double* table, double* modes, std::int32_t* neighbours) {
    const Dimensions& d = c.m.d;
    for (int i = static_cast<int>(threadIdx.x); i < d.table; i += S::threads) table[i] = c.m.table[i - d.table / 2];
    for (int i = static_cast<int>(threadIdx.x); i < d.modes * d.sites; i += S::threads) modes[i] = c.m.modes[i];
    for (int i = static_cast<int>(threadIdx.x); i < 4 * d.sites; i += S::threads) neighbours[i] = c.m.neighbours[i];
}

// Holes are numbered by their sites, for a start.
template <class S>
__device__ void take_electrons(const Chain<S>& c, const std::int32_t* sites) {
    const Dimensions& d = c.m.d;
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < d.sites; i += S::threads) c.electron_at()[i] = first_hole;
    __syncthreads();
    for (int i = thread; i < d.order(); i += S::threads) {
        const bool real = i < d.pairs;
        const std::int32_t up = real ? sites[i] : 0, down = real ? sites[d.pairs + i] : 0;
        c.up_site()[i] = up;
        c.down_site()[i] = down;
        c.up_code()[i] = c.m.codes[up];
        c.down_code()[i] = c.m.codes[down];
        if (!real) continue;
        c.electron_at()[up] = i + 1;
        c.electron_at()[down] = -(i + 1);
    }
    __syncthreads();
    if (thread < 32)
        for (int begin = 0, holes = 0; begin < d.sites; begin += 32) {
            const int site = begin + thread;
            const bool empty = site < d.sites && c.electron_at()[site] == first_hole;
            const unsigned mask = __ballot_sync(whole_warp, empty);
            const int number = holes + __popc(mask & ((1u << thread) - 1));
            if (empty) {
                c.hole_site()[number] = site;
                c.electron_at()[site] = first_hole + number;
            }
            holes += __popc(mask);
        }
    __syncthreads();
}

// False where the matrix is singular.
template <class S>
__device__ bool carry_on(const Chain<S>& c, const DeviceStretch& stretch, int chain, double& drift) {
    double unused = 0;
    if (!refresh(c, unused)) return false;
    const auto count = static_cast<int>(c.m.attempts_per_sweep);
    unsigned round = 0;
    for (std::int64_t s = 0; s < stretch.sweeps; ++s) {
        if (!attempt(c, static_cast<std::uint32_t>(chain), (stretch.first_sweep + s) * count, count, round, drift))
            return false;
        if (stretch.measure) {
            measure(c);
            if (c.m.correlations) add_correlations(c, stretch.sums + chain * stretch.of_sums + c.m.d.values);
        }
        if ((s + 1) % stretch.interval != 0 && s + 1 != stretch.sweeps) continue;
        double change = 0;
        if (!refresh(c, change)) return false;
        drift = change <= drift ? drift : change;
    }
    return true;
}

template <class S>
__global__ void __launch_bounds__(S::threads)
    carry_chains(const __grid_constant__ DeviceModel model, const __grid_constant__ DeviceStretch stretch) {
    extern __shared__ __align__(16) char shared[];
    const Dimensions& d = model.d;
    const Chain<S> c(
        model, shared,
        stretch.rows + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(d.rows()) * d.stride);
    const int thread = static_cast<int>(threadIdx.x);
    if constexpr (S::in_shared)
        take_tables(c, const_cast<double*>(c.table()) - d.table / 2, const_cast<double*>(c.mode(0)),
                    reinterpret_cast<std::int32_t*>(shared + model.layout.neighbours));
    for (int chain = static_cast<int>(blockIdx.x); chain < stretch.chains; chain += static_cast<int>(gridDim.x)) {
        std::int32_t* const sites = stretch.sites + static_cast<std::size_t>(chain) * 2 * d.pairs;
        for (int i = thread; i < d.values; i += S::threads) c.sums()[i] = 0;
        for (int i = thread; i < 2 * move_counters; i += S::threads) c.counters()[i] = 0;
        for (int i = thread; i < 3; i += S::threads) c.first()[i] = window;
        take_electrons(c, sites);
        double drift = 0;
        const bool done = carry_on(c, stretch, chain, drift);
        __syncthreads();
        for (int i = thread; i < d.pairs; i += S::threads) {
            sites[i] = c.up_site()[i];
            sites[d.pairs + i] = c.down_site()[i];
        }
        for (int i = thread; i < d.values; i += S::threads) stretch.sums[chain * stretch.of_sums + i] += c.sums()[i];
        if (thread < 2 * move_counters) atomicAdd(&stretch.totals->moves[0][0] + thread, c.counters()[thread]);
        if (thread == 0) {
            atomicMax(&stretch.totals->drift, static_cast<unsigned long long>(__double_as_longlong(drift)));
            if (!done) atomicMin(&stretch.totals->failed, static_cast<unsigned>(chain));
        }
        __syncthreads();
    }
}

// Shapes by the order of the matrix.
using Small = Shape<4, 4, 32, true>;
using Medium = Shape<8, 5, 128, true>;
using Wide = Shape<8, 8, 256, true>;
using Large = Shape<16, 8, 512, true>;
using Any = Shape<32, 0, 512, false>;

Dimensions dimensions_of(const Model& model) {
    const Lattice& lattice = model.problem.lattice;
    const int x = lattice.extents[0], y = lattice.extents[1];
    Dimensions d;
    d.sites = static_cast<int>(model.geometry.sites());
    d.pairs = static_cast<int>(model.pairs());
    d.modes = static_cast<int>(model.pair.modes);
    d.table = lattice.cluster == Cluster::tilted ? 2 * d.sites - 1 : (2 * x - 1) * (2 * y - 1);
    d.stride = d.order() | 1;
    d.values = static_cast<int>(index_of_correlations(model.problem));
    return d;
}

template <class S>
ChainLayout layout_of(const Dimensions& d) {
    ChainLayout layout;
    const auto take = [&](std::uint32_t& offset, int count, std::size_t size) {
        offset = layout.bytes;
        layout.bytes += static_cast<std::uint32_t>((static_cast<std::size_t>(count) * size + 15) / 16 * 16);
    };
    constexpr std::size_t number = sizeof(double), index = sizeof(std::int32_t);
    if constexpr (S::in_shared) {
        take(layout.rows, d.rows() * d.stride, number);
        take(layout.table, d.table, number);
        take(layout.modes, d.modes * d.sites, number);
        take(layout.neighbours, 4 * d.sites, index);
    }
    for (std::uint32_t* const vector : {&layout.x, &layout.y, &layout.b}) take(*vector, d.order(), number);
    take(layout.partial, S::threads + d.order(), number);
    take(layout.outcomes, window * 4, number);
    take(layout.sums, d.values, number);
    take(layout.attempts, S::threads, sizeof(Attempt));
    for (std::uint32_t* const list :
         {&layout.up_site, &layout.down_site, &layout.up_code, &layout.down_code, &layout.pivots})
        take(*list, d.order(), index);
    take(layout.electron_at, d.sites, index);
    take(layout.hole_site, d.holes(), index);
    take(layout.counters, 2 * move_counters, index);
    take(layout.first, 3, index);
    return layout;
}

class CudaEngine final : public Engine {
  public:
    CudaEngine(const Context& context, const Model& model);

    void load(std::span<const std::int32_t> sites) override {
        const cuda::DeviceScope scope(device_);
        sites_.upload(sites);
    }
    void store(std::span<std::int32_t> sites) const override {
        const cuda::DeviceScope scope(device_);
        sites_.download(sites);
    }
    StretchReport advance(const Stretch& stretch, std::span<double> sums) override;

  private:
    template <class S>
    bool takes();
    template <class S>
    void launch(const DeviceStretch& stretch) const;
    void upload_tables();

    const Model& model_;
    int device_, blocks_ = 0;
    DeviceModel on_device_{};
    Buffer<double> table_, modes_, signs_, derivatives_, sums_, rows_;
    Buffer<std::int32_t> codes_, neighbours_, partners_, sites_;
    Buffer<Totals> totals_;
    void (CudaEngine::*launch_)(const DeviceStretch&) const = nullptr;
};

CudaEngine::CudaEngine(const Context& context, const Model& model) : model_(model), device_(context.options().device) {
    const Problem& p = model.problem;
    const auto chains = static_cast<std::size_t>(p.chains);
    on_device_.d = dimensions_of(model);
    upload_tables();
    takes<Small>() || takes<Medium>() || takes<Wide>() || takes<Large>() || takes<Any>();
    sites_ = Buffer<std::int32_t>(chains * 2 * model.pairs());
    sums_ = Buffer<double>(chains * local_values_of(p));
    totals_ = Buffer<Totals>(1);
    on_device_.hopping[0] = p.couplings.t;
    on_device_.hopping[1] = p.couplings.t_prime;
    on_device_.hopping[2] = p.couplings.t_double_prime;
    on_device_.j = p.couplings.j;
    on_device_.seed = static_cast<std::uint64_t>(p.seed);
    on_device_.attempts_per_sweep = model.attempts_per_sweep();
    on_device_.neighbour_share = p.neighbour_share;
    on_device_.gradients = p.gradients;
    on_device_.correlations = p.correlations;
}

// True if this is a shape for the problem's order, and a block finds the shared memory that it wants.
template <class S>
bool CudaEngine::takes() {
    Dimensions& d = on_device_.d;
    const ChainLayout layout = layout_of<S>(d);
    const auto most = static_cast<std::uint32_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    if (d.order() > S::largest_order || (S::in_shared && layout.bytes > most)) return false;
    on_device_.layout = layout;
    launch_ = &CudaEngine::launch<S>;
    check(cudaFuncSetAttribute(carry_chains<S>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(layout.bytes)),
          "cudaFuncSetAttribute");
    blocks_ = model_.problem.chains;
    if constexpr (!S::in_shared) {
        int resident = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, carry_chains<S>, S::threads, layout.bytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        blocks_ = std::min(blocks_, resident * cuda::attribute(cudaDevAttrMultiProcessorCount, device_));
        rows_ = Buffer<double>(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(d.rows()) *
                               static_cast<std::size_t>(d.stride));
    }
    return true;
}

void CudaEngine::upload_tables() {
    const Dimensions& d = on_device_.d;
    const Lattice& lattice = model_.problem.lattice;
    const auto sites = static_cast<std::size_t>(d.sites);
    const std::int32_t row = lattice.cluster == Cluster::tilted ? 0 : lattice.extents[0];
    std::vector<std::int32_t> codes, neighbours, partners(model_.displacements.size());
    std::vector<double> signs, modes, derivatives;
    std::vector<double> table(static_cast<std::size_t>(d.table));
    for (std::int32_t site = 0; site < d.sites; ++site) codes.push_back(row > 0 ? site + site / row * (row - 1) : site);
    for (std::size_t a = 0; a < sites; ++a)
        for (std::size_t b = 0; b < sites; ++b)
            table[static_cast<std::size_t>(codes[a] - codes[b] + d.table / 2)] = model_.pair(a, b);
    for (std::size_t mode = 0; mode < model_.pair.modes; ++mode)
        for (std::size_t a = 0; a < sites; ++a) modes.push_back(model_.pair(a, sites + mode));
    for (int shell = 1; shell <= shells; ++shell)
        for (std::size_t a = 0; a < sites; ++a)
            for (const Signed& there : model_.geometry.neighbours(shell, a)) {
                neighbours.push_back(there.site);
                signs.push_back(there.sign);
            }
    for (std::size_t i = 0; i < partners.size(); ++i)
        partners[i / sites * sites + static_cast<std::size_t>(model_.displacements[i])] =
            static_cast<std::int32_t>(i % sites);
    for (const std::vector<double>& by : model_.derivatives)
        derivatives.insert(derivatives.end(), by.begin(), by.end());
    const auto upload = [](auto& buffer, const auto& values) {
        cuda::grow(buffer, values.size());
        buffer.upload(values);
        return buffer.data();
    };
    on_device_.table = upload(table_, table) + d.table / 2;
    on_device_.modes = upload(modes_, modes);
    on_device_.codes = upload(codes_, codes);
    on_device_.neighbours = upload(neighbours_, neighbours);
    on_device_.signs = upload(signs_, signs);
    on_device_.derivatives = upload(derivatives_, derivatives);
    on_device_.partners = upload(partners_, partners);
}

template <class S>
void CudaEngine::launch(const DeviceStretch& stretch) const {
    carry_chains<S><<<static_cast<unsigned>(blocks_), S::threads, on_device_.layout.bytes>>>(on_device_, stretch);
}

StretchReport CudaEngine::advance(const Stretch& stretch, std::span<double> sums) {
    const cuda::DeviceScope scope(device_);
    Totals totals{};
    totals.failed = static_cast<unsigned>(model_.problem.chains);
    totals_.upload({&totals, 1});
    sums_.upload(sums);
    (this->*launch_)({stretch.first_sweep, stretch.sweeps, stretch.interval, stretch.measure, model_.problem.chains,
                      sites_.data(), sums_.data(), static_cast<std::int64_t>(local_values_of(model_.problem)),
                      rows_.data(), totals_.data()});
    check(cudaGetLastError(), "sweeps");
    totals_.download({&totals, 1});
    sums_.download(sums);
    if (totals.failed < static_cast<unsigned>(model_.problem.chains))
        fail(Status::numerical_error, "vmc: the matrix of chain ", totals.failed, " has become singular");
    StretchReport report;
    for (std::size_t where = 0; where < 2; ++where) {
        const auto of = [&](Kind kind, int accepted) {
            return static_cast<std::int64_t>(totals.moves[where][static_cast<int>(kind) + accepted]);
        };
        MoveCounts& moves = report.moves;
        moves.nulls[where] = of(Kind::null, 0);
        moves.hops[where] = of(Kind::hop, 0);
        moves.exchanges[where] = of(Kind::exchange, 0);
        moves.attempts[where] = moves.nulls[where] + moves.hops[where] + moves.exchanges[where];
        moves.hops_accepted[where] = of(Kind::hop, move_kinds - 1);
        moves.exchanges_accepted[where] = of(Kind::exchange, move_kinds - 1);
    }
    std::copy_n(reinterpret_cast<const char*>(&totals.drift), sizeof(double), reinterpret_cast<char*>(&report.drift));
    return report;
}

}  // namespace

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model) {
    const cuda::DeviceScope scope(context.options().device);
    return std::make_unique<CudaEngine>(context, model);
}

}  // namespace legato::vmc
