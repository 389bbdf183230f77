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

// zeta_1 = alpha, zeta_2 = alpha beta, zeta_k = zeta_(k-1) beta [1 + gamma (k/K)^delta] for k = 3..K = count
// (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)). None may exceed largest_exponent.
std::vector<double> well_tempered_exponents(const WellTempered& parameters, int count);

struct ExponentRange {
    int first = 0, last = 0;  // in the pool, from 1; 0: none
};

// The functions of a species are those of its range in the pool of its group, which ends where the last of these ranges
// does.
struct WellTemperedBasis {
    std::vector<WellTempered> groups;
    std::vector<int> group;             // [species] from 0
    std::vector<ExponentRange> ranges;  // [species]
};

// Throws an invalid_argument that names the field that is wrong.
void validate(const WellTemperedBasis& basis, std::string_view field);
std::vector<std::vector<double>> exponents_of(const WellTemperedBasis& basis);  // [species][function]

// The functions of an l are for both its j.
struct LibraryBasis {
    int element = 0;
    WellTempered parameters;
    std::array<ExponentRange, 4> ranges;  // s, p, d, f
};

// He..Rn without Ce, Gd, Tb, Ho, Yb (Hennessey, University of Alberta thesis on CUDAProphet, table 2.1). The parameters
// minimise the non-relativistic energy, which is within 5e-9 (relative) of the Hartree-Fock limit: 2.6e-9 (Al)
// to 6.2e-9 (As) in averages of configurations. Dirac-Fock energies with a point nucleus are further from their limits:
// He 4e-9, Ne 1e-8, Ar 3e-8, Kr 1e-7, Xe 7e-7, Rn 2e-5.
std::span<const LibraryBasis> basis_library();

// For the first `species` of an element. An invalid_argument names dfr.element where the library has none.
WellTemperedBasis library_basis(int element, std::size_t species);

// An atom with the library's basis for the shells that are occupied, in the average of its ground configuration, and
// the nucleus of its most common isotope. An invalid_argument names dfr.element where the library has none.
Atom library_atom(int element, NuclearModel model);

}  // namespace legato::dfr
