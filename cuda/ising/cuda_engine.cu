// The CUDA engine of Metropolis' algorithm. Small lattices are in the shared memory of a block, middle ones in that of
// many blocks (resident_kernel.cuh), and large ones in device memory, where a launch updates a colour. The engine of
// the algorithms with demons is in cuda_demons.cu.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/buffer.hpp"
#include "core/shared_memory.hpp"
#include "ising/bins.hpp"
#include "ising/engine.hpp"
#include "ising/launch_data.cuh"
#include "ising/metropolis_kernels.cuh"
#include "ising/resident_kernel.cuh"

namespace legato::ising {
inline namespace engine_parts {

using cuda::Buffer;
using cuda::check;

constexpr unsigned threads_of_update = 256, threads_of_sums = 32;

// Adds [measurements][systems][values] to the sums over a bin, [systems][values of a bin] without correlations, with a
// thread for each system.
__global__ void add_measurements(const std::int64_t* measured, std::int64_t measurements, std::int32_t values,
                                 std::size_t systems, double sites, double field, double* sums) {
    constexpr std::size_t binned = BinnedValues::e_2 + 1;
    const std::size_t system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= systems) return;
    double of_system[binned];
    for (std::size_t i = 0; i < binned; ++i) of_system[i] = sums[system * binned + i];
    const std::int64_t* from = measured + system * static_cast<std::size_t>(values);
#pragma unroll 8
    for (std::int64_t m = 0; m < measurements; ++m, from += systems * static_cast<std::size_t>(values))
        add_to_bin(static_cast<double>(from[MeasuredValues::magnetisation]),
                   static_cast<double>(from[MeasuredValues::bonds]), sites, field, of_system);
    for (std::size_t i = 0; i < binned; ++i) sums[system * binned + i] = of_system[i];
}

template <class C>
class CudaEngine final : public Engine {
  public:
    CudaEngine(const Context& context, const Model& model)
        : model_(model),
          device_(context.options().device),
          launch_(device_),
          spins_(model.blocks() * model.block_words()),
          data_(model),
          sums_(adds_up() ? model.systems() * BinnedValues(model).count : 0) {
        int resident = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                  &resident, counting() ? update_colour<C, true> : update_colour<C, false>, threads_of_update, 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        const std::size_t bytes = 2 * sizeof(std::uint32_t) * model.packing.words();
        multiprocessors_ = static_cast<std::uint32_t>(cuda::attribute(cudaDevAttrMultiProcessorCount, device_));
        resident_blocks_ = static_cast<double>(resident) * multiprocessors_;
        const auto most = static_cast<std::size_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
        if (bytes + sizeof(Rules<C>) <= most && is_faster_in_blocks()) {
            shared_bytes_ = bytes;
            cuda::allow_shared_memory(counting() ? advance_lattices<C, true> : advance_lattices<C, false>, device_);
            return;
        }
        divide();
    }

    void load(std::span<const std::uint32_t> words) override {
        const cuda::DeviceScope scope(device_);
        spins_.upload(words);
    }
    void store(std::span<std::uint32_t> words) const override {
        const cuda::DeviceScope scope(device_);
        spins_.download(words);
    }

    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        const cuda::DeviceScope scope(device_);
        start(batch, measured.size());
        measured_.download(measured);
        check(cudaDeviceSynchronize(), "sweeps");
        return data_.counts();
    }

    bool adds_up() const override { return !model_.problem.correlations; }
    AcceptanceCounts advance_bin(const Batch& batch, std::span<double> sums) override {
        const cuda::DeviceScope scope(device_);
        const std::int64_t measurements = batch.sweeps / batch.measure_every;
        sums_.upload(sums);
        start(batch, static_cast<std::size_t>(measurements) * model_.systems() * model_.values.count);
        const unsigned blocks = static_cast<unsigned>((model_.systems() + threads_of_sums - 1) / threads_of_sums);
        add_measurements<<<blocks, threads_of_sums>>>(measured_.data(), measurements, layout_of(model_).count,
                                                      model_.systems(), static_cast<double>(model_.sites()),
                                                      model_.problem.field, sums_.data());
        check(cudaGetLastError(), "measurements");
        sums_.download(sums);
        check(cudaDeviceSynchronize(), "sweeps");
        return data_.counts();
    }

  private:
    bool counting() const { return model_.problem.acceptance; }

