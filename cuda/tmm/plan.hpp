// Which of the kernels for wide points a problem gets, and how it is cut up, from the device's own limits.
#pragma once

#include <array>
#include <cstddef>

#include "tmm/cluster_layout.hpp"
#include "tmm/engine.hpp"
#include "tmm/grid_layout.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

enum class Regime { cluster, grid };

struct DeviceLimits {
    std::size_t shared_memory = 0;  // bytes a block can have beside its static variables
    std::array<int, 4> clusters{};  // of 1, 2, 4, 8 blocks, a block to a multiprocessor, that run at once
    int only = any_plan;            // or what the tests ask for (engine.hpp)
};

struct Plan {
    Regime regime = Regime::grid;
    ClusterLayout cluster;
    GridLayout grid;
    std::size_t shared_bytes = 0;  // of a block
    int points_at_once = 1;
    double microseconds_per_cycle = 0;  // by the model in plan.cpp; infinite if the problem fits no kernel
};

// The plan with the least modelled time for `points` points in work.
Plan make_plan(const Problem& problem, std::size_t points, const DeviceLimits& limits);

}  // namespace legato::tmm
