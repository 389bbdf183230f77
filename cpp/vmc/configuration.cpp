#include "vmc/configuration.hpp"

#include <numeric>
#include <utility>

#include "vmc/streams.hpp"

namespace legato::vmc {

Configuration make_configuration(const Model& model, std::span<const std::int32_t> up,
                                 std::span<const std::int32_t> down) {
    Configuration c{{up.begin(), up.end()}, {down.begin(), down.end()}, {}};
    c.electron_at.assign(model.geometry.sites(), 0);
    for (std::size_t i = 0; i < model.pairs(); ++i) {
        c.electron_at[static_cast<std::size_t>(up[i])] = static_cast<std::int32_t>(i) + 1;
        c.electron_at[static_cast<std::size_t>(down[i])] = -static_cast<std::int32_t>(i) - 1;
    }
    for (std::size_t site = model.pair.sites; site < model.pair.order(); ++site) {
        c.up.push_back(static_cast<std::int32_t>(site));
        c.down.push_back(static_cast<std::int32_t>(site));
    }
    return c;
}

Configuration random_configuration(const Model& model, std::uint32_t chain, std::uint32_t attempt) {
    std::vector<std::int32_t> sites(model.geometry.sites());
    std::iota(sites.begin(), sites.end(), 0);
    for (std::size_t i = 0; i < 2 * model.pairs(); ++i) {
        const std::uint64_t position = static_cast<std::uint64_t>(attempt) << 32 | i;
        const auto words = random::philox_words(static_cast<std::uint64_t>(model.problem.seed),
                                                stream_of_run(start_stream, model.problem.run), position, chain);
        std::swap(sites[i], sites[i + below(static_cast<std::uint32_t>(sites.size() - i), words[0])]);
    }
    const std::span<const std::int32_t> all(sites);
    return make_configuration(model, all.first(model.pairs()), all.subspan(model.pairs(), model.pairs()));
}

}  // namespace legato::vmc
