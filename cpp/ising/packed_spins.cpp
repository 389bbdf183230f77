#include "ising/packed_spins.hpp"

#include "core/error.hpp"

namespace legato::ising {
namespace {

struct Bit {
    std::size_t word;
    std::uint32_t number;
};

// Where the state has each site's bit, in the sites' order: use(site, bit).
template <class Use>
void for_each_bit(const Model& model, std::size_t system, Use&& use) {
    const Packing& p = model.packing;
    const auto replicas = static_cast<std::size_t>(model.problem.replicas), replica = system % replicas;
    const bool demons = has_demons(model.problem.algorithm);
    const std::size_t block = system / replicas * model.blocks_per_seed() + (demons ? replica / 32 : replica);
    const std::size_t begin = block * model.block_words(), half = static_cast<std::size_t>(model.sites() / 2);
    std::size_t site = 0;
    for (std::uint32_t row = 0; row < p.rows(); ++row) {
        const std::uint32_t parity = row / p.rows_y + row % p.rows_y;
        for (std::uint32_t x = 0; x < 2 * p.bits; ++x, ++site) {
            const std::size_t colour = (x + parity) % 2, j = x / 2;
            if (demons)
                use(site, Bit{begin + colour * half + std::size_t{row} * p.bits + j,
                              static_cast<std::uint32_t>(replica % 32)});
            else
                use(site, Bit{begin + colour * p.words() + std::size_t{row} * p.width + j / 32,
                              static_cast<std::uint32_t>(j % 32)});
        }
    }
}

}  // namespace

void unpack_spins(const Model& model, std::span<const std::uint32_t> words, std::size_t system,
                  std::span<std::int8_t> spins) {
    for_each_bit(model, system, [&](std::size_t site, Bit bit) {
        spins[site] = static_cast<std::int8_t>((words[bit.word] >> bit.number & 1) != 0 ? 1 : -1);
    });
}

std::vector<std::int8_t> unpacked_spins(const Model& model, std::span<const std::uint32_t> words, std::size_t system) {
    std::vector<std::int8_t> spins(static_cast<std::size_t>(model.sites()));
    unpack_spins(model, words, system, spins);
    return spins;
}

void pack_spins(const Model& model, std::span<const std::int8_t> spins, std::span<std::uint32_t> words,
                std::size_t system) {
    if (spins.size() != static_cast<std::size_t>(model.sites()))
        fail(Status::invalid_argument, "ising.spins: ", spins.size(), " spins are not ", model.sites(), " sites");
    for (std::size_t site = 0; site < spins.size(); ++site)
        if (spins[site] != 1 && spins[site] != -1)
            fail(Status::invalid_argument, "ising.spins[", site, "]: ", int{spins[site]}, " is not 1 or -1");
    for_each_bit(model, system, [&](std::size_t site, Bit bit) {
        const std::uint32_t mask = 1u << bit.number;
        words[bit.word] = spins[site] > 0 ? words[bit.word] | mask : words[bit.word] & ~mask;
    });
}

}  // namespace legato::ising
