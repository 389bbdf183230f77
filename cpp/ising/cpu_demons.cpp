// The CPU engine of the algorithms with demons. Each thread takes whole blocks, or pieces of the rows of one block.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>

#include "core/parallel.hpp"
#include "ising/bit_counts.hpp"
#include "ising/demon_kernels.hpp"
#include "ising/demon_measurement.hpp"
#include "ising/engine.hpp"

namespace legato::ising {
namespace {

// Groups of `width` bits that are counted together. All bits are below `end`.
struct Groups {
    std::uint32_t width, end;
};

// Counts of the bits of any number of words.
class Counter {
  public:
    // Adds the counts to totals[32], at the first bit of each group.
    Counter(unsigned long long* totals, Groups groups) : totals_(totals), groups_(groups) {}
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    ~Counter() { empty(); }

    void add(std::uint32_t word) {
        make_room(1);
        counts_.add(word);
    }
    void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        make_room(4);
        counts_.add(a, b, c, d);
    }

  private:
    using Counts = BitCounts<8>;

    void make_room(std::uint32_t words) {
        if (added_ + words > Counts::largest) empty();
        added_ += words;
    }
    void empty() {
        for (std::uint32_t bit = 0; bit < groups_.end; bit += groups_.width)
            totals_[bit] += groups_.width == 1 ? counts_.of(bit) : of_group(bit);
        counts_ = {};
        added_ = 0;
    }
    std::uint64_t of_group(std::uint32_t first) const {
        std::uint64_t count = 0;
        for (std::size_t k = 0; k < std::size(counts_.digit); ++k) {
            const std::uint32_t bits = counts_.digit[k] >> first & ~0u >> (32 - groups_.width);
            if (bits != 0) count += static_cast<std::uint64_t>(std::popcount(bits)) << k;
        }
        return count;
    }

    unsigned long long* totals_;
    Groups groups_;
    Counts counts_;
    std::uint32_t added_ = 0;
};

struct Range {
    std::uint32_t first, end;
};

// The distribution of the number of demons of a level at one temperature.
struct LevelNumber {
    BinomialTable table;
    bool rare = false;
};
struct LevelDraws {
    LevelProbabilities probabilities;
    std::array<LevelNumber, demon_levels> numbers;
};

// A block of systems, with pointers to its words.
struct Block {
    std::uint32_t* spins;   // [2][sites / 2], sites of a part
    std::uint32_t* demons;  // [3][sites]
    Stream stream;
    const LevelDraws* levels;
    std::uint32_t systems;  // number of systems without surplus
};

template <int Dimensions>
class CpuDemons final : public Engine {
  public:
    CpuDemons(const Context& context, const Model& model)
        : model_(model),
          parts_(model.parts),
          packing_(parts_.packing),
          sites_(parts_.sites()),
          threads_(context.threads()),
          kernels_(demon_kernels()),
          meanings_(count_meanings(model)) {
        for (const double beta : model.problem.betas) {
            LevelDraws& levels = levels_.emplace_back();
            levels.probabilities = level_probabilities(beta);
            for (int level = 0; level < demon_levels; ++level) {
                const double p = demon_probability(beta, level);
                levels.numbers[static_cast<std::size_t>(level)] = {binomial_table(model.sites(), p),
                                                                   is_rare(model.sites(), p)};
            }
        }
    }

    void load(std::span<const std::uint32_t> words) override { state_.assign(words.begin(), words.end()); }
    void store(std::span<std::uint32_t> words) const override {
        std::copy(state_.begin(), state_.end(), words.begin());
    }

    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override {
        constexpr std::uint32_t worth_sharing = 1 << 15;  // number of sites
        const std::size_t first = batch.first_block, blocks = batch.end(model_) - first;
        const bool one_thread_per_block = blocks >= static_cast<std::size_t>(threads_) || sites_ < worth_sharing;
        if (one_thread_per_block)
            in_parallel(blocks, threads_, [&](std::size_t i) { advance(first + i, batch, measured, 1); });
        else
            for (std::size_t i = 0; i < blocks; ++i) advance(first + i, batch, measured, threads_);
        return {};
    }

  private:
    Block block(std::size_t number) {
        std::uint32_t* const spins = state_.data() + number * model_.block_words();
        const Systems systems = model_.systems_of_block(number);
        return {spins, spins + sites_, model_.stream(number), &levels_[model_.beta_number(number)],
                static_cast<std::uint32_t>(systems.count())};
    }

