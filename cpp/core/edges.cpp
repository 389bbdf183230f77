#include "core/edges.hpp"

#include <algorithm>

namespace legato {
namespace {

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
    std::copy(from.begin(), from.end(), to.begin());
}

// Copies the edges between two slabs of this rank.
void copy_between(const Edges& below, const Edges& above) {
    if (below.device) {
        below.device->copy(below.highest, *above.device, above.below);
        above.device->copy(above.lowest, *below.device, below.above);
    } else {
        copy(below.highest, above.below);
        copy(above.lowest, below.above);
    }
}

std::span<const std::byte> on_host(const Edges& edges, Side side) {
    const std::span<const std::byte> edge = side == Side::below ? edges.lowest : edges.highest;
    return edges.device ? edges.device->fetch(side, edge) : edge;
}

// Sends the edge at a side of slab `from` to rank `to`, and receives the halo at the other side of slab `at` from rank
// `sender`. -1 stands for no rank.
void exchange(Communicator& communicator, Side side, int to, const Edges& from, int sender, const Edges& at) {
    const Side other = side == Side::below ? Side::above : Side::below;
    const std::span<std::byte> halo = other == Side::below ? at.below : at.above;
    const std::span<const std::byte> sent = to < 0 ? std::span<const std::byte>() : on_host(from, side);
    const std::span<std::byte> received = at.device ? at.device->host_halo(other, halo.size()) : halo;
    communicator.exchange(to, sent, sender, received);
    if (at.device && sender >= 0) at.device->put(other, halo);
}

}  // namespace

void pass_edges(const Context& context, const WorkParts& parts, std::span<const Edges> here, std::size_t slabs,
                bool periodic) {
    for (std::size_t i = 0; i + 1 < here.size(); ++i) copy_between(here[i], here[i + 1]);
    if (here.empty()) return;
    const std::size_t first = parts.first_here(), end = first + here.size();
    const bool has_below = first > 0 || periodic, has_above = end < slabs || periodic;
    if (here.size() == slabs) {
        if (periodic) copy_between(here.back(), here.front());
        return;
    }
    const int below = has_below ? static_cast<int>(parts.rank_of_part((first + slabs - 1) % slabs)) : -1,
              above = has_above ? static_cast<int>(parts.rank_of_part(end % slabs)) : -1;
    exchange(*context.communicator(), Side::above, above, here.back(), below, here.front());
    exchange(*context.communicator(), Side::below, below, here.front(), above, here.back());
}

}  // namespace legato
