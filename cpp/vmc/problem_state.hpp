// A problem in a state file: entries problem/<member of Problem, of its lattice, couplings and pair parameters>.
#pragma once

#include "core/state_file.hpp"
#include "vmc/problem.hpp"

namespace legato::vmc {

void put_problem(StateWriter& writer, const Problem& problem);
Problem get_problem(const StateReader& reader);  // returns a valid problem

}  // namespace legato::vmc
