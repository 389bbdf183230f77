// The mean repulsion of densities on the logarithmic grid (cpp/dfr/log_grid.hpp), in four kernels over all jobs of a
// call at once. Matrices are column-major, as on the host.
#pragma once

#include <cstdint>

#include "dfr/quadrature.hpp"

namespace legato::dfr {

// The data of `Kernels`, which all atoms share.
struct DeviceKernels {
    int reach, species;
    const double* coulomb;   // [2 reach - 1]
    const double* exchange;  // [species x species][2 reach - 1]
    const double* magnetic;  // [Pair][species x species][2 reach - 1], only read by kernels with `magnetic`
};

struct DeviceAtom {
    int points;
    const double* inverse_root_radius;  // [points]
};

struct DeviceDensity {
    const DeviceAtom* atom;
    int species, functions, spinors;
    const double *phi_large, *phi_small;       // [points x functions]; phi_small is null without relativity
    const double *large, *small;               // [functions x spinors]
    double *grid_large, *grid_small, *charge;  // [points x spinors] times r^(-1/2), [points]
};

struct DeviceTarget {
    const DeviceAtom* atom;
    int species, functions;
    int first_density, densities;  // densities of this atom
    const double* factors;         // [densities]
    const double *phi_large, *phi_small;
    double* potential;  // [points] times r^(-1/2)
    double* half;       // [pairs][points x functions]
    double* out;        // [order x order]
};

inline constexpr int point_threads = 128;
inline constexpr int tile = 32;         // number of points of a tile
inline constexpr int column_tile = 48;  // number of functions per block of the exchange kernel
inline constexpr int exchange_threads = 256;

// The launch grid is (points / point_threads, densities).
__global__ void density_on_grid(const DeviceDensity* densities) {
    const DeviceDensity d = densities[blockIdx.y];
    const int points = d.atom->points, i = blockIdx.x * point_threads + threadIdx.x;
    if (i >= points) return;
    const double weight = d.atom->inverse_root_radius[i];
    double charge = 0;
    for (int a = 0; a < d.spinors; ++a) {
        double large = 0, small = 0;
        for (int p = 0; p < d.functions; ++p) {
            large += d.phi_large[p * points + i] * d.large[a * d.functions + p];
            if (d.phi_small) small += d.phi_small[p * points + i] * d.small[a * d.functions + p];
        }
        charge += large * large + small * small;
        d.grid_large[a * points + i] = weight * large;
        if (d.phi_small) d.grid_small[a * points + i] = weight * small;
    }
    d.charge[i] = weight * charge;
}

// The launch grid is (points / point_threads, targets). Shared memory holds the charge, [points].
__global__ void coulomb_potential(DeviceKernels kernels, const DeviceTarget* targets, const DeviceDensity* densities) {
    extern __shared__ double charge[];
    const DeviceTarget t = targets[blockIdx.y];
    const int points = t.atom->points;
    if (static_cast<int>(blockIdx.x) * point_threads >= points) return;
    for (int j = threadIdx.x; j < points; j += point_threads) {
        double sum = 0;
        for (int d = 0; d < t.densities; ++d) sum += t.factors[d] * densities[t.first_density + d].charge[j];
        charge[j] = sum;
    }
    __syncthreads();
    const int i = blockIdx.x * point_threads + threadIdx.x;
    if (i >= points) return;
    const double* const kernel = kernels.coulomb + kernels.reach - 1 + i;
    double sum = 0;
    for (int j = 0; j < points; ++j) sum += kernel[-j] * charge[j];
    t.potential[i] = sum * t.atom->inverse_root_radius[i];
}

// Returns the sum over spinors of bra_i ket_j.
__device__ __forceinline__ double product_of(const double* bra, const double* ket, int i, int j, int points,
                                             int spinors) {
    double product = 0;
    for (int a = 0; a < spinors; ++a) product += bra[a * points + i] * ket[a * points + j];
    return product;
}

// Computes Z Phi for one tile of rows: Z_ij = sum over densities of factor M(i-j) sum over spinors of bra_i ket_j. With
// `magnetic`, Gaunt and Breit add such terms with the opposite components of the density; without the bound of 4 blocks
// the compiler would spill registers then. The launch grid is (row tiles * column tiles, pairs, targets).
template <bool magnetic>
__global__ void __launch_bounds__(exchange_threads, magnetic ? 4 : 0)
    exchange_half(DeviceKernels kernels, const DeviceTarget* targets, const DeviceDensity* densities,
                  int column_tiles) {
    __shared__ double z[tile][tile + 1];           // [j][i]
    __shared__ double phi[column_tile][tile + 1];  // [q][j]
    const DeviceTarget t = targets[blockIdx.z];
    const int pair = blockIdx.y, points = t.atom->points, row = static_cast<int>(blockIdx.x) / column_tiles * tile,
              column = static_cast<int>(blockIdx.x) % column_tiles * column_tile;
    if (row >= points || column >= t.functions) return;
    const double* const right = pair == large_large ? t.phi_large : t.phi_small;
    const int lane = threadIdx.x % tile, group = threadIdx.x / tile, groups = exchange_threads / tile;
    constexpr int own = column_tile / (exchange_threads / tile);
    double sum[own] = {};
    for (int start = 0; start < points; start += tile) {
        const int i = row + lane;
        for (int jj = group; jj < tile; jj += groups) {
            const int j = start + jj;
            double value = 0;
            if (i < points && j < points)
                for (int d = 0; d < t.densities; ++d) {
                    if (t.factors[d] == 0.0) continue;
                    const DeviceDensity& density = densities[t.first_density + d];
                    const double* const bra = pair == small_small ? density.grid_small : density.grid_large;
                    const double* const ket = pair == large_large ? density.grid_large : density.grid_small;
                    const double product = product_of(bra, ket, i, j, points, density.spinors);
                    const int place = t.species * kernels.species + density.species, length = 2 * kernels.reach - 1;
                    const double* const kernel = kernels.exchange + place * length;
                    value += t.factors[d] * kernel[kernels.reach - 1 + i - j] * product;
                    if constexpr (magnetic) {
                        const double* const left = pair == small_small ? density.grid_large : density.grid_small;
                        const double* const other = pair == large_large ? density.grid_small : density.grid_large;
                        const double* const of_pair =
                            kernels.magnetic + (pair * kernels.species * kernels.species + place) * length;
                        value += t.factors[d] * of_pair[kernels.reach - 1 + i - j] *
                                 product_of(left, other, i, j, points, density.spinors);
                    }
                }
            z[jj][lane] = value;
        }
        for (int q = group; q < column_tile; q += groups)
            phi[q][lane] =
                column + q < t.functions && start + lane < points ? right[(column + q) * points + start + lane] : 0.0;
        __syncthreads();
        for (int jj = 0; jj < tile; ++jj) {
            const double zij = z[jj][lane];
#pragma unroll
            for (int c = 0; c < own; ++c) sum[c] += zij * phi[group * own + c][jj];
        }
        __syncthreads();
    }
    double* const half = t.half + static_cast<std::int64_t>(pair) * points * t.functions;
    for (int c = 0; c < own; ++c) {
        const int q = column + group * own + c;
        if (q < t.functions && row + lane < points) half[q * points + row + lane] = sum[c];
    }
}

// Computes element (p, q) of the block of a pair, sum_i left_p(i) (v(i) right_q(i) - half_q(i)), with one warp per
// element. The launch grid is (functions^2 / warps of a block, pairs, targets).
__global__ void finish_repulsion(const DeviceTarget* targets, int order_per_functions) {
    const DeviceTarget t = targets[blockIdx.z];
    const int pair = blockIdx.y, points = t.atom->points, n = t.functions, order = order_per_functions * n;
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const int element = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
    if (element >= n * n) return;
    const int p = element % n, q = element / n;
    if (pair != large_small && p < q) return;
    const double* const left = (pair == small_small ? t.phi_small : t.phi_large) + p * points;
    const double* const right = (pair == large_large ? t.phi_large : t.phi_small) + q * points;
    const double* const half = t.half + (static_cast<std::int64_t>(pair) * n + q) * points;
    double sum = 0;
    for (int i = lane; i < points; i += 32)
        sum += left[i] * ((pair == large_small ? 0.0 : t.potential[i] * right[i]) - half[i]);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane != 0) return;
    const int row = pair == small_small ? n + p : p, column_of = pair == large_large ? q : n + q;
    t.out[static_cast<std::int64_t>(column_of) * order + row] = sum;
    t.out[static_cast<std::int64_t>(row) * order + column_of] = sum;
}

}  // namespace legato::dfr
