// Atoms with the basis sets of the library hennessey, which are well-tempered with one pool for all species.
#pragma once

#include "dfr/basis_files.hpp"
#include "dfr/elements.hpp"
#include "dfr/named_sets.hpp"
#include "dfr/set_groups.hpp"

namespace legato::dfr {

inline const std::vector<BasisSet>& hennessey() {
    static const std::vector<BasisSet> sets = read_basis_library(Context{ContextOptions{}}, "hennessey", 0.0);
    return sets;
}

// Returns the basis of an element for its first `species` species.
inline GroupedBasis library_basis(int element, std::size_t species) {
    return groups_of(hennessey().at(index_of(hennessey(), element)), species);
}

// Returns an atom in the average of its ground configuration.
inline Atom library_atom(int element, NuclearModel model) {
    static NamedSets sets;
    return sets.atom(Context{ContextOptions{}}, "hennessey", element, model);
}

}  // namespace legato::dfr
