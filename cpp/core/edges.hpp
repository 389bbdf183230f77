// The edges of slabs. A problem that is too large for one part is divided into slabs, which follow each other along one
// direction. Each part computes one slab and keeps a copy of the edges of the slabs beside it.
#pragma once

#include <cstddef>
#include <span>

#include "core/work_parts.hpp"

namespace legato {

// The edges of one slab. All edges have the same length.
struct Edges {
    std::span<const std::byte> lowest, highest;  // of this slab; the slabs beside it need them
    std::span<std::byte> below, above;           // copies of the highest edge of the slab before, and of the lowest
                                                 // edge of the slab after
};

// Copies the edges between the slabs 0 .. slabs - 1, of the parts with these numbers. `here` are the slabs of this
// rank, at most one for each of its parts. If the slabs are `periodic`, the last one lies before the first one;
// otherwise `below` of the first one and `above` of the last one are unchanged.
//
// All ranks call it in a collective call, but it is no meeting. Between the meeting before and this call nothing may
// fail on one rank only, because the others would wait for it.
void pass_edges(const Context& context, const WorkParts& parts, std::span<const Edges> here, std::size_t slabs,
                bool periodic);

}  // namespace legato
