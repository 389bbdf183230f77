// The plan for a wide problem: which kernel it gets and how it is divided, from the limits of the device.
#pragma once

#include <array>
#include <cstddef>

#include "tmm/cluster_layout.hpp"
#include "tmm/engine.hpp"
#include "tmm/grid_layout.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

enum class WideKernel { cluster, grid };

struct DeviceLimits {
    std::size_t shared_memory = 0;  // bytes that a block can have besides its static variables
    std::array<int, 4> clusters{};  // number of clusters of 1, 2, 4, 8 blocks at once, one block per multiprocessor
    int only = any_plan;            // choice of a test (engine.hpp)
};

struct Plan {
    WideKernel kernel = WideKernel::grid;
    ClusterLayout cluster;
    GridLayout grid;
    std::size_t shared_bytes = 0;  // shared memory of a block
    int points_at_once = 1;
    double microseconds_per_cycle = 0;  // modelled in plan.cpp; infinite if the problem fits no kernel
};

// Returns the plan with the shortest modelled time for `points` points.
Plan make_plan(const Problem& problem, std::size_t points, const DeviceLimits& limits);

}  // namespace legato::tmm
