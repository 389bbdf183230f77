// Counts of the bits of many words, for each of 32 bits, the same on host and device. They are binary numbers whose
// digits are words, so that a few logical operations add to all 32 counts.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace legato::ising {

// The counts of 32 bits. digit[k] has their digits of weight 2^k.
template <int Digits>
struct BitCounts {
    static constexpr std::uint32_t largest = (1u << Digits) - 1;  // largest number of words; further words overflow

    std::uint32_t digit[Digits] = {};

    LEGATO_HOST_DEVICE void add(std::uint32_t word) { carry_from<0>(word); }

    // Adds four words by full adders, which turn three words of a weight into one of this weight and one of the next.
    LEGATO_HOST_DEVICE void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        const std::uint32_t twos = add_two<0>(a, b), more_twos = add_two<0>(c, d);
        carry_from<2>(add_two<1>(twos, more_twos));
    }

    LEGATO_HOST_DEVICE std::uint32_t of(std::uint32_t bit) const {
        std::uint32_t count = 0;
        for (int k = 0; k < Digits; ++k) count |= (digit[k] >> bit & 1) << k;
        return count;
    }

  private:
    template <int first>
    LEGATO_HOST_DEVICE void carry_from(std::uint32_t word) {
        for (int k = first; k < Digits; ++k) {
            const std::uint32_t carry = digit[k] & word;
            digit[k] ^= word;
            word = carry;
        }
    }
    template <int k>
    LEGATO_HOST_DEVICE std::uint32_t add_two(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t odd = a ^ b, carry = (a & b) | (digit[k] & odd);
        digit[k] ^= odd;
        return carry;
    }
};

}  // namespace legato::ising
