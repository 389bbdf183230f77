// The multiplication of columns by slices in the grid kernel. A block takes a few columns through all slices of an
// interval.
#pragma once

#include "tmm/grid_point.cuh"

namespace legato::tmm {

template <bool divided>
__device__ void GridPoint<divided>::load(std::size_t slot, const SlotHead& head) {
    slot_at_ = slot * n_ * rows_;
    x_ = a_.common.slots.psi + slot_at_;
    if (site_ < n_) random().load(a_.common, head, slot, site_);
}

template <bool divided>
__device__ void GridPoint<divided>::store(std::size_t slot) {
    if (site_ < n_) random().store(a_.common, slot, site_);
    wait_all();
}

template <bool divided>
__device__ void GridPoint<divided>::restart_columns() {
    for (int c = block_; c < n_; c += workers_ + 1)
        for (int row = thread_; row < rows_ && own_.has(c); row += grid_threads)
            __stcg(x_ + static_cast<std::size_t>(c) * rows_ + row, row == c ? 1.0 : 0.0);
    wait_all();
}

// Multiplies the columns in chunks of at most grid_slices slices, whose potentials all blocks draw together.
template <bool divided>
__device__ void GridPoint<divided>::multiply(int slices) {
    const GridLayout& l = a_.layout;
    for (int done = 0; done < slices;) {
        const int chunk = min(grid_slices, slices - done);
        const double* diagonals = potentials();
        if (a_.common.given) {
            diagonals = a_.common.given + static_cast<std::size_t>(done) * n_;
        } else {
            if (site_ < n_) {
                SiteRandom random = this->random();
                for (int k = 0; k < chunk; ++k) {
                    __stcg(potentials() + k * n_ + site_, state().head.energy - random.draw(p_, state().head.strength));
                    random.skip(p_, a_.common.leap);
                }
                this->random() = random;
            }
            wait_all();
        }
        const int shares = divided ? (grid_panel + l.columns - 1) / l.columns : 1, pieces = own_.pieces(0, n_);
        for (int unit = block_; divided && unit < pieces * shares; unit += workers_ + 1) {
            const Piece piece = own_.piece(0, n_, unit / shares);
            const int c = piece.first + unit % shares * l.columns;
            if (c < piece.end) multiply_columns(c, min(l.columns, piece.end - c), diagonals, chunk);
        }
        for (int c = block_ * l.columns; !divided && c < n_; c += (workers_ + 1) * l.columns)
            multiply_columns(c, min(l.columns, n_ - c), diagonals, chunk);
        wait_all();
        done += chunk;
    }
}

// Multiplies a few columns by some slices, in shared memory.
template <bool divided>
__device__ void GridPoint<divided>::multiply_columns(int first_column, int columns, const double* diagonals,
                                                     int slices) const {
    double* const columns_in_memory = x_ + static_cast<std::size_t>(first_column) * rows_;
    __syncthreads();
    for (int i = thread_; i < columns * rows_; i += grid_threads) shared()[i] = __ldcg(columns_in_memory + i);
    __syncthreads();
    int from = 0;
    for (int k = 0; k < slices; ++k) {
        step(columns, diagonals + static_cast<std::size_t>(k) * n_, from, n_ - from);
        from = n_ - from;
        __syncthreads();
    }
    for (int c = 0; c < columns; ++c)
        for (int s = thread_; s < n_; s += grid_threads) {
            const double* const column = shared() + c * rows_;
            __stcg(columns_in_memory + c * rows_ + s, column[from + s]);
            __stcg(columns_in_memory + c * rows_ + n_ + s, column[n_ - from + s]);
        }
}

template <bool divided>
__device__ void GridPoint<divided>::step(int columns, const double* diagonal, int from, int to) const {
    const int m = static_cast<int>(p_.width), count = 2 * (p_.dimension - 1);
    const double inside = -p_.hopping, across = inside * a_.common.wrap;
    for (int s = thread_; s < n_; s += grid_threads) {
        const int x = s % m, y = s / m;
        const int near[4] = {x == 0 ? s + m - 1 : s - 1, x == m - 1 ? s + 1 - m : s + 1,
                             y == 0 ? s + m * (m - 1) : s - m, y == m - 1 ? s - m * (m - 1) : s + m};
        const double hopping[4] = {x == 0 ? across : inside, x == m - 1 ? across : inside, y == 0 ? across : inside,
                                   y == m - 1 ? across : inside};
        const double here = __ldcg(diagonal + s);
#pragma unroll 4
        for (int c = 0; c < columns; ++c) {
            double* const column = shared() + c * rows_;
            double sum = -column[to + s];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (k < count) sum = fma(hopping[k], column[from + near[k]], sum);
            column[to + s] = fma(here, column[from + s], sum);
        }
    }
}

}  // namespace legato::tmm
