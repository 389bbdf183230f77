// Runs one system with demons in a slow and plain way: spins +1 and -1 at their coordinates, demons with their
// energies. The library provides only the problem and the number of parts along each axis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ising/problem.hpp"

namespace legato::ising::tests {

struct PlainDemons {
    using Site = std::array<std::int64_t, 3>;

    Lattice lattice;
    std::vector<Site> order;           // order of a sweep: even sites, odd sites
    std::vector<int> spins;            // index x + L1 (y + L2 z)
    std::vector<std::int64_t> demons;  // energies
    std::array<std::int64_t, 3> along;
    std::size_t parts, sites;  // number of parts; number of sites of a part

    // The position of an element of `order`: its part, and its number among the sites of that part.
    struct Place {
        std::size_t part, number;
    };
    std::vector<Place> places;
    std::vector<std::size_t> at;  // [parts][sites]: index into `order`

    explicit PlainDemons(const Lattice& l, const std::array<std::int64_t, 3>& parts_along = {1, 1, 1})
        : lattice(l),
          order(by_colours(l.extents)),
          spins(order.size()),
          demons(order.size()),
          along(parts_along),
          parts(static_cast<std::size_t>(along[0] * along[1] * along[2])),
          sites(order.size() / parts),
          at(order.size()) {
        const Site length{l.extents[0] / along[0], l.extents[1] / along[1], l.extents[2] / along[2]};
        std::map<Site, std::size_t> inside;
        for (const Site& site : by_colours(length)) inside.emplace(site, inside.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto& [x, y, z] = order[i];
            const auto part = static_cast<std::size_t>(x / length[0] + along[0] * (y / length[1]) +
                                                       along[0] * along[1] * (z / length[2]));
            places.push_back({part, inside.at({x % length[0], y % length[1], z % length[2]})});
            at[part * sites + places.back().number] = i;
        }
    }

    // These read a system from, or write it into, the words of a block (engine.hpp).
    void take(std::span<const std::uint32_t> words, std::size_t system) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto bit = [&](std::size_t plane) {
                return static_cast<int>(words[plane * sites + places[i].number] >> (system * parts + places[i].part) &
                                        1);
            };
            spin(order[i]) = 2 * bit(0) - 1;
            demons[i] = 0;
            for (std::size_t level = 0; level < 3; ++level) demons[i] += (std::int64_t{4} << level) * bit(level + 1);
        }
    }
    void put(std::span<std::uint32_t> words, std::size_t system) const {
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::size_t bit = system * parts + places[i].part;
            const auto set = [&](std::size_t plane, bool value) {
                std::uint32_t& word = words[plane * sites + places[i].number];
                word = (word & ~(1u << bit)) | static_cast<std::uint32_t>(value) << bit;
            };
            set(0, spins[number(order[i])] == 1);
            for (std::size_t level = 0; level < 3; ++level) set(level + 1, (demons[i] / 4 >> level) % 2 == 1);
        }
    }

    // Does one sweep. demon_of(n) is the demon that site n of a part uses, in the same part. After the sweep each demon
    // moves on by `part_shift` parts. Two sites of the system rest, one of each colour.
    template <class DemonOf>
    void sweep(const DemonOf& demon_of, const Place& resting_even, const Place& resting_odd, std::size_t part_shift) {
        const auto is_resting = [](const Place& a, const Place& b) { return a.part == b.part && a.number == b.number; };
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto& [part, place] = places[i];
            if (is_resting(places[i], resting_even) || is_resting(places[i], resting_odd)) continue;
            std::int64_t local = 0;
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis)
                local += coupled(order[i], axis, 1) + coupled(order[i], axis, -1);
            int& own = spin(order[i]);
            std::int64_t& demon = demons[at[part * sites + demon_of(place)]];
            const std::int64_t left = demon - 2 * own * local;
            if (left < 0 || left > 28) continue;
            demon = left;
            own = -own;
        }
        const std::vector<std::int64_t> before = demons;
        for (std::size_t i = 0; i < order.size(); ++i)
            demons[at[(places[i].part + part_shift) % parts * sites + places[i].number]] = before[i];
    }

    // Returns the spin `distance` along an axis from a site, with the boundaries' signs.
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
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis) {
                result[MeasuredValues::bonds] += own * coupled(site, axis, 1);
                for (std::int64_t r = 1; values.planes < values.count && r <= lattice.extents[axis] / 2; ++r)
                    result[values.correlations[axis] + static_cast<std::size_t>(r) - 1] += own * coupled(site, axis, r);
            }
            if (values.planes < values.count)
                result[values.planes + static_cast<std::size_t>(site[lattice.dimension == 3 ? 2 : 1])] += own;
        }
        for (const std::int64_t energy : demons)
            for (std::size_t level = 0; level < 3; ++level) result[values.demons + level] += energy / 4 >> level & 1;
        return result;
    }

  private:
    static std::vector<Site> by_colours(const Site& extents) {
        std::vector<Site> sites;
        for (std::int64_t colour = 0; colour < 2; ++colour)
            for (std::int64_t z = 0; z < extents[2]; ++z)
                for (std::int64_t y = 0; y < extents[1]; ++y)
                    for (std::int64_t x = 0; x < extents[0]; ++x)
                        if ((x + y + z) % 2 == colour) sites.push_back({x, y, z});
        return sites;
    }
    std::size_t number(const Site& s) const {
        return static_cast<std::size_t>(s[0] + lattice.extents[0] * (s[1] + lattice.extents[1] * s[2]));
    }
    int& spin(const Site& s) { return spins[number(s)]; }
};

}  // namespace legato::ising::tests
