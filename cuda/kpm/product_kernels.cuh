// Products of vectors on a device, with FP64 matrix instructions.
//
// The numbers of the vectors are divided into chunks. A block computes the products of a tile of vectors in one chunk,
// and a second kernel adds the chunks in their order. All tiles add the numbers of a chunk in the same order, so that a
// product is bitwise identical in any tile, and for any other vectors.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/matrix_multiply.cuh"

namespace legato::kpm {
inline namespace engine_parts {

// Numbers of each vector that are in shared memory at a time, and their distance there. With it, the lanes of a half
// warp read different banks.
constexpr int stage_numbers = 32, stage_pitch = stage_numbers + 4;
constexpr int product_stages = 3, product_threads = 256, product_warps = product_threads / 32;

// Returns the numbers of a chunk of vectors of `count` numbers, a multiple of stage_numbers. The number of chunks keeps
// all multiprocessors busy even if there is only one tile.
inline std::int64_t numbers_of_chunk(std::int64_t count) {
    constexpr std::int64_t most_chunks = 264, least = 4096;
    const std::int64_t numbers = std::max(least, (count + most_chunks - 1) / most_chunks);
    return (numbers + stage_numbers - 1) / stage_numbers * stage_numbers;
}
inline std::int64_t chunks_of_numbers(std::int64_t count) {
    return (count + numbers_of_chunk(count) - 1) / numbers_of_chunk(count);
}

// The vectors of a tile: `rows` warps side by side have 16 `pairs` vectors on the left each, and the other warps 8
// `columns` vectors on the right.
template <int row_pairs, int column_groups, int row_warps>
struct ProductTile {
    static constexpr int pairs = row_pairs, columns = column_groups, rows = row_warps;
    static constexpr int left = 16 * pairs * rows, right = 8 * columns * (product_warps / rows);
    static constexpr std::size_t bytes = sizeof(double) * product_stages * (left + right) * stage_pitch;
};
using WideTile = ProductTile<2, 2, 2>;  // 64 x 64, two blocks on a multiprocessor
using FlatTile = ProductTile<1, 1, 1>;  // 16 x 64, for few vectors on the left

struct DeviceProducts {
    const double* vectors;
    std::int64_t stride, count;  // numbers from one vector to the next, and of a vector
    std::int64_t of_chunk;       // numbers
    int left, lefts;             // first vector on the left, and how many
    int right, rights;
    double* sums;  // [chunks][lefts][rights][lanes]
};

// Begins to copy the numbers first .. first + stage_numbers - 1 of a tile's vectors to shared memory. Numbers from
// `end` on, and vectors that there are not, are zero.
template <class Tile>
__device__ inline void fetch_stage(const DeviceProducts& p, double* stage, int left, int right, std::int64_t first,
                                   std::int64_t end) {
    constexpr int of_vector = stage_numbers / 2;  // pieces of 16 bytes
#pragma unroll 1                                  // the registers are for the sums
    for (int i = static_cast<int>(threadIdx.x); i < (Tile::left + Tile::right) * of_vector; i += product_threads) {
        const int row = i / of_vector, piece = i % of_vector;
        const bool is_left = row < Tile::left;
        const int vector = is_left ? left + row : right + row - Tile::left;
        const std::int64_t number = first + 2 * piece;
        const bool is_there = vector < (is_left ? p.lefts : p.rights) && number < end;
        const double* const from =
            is_there ? p.vectors + ((is_left ? p.left : p.right) + vector) * p.stride + number : p.vectors;
        __pipeline_memcpy_async(stage + row * stage_pitch + 2 * piece, from, 16, is_there ? 0 : 16);
    }
}

// The sums of a warp. Those of the imaginary parts are only used for complex vectors.
template <class Tile>
struct ProductSums {
    double real[2 * Tile::pairs][Tile::columns][2] = {}, imaginary[2 * Tile::pairs][Tile::columns][2] = {};
};

// Adds the products of the numbers in a stage. `left` and `right` are those of the warp's first vectors.
template <int lanes, class Tile>
__device__ inline void multiply_stage(const double* left, const double* right, ProductSums<Tile>& sums) {
    const int lane = static_cast<int>(threadIdx.x) % 32, vector = lane / 4, number = lane % 4;
#pragma unroll
    for (int k = 0; k < stage_numbers; k += 4) {
        double a[2 * Tile::pairs];
#pragma unroll
        for (int i = 0; i < 2 * Tile::pairs; ++i) a[i] = left[(8 * i + vector) * stage_pitch + k + number];
#pragma unroll
        for (int j = 0; j < Tile::columns; ++j) {
            const double* const at = right + (8 * j + vector) * stage_pitch + k;
            const double b = at[number];
#pragma unroll
            for (int i = 0; i < Tile::pairs; ++i)
                cuda::matrix_multiply(sums.real[2 * i][j], sums.real[2 * i + 1][j], a[2 * i], a[2 * i + 1], b);
            if constexpr (lanes == 2) {
                // The imaginary part of conj(l) r is l_re r_im - l_im r_re.
                const double other = at[number ^ 1], crossed = number % 2 == 0 ? other : -other;
#pragma unroll
                for (int i = 0; i < Tile::pairs; ++i)
                    cuda::matrix_multiply(sums.imaginary[2 * i][j], sums.imaginary[2 * i + 1][j], a[2 * i],
                                          a[2 * i + 1], crossed);
            }
        }
    }
}

template <int lanes, class Tile>
__global__ void __launch_bounds__(product_threads, 2) multiply_vectors(DeviceProducts p) {
    extern __shared__ double stages[];
    constexpr int size = (Tile::left + Tile::right) * stage_pitch;
    const int tiles_left = (p.lefts + Tile::left - 1) / Tile::left,
              tiles = tiles_left * ((p.rights + Tile::right - 1) / Tile::right);
    const int tile = static_cast<int>(blockIdx.x) % tiles, chunk = static_cast<int>(blockIdx.x) / tiles;
    const int left = tile % tiles_left * Tile::left, right = tile / tiles_left * Tile::right;
    const std::int64_t begin = chunk * p.of_chunk, end = min(begin + p.of_chunk, p.count);
    const int steps = static_cast<int>((end - begin + stage_numbers - 1) / stage_numbers);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int warp_left = warp % Tile::rows * 16 * Tile::pairs, warp_right = warp / Tile::rows * 8 * Tile::columns;
    const auto fetch = [&](int step) {
        if (step < steps)
            fetch_stage<Tile>(p, stages + step % product_stages * size, left, right, begin + step * stage_numbers, end);
        __pipeline_commit();
    };
    for (int step = 0; step < product_stages - 1; ++step) fetch(step);
    ProductSums<Tile> sums;
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(product_stages - 2);
        __syncthreads();
        fetch(step + product_stages - 1);
        const double* const stage = stages + step % product_stages * size;
        multiply_stage<lanes, Tile>(stage + warp_left * stage_pitch, stage + (Tile::left + warp_right) * stage_pitch,
                                    sums);
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < 2 * Tile::pairs; ++i)
        for (int j = 0; j < Tile::columns; ++j)
            for (int c = 0; c < 2; ++c) {
                const int l = left + warp_left + 8 * i + lane / 4, r = right + warp_right + 8 * j + 2 * (lane % 4) + c;
                if (l >= p.lefts || r >= p.rights) continue;
                double* const to = p.sums + ((static_cast<std::int64_t>(chunk) * p.lefts + l) * p.rights + r) * lanes;
                to[0] = sums.real[i][j][c];
                if (lanes == 2) to[1] = sums.imaginary[i][j][c];
            }
}

constexpr int product_sum_threads = 128;
// Adds up the sums of the chunks.
template <class Number>
__global__ void add_product_chunks(const Number* sums, std::int64_t chunks, std::int64_t count, Number* to) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * product_sum_threads + threadIdx.x;
    if (i >= count) return;
    Number sum = 0;
#pragma unroll 8
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += sums[chunk * count + i];
    to[i] = sum;
}

}  // namespace engine_parts
}  // namespace legato::kpm
