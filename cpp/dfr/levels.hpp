// Levels of a configuration in jj coupling: the energies of the states with total angular momentum J, to first order
// with the spinors of the average.
#pragma once

#include <cstddef>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

struct Level {
    int twice_j = 0;
    double energy = 0;  // minus the average energy, hartree
};

struct Levels {
    int parity = 1;             // 1 or -1
    std::vector<Level> levels;  // ascending in energy
};

enum class LevelSpace : int {
    relativistic = 0,     // each shell keeps its electrons
    nonrelativistic = 1,  // the electrons of one n and l are distributed over both j, as far as these are open
};

inline constexpr int max_open_spinors = 64;
inline constexpr int max_determinants = 2000;  // with the same M

// Diagonalises the Coulomb interaction between the determinants of the open shells. The closed shells and the spinors
// are those of the average. Throws an invalid_argument unless the problem has the Coulomb interaction, the atom has
// converged, the electrons are whole numbers, and the determinants with the smallest |M| are at most max_determinants.
Levels levels_of(const Problem& problem, const Atom& atom, const AtomResult& result, LevelSpace space);

// Returns the number of these levels, which is that of the determinants with the smallest |M|, and their parity. Throws
// in the same cases.
struct LevelNumber {
    int parity = 1;
    std::size_t levels = 0;
};
LevelNumber number_of_levels(const Problem& problem, const Atom& atom, const AtomResult& result, LevelSpace space);

}  // namespace legato::dfr
