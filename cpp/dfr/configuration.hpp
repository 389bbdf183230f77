// Average energies of configurations: occupations of the open shells and the correlation of their electrons.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dfr/elements.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Returns the average over all distributions of each subshell's N electrons over its M = 4l + 2 spinors: q_a = N g_a /
// M, and A_ab = (N - 1) M / [N (M - 1)] within a subshell, 1 between two. Only the highest subshell of each l may be
// partly filled. `field` names the list in messages.
Configuration average_of_configuration(std::span<const Subshell> subshells,
                                       std::string_view field = "dfr.configuration");

// Returns the average over an explicit list of configurations. `closed` contains the numbers of closed shells
// [species]. `open_species` lists the species with an open shell in ascending order, one open shell each. Each row is
// one configuration: the numbers of electrons in these open shells. They are whole numbers with the same sum in all
// rows. A row has the weight prod C(g_a, q_a), the number of its determinants. Shells that all rows fill become closed.
Configuration average_of_list(std::span<const int> closed, std::span<const int> open_species,
                              std::span<const std::vector<double>> rows, std::string_view field = "dfr.econfig");

inline constexpr int max_rows = 1'000'000;
// Returns all ways to put `electrons` into the open shells, as rows for average_of_list. Throws if there are more than
// max_rows.
std::vector<std::vector<double>> all_distributions(std::span<const int> open_species, int electrons,
                                                   std::string_view field = "dfr.econfig");

}  // namespace legato::dfr
