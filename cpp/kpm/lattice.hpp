// What all lattices have in common.
#pragma once

namespace legato::kpm {

enum class Boundary : int {
    hard_wall = 0,  // no neighbour across the edge
    periodic = 1,   // a site at the opposite edge is the neighbour
};

enum class OnSite : int {
    constant = 0,  // energy
    box = 1,       // uniform on energy +- disorder / 2
    normal = 2,    // normal, mean energy, standard deviation disorder
    energies = 3,  // energies[site]
    binary = 4,    // energy + disorder / 2 with the probability concentration, otherwise energy - disorder / 2
};

struct Interval {
    double lowest = 0, highest = 0;
};

}  // namespace legato::kpm
