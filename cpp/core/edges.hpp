// The edges of slabs. A problem that is too large for one part is divided into slabs, which follow each other along one
// direction. Each part computes one slab and keeps a copy of the edges of the slabs beside it.
#pragma once

#include <cstddef>
#include <exception>
#include <span>

#include "core/work_parts.hpp"

namespace legato {

enum class Side { below, above };

// Copies edges in the memory of the device that has a slab. The device waits for the kernels that compute the edges,
// and its kernels that read the halos wait for the copies. No function throws or allocates. A failure of the device is
// kept until the slab reports it.
class DeviceEdges {
  public:
    virtual ~DeviceEdges() = default;

    // Starts to copy an edge of this slab to a halo of the slab of `to`, which belongs to the same process.
    virtual void copy(std::span<const std::byte> edge, DeviceEdges& to, std::span<std::byte> halo) noexcept = 0;

    // These functions are for the slabs of other ranks. fetch() waits for the edge at a side and returns a copy of it
    // in host memory. host_halo() returns host memory for the halo at a side, and put() starts to copy it to `halo`.
    virtual std::span<const std::byte> fetch(Side side, std::span<const std::byte> edge) noexcept = 0;
    virtual std::span<std::byte> host_halo(Side side, std::size_t bytes) noexcept = 0;
    virtual void put(Side side, std::span<std::byte> halo) noexcept = 0;

    // The same for parcels (parcels.hpp): these functions copy to and from host memory, and wait for the copy.
    virtual void download(std::span<const std::byte> from, std::span<std::byte> to) noexcept = 0;
    virtual void upload(std::span<const std::byte> from, std::span<std::byte> halo) noexcept = 0;
};

// The edges of one slab. All edges have the same length.
struct Edges {
    std::span<const std::byte> lowest, highest;  // of this slab; the slabs beside it need them
    std::span<std::byte> below, above;           // copies of the highest edge of the slab before, and of the lowest
                                                 // edge of the slab after
    DeviceEdges* device = nullptr;               // null: the edges are in host memory
};

// Copies the edges between the slabs 0 .. slabs - 1, of the parts with these numbers. `here` are the slabs of this
// rank, at most one for each of its parts. If the slabs are `periodic`, the last one lies before the first one;
// otherwise `below` of the first one and `above` of the last one are unchanged.
//
// All ranks call it in a collective call, but it is no meeting. Between the meeting before and this call nothing may
// fail on one rank only, because the others would wait for it.
void pass_edges(const Context& context, const WorkParts& parts, std::span<const Edges> here, std::size_t slabs,
                bool periodic);

// What surrounds a slab.
struct SlabPlace {
    std::span<const int> devices = {};  // of this process, with a slab each
    bool beside_other_ranks = false;    // edges are passed to other ranks
};

// Calls finish() of all slabs. Rethrows the first error when all have finished, because a slab may copy to the memory
// of another one until then.
template <class Slabs>
void finish_all(const Slabs& slabs) {
    std::exception_ptr first;
    for (const auto& slab : slabs) {
        try {
            slab->finish();
        } catch (...) {
            if (!first) first = std::current_exception();
        }
    }
    if (first) std::rethrow_exception(first);
}

}  // namespace legato
