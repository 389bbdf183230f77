// The CPU engine of Metropolis' algorithm and of clusters. Each thread takes whole lattices, or parts of one lattice.
// The engine of the algorithms with demons is in cpu_demons.cpp.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <type_traits>

#include "core/parallel.hpp"
#include "ising/cpu_clusters.hpp"
#include "ising/cpu_lattices.hpp"
#include "ising/cpu_wolff.hpp"
#include "ising/engine.hpp"

namespace legato::ising {
namespace {

template <class Lattices>
class CpuEngine final : public Engine {
  public:
    CpuEngine(const Context& context, const Model& model)
        : model_(model), threads_(context.threads()), lattices_(model, SlabLayout(model.packing)) {
        const std::size_t under_way = lattices_under_way(model, threads_);
        shared_.reserve(under_way);
        for (std::size_t i = 0; i < under_way; ++i) shared_.emplace_back(model);
    }

    void load(std::span<const std::uint32_t> words) override { lattices_.words().assign(words.begin(), words.end()); }
    void store(std::span<std::uint32_t> words) const override {
        std::copy(lattices_.words().begin(), lattices_.words().end(), words.begin());
    }

    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        std::fill(measured.begin(), measured.end(), 0);
        AcceptanceCounts counts;
        // The workers are made before the threads start, because a thread could not report a lack of memory.
        std::vector<std::unique_ptr<CpuWorker>> workers;
        workers.reserve(static_cast<std::size_t>(threads_));
        for (int i = 0; i < threads_; ++i) workers.push_back(std::make_unique<CpuWorker>(model_.values.count));
        next_block_ = batch.first_block;
        if (!threads_share_lattices(model_, batch.end(model_) - batch.first_block, threads_)) {
            in_team(threads_,
                    [&](const Team& team) { advance_own_blocks(batch, measured, *workers[team.rank], team); });
        } else {
            for (std::size_t block = batch.first_block; block < batch.end(model_); ++block)
                in_rounds(batch.sweeps, threads_, [&](const Team& team, std::int64_t first, std::int64_t last) {
                    advance_shared_block(block, {first, last}, batch, measured, *workers[team.rank], shared_[0], team);
                });
        }
        for (const auto& worker : workers) counts += worker->counts;
        return counts;
    }

  private:
    using Part = typename Lattices::Part;
    using Shared = typename Lattices::Shared;
    struct Sweeps {
        std::int64_t first, end;
    };

    void advance_own_blocks(const Batch& batch, std::span<std::int64_t> measured, CpuWorker& worker, const Team& team) {
        const Part all{0, model_.packing.words()};
        for (std::size_t block = next_block_++; block < batch.end(model_); block = next_block_++) {
            Shared& shared = shared_[shared_.size() == model_.blocks() ? block : team.rank];
            std::int64_t measurement = 0;
            for (std::int64_t s = 1; s <= batch.sweeps; ++s) {
                const Sweep sweep = sweep_of(batch, s);
                for (std::uint32_t phase = 0; phase < Lattices::phases; ++phase)
                    lattices_.update(block, sweep, phase, all, worker, shared);
                if (sweep.is_measured)
                    lattices_.measure(block, all, values_of(measured, batch, measurement++, block), worker.piece,
                                      shared);
            }
        }
    }

    // Makes sweeps of a batch, counted from its first. Each thread has a part of consecutive words.
    void advance_shared_block(std::size_t block, Sweeps sweeps, const Batch& batch, std::span<std::int64_t> measured,
                              CpuWorker& worker, Shared& shared, const Team& team) {
        const auto [first, last] = team.share(model_.packing.words());
        const Part mine{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
        for (std::int64_t s = sweeps.first + 1; s <= sweeps.end; ++s) {
            const Sweep sweep = sweep_of(batch, s);
            for (std::uint32_t phase = 0; phase < Lattices::phases; ++phase) {
                lattices_.update(block, sweep, phase, mine, worker, shared);
                team.wait();
            }
            if (!sweep.is_measured) continue;
            std::fill(worker.values.begin(), worker.values.end(), 0);
            lattices_.measure(block, mine, worker.values, worker.piece, shared);
            const std::span<std::int64_t> values = values_of(measured, batch, s / batch.measure_every - 1, block);
            {
                const std::lock_guard lock(measuring_);
                for (std::size_t i = 0; i < values.size(); ++i) values[i] += worker.values[i];
            }
            team.wait();
        }
    }

    // Returns sweep s of a batch, counted from 1.
    static Sweep sweep_of(const Batch& batch, std::int64_t s) {
        return {batch.first_sweep + s - 1, batch.measure_every > 0 && s % batch.measure_every == 0};
    }

    // Returns the values of a measurement of a block, which is a system.
    std::span<std::int64_t> values_of(std::span<std::int64_t> measured, const Batch& batch, std::int64_t measurement,
                                      std::size_t block) {
        const std::size_t number =
            static_cast<std::size_t>(measurement) * (batch.end(model_) - batch.first_block) + block - batch.first_block;
        return measured.subspan(number * model_.values.count, model_.values.count);
    }

    const Model& model_;
    int threads_;
    Lattices lattices_;
    std::vector<Shared> shared_;               // memory of the lattices under way
    std::atomic<std::size_t> next_block_ = 0;  // next block that no thread has taken
    std::mutex measuring_;                     // protects the values to which all threads add
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model) {
    if (has_demons(model.problem.algorithm)) return make_cpu_demons(context, model);
    const bool square = model.problem.lattice.dimension == 2;
    if (model.problem.algorithm == Algorithm::swendsen_wang) {
        if (square) return std::make_unique<CpuEngine<CpuClusters<2>>>(context, model);
        return std::make_unique<CpuEngine<CpuClusters<3>>>(context, model);
    }
    if (model.problem.algorithm == Algorithm::wolff) {
        if (square) return std::make_unique<CpuEngine<CpuWolff<2>>>(context, model);
        return std::make_unique<CpuEngine<CpuWolff<3>>>(context, model);
    }
    return with_classes(model.problem, [&](auto classes) -> std::unique_ptr<Engine> {
        return std::make_unique<CpuEngine<CpuLattices<decltype(classes)>>>(context, model);
    });
}

}  // namespace legato::ising
