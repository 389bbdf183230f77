// Which kernel a problem gets on a device, from the device's own limits.
#pragma once

#include <array>
#include <cstddef>

#include "tmm/problem.hpp"
#include "tmm/wide_layout.hpp"

namespace legato::tmm {

enum class Regime { small, cluster, grid };

struct DeviceLimits {
    std::size_t shared_memory = 0;  // bytes a block can have
    std::array<int, 4> clusters{};  // of 1, 2, 4, 8 blocks, a block to a multiprocessor, that run at once
};

struct Plan {
    Regime regime = Regime::small;
    WideLayout layout;             // of the cluster and grid regimes
    std::size_t shared_bytes = 0;  // of a block, likewise
    int points_at_once = 1;
    double microseconds_per_cycle = 0;  // by the model below
};

// The plan with the least modelled time for `points` points in work.
Plan make_plan(const Problem& problem, std::size_t points, const DeviceLimits& limits);

}  // namespace legato::tmm
