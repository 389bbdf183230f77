// A slab of lattices with Metropolis' algorithm on a device. Its edge layers are updated before those between them, so
// that they are passed meanwhile.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/buffer.hpp"
#include "core/cuda_edges.hpp"
#include "ising/launch_data.cuh"
#include "ising/slab.hpp"
#include "ising/slab_part.cuh"

namespace legato::ising {
inline namespace slab_parts {

using cuda::Buffer;
using cuda::check;

constexpr unsigned threads_of_slab = 256;

template <class C, bool Counting>
__global__ void __launch_bounds__(threads_of_slab, (least_blocks<C, Counting>))
    update_slab(const __grid_constant__ DeviceSystems<C> all, std::uint32_t system, std::int64_t sweep,
                std::uint32_t colour, SlabPart part, SlabNumbers numbers) {
    __shared__ Rules<C> rules;
    const Packing& p = all.packing;
    take_rules(all, system, rules);
    const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    Tally<C, Counting> tally;
    if (number < part.columns(p))
        update_column<C>(p, rules, all.spins + static_cast<std::size_t>(system) * 2 * p.words(), part.column(p, number),
                         sweep, colour, tally, numbers);
    tally.add_to(all.counters);
}

// Measures the words begin .. end - 1 of both colours.
template <int Neighbours>
__global__ void __launch_bounds__(threads_of_slab)
    measure_slab(const __grid_constant__ Packing p, const std::uint32_t* spins, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t odd, std::int64_t* measured) {
    const std::uint32_t first = begin + blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    measure_spins<Neighbours>(p, spins, first, end, step, odd, measured);
}

__global__ void turn_words(std::uint32_t* words, std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) words[i] = ~words[i];
}

inline unsigned blocks_for(std::uint64_t count) {
    return static_cast<unsigned>((count + threads_of_slab - 1) / threads_of_slab);
}

template <class C>
class CudaSlab final : public Slab {
  public:
    CudaSlab(const Context& context, const Model& model, const SlabLayout& layout, const SlabPlace& place)
        : model_(model),
          layout_(layout),
          device_(context.options().device),
          edges_(device_, place, layout.halo * sizeof(std::uint32_t)),
          spins_(model.blocks() * 2 * layout.packing.words()),
          data_(model) {
        int resident = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel(), threads_of_slab, 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        multiprocessors_ = static_cast<unsigned>(cuda::attribute(cudaDevAttrMultiProcessorCount, device_));
        const double resident_blocks = static_cast<double>(resident) * multiprocessors_;
        interior_ = interior_in(best_strip(16, resident_blocks, [&](std::uint32_t strip) -> double {
            return std::max(blocks_for(interior_in(strip).columns(layout_.packing)), 1u);
        }));
    }

    void load(std::size_t block, std::uint32_t colour, std::size_t first,
              std::span<const std::uint32_t> words) override {
        const cuda::DeviceScope scope(device_);
        std::vector<std::uint32_t> turned_words;
        layout_.take(model_.packing, first, words.size(),
                     [&](std::size_t from, std::size_t to, std::size_t count, bool turned) {
                         std::span<const std::uint32_t> taken = words.subspan(from, count);
                         if (turned) {
                             turned_words.resize(count);
                             std::transform(taken.begin(), taken.end(), turned_words.begin(), std::bit_not<>());
                             taken = turned_words;
                         }
                         spins_.upload(taken, offset(block, colour) + to);
                     });
        edges_.start();
        edges_.require_success();
    }
    void store(std::size_t block, std::uint32_t colour, std::size_t first,
               std::span<std::uint32_t> words) const override {
        const cuda::DeviceScope scope(device_);
        layout_.keep(first, words.size(), [&](std::size_t from, std::size_t to, std::size_t count, bool) {
            spins_.download(words.subspan(from, count), offset(block, colour) + to);
        });
    }

    void begin(std::size_t measurements) override {
        const cuda::DeviceScope scope(device_);
        const std::size_t values = measurements * model_.values.count;
        grow(measured_, values);
        measured_on_host_.resize(values);
        measurements_.clear();
        measurements_.reserve(measurements);
        if (values > 0) check(cudaMemset(measured_.data(), 0, values * sizeof(std::int64_t)), "cudaMemset");
        data_.clear_counts();
        edges_.wait_for_default_stream();
    }

    void update(std::size_t block, std::int64_t sweep, std::uint32_t colour) override {
        const cuda::CurrentDevice current(device_);
        const std::uint32_t last = layers() - 2;
        launch(block, sweep, colour, {1, std::max(last - 1, 1u), last + 1, 1}, edges_.begin_edges());
        edges_.end_edges();
        launch(block, sweep, colour, interior_, nullptr);
        edges_.end_step();
    }

