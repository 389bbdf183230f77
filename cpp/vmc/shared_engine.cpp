// The engine of several parts. Part p of P parts has the chains p, p + P, p + 2 P, ..., so that any group of chains is
// divided evenly. After a batch the ranks gather what its chains have computed.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/work_parts.hpp"
#include "vmc/engine.hpp"

namespace legato::vmc {
namespace {

// Returns those rows of `all` that belong to some chains. put_rows() copies them back.
template <class T>
std::vector<T> rows_of(const Chains& chains, std::span<const T> all, std::size_t row) {
    std::vector<T> rows;
    rows.reserve(static_cast<std::size_t>(chains.count) * row);
    for (int i = 0; i < chains.count; ++i) {
        const auto from = all.subspan(static_cast<std::size_t>(chains.number(i)) * row, row);
        rows.insert(rows.end(), from.begin(), from.end());
    }
    return rows;
}
template <class T>
void put_rows(const Chains& chains, const std::vector<T>& rows, std::span<T> all, std::size_t row) {
    for (int i = 0; i < chains.count; ++i)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * row), row,
                    all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(chains.number(i)) * row));
}

class SharedEngine final : public Engine {
  public:
    SharedEngine(const Context& context, Backend backend, const Model& model, WorkParts parts)
        : context_(context),
          parts_(std::move(parts)),
          chains_(model.problem.chains),
          electrons_(2 * model.pairs()),
          values_(local_values_of(model.problem)),
          own_(parts_.here()) {
        parts_.side_by_side([&](std::size_t i) {
            own_[i].chains = chains_of(parts_.range(parts_.count(), i).first);
            if (own_[i].chains.count > 0)
                own_[i].engine = make_part_engine(parts_.context(i), backend, model, own_[i].chains);
        });
    }

    void load(std::span<const std::int32_t> sites) override {
        if (context_.ranks() > 1) sites_.assign(sites.begin(), sites.end());
        parts_.side_by_side([&](std::size_t i) {
            if (own_[i].engine) own_[i].engine->load(rows_of(own_[i].chains, sites, electrons_));
        });
    }

    // Engines of this process are asked when the sites are needed. Those of other ranks must not be, because reading is
    // not collective: their sites are gathered after each batch.
    void store(std::span<std::int32_t> sites) const override {
        if (context_.ranks() > 1)
            std::copy(sites_.begin(), sites_.end(), sites.begin());
        else
            parts_.side_by_side([&](std::size_t i) { store_part(own_[i], sites); });
    }

    BatchReport advance(const Batch& batch, std::span<double> sums) override {
        const int end = batch.first_chain + std::min(batch.chains, chains_ - batch.first_chain);
        Results results{batch.first_chain, end, batch.measure ? sums : std::span<double>(), sites_, {}, {}};
        results.drifts.resize(static_cast<std::size_t>(end - batch.first_chain));
        results.moves.resize(static_cast<std::size_t>(context_.ranks()));
        std::vector<MoveCounts> moves(own_.size());
        parts_.side_by_side([&](std::size_t i) { moves[i] = advance_part(own_[i], batch, sums, results); });
        for (const MoveCounts& of_part : moves) results.moves[static_cast<std::size_t>(context_.rank())] += of_part;
        gather(results);
        sites_ = std::move(results.sites);  // if the batch fails, the sites before it can still be read
        BatchReport report{{}, std::move(results.drifts)};
        for (const MoveCounts& of_rank : results.moves) report.moves += of_rank;
        return report;
    }

  private:
    struct Part {
        Chains chains;
        std::unique_ptr<Engine> engine;  // null for a part without chains
    };
    // What the chains [first, end) have computed in a batch.
    struct Results {
        int first, end;
        std::span<double> sums;           // [all chains][local values]; empty in a batch without measurements
        std::vector<std::int32_t> sites;  // [all chains][electrons]; empty if there is one rank
        std::vector<double> drifts;       // [chains of the batch]
        std::vector<MoveCounts> moves;    // [ranks]
    };

