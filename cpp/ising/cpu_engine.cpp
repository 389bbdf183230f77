// The CPU engine of Metropolis' algorithm. Each thread takes whole lattices, or parts of one lattice. The engine of the
// algorithms with demons is in cpu_demons.cpp.
#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <type_traits>

#include "core/parallel.hpp"
#include "ising/cpu_kernels.hpp"
#include "ising/engine.hpp"
#include "ising/measurement.hpp"

namespace legato::ising {
namespace {

void decide(const CpuKernels& kernels, const Acceptance<2>& a, Piece& piece) {
    kernels.decide_square(a, piece);
}
void decide(const CpuKernels& kernels, const Acceptance<3>& a, Piece& piece) {
    kernels.decide_cubic(a, piece);
}
void decide(const CpuKernels& kernels, const Acceptance<5>& a, Piece& piece) {
    kernels.decide_square_general(a, piece);
}
void decide(const CpuKernels& kernels, const Acceptance<7>& a, Piece& piece) {
    kernels.decide_cubic_general(a, piece);
}

template <class C>
class CpuEngine final : public Engine {
  public:
    CpuEngine(const Context& context, const Model& model)
        : model_(model), threads_(context.threads()), kernels_(cpu_kernels()) {
        for (const double beta : model.problem.betas)
            acceptance_.push_back(acceptance_of<C>(beta, model.problem.field));
    }

    void load(std::span<const std::uint32_t> words) override { state_.assign(words.begin(), words.end()); }
    void store(std::span<std::uint32_t> words) const override {
        std::copy(state_.begin(), state_.end(), words.begin());
    }

    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        std::fill(measured.begin(), measured.end(), 0);
        const bool one_thread_per_block =
            batch.end(model_) - batch.first_block >= 4 * static_cast<std::size_t>(threads_) ||
            model_.packing.words() < Piece::capacity * static_cast<std::uint32_t>(threads_);
        AcceptanceCounts counts;
        // The workers are made before the threads start, because a thread could not report a lack of memory.
        std::vector<std::unique_ptr<Worker>> workers;
        workers.reserve(static_cast<std::size_t>(threads_));
        for (int i = 0; i < threads_; ++i) workers.push_back(std::make_unique<Worker>(model_.values.count));
        next_block_ = batch.first_block;
        if (one_thread_per_block) {
            in_team(threads_, [&](const Team& team) { advance_own_blocks(batch, measured, *workers[team.rank]); });
        } else {
            for (std::size_t block = batch.first_block; block < batch.end(model_); ++block)
                in_rounds(batch.sweeps, threads_, [&](const Team& team, std::int64_t first, std::int64_t last) {
                    advance_shared_block(block, {first, last}, batch, measured, *workers[team.rank], team);
                });
        }
        for (const auto& worker : workers) counts += worker->counts;
        return counts;
    }

  private:
    struct Worker {
        explicit Worker(std::size_t count) : values(count) {}

        Piece piece{};
        AcceptanceCounts counts;
        std::vector<std::int64_t> values;
    };
    struct Part {
        std::uint32_t first, end;
    };
    struct Sweeps {
        std::int64_t first, end;
    };

    void advance_own_blocks(const Batch& batch, std::span<std::int64_t> measured, Worker& worker) {
        const Part all{0, model_.packing.words()};
        for (std::size_t block = next_block_++; block < batch.end(model_); block = next_block_++) {
            std::int64_t measurement = 0;
            for (std::int64_t s = 1; s <= batch.sweeps; ++s) {
                for (std::uint32_t colour = 0; colour < 2; ++colour)
                    update(block, batch.first_sweep + s - 1, colour, all, worker);
                if (batch.measure_every > 0 && s % batch.measure_every == 0)
                    measure(block, all, values_of(measured, batch, measurement++, block), worker.piece);
            }
        }
    }

