#include "tmm/plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace legato::tmm {
namespace {

// Microseconds a panel takes before any arithmetic that scales: factorisation, barriers, exchange.
constexpr double panel_alone = 8.0, panel_in_cluster = 10.0, panel_across_grid = 14.0;
constexpr double slice_alone = 0.4, slice_in_cluster = 1.0;
constexpr double flops_per_microsecond = 0.2e6;  // of one multiprocessor in the panel products

double modelled(const Problem& problem, const WideLayout& layout) {
    const double n = layout.sites, blocks = layout.ranks * layout.groups;
    const double panels = std::ceil(n / wide_panel) + (layout.sites > 64 ? 1 : 0);
    const double panel = layout.groups > 1 ? panel_across_grid : layout.ranks > 1 ? panel_in_cluster : panel_alone;
    const double slice = (layout.ranks > 1 ? slice_in_cluster : slice_alone) + n * n / blocks * 0.12e-3;
    const double staging = layout.groups > 1 ? layout.rows * 0.02 : 0.0;
    return panels * (panel + staging) + static_cast<double>(problem.n_ortho) * slice +
           4 * n * n * n / blocks / flops_per_microsecond;
}

// Derives the layout, with as much of a panel staged at a time as fits; false if none does.
bool fit(WideLayout& layout, std::size_t shared_memory) {
    const auto fits = [&] { return layout.doubles * sizeof(double) + wide_static_bytes <= shared_memory; };
    layout = derive(layout);
    if (layout.groups == 1) return fits();
    for (const int chunk : {wide_chunk, 64}) {
        layout.chunk = std::min(chunk, layout.rows);
        layout = derive(layout);
        if (fits()) return true;
    }
    return false;
}

}  // namespace

WideLayout derive(WideLayout l) {
    const auto ceil_to = [](int value, int unit) { return (value + unit - 1) / unit * unit; };
    l.columns = (l.sites + l.groups - 1) / l.groups;
    l.padded_columns = ceil_to(l.columns, 8);
    l.overlap_stride = l.padded_columns + 4;
    l.slice = (l.sites + l.ranks - 1) / l.ranks;
    l.half = ceil_to(l.slice, 4);
    l.rows = 2 * l.half;
    l.stride = l.rows + 4;
    l.splits = wide_splits(l.padded_columns / 8);
    l.column_doubles = l.padded_columns * l.stride;
    l.part_doubles = l.splits * wide_panel * l.overlap_stride;

    l.stage_at = l.in_shared ? l.column_doubles : 0;
    l.parts_at = l.stage_at + (l.chunk ? wide_panel * (l.chunk + 4) : 0);
    l.overlap_at = l.parts_at + (l.groups > 1 ? 1 : 2) * l.part_doubles;
    l.inverse_at = l.overlap_at + wide_panel * l.overlap_stride;
    // Potentials are wanted while columns are multiplied, panels and overlaps while they are orthonormalised.
    l.diagonal_at = l.stage_at;
    l.near_at = std::max(l.inverse_at + wide_panel * wide_small_stride, l.diagonal_at + wide_slices * l.half);
    l.random_at = l.near_at + 2 * l.half;
    l.doubles = l.random_at + 4 * l.half;

    l.published_panel = l.ranks * wide_panel * l.rows;
    l.published_doubles = 2 * l.published_panel + 2 * wide_panel * wide_small_stride;
    return l;
}

Plan make_plan(const Problem& problem, std::size_t points, const DeviceLimits& limits) {
    Plan best;
    const int sites = static_cast<int>(problem.sites());
    best.microseconds_per_cycle = INFINITY;
    const auto consider = [&](WideLayout layout, Regime regime, int clusters) {
        if (!fit(layout, limits.shared_memory)) return;
        const std::size_t bytes = layout.doubles * sizeof(double);
        const int at_once = regime == Regime::grid ? 1 : clusters;
        const double waves = std::ceil(static_cast<double>(points) / at_once);
        const double time = waves * modelled(problem, layout) * (layout.in_shared ? 1.0 : 3.0);
        if (time < best.microseconds_per_cycle) best = {regime, layout, bytes, at_once, time};
    };
    for (std::size_t i = 0; i < limits.clusters.size(); ++i) {
        const int clusters = limits.clusters[i];
        if (clusters == 0) continue;
        WideLayout layout;
        layout.sites = sites;
        layout.ranks = 1 << i;
        consider(layout, Regime::cluster, clusters);
        for (const bool in_shared : {true, false})
            for (const int share : {1, 2, 4}) {
                layout.in_shared = in_shared;
                // Whole tiles of 8 columns to a group, on all or a part of the device.
                const int most_groups = std::max(1, clusters / share);
                const int columns = ((sites + most_groups - 1) / most_groups + 7) / 8 * 8;
                layout.groups = (sites + columns - 1) / columns;
                if (layout.groups > 1) consider(layout, Regime::grid, clusters);
            }
    }
    if (!std::isfinite(best.microseconds_per_cycle))
        fail(Status::out_of_memory, "tmm.params.width: ", problem.width, " needs more shared memory than the ",
             limits.shared_memory, " bytes a block of this device has");
    return best;
}

}  // namespace legato::tmm
