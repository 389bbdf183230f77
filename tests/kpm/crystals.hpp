// Unit-cell lattices of many shapes, for tests of the engines.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "cells.hpp"

namespace legato::kpm::tests {

// Returns a lattice with these extents and random hoppings up to `reach` cells far. `number` chooses its other
// properties.
inline CellLattice crystal(std::array<std::int64_t, 3> extents, int orbitals, std::int64_t reach, int number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::uniform_real_distribution<double> real(-1, 1);
    const bool complex = number % 3 != 0;
    CellLattice lattice;
    lattice.extents = extents;
    lattice.orbitals = orbitals;
    for (std::size_t d = 0; d < 3; ++d) {
        lattice.boundary[d] = (number >> d) % 2 == 0 ? Boundary::periodic : Boundary::hard_wall;
        if (complex && number % 2 == 0) lattice.twist[d] = 3 * real(random);
        if (!complex && number % 2 == 0) lattice.twist[d] = pi;
        if (lattice.boundary[d] == Boundary::hard_wall) lattice.twist[d] = 0;
    }
    if (complex && number % 4 < 2) lattice.flux[2] = 3.0 / static_cast<double>(extents[0]);
    for (int o = 0; o < orbitals; ++o) {
        lattice.positions.push_back({real(random), real(random), real(random)});
        lattice.energies.push_back(real(random));
    }
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    for (int h = 0; h < 3 * orbitals; ++h) {
        Hopping hopping{static_cast<int>(pick(0, orbitals - 1)),
                        static_cast<int>(pick(0, orbitals - 1)),
                        {pick(-reach, reach), pick(-reach, reach), pick(-reach, reach)},
                        {real(random), complex ? real(random) : 0.0}};
        if (hopping.from == hopping.to && hopping.offset == std::array<std::int64_t, 3>{}) hopping.offset[0] = 1;
        lattice.hoppings.push_back(hopping);
    }
    lattice.on_site = static_cast<OnSite>(number % 5);
    lattice.disorder = 2;
    if (lattice.on_site == OnSite::energies)
        for (std::int64_t s = 0; s < lattice.sites(); ++s)
            lattice.site_energies.push_back(std::sin(static_cast<double>(s)));
    return lattice;
}

// Returns lattices of one to three directions, with extents below and above the reach of their hoppings.
inline std::vector<CellLattice> crystals() {
    std::vector<CellLattice> all;
    int number = 0;
    for (const std::array<std::int64_t, 3> extents : std::vector<std::array<std::int64_t, 3>>{{1, 1, 1},
                                                                                              {2, 1, 1},
                                                                                              {700, 1, 1},
                                                                                              {1, 41, 1},
                                                                                              {3, 2, 1},
                                                                                              {40, 51, 1},
                                                                                              {1, 1, 300},
                                                                                              {7, 5, 6},
                                                                                              {16, 1, 33},
                                                                                              {12, 14, 11},
                                                                                              {2, 3, 200},
                                                                                              {50, 1, 1}})
        for (const int orbitals : {1, 2, 3, 16}) {
            all.push_back(crystal(extents, orbitals, 1 + number % 3, number));
            ++number;
        }
    return all;
}

// Returns the crystals of more than 5 sites with given vacancies, random ones, or both.
inline std::vector<CellLattice> crystals_with_vacancies() {
    std::vector<CellLattice> all;
    int number = 0;
    for (CellLattice lattice : crystals()) {
        if (lattice.sites() <= 5) continue;
        if (number % 3 != 0)
            for (std::int64_t site = 3; site < lattice.sites(); site += 4 + site % 7) lattice.vacancies.push_back(site);
        if (number % 3 != 1)
            for (std::size_t o = 0; o < 16; ++o)
                lattice.vacancy_concentration[o] = 0.1 * static_cast<double>((o + 1) % 4);
        all.push_back(lattice);
        ++number;
    }
    return all;
}

}  // namespace legato::kpm::tests
