// The division of a list of atoms into parts that take about the same time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "dfr/engine.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Returns the number of multiply-adds of the exchange in an iteration of all atoms.
double operations(const Problem& problem, std::span<const Atom> atoms);

// Returns the number of the part of each atom, [atoms]. It depends on the atoms and on the number of parts alone.
std::vector<std::size_t> divide(const Problem& problem, std::span<const Atom> atoms, std::size_t parts);

// Returns the atoms of the part that takes longest.
std::vector<Atom> largest_share(const Problem& problem, std::span<const Atom> atoms, std::size_t parts);

// Returns the host memory of the rank that has the most to do, on a backend.
MemoryNeeds host_needs_of_rank(const Context& context, Backend backend, const Problem& problem,
                               std::span<const Atom> atoms);

}  // namespace legato::dfr
