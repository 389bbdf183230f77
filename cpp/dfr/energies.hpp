// The energies of one list of atoms after another, with their derivatives or spinors if asked for. Memory on the host
// and on the device stays for the next list, until the object is destroyed.
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
    Start spinors;              // null if they are not asked for, and if the atom has not converged
};

class Energies {
  public:
    enum class With { nothing, gradients, spinors };  // `spinors` needs Fields::Reads::states

    // The context must outlive this object. `saved_on` is the backend of the saved run that goes on, if it is known.
    Energies(Context& context, const Problem& problem, Fields::Reads reads = Fields::Reads::summaries,
             std::optional<Backend> saved_on = {})
        : context_(context), problem_(problem), reads_(reads), backend_(saved_on) {}

    // Returns the backend, or that of the saved run before the first list. Unknown if there is neither.
    std::optional<Backend> backend() const { return backend_; }

    // `starts` has a member for each atom, or none. Logs warnings of atoms that have failed. Collective.
    std::vector<Solution> operator()(std::vector<Atom> atoms, With with, const std::vector<Start>& starts = {});

  private:
    std::vector<Solution> solutions(With with);

    Context& context_;
    Problem problem_;
    Fields::Reads reads_;
    std::optional<Backend> backend_;
    std::optional<Fields> fields_;  // of the last list; they keep engines and memory for the next one
};

}  // namespace legato::dfr
