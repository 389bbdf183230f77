// Where the electrons are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vmc/problem.hpp"

namespace legato::vmc {

struct Configuration {
    std::vector<std::int32_t> up, down;     // [order] sites; the last ones are the fictitious pairs'
    std::vector<std::int32_t> electron_at;  // [sites] 0: none, k + 1: up electron k, -(l + 1): down electron l

    bool is_empty(std::size_t site) const { return electron_at[site] == 0; }
};

// From the sites of the real electrons, all different.
Configuration make_configuration(const Model& model, std::span<const std::int32_t> up,
                                 std::span<const std::int32_t> down);

// Attempt number `attempt` of a chain to draw one: uniform, a function of seed, run, chain and attempt only.
Configuration random_configuration(const Model& model, std::uint32_t chain, std::uint32_t attempt);

}  // namespace legato::vmc
