// One system with demons, slow and plain: spins +1 and -1 at their coordinates, demons with their energies. Nothing
// here is the library's but the problem.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ising/problem.hpp"

namespace legato::ising::tests {

struct PlainDemons {
    using Site = std::array<std::int64_t, 3>;

    Lattice lattice;
    std::vector<Site> order;           // of a sweep: even sites, odd sites
    std::vector<int> spins;            // x + L1 (y + L2 z)
    std::vector<std::int64_t> demons;  // energies

    explicit PlainDemons(const Lattice& l) : lattice(l), spins(static_cast<std::size_t>(sites_of(l))) {
        demons.resize(spins.size());
        for (std::int64_t colour = 0; colour < 2; ++colour)
            for (std::int64_t z = 0; z < l.extents[2]; ++z)
                for (std::int64_t y = 0; y < l.extents[1]; ++y)
                    for (std::int64_t x = 0; x < l.extents[0]; ++x)
                        if ((x + y + z) % 2 == colour) order.push_back({x, y, z});
    }

    // From, or into, a block's words (engine.hpp).
    void take(std::span<const std::uint32_t> words, unsigned system) {
        const auto bit = [&](std::size_t i) { return static_cast<int>(words[i] >> system & 1); };
        for (std::size_t i = 0; i < order.size(); ++i) {
            spin(order[i]) = 2 * bit(i) - 1;
            demons[i] = 0;
            for (std::size_t level = 0; level < 3; ++level)
                demons[i] += (std::int64_t{4} << level) * bit((level + 1) * order.size() + i);
        }
    }
    void put(std::span<std::uint32_t> words, unsigned system) const {
        const auto set = [&](std::size_t i, bool value) {
            words[i] = (words[i] & ~(1u << system)) | static_cast<std::uint32_t>(value) << system;
        };
        for (std::size_t i = 0; i < order.size(); ++i) {
            set(i, spins[number(order[i])] == 1);
            for (std::size_t level = 0; level < 3; ++level)
                set((level + 1) * order.size() + i, (demons[i] / 4 >> level) % 2 == 1);
        }
    }

    // demon_of(i): the demon of the site that is number i of the sweep; two sites rest.
    template <class DemonOf>
    void sweep(const DemonOf& demon_of, std::size_t resting_even, std::size_t resting_odd) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == resting_even || i == order.size() / 2 + resting_odd) continue;
            std::int64_t local = 0;
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimensions); ++axis)
                local += coupled(order[i], axis, 1) + coupled(order[i], axis, -1);
            int& own = spin(order[i]);
            std::int64_t& demon = demons[demon_of(i)];
            const std::int64_t left = demon - 2 * own * local;
            if (left < 0 || left > 28) continue;
            demon = left;
            own = -own;
        }
    }

    // The spin `distance` along an axis from a site, with the boundaries' signs.
    int coupled(Site site, std::size_t axis, std::int64_t distance) const {
        const std::int64_t extent = lattice.extents[axis], place = site[axis] + distance;
        const bool across = place < 0 || place >= extent;
        site[axis] = (place + extent) % extent;
        return spins[number(site)] * (across && lattice.boundary[axis] == Boundary::antiperiodic ? -1 : 1);
    }

    std::vector<std::int64_t> measure(const MeasuredValues& values) const {
        std::vector<std::int64_t> result(values.count);
        for (const Site& site : order) {
            const int own = spins[number(site)];
            result[MeasuredValues::magnetisation] += own;
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimensions); ++axis) {
                result[MeasuredValues::bonds] += own * coupled(site, axis, 1);
                for (std::int64_t r = 1; values.planes < values.count && r <= lattice.extents[axis] / 2; ++r)
                    result[values.correlations[axis] + static_cast<std::size_t>(r) - 1] += own * coupled(site, axis, r);
            }
            if (values.planes < values.count)
                result[values.planes + static_cast<std::size_t>(site[lattice.dimensions == 3 ? 2 : 1])] += own;
        }
        for (const std::int64_t energy : demons)
            for (std::size_t level = 0; level < 3; ++level) result[values.demons + level] += energy / 4 >> level & 1;
        return result;
    }

  private:
    std::size_t number(const Site& s) const {
        return static_cast<std::size_t>(s[0] + lattice.extents[0] * (s[1] + lattice.extents[1] * s[2]));
    }
    int& spin(const Site& s) { return spins[number(s)]; }
};

}  // namespace legato::ising::tests
