// The energies of a list of atoms, with their derivatives if asked for.
#pragma once

#include <vector>

#include "core/context.hpp"
#include "dfr/gradient.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

struct Solution {
    AtomResult result;
    ExponentGradient gradient;  // empty if it is not asked for, and if the atom has not converged
};

// Logs warnings of atoms that have failed. Collective.
std::vector<Solution> solve(Context& context, const Problem& problem, std::vector<Atom> atoms, bool with_gradients);

}  // namespace legato::dfr
