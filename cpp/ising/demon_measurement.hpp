// Bit counts of a measurement of a block with demons, for all its systems at once, and their meaning.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ising/demon_step.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// The measured value (problem.hpp) that follows from a bit count. The counts are those of spins that are up; of bonds,
// or pairs at a distance, whose spins are unequal, with the boundaries' signs; and of demons that have a level.
struct CountMeaning {
    std::int64_t base, factor;  // value = base + factor count
};
std::vector<CountMeaning> count_meanings(const Model& model);

// Turns a block's counts, [values][32], into measured values, [systems][values] from first_system on. The counts of a
// system's bits are added up. Planes are counted for each part: entry p holds plane p of every part, in the part's bit.
void put_counts(const Model& model, const std::vector<CountMeaning>& meanings, std::size_t block,
                std::span<const unsigned long long> counts, std::span<std::int64_t> measured,
                std::size_t first_system = 0);

// The position of site `index` of a colour of a part.
struct DemonSite {
    std::uint32_t row, column;
};
LEGATO_HOST_DEVICE inline DemonSite demon_site(const Packing& p, std::uint32_t index) {
    const std::uint32_t row = index / p.bits;
    return {row, index - row * p.bits};
}

// Returns the spin at distance r along an axis, r <= half the lattice's extent, with the boundary's sign. `spins`:
// those of both colours.
LEGATO_HOST_DEVICE inline std::uint32_t spin_at_distance(const Parts& parts, const std::uint32_t* spins,
                                                         std::uint32_t colour, DemonSite at, int axis,
                                                         std::uint32_t r) {
    const Packing& p = parts.packing;
    const std::uint32_t* const target = spins + static_cast<std::size_t>((colour + r) & 1) * p.rows() * p.bits;
    std::uint32_t z = at.row / p.rows_y, y = at.row - z * p.rows_y, column = at.column, faces = 0;
    const auto cross = [&](std::uint32_t& place, std::uint32_t extent) {
        faces = place / extent;
        place -= faces * extent;
    };
    if (axis == 0) {
        const std::uint32_t odd = is_odd(colour, y, z) ? 1 : 0;
        column += (odd + r) / 2;  // the remainder of odd + r is the parity there
        cross(column, p.bits);
    } else if (axis == 1) {
        y += r;
        cross(y, p.rows_y);
    } else {
        z += r;
        cross(z, p.rows_z);
    }
    const std::uint32_t there = target[static_cast<std::size_t>(z * p.rows_y + y) * p.bits + column];
    return faces > 0 ? parts.shift_across(axis, faces)(there) : there;
}

}  // namespace legato::ising
