// Elements of the random start vectors and of the disorder, the same on host and device.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/host_device.hpp"
#include "kpm/problem.hpp"
#include "random/philox.hpp"

namespace legato::kpm {

// Streams of one seed. `index` counts the vectors of all realisations in the first, and the realisations in the others.
inline constexpr std::uint32_t vector_stream = 0x4b504d01u, disorder_stream = 0x4b504d02u, vacancy_stream = 0x4b504d03u;

// Returns the position for a site. The bits of the site's number above the lowest 32 go into the upper part of it.
LEGATO_HOST_DEVICE inline std::uint64_t random_position(std::uint64_t index, std::uint64_t site) {
    return index | (site >> 32) << 40;
}

LEGATO_HOST_DEVICE inline random::UniformPair random_pair(std::uint64_t seed, std::uint32_t stream, std::uint64_t index,
                                                          std::uint64_t site) {
    return random::philox_pair(seed, stream, random_position(index, site), static_cast<std::uint32_t>(site));
}

inline constexpr std::uint64_t sites_of_signs = 64;
// Returns the signs of the 64 sites with the same site / sites_of_signs. Bit site % sites_of_signs is set if it is +1.
LEGATO_HOST_DEVICE inline std::uint64_t sign_bits(std::uint64_t seed, std::uint64_t vector, std::uint64_t site) {
    const std::uint64_t group = site / sites_of_signs;
    const auto words =
        random::philox_words(seed, vector_stream, random_position(vector, group), static_cast<std::uint32_t>(group));
    return static_cast<std::uint64_t>(words[0]) << 32 | words[1];
}
LEGATO_HOST_DEVICE inline double sign_of(std::uint64_t bits, std::uint64_t site) {
    return (bits >> site % sites_of_signs & 1) != 0 ? 1.0 : -1.0;
}

// Writes the signs of the sites first .. last - 1 for `width` interleaved vectors from number `vector` on. Each sign is
// followed by 0, its imaginary part, if there are two lanes.
template <class Real>
void fill_signs(std::uint64_t seed, std::uint64_t vector, std::size_t width, std::size_t lanes, std::uint64_t first,
                std::uint64_t last, Real* x) {
    std::array<std::uint64_t, max_block_width> signs;
    for (std::uint64_t end = first; first < last; first = end) {
        end = std::min(first / sites_of_signs * sites_of_signs + sites_of_signs, last);
        for (std::size_t v = 0; v < width; ++v) signs[v] = sign_bits(seed, vector + v, first) >> first % sites_of_signs;
        for (std::uint64_t site = first; site < end; ++site)
            for (std::size_t v = 0; v < width; ++v, signs[v - 1] >>= 1) {
                *x++ = static_cast<Real>(2 * static_cast<int>(signs[v] & 1) - 1);
                if (lanes == 2) *x++ = Real{0};
            }
    }
}

LEGATO_HOST_DEVICE inline double start_element(StartVectors kind, std::uint64_t seed, std::uint64_t vector,
                                               std::uint64_t site) {
    if (kind == StartVectors::sign) return sign_of(sign_bits(seed, vector, site), site);
    const random::UniformPair u = random_pair(seed, vector_stream, vector, site);
    return kind == StartVectors::gaussian ? random::normal(u) : std::sqrt(12.0) * (u.first - 0.5);
}

// Returns the element of a vector of StartVectors::phase.
LEGATO_HOST_DEVICE inline Phase start_phase(std::uint64_t seed, std::uint64_t vector, std::uint64_t site) {
    const double angle = 6.283185307179586477 * random_pair(seed, vector_stream, vector, site).first;
    return {std::cos(angle), std::sin(angle)};
}

// Returns the product of an integer and a part of a full turn, in turns and reduced to [-1/2, 1/2]. The only rounding
// error is that of the result.
LEGATO_HOST_DEVICE inline double turns(double k, std::int64_t n) {
    const double product = k * static_cast<double>(n), rest = std::fma(k, static_cast<double>(n), -product);
    const double sum = product - std::rint(product) + rest;
    return sum - std::rint(sum);
}

// Returns e^(2 pi i t) for t in [-1/2, 1/2]. It is exact at multiples of a quarter turn.
LEGATO_HOST_DEVICE inline Phase phase_of_turns(double t) {
    constexpr double full_turn = 6.283185307179586477;
    const double size = std::abs(t);
    const double sine = std::sin(full_turn * (size > 0.25 ? 0.5 - size : size));
    return {std::sin(full_turn * (0.25 - size)), t < 0 ? -sine : sine};
}

// Returns the element of a plane wave at a site. For a part of a wave it is the real part of what is returned.
LEGATO_HOST_DEVICE inline Phase wave_element(const Wave& wave, std::uint64_t site) {
    const auto orbitals = static_cast<std::uint64_t>(wave.orbitals);
    std::uint64_t cell = site / orbitals;
    const Phase a = wave.amplitudes[site % orbitals];
    if (a.real == 0 && a.imaginary == 0) return {0, 0};
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        const auto extent = static_cast<std::uint64_t>(wave.extents[d]);
        sum += turns(wave.k[d], static_cast<std::int64_t>(cell % extent));
        cell /= extent;
    }
    const Phase phase = phase_of_turns(sum - std::rint(sum));
    const double real = a.real * phase.real - a.imaginary * phase.imaginary,
                 imaginary = a.real * phase.imaginary + a.imaginary * phase.real;
    return wave.is_imaginary_part ? Phase{imaginary, 0} : Phase{real, imaginary};
}

