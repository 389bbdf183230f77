#include "core/ranks.hpp"

namespace legato {

std::vector<std::byte> gather_bytes(const Context& context, std::span<const std::byte> mine) {
    const auto& communicator = context.communicator();
    if (!communicator) return {mine.begin(), mine.end()};
    std::vector<std::byte> all(static_cast<std::size_t>(communicator->size()) * mine.size());
    communicator->gather(mine, all);
    return all;
}

bool on_any_rank(const Context& context, bool mine) {
    const std::vector<std::uint8_t> all = gather_value(context, static_cast<std::uint8_t>(mine));
    return std::any_of(all.begin(), all.end(), [](std::uint8_t flag) { return flag != 0; });
}

}  // namespace legato
