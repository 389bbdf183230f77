// A problem in a state file: entries problem/<parameter>, extent_x, extent_y, boundary_x, boundary_y, and for a table
// pair_function, divergent_zero.
#pragma once

#include "core/state_file.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

void put_problem(StateWriter& writer, const Problem& problem);
Problem get_problem(const StateReader& reader);  // returns a valid problem

}  // namespace legato::vmc
