// Averages of configurations that are given shell by shell, with holes and with several open shells of a species.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dfr/problem.hpp"

namespace legato::dfr {

// The electrons in the shells of one n and l.
struct ShellElectrons {
    int n = 0, l = 0;
    int twice_j = 0;  // 2l - 1 or 2l + 1, or 0: the electrons are distributed over both j
    int electrons = 0;
};

// Returns the average over all distributions of the N electrons of each entry over its M spinors: q = N g/M for each of
// its shells, A = (N - 1) M/[N (M - 1)] within the entry, 1 between two entries. The shells come in any order. Those
// that are not listed are empty. The form of the configuration is the first one if it has no holes and at most one open
// shell of each species. `field` names the list in messages.
Configuration average_of_shells(std::span<const ShellElectrons> shells, std::string_view field = "dfr.shells");

// Returns the configuration for an atom with more species. Throws if it has electrons in others.
Configuration with_species(Configuration configuration, std::size_t species, std::string_view field = "dfr.shells");

}  // namespace legato::dfr
