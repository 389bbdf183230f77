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
constexpr double panel_alone = 10.0, panel_in_cluster = 18.0, panel_on_grid = 33.0;
constexpr double slice_alone = 0.4, slice_in_cluster = 1.0, slice_on_grid = 1.5;
// Rates of one multiprocessor in the panel products, and its time for a component of a column in a slice.
constexpr double flops_in_cluster = 0.2e6, flops_on_grid = 0.35e6;
constexpr double component_in_cluster = 0.12e-3, component_on_grid = 2.1e-3;

double modelled(const Problem& problem, const ClusterLayout& layout) {
    const double n = layout.sites, blocks = layout.ranks;
    const double panels = std::ceil(n / cluster_panel) + (layout.sites >= 64 ? 1 : 0);
    const double slice = (layout.ranks > 1 ? slice_in_cluster : slice_alone) + n * n / blocks * component_in_cluster;
    return panels * (layout.ranks > 1 ? panel_in_cluster : panel_alone) + static_cast<double>(problem.n_ortho) * slice +
           4 * n * n * n / blocks / flops_in_cluster;
}

double modelled(const Problem& problem, const GridLayout& layout) {
    const auto n = static_cast<double>(problem.channels());
    const double slice = slice_on_grid + n * n / layout.blocks * component_on_grid;
    return std::ceil(n / grid_panel) * panel_on_grid + static_cast<double>(problem.n_ortho) * slice +
           4 * n * n * n / layout.blocks / flops_on_grid;
}

// Sets the offsets of the arrays in the working memory of a group.
void place_arrays(GridLayout& layout, int sites) {
    int at = 0;
    const auto place = [&at](int& offset, int doubles) {
        offset = at;
        at += ceil_to(doubles, 16);
    };
    place(layout.potentials_at, grid_slices * sites);
    place(layout.overlaps_at, layout.splits * sites * grid_panel);
    place(layout.grams_at, layout.row_tiles * grid_panel * grid_panel);
    place(layout.coefficients_at, sites * grid_panel);
    place(layout.factors_at, factor_doubles(sites));
    place(layout.log_norms_at, sites);
    layout.doubles = at;
}

// Derives the layout of the grid kernel with groups of `blocks` blocks that have `shared_memory` bytes. Returns false
// if the kernel does not fit: a block draws for at most grid_sites sites, and one block makes the factorisations.
bool fit(GridLayout& layout, std::size_t& bytes, int sites, bool plain, std::size_t shared_memory, int blocks) {
    shared_memory -= std::min(shared_memory, grid_sites * grid_generator_bytes);
    const int rows = 2 * sites;
    const std::size_t column_bytes = sizeof(double) * static_cast<std::size_t>(rows);
    if (std::max(column_bytes, grid_least_bytes) > shared_memory) return false;
    if (blocks < 2 || sites > grid_sites * blocks) return false;
    layout.blocks = blocks;
    int most = static_cast<int>(shared_memory / column_bytes);
    // Columns left over are multiplied one by one, which takes longer.
    if (most > grid_abreast(plain)) most -= most % grid_abreast(plain);
    layout.columns = std::clamp((sites + blocks - 1) / blocks, 1, most);
    layout.split_rows = ceil_to((rows + grid_splits - 1) / grid_splits, grid_chunk);
    layout.splits = (rows + layout.split_rows - 1) / layout.split_rows;
    layout.stages = 3 * grid_stage_bytes <= shared_memory ? 3 : 2;
    layout.row_tiles = (rows + grid_rows - 1) / grid_rows;
    place_arrays(layout, sites);
    bytes = std::max({grid_least_bytes, static_cast<std::size_t>(layout.stages) * grid_stage_bytes,
                      column_bytes * static_cast<std::size_t>(layout.columns)});
    return true;
}

}  // namespace

ClusterLayout derive(ClusterLayout l) {
    l.padded_columns = ceil_to(l.sites, 8);
    l.overlap_stride = l.padded_columns + 4;
    l.slice = (l.sites / l.components + l.ranks - 1) / l.ranks * l.components;
    l.half = ceil_to(l.slice, 4);
    l.rows = 2 * l.half;
    l.stride = l.rows + 4;
    l.splits = row_shares(l.padded_columns / 8);
    l.column_doubles = l.padded_columns * l.stride;
    l.part_doubles = l.splits * cluster_panel * l.overlap_stride;

    l.parts_at = l.column_doubles;
    l.overlap_at = l.parts_at + 2 * l.part_doubles;
    l.inverse_at = l.overlap_at + cluster_panel * l.overlap_stride;
    // Drawn numbers and overlaps share memory: drawn numbers are needed while columns are multiplied, overlaps while
    // they are orthonormalised.
    l.diagonal_at = l.parts_at;
    l.near_at = std::max(l.inverse_at + cluster_panel * cluster_stride,
                         l.diagonal_at + numbers_of_channel * cluster_slices * l.half);
    l.random_at = l.near_at + 2 * l.half;
    l.doubles = l.random_at + 4 * l.half;
    return l;
}

Plan make_plan(const Problem& problem, std::size_t points, const DeviceLimits& limits) {
    const int sites = static_cast<int>(problem.channels());
    Plan best;
    best.microseconds_per_cycle = INFINITY;
    const auto try_groups = [&](int groups, int blocks) {
        Plan plan;
        if (groups < 1 ||
            !fit(plan.grid, plan.shared_bytes, sites, problem.has_plain_hopping(), limits.shared_memory, blocks))
            return;
        plan.grid.groups = plan.points_at_once = groups;
        plan.microseconds_per_cycle = std::ceil(static_cast<double>(points) / groups) * modelled(problem, plan.grid);
        if (plan.microseconds_per_cycle < best.microseconds_per_cycle) best = plan;
    };
    const int multiprocessors = limits.clusters[0];
    const int most_groups = static_cast<int>(std::min<std::size_t>(points, static_cast<std::size_t>(multiprocessors)));
    if (limits.only < any_plan)
        try_groups(std::min(most_groups, multiprocessors / -limits.only), -limits.only);
    else if (limits.only == any_plan || limits.only == grid_plan)
        for (int groups = 1; groups <= most_groups; ++groups) try_groups(groups, multiprocessors / groups);
    for (std::size_t i = 0; i < limits.clusters.size(); ++i) {
        if (limits.clusters[i] == 0 || (limits.only != any_plan && limits.only != 1 << i)) continue;
        ClusterLayout layout;
        layout.sites = sites;
        layout.components = problem.components();
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
