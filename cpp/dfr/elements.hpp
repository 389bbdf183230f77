// What is taken for granted of a chemical element.
#pragma once

#include <string>
#include <vector>

#include "dfr/problem.hpp"

namespace legato::dfr {

inline constexpr int max_element = 118;

// Electrons in the shells of one n and l, both j together.
struct Subshell {
    int n = 0, l = 0;
    int electrons = 0;
};

// "3d"
inline std::string name_of(int n, int l) {
    return std::to_string(n) + "spdfghi"[l];
}

// Of 1..118, else an invalid_argument that names dfr.element.
const char* symbol_of(int element);
// Of the most abundant isotope, or of the longest-lived one where none is found in nature.
int mass_number_of(int element);
// Of the neutral atom's ground state by experiment (NIST), from 104 on as predicted; in the order of filling, without
// empty ones.
std::vector<Subshell> ground_configuration(int element);

// Root-mean-square radius of the nuclear charge, (0.836 A^(1/3) + 0.570) fm, in bohr of 0.529177249 A
// (W. R. Johnson and G. Soff, At. Data Nucl. Data Tables 33, 405 (1985)).
double nuclear_rms(int mass_number);

// The nucleus of the isotope above, with the radius sqrt(5/3) rms of the uniform sphere and the exponent
// 1.5 / rms^2 of the Gaussian.
Nucleus make_nucleus(int element, NuclearModel model);

}  // namespace legato::dfr
