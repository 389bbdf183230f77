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
            const Parcel &from = here[i][first_here() + j], &to = here[j][first_here() + i];
            if (from.sent.empty()) continue;
            if (from.device)
                from.device->copy(from.sent, *to.device, to.received);
            else
                std::copy(from.sent.begin(), from.sent.end(), to.received.begin());
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
            const Parcel& parcel = parcels[slab];
            const auto to_rank = std::span(sent_).subspan(sent, parcel.sent.size());
            sent += parcel.sent.size();
            if (parcel.device && !parcel.sent.empty())
                parcel.device->download(parcel.sent, to_rank);
            else
                std::copy(parcel.sent.begin(), parcel.sent.end(), to_rank.begin());
        }
    for (const auto parcels : here)
        for (std::size_t slab = senders.first; slab < senders.end; ++slab) received += parcels[slab].received.size();
    if (sent == 0 && received == 0) return;
    context_.communicator()->exchange(sent > 0 ? static_cast<int>(to) : -1, std::span(sent_).first(sent),
                                      received > 0 ? static_cast<int>(from) : -1, std::span(received_).first(received));
    for (std::size_t slab = senders.first; slab < senders.end; ++slab)
        for (const auto parcels : here) {
            const Parcel& parcel = parcels[slab];
            const auto from_rank = std::span(received_).subspan(at, parcel.received.size());
            at += parcel.received.size();
            if (parcel.device && !parcel.received.empty())
                parcel.device->upload(from_rank, parcel.received);
            else
                std::copy(from_rank.begin(), from_rank.end(), parcel.received.begin());
        }
}

}  // namespace legato
