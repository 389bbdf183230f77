// The energies of one list of atoms after another, with their derivatives or spinors if asked for.
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "dfr/fields.hpp"
#include "dfr/gradient.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

struct Solution {
    AtomResult result;
    ExponentGradient gradient;  // empty if it is not asked for, and if the atom has not converged
    Start spinors;              // null in the same cases
};

class Energies {
  public:
    enum class With { nothing, gradients, spinors };

    // The context must outlive this object.
    Energies(Context& context, const Problem& problem) : context_(context), problem_(problem) {}

    // `starts` has a member for each atom, or none. Logs warnings of atoms that have failed. Collective.
    std::vector<Solution> operator()(std::vector<Atom> atoms, With with, const std::vector<Start>& starts = {});

  private:
    std::vector<Solution> solutions(With with);

    Context& context_;
    Problem problem_;
    std::optional<Fields> fields_;  // of the last list; they keep engines and memory for the next one
};

}  // namespace legato::dfr
