// What the slabs of a problem pass to each other if they need elements of any other slab, and not only its edges.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/edges.hpp"
#include "core/work_parts.hpp"

namespace legato {

// What a slab sends to another one and receives from it. Both may be empty.
struct Parcel {
    std::span<const std::byte> sent;
    std::span<std::byte> received;
    DeviceEdges* device = nullptr;  // null: they are in host memory
};

// Passes the parcels between the slabs 0 .. slabs - 1, of the parts with these numbers.
class ParcelService {
  public:
    ParcelService(const Context& context, const WorkParts& parts, std::size_t slabs)
        : context_(context), parts_(parts), slabs_(slabs) {}

    // Allocates memory for parcels between ranks that are at most as long as these.
    void reserve(std::span<const std::span<const Parcel>> here);

    // here[i] are the parcels of slab i of this rank, [slabs]; that of the slab itself is empty. All ranks call it in a
    // collective call, but it is no meeting. Does neither throw nor allocate, unless the communicator fails. Between
    // the meeting before and this call nothing may fail on one rank only, because the others would wait for it.
    void pass(std::span<const std::span<const Parcel>> here);

  private:
    std::size_t first_here() const { return parts_.first_here(); }
    WorkParts::Range slabs_of(std::size_t rank) const;
    void pass_between(std::span<const std::span<const Parcel>> here, std::size_t to, std::size_t from);

    const Context& context_;
    const WorkParts& parts_;
    std::size_t slabs_;
    std::vector<std::byte> sent_, received_;  // the parcels of two ranks, one after the other
};

}  // namespace legato
