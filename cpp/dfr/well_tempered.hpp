// Well-tempered exponents, and the built-in library of basis sets of that form.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "dfr/problem.hpp"

namespace legato::dfr {

struct WellTempered {
    double alpha = 0, beta = 0, delta = 0, gamma = 0;
};

// Returns zeta_1 = alpha, zeta_2 = alpha beta, zeta_k = zeta_(k-1) beta [1 + gamma (k/K)^delta] for k = 3..K = count
// (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)). Throws if one exceeds largest_exponent.
std::vector<double> well_tempered_exponents(const WellTempered& parameters, int count);

struct ExponentRange {
    int first = 0, last = 0;  // numbers in the pool, from 1; 0 if there are none
};

// The functions of a species are those of its range in the pool of its group. The pool ends where the last of these
// ranges ends.
struct WellTemperedBasis {
    std::vector<WellTempered> groups;
    std::vector<int> group;             // [species] number of its group, from 0
    std::vector<ExponentRange> ranges;  // [species]
};

// Throws an invalid_argument that names the wrong field.
void validate(const WellTemperedBasis& basis, std::string_view field);
std::vector<std::vector<double>> exponents_of(const WellTemperedBasis& basis);  // [species][function]

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
WellTemperedBasis library_basis(int element, std::size_t species);

// Returns an atom in the average of its ground configuration, with the library's basis for the occupied species and the
// nucleus of its most common isotope. Throws an invalid_argument that names dfr.element if the library does not contain
// the element.
Atom library_atom(int element, NuclearModel model);

}  // namespace legato::dfr
