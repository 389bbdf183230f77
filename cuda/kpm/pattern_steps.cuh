// The step of a matrix of which many rows are alike (row_patterns.hpp). A row is read as the number of its pattern and
// its diagonal element. Patterns are in shared memory, so that a thread requests all elements of x at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kpm/recursion_kernels.cuh"
#include "kpm/row_patterns.hpp"

namespace legato::kpm {
inline namespace engine_parts {

// Elements of a pattern. The first group is padded with zeros that point to the row itself, as staged elements are.
template <class Value>
struct PatternGroup {
    alignas(16) Value values[staged_elements];
    alignas(16) std::int32_t distances[staged_elements];
};

// A pattern: the position of the diagonal element, or -1 if there is none, and the number of elements.
struct PatternExtent {
    std::int32_t own, count;
};

// Limit for the patterns in shared memory. Several blocks share a multiprocessor, and x needs its cache.
inline constexpr std::size_t most_pattern_bytes = 16384;

struct DevicePatterns {
    const std::uint16_t* pattern;  // [rows]; null if rows are stored with their elements
    const double* diagonal;        // [rows]
    const int4* table;             // [count][groups] PatternGroup, [count] PatternExtent
    int groups, count;
    unsigned bytes;  // of the table
};

// Returns the table of these patterns as words.
template <class Value>
inline std::vector<std::int32_t> pattern_table(const RowPatterns& patterns, std::size_t groups) {
    constexpr std::size_t lanes = sizeof(Value) / sizeof(double), size = sizeof(PatternGroup<Value>);
    const std::size_t count = patterns.count(), extents = count * groups * size;
    std::vector<std::int32_t> table((extents + count * sizeof(PatternExtent) + 15) / 16 * 4);
    char* const bytes = reinterpret_cast<char*>(table.data());
    for (std::size_t p = 0; p < count; ++p) {
        const auto first = static_cast<std::size_t>(patterns.first[p]),
                   end = static_cast<std::size_t>(patterns.first[p + 1]);
        for (std::size_t k = first; k < end; ++k) {
            const std::size_t number = k - first, in_group = number % staged_elements;
            char* const group = bytes + (p * groups + number / staged_elements) * size;
            std::memcpy(group + in_group * sizeof(Value), &patterns.values[lanes * k], sizeof(Value));
            std::memcpy(group + offsetof(PatternGroup<Value>, distances) + in_group * sizeof(std::int32_t),
                        &patterns.distances[k], sizeof(std::int32_t));
        }
        const bool has_own = patterns.own[p] < patterns.first[p + 1];
        const PatternExtent extent{has_own ? patterns.own[p] - patterns.first[p] : -1,
                                   static_cast<std::int32_t>(end - first)};
        std::memcpy(bytes + extents + p * sizeof extent, &extent, sizeof extent);
    }
    return table;
}

__device__ inline double diagonal_element(double diagonal, double) {
    return diagonal;
}
__device__ inline double2 diagonal_element(double diagonal, double2) {
    return {diagonal, 0.0};
}

// Adds the products of a group of elements with x in their order. Elements with distance 0 have x in `here`.
template <int P, class Value, class Element>
__device__ inline void add_group(const PatternGroup<Value>& group, int own, int count, double diagonal,
                                 const Element* at, const Part<P, Element>& here, Sums<P>& sum) {
    Part<P, Element> others[staged_elements];
#pragma unroll
    for (int k = 0; k < staged_elements; ++k) {
        others[k] = here;
        if (const std::int32_t distance = group.distances[k]; distance != 0)
            others[k] = load<P>(at + static_cast<std::int64_t>(distance) * P);
    }
#pragma unroll
    for (int k = 0; k < staged_elements; ++k) {
        const Value value = group.values[k];
        if (k < count) add_product<P>(k == own ? diagonal_element(diagonal, value) : value, others[k], sum);
    }
}

template <int P, class Value, class Element>
__global__ void __launch_bounds__(row_slots* lanes<P>, matrix_threads / (row_slots * lanes<P>))
    pattern_step(DeviceStep<Element> step, RowWalk walk, const double* energies, DevicePatterns patterns,
                 std::uint32_t first_chunk) {
    extern __shared__ int4 table[];
    __shared__ double shared[row_slots * lanes<P> / 32 * 2 * P];
    for (unsigned i = threadIdx.x; i < patterns.bytes / sizeof(int4); i += blockDim.x)
        table[i] = __ldg(patterns.table + i);
    const auto* const groups = reinterpret_cast<const PatternGroup<Value>*>(table);
    const auto* const extents = reinterpret_cast<const PatternExtent*>(groups + patterns.count * patterns.groups);
    const unsigned panels = step.panels, panel = blockIdx.x % panels, chunk = first_chunk + blockIdx.x / panels;
    const int lane = threadIdx.x % lanes<P>, slot = threadIdx.x / lanes<P>,
              turns = (walk.chunk_rows() + row_slots - 1) / row_slots;
    const RowWalk::Place start = walk.start(chunk);
    const std::int64_t offset = panel * step.panel + lane * per_thread<P>;
    const Element* const from = step.x + offset;
    Element* const to = step.y + offset;

    std::int32_t ahead = -1;
    int number_ahead = 0;
    double diagonal_ahead = 0;
    const auto request = [&](int turn) {
        ahead = turn < turns ? walk.row(start, turn * row_slots + slot) : -1;
        number_ahead = __ldg(patterns.pattern + max(ahead, 0));
        diagonal_ahead = __ldg(patterns.diagonal + max(ahead, 0));
    };
    request(0);
    __syncthreads();
    Sums<P> xx{}, yx{};
    for (int turn = 0; turn < turns; ++turn) {
        const std::int32_t row = ahead;
        const int number = number_ahead;
        const double diagonal = diagonal_ahead;
        request(turn + 1);
        if (row < 0) continue;
        const std::int64_t at = static_cast<std::int64_t>(row) * P;
        const Part<P, Element> here = load<P>(from + at),
                               y_old = step.c != 0 ? load_own<P>(to + at) : Part<P, Element>{};
        const double energy = energies ? __ldg(energies + row) : 0.0;
        const PatternExtent extent = extents[number];
        const PatternGroup<Value>* const own_groups = groups + number * patterns.groups;
        Sums<P> sum{};
        add_group<P>(own_groups[0], extent.own, staged_elements, diagonal, from + at, here, sum);
        for (int g = 1; g < patterns.groups; ++g)
            add_group<P>(own_groups[g], extent.own - g * staged_elements, extent.count - g * staged_elements, diagonal,
                         from + at, here, sum);
        finish_site<P, Value>(step, to + at, step.a, fma(step.a, energy, step.b), sum, here, y_old, xx, yx);
    }
    const std::int64_t vectors = step.panels * P;
    __syncwarp();
    add_up<P>(shared, xx, yx, step.sums + chunk * 2 * vectors + panel * P, vectors);
}

}  // namespace engine_parts
}  // namespace legato::kpm
