// This file is compiled with -ffp-contract=off; see product_kernels.hpp.
#include "kpm/product_kernels.hpp"

#include "core/lanes.hpp"

namespace legato::kpm {
namespace {

constexpr std::size_t packs = product_sums / native_lanes;
// The sums of a tile fit in the registers. A complex vector on the right counts twice.
constexpr std::size_t tile_left = native_lanes == 8 ? 4 : 2, tile_right = native_lanes == 8 ? 4 : 2;

using Lanes [[gnu::vector_size(native_lanes * sizeof(double)), gnu::may_alias, gnu::aligned(8)]] = double;

Lanes load(const double* p) {
    return *reinterpret_cast<const Lanes*>(p);
}

// Returns the lanes with real and imaginary parts exchanged.
Lanes exchanged(Lanes z) {
#if defined(__AVX512F__)
    return __builtin_shufflevector(z, z, 1, 0, 3, 2, 5, 4, 7, 6);
#elif defined(__AVX__)
    return __builtin_shufflevector(z, z, 1, 0, 3, 2);
#else
    return __builtin_shufflevector(z, z, 1, 0);
#endif
}

// Adds the partial sums in pairs. Those with odd numbers are multiplied by `sign`.
double total(const Lanes* sums, double sign) {
    double s[product_sums];
    for (std::size_t p = 0; p < packs; ++p)
        for (std::size_t l = 0; l < native_lanes; ++l) s[p * native_lanes + l] = sums[p][l];
    return ((s[0] + sign * s[1]) + (s[2] + sign * s[3])) + ((s[4] + sign * s[5]) + (s[6] + sign * s[7]));
}

template <bool is_complex>
void tile(const double* const* left, const double* const* right, std::size_t count, double* sums) {
    constexpr std::size_t vectors = is_complex ? tile_right / 2 : tile_right;
    Lanes sum[tile_left][tile_right][packs] = {};
    for (std::size_t k = 0; k < count; k += product_sums)
#pragma GCC unroll 4
        for (std::size_t p = 0; p < packs; ++p) {
            const std::size_t at = k + p * native_lanes;
            Lanes r[tile_right];
#pragma GCC unroll 4
            for (std::size_t j = 0; j < vectors; ++j) {
                r[j] = load(right[j] + at);
                if constexpr (is_complex) r[vectors + j] = exchanged(r[j]);
            }
#pragma GCC unroll 4
            for (std::size_t i = 0; i < tile_left; ++i) {
                const Lanes l = load(left[i] + at);
#pragma GCC unroll 4
                for (std::size_t j = 0; j < tile_right; ++j) sum[i][j][p] += l * r[j];
            }
        }
    for (std::size_t i = 0; i < tile_left; ++i)
        for (std::size_t j = 0; j < vectors; ++j) {
            if constexpr (is_complex) {
                sums[2 * (i * vectors + j)] = total(sum[i][j], 1.0);
                sums[2 * (i * vectors + j) + 1] = total(sum[i][vectors + j], -1.0);
            } else {
                sums[i * vectors + j] = total(sum[i][j], 1.0);
            }
        }
}

constexpr ProductKernels table{tile_left, tile_right, tile_right / 2, tile<false>, tile<true>};

}  // namespace

const ProductKernels ProductKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::kpm
