// What the launches of Metropolis' algorithm need besides the spins, and the choice of rows for a thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/buffer.hpp"
#include "ising/metropolis_kernels.cuh"
#include "ising/problem.hpp"
#include "ising/result.hpp"

namespace legato::ising {

inline ValuesLayout layout_of(const Model& model) {
    ValuesLayout layout{};
    layout.count = static_cast<std::int32_t>(model.values.count);
    layout.dimensions = model.problem.lattice.dimension;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool there = model.problem.correlations && static_cast<int>(axis) < layout.dimensions;
        layout.correlations[axis] = there ? static_cast<std::int32_t>(model.values.correlations[axis]) : -1;
        layout.distances[axis] = there ? static_cast<std::int32_t>(model.problem.lattice.extents[axis] / 2) : 0;
    }
    layout.planes = static_cast<std::int32_t>(model.values.planes);
    return layout;
}

// Acceptances, streams and counters of all systems of a model.
template <class C>
class SystemData {
  public:
    explicit SystemData(const Model& model)
        : acceptance_(model.systems()), streams_(model.systems()), counters_(model.problem.acceptance ? 1 : 0) {
        std::vector<Acceptance<C::count>> acceptance;
        std::vector<Stream> streams;
        for (std::size_t system = 0; system < model.systems(); ++system) {
            const double beta = model.problem.betas[model.beta_number(system)];
            acceptance.push_back(acceptance_of<C>(beta, model.problem.field));
            streams.push_back(model.stream(system));
        }
        acceptance_.upload(acceptance);
        streams_.upload(streams);
    }

    DeviceSystems<C> with(const Packing& packing, std::uint32_t* spins) const {
        return {packing, acceptance_.data(), streams_.data(), spins, counters_.data()};
    }

    // These functions do nothing if attempts are not counted. counts() waits for the launches so far.
    void clear_counts() const {
        if (counters_.size() > 0) cuda::check(cudaMemset(counters_.data(), 0, sizeof(Counters)), "cudaMemset");
    }
    AcceptanceCounts counts() const {
        AcceptanceCounts counts;
        if (counters_.size() == 0) return counts;
        Counters on_host{};
        counters_.download({&on_host, 1});
        for (std::size_t aligned = 0; aligned < counts.attempts.size(); ++aligned)
            for (std::size_t spin = 0; spin < 2; ++spin) {
                counts.attempts[aligned][spin] = static_cast<std::int64_t>(on_host.attempts[aligned][spin]);
                counts.flips[aligned][spin] = static_cast<std::int64_t>(on_host.flips[aligned][spin]);
            }
        return counts;
    }

  private:
    cuda::Buffer<Acceptance<C::count>> acceptance_;
    cuda::Buffer<Stream> streams_;
    cuda::Buffer<Counters> counters_;
};

// Calls launch(first, count) for groups of systems. A grid has at most 65535 of them along y.
template <class Launch>
void for_each_group(std::size_t systems, const Launch& launch) {
    constexpr std::size_t most = 65535;
    for (std::size_t first = 0; first < systems; first += most)
        launch(first, static_cast<unsigned>(std::min(systems - first, most)));
}

// Cost of the beginning of a strip, in units of a row. A thread then loads what it otherwise keeps from the row before.
inline constexpr double beginning_of_strip = 0.3;

// Returns the number of rows for a thread, 1 .. `longest`. The last blocks should leave few multiprocessors idle, and a
// thread should not have too few rows. `blocks_of(rows)` is the number of blocks, of which `resident` run at a time.
template <class BlocksOf>
std::uint32_t best_strip(std::uint32_t longest, double resident, const BlocksOf& blocks_of) {
    std::uint32_t best = 1;
    double best_share = 0;
    for (std::uint32_t rows = 1; rows <= longest; ++rows) {
        const double waves = blocks_of(rows) / resident,
                     share = waves / std::ceil(waves) * rows / (rows + beginning_of_strip);
        if (share > best_share) best = rows, best_share = share;
    }
    return best;
}

}  // namespace legato::ising