    // Starts the sweeps of a batch, which measure so many values.
    void start(const Batch& batch, std::size_t values) {
        grow(measured_, values);
        if (values > 0) check(cudaMemset(measured_.data(), 0, values * sizeof(std::int64_t)), "cudaMemset");
        data_.clear_counts();
        if (slabs_ > 1)
            advance_in_slabs(batch);
        else if (shared_bytes_ > 0)
            advance_in_blocks(batch);
        else
            advance_by_colours(batch);
        check(cudaGetLastError(), "sweeps");
    }

    // Returns whether lattices in shared memory are faster. A multiprocessor makes about 16 flips/ns, and a launch
    // takes 2.5 us.
    bool is_faster_in_blocks() const {
        const double sweep = static_cast<double>(model_.sites()) / 16e9,
                     systems = static_cast<double>(model_.systems()) / multiprocessors_;
        return sweep * std::max(1.0, systems) <= std::max(sweep * systems, 5e-6);
    }

    // The systems from `first` on.
    DeviceSystems<C> systems(std::size_t first = 0) const {
        DeviceSystems<C> all = data_.with(model_.packing, spins_of(first));
        all.acceptance += first;
        all.streams += first;
        return all;
    }
    std::uint32_t* spins_of(std::size_t system) const { return spins_.data() + system * 2 * model_.packing.words(); }

    void advance_in_blocks(const Batch& batch) {
        constexpr std::uint64_t most_threads = 512;
        const Packing& p = model_.packing;
        const auto warps_rows = [&](std::uint32_t rows) {
            return static_cast<double>((columns_of(p, rows) + 31) / 32) * (rows + beginning_of_strip);
        };
        std::uint32_t strip = warps_rows(1) < warps_rows(2) ? 1 : 2;
        while (columns_of(p, strip) > most_threads && strip < p.rows_y) ++strip;
        const std::uint64_t threads = std::min((columns_of(p, strip) + 31) / 32 * 32, most_threads);
        const BlockBatch here{batch.first_sweep, batch.sweeps,     batch.measure_every, strip,
                              measured_.data(),  layout_of(model_)};
        const auto kernel = counting() ? advance_lattices<C, true> : advance_lattices<C, false>;
        kernel<<<static_cast<unsigned>(model_.systems()), static_cast<unsigned>(threads), shared_bytes_>>>(systems(),
                                                                                                           here);
    }

    // Returns whether so many slabs are faster than a launch for each colour. The times are those of an H200. Lattices
    // of few layers have few slabs, which leave most multiprocessors idle.
    bool is_faster_in_slabs(std::size_t slabs) const {
        const bool cubic = model_.packing.cubic;
        const std::size_t layers = layers_of(model_.packing), most = (layers + slabs - 1) / slabs;
        const double sites = static_cast<double>(model_.sites()),
                     of_slab = sites * static_cast<double>(most) / static_cast<double>(layers),
                     all = sites * static_cast<double>(model_.systems()),
                     in_slabs = 2e-6 + of_slab / (cubic ? 12e9 : 23e9),
                     in_launches = std::max(6e-6, 4e-6 + all / (cubic ? 1.6e12 : 2.4e12));
        return in_slabs < in_launches;
    }

    // Divides each lattice into slabs in the shared memory of as many blocks, all of which must run at the same time.
    void divide() {
        const Packing& p = model_.packing;
        const auto kernel = counting() ? advance_slabs<C, true> : advance_slabs<C, false>;
        const std::size_t slabs = std::min<std::size_t>(multiprocessors_ / model_.systems(), layers_of(p));
        if (model_.problem.correlations || slabs < 2 || !is_faster_in_slabs(slabs)) return;
        const std::uint32_t layers = static_cast<std::uint32_t>((layers_of(p) + slabs - 1) / slabs) + 2;
        const std::size_t bytes = 2 * sizeof(std::uint32_t) * layers * words_of_layer(p);
        const auto most = static_cast<std::size_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
        constexpr std::size_t others = 1024;  // more than Rules and Packing need
        if (bytes + others > most || cuda::attribute(cudaDevAttrCooperativeLaunch, device_) == 0) return;
        cuda::allow_shared_memory(kernel, device_);
        int resident = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, most_threads_of_slab, bytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        if (resident == 0) return;
        slabs_ = static_cast<std::uint32_t>(slabs);
        layers_of_slab_ = layers - 2;
        shared_bytes_ = bytes;
        passed_ = Buffer<unsigned long long>(model_.systems() * slabs * words_of_passing(p));
    }