    // Returns the chains of a part of any rank.
    Chains chains_of(std::size_t part) const {
        const int first = static_cast<int>(part), step = static_cast<int>(parts_.count());
        return {first, step, Chains{first, step, chains_}.below(chains_)};
    }

    MoveCounts advance_part(Part& part, const Batch& batch, std::span<double> sums, Results& results) const {
        const Chains& chains = part.chains;
        Batch own = batch;
        own.first_chain = chains.below(results.first);
        own.chains = chains.below(results.end) - own.first_chain;
        if (own.chains == 0) return {};
        const std::vector<std::int64_t> intervals = rows_of(chains, batch.intervals, 1);
        own.intervals = intervals;
        std::vector<double> own_sums = rows_of(chains, std::span<const double>(sums), values_);
        const BatchReport report = part.engine->advance(own, own_sums);
        put_rows(chains, own_sums, sums, values_);
        for (int i = 0; i < own.chains; ++i)
            results.drifts[static_cast<std::size_t>(chains.number(own.first_chain + i) - results.first)] =
                report.drifts[static_cast<std::size_t>(i)];
        if (context_.ranks() > 1) store_part(part, results.sites);
        return report.moves;
    }

    void store_part(const Part& part, std::span<std::int32_t> all) const {
        if (!part.engine) return;
        std::vector<std::int32_t> sites(static_cast<std::size_t>(part.chains.count) * electrons_);
        part.engine->store(sites);
        put_rows(part.chains, sites, all, electrons_);
    }

    // Calls visit(bytes) for all that a rank has computed, in the same order on every rank.
    template <class Visit>
    void visit_results(int rank, Results& results, Visit&& visit) const {
        const auto visit_list = [&](auto list) { visit(std::as_writable_bytes(list)); };
        visit_list(std::span(results.moves).subspan(static_cast<std::size_t>(rank), 1));
        const WorkParts::Range parts = parts_.range_of_rank(parts_.count(), static_cast<std::size_t>(rank));
        for (std::size_t part = parts.first; part < parts.end; ++part) {
            const Chains chains = chains_of(part);
            for (int i = chains.below(results.first); i < chains.below(results.end); ++i) {
                const auto chain = static_cast<std::size_t>(chains.number(i));
                if (!results.sums.empty()) visit_list(results.sums.subspan(chain * values_, values_));
                visit_list(std::span(results.drifts).subspan(chain - static_cast<std::size_t>(results.first), 1));
                visit_list(std::span(results.sites).subspan(chain * electrons_, electrons_));
            }
        }
    }

    void gather(Results& results) const {
        if (context_.ranks() == 1) return;
        std::size_t most = 0;
        for (int rank = 0; rank < context_.ranks(); ++rank) {
            std::size_t size = 0;
            visit_results(rank, results, [&](std::span<std::byte> data) { size += data.size(); });
            most = std::max(most, size);
        }
        std::vector<std::byte> mine;
        mine.reserve(most);
        visit_results(context_.rank(), results,
                      [&](std::span<std::byte> data) { mine.insert(mine.end(), data.begin(), data.end()); });
        mine.resize(most);
        const std::vector<std::byte> all = gather_bytes(context_, mine);
        for (int rank = 0; rank < context_.ranks(); ++rank) {
            const std::byte* from = all.data() + static_cast<std::size_t>(rank) * most;
            visit_results(rank, results, [&](std::span<std::byte> data) {
                std::copy_n(from, data.size(), data.begin());
                from += data.size();
            });
        }
    }

    const Context& context_;
    WorkParts parts_;
    int chains_;
    std::size_t electrons_, values_;
    std::vector<Part> own_;
    std::vector<std::int32_t> sites_;  // [all chains][electrons]; empty if there is one rank
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    WorkParts parts(context, backend);
    if (parts.count() == 1) return make_part_engine(context, backend, model, all_chains(model.problem));
    return std::make_unique<SharedEngine>(context, backend, model, std::move(parts));
}

}  // namespace legato::vmc
