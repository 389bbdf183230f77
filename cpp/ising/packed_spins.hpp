// A system's spins, +1 or -1 of site x + L1 (y + L2 z), out of a run's state and into it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ising/problem.hpp"

namespace legato::ising {

void unpack_spins(const Model& model, std::span<const std::uint32_t> words, std::size_t system,
                  std::span<std::int8_t> spins);  // [sites]
std::vector<std::int8_t> unpacked_spins(const Model& model, std::span<const std::uint32_t> words, std::size_t system);

// Throws an invalid_argument that names the site where a spin is neither.
void pack_spins(const Model& model, std::span<const std::int8_t> spins, std::span<std::uint32_t> words,
                std::size_t system);

}  // namespace legato::ising
