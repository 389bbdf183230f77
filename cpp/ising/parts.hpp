// The division of lattices with demons, which share the 32 bits of a word. It is the same on host and device. With more
// than 16 replicas a bit is a lattice. With fewer, each lattice is divided along its axes into equal parts. Their
// number is a power of two, and their extents are even. The bits of a word are the same site of all parts of all its
// lattices: bit (system << shift[3]) + part, where
//     part = part_x + (part_y << shift[1]) + (part_z << shift[2]).
// The last axis is divided first, so that rows stay long.
#pragma once

#include <array>
#include <cstdint>

#include "core/host_device.hpp"
#include "ising/lattice.hpp"

namespace legato::ising {

// An operation that moves every bit to its neighbouring part across a face, with the boundary's sign.
struct PartShift {
    std::uint32_t right = 0, left = 0, from_left = 0;  // shifts; `from_left`: bits that the left shift gives
    std::uint32_t flip = 0;                            // bits that are beyond an antiperiodic boundary

    LEGATO_HOST_DEVICE std::uint32_t rotated(std::uint32_t word) const {
        return (word >> right & ~from_left) | (word << left & from_left);
    }
    LEGATO_HOST_DEVICE std::uint32_t operator()(std::uint32_t word) const { return rotated(word) ^ flip; }
};

using Division = std::array<std::int64_t, 3>;  // number of parts along each axis

struct Parts {
    Packing packing;                 // packing of a part
    std::uint32_t shift[4] = {};     // log2 of the number of parts along all previous axes; [3]: of all parts
    std::uint32_t repeated[3] = {};  // bits of the parts that are first along the axis and all previous axes
    PartShift next[3], previous[3];  // shifts across the faces along each axis

    LEGATO_HOST_DEVICE std::uint32_t count() const { return 1u << shift[3]; }
    LEGATO_HOST_DEVICE std::uint32_t along(int axis) const { return 1u << (shift[axis + 1] - shift[axis]); }
    LEGATO_HOST_DEVICE std::uint32_t systems() const { return 32 >> shift[3]; }                   // systems in a word
    LEGATO_HOST_DEVICE std::uint32_t sites() const { return 2 * packing.rows() * packing.bits; }  // sites of a part

    // Returns the first bits of all systems.
    LEGATO_HOST_DEVICE std::uint32_t first_bits() const { return ~0u / bits_of(1); }
    // Returns the bits of the first systems of a word.
    LEGATO_HOST_DEVICE std::uint32_t bits_of(std::uint32_t number_of_systems) const {
        return ~0u >> (32 - (number_of_systems << shift[3]));
    }
    LEGATO_HOST_DEVICE std::uint32_t bits_of_system(std::uint32_t system) const {
        return bits_of(1) << (system << shift[3]);
    }

    // Returns the word of site number `site` of a system, among those of all sites or of a colour. bit() returns its
    // bit.
    LEGATO_HOST_DEVICE std::uint32_t place(std::uint32_t site) const { return site >> shift[3]; }
    LEGATO_HOST_DEVICE std::uint32_t bit(std::uint32_t system, std::uint32_t site) const {
        return 1u << ((system << shift[3]) + (site & (count() - 1)));
    }

    // Returns the shift that moves every bit of a system on by 0 .. count() - 1 parts, from the last part to the first.
    LEGATO_HOST_DEVICE PartShift rotation(std::uint32_t parts) const {
        const std::uint32_t first = parts == 0 ? 0 : (~0u >> (32 - parts)) * first_bits();
        return {(count() - parts) & 31, parts, ~first, 0};
    }
    // Returns the shift across 1 .. along(axis) faces along an axis.
    LEGATO_HOST_DEVICE PartShift shift_across(int axis, std::uint32_t faces) const {
        const std::uint32_t stride = 1u << shift[axis], group = 1u << shift[axis + 1];
        const std::uint32_t beyond = ~before(axis, along(axis) - faces);
        return {stride * faces & 31, group - stride * faces, beyond, flips(axis) ? beyond : 0};
    }
    // Returns the bits of the parts whose number along an axis is below `number`, at most along(axis).
    LEGATO_HOST_DEVICE std::uint32_t before(int axis, std::uint32_t number) const {
        const std::uint32_t bits = number << shift[axis];
        return bits == 0 ? 0 : (~0u >> (32 - bits)) * repeated[axis];
    }

  private:
    LEGATO_HOST_DEVICE bool flips(int axis) const {
        return axis == 0 ? packing.flip_x : axis == 1 ? packing.flip_y : packing.flip_z;
    }
};

// Returns the division into as many parts as fit into words with this number of replicas.
Division division_of(const Lattice& lattice, int replicas);
// Returns whether this number of replicas of the lattice can have this division.
bool can_divide(const Lattice& lattice, int replicas, const Division& division);
Parts parts_of(const Lattice& lattice, const Division& division);

}  // namespace legato::ising
