// The multiplication of columns by slices in the grid kernel. A block takes a few columns through all slices of an
// interval.
#pragma once

#include "tmm/grid_point.cuh"

namespace legato::tmm {

template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::load(std::size_t slot, const SlotHead& head) {
    slot_at_ = slot * n_ * rows_;
    x_ = a_.common.slots.psi + slot_at_;
    if (site_ < n_) random().load(a_.common, head, slot, plain ? site_ : site_ / p_.components());
}

template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::store(std::size_t slot) {
    if (site_ < n_) random().store(a_.common, slot, site_);
    wait_all();
}

template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::restart_columns() {
    for (int c = block_; c < n_; c += workers_ + 1)
        for (int row = thread_; row < rows_ && own_.has(c); row += grid_threads)
            __stcg(x_ + static_cast<std::size_t>(c) * rows_ + row, row == c ? 1.0 : 0.0);
    wait_all();
}

// Multiplies the columns in chunks of slices, for which all blocks draw together.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::multiply(int slices) {
    const GridLayout& l = a_.layout;
    for (int done = 0; done < slices;) {
        const int chunk = min(plain ? grid_slices : grid_coupled_slices, slices - done);
        const double* diagonals = potentials();
        if constexpr (!plain) {
            for (int k = 0; k < chunk && site_ < n_; ++k) given_ ? copy_given(done + k, k) : draw_couplings(k);
            wait_all();
        } else if (a_.common.given) {
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
    if (!plain && given_) given_ += static_cast<std::size_t>(slices) * (2 + a_.common.directions) * n_;
}

// Draws what this thread's channel needs in slice k of a chunk.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::draw_couplings(int k) {
    const int components = p_.components(), part = site_ % components;
    draw_channel(random(), a_.common, state().head, part, components, [&](int number, int channel, double value) {
        __stcg(potentials() + (number * grid_coupled_slices + k) * n_ + site_ - part + channel, value);
    });
}

// Copies what is given for this thread's channel, for slice `slice` after those that have been made.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::copy_given(int slice, int k) {
    const double* const from = given_ + static_cast<std::size_t>(slice) * (2 + a_.common.directions) * n_ + site_;
    __stcg(potentials() + k * n_ + site_, from[0]);
    __stcg(before(k) + site_, from[n_]);
    for (int d = 0; d < a_.common.directions; ++d) __stcg(hopping(k, d) + site_, from[(2 + d) * n_]);
}

