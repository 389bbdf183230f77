// Matrices of which many rows are alike, such as those of lattices. Rows have the same pattern if the distances from
// the row to its columns are the same, and the elements beside the diagonal too. Each row is then stored as the number
// of its pattern and its diagonal element, which takes ten bytes instead of twelve for each element.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kpm/hamiltonian.hpp"
#include "kpm/pages.hpp"

namespace legato::kpm {

// Elements count from first[p] to first[p + 1] - 1 in pattern p. They have the order of the columns.
struct RowPatterns {
    static constexpr std::size_t most = 1024;  // patterns, so that all of them stay in cache

    Pages<std::uint16_t> pattern;         // [rows]
    Pages<double> diagonal;               // [rows], the elements with distance 0
    std::vector<std::int32_t> first{0};   // [patterns + 1]
    std::vector<std::int32_t> own;        // [patterns] the element with distance 0; the end of the pattern: none
    std::vector<std::int32_t> distances;  // from the row to the column
    std::vector<double> values;           // a complex element has two numbers; that with distance 0 is not used

    std::size_t count() const { return first.size() - 1; }

    static constexpr std::int64_t bytes_of_row = sizeof(std::uint16_t) + sizeof(double);
};

// Returns the patterns of a prepared matrix, or nothing if there are more than `most`, or if a diagonal element is not
// real.
std::optional<RowPatterns> row_patterns(const CrsView& matrix, int threads, std::size_t most = RowPatterns::most);

// A sample of the rows of a matrix: rows far apart, and not in step with any stride.
inline constexpr std::int64_t sampled_rows = 1024;
inline std::int64_t sampled_row(std::int64_t number, std::int64_t rows) {
    constexpr std::int64_t prime = 7368787;
    return number * prime % rows;
}

// Returns whether a sample of the rows of a prepared matrix has so few patterns that all fit in a GPU's shared memory.
bool seems_patterned(const CrsView& matrix);

}  // namespace legato::kpm
