// The hopping of one slice, for all models. Host and device use the same code.
//
// A hopping is a quaternion h = h0 + h1 i + h2 j + h3 k. A real hopping has only h0, a complex one h0 and h1, and a
// spin rotation of SU(2) has all four, with i, j, k = -i times the Pauli matrices. A wave function has as many real
// components at each site, and hopping multiplies them from the left. Exponents of the real transfer matrix come in
// groups of equal numbers: if a column is a solution, its products with the units 1, i, j, k from the right are as
// well. Columns start in such groups (engine.cpp), and Gram-Schmidt keeps them.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "random/philox.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

struct Quaternion {
    double part[4];
};

// Returns the sign of the product e_{a ^ b} e_b = +-e_a of units e_0..e_3 = 1, i, j, k. Component a of the product h
// psi is then the sum over b of unit_sign(a, b) h_{a ^ b} psi_b.
LEGATO_HOST_DEVICE constexpr double unit_sign(int a, int b) {
    constexpr unsigned negative = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 6 | 1u << 11 | 1u << 13;  // bits 4 a + b
    return negative >> (4 * a + b) & 1u ? -1.0 : 1.0;
}

// Pairs of neighbours: along the bar from slice n to n + 1, and in the slice in x and in y direction. A pair belongs to
// its site with the smaller coordinate, or to that at the upper edge for a pair across the edge.
enum class Axis : int { bar = 0, x = 1, y = 2 };

// Returns random number `which` = 0, 1 of a pair of neighbours.
LEGATO_HOST_DEVICE inline random::UniformPair pair_numbers(const Problem& p, std::uint32_t stream, std::uint64_t slice,
                                                           Axis axis, std::int64_t owner, int which) {
    const std::int64_t sites = p.sites(), pair = static_cast<int>(axis) * sites + owner;
    return random::philox_pair(static_cast<std::uint64_t>(p.seed), stream, slice,
                               static_cast<std::uint32_t>(sites + 2 * pair + which));
}

// Returns the random factor of the hopping between a pair of neighbours; it may be negative.
LEGATO_HOST_DEVICE inline double factor_of_hopping(const Problem& p, std::uint32_t stream, std::uint64_t slice,
                                                   Axis axis, std::int64_t owner) {
    if (p.hopping_disorder == HoppingDisorder::none) return 1;
    const double u = pair_numbers(p, stream, slice, axis, owner, 1).second - 0.5;
    return p.hopping_disorder == HoppingDisorder::uniform ? 1 + p.hopping_width * u : std::exp(p.hopping_width * u);
}

// Returns the hopping along the bar from a site of slice n to slice n + 1; slice -1 is the one before the first.
LEGATO_HOST_DEVICE inline double hopping_along(const Problem& p, std::uint32_t stream, std::uint64_t slice,
                                               std::int64_t site) {
    return factor_of_hopping(p, stream, slice, Axis::bar, site);
}

struct Circle {
    double cos, sin;
};

// Returns the point on the unit circle after some turns.
LEGATO_HOST_DEVICE inline Circle circle(double turns) {
#ifdef __CUDA_ARCH__
    double sin, cos;
    sincospi(2 * turns, &sin, &cos);
    return {cos, sin};
#else
    return {std::cos(2 * M_PI * turns), std::sin(2 * M_PI * turns)};
#endif
}

// Returns factor * count without its integer part, with a small rounding error even if the product is large.
LEGATO_HOST_DEVICE inline double turns_of(double factor, double count) {
    const double product = factor * count, rest = std::fma(factor, count, -product);
    return (product - std::floor(product)) + rest;
}

// Returns the unit quaternion of the hopping that a pair's owner receives.
LEGATO_HOST_DEVICE inline Quaternion unit_of_hopping(const Problem& p, std::uint32_t stream, std::uint64_t slice,
                                                     Axis axis, std::int64_t owner) {
    switch (p.model) {
        case Model::peierls: {
            const Circle phase =
                circle(axis == Axis::x ? turns_of(p.longitudinal_flux, static_cast<double>(slice))
                                       : turns_of(p.transverse_flux, static_cast<double>(owner % p.width)));
            return {{phase.cos, phase.sin, 0, 0}};
        }
        case Model::u1: {
            const Circle phase = circle(pair_numbers(p, stream, slice, axis, owner, 0).first);
            return {{phase.cos, phase.sin, 0, 0}};
        }
        case Model::su2: {  // uniform on the sphere of four dimensions
            const random::UniformPair u = pair_numbers(p, stream, slice, axis, owner, 0);
            const Circle one = circle(u.second), two = circle(pair_numbers(p, stream, slice, axis, owner, 1).first);
            const double inner = std::sqrt(u.first), outer = std::sqrt(1 - u.first);
            return {{outer * one.cos, outer * one.sin, inner * two.cos, inner * two.sin}};
        }
        case Model::ando: {
            // With a real hopping along the bar, the spin axes of the other hoppings turn from slice to slice.
            const double s = p.spin_orbit, c = std::sqrt(1 - s * s);
            const Circle turn = circle(turns_of(std::asin(s) / M_PI, static_cast<double>(slice)));
            return axis == Axis::x ? Quaternion{{c, s * turn.cos, 0, s * turn.sin}}
                                   : Quaternion{{c, s * turn.sin, 0, -s * turn.cos}};
        }
        case Model::anderson:
            break;
    }
    return {{1, 0, 0, 0}};
}

// Returns the hopping that a pair's owner receives; `t` is its real factor without disorder.
LEGATO_HOST_DEVICE inline Quaternion hopping_of_pair(const Problem& p, std::uint32_t stream, std::uint64_t slice,
                                                     Axis axis, std::int64_t owner, double t) {
    const double factor = t * factor_of_hopping(p, stream, slice, axis, owner);
    Quaternion hopping = unit_of_hopping(p, stream, slice, axis, owner);
    for (double& part : hopping.part) part *= factor;
    return hopping;
}

// Returns the hopping to a site from its neighbour `direction`: 0, 1 at smaller and larger x, 2, 3 at smaller and
// larger y (lattice.hpp). It is zero across a hard wall.
LEGATO_HOST_DEVICE inline Quaternion hopping_to(const Problem& p, std::uint32_t stream, std::uint64_t slice,
                                                std::int64_t site, int direction) {
    const Axis axis = direction < 2 ? Axis::x : Axis::y;
    const bool up = direction % 2 == 1;
    const std::int64_t stride = axis == Axis::x ? 1 : p.width, position = site / stride % p.width;
    const bool across = up ? position == p.width - 1 : position == 0;
    const std::int64_t owner = up ? site : site + (across ? p.width - 1 : -1) * stride;
    double t = axis == Axis::x ? p.hopping : p.hopping * p.anisotropy;
    if (across && p.boundary == Boundary::hard_wall) t = 0;
    if (across && p.boundary == Boundary::antiperiodic) t = -t;
    Quaternion hopping = hopping_of_pair(p, stream, slice, axis, owner, t);
    for (int part = 1; part < 4; ++part)
        if (!up) hopping.part[part] = -hopping.part[part];
    return hopping;
}

}  // namespace legato::tmm