// Multiplies a few columns by some slices, in shared memory. Each slice exchanges the halves of a column. If the number
// of slices is odd, the halves therefore begin exchanged, so that they end as they are in device memory.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::multiply_columns(int first_column, int columns, const double* diagonals,
                                                            int slices) const {
    double* const in_memory = x_ + static_cast<std::size_t>(first_column) * rows_;
    const int length = columns * rows_;
    int from = slices % 2 * n_;
    __syncthreads();
    if (from == 0)
        for (int at = 2 * thread_; at < length; at += 2 * grid_threads)
            __pipeline_memcpy_async(shared() + at, in_memory + at, 16);
    else  // Copies of 8 bytes pass through the first-level cache, which the barrier before has emptied.
        for (int at = thread_; at < length; at += grid_threads)
            __pipeline_memcpy_async(shared() + at + (at % rows_ < n_ ? n_ : -n_), in_memory + at, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    double here = plain && thread_ < n_ ? __ldcg(diagonals + thread_) : 0.0;
    for (int k = 0; k < slices; ++k) {
        if (plain)
            step(columns, diagonals + static_cast<std::size_t>(k) * n_, k + 1 == slices, here, from, n_ - from);
        else if (p_.components() == 1)
            step_couplings<1>(columns, k, from, n_ - from);
        else if (p_.components() == 2)
            step_couplings<2>(columns, k, from, n_ - from);
        else
            step_couplings<4>(columns, k, from, n_ - from);
        from = n_ - from;
        __syncthreads();
    }
    for (int at = 2 * thread_; at < length; at += 2 * grid_threads)
        __stcg(reinterpret_cast<double2*>(in_memory + at), *reinterpret_cast<const double2*>(shared() + at));
}

// Sets row `row` of the columns in shared memory to value_of(column). Some columns are computed before any of them is
// written, so that they do not wait for each other.
template <bool divided, bool plain>
template <int abreast, class ValueOf>
__device__ void GridPoint<divided, plain>::for_columns(int columns, int row, const ValueOf& value_of) const {
    int first = 0;
    for (; first + abreast <= columns; first += abreast) {
        double values[abreast];
#pragma unroll
        for (int c = 0; c < abreast; ++c) values[c] = value_of(shared() + (first + c) * rows_);
#pragma unroll
        for (int c = 0; c < abreast; ++c) shared()[(first + c) * rows_ + row] = values[c];
    }
#pragma unroll 1
    for (; first < columns; ++first) shared()[first * rows_ + row] = value_of(shared() + first * rows_);
}

// Multiplies by a slice. `here` is the diagonal of the thread's first site. It becomes that of the next slice.
template <bool divided, bool plain>
__device__ void GridPoint<divided, plain>::step(int columns, const double* diagonal, bool is_last, double& here,
                                                int from, int to) const {
    const int m = static_cast<int>(p_.width), count = 2 * (p_.dimension - 1);
    const double inside = -p_.hopping, across = inside * a_.common.wrap;
    for (int s = thread_; s < n_; s += grid_threads) {
        const int x = s % m, y = s / m;
        const int near[4] = {x == 0 ? s + m - 1 : s - 1, x == m - 1 ? s + 1 - m : s + 1,
                             y == 0 ? s + m * (m - 1) : s - m, y == m - 1 ? s - m * (m - 1) : s + m};
        const double hopping[4] = {x == 0 ? across : inside, x == m - 1 ? across : inside, y == 0 ? across : inside,
                                   y == m - 1 ? across : inside};
        // The next diagonal is read early, because it comes from the second-level cache.
        const int next = s + grid_threads < n_ ? s + grid_threads : n_ + thread_;
        const double after = next < n_ || !is_last ? __ldcg(diagonal + next) : 0.0;
        for_columns<grid_abreast(true)>(columns, to + s, [&](const double* column) {
            double sum = -column[to + s];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (k < count) sum = fma(hopping[k], column[from + near[k]], sum);
            return fma(here, column[from + s], sum);
        });
        here = after;
    }
}

// Multiplies by slice k of a chunk, as step() does.
template <bool divided, bool plain>
template <int components>
__device__ void GridPoint<divided, plain>::step_couplings(int columns, int k, int from, int to) const {
    const int m = static_cast<int>(p_.width), count = a_.common.directions;
    for (int s = thread_; s < n_; s += grid_threads) {
        const int site = s / components, part = s % components, x = site % m, y = site / m;
        int near[4] = {x == 0 ? site + m - 1 : site - 1, x == m - 1 ? site + 1 - m : site + 1,
                       y == 0 ? site + m * (m - 1) : site - m, y == m - 1 ? site - m * (m - 1) : site + m};
        if (a_.common.near)
#pragma unroll
            for (int d = 0; d < 4; ++d)
                if (d < count) near[d] = a_.common.near[site * count + d];
        double couplings[4][components];
#pragma unroll
        for (int d = 0; d < 4; ++d)
#pragma unroll
            for (int b = 0; b < components; ++b)
                couplings[d][b] = d < count ? -unit_sign(part, b) * __ldcg(hopping(k, d) + s - part + (part ^ b)) : 0.0;
        const double here = __ldcg(potentials() + k * n_ + s), earlier = __ldcg(before(k) + s);
        for_columns<grid_abreast(false)>(columns, to + s, [&](const double* column) {
            double sum = -earlier * column[to + s];
#pragma unroll
            for (int d = 0; d < 4; ++d)
                if (d < count)
#pragma unroll
                    for (int b = 0; b < components; ++b)
                        sum = fma(couplings[d][b], column[from + near[d] * components + b], sum);
            return fma(here, column[from + s], sum);
        });
    }
}

}  // namespace legato::tmm