    // Columns of `rows` rows in the largest slab.
    std::uint64_t columns_of_slab(std::uint32_t rows) const {
        const Packing& p = model_.packing;
        const std::uint64_t lines = p.cubic ? p.rows_y : layers_of_slab_;
        return p.width * ((lines + rows - 1) / rows) * (p.cubic ? layers_of_slab_ : 1);
    }

    // Returns the rows of a thread's column that take the least time.
    std::uint32_t rows_of_slab_column() const {
        std::uint32_t best = 1;
        double least = HUGE_VAL;
        for (std::uint32_t rows = 1; rows <= 16; ++rows) {
            const double columns = std::ceil(static_cast<double>(columns_of_slab(rows)) / most_threads_of_slab),
                         time = columns * (rows + beginning_of_strip);
            if (time < least) best = rows, least = time;
        }
        return best;
    }

    void advance_in_slabs(const Batch& batch) {
        const std::uint32_t rows = rows_of_slab_column();
        const auto threads = static_cast<unsigned>(
            std::min<std::uint64_t>((columns_of_slab(rows) + 31) / 32 * 32, most_threads_of_slab));
        DeviceSystems<C> all = systems();
        SlabBatch here{batch.first_sweep, batch.sweeps,     batch.measure_every, slabs_, rows,
                       layout_of(model_), measured_.data(), passed_.data()};
        check(cudaMemset(passed_.data(), 0, passed_.size() * sizeof(unsigned long long)), "cudaMemset");
        const auto kernel = counting() ? advance_slabs<C, true> : advance_slabs<C, false>;
        void* parameters[] = {&all, &here};
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                          dim3(static_cast<unsigned>(model_.systems()) * slabs_), dim3(threads),
                                          parameters, shared_bytes_),
              "cudaLaunchCooperativeKernel");
    }

    std::uint32_t strip() const {
        const Packing& p = model_.packing;
        return best_strip(std::min(16u, p.rows_y), resident_blocks_, [&](std::uint32_t rows) {
            return std::ceil(static_cast<double>(columns_of(p, rows)) / threads_of_update) *
                   static_cast<double>(model_.systems());
        });
    }

    void advance_by_colours(const Batch& batch) {
        const Packing& p = model_.packing;
        const std::uint32_t rows = strip();
        const auto blocks = static_cast<unsigned>((columns_of(p, rows) + threads_of_update - 1) / threads_of_update);
        const auto kernel = counting() ? update_colour<C, true> : update_colour<C, false>;
        std::int64_t* measured = measured_.data();
        for (std::int64_t s = 1; s <= batch.sweeps; ++s) {
            for (std::uint32_t colour = 0; colour < 2; ++colour)
                for_each_group(model_.systems(), [&](std::size_t first, unsigned count) {
                    launch_(kernel, {{blocks, count}, threads_of_update}, systems(first), batch.first_sweep + s - 1,
                            colour, rows);
                });
            if (batch.measure_every == 0 || s % batch.measure_every != 0) continue;
            for_each_group(model_.systems(), [&](std::size_t first, unsigned count) {
                measure_lattices<C::neighbours>
                    <<<dim3(std::min(blocks, 8 * multiprocessors_), count), threads_of_update>>>(
                        p, layout_of(model_), spins_of(first), measured + first * model_.values.count);
            });
            measured += model_.systems() * model_.values.count;
        }
    }

    const Model& model_;
    int device_;
    cuda::DependentLaunch launch_;
    std::uint32_t multiprocessors_ = 0;
    double resident_blocks_ = 0;        // number of blocks of update_colour on the whole device
    std::size_t shared_bytes_ = 0;      // bytes of a block that has a lattice or a slab; 0: they stay in device memory
    std::uint32_t slabs_ = 1;           // of each lattice; 1: lattices are not divided
    std::uint32_t layers_of_slab_ = 0;  // of the largest one
    Buffer<std::uint32_t> spins_;
    SystemData<C> data_;
    Buffer<std::int64_t> measured_;
    Buffer<unsigned long long> passed_;  // of slabs
    Buffer<double> sums_;                // over the current bin, [systems][BinnedValues::count], if adds_up()
};

}  // namespace engine_parts

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Model& model) {
    const cuda::DeviceScope scope(context.options().device);
    if (has_demons(model.problem.algorithm)) return make_cuda_demons(context, model);
    if (has_all_clusters(model.problem.algorithm)) return make_cuda_clusters(context, model);
    return with_classes(model.problem, [&](auto classes) -> std::unique_ptr<Engine> {
        return std::make_unique<CudaEngine<decltype(classes)>>(context, model);
    });
}

}  // namespace legato::ising