    void advance(std::size_t number, const Batch& batch, std::span<std::int64_t> measured, int threads) {
        const Block b = block(number);
        const std::size_t first = model_.first_system(batch.first_block),
                          of_all = (model_.first_system(batch.end(model_)) - first) * model_.values.count;
        std::size_t measurement = 0;
        for (std::int64_t s = 1; s <= batch.sweeps; ++s) {
            const std::int64_t sweep = batch.first_sweep + s - 1;
            const DemonMoves moves = demon_moves(b.stream, sweep, parts_);
            for (std::uint32_t colour = 0; colour < 2; ++colour)
                by_ranges(pieces(), threads, [&](Range range) { update(b, colour, moves, range); });
            if (batch.measure_every > 0 && s % batch.measure_every == 0)
                measure(number, b, measured.subspan(of_all * measurement++, of_all), first, threads);
            if (batch.draw_demons && (sweep + 1) % model_.problem.refresh_interval == 0) draw(b, sweep, threads);
        }
    }

    // Calls work(range) for ranges that cover 0 .. count - 1, in parallel.
    template <class Work>
    void by_ranges(std::uint32_t count, int threads, const Work& work) const {
        if (threads == 1) return work(Range{0, count});
        const auto ranges = std::min<std::uint64_t>(count, 4 * static_cast<std::uint64_t>(threads));
        in_parallel(ranges, threads, [&](std::size_t i) {
            work(Range{static_cast<std::uint32_t>(count * i / ranges),
                       static_cast<std::uint32_t>(count * (i + 1) / ranges)});
        });
    }

    // A piece is a row, or as many of its columns as one call of the kernels takes.
    static constexpr std::uint32_t capacity = DemonPiece::capacity;
    std::uint32_t pieces_of_row() const { return (packing_.bits + capacity - 1) / capacity; }
    std::uint32_t pieces() const { return packing_.rows() * pieces_of_row(); }

    // Calls use(row, range of columns) for each piece of the range.
    template <class Use>
    void for_each_piece(Range range, const Use& use) const {
        for (std::uint32_t piece = range.first; piece < range.end; ++piece) {
            const std::uint32_t first = piece % pieces_of_row() * capacity;
            use(piece / pieces_of_row(), Range{first, std::min(first + capacity, packing_.bits)});
        }
    }

    void update(const Block& b, std::uint32_t colour, const DemonMoves& moves, Range range) const {
        DemonPiece piece;
        for_each_piece(range, [&](std::uint32_t row, Range columns) {
            take(b, colour, row, row_neighbours(parts_, colour, row), columns, piece);
            update(b, moves, colour, piece);
        });
    }

    // Updates a piece. The spins of the resting sites and their demons are restored afterwards.
    void update(const Block& b, const DemonMoves& moves, std::uint32_t colour, DemonPiece& piece) const {
        const std::uint32_t resting = moves.resting_site[colour] + colour * (sites_ / 2),
                            bits = moves.resting_bits[colour];
        const auto exchange = [&] {
            (Dimensions == 2 ? kernels_.exchange_square : kernels_.exchange_cubic)(moves, sites_, b.demons, piece);
        };
        if (resting - piece.site >= piece.count) return exchange();
        std::uint32_t* const spin = piece.spins + (resting - piece.site);
        std::uint32_t* const demon = b.demons + demon_of(moves, resting, sites_);
        const std::size_t plane = sites_;
        const std::uint32_t spin_before = *spin, demon_before[]{demon[0], demon[plane], demon[2 * plane]};
        exchange();
        *spin = chosen(bits, spin_before, *spin);
        const PartShift& part_shift = moves.part_shift;
        for (std::size_t level = 0; level < demon_levels; ++level)
            demon[level * plane] =
                chosen(part_shift.rotated(bits), part_shift.rotated(demon_before[level]), demon[level * plane]);
    }

    void take(const Block& b, std::uint32_t colour, std::uint32_t row, const RowNeighbours& around, Range columns,
              DemonPiece& piece) const {
        const std::size_t half = sites_ / 2, start = std::size_t{row} * packing_.bits;
        const std::uint32_t* const other = b.spins + (1 - colour) * half;
        piece.count = columns.end - columns.first;
        piece.site = static_cast<std::uint32_t>(colour * half + start + columns.first);
        piece.spins = b.spins + piece.site;
        copy_shifted(other + start, around.odd, columns, piece.shifted);
        piece.neighbours[0] = other + start + columns.first;
        piece.neighbours[1] = piece.shifted;
        for (int k = 0; k < 2 * Dimensions - 2; ++k) {
            const std::uint32_t* const across = other + std::size_t{around.row[k]} * packing_.bits + columns.first;
            piece.neighbours[2 + k] = around.rotates[k] ? piece.across[k] : across;
            piece.flips[2 + k] = around.flip[k];
            if (!around.rotates[k]) continue;
            const PartShift face_shift = across_face(parts_, k);
            for (std::uint32_t i = 0; i < piece.count; ++i) piece.across[k][i] = face_shift.rotated(across[i]);
        }
    }

