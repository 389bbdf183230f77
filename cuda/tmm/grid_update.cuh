// The update of the columns by a finished panel in the grid kernel, and the division of a panel by R. A unit of this
// work is a tile of 64 rows and up to 64 columns.
#pragma once

#include "tmm/grid_point.cuh"

namespace legato::tmm {

// Updates all columns after the panel of `width` columns at `first`. Those of the next panel come first, with its G.
// Without a panel (width 0) it computes only that G. It ends with a barrier of the group; the last block passes it when
// it has R. If the next panel is expected to be steep, the other blocks must wait for R, and the last block takes part
// in the update when it has R. Otherwise they go on, and so do blocks of a divided point.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::update(int first, int width, bool steep_is_expected) {
    const int begin = first + width;
    next_ = {begin, min(begin + grid_panel, n_)};
    leader_ = own_.owner(begin);
    whole_ = leader_ == own_.owner(next_.end - 1);
    ++panels_;
    const int urgent = own_.pieces(begin, next_.end), others = width == 0 ? 0 : own_.pieces(next_.end, n_);
    const int units = (urgent + others) * row_tiles_;
    const auto unit_of = [&](int number) {
        const int piece = number / row_tiles_;
        const bool is_urgent = piece < urgent;
        return Unit{first, width,
                    is_urgent ? own_.piece(begin, next_.end, piece) : own_.piece(next_.end, n_, piece - urgent),
                    number % row_tiles_, is_urgent};
    };
    const bool helps = last_block_helps(steep_is_expected);
    if (factorises() && !helps) {
        signals_.arrive();
        make_next_factors(begin);
        signals_.pass();
        skip_units(units, workers_, workers_);
        return;
    }
    if (factorises()) make_next_factors(begin);
    Pipeline pipeline{factors_of_columns(), true};
    share_units(units, workers_, helps ? workers_ + 1 : workers_,
                [&](int number, int next) { apply(pipeline, unit_of(number), next < units ? unit_of(next) : Unit{}); });
    if constexpr (divided) await_next();
    wait_all();
    if constexpr (divided) gram_of_next();
}

// Waits for the columns of the next panel that other devices have.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::await_next() {
    if (block_ != workers_ - 1) return;
    const int owner = own_.owner(next_.end - 1);
    if (leader_ != a_.share.part) signals_.await_rows(leader_, panels_);
    if (!whole_ && owner != a_.share.part) signals_.await_rows(owner, panels_);
}

// Computes G of the next panel if several devices had its columns.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::gram_of_next() {
    if (whole_ || leader_ != a_.share.part) return;
    for (int tile = block_; tile < row_tiles_; tile += workers_) {
        __syncthreads();
        tile_of(shared(), next_.first, next_.end - next_.first, tile).start();
        __pipeline_commit();
        __pipeline_wait_prior(0);
        gram(shared(), tile);
    }
}

// Computes X_p <- X_p R^-1 of the panel that begins at column `first`, and its new G. The last block factorises it,
// while the others go on.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::replace_panel(int first) {
    const int width = __ldcg(factors_of_panels().widths + first);
    share_units(row_tiles_, workers_ + 1, workers_ + 1, [&](int tile, int) { replace_rows(first, width, tile); });
    if (!factorises()) return wait_all();
    signals_.arrive();
    await_gram();
    refactorise(first);
    signals_.pass();
}

// Does this for a tile of rows, and computes its share of G.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::replace_rows(int first, int width, int tile) {
    double* const panel = shared();
    double* const factors = panel + tile_doubles;
    __syncthreads();
    tile_of(panel, first, width, tile).start();
    factors_of(factors, factors_of_panels().inverses, first, width).start();
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    solve_rows<grid_panel, 1>(panel + 8 * warp_, grid_stride, width, factors, factors, grid_stride);
    __syncthreads();
    const int row = tile * grid_rows + 2 * lane_;
    for (int place = warp_; place < width && row < rows_; place += grid_warps)
        __stcg(reinterpret_cast<double2*>(x_ + (first + place) * rows_ + row),
               *reinterpret_cast<const double2*>(panel + place * grid_stride + 2 * lane_));
    gram(panel, tile);
}

// Computes X_p <- X_p R^-1 of every panel.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::normalise() {
    // Goes through the panels and their pieces to the unit of a number. Numbers only increase.
    int first = 0, width = 0, piece = 0, passed = 0;
    const auto unit_of = [&](int number) {
        for (; first < n_; first += width, piece = 0) {
            width = __ldcg(factors_of_panels().widths + first);
            for (; piece < own_.pieces(first, first + width); ++piece, passed += row_tiles_)
                if (number - passed < row_tiles_)
                    return Unit{first, width, own_.piece(first, first + width, piece), number - passed, false};
        }
        return Unit{};
    };
    Pipeline pipeline{factors_of_panels().inverses, false};
    int number = block_;
    for (Unit unit = unit_of(number); unit.width > 0;) {
        const Unit next = unit_of(number += workers_ + 1);
        apply(pipeline, unit, next);
        unit = next;
    }
}

