// Average energies of configurations: occupations of the open shells and the correlation of their electrons.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dfr/elements.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// The average over all distributions of each subshell's electrons over its M = 4l + 2 spinors:
// q_a = N g_a / M, A_ab = (N - 1) M / [N (M - 1)] within a subshell, 1 between two. Of each l only the highest subshell
// may be partly filled. `field` names the list in messages.
Configuration average_of_configuration(std::span<const Subshell> subshells,
                                       std::string_view field = "dfr.configuration");

// The average over an explicit list. Closed shells [species]; the species with an open shell, ascending, one open shell
// each; the numbers of electrons in these, one row a configuration, whole numbers with the same sum in all rows. A row
// has the weight prod C(g_a, q_a), the number of its determinants. Shells that all rows fill become closed.
Configuration average_of_list(std::span<const int> closed, std::span<const int> open_species,
                              std::span<const std::vector<double>> rows, std::string_view field = "dfr.econfig");

// All ways to put `electrons` into the open shells: the rows for average_of_list. At most max_rows.
inline constexpr int max_rows = 1'000'000;
std::vector<std::vector<double>> all_distributions(std::span<const int> open_species, int electrons,
                                                   std::string_view field = "dfr.econfig");

}  // namespace legato::dfr
