// The CPU engine. A thread takes the next chain whenever it is free.
#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "vmc/chain.hpp"
#include "vmc/engine.hpp"
#include "vmc/local_energy.hpp"
#include "vmc/pair_correlation.hpp"

namespace legato::vmc {
namespace {

class CpuEngine final : public Engine {
  public:
    CpuEngine(const Context& context, const Model& model, Chains chains)
        : model_(model), own_(chains), threads_(context.threads()) {}

    void load(std::span<const std::int32_t> sites) override {
        const std::size_t pairs = model_.pairs(), count = static_cast<std::size_t>(own_.count);
        chains_.clear();
        chains_.resize(count);
        in_parallel(count, threads_, [&](std::size_t i) {
            const int number = own_.number(static_cast<int>(i));
            chains_[i] = std::make_unique<Chain>(model_, static_cast<std::uint32_t>(number),
                                                 make_configuration(model_, sites.subspan(2 * i * pairs, pairs),
                                                                    sites.subspan((2 * i + 1) * pairs, pairs)));
        });
    }

    void store(std::span<std::int32_t> sites) const override {
        const std::size_t pairs = model_.pairs();
        for (std::size_t i = 0; i < chains_.size(); ++i) {
            const Configuration& c = chains_[i]->determinant().configuration();
            std::copy_n(c.up.begin(), pairs, sites.begin() + static_cast<std::ptrdiff_t>(2 * i * pairs));
            std::copy_n(c.down.begin(), pairs, sites.begin() + static_cast<std::ptrdiff_t>((2 * i + 1) * pairs));
        }
    }

    BatchReport advance(const Batch& batch, std::span<double> sums) override {
        const std::size_t values = local_values_of(model_.problem);
        const auto first = static_cast<std::size_t>(batch.first_chain);
        std::vector<MoveCounts> moves(std::min(chains_.size() - first, static_cast<std::size_t>(batch.chains)));
        BatchReport report;
        report.drifts.resize(moves.size());
        in_parallel(moves.size(), threads_, [&](std::size_t i) {
            Chain& chain = *chains_[first + i];
            moves[i] =
                advance_chain(chain, batch, batch.intervals[first + i], sums.subspan((first + i) * values, values));
            report.drifts[i] = chain.take_largest_drift();
        });
        for (const MoveCounts& of_chain : moves) report.moves += of_chain;
        return report;
    }

  private:
    MoveCounts advance_chain(Chain& chain, const Batch& batch, std::int64_t interval, std::span<double> sums) const {
        const std::int64_t attempts = model_.attempts_per_sweep();
        const std::size_t correlations = index_of_correlations(model_.problem);
        const std::size_t pair_correlations = index_of_pair_correlations(model_.problem);
        MoveCounts moves;
        for (std::int64_t s = 0; s < batch.sweeps; ++s) {
            chain.attempt((batch.first_sweep + s) * attempts, attempts, moves);
            if (batch.measure) {
                const LocalValues values = chain.measure();
                for (std::size_t o = 0; o < correlations; ++o) sums[o] += values[o];
                if (model_.problem.correlations)
                    add_correlations(model_, chain.determinant().configuration(), sums.subspan(correlations));
                if (model_.problem.pair_correlations)
                    add_pair_correlations(model_, chain.determinant(), sums.subspan(pair_correlations));
            }
            if ((s + 1) % interval == 0 || s + 1 == batch.sweeps) chain.refresh();
        }
        return moves;
    }

    const Model& model_;
    Chains own_;
    int threads_;
    std::vector<std::unique_ptr<Chain>> chains_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model, Chains chains) {
    return std::make_unique<CpuEngine>(context, model, chains);
}

}  // namespace legato::vmc