    // Copies the neighbours along the row that have a different number in it, with the boundary's sign.
    void copy_shifted(const std::uint32_t* row, bool odd, Range columns, std::uint32_t* shifted) const {
        const std::uint32_t last = packing_.bits - 1;
        if (odd) {
            const std::uint32_t inner = std::min(columns.end, last);
            for (std::uint32_t j = columns.first; j < inner; ++j) shifted[j - columns.first] = row[j + 1];
            if (columns.end > last) shifted[last - columns.first] = parts_.next[0](row[0]);
        } else {
            if (columns.first == 0) shifted[0] = parts_.previous[0](row[last]);
            for (std::uint32_t j = std::max(columns.first, 1u); j < columns.end; ++j)
                shifted[j - columns.first] = row[j - 1];
        }
    }

    void draw(const Block& b, std::int64_t sweep, int threads) const {
        if (model_.problem.algorithm == Algorithm::demon_naive)
            by_ranges(sites_, threads, [&](Range sites) {
                kernels_.draw(b.levels->probabilities, b.stream, sweep, sites.first, sites.end - sites.first, sites_,
                              b.demons);
            });
        else
            in_parallel(demon_levels, threads,
                        [&](std::size_t level) { draw_counts(b, sweep, static_cast<std::uint32_t>(level)); });
    }

    void draw_counts(const Block& b, std::int64_t sweep, std::uint32_t level) const {
        const LevelNumber& to = b.levels->numbers[level];
        std::uint32_t* const plane = b.demons + level * std::size_t{sites_};
        unsigned long long counts[32] = {};
        if (to.rare)
            clear(plane, parts_.bits_of(b.systems));
        else
            add_words(plane, sites_, counts, groups(b));
        for (std::uint32_t system = 0; system < b.systems; ++system) {
            const std::int64_t wanted = binomial_number(to.table.first, to.table.thresholds.data(),
                                                        static_cast<std::uint32_t>(to.table.thresholds.size()),
                                                        number_for_count(b.stream, sweep, level, system));
            const std::size_t first = system << parts_.shift[3];
            change(plane, b.stream, sweep, level, system, wanted - static_cast<std::int64_t>(counts[first]));
        }
    }

    void clear(std::uint32_t* plane, std::uint32_t bits) const {
        if (bits == ~0u)
            std::fill_n(plane, sites_, 0);
        else
            for (std::uint32_t i = 0; i < sites_; ++i) plane[i] &= ~bits;
    }

    // Returns the groups of the bits of each system.
    Groups groups(const Block& b) const { return {parts_.count(), b.systems << parts_.shift[3]}; }

    // Adds `missing` demons of a level, or removes demons if it is negative, at sites in the order of their proposals.
    void change(std::uint32_t* plane, const Stream& stream, std::int64_t sweep, std::uint32_t level,
                std::uint32_t system, std::int64_t missing) const {
        std::uint32_t proposed[DemonKernels::proposals];
        const bool unwanted = missing < 0;
        std::int64_t left = std::abs(missing);
        for (std::uint32_t number = 0; left > 0; number += DemonKernels::proposals) {
            kernels_.propose(stream, sweep, level, system, number, sites_of_system_, proposed);
            for (const std::uint32_t site : proposed) {
                std::uint32_t& word = plane[parts_.place(site)];
                const std::uint32_t bit = parts_.bit(system, site);
                if (left == 0 || ((word & bit) != 0) != unwanted) continue;
                word ^= bit;
                --left;
            }
        }
    }

    static void add_words(const std::uint32_t* words, std::size_t count, unsigned long long* totals, Groups groups) {
        Counter counter(totals, groups);
        std::size_t i = 0;
        for (; i + 4 <= count; i += 4) counter.add(words[i], words[i + 1], words[i + 2], words[i + 3]);
        for (; i < count; ++i) counter.add(words[i]);
    }

