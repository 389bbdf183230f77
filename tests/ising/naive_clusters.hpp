// Makes sweeps of Swendsen and Wang's and of Wolff's algorithm one bond at a time, by the definitions alone. The random
// bits of each bond are extracted from the words that cpp/ising/clusters.hpp names.
#pragma once

#include <numeric>

#include "naive.hpp"

namespace legato::ising::naive {

__extension__ using Wide = unsigned __int128;

struct ClusterSystem : System {
    std::vector<std::size_t> cluster;  // of each site: the same number for sites of a cluster
    std::size_t ghost = 0;             // number of the cluster with the ghost

    Words draw(std::uint32_t index, std::int64_t sweep, std::uint32_t purpose) const {
        return philox(seed, index, static_cast<std::uint32_t>(sweep), stream,
                      purpose + 256 * static_cast<std::uint32_t>(sweep >> 32));
    }

    // Returns whether a bond with probability 1 - exp(-2 |k|) is occupied.
    bool is_occupied(std::array<std::int64_t, 3> at, std::int64_t sweep, std::uint32_t direction, double k) const {
        const auto bit = static_cast<std::uint32_t>(at[0] / 2 % 32);
        const double scaled = -4096 * std::expm1(-2 * std::fabs(k)), q = std::min(std::floor(scaled), 4095.0);
        double u = 0;
        for (std::uint32_t i = 0; i < 3; ++i)
            for (const std::uint32_t word : draw(word_of(at), sweep, (1u << 24) + 3 * direction + i))
                u = 2 * u + (word >> bit & 1);
        if (u != q) return u < q;
        const Words words = draw(word_of(at), sweep, (2u << 24) + 32 * (direction % 4) + bit + 128 * (direction / 4));
        return std::ldexp(words[1], -32) + std::ldexp(words[0], -64) < scaled - q;
    }

    void join(std::size_t a, std::size_t b) {
        const std::size_t from = cluster[a], to = cluster[b];
        std::replace(cluster.begin(), cluster.end(), from, to);
    }

    // Finds the clusters of all sites. The ghost has the number `sites`.
    void find_clusters(std::int64_t sweep) {
        const std::size_t sites = spins.size();
        cluster.resize(sites + 1);
        std::iota(cluster.begin(), cluster.end(), std::size_t{0});
        for_each_site([&](auto at) {
            const bool of_colour_0 = (at[0] + at[1] + at[2]) % 2 == 0;
            for (std::size_t axis = 0; of_colour_0 && axis < static_cast<std::size_t>(lattice.dimension); ++axis) {
                for (const int step : {-1, 1}) {
                    if (beta * spins[site(at)] * spin(at, axis, step) < 0) continue;
                    auto there = at;
                    there[axis] = (at[axis] + step + lattice.extents[axis]) % lattice.extents[axis];
                    // Along x direction 0 is the neighbour in the word of the same number.
                    const bool second = axis == 0 ? (step == 1) == (at[0] % 2 == 1) : step == 1;
                    if (is_occupied(at, sweep, static_cast<std::uint32_t>(2 * axis + (second ? 1 : 0)), beta))
                        join(site(at), site(there));
                }
            }
            if (field != 0 && beta * field * spins[site(at)] > 0 &&
                is_occupied(at, sweep, of_colour_0 ? 6 : 7, beta * field))
                join(site(at), sites);
        });
        ghost = cluster[sites];
    }

    std::uint32_t number_of(std::array<std::int64_t, 3> at) const {
        return 64 * (word_of(at) + 1) + static_cast<std::uint32_t>(at[0] % 64);
    }

    void swendsen_wang(std::int64_t sweep) {
        find_clusters(sweep);
        std::vector<std::uint32_t> first(cluster.size(), ~0u);
        for_each_site([&](auto at) {
            std::uint32_t& of_cluster = first[cluster[site(at)]];
            of_cluster = std::min(of_cluster, number_of(at));
        });
        for (std::size_t i = 0; i < spins.size(); ++i) {
            if (cluster[i] == ghost) continue;
            const std::uint32_t number = first[cluster[i]];
            if ((draw(number / 64, sweep, 3u << 24)[number / 32 % 2] >> number % 32 & 1) != 0) spins[i] = -spins[i];
        }
    }

    void wolff(std::int64_t sweep) {
        find_clusters(sweep);
        const Words words = draw(0, sweep, 4u << 24);
        const auto random = static_cast<Wide>(std::uint64_t{words[1]} << 32 | words[0]);
        const std::size_t start = cluster[static_cast<std::size_t>(random * spins.size() >> 64)];
        for (std::size_t i = 0; i < spins.size(); ++i)
            if (cluster[i] == start && start != ghost) spins[i] = -spins[i];
    }

    // Returns the sum of s_x s_y, with the boundaries' signs, over pairs of the same cluster at distance r along an
    // axis.
    std::int64_t correlation(std::size_t axis, std::int64_t r) const {
        std::int64_t sum = 0;
        for_each_site([&](auto at) {
            auto there = at;
            there[axis] = (at[axis] + r) % lattice.extents[axis];
            if (cluster[site(at)] == cluster[site(there)]) sum += spins[site(at)] * spin(at, axis, r);
        });
        return sum;
    }
};

}  // namespace legato::ising::naive
