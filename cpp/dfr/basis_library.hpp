// The built-in library of well-tempered basis sets.
#pragma once

#include <array>
#include <span>

#include "dfr/grouped_basis.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// A basis set of the library. Both j of an l share the functions of this l.
struct LibraryBasis {
    int element = 0;
    WellTempered parameters;
    std::array<ExponentRange, 4> ranges;  // s, p, d, f
};

// Returns the basis sets of He..Rn without Ce, Gd, Tb, Ho, Yb (Hennessey, University of Alberta thesis on CUDAProphet,
// table 2.1). The parameters minimise the non-relativistic energy, which is within 5e-9 (relative) of the Hartree-Fock
// limit: 2.6e-9 (Al) to 6.2e-9 (As) in averages of configurations. Dirac-Fock energies with a point nucleus are further
// from their limits: He 4e-9, Ne 1e-8, Ar 3e-8, Kr 1e-7, Xe 7e-7, Rn 2e-5.
std::span<const LibraryBasis> basis_library();

// Returns the basis of an element for its first `species` species. Throws an invalid_argument that names dfr.element if
// the library does not contain the element.
GroupedBasis library_basis(int element, std::size_t species);

// Returns an atom in the average of its ground configuration, with the library's basis for the occupied species and the
// nucleus of its most common isotope. Throws an invalid_argument that names dfr.element if the library does not contain
// the element.
Atom library_atom(int element, NuclearModel model);

}  // namespace legato::dfr