    void measure(std::size_t number, const Block& b, std::span<std::int64_t> measured, std::size_t first,
                 int threads) const {
        std::vector<unsigned long long> counts(32 * model_.values.count);
        const auto count_pieces = [&](Range range, unsigned long long* of_range) {
            count(b, range, of_range);
            if (model_.problem.correlations) count_correlations(b, range, of_range);
        };
        std::mutex mutex;
        const auto add_pieces = [&](Range range) {
            std::vector<unsigned long long> of_range(counts.size());
            count_pieces(range, of_range.data());
            const std::lock_guard lock(mutex);
            for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += of_range[i];
        };
        if (threads == 1)
            count_pieces({0, pieces()}, counts.data());
        else
            by_ranges(pieces(), threads, add_pieces);
        put_counts(model_, meanings_, number, counts, measured, first);
    }

    // Returns the number of sites of a part and a colour that come before the piece.
    std::size_t sites_before(std::uint32_t piece) const {
        return std::size_t{piece / pieces_of_row()} * packing_.bits + piece % pieces_of_row() * capacity;
    }

    void count(const Block& b, Range range, unsigned long long* counts) const {
        const std::size_t half = sites_ / 2, first = sites_before(range.first), end = sites_before(range.end);
        for (std::size_t colour = 0; colour < 2; ++colour)
            add_words(b.spins + colour * half + first, end - first, counts + 32 * MeasuredValues::magnetisation,
                      groups(b));
        for (std::size_t level = 0; level < demon_levels; ++level)
            add_words(b.demons + level * sites_ + 2 * first, 2 * (end - first),
                      counts + 32 * (model_.values.demons + level), groups(b));
        Counter bonds(counts + 32 * MeasuredValues::bonds, groups(b));
        DemonPiece piece;
        for_each_piece(range, [&](std::uint32_t row, Range columns) {
            take(b, 0, row, row_neighbours(parts_, 0, row), columns, piece);
            for (std::uint32_t i = 0; i < piece.count; ++i) {
                const auto bond = [&](int k) { return piece.spins[i] ^ piece.neighbours[k][i] ^ piece.flips[k]; };
                bonds.add(bond(0), bond(1), bond(2), bond(3));
                if constexpr (Dimensions == 3) bonds.add(bond(4)), bonds.add(bond(5));
            }
        });
    }

    void count_correlations(const Block& b, Range range, unsigned long long* counts) const {
        const std::size_t half = sites_ / 2;
        const auto for_each_site = [&](const auto& use) {
            for (std::uint32_t colour = 0; colour < 2; ++colour)
                for_each_piece(range, [&](std::uint32_t row, Range columns) {
                    for (std::uint32_t column = columns.first; column < columns.end; ++column)
                        use(colour, DemonSite{row, column},
                            b.spins[colour * half + std::size_t{row} * packing_.bits + column]);
                });
        };
        for (int axis = 0; axis < Dimensions; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            for (std::uint32_t r = 1; r <= model_.problem.lattice.extents[a] / 2; ++r) {
                Counter pairs(counts + 32 * (model_.values.correlations[a] + r - 1), groups(b));
                for_each_site([&](std::uint32_t colour, DemonSite at, std::uint32_t spin) {
                    pairs.add(spin ^ spin_at_distance(parts_, b.spins, colour, at, axis, r));
                });
            }
        }
        for_each_piece(range, [&](std::uint32_t row, Range columns) {
            const std::uint32_t plane = packing_.cubic ? row / packing_.rows_y : row;
            for (std::size_t colour = 0; colour < 2; ++colour)
                add_words(b.spins + colour * half + std::size_t{row} * packing_.bits + columns.first,
                          columns.end - columns.first, counts + 32 * (model_.values.planes + plane), {1, 32});
        });
    }

    const Model& model_;
    const Parts& parts_;
    const Packing& packing_;
    std::uint32_t sites_;  // sites of a part
    std::uint32_t sites_of_system_ = static_cast<std::uint32_t>(model_.sites());
    int threads_;
    const DemonKernels& kernels_;
    std::vector<CountMeaning> meanings_;
    std::vector<LevelDraws> levels_;  // one for each temperature
    std::vector<std::uint32_t> state_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_demons(const Context& context, const Model& model) {
    if (model.problem.lattice.dimension == 2) return std::make_unique<CpuDemons<2>>(context, model);
    return std::make_unique<CpuDemons<3>>(context, model);
}

}  // namespace legato::ising
