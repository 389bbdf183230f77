// Basis sets as groups of exponents, from which optimisations and prunings start.
#pragma once

#include "dfr/basis_sets.hpp"
#include "dfr/grouped_basis.hpp"

namespace legato::dfr {

// Returns the primitive functions of the first `species` species of a set, or of all that have functions, as groups. If
// the exponents of all species are consecutive ones of the same list, there is one group. Otherwise each l has a group,
// or each species if both j have different exponents. A group has the first of these forms that it can have:
// even-tempered from 3 exponents on, well-tempered from 4 on, free. The parameters of a tempered group give its
// exponents within 1e-12 (relative). They have as few digits as this allows within rounding, so that parameters of a
// few digits are found again. Groups are in the order of their species.
GroupedBasis groups_of(const BasisSet& set, std::size_t species = 0);

}  // namespace legato::dfr
