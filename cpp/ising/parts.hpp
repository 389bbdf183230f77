// How lattices with demons share the 32 bits of a word. With more than 16 replicas a bit is a lattice. With fewer, each
// lattice is divided along its axes into equal parts, a power of two of them and each of even extents, and the bits of
// a word are the same place of all parts of all its lattices: bit (system << shift[3]) + part, where
//     part = part_x + (part_y << shift[1]) + (part_z << shift[2]).
// The last axis is divided first, so that rows stay long. The same on host and device.
#pragma once

#include <array>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/lattice.hpp"

namespace legato::ising {

// Moves every bit to its neighbouring part across a face, with the boundary's sign.
struct Turn {
    std::uint32_t right = 0, left = 0, from_left = 0;  // shifts; the bits that the second one gives
    std::uint32_t flip = 0;                            // the bits that are beyond an antiperiodic boundary

    LEGATO_HOST_DEVICE std::uint32_t rotated(std::uint32_t word) const {
        return (word >> right & ~from_left) | (word << left & from_left);
    }
    LEGATO_HOST_DEVICE std::uint32_t operator()(std::uint32_t word) const { return rotated(word) ^ flip; }
};

using Division = std::array<std::int64_t, 3>;  // parts along each axis

struct Parts {
    Packing packing;                 // of a part
    std::uint32_t shift[4] = {};     // log2 of the number of parts along all axes before; [3]: of all parts
    std::uint32_t repeated[3] = {};  // bits of the parts that are first along the axis and all axes before
    Turn next[3], previous[3];       // across the faces along each axis

    LEGATO_HOST_DEVICE std::uint32_t count() const { return 1u << shift[3]; }
    LEGATO_HOST_DEVICE std::uint32_t along(int axis) const { return 1u << (shift[axis + 1] - shift[axis]); }
    LEGATO_HOST_DEVICE std::uint32_t systems() const { return 32 >> shift[3]; }                   // in a word
    LEGATO_HOST_DEVICE std::uint32_t sites() const { return 2 * packing.rows() * packing.bits; }  // of a part

    // The first bits of all systems.
    LEGATO_HOST_DEVICE std::uint32_t first_bits() const { return ~0u / bits_of(1); }
    // The bits of the first systems of a word.
    LEGATO_HOST_DEVICE std::uint32_t bits_of(std::uint32_t number_of_systems) const {
        return ~0u >> (32 - (number_of_systems << shift[3]));
    }
    LEGATO_HOST_DEVICE std::uint32_t bits_of_system(std::uint32_t system) const {
        return bits_of(1) << (system << shift[3]);
    }

    // Site number `site` of a system: its word among those of all sites, or of a colour, and its bit.
    LEGATO_HOST_DEVICE std::uint32_t place(std::uint32_t site) const { return site >> shift[3]; }
    LEGATO_HOST_DEVICE std::uint32_t bit(std::uint32_t system, std::uint32_t site) const {
        return 1u << ((system << shift[3]) + (site & (count() - 1)));
    }

    // Moves every bit of a system on by so many of its parts, 0 .. count() - 1, the last ones to the first.
    LEGATO_HOST_DEVICE Turn rotation(std::uint32_t parts) const {
        const std::uint32_t first = parts == 0 ? 0 : (~0u >> (32 - parts)) * first_bits();
        return {(count() - parts) & 31, parts, ~first, 0};
    }
    // Across so many faces along an axis, 1 .. along(axis).
    LEGATO_HOST_DEVICE Turn turn(int axis, std::uint32_t faces) const {
        const std::uint32_t stride = 1u << shift[axis], group = 1u << shift[axis + 1];
        const std::uint32_t beyond = ~before(axis, along(axis) - faces);
        return {stride * faces & 31, group - stride * faces, beyond, flips(axis) ? beyond : 0};
    }
    // Bits of the parts that have numbers below this one along an axis, at most along(axis).
    LEGATO_HOST_DEVICE std::uint32_t before(int axis, std::uint32_t number) const {
        const std::uint32_t bits = number << shift[axis];
        return bits == 0 ? 0 : (~0u >> (32 - bits)) * repeated[axis];
    }

  private:
    LEGATO_HOST_DEVICE bool flips(int axis) const {
        return axis == 0 ? packing.flip_x : axis == 1 ? packing.flip_y : packing.flip_z;
    }
};

// As many parts as there is room for in words of so many replicas.
Division division_of(const Lattice& lattice, int replicas);
// Whether so many replicas of the lattice can be divided so.
bool can_divide(const Lattice& lattice, int replicas, const Division& division);
Parts parts_of(const Lattice& lattice, const Division& division);

}  // namespace legato::ising
