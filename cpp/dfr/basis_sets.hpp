// Basis sets of atoms, uncontracted or contracted, and how they follow from exponents and from spinors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// Contracted functions that share their exponents. Coefficients multiply primitive functions that are normalised to 1.
struct BasisShell {
    int l = 0;
    int twice_j = 0;                                // the functions are those of this 2j; 0: of both j
    std::vector<double> exponents;                  // [primitive]
    std::vector<std::vector<double>> coefficients;  // [function][primitive]

    bool operator==(const BasisShell&) const = default;
};

struct BasisSet {
    int element = 0;
    std::vector<BasisShell> shells;

    bool operator==(const BasisSet&) const = default;
};

enum class Contraction : int { j_adapted = 0, l_averaged = 1 };

// Throws an invalid_argument, whose message begins with `where`, unless the shell can be used.
void validate(const BasisShell& shell, std::string_view where);

// Returns the index of the set of an element, or the number of sets if it is missing.
std::size_t index_of(const std::vector<BasisSet>& sets, int element);
// Returns the symbols of the elements, with dashes for ranges: "He, Ne-Ar".
std::string elements_of(const std::vector<BasisSet>& sets);

// Returns the exponents [species][function] of the primitive functions, in the order in which the shells first use
// them. Throws if a species has more than max_functions.
std::vector<std::vector<double>> exponents_of(const BasisSet& set, std::string_view where);

// Returns a set of single primitive functions. Both j of an l share their functions if their exponents are the same.
// Throws an invalid_argument that names `field` if a species has an exponent twice.
BasisSet uncontracted_set(int element, const std::vector<std::vector<double>>& exponents,
                          std::string_view field = "exponents");

// Returns a set whose functions are the large components of the occupied spinors of an atom, normalised to 1, and the
// `primitives` single functions with the smallest exponents in each species.
//     j_adapted    one function for each occupied spinor
//     l_averaged   one function for both spinors of the same n and l. It is the mean of the two, weighted with their
//                  2j + 1. Both j must have the same exponents and the same number of occupied spinors.
// Throws an invalid_argument that names `field` if this is impossible.
BasisSet contracted_set(int element, const Atom& atom, const AtomResult& result, Contraction contraction,
                        int primitives, std::string_view field);

}  // namespace legato::dfr