    // Makes sweeps of a batch, counted from its first. Each thread has a part of consecutive words.
    void advance_shared_block(std::size_t block, Sweeps sweeps, const Batch& batch, std::span<std::int64_t> measured,
                              Worker& worker, const Team& team) {
        const auto [first, last] = team.share(model_.packing.words());
        const Part mine{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
        for (std::int64_t s = sweeps.first + 1; s <= sweeps.end; ++s) {
            for (std::uint32_t colour = 0; colour < 2; ++colour) {
                update(block, batch.first_sweep + s - 1, colour, mine, worker);
                team.wait();
            }
            if (batch.measure_every == 0 || s % batch.measure_every != 0) continue;
            std::fill(worker.values.begin(), worker.values.end(), 0);
            measure(block, mine, worker.values, worker.piece);
            const std::span<std::int64_t> values = values_of(measured, batch, s / batch.measure_every - 1, block);
            {
                const std::lock_guard lock(measuring_);
                for (std::size_t i = 0; i < values.size(); ++i) values[i] += worker.values[i];
            }
            team.wait();
        }
    }

    // Returns the values of a measurement of a block, which is a system.
    std::span<std::int64_t> values_of(std::span<std::int64_t> measured, const Batch& batch, std::int64_t measurement,
                                      std::size_t block) {
        const std::size_t number =
            static_cast<std::size_t>(measurement) * (batch.end(model_) - batch.first_block) + block - batch.first_block;
        return measured.subspan(number * model_.values.count, model_.values.count);
    }

    std::uint32_t* spins(std::size_t block, std::uint32_t colour) {
        return state_.data() + block * model_.block_words() + std::size_t{colour} * model_.packing.words();
    }

    void update(std::size_t block, std::int64_t sweep, std::uint32_t colour, Part part, Worker& worker) {
        Piece& piece = worker.piece;
        piece.stream = model_.stream(block);
        piece.sweep = sweep;
        const Acceptance<C::count>& acceptance = acceptance_[model_.beta_number(block)];
        for (std::uint32_t first = part.first; first < part.end; first += piece.count) {
            take(block, colour, first, part.end, piece);
            decide(kernels_, acceptance, piece);
            decide_tails(acceptance, piece);
            if (model_.problem.acceptance) count(piece, worker.counts);
            kernels_.flip(model_.packing, piece, spins(block, colour));
        }
    }

    void take(std::size_t block, std::uint32_t colour, std::uint32_t first, std::uint32_t end, Piece& piece) {
        piece.colour = colour;
        kernels_.take(model_.packing, spins(block, colour), spins(block, 1 - colour), first, end, piece);
    }

    void decide_tails(const Acceptance<C::count>& acceptance, Piece& piece) const {
        for (std::uint32_t i = 0; i < piece.open; ++i) {
            if (piece.undecided[i] == 0) continue;
            const std::uint32_t place = piece.place[i];
            std::uint32_t n[C::neighbours];
            for (int k = 0; k < C::neighbours; ++k) n[k] = piece.neighbour(k, place);
            piece.flips[place] |= decide_tail<C>(acceptance, piece.spins[place], n, piece.undecided[i], piece.stream,
                                                 piece.first + place, piece.sweep, piece.colour);
        }
    }

    void count(const Piece& piece, AcceptanceCounts& counts) const {
        for (std::uint32_t i = 0; i < piece.count; ++i) {
            const std::uint32_t valid = valid_bits(model_.packing, (piece.first + i) % model_.packing.width);
            std::uint32_t n[C::neighbours];
            for (int k = 0; k < C::neighbours; ++k) n[k] = piece.neighbour(k, i);
            const auto add = [&](int aligned, int spin, std::uint32_t sites) {
                counts.attempts[static_cast<std::size_t>(aligned)][static_cast<std::size_t>(spin)] +=
                    std::popcount(sites);
                counts.flips[static_cast<std::size_t>(aligned)][static_cast<std::size_t>(spin)] +=
                    std::popcount(sites & piece.flips[i]);
            };
            for_each_environment<C::dimensions>(piece.spins[i], n, valid, add);
        }
    }

    // Measures the part and adds to the values.
    void measure(std::size_t block, Part part, std::span<std::int64_t> values, Piece& piece) {
        const Packing& p = model_.packing;
        PieceSums sums;
        std::int64_t sites = 0;
        for (std::uint32_t first = part.first; first < part.end; first += piece.count) {
            take(block, 0, first, part.end, piece);
            const PieceSums of_piece = kernels_.measure(p, piece, spins(block, 1));
            sums.up += of_piece.up;
            sums.aligned += of_piece.aligned;
            const std::uint32_t rows = (first + piece.count) / p.width - first / p.width;
            sites += std::int64_t{32} * piece.count - std::int64_t{rows} * (32 - p.last_bits);
        }
        values[MeasuredValues::magnetisation] += 2 * (sums.up - sites);
        values[MeasuredValues::bonds] += 2 * sums.aligned - C::neighbours * sites;
        if (model_.problem.correlations)
            add_correlations(model_, spins(block, 0), part.first, part.end - part.first, values);
    }

    const Model& model_;
    int threads_;
    const CpuKernels& kernels_;
    std::vector<Acceptance<C::count>> acceptance_;  // one for each temperature
    std::vector<std::uint32_t> state_;
    std::atomic<std::size_t> next_block_ = 0;  // next block that no thread has taken
    std::mutex measuring_;                     // protects the values to which all threads add
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Model& model) {
    if (has_demons(model.problem.algorithm)) return make_cpu_demons(context, model);
    return with_classes(model.problem, [&](auto classes) -> std::unique_ptr<Engine> {
        return std::make_unique<CpuEngine<decltype(classes)>>(context, model);
    });
}

}  // namespace legato::ising
