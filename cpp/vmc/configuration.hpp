// The sites of the electrons.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vmc/problem.hpp"

namespace legato::vmc {

struct Configuration {
    std::vector<std::int32_t> up, down;     // [order] sites; the last ones are those of the fictitious pairs
    std::vector<std::int32_t> electron_at;  // [sites] 0: none, k + 1: up electron k, -(l + 1): down electron l

    bool is_empty(std::size_t site) const { return electron_at[site] == 0; }
};

// Returns the configuration with these sites of the real electrons. All sites must be different.
Configuration make_configuration(const Model& model, std::span<const std::int32_t> up,
                                 std::span<const std::int32_t> down);

// Draws a configuration from the uniform distribution. It depends only on the seed, the run, the chain and the number
// of the attempt.
Configuration random_configuration(const Model& model, std::uint32_t chain, std::uint32_t attempt);

}  // namespace legato::vmc
