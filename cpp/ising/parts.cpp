#include "ising/parts.hpp"

#include <algorithm>
#include <bit>

namespace legato::ising {
namespace {

// Returns the largest power of two of parts for which all replicas fit into 32 bits.
std::int64_t most_parts(int replicas) {
    return replicas > 16 ? 1 : 32 / static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(replicas)));
}

}  // namespace

Division division_of(const Lattice& lattice, int replicas) {
    Division division{1, 1, 1};
    std::int64_t left = most_parts(replicas);
    for (auto axis = static_cast<std::size_t>(lattice.dimension); axis-- > 0;) {
        const std::int64_t half = lattice.extents[axis] / 2, powers_of_two = half & -half;
        division[axis] = std::min(left, powers_of_two);
        left /= division[axis];
    }
    return division;
}

bool can_divide(const Lattice& lattice, int replicas, const Division& division) {
    std::int64_t parts = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t along = division[axis];
        if (along < 1 || along > 32 || !std::has_single_bit(static_cast<std::uint64_t>(along))) return false;
        if (along > 1 && (lattice.extents[axis] == 1 || lattice.extents[axis] / 2 % along != 0)) return false;
        parts *= along;
    }
    return parts <= most_parts(replicas);
}

Parts parts_of(const Lattice& lattice, const Division& division) {
    Parts parts;
    Lattice part = lattice;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        part.extents[axis] /= division[axis];
        const auto log = static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(division[axis])));
        parts.shift[axis + 1] = parts.shift[axis] + log;
    }
    parts.packing = packing_of(part);
    for (int axis = 0; axis < 3; ++axis) {
        parts.repeated[axis] = ~0u / (~0u >> (32 - (1u << parts.shift[axis + 1])));
        parts.next[axis] = parts.shift_across(axis, 1);
        // One step back equals along - 1 steps forward. Only the first part crosses the boundary.
        const std::uint32_t first = parts.before(axis, 1), along = parts.along(axis);
        PartShift& previous = parts.previous[axis];
        previous = along > 1 ? parts.shift_across(axis, along - 1) : parts.next[axis];
        previous.flip = parts.next[axis].flip != 0 ? first : 0;
    }
    return parts;
}

}  // namespace legato::ising
