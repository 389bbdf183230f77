#include "core/edges.hpp"

#include <algorithm>

namespace legato {
namespace {

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
    std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

void pass_edges(const Context& context, const WorkParts& parts, std::span<const Edges> here, std::size_t slabs,
                bool periodic) {
    for (std::size_t i = 0; i + 1 < here.size(); ++i) {
        copy(here[i].highest, here[i + 1].below);
        copy(here[i + 1].lowest, here[i].above);
    }
    if (here.empty()) return;
    const std::size_t first = parts.first_here(), end = first + here.size();
    const bool has_below = first > 0 || periodic, has_above = end < slabs || periodic;
    if (here.size() == slabs) {
        if (!periodic) return;
        copy(here.back().highest, here.front().below);
        copy(here.front().lowest, here.back().above);
        return;
    }
    const int below = has_below ? static_cast<int>(parts.rank_of_part((first + slabs - 1) % slabs)) : -1,
              above = has_above ? static_cast<int>(parts.rank_of_part(end % slabs)) : -1;
    Communicator& communicator = *context.communicator();
    // Upwards, and then downwards.
    communicator.exchange(above, here.back().highest, below, here.front().below);
    communicator.exchange(below, here.front().lowest, above, here.back().above);
}

}  // namespace legato
