// A basis set to be optimised, its atom, and the energy in a complete basis.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "dfr/grouped_basis.hpp"
#include "dfr/problem.hpp"
#include "dfr/start.hpp"

namespace legato::dfr {

struct Candidate {
    Nucleus nucleus;
    Configuration configuration;
    GroupedBasis basis;  // starting point
    double limit = 0;    // energy in a complete basis; 0: that in the large basis of dfr/large_basis.hpp
};

inline constexpr int max_candidates = 1000;

// Throws an invalid_argument that names the wrong field.
void validate(const Problem& problem, const Candidate& candidate, std::string_view field);

inline Atom atom_of(const Candidate& candidate, const GroupedBasis& basis) {
    return {candidate.nucleus, exponents_of(basis), candidate.configuration};
}

struct Limit {
    double energy = 0, floor = 0;  // no good energy lies below the floor
};

struct Limits {
    std::vector<Limit> limits;            // [candidates]
    std::vector<Start> starts;            // [candidates] spinors in the large basis; null if they are not known
    std::optional<Backend> backend = {};  // on which they were calculated; unknown if there was nothing to calculate
};

// Returns the limits of all candidates. The large basis itself is not exact: an energy below it by less than its error
// has not collapsed. A limit that cannot be calculated is 0. A given limit is compared, too, if energies can collapse:
// if it is too low, the large basis decides. If the spinors are needed, a limit without them is 0, too. `saved_on` is
// the backend of the saved run that goes on. Collective.
Limits find_limits(Context& context, const Problem& problem, const std::vector<Candidate>& candidates,
                   bool needs_spinors = false, std::optional<Backend> saved_on = {});

// Calculates the starts if they are missing on any rank, and the limits if they are empty. Logs a warning for each new
// limit that could not be calculated or is too low. `backend` is that of the saved run, and is replaced by the one that
// is used. Throws a numerical_error if the spinors of a saved run do not converge. Collective.
void provide_limits(Context& context, const Problem& problem, const std::vector<Candidate>& candidates,
                    bool needs_spinors, std::vector<Limit>& limits, std::vector<Start>& starts,
                    std::optional<Backend>& backend);

// The backends of a run whose state is saved, where they are known.
struct Backends {
    std::optional<Backend> limits, energies;
};

}  // namespace legato::dfr
