// Half-sweeps and measurements of Metropolis' algorithm on a CPU. The words are those of whole lattices, or of slabs.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "ising/bond_kernels.hpp"
#include "ising/cpu_kernels.hpp"
#include "ising/measurement.hpp"
#include "ising/neighbours.hpp"
#include "ising/slab.hpp"

namespace legato::ising {

inline void decide(const CpuKernels& kernels, const Acceptance<2>& a, Piece& piece) {
    kernels.decide_square(a, piece);
}
inline void decide(const CpuKernels& kernels, const Acceptance<3>& a, Piece& piece) {
    kernels.decide_cubic(a, piece);
}
inline void decide(const CpuKernels& kernels, const Acceptance<5>& a, Piece& piece) {
    kernels.decide_square_general(a, piece);
}
inline void decide(const CpuKernels& kernels, const Acceptance<7>& a, Piece& piece) {
    kernels.decide_cubic_general(a, piece);
}

// A sweep of a run. It may end with a measurement.
struct Sweep {
    std::int64_t number;
    bool is_measured;
};

// The memory of a thread.
struct CpuWorker {
    explicit CpuWorker(std::size_t count) : values(count) {}

    Piece piece{};
    BondBatch bonds;
    AcceptanceCounts counts;
    std::vector<std::int64_t> values;
};

template <class C>
class CpuLattices {
  public:
    // Words of a colour, as SlabLayout stores them.
    struct Part {
        std::uint32_t first, end;
    };
    // A sweep has a phase for each colour.
    static constexpr std::uint32_t phases = 2;

    // Memory of a lattice that is under way. Metropolis' algorithm needs none.
    struct Shared {
        explicit Shared(const Model&) {}
    };

    CpuLattices(const Model& model, const SlabLayout& layout)
        : model_(model), layout_(layout), kernels_(cpu_kernels()) {
        for (const double beta : model.problem.betas)
            acceptance_.push_back(acceptance_of<C>(beta, model.problem.field));
    }

    const SlabLayout& layout() const { return layout_; }
    std::vector<std::uint32_t>& words() { return words_; }  // [blocks][2 colours][words of a colour]
    const std::vector<std::uint32_t>& words() const { return words_; }

    std::uint32_t* spins(std::size_t block, std::uint32_t colour) {
        return words_.data() + (2 * block + colour) * layout_.packing.words();
    }
    const std::uint32_t* spins(std::size_t block, std::uint32_t colour) const {
        return words_.data() + (2 * block + colour) * layout_.packing.words();
    }

    // Updates the sites of a colour.
    void update(std::size_t block, Sweep sweep, std::uint32_t colour, Part part, CpuWorker& worker, Shared&) {
        update(block, sweep.number, colour, part, worker);
    }
    void update(std::size_t block, std::int64_t sweep, std::uint32_t colour, Part part, CpuWorker& worker) {
        Piece& piece = worker.piece;
        piece.stream = model_.stream(block);
        piece.sweep = sweep;
        const Acceptance<C::count>& acceptance = acceptance_[model_.beta_number(block)];
        for (std::uint32_t first = part.first; first < part.end; first += piece.count) {
            take(block, colour, first, part.end, piece);
            decide(kernels_, acceptance, piece);
            decide_tails(acceptance, piece);
            if (model_.problem.acceptance) count(piece, worker.counts);
            kernels_.flip(layout_.packing, piece, spins(block, colour));
        }
    }

    // Measures the part and adds to the values.
    template <class Memory>
    void measure(std::size_t block, Part part, std::span<std::int64_t> values, Piece& piece, const Memory& /*shared*/) {
        measure_spins(block, part, values, piece);
        if (model_.problem.correlations)
            add_correlations(model_, spins(block, 0), part.first, part.end - part.first, values);
    }
    // The same without correlations.
    void measure_spins(std::size_t block, Part part, std::span<std::int64_t> values, Piece& piece) {
        const Packing& p = layout_.packing;
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
    }

  private:
    void take(std::size_t block, std::uint32_t colour, std::uint32_t first, std::uint32_t end, Piece& piece) {
        piece.colour = colour;
        piece.local_colour = layout_.local_colour(colour);
        piece.number = layout_.number(first);
        kernels_.take(layout_.packing, spins(block, colour), spins(block, 1 - colour), first, end, piece);
    }

    void decide_tails(const Acceptance<C::count>& acceptance, Piece& piece) const {
        for (std::uint32_t i = 0; i < piece.open; ++i) {
            if (piece.undecided[i] == 0) continue;
            const std::uint32_t place = piece.place[i];
            std::uint32_t n[C::neighbours];
            for (int k = 0; k < C::neighbours; ++k) n[k] = piece.neighbour(k, place);
            piece.flips[place] |= decide_tail<C>(acceptance, piece.spins[place], n, piece.undecided[i], piece.stream,
                                                 piece.number + place, piece.sweep, piece.colour);
        }
    }

    void count(const Piece& piece, AcceptanceCounts& counts) const {
        for (std::uint32_t i = 0; i < piece.count; ++i) {
            const std::uint32_t valid = valid_bits(layout_.packing, (piece.first + i) % layout_.packing.width);
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

    const Model& model_;
    SlabLayout layout_;
    const CpuKernels& kernels_;
    std::vector<Acceptance<C::count>> acceptance_;  // one for each temperature
    std::vector<std::uint32_t> words_;
};

}  // namespace legato::ising
