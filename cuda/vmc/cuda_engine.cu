// The CUDA engine. Each chain has a block of threads and remains on its multiprocessor for a whole batch. Only the
// electrons' sites are kept between batches.
#include <algorithm>
#include <array>
#include <vector>

#include "core/buffer.hpp"
#include "core/shared_memory.hpp"
#include "vmc/attempts.cuh"
#include "vmc/derivatives.cuh"
#include "vmc/engine.hpp"
#include "vmc/local_energy.cuh"
#include "vmc/pair_correlation.cuh"

namespace legato::vmc {
inline namespace engine_parts {

using cuda::Buffer;
using cuda::check;

// Counters that all chains add to.
struct Totals {
    unsigned long long moves[2][move_counters];
    unsigned failed;  // the first chain whose matrix has become singular
};

struct DeviceBatch {
    std::int64_t first_sweep, sweeps;
    const std::int64_t* intervals;  // [chains]
    double* drifts;                 // [chains]
    bool measure;
    int first_chain, chains_end;
    int first_number, number_step;        // of the engine's chains in the run
    std::int32_t* sites;                  // [chains][2][pairs]
    double* sums;                         // [chains][all values]
    std::int64_t of_sums;                 // number of local values of a chain, correlations included
    int correlations, pair_correlations;  // index of the first value of each in a chain's sums
    // [blocks][of_block]: the rows, if they are not in shared memory, then scratch.
    double* workspace;
    std::int64_t of_block, of_rows;
    Totals* totals;
};

template <class S>
__device__ void take_tables(const DeviceModel& m) {
    using C = Chain<S>;
    for (int i = C::thread(); i < m.d.rows() * C::stride(); i += S::threads) C::rows()[i] = 0;
    for (int i = C::thread(); i < m.d.table(); i += S::threads) C::template at<double>(m.layout.table)[i] = m.table[i];
    for (int i = C::thread(); i < 4 * m.d.sites; i += S::threads)
        C::template at<std::uint16_t>(m.layout.neighbours)[i] = m.neighbours[i];
}

// Sets up a chain's electrons and holes. At first holes are numbered in the order of their sites.
template <class S>
__device__ void take_electrons(const std::int32_t* sites) {
    using C = Chain<S>;
    const Dimensions d = C::m().d;
    const int thread = C::thread();
    for (int i = thread; i < d.sites; i += S::threads) C::electron_at()[i] = first_hole;
    __syncthreads();
    for (int i = thread; i < C::width(); i += S::threads) {
        const int real = i < d.pairs ? i : 0, mode = i - d.pairs;
        const std::int32_t up = sites[real], down = sites[d.pairs + real];
        C::put_up(i, up, C::m().codes[up]);
        C::put_down(i, down, C::m().codes[down]);
        if (i < d.pairs) {
            C::electron_at()[up] = i + 1;
            C::electron_at()[down] = -(i + 1);
        } else if (i < d.order()) {
            C::block_data().up_base[i] = d.reversed_mode(mode) + d.span - 1;
            C::block_data().down_base[i] = d.mode(mode);
            C::block_data().up_site[i] = C::block_data().down_site[i] = d.sites + mode;
        }
    }
    __syncthreads();
    if (thread < 32)
        for (int begin = 0, holes = 0; begin < d.sites; begin += 32) {
            const int site = begin + thread;
            const bool empty = site < d.sites && C::electron_at()[site] == first_hole;
            const unsigned mask = __ballot_sync(whole_warp, empty);
            const int number = holes + __popc(mask & ((1u << thread) - 1));
            if (empty) {
                C::hole_site()[number] = site;
                C::electron_at()[site] = first_hole + number;
            }
            holes += __popc(mask);
        }
    __syncthreads();
}

// Makes a chain's sweeps of the batch. Returns false if the matrix is singular. `more` includes the measurements that
// are seldom wanted; the smaller code without them is noticeably faster.
template <class S, bool more>
__device__ bool advance_chain(const DeviceBatch& batch, int chain, double& drift) {
    using C = Chain<S>;
    const int count = C::m().attempts_per_sweep;
    const auto number = static_cast<std::uint32_t>(batch.first_number + chain * batch.number_step);
    const std::int64_t interval = batch.intervals[chain];
    unsigned round = 0;
    std::int64_t sweep = 0;
    int done = 0;  // attempts of this sweep
    bool anew = true;
    for (bool begun = false;; begun = true) {
        if (anew) {
            double change = 0;
            if (!refresh<S>(change)) return false;
            if (begun) drift = Larger()(change, drift);
        }
        if (sweep == batch.sweeps) return true;
        done += attempt<S>(number, (batch.first_sweep + sweep) * count + done, count - done, round, anew);
        if (done < count || anew) continue;
        done = 0;
        if (batch.measure) {
            const double energy = measure<S>();
            if constexpr (more) {
                double* const sums = batch.sums + chain * batch.of_sums;
                if (C::m().gradients) add_derivatives<S>(energy);
                if (C::m().correlations) add_correlations<S>(sums + batch.correlations);
                if (C::m().pair_correlations) add_pair_correlations<S>(sums + batch.pair_correlations);
            }
        }
        ++sweep;
        anew = sweep % interval == 0 || sweep == batch.sweeps;
    }
}

template <class S, bool more>
__global__ void __launch_bounds__(S::threads, S::blocks)
    advance_chains(const __grid_constant__ DeviceModel model, const __grid_constant__ DeviceBatch batch) {
    using C = Chain<S>;
    const Dimensions& d = model.d;
    if (C::thread() == 0) {
        C::block_data().model = model;
        C::block_data().rows_elsewhere = batch.workspace + blockIdx.x * batch.of_block;
        C::block_data().scratch = C::block_data().rows_elsewhere + batch.of_rows;
    }
    __syncthreads();
    if constexpr (S::in_shared) take_tables<S>(model);
    for (int chain = batch.first_chain + static_cast<int>(blockIdx.x); chain < batch.chains_end;
         chain += static_cast<int>(gridDim.x)) {
        std::int32_t* const sites = batch.sites + static_cast<std::size_t>(chain) * 2 * d.pairs;
        for (int i = C::thread(); i < batch.correlations; i += S::threads) C::block_data().sums[i] = 0;
        for (int i = C::thread(); i < 2 * move_counters; i += S::threads) C::block_data().counters[0][i] = 0;
        for (int i = C::thread(); i < 3; i += S::threads) C::block_data().first[i] = Proposal::none;
        take_electrons<S>(sites);
        double drift = 0;
        const bool done = advance_chain<S, more>(batch, chain, drift);
        __syncthreads();
        for (int i = C::thread(); i < d.pairs; i += S::threads) {
            sites[i] = C::block_data().up_site[i];
            sites[d.pairs + i] = C::block_data().down_site[i];
        }
        for (int i = C::thread(); i < batch.correlations; i += S::threads)
            batch.sums[chain * batch.of_sums + i] += C::block_data().sums[i];
        if (C::thread() < 2 * move_counters)
            atomicAdd(&batch.totals->moves[0][0] + C::thread(), C::block_data().counters[0][C::thread()]);
        if (C::thread() == 0) {
            batch.drifts[chain] = drift;
            if (!done) atomicMin(&batch.totals->failed, static_cast<unsigned>(chain));
        }
        __syncthreads();
    }
}

// Returns the code of a site. Neighbouring sites of a row differ by 1, and rows by twice their length less one. The
// difference of two codes therefore determines the displacement in both directions.
std::int32_t code_of(const Lattice& lattice, std::int32_t site) {
    if (lattice.cluster == Cluster::tilted) return site;
    return site + site / lattice.extents[0] * (lattice.extents[0] - 1);
}

// The shapes, by increasing order of the matrix.
using Small = Shape<4, 4, 32, 24, true>;
using Medium = Shape<8, 5, 128, 6, true>;
using Wide = Shape<8, 8, 256, 3, true>;
using Wider = Shape<16, 5, 256, 2, true>;
using Large = Shape<16, 7, 512, 1, true>;
using Any = Shape<32, 0, 1024, 1, false>;
static_assert(Large::largest_order == largest_shared_order);

template <class S>
Dimensions dimensions_of(const Model& model) {
    const Lattice& lattice = model.problem.lattice;
    Dimensions d;
    d.sites = static_cast<int>(model.geometry.sites());
    d.pairs = static_cast<int>(model.pairs());
    d.modes = static_cast<int>(model.pair.modes);
    d.span = lattice.cluster == Cluster::tilted ? d.sites : code_of(lattice, d.sites - 1) + 1;
    d.stride = S::elements > 0 ? S::largest_order + 1 : (d.order() + 3) / 4 * 4;
    return d;
}

template <class S>
ChainLayout layout_of(const Dimensions& d) {
    ChainLayout layout;
    layout.bytes = sizeof(BlockData<S>);
    const auto take = [&](std::uint32_t& offset, int count, std::size_t size) {
        offset = (layout.bytes + 15) / 16 * 16;
        layout.bytes = offset + static_cast<std::uint32_t>(static_cast<std::size_t>(count) * size);
    };
    if constexpr (S::in_shared) {
        take(layout.rows, d.rows() * d.stride, sizeof(double));
        take(layout.table, d.table(), sizeof(double));
        take(layout.neighbours, 4 * d.sites, sizeof(std::uint16_t));
    }
    take(layout.electron_at, d.sites, sizeof(std::int32_t));
    take(layout.hole_site, d.holes(), sizeof(std::int32_t));
    return layout;
}

// Returns the number of elements that the measurements of a problem keep in device memory for each block.
template <class S>
std::int64_t scratch_of(const Problem& problem, const Dimensions& d) {
    return std::max(problem.gradients ? Changes<S>::elements(d) : 0,
                    problem.pair_correlations ? EmptySites<S>::elements(d) : 0);
}

class CudaEngine final : public Engine {
  public:
    CudaEngine(const Context& context, const Model& model, Chains chains);

    void load(std::span<const std::int32_t> sites) override {
        const cuda::DeviceScope scope(device_);
        sites_.upload(sites);
    }
    void store(std::span<std::int32_t> sites) const override {
        const cuda::DeviceScope scope(device_);
        sites_.download(sites);
    }
    BatchReport advance(const Batch& batch, std::span<double> sums) override;

  private:
    template <class S>
    bool choose_shape();
    template <class S, bool more>
    bool choose_shape();
    template <class S, bool more>
    void launch(const DeviceBatch& batch) const;
    void upload_tables();

    const Model& model_;
    Chains chains_;
    int device_, blocks_ = 0;
    std::int64_t of_rows_ = 0, of_block_ = 0;  // elements of a block's workspace, the rows first
    DeviceModel on_device_{};
    Buffer<double> table_, hopping_, signs_, derivatives_, sums_, drifts_, workspace_;
    Buffer<std::int64_t> intervals_;
    Buffer<std::int32_t> codes_, displacements_, partners_, sites_;
    Buffer<std::uint16_t> neighbours_;
    Buffer<Totals> totals_;
    void (CudaEngine::*launch_)(const DeviceBatch&) const = nullptr;
};

CudaEngine::CudaEngine(const Context& context, const Model& model, Chains chains)
    : model_(model), chains_(chains), device_(context.options().device) {
    const Problem& p = model.problem;
    const auto count = static_cast<std::size_t>(chains.count);
    if (!(choose_shape<Small>() || choose_shape<Medium>() || choose_shape<Wide>() || choose_shape<Wider>() ||
          choose_shape<Large>() || choose_shape<Any>()))
        fail(Status::invalid_argument, "vmc.params.electrons: ", p.electrons, " make a matrix of ", model.order(),
             " rows; CUDA's engine takes at most ", largest_cuda_order, " rows, and needs ", layout_of<Any>({}).bytes,
             " bytes of shared memory for each block");
    upload_tables();
    sites_ = Buffer<std::int32_t>(count * 2 * model.pairs());
    sums_ = Buffer<double>(count * local_values_of(p));
    totals_ = Buffer<Totals>(1);
    drifts_ = Buffer<double>(count);
    intervals_ = Buffer<std::int64_t>(count);
    on_device_.j = p.couplings.j;
    on_device_.seed = static_cast<std::uint64_t>(p.seed);
    on_device_.run = p.run;
    on_device_.attempts_per_sweep = static_cast<int>(model.attempts_per_sweep());
    on_device_.neighbour_share = p.neighbour_share;
    on_device_.gradients = p.gradients;
    std::copy(p.gradients_by.begin(), p.gradients_by.end(), on_device_.gradients_by);
    on_device_.correlations = p.correlations;
    on_device_.pair_correlations = p.pair_correlations;
}

template <class S>
bool CudaEngine::choose_shape() {
    const Problem& p = model_.problem;
    return p.gradients || p.correlations || p.pair_correlations ? choose_shape<S, true>() : choose_shape<S, false>();
}

// Chooses this shape if it suits the order of the matrix and a block has enough shared memory. Returns false otherwise.
template <class S, bool more>
bool CudaEngine::choose_shape() {
    const Dimensions d = dimensions_of<S>(model_);
    const ChainLayout layout = layout_of<S>(d);
    const auto most = static_cast<std::uint32_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    if (d.order() > S::largest_order || layout.bytes > most) return false;
    on_device_.d = d;
    on_device_.layout = layout;
    launch_ = &CudaEngine::launch<S, more>;
    cuda::allow_shared_memory(advance_chains<S, more>, device_);
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, advance_chains<S, more>, S::threads, layout.bytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    of_rows_ = S::in_shared ? 0 : std::int64_t{d.rows()} * d.stride;
    of_block_ = of_rows_ + scratch_of<S>(model_.problem, d);
    blocks_ = chains_.count;
    // A block with memory on the device takes one chain after another. There are therefore no more blocks than are
    // resident.
    if (of_block_ > 0) blocks_ = std::min(blocks_, resident * cuda::attribute(cudaDevAttrMultiProcessorCount, device_));
    workspace_ = Buffer<double>(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(of_block_));
    return true;
}

void CudaEngine::upload_tables() {
    const Dimensions& d = on_device_.d;
    const Lattice& lattice = model_.problem.lattice;
    const Couplings& h = model_.problem.couplings;
    const std::array<double, shells> t{h.t, h.t_prime, h.t_double_prime};
    const auto sites = static_cast<std::size_t>(d.sites);
    std::vector<std::int32_t> codes, partners(model_.displacements.size());
    std::vector<std::uint16_t> neighbours;
    std::vector<double> hopping, signs, derivatives, table(static_cast<std::size_t>(d.table()));
    for (std::int32_t site = 0; site < d.sites; ++site) codes.push_back(code_of(lattice, site));
    for (std::size_t a = 0; a < sites; ++a) {
        for (std::size_t b = 0; b < sites; ++b)
            table[static_cast<std::size_t>(d.span - 1 + codes[a] - codes[b])] = model_.pair(a, b);
        for (int mode = 0; mode < d.modes; ++mode)
            table[static_cast<std::size_t>(d.mode(mode) + codes[a])] =
                table[static_cast<std::size_t>(d.reversed_mode(mode) + d.span - 1 - codes[a])] =
                    model_.pair(a, sites + static_cast<std::size_t>(mode));
    }
    for (std::size_t shell = 0; shell < shells; ++shell) {
        if (t[shell] != 0) on_device_.hopping_shells = static_cast<int>(shell) + 1;
        for (std::size_t a = 0; a < sites; ++a)
            for (const SignedSite& there : model_.geometry.neighbours(static_cast<int>(shell) + 1, a)) {
                neighbours.push_back(static_cast<std::uint16_t>(there.site));
                hopping.push_back(-t[shell] * there.sign);
                if (shell == 0) signs.push_back(there.sign);
            }
    }
    for (std::size_t i = 0; i < partners.size(); ++i)
        partners[i / sites * sites + static_cast<std::size_t>(model_.displacements[i])] =
            static_cast<std::int32_t>(i % sites);
    for (const std::vector<double>& by : model_.derivatives)
        derivatives.insert(derivatives.end(), by.begin(), by.end());
    const auto upload = [](auto& buffer, const auto& values) {
        grow(buffer, values.size());
        buffer.upload(values);
        return buffer.data();
    };
    on_device_.table = upload(table_, table);
    on_device_.codes = upload(codes_, codes);
    on_device_.neighbours = upload(neighbours_, neighbours);
    on_device_.hopping = upload(hopping_, hopping);
    on_device_.derivatives = upload(derivatives_, derivatives);
    on_device_.signs = upload(signs_, signs);
    on_device_.displacements = upload(displacements_, model_.displacements);
    on_device_.partners = upload(partners_, partners);
}

template <class S, bool more>
void CudaEngine::launch(const DeviceBatch& batch) const {
    advance_chains<S, more><<<static_cast<unsigned>(blocks_), S::threads, on_device_.layout.bytes>>>(on_device_, batch);
}

BatchReport CudaEngine::advance(const Batch& batch, std::span<double> sums) {
    const cuda::DeviceScope scope(device_);
    Totals totals{};
    totals.failed = static_cast<unsigned>(chains_.count);
    totals_.upload({&totals, 1});
    intervals_.upload(batch.intervals);
    sums_.upload(sums);
    const Problem& p = model_.problem;
    const int end = batch.first_chain + std::min(batch.chains, chains_.count - batch.first_chain);
    (this->*launch_)({batch.first_sweep, batch.sweeps, intervals_.data(), drifts_.data(), batch.measure,
                      batch.first_chain, end, chains_.first, chains_.step, sites_.data(), sums_.data(),
                      static_cast<std::int64_t>(local_values_of(p)), static_cast<int>(index_of_correlations(p)),
                      static_cast<int>(index_of_pair_correlations(p)), workspace_.data(), of_block_, of_rows_,
                      totals_.data()});
    check(cudaGetLastError(), "sweeps");
    totals_.download({&totals, 1});
    sums_.download(sums);
    if (totals.failed < static_cast<unsigned>(chains_.count))
        fail(Status::numerical_error, "vmc: the matrix of chain ", chains_.number(static_cast<int>(totals.failed)),
             " has become singular");
    BatchReport report;
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
    std::vector<double> drifts(static_cast<std::size_t>(chains_.count));
    drifts_.download(drifts);
    report.drifts.assign(drifts.begin() + batch.first_chain, drifts.begin() + end);
    return report;
}

}  // namespace engine_parts

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model, Chains chains) {
    const cuda::DeviceScope scope(context.options().device);
    return std::make_unique<CudaEngine>(context, model, chains);
}

}  // namespace legato::vmc
