// The innermost loops of the products of vectors on the CPU. They are compiled once for every instruction set
// (core/cpu_level.hpp). Products are not fused with sums.
#pragma once

#include <cstddef>

#include "core/cpu_level.hpp"

namespace legato::kpm {

// Number k of a vector contributes to partial sum k % product_sums, so that the order of a sum does not depend on the
// instruction set.
inline constexpr std::size_t product_sums = 8;
inline constexpr std::size_t most_tile_vectors = 4;  // of a side

struct ProductKernels {
    // A kernel computes sum_k left[i][k] right[j][k] for the vectors of a tile, sums[i * right vectors + j], where
    // `count` is a multiple of product_sums. Elements of complex vectors are two numbers side by side. Their left
    // element is conjugated, and each sum has two numbers, too.
    using Kernel = void (*)(const double* const* left, const double* const* right, std::size_t count, double* sums);
    std::size_t left, right, complex_right;  // numbers of vectors of a tile
    Kernel real, complex;

    static const ProductKernels baseline, v3, v4;
};

inline const ProductKernels& product_kernels() {
    return best_kernels<ProductKernels>();
}

}  // namespace legato::kpm
