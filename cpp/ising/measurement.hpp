// What a measurement adds up over the words of a packed lattice.
#pragma once

#include <cstdint>
#include <span>

#include "ising/neighbours.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// Of the words first .. first + count - 1 of both colours; added to the values. `spins`: both colours'.
void add_correlations(const Model& model, const std::uint32_t* spins, std::uint32_t first, std::uint32_t count,
                      std::span<std::int64_t> values);

}  // namespace legato::ising