// Returns the copies of what a unit needs: the panel; the columns, if they are added to; and the factors, unless shared
// memory has them. If there are two buffers, new factors go to the other one.
template <bool divided, bool plain>
__device__ typename GridPoint<divided, plain>::UnitCopies GridPoint<divided, plain>::copies_of(Pipeline& pipeline,
                                                                                               const Unit& unit) const {
    const int column0 = unit.columns.first, columns = unit.columns.end - column0;
    double* const panel = shared() + pipeline.buffer * unit_doubles;
    UnitCopies copies;
    copies.panel = tile_of(panel, unit.first, unit.width, unit.tile);
    if (pipeline.adds) copies.columns = tile_of(panel + tile_doubles, column0, columns, unit.tile);
    if (pipeline.factors_of == column0) return copies;
    pipeline.factors_of = column0;
    if (a_.layout.stages > 2) pipeline.factors_in ^= 1;
    copies.factors = factors_of(factors_in(pipeline), pipeline.factors, column0, unit.width > 0 ? columns : 0);
    return copies;
}

// Computes a unit: the panel's columns times factors[column][place in the panel] are added to the columns, or replace
// them. If shared memory is large enough, what the next unit needs is copied meanwhile.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::apply(Pipeline& pipeline, const Unit& unit, const Unit& next) {
    static_assert(2 * unit_doubles * sizeof(double) <= 3 * grid_stage_bytes);
    UnitCopies copies;
    __syncthreads();
    if (!pipeline.has_begun) {
        copies = copies_of(pipeline, unit);
        for (int part = 0; part < TileCopy::parts; ++part) copies.start(part);
        __pipeline_commit();
        copies = {};
    }
    double* const panel = shared() + pipeline.buffer * unit_doubles;
    double* const columns = panel + tile_doubles;
    const double* const factors = factors_in(pipeline);
    pipeline.has_begun = a_.layout.stages > 2 && next.columns.end > 0;
    if (pipeline.has_begun) {
        pipeline.buffer ^= 1;
        copies = copies_of(pipeline, next);
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    double c[4][2][2] = {};
    if (pipeline.adds)
        each_of_tile(c, [&](int column, int row, double(&value)[2]) {
            const double2 old = *reinterpret_cast<const double2*>(columns + column * grid_stride + row);
            value[0] = old.x;
            value[1] = old.y;
        });
    tile_products<1, grid_stride>(c, factors, panel, [&](int part) { copies.start(part); });
    __pipeline_commit();
    if (unit.wants_gram) finish_urgent(unit, columns, c);  // first, because the last block waits for G
    const int row0 = unit.tile * grid_rows, column0 = unit.columns.first;
    each_of_tile(c, [&](int column, int row, const double(&value)[2]) {
        if (row0 + row < rows_ && column0 + column < unit.columns.end)
            __stcg(reinterpret_cast<double2*>(x_ + (column0 + column) * rows_ + row0 + row),
                   double2{value[0], value[1]});
    });
}

// Computes the share of a tile of rows in G of the next panel, from the columns that apply() has just updated. If the
// point is divided, sends them to the other devices.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::finish_urgent(const Unit& unit, double* columns,
                                                         const double (&c)[4][2][2]) {
    each_of_tile(c, [&](int column, int row, const double(&value)[2]) {
        *reinterpret_cast<double2*>(columns + column * grid_stride + row) = double2{value[0], value[1]};
    });
    if constexpr (divided) send_tile(columns, unit);
    if (whole_) gram(columns, unit.tile);
    if constexpr (divided) signals_.send_rows(unit.tile, panels_);
}

// Writes the unit's columns, which are in shared memory, to the other devices.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::send_tile(const double* columns, const Unit& unit) const {
    const int row = unit.tile * grid_rows + 2 * lane_;
    __syncthreads();
    for (int part = 0; part < a_.share.parts; ++part) {
        if (part == a_.share.part) continue;
        double* const to =
            a_.share.peers[part].psi + slot_at_ + static_cast<std::size_t>(unit.columns.first) * rows_ + row;
#pragma unroll 4
        for (int place = warp_; place < unit.columns.end - unit.columns.first; place += grid_warps)
            if (row < rows_)
                __stcg(reinterpret_cast<double2*>(to + static_cast<std::size_t>(place) * rows_),
                       *reinterpret_cast<const double2*>(columns + place * grid_stride + 2 * lane_));
    }
}

// Computes the share of a tile of rows in G of the columns in shared memory. Counts the tile, for the last block.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::gram(const double* columns, int tile) {
    __syncthreads();
    double sums[4][2][2] = {};
    tile_products<grid_stride, 1>(sums, columns, columns, [](int) {});
    double* const out = grams() + tile * grid_panel * grid_panel;
    each_of_tile(sums, [&](int place, int column, const double(&value)[2]) {
        for (int d = 0; d < 2; ++d) __stcg(out + (column + d) * grid_panel + place, value[d]);
    });
    __threadfence();
    __syncthreads();
    if (thread_ == 0) atomicAdd(&counters_.tiles_done.value, 1u);
}

}  // namespace legato::tmm
