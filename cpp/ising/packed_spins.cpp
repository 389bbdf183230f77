#include "ising/packed_spins.hpp"

#include "core/error.hpp"
#include "core/state_header.hpp"

namespace legato::ising {
namespace {

struct Bit {
    std::size_t word;
    std::uint32_t number;
};

struct Site {
    std::uint32_t x, y, z;
};

// Returns the bit of a site in a lattice's words.
Bit bit_of_rows(const Packing& p, Site at) {
    const std::size_t colour = (at.x + at.y + at.z) % 2, row = at.y + std::size_t{p.rows_y} * at.z;
    const std::uint32_t j = at.x / 2;
    return {colour * p.words() + row * p.width + j / 32, j % 32};
}

// Returns the bit of a site in the words of all systems' parts.
Bit bit_of_parts(const Parts& parts, std::uint32_t system, Site at) {
    const Packing& p = parts.packing;
    const std::uint32_t length = 2 * p.bits;
    const std::uint32_t part =
        at.x / length + (at.y / p.rows_y << parts.shift[1]) + (at.z / p.rows_z << parts.shift[2]);
    const Site inside{at.x % length, at.y % p.rows_y, at.z % p.rows_z};
    const std::size_t colour = (inside.x + inside.y + inside.z) % 2, row = inside.y + std::size_t{p.rows_y} * inside.z;
    return {colour * (parts.sites() / 2) + row * p.bits + inside.x / 2, (system << parts.shift[3]) + part};
}

// Calls use(site, bit) with each site's bit in the state, in the order of the sites.
template <class Use>
void for_each_bit(const Model& model, std::size_t system, Use&& use) {
    const Packing& p = model.packing;
    const auto replicas = static_cast<std::size_t>(model.problem.replicas), replica = system % replicas;
    const bool demons = has_demons(model.problem.algorithm);
    const std::size_t block = system / replicas * model.blocks_per_seed() + replica / model.systems_per_block();
    const auto inside = static_cast<std::uint32_t>(replica % model.systems_per_block());
    std::size_t site = 0;
    for (std::uint32_t z = 0; z < p.rows_z; ++z)
        for (std::uint32_t y = 0; y < p.rows_y; ++y)
            for (std::uint32_t x = 0; x < 2 * p.bits; ++x, ++site) {
                Bit bit = demons ? bit_of_parts(model.parts, inside, {x, y, z}) : bit_of_rows(p, {x, y, z});
                bit.word += block * model.block_words();
                use(site, bit);
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
        fail(Status::invalid_argument, "ising.spins: ", spins.size(), " spins are not ", model.sites(),
             ", one for each site");
    for (std::size_t site = 0; site < spins.size(); ++site)
        if (spins[site] != 1 && spins[site] != -1)
            fail(Status::invalid_argument, "ising.spins[", site, "]: ", int{spins[site]}, " is not 1 or -1");
    for_each_bit(model, system, [&](std::size_t site, Bit bit) {
        const std::uint32_t mask = 1u << bit.number;
        words[bit.word] = spins[site] > 0 ? words[bit.word] | mask : words[bit.word] & ~mask;
    });
}

void require_packed(std::string_view label, const Model& model, std::size_t first,
                    std::span<const std::uint32_t> words) {
    const Packing& p = model.packing;
    if (has_demons(model.problem.algorithm) || p.last_bits == 32) return;
    for (std::size_t i = p.width - 1 - first % p.width; i < words.size(); i += p.width)
        if ((words[i] & ~p.last_mask()) != 0)
            state_format::bad_file(label, "entry systems/words: word ", first + i,
                                   " has spins beyond the end of its row");
}

}  // namespace legato::ising
