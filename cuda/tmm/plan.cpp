#include "tmm/plan.hpp"

#include <algorithm>
#include <cmath>

namespace legato::tmm {
namespace {

int ceil_to(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

// Microseconds, measured on an H200, of a panel (factorisation, barriers, exchange) and of a multiplication, without
// the arithmetic that scales with the size.
constexpr double panel_alone = 10.0, panel_in_cluster = 14.0, panel_on_grid = 34.0;
constexpr double slice_alone = 0.4, slice_in_cluster = 1.0, slice_on_grid = 1.5;
constexpr double flops_per_microsecond = 0.2e6;  // rate of one multiprocessor in the panel products

double modelled(const Problem& problem, const ClusterLayout& layout) {
    const double n = layout.sites, blocks = layout.ranks;
    const double panels = std::ceil(n / cluster_panel) + (layout.sites >= 64 ? 1 : 0);
    const double slice = (layout.ranks > 1 ? slice_in_cluster : slice_alone) + n * n / blocks * 0.12e-3;
    return panels * (layout.ranks > 1 ? panel_in_cluster : panel_alone) + static_cast<double>(problem.n_ortho) * slice +
           4 * n * n * n / blocks / flops_per_microsecond;
}

double modelled(const Problem& problem, int multiprocessors) {
    const auto n = static_cast<double>(problem.sites());
    const double slice = slice_on_grid + n * n / multiprocessors * 0.12e-3;
    return std::ceil(n / grid_panel) * panel_on_grid + static_cast<double>(problem.n_ortho) * slice +
           4 * n * n * n / multiprocessors / flops_per_microsecond;
}

// Derives the layout of the grid kernel. Returns false if the kernel does not fit: it needs a thread for every site,
// and one block for the factorisations only.
bool fit(GridLayout& layout, std::size_t& bytes, int sites, const DeviceLimits& limits) {
    const int rows = 2 * sites, multiprocessors = limits.clusters[0];
    const std::size_t column_bytes = sizeof(double) * static_cast<std::size_t>(rows);
    if (std::max(column_bytes, grid_least_bytes) > limits.shared_memory) return false;
    if (multiprocessors < 2 || sites > grid_threads * multiprocessors) return false;
    const int most = static_cast<int>(limits.shared_memory / column_bytes);
    layout.columns = std::clamp((sites + multiprocessors - 1) / multiprocessors, 1, most);
    layout.split_rows = std::max(grid_chunk, ceil_to((rows + grid_splits - 1) / grid_splits, 2));
    layout.splits = (rows + layout.split_rows - 1) / layout.split_rows;
    layout.stages = 3 * grid_stage_bytes <= limits.shared_memory ? 3 : 2;
    layout.strips = sites <= grid_few ? 1 : grid_strips;
    bytes = std::max({grid_least_bytes, static_cast<std::size_t>(layout.stages) * grid_stage_bytes,
                      column_bytes * static_cast<std::size_t>(layout.columns)});
    return true;
}

}  // namespace

ClusterLayout derive(ClusterLayout l) {
    l.padded_columns = ceil_to(l.sites, 8);
    l.overlap_stride = l.padded_columns + 4;
    l.slice = (l.sites + l.ranks - 1) / l.ranks;
    l.half = ceil_to(l.slice, 4);
    l.rows = 2 * l.half;
    l.stride = l.rows + 4;
    l.splits = row_shares(l.padded_columns / 8);
    l.column_doubles = l.padded_columns * l.stride;
    l.part_doubles = l.splits * cluster_panel * l.overlap_stride;

    l.parts_at = l.column_doubles;
    l.overlap_at = l.parts_at + 2 * l.part_doubles;
    l.inverse_at = l.overlap_at + cluster_panel * l.overlap_stride;
    // Potentials and overlaps share memory: potentials are needed while columns are multiplied, overlaps while they are
    // orthonormalised.
    l.diagonal_at = l.parts_at;
    l.near_at = std::max(l.inverse_at + cluster_panel * cluster_stride, l.diagonal_at + cluster_slices * l.half);
    l.random_at = l.near_at + 2 * l.half;
    l.doubles = l.random_at + 4 * l.half;
    return l;
}

Plan make_plan(const Problem& problem, std::size_t points, const DeviceLimits& limits) {
    const int sites = static_cast<int>(problem.sites());
    Plan best;
    best.microseconds_per_cycle = INFINITY;
    if ((limits.only == any_plan || limits.only == grid_plan) && fit(best.grid, best.shared_bytes, sites, limits))
        best.microseconds_per_cycle = static_cast<double>(points) * modelled(problem, limits.clusters[0]);
    for (std::size_t i = 0; i < limits.clusters.size(); ++i) {
        if (limits.clusters[i] == 0 || (limits.only != any_plan && limits.only != 1 << i)) continue;
        ClusterLayout layout;
        layout.sites = sites;
        layout.ranks = 1 << i;
        layout = derive(layout);
        const std::size_t bytes = static_cast<std::size_t>(layout.doubles) * sizeof(double);
        if (bytes > limits.shared_memory) continue;
        const double time = std::ceil(static_cast<double>(points) / limits.clusters[i]) * modelled(problem, layout);
        if (time < best.microseconds_per_cycle)
            best = {WideKernel::cluster, layout, {}, bytes, limits.clusters[i], time};
    }
    return best;
}

}  // namespace legato::tmm
