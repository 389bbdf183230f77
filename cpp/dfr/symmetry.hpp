// Symmetry species of relativistic atomic spinors in the order s1/2, p1/2, p3/2, d3/2, d5/2, ...: species 0, 1, 2, ...
#pragma once

#include <string>

namespace legato::dfr {

inline constexpr int max_symmetries = 13;  // the last one is i13/2

constexpr int kappa_of(int species) {
    return species % 2 ? (species + 1) / 2 : -(species / 2 + 1);
}
constexpr int l_of(int species) {
    return (species + 1) / 2;
}
inline constexpr int max_l = l_of(max_symmetries - 1);
constexpr int twice_j_of(int species) {
    return 2 * (species / 2) + 1;
}
constexpr int degeneracy_of(int species) {
    return twice_j_of(species) + 1;
}

// Returns the species with -kappa. Its l is that of the small component.
constexpr int opposite(int species) {
    return species ^ 1;
}

// Returns the name, for example "s1/2".
inline std::string name_of(int species) {
    std::string name(1, "spdfghi"[l_of(species)]);
    name += std::to_string(twice_j_of(species));
    name += "/2";
    return name;
}

}  // namespace legato::dfr