    Edges edges(std::size_t block, std::uint32_t colour) override {
        const std::size_t halo = layout_.halo;
        const std::span<std::uint32_t> stored(spins_.data() + offset(block, colour), layout_.packing.words());
        return {std::as_bytes(stored.subspan(halo, halo)), std::as_bytes(stored.last(2 * halo).first(halo)),
                std::as_writable_bytes(stored.first(halo)), std::as_writable_bytes(stored.last(halo)), &edges_};
    }
    void take_halos(std::size_t block, std::uint32_t colour) override {
        if (layout_.turned_below) turn(spins_.data() + offset(block, colour));
        if (layout_.turned_above) turn(spins_.data() + offset(block, colour) + layout_.end());
    }

    // The default stream has waited for the edges, whose kernels have waited for the halos of the even sites.
    void measure(std::size_t block, std::span<std::int64_t> values) override {
        const cuda::CurrentDevice current(device_);
        std::int64_t* const to = measured_.data() + measurements_.size() * model_.values.count;
        const unsigned blocks = std::min(blocks_for(layout_.end() - layout_.begin()), 8 * multiprocessors_);
        measure_slab<C::neighbours><<<blocks, threads_of_slab>>>(layout_.packing, spins_.data() + offset(block, 0),
                                                                 layout_.begin(), layout_.end(),
                                                                 layout_.local_colour(1), to);
        edges_.keep(cudaGetLastError(), "measurement");
        edges_.wait_for_default_stream();
        measurements_.push_back(values);
    }

    void finish() override {
        const cuda::DeviceScope scope(device_);
        edges_.keep(cudaDeviceSynchronize(), "sweeps");
        edges_.require_success();
        const std::size_t count = model_.values.count;
        const std::span<std::int64_t> measured = std::span(measured_on_host_).first(measurements_.size() * count);
        if (!measured.empty()) measured_.download(measured);
        for (std::size_t i = 0; i < measurements_.size(); ++i)
            for (std::size_t k = 0; k < count; ++k) measurements_[i][k] += measured[i * count + k];
        counts_ = data_.counts();
    }

    void wait() noexcept override {
        const cuda::CurrentDevice current(device_);
        cuda::clear_error(cudaDeviceSynchronize());
    }

    AcceptanceCounts take_counts() override { return counts_; }

  private:
    using Kernel = decltype(&update_slab<C, false>);

    Kernel kernel() const { return model_.problem.acceptance ? update_slab<C, true> : update_slab<C, false>; }
    std::uint32_t layers() const { return layers_of(layout_.packing); }  // halos included
    std::size_t offset(std::size_t block, std::uint32_t colour) const {
        return (2 * block + colour) * layout_.packing.words();
    }

    void launch(std::size_t block, std::int64_t sweep, std::uint32_t colour, const SlabPart& part,
                cudaStream_t stream) {
        const std::uint64_t columns = part.columns(layout_.packing);
        if (columns == 0) return;
        kernel()<<<blocks_for(columns), threads_of_slab, 0, stream>>>(
            data_.with(layout_.packing, spins_.data()), static_cast<std::uint32_t>(block), sweep, colour, part,
            SlabNumbers{layout_.first, static_cast<std::uint32_t>(layout_.shifted)});
        edges_.keep(cudaGetLastError(), "half-sweep");
    }

    // A halo beyond an antiperiodic boundary has the other sign. The kernels of the edges come later in this stream.
    void turn(std::uint32_t* halo) {
        const cuda::CurrentDevice current(device_);
        turn_words<<<blocks_for(layout_.halo), threads_of_slab, 0, edges_.begin_edges()>>>(halo, layout_.halo);
        edges_.keep(cudaGetLastError(), "halo");
    }

    SlabPart interior_in(std::uint32_t strip) const {
        return {2, layout_.packing.cubic ? 1 : strip, layers() - 2, strip};
    }

    const Model& model_;
    SlabLayout layout_;
    int device_;
    cuda::CudaEdges edges_;  // before all memory, because a peer's access to existing memory takes long to begin
    unsigned multiprocessors_ = 0;
    SlabPart interior_{};
    Buffer<std::uint32_t> spins_;  // [blocks][2 colours][halo, layers, halo]
    SystemData<C> data_;
    Buffer<std::int64_t> measured_;                      // [measurements of the batch][values]
    std::vector<std::int64_t> measured_on_host_;         // the same
    std::vector<std::span<std::int64_t>> measurements_;  // where they go
    AcceptanceCounts counts_;                            // of the last batch
};

}  // namespace slab_parts

std::unique_ptr<Slab> make_cuda_slab(const Context& context, const Model& model, const SlabLayout& layout,
                                     const SlabPlace& place) {
    const cuda::DeviceScope scope(context.options().device);
    return with_classes(model.problem, [&](auto classes) -> std::unique_ptr<Slab> {
        return std::make_unique<CudaSlab<decltype(classes)>>(context, model, layout, place);
    });
}

}  // namespace legato::ising
