#include "kpm/row_patterns.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <unordered_map>

#include "core/parallel.hpp"

namespace legato::kpm {
namespace {

// A row as a pattern. Numbers are compared by their bits, because 0 and -0 may give different results.
struct Row {
    std::vector<std::int32_t> distances;
    std::vector<double> values;

    bool operator==(const Row& other) const {
        return distances == other.distances &&
               std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(),
                          [](double a, double b) {
                              return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
                          });
    }
};

struct Hash {
    std::size_t operator()(const Row& row) const {
        std::uint64_t hash = row.distances.size();
        const auto add = [&hash](std::uint64_t number) {
            hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 29U;
        };
        for (const std::int32_t distance : row.distances) add(static_cast<std::uint32_t>(distance));
        for (const double value : row.values) add(std::bit_cast<std::uint64_t>(value));
        return hash;
    }
};

// The patterns of some rows, in the order in which they were found.
class Patterns {
  public:
    // Returns the number of a pattern, which is added if it is new.
    std::uint16_t number_of(const Row& row) {
        const auto [at, is_new] = numbers_.try_emplace(row, static_cast<std::uint16_t>(in_order_.size()));
        if (is_new) in_order_.push_back(&at->first);
        return at->second;
    }
    const std::vector<const Row*>& in_order() const { return in_order_; }

  private:
    std::unordered_map<Row, std::uint16_t, Hash> numbers_;  // its elements stay where they are
    std::vector<const Row*> in_order_;
};

// Copies a row without its diagonal element, which is returned in `diagonal`. Returns false if that is not real.
bool read_row(const CrsView& matrix, std::size_t row, Row& to, double& diagonal) {
    const std::size_t lanes = matrix.lanes(), begin = matrix.begin(row), end = matrix.end(row);
    to.distances.resize(end - begin);
    to.values.assign(matrix.values + lanes * begin, matrix.values + lanes * end);
    diagonal = 0;
    for (std::size_t k = begin; k < end; ++k) {
        const auto distance = static_cast<std::int32_t>(matrix.column(k) - static_cast<std::int64_t>(row));
        to.distances[k - begin] = distance;
        if (distance != 0) continue;
        double* const value = to.values.data() + lanes * (k - begin);
        if (lanes == 2 && value[1] != 0) return false;
        diagonal = value[0];
        std::fill_n(value, lanes, 0.0);
    }
    return true;
}

// Finds the patterns of the rows first .. last - 1. Stops if there are too many, or if another range has too many.
void find(const CrsView& matrix, std::size_t first, std::size_t last, std::size_t most, Patterns& patterns,
          RowPatterns& to, std::atomic<bool>& too_many) {
    Row row, before;
    std::uint16_t number = 0;
    for (std::size_t i = first; i < last && !too_many; ++i) {
        if (!read_row(matrix, i, row, to.diagonal[i])) too_many = true;
        if (i == first || !(row == before)) {
            number = patterns.number_of(row);
            std::swap(row, before);
        }
        if (patterns.in_order().size() > most) too_many = true;
        to.pattern[i] = number;
    }
}

}  // namespace

std::optional<RowPatterns> row_patterns(const CrsView& matrix, int threads, std::size_t most) {
    const auto rows = static_cast<std::size_t>(matrix.rows);
    RowPatterns result;
    result.pattern = Pages<std::uint16_t>(rows);
    result.diagonal = Pages<double>(rows);
    // Each range finds patterns of its own. Threads that start cost more than short ranges save.
    constexpr std::size_t worth_it = 8192;
    const std::size_t ranges =
        std::clamp<std::size_t>(rows / worth_it, 1, static_cast<std::size_t>(std::max(threads, 1)));
    const auto first_of = [&](std::size_t range) { return rows * range / ranges; };
    std::vector<Patterns> found(ranges);
    std::atomic<bool> too_many = false;
    in_parallel(ranges, static_cast<int>(ranges), [&](std::size_t range) {
        find(matrix, first_of(range), first_of(range + 1), most, found[range], result, too_many);
    });
    if (too_many) return std::nullopt;
    Patterns all;
    std::vector<std::vector<std::uint16_t>> number_in_all(ranges);
    for (std::size_t range = 0; range < ranges; ++range)
        for (const Row* const row : found[range].in_order()) number_in_all[range].push_back(all.number_of(*row));
    if (all.in_order().size() > most) return std::nullopt;
    in_parallel(ranges, static_cast<int>(ranges), [&](std::size_t range) {
        for (std::size_t i = first_of(range); i < first_of(range + 1); ++i)
            result.pattern[i] = number_in_all[range][result.pattern[i]];
    });
    for (const Row* const row : all.in_order()) {
        result.distances.insert(result.distances.end(), row->distances.begin(), row->distances.end());
        result.values.insert(result.values.end(), row->values.begin(), row->values.end());
        const auto own = std::find(row->distances.begin(), row->distances.end(), 0);
        result.own.push_back(result.first.back() + static_cast<std::int32_t>(own - row->distances.begin()));
        result.first.push_back(static_cast<std::int32_t>(result.distances.size()));
    }
    return result;
}

bool seems_patterned(const CrsView& matrix) {
    constexpr std::size_t few = 64;
    Patterns patterns;
    Row row;
    double diagonal = 0;
    for (std::int64_t i = 0; i < std::min(sampled_rows, matrix.rows); ++i) {
        if (!read_row(matrix, static_cast<std::size_t>(sampled_row(i, matrix.rows)), row, diagonal)) return false;
        patterns.number_of(row);
        if (patterns.in_order().size() > few) return false;
    }
    return true;
}

}  // namespace legato::kpm
