#include "core/parcels.hpp"

#include <algorithm>

namespace legato {

// Returns the slabs of a rank.
WorkParts::Range ParcelService::slabs_of(std::size_t rank) const {
    const WorkParts::Range parts = parts_.range_of_rank(parts_.count(), rank);
    return {std::min(parts.first, slabs_), std::min(parts.end, slabs_)};
}

void ParcelService::reserve(std::span<const std::span<const Parcel>> here) {
    std::size_t sent = 0, received = 0;
    for (const auto parcels : here)
        for (const Parcel& parcel : parcels) {
            sent += parcel.sent.size();
            received += parcel.received.size();
        }
    sent_.resize(std::max(sent_.size(), sent));
    received_.resize(std::max(received_.size(), received));
}

void ParcelService::pass(std::span<const std::span<const Parcel>> here) {
    const auto ranks = static_cast<std::size_t>(context_.ranks()), rank = static_cast<std::size_t>(context_.rank());
    for (std::size_t i = 0; i < here.size(); ++i)
        for (std::size_t j = 0; j < here.size(); ++j) {
            const std::span<const std::byte> sent = here[i][first_here() + j].sent;
            std::copy(sent.begin(), sent.end(), here[j][first_here() + i].received.begin());
        }
    for (std::size_t distance = 1; distance < ranks; ++distance)
        pass_between(here, (rank + distance) % ranks, (rank + ranks - distance) % ranks);
}

// Sends all parcels for the slabs of rank `to`, and receives those of rank `from`, in the order of the sending slabs
// and then of the receiving ones.
void ParcelService::pass_between(std::span<const std::span<const Parcel>> here, std::size_t to, std::size_t from) {
    const WorkParts::Range theirs = slabs_of(to), senders = slabs_of(from);
    std::size_t sent = 0, received = 0, at = 0;
    for (const auto parcels : here)
        for (std::size_t slab = theirs.first; slab < theirs.end; ++slab) {
            std::copy(parcels[slab].sent.begin(), parcels[slab].sent.end(),
                      sent_.begin() + static_cast<std::ptrdiff_t>(sent));
            sent += parcels[slab].sent.size();
        }
    for (const auto parcels : here)
        for (std::size_t slab = senders.first; slab < senders.end; ++slab) received += parcels[slab].received.size();
    if (sent == 0 && received == 0) return;
    context_.communicator()->exchange(sent > 0 ? static_cast<int>(to) : -1, std::span(sent_).first(sent),
                                      received > 0 ? static_cast<int>(from) : -1, std::span(received_).first(received));
    for (std::size_t slab = senders.first; slab < senders.end; ++slab)
        for (const auto parcels : here) {
            const std::span<std::byte> to_halo = parcels[slab].received;
            std::copy_n(received_.begin() + static_cast<std::ptrdiff_t>(at), to_halo.size(), to_halo.begin());
            at += to_halo.size();
        }
}

}  // namespace legato
