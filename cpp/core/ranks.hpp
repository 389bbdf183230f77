// What the ranks of a context tell one another. All functions are collective, and do nothing else for a context without
// a communicator. They are called in a collective call (Context::collective).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/context.hpp"

namespace legato {

// Returns [ranks][bytes], the bytes of every rank. The number of bytes is the same on every rank. Memory is allocated
// before the meeting, so that nothing fails on one rank only after it.
std::vector<std::byte> gather_bytes(const Context& context, std::span<const std::byte> mine);
void gather_bytes(const Context& context, std::span<const std::byte> mine, std::span<std::byte> all);

// Returns the value of every rank, [ranks]. Memory is allocated before the meeting.
template <class T>
requires std::is_trivially_copyable_v<T> std::vector<T> gather_value(const Context& context, const T& mine) {
    std::vector<T> all(static_cast<std::size_t>(context.ranks()));
    gather_bytes(context, std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all;
}

// Returns the values of all ranks, those of rank 0 first. Every rank may have another number of values. Memory is
// allocated before the last meeting.
template <class T>
requires std::is_trivially_copyable_v<T> std::vector<T> gather_list(const Context& context, std::span<const T> mine) {
    const std::vector<std::size_t> counts = gather_value(context, mine.size());
    const std::size_t most = *std::max_element(counts.begin(), counts.end());
    std::vector<T> padded(mine.begin(), mine.end());
    padded.resize(most);
    std::vector<T> all(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    const std::vector<std::byte> bytes = gather_bytes(context, std::as_bytes(std::span(padded)));
    auto* to = reinterpret_cast<std::byte*>(all.data());
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        const std::byte* const from = bytes.data() + rank * most * sizeof(T);
        to = std::copy(from, from + counts[rank] * sizeof(T), to);
    }
    return all;
}

// Returns the value of rank 0, for decisions that depend on the time or on the machine.
template <class T>
requires std::is_trivially_copyable_v<T> T of_first_rank(const Context& context, T mine) {
    if (const auto& communicator = context.communicator())
        communicator->broadcast(std::as_writable_bytes(std::span(&mine, 1)));
    return mine;
}

// The same for lists and texts, whose length may differ before.
template <class List>
void take_of_first_rank(const Context& context, List& list) {
    if (!context.communicator()) return;
    list.resize(of_first_rank(context, list.size()));
    context.communicator()->broadcast(std::as_writable_bytes(std::span(list.data(), list.size())));
}

// Returns the number of the context's ranks that share the memory of this machine, as far as the launcher tells it.
int ranks_here(const Context& context);

// Returns true if the flag is set on any rank. Nothing fails on one rank only after this meeting, so that exchanges of
// the communicator may follow.
bool on_any_rank(const Context& context, bool mine);

}  // namespace legato
