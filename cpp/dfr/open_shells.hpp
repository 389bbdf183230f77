// Both forms of a configuration (problem.hpp) as lists of shells.
#pragma once

#include <cstddef>
#include <vector>

#include "dfr/problem.hpp"

namespace legato::dfr {

// Returns true if the configuration has the second form. Its energy is stationary, but in general not a minimum.
inline bool has_holes(const Configuration& configuration) {
    return !configuration.open.empty();
}

struct OpenShells {
    std::vector<OpenShell> shells;  // those with electrons, ascending by species and index
    std::vector<double> pairs;      // [shells x shells] A

    double pair(std::size_t a, std::size_t b) const { return pairs[a * shells.size() + b]; }
};
OpenShells open_shells(const Configuration& configuration);

// A shell with electrons.
struct OccupiedShell {
    std::size_t index = 0;  // 0 for the lowest shell of the species
    double electrons = 0;
    int open = -1;  // number of the shell in OpenShells, or -1 if it is closed
};
// Returns the shells of a species in ascending order.
std::vector<OccupiedShell> occupied_shells(const Configuration& configuration, std::size_t species);

double number_of_electrons(const Configuration& configuration);

}  // namespace legato::dfr
