// The division of independent work among the ranks of a context and their devices. A part is one device of one rank,
// or one rank on the CPU. The parts of a rank follow each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/ranks.hpp"

namespace legato {

class WorkParts {
  public:
    // The items [first, end).
    struct Range {
        std::size_t first = 0, end = 0;

        std::size_t size() const { return end - first; }
        bool empty() const { return first == end; }
    };

    // Collective. `context` must outlive the parts.
    WorkParts(const Context& context, Backend backend);
    WorkParts(WorkParts&& other) noexcept;
    ~WorkParts();

    std::size_t count() const { return ends_.back(); }     // parts of all ranks
    std::size_t here() const { return contexts_.size(); }  // parts of this rank

    // Returns the context for the engine of part `i` of this rank. It has the part's device and its share of this
    // rank's threads, and no communicator. Only the first part may log.
    const Context& context(std::size_t i) const { return *contexts_[i]; }

    // Returns the items of part `i` of this rank, of `items` items that are numbered over all parts. Ranges are
    // contiguous and may be empty. They depend on the number of parts alone.
    Range range(std::size_t items, std::size_t i) const { return range_of_part(items, first_here() + i); }
    // Returns the items of part `part` of all ranks, from 0 to count() - 1.
    Range range_of_part(std::size_t items, std::size_t part) const { return range_of_parts(items, part, part + 1); }
    std::size_t first_here() const { return ends_[rank_] - here(); }  // number of this rank's first part
    // Returns the items of all parts of a rank.
    Range range_of_rank(std::size_t items, std::size_t rank) const;
    Range range_here(std::size_t items) const { return range_of_rank(items, rank_); }
    // Returns the rank of part `part` of all ranks.
    std::size_t rank_of_part(std::size_t part) const {
        return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), part) - ends_.begin());
    }
    // Returns the largest number of items of any part.
    std::size_t most(std::size_t items) const { return (items + count() - 1) / count(); }

    // Calls work(i) for the parts of this rank at the same time, the first one in this thread. Rethrows the first
    // error when all have ended. Does not fail if no work fails. `work` must not call it for the same parts.
    template <class Work>
    void side_by_side(Work&& work) const {
        run([](void* w, std::size_t i) { (*static_cast<std::remove_reference_t<Work>*>(w))(i); },
            const_cast<void*>(static_cast<const void*>(std::addressof(work))));
    }

    // Collective. `rows` are `items` rows of equal length, of which this rank has written those of its items. Copies
    // those of the other ranks into it. About `bytes_at_once` bytes are passed in a meeting, to save memory.
    template <class T>
    void gather_rows(std::span<T> rows, std::size_t items, std::size_t bytes_at_once = std::size_t{1} << 24) const {
        if (items == 0) return;
        const std::size_t row = rows.size() / items;
        const auto range = [&](std::size_t rank) {
            const Range of_rank = range_of_rank(items, rank);
            return Range{of_rank.first * row, of_rank.end * row};
        };
        gather_ranges(rows, range, bytes_at_once);
    }

    // The same for `elements` of which each rank has written those of the range `range_of(rank)`.
    template <class T, class RangeOf>
    void gather_ranges(std::span<T> elements, const RangeOf& range_of,
                       std::size_t bytes_at_once = std::size_t{1} << 24) const {
        if (ranks() == 1) return;
        const std::size_t at_once = std::max<std::size_t>(bytes_at_once / sizeof(T) / ranks(), 1);
        std::size_t most = 0;
        for (std::size_t rank = 0; rank < ranks(); ++rank) most = std::max(most, range_of(rank).size());
        for (std::size_t first = 0; first < most; first += at_once) {
            const auto piece = [&](std::size_t rank) {
                const Range of_rank = range_of(rank);
                const std::span<T> all = elements.subspan(of_rank.first, of_rank.size());
                const std::size_t begin = std::min(first, all.size());
                return all.subspan(begin, std::min(at_once, all.size() - begin));
            };
            const std::vector<T> gathered = gather_list<T>(*context_, piece(rank_));
            auto from = gathered.begin();
            for (std::size_t rank = 0; rank < ranks(); ++rank) {
                const std::span<T> to = piece(rank);
                std::copy_n(from, to.size(), to.begin());
                from += static_cast<std::ptrdiff_t>(to.size());
            }
        }
    }

  private:
    struct Task;

    std::size_t ranks() const { return ends_.size(); }
    Range range_of_parts(std::size_t items, std::size_t first, std::size_t end) const {
        return {items * first / count(), items * end / count()};
    }
    void run(void (*body)(void* work, std::size_t i), void* work) const;

    const Context* context_;
    std::size_t rank_;
    std::vector<std::size_t> ends_;  // [ranks] number of parts up to the end of each rank
    std::vector<std::unique_ptr<Context>> contexts_;
    std::unique_ptr<Task[]> tasks_;  // [here()], made before it is needed because memory may lack then
};

// Returns the number of parts of all ranks. Collective.
std::size_t parts_of_all(const Context& context, Backend backend);

}  // namespace legato
