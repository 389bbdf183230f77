// Runs Metropolis' algorithm one spin at a time, by the definitions alone. Sites have coordinates, and the random bits
// of each site are extracted from the words that the documentation names.
#pragma once

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/context.hpp"
#include "ising/problem.hpp"

namespace legato::ising::naive {

inline Context cpu_context(int threads) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = threads;
    options.log_level = LogLevel::error;
    return Context(options);
}

using Words = std::array<std::uint32_t, 4>;

inline Words philox(std::uint64_t seed, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2, std::uint32_t c3) {
    const auto words = r123::Philox4x32_R<7>()(
        {{c0, c1, c2, c3}}, {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
    return {words[0], words[1], words[2], words[3]};
}

struct System {
    Lattice lattice;
    double beta = 0, field = 0;
    std::uint64_t seed = 0;
    std::uint32_t stream = 0;
    std::vector<int> spins;  // index x + L1 (y + L2 z)

    std::size_t site(std::array<std::int64_t, 3> at) const {
        return static_cast<std::size_t>(at[0] + lattice.extents[0] * (at[1] + lattice.extents[1] * at[2]));
    }
    // Returns the spin at a distance along an axis, with the sign of the boundary.
    int spin(std::array<std::int64_t, 3> at, std::size_t axis, std::int64_t distance) const {
        const std::int64_t extent = lattice.extents[axis];
        at[axis] += distance;
        const bool across = at[axis] < 0 || at[axis] >= extent;
        at[axis] = (at[axis] + extent) % extent;
        const int sign = across && lattice.boundary[axis] == Boundary::antiperiodic ? -1 : 1;
        return sign * spins[site(at)];
    }
    template <class Use>
    void for_each_site(Use&& use) const {
        for (std::int64_t z = 0; z < lattice.extents[2]; ++z)
            for (std::int64_t y = 0; y < lattice.extents[1]; ++y)
                for (std::int64_t x = 0; x < lattice.extents[0]; ++x) use(std::array<std::int64_t, 3>{x, y, z});
    }
    std::uint32_t word_of(std::array<std::int64_t, 3> at) const {
        const std::int64_t width = (lattice.extents[0] / 2 + 31) / 32;
        return static_cast<std::uint32_t>((at[1] + lattice.extents[1] * at[2]) * width + at[0] / 2 / 32);
    }

    void start(bool random) {
        spins.assign(static_cast<std::size_t>(sites_of(lattice)), 1);
        if (!random) return;
        for_each_site([&](auto at) {
            const auto colour = static_cast<std::uint32_t>((at[0] + at[1] + at[2]) % 2);
            const Words words = philox(seed, word_of(at), 0, stream, 64 + 128 * colour);
            spins[site(at)] = (words[0] >> (at[0] / 2 % 32) & 1) != 0 ? 1 : -1;
        });
    }

    bool flips(std::array<std::int64_t, 3> at, std::int64_t sweep, std::uint32_t colour) const {
        double sum = field;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis)
            sum += spin(at, axis, 1) + spin(at, axis, -1);
        const double p = std::exp(-2 * beta * spins[site(at)] * sum);
        if (p > 1) return true;
        const auto bit = static_cast<std::uint32_t>(at[0] / 2 % 32);
        const auto c1 = static_cast<std::uint32_t>(sweep);
        const std::uint32_t purpose = 128 * colour + 256 * static_cast<std::uint32_t>(sweep >> 32);
        int u = 0;
        for (std::uint32_t draw = 0; draw < 3; ++draw) {
            const Words words = philox(seed, word_of(at), c1, stream, draw + purpose);
            for (const std::uint32_t word : words) u = 2 * u + static_cast<int>(word >> bit & 1);
        }
        if (p == 1) return u != std::min(std::floor(4096 * std::exp(-4 * std::fabs(beta))), 4095.0);
        const double q = std::floor(4096 * p), tail = 4096 * p - q;
        if (u != q) return u < q;
        const Words words = philox(seed, word_of(at), c1, stream, 32 + bit + purpose);
        const std::uint64_t v = std::uint64_t{words[1]} << 32 | words[0];
        return v < static_cast<std::uint64_t>(std::ldexp(tail, 64));
    }

    void sweep(std::int64_t number) {
        for (std::uint32_t colour = 0; colour < 2; ++colour)
            for_each_site([&](auto at) {
                if ((at[0] + at[1] + at[2]) % 2 == colour && flips(at, number, colour))
                    spins[site(at)] = -spins[site(at)];
            });
    }

    std::int64_t magnetisation() const {
        std::int64_t sum = 0;
        for (const int s : spins) sum += s;
        return sum;
    }
    std::int64_t correlation(std::size_t axis, std::int64_t distance) const {
        std::int64_t sum = 0;
        for_each_site([&](auto at) { sum += spins[site(at)] * spin(at, axis, distance); });
        return sum;
    }
    std::int64_t bonds() const {
        std::int64_t sum = 0;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis)
            sum += correlation(axis, 1);
        return sum;
    }
};

}  // namespace legato::ising::naive
