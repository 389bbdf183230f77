// Sums of a measurement over the words of a packed lattice.
#pragma once

#include <cstdint>
#include <span>

#include "ising/neighbours.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// Adds the correlations of words first .. first + count - 1 of both colours to the values. `spins`: those of both
// colours.
void add_correlations(const Model& model, const std::uint32_t* spins, std::uint32_t first, std::uint32_t count,
                      std::span<std::int64_t> values);

// Adds the magnetisations of the planes (lines) across the last axis only.
void add_planes(const Model& model, const std::uint32_t* spins, std::uint32_t first, std::uint32_t count,
                std::span<std::int64_t> values);

}  // namespace legato::ising
