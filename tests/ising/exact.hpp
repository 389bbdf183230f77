// Computes exact averages of small Ising lattices without code of the library. A torus of four layers of at most 8
// sites is cut into two halves at two of its layers. For every state of these two layers, each half gives the sums of
// exp(-beta E) E^k over its inner layer. The sums are separate for each magnetisation of the inner layer.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

namespace legato::ising::tests::exact {

struct Averages {
    double energy, energy_2, absolute_magnetisation, magnetisation_2, magnetisation_4;  // values per spin
};

// A torus of four layers of width x height sites, J = 1. A value of -1 changes the sign of the couplings across a
// boundary.
struct Torus {
    int width, height;
    int across_width = 1, across_height = 1, across_layers = 1;

    int layer() const { return width * height; }
};

inline int spin(unsigned state, int site) {
    return (state >> site & 1) != 0 ? 1 : -1;
}

inline int energy_inside(const Torus& t, unsigned state) {
    int energy = 0;
    for (int y = 0; y < t.height; ++y) {
        for (int x = 0; x < t.width; ++x) {
            const int own = spin(state, x + t.width * y);
            // An extent of 1 has no bonds.
            if (t.width > 1)
                energy -= own * spin(state, (x + 1) % t.width + t.width * y) * (x + 1 < t.width ? 1 : t.across_width);
            if (t.height > 1)
                energy -=
                    own * spin(state, x + t.width * ((y + 1) % t.height)) * (y + 1 < t.height ? 1 : t.across_height);
        }
    }
    return energy;
}

using Moments = std::array<double, 3>;           // sums of exp(-beta E) E^k
using ByMagnetisation = std::array<Moments, 9>;  // by the number of up spins in the inner layer

// Returns the sums for the layers a - c - b, over the bonds between them and the energy of c. The bonds to b have the
// given sign.
inline std::vector<ByMagnetisation> half(const Torus& t, double beta, int sign) {
    const int sites = t.layer();
    const unsigned states = 1u << sites;
    std::vector<double> boltzmann(200);
    for (int e = -100; e < 100; ++e) boltzmann[static_cast<std::size_t>(e + 100)] = std::exp(-beta * e);
    std::vector<ByMagnetisation> sums(std::size_t{states} * states);
    for (unsigned c = 0; c < states; ++c) {
        const int inside = energy_inside(t, c);
        const auto up = static_cast<std::size_t>(std::popcount(c));
        for (unsigned a = 0; a < states; ++a) {
            for (unsigned b = 0; b < states; ++b) {
                const int e = inside - (sites - 2 * std::popcount(a ^ c)) - sign * (sites - 2 * std::popcount(b ^ c));
                const double weight = boltzmann[static_cast<std::size_t>(e + 100)];
                Moments& m = sums[std::size_t{a} * states + b][up];
                m[0] += weight;
                m[1] += weight * e;
                m[2] += weight * e * e;
            }
        }
    }
    return sums;
}

inline Averages averages(const Torus& t, double beta) {
    const int layer = t.layer();
    const unsigned states = 1u << layer;
    const std::vector<ByMagnetisation> first = half(t, beta, 1), second = half(t, beta, t.across_layers);
    double z = 0;
    Averages sum{};
    for (unsigned a = 0; a < states; ++a) {
        for (unsigned b = 0; b < states; ++b) {
            const double e = energy_inside(t, a) + energy_inside(t, b), w = std::exp(-beta * e);
            // The boundary lies between the second half and layer 0.
            const ByMagnetisation &one = first[std::size_t{a} * states + b], &two = second[std::size_t{b} * states + a];
            for (int i = 0; i <= layer; ++i) {
                for (int j = 0; j <= layer; ++j) {
                    const Moments &p = one[static_cast<std::size_t>(i)], &q = two[static_cast<std::size_t>(j)];
                    const int up = i + j + std::popcount(a) + std::popcount(b);
                    const double m = (2.0 * up - 4 * layer) / (4 * layer), weight = w * p[0] * q[0];
                    const double half_1 = p[1] * q[0] + p[0] * q[1],
                                 half_2 = p[2] * q[0] + 2 * p[1] * q[1] + p[0] * q[2];
                    z += weight;
                    sum.energy += w * half_1 + weight * e;
                    sum.energy_2 += w * (half_2 + 2 * e * half_1) + weight * e * e;
                    sum.absolute_magnetisation += weight * std::abs(m);
                    sum.magnetisation_2 += weight * m * m;
                    sum.magnetisation_4 += weight * m * m * m * m;
                }
            }
        }
    }
    const double sites = 4 * layer;
    return {sum.energy / z / sites, sum.energy_2 / z / sites / sites, sum.absolute_magnetisation / z,
            sum.magnetisation_2 / z, sum.magnetisation_4 / z};
}

}  // namespace legato::ising::tests::exact
