// Conversion of a system's spins, +1 or -1 by sites x + L1 (y + L2 z), from and to the state of a run.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ising/problem.hpp"

namespace legato::ising {

void unpack_spins(const Model& model, std::span<const std::uint32_t> words, std::size_t system,
                  std::span<std::int8_t> spins);  // [sites]
std::vector<std::int8_t> unpacked_spins(const Model& model, std::span<const std::uint32_t> words, std::size_t system);

// Throws an invalid_argument if the number of spins is wrong, or if a spin is not +1 or -1. The message names the first
// such site.
void pack_spins(const Model& model, std::span<const std::int8_t> spins, std::span<std::uint32_t> words,
                std::size_t system);

// Throws bad_file unless all bits beyond the ends of rows are 0. The words are those from number `first` of the state
// on. `label` stands for the path of their file.
void require_packed(std::string_view label, const Model& model, std::size_t first,
                    std::span<const std::uint32_t> words);

}  // namespace legato::ising
