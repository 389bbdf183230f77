#include "core/ranks.hpp"

#include "core/launcher.hpp"

namespace legato {

std::vector<std::byte> gather_bytes(const Context& context, std::span<const std::byte> mine) {
    std::vector<std::byte> all(static_cast<std::size_t>(context.ranks()) * mine.size());
    gather_bytes(context, mine, all);
    return all;
}

void gather_bytes(const Context& context, std::span<const std::byte> mine, std::span<std::byte> all) {
    if (const auto& communicator = context.communicator())
        communicator->gather(mine, all);
    else
        std::copy(mine.begin(), mine.end(), all.begin());
}

int ranks_here(const Context& context) {
    return std::min(context.ranks(), launch().local_size);
}

bool on_any_rank(const Context& context, bool mine) {
    const auto flag = static_cast<std::byte>(mine);
    const std::vector<std::byte> all = gather_bytes(context, {&flag, 1});
    return std::any_of(all.begin(), all.end(), [](std::byte other) { return other != std::byte{}; });
}

}  // namespace legato
