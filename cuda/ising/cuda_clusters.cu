// The CUDA engine of Swendsen and Wang's algorithm. Small lattices are in shared memory (cluster_small.cuh), others in
// device memory (cluster_kernels.cuh).
#include <algorithm>
#include <memory>
#include <vector>

#include "core/buffer.hpp"
#include "core/shared_memory.hpp"
#include "ising/cluster_kernels.cuh"
#include "ising/cluster_small.cuh"
#include "ising/engine.hpp"
#include "ising/launch_data.cuh"

namespace legato::ising {
inline namespace engine_parts {

using cuda::Buffer;
using cuda::check;

template <int Dimensions>
class CudaClusters final : public Engine {
  public:
    CudaClusters(const Context& context, const Model& model)
        : model_(model),
          device_(context.options().device),
          tiles_(tiles_of(model.packing)),
          is_small_(is_small(model, device_)),
          chances_(model.systems()),
          chances_of_field_(model.systems()),
          streams_(model.systems()),
          spins_(model.words()),
          occupied_(in_tiles(pieces() * 2 * Dimensions)),
          along_(in_tiles(pieces())),
          firsts_(in_tiles(pieces())),
          labels_(in_tiles(model.systems() * tiles_.count(model.packing) * 32 * sites_of_piece)),
          leads_to_(in_tiles(model.systems() * numbers_of_sites(model.packing))),
          magnetisations_(in_tiles(model.systems() * numbers_of_sites(model.packing))) {
        std::vector<BondChance> chances, chances_of_field;
        std::vector<Stream> streams;
        for (std::size_t system = 0; system < model.systems(); ++system) {
            const double beta = model.problem.betas[model.beta_number(system)];
            chances.emplace_back(beta);
            chances_of_field.emplace_back(beta * model.problem.field);
            streams.push_back(model.stream(system));
        }
        chances_.upload(chances);
        chances_of_field_.upload(chances_of_field);
        streams_.upload(streams);
        if (is_small_) cuda::allow_shared_memory(advance_clusters<Dimensions>, device_);
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
        grow(measured_, measured.size());
        if (!measured.empty())
            check(cudaMemset(measured_.data(), 0, measured.size() * sizeof(std::int64_t)), "cudaMemset");
        is_small_ ? advance_in_blocks(batch) : advance_by_tiles(batch);
        check(cudaGetLastError(), "sweeps with clusters");
        measured_.download(measured);
        check(cudaDeviceSynchronize(), "sweeps with clusters");
        return {};
    }

  private:
    static constexpr unsigned threads = 256, threads_of_tiles = 32 * warps_of_tiles;

    static bool is_small(const Model& model, int device) {
        const int most = cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
        return is_in_block(model.packing) && bytes_in_block(model.packing) <= static_cast<std::size_t>(most);
    }
    std::size_t in_tiles(std::size_t size) const { return is_small_ ? 0 : size; }

    void advance_in_blocks(const Batch& batch) const {
        const unsigned of_lattice = std::min((model_.packing.words() + 31) / 32 * 32, most_threads_of_lattice);
        advance_clusters<Dimensions>
            <<<static_cast<unsigned>(model_.systems()), of_lattice, bytes_in_block(model_.packing)>>>(
                clusters(), {batch.first_sweep, batch.sweeps, batch.measure_every, layout_of(model_),
                             model_.values.clusters, measured_.data()});
    }
    void advance_by_tiles(const Batch& batch) const {
        std::int64_t* to = measured_.data();
        for (std::int64_t s = 1; s <= batch.sweeps; ++s) {
            const bool is_measured = batch.measure_every > 0 && s % batch.measure_every == 0;
            for_each_group(model_.systems(), [&](std::size_t first, unsigned count) {
                const DeviceClusters d = clusters(first);
                sweep(d, count, batch.first_sweep + s - 1, is_measured);
                if (is_measured) measure(d, count, to);
            });
            if (is_measured) to += model_.systems() * model_.values.count;
        }
    }

    std::size_t pieces() const { return model_.systems() * model_.packing.words(); }
    DeviceClusters clusters(std::size_t first = 0) const {
        return {first,
                model_.packing,
                tiles_,
                model_.problem.field != 0,
                chances_.data(),
                chances_of_field_.data(),
                streams_.data(),
                spins_.data(),
                occupied_.data(),
                along_.data(),
                firsts_.data(),
                labels_.data(),
                leads_to_.data(),
                magnetisations_.data()};
    }
    static dim3 grid(unsigned systems, std::uint32_t parts, std::uint32_t of_block) {
        return {(parts + of_block - 1) / of_block, systems};
    }

    void sweep(const DeviceClusters& d, unsigned systems, std::int64_t number, bool is_measured) const {
        const JoinWarps warps = join_warps(model_.packing, tiles_, d.has_field);
        const dim3 of_tiles = grid(systems, tiles_.count(model_.packing), warps_of_tiles);
        const auto label = is_measured ? label_tiles<Dimensions, true> : label_tiles<Dimensions, false>;
        const auto turn = is_measured ? turn_tiles<Dimensions, true> : turn_tiles<Dimensions, false>;
        label<<<of_tiles, threads_of_tiles>>>(d, number);
        join_tiles<Dimensions><<<grid(systems, warps.count(), threads / 32), threads>>>(d, warps, number);
        turn<<<of_tiles, threads_of_tiles>>>(d, number);
    }

    // `to`: [systems][values] of all systems.
    void measure(const DeviceClusters& d, unsigned systems, std::int64_t* to) const {
        const std::uint32_t words = model_.packing.words();
        const std::size_t values = model_.values.count;
        measure_lattices<2 * Dimensions>
            <<<grid(systems, std::min(words, threads * most_blocks_of_sums), threads), threads>>>(
                model_.packing, layout_of(model_), spins_.data() + d.first * 2 * words, to + d.first * values);
        measure_clusters<Dimensions><<<grid(systems, words, threads), threads>>>(d, values, model_.values.clusters, to);
    }

    static constexpr std::uint32_t most_blocks_of_sums = 1024;

    const Model& model_;
    int device_;
    Tiles tiles_;
    bool is_small_;
    Buffer<BondChance> chances_, chances_of_field_;
    Buffer<Stream> streams_;
    Buffer<std::uint32_t> spins_, occupied_;
    Buffer<std::uint64_t> along_, firsts_;
    Buffer<std::uint16_t> labels_;
    Buffer<std::uint32_t> leads_to_;
    Buffer<std::int32_t> magnetisations_;
    Buffer<std::int64_t> measured_;
};

}  // namespace engine_parts

std::unique_ptr<Engine> make_cuda_clusters(const Context& context, const Model& model) {
    if (model.problem.lattice.dimension == 2) return std::make_unique<CudaClusters<2>>(context, model);
    return std::make_unique<CudaClusters<3>>(context, model);
}

}  // namespace legato::ising