// Writes the elements of the sites first .. last - 1 for `width` interleaved random vectors from number `vector` on.
// Each has an imaginary part, 0 unless the kind is phase, if there are two lanes.
template <class Real>
void fill_random(StartVectors kind, std::uint64_t seed, std::uint64_t vector, std::size_t width, std::size_t lanes,
                 std::uint64_t first, std::uint64_t last, Real* x) {
    if (kind == StartVectors::sign) return fill_signs(seed, vector, width, lanes, first, last, x);
    for (std::uint64_t site = first; site < last; ++site)
        for (std::size_t v = 0; v < width; ++v) {
            const Phase element = kind == StartVectors::phase ? start_phase(seed, vector + v, site)
                                                              : Phase{start_element(kind, seed, vector + v, site), 0.0};
            *x++ = static_cast<Real>(element.real);
            if (lanes == 2) *x++ = static_cast<Real>(element.imaginary);
        }
}

// Does the same for plane waves.
template <class Real>
void fill_waves(std::span<const Wave> waves, std::size_t lanes, std::uint64_t first, std::uint64_t last, Real* x) {
    for (std::uint64_t site = first; site < last; ++site)
        for (const Wave& wave : waves) {
            const Phase element = wave_element(wave, site);
            *x++ = static_cast<Real>(element.real);
            if (lanes == 2) *x++ = static_cast<Real>(element.imaginary);
        }
}

// Returns energy + width u with two roundings, on a device too, where the compiler fuses them otherwise.
LEGATO_HOST_DEVICE inline double shifted(double energy, double width, double u) {
#ifdef __CUDA_ARCH__
    return __dadd_rn(energy, __dmul_rn(width, u));
#else
    return energy + width * u;
#endif
}

// Host and device give the same bits, except for OnSite::normal: their logarithms and cosines may differ by roundings.
LEGATO_HOST_DEVICE inline double on_site_energy(OnSite kind, double energy, double disorder, double concentration,
                                                std::uint64_t seed, std::uint64_t realisation, std::uint64_t site) {
    if (kind == OnSite::box)
        return shifted(energy, disorder, random_pair(seed, disorder_stream, realisation, site).first - 0.5);
    if (kind == OnSite::normal)
        return shifted(energy, disorder, random::normal(random_pair(seed, disorder_stream, realisation, site)));
    if (kind == OnSite::binary) {
        const bool upper = random_pair(seed, disorder_stream, realisation, site).first < concentration;
        return energy + (upper ? disorder / 2 : -disorder / 2);
    }
    return energy;
}

}  // namespace legato::kpm
