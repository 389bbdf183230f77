// Data of the chemical elements: symbols, isotopes, ground configurations and nuclear radii.
#pragma once

#include <string>
#include <vector>

#include "dfr/problem.hpp"

namespace legato::dfr {

inline constexpr int max_element = 118;

// The electrons in the shells of one n and l, both j together.
struct Subshell {
    int n = 0, l = 0;
    int electrons = 0;
};

// Returns the name, for example "3d".
inline std::string name_of(int n, int l) {
    return std::to_string(n) + "spdfghi"[l];
}

// Returns the symbol of an element. This and the other functions of `element` throw an invalid_argument that names
// dfr.element unless it is in 1..118.
const char* symbol_of(int element);
// Returns the mass number of the most abundant isotope, or of the longest-lived one if none is found in nature.
int mass_number_of(int element);
// Returns the subshells of the neutral atom's ground state in the order of filling, without empty ones. They are
// experimental (NIST) up to element 103, and predictions from 104 on.
std::vector<Subshell> ground_configuration(int element);

// Returns the root-mean-square radius of the nuclear charge, (0.836 A^(1/3) + 0.570) fm, in bohr of 0.529177249 A (W.
// R. Johnson and G. Soff, At. Data Nucl. Data Tables 33, 405 (1985)).
double nuclear_rms(int mass_number);

inline constexpr double femtometres_a_bohr = 0.529177249e5;
inline constexpr double nuclear_skin = 2.30 / femtometres_a_bohr;  // skin thickness of the Fermi nuclei

// Returns the nucleus of the isotope that mass_number_of() gives. The uniform sphere has the radius sqrt(5/3) rms, and
// the Gaussian the exponent 1.5 / rms^2. The Fermi distribution has the thickness nuclear_skin, and the half-density
// radius that gives rms. Hydrogen has none: the skin alone makes the radius larger.
Nucleus make_nucleus(int element, NuclearModel model);

}  // namespace legato::dfr
