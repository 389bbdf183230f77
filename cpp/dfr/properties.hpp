// What follows from the spinors of a finished atom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// Electrons in each state of a species, lowest first: full shells, then the open one.
double occupation(const Configuration& configuration, int species, std::size_t orbital);

// <r^power> = int (P^2 + Q^2) r^power dr of one spinor; -2 <= power <= 10, and above -(2 l + 3) and, with small
// components, above -(2 l' + 3), l' their own l: else the integral diverges.
double radial_moment(const Atom& atom, const AtomResult& result, int species, std::size_t orbital, int power);

// 4 pi r^2 times the electron density: sum over spinors of occupation (P^2 + Q^2) at each r.
std::vector<double> radial_density(const Atom& atom, const AtomResult& result, std::span<const double> r);

}  // namespace legato::dfr
