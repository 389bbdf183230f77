// L'Ecuyer's combined Tausworthe generator LFSR113 (Math. Comp. 68, 261 (1999)). The seeding is that of the TMSEXD
// family of transfer-matrix programs. The recurrence is linear over GF(2), so that n steps of each of the four words
// are a product with one 32x32 bit matrix. The class Lfsr113Leap makes n steps at once, by one table per byte.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"

namespace legato::random {

struct Lfsr113 {
    std::uint32_t z1, z2, z3, z4;

    LEGATO_HOST_DEVICE void step() {
        z1 = ((z1 & 0xFFFFFFFEu) << 18) ^ (((z1 << 6) ^ z1) >> 13);
        z2 = ((z2 & 0xFFFFFFF8u) << 2) ^ (((z2 << 2) ^ z2) >> 27);
        z3 = ((z3 & 0xFFFFFFF0u) << 7) ^ (((z3 << 13) ^ z3) >> 21);
        z4 = ((z4 & 0xFFFFFF80u) << 13) ^ (((z4 << 3) ^ z4) >> 12);
    }

    // Returns the number that the present state gives, in [0, 1): the upper 31 bits times TMSEXD's constant.
    LEGATO_HOST_DEVICE double uniform() const { return ((z1 ^ z2 ^ z3 ^ z4) >> 1) * 4.656612873077e-10; }

    LEGATO_HOST_DEVICE double next() {
        step();
        return uniform();
    }
};

// Returns a generator whose four words are drawn in turn from Park and Miller's minimal standard generator. One draw is
// then discarded. A seed beyond 32 bits is cut to its lower 32 bits; a signed 32-bit seed below 1 counts as 1.
LEGATO_HOST_DEVICE inline Lfsr113 seeded_lfsr113(std::int64_t seed) {
    auto value = static_cast<std::int32_t>(seed);
    if (value <= 0) value = 1;
    const auto word = [&value](std::int32_t least) {
        const std::int32_t k = value / 127773;
        value = 16807 * (value - k * 127773) - 2836 * k;
        if (value < 0) value += 2147483647;
        return static_cast<std::uint32_t>(value < least ? value + least : value);
    };
    Lfsr113 generator{};
    generator.z1 = word(2);
    generator.z2 = word(8);
    generator.z3 = word(16);
    generator.z4 = word(128);
    generator.step();
    return generator;
}

// Makes `steps` steps at once. The tables take 16 KiB, laid out [word][byte][value].
class Lfsr113Leap {
  public:
    static constexpr std::size_t table_size = 4 * 4 * 256;

    explicit Lfsr113Leap(std::uint64_t steps);

    const std::vector<std::uint32_t>& tables() const { return tables_; }
    Lfsr113 operator()(Lfsr113 generator) const { return apply(tables_.data(), generator); }

    LEGATO_HOST_DEVICE static Lfsr113 apply(const std::uint32_t* tables, Lfsr113 g) {
        return {word(tables, 0, g.z1), word(tables, 1, g.z2), word(tables, 2, g.z3), word(tables, 3, g.z4)};
    }

  private:
    LEGATO_HOST_DEVICE static std::uint32_t word(const std::uint32_t* tables, int index, std::uint32_t z) {
        const std::uint32_t* t = tables + index * 1024;
        return t[z & 255] ^ t[256 + ((z >> 8) & 255)] ^ t[512 + ((z >> 16) & 255)] ^ t[768 + (z >> 24)];
    }

    std::vector<std::uint32_t> tables_;
};

}  // namespace legato::random
