// Multiplications for bars whose rows have up to eight sites. A vector holds one row (3D), or the rows of as many
// columns as fit (2D). The left and right neighbours are permutations of it. This is a part of step_kernels.cpp for
// processors with AVX-512, with bitwise identical results.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "tmm/step_kernels.hpp"

namespace legato::tmm {
namespace {

constexpr std::size_t narrow = narrow_most;

// Uses a mask of all lanes. For the function without a mask, GCC 12 warns of an uninitialised variable in its header.
inline __m512d permuted(__m512i from, __m512d values) {
    return _mm512_maskz_permutexvar_pd(0xff, from, values);
}

struct NarrowRows {
    std::size_t rows = 1;  // number of rows in a vector
    alignas(64) std::int64_t site[narrow] = {}, left[narrow] = {}, right[narrow] = {};
    __mmask8 one = 0, lowest = 0, highest = 0;  // lanes of the first row, and of the ends of all rows
};

constexpr NarrowRows narrow_rows(std::size_t m) {
    NarrowRows r;
    r.rows = narrow / m;
    r.one = static_cast<__mmask8>((1U << m) - 1);
    for (std::size_t l = 0; l < narrow; ++l) {
        const std::size_t x = l % m, start = l - x;
        r.site[l] = static_cast<std::int64_t>(x);
        r.left[l] = static_cast<std::int64_t>(start + (x + m - 1) % m);
        r.right[l] = static_cast<std::int64_t>(start + (x + 1) % m);
        if (x == 0) r.lowest |= static_cast<__mmask8>(1U << l);
        if (x + 1 == m) r.highest |= static_cast<__mmask8>(1U << l);
    }
    return r;
}

constexpr NarrowRows narrow_table[narrow] = {narrow_rows(1), narrow_rows(2), narrow_rows(3), narrow_rows(4),
                                             narrow_rows(5), narrow_rows(6), narrow_rows(7), narrow_rows(8)};

// Stores `count` numbers in pieces that do not reach into the next row. After a masked store, the processor would delay
// a load from the next row until the store is done.
inline void store_numbers(double* to, std::size_t count, __m512d numbers) {
    if (count == narrow) return _mm512_storeu_pd(to, numbers);
    __m256d four = __builtin_shufflevector(numbers, numbers, 0, 1, 2, 3);
    if (count & 4) {
        _mm256_storeu_pd(to, four);
        four = __builtin_shufflevector(numbers, numbers, 4, 5, 6, 7);
    }
    __m128d two = _mm256_castpd256_pd128(four);
    if (count & 2) {
        _mm_storeu_pd(to + (count & 4), two);
        two = _mm256_extractf128_pd(four, 1);
    }
    if (count & 1) _mm_store_sd(to + (count & 6), two);
}

// The permutations and factors of the left and right neighbours in a vector.
struct RowNeighbours {
    __m512i left, right;
    __m512d to_left, to_right;

    [[gnu::always_inline]] RowNeighbours(const NarrowRows& rows, double edge)
        : left(_mm512_load_si512(rows.left)),
          right(_mm512_load_si512(rows.right)),
          to_left(_mm512_mask_mov_pd(_mm512_set1_pd(1), rows.lowest, _mm512_set1_pd(edge))),
          to_right(_mm512_mask_mov_pd(_mm512_set1_pd(1), rows.highest, _mm512_set1_pd(edge))) {}

    __m512d sum(__m512d a) const { return to_left * permuted(left, a) + to_right * permuted(right, a); }
};

// Reads a single number that has just been written as a single number. The processor would delay the load of a vector
// of such numbers until all are in the cache. The asm statement keeps the compiler from combining the loads.
[[gnu::always_inline]] inline double read_alone(const double* from) {
    double number = *from;
    asm("" : "+x"(number));
    return number;
}

// Returns the diagonal, repeated for each row in a vector.
template <std::size_t m>
[[gnu::always_inline]] inline __m512d diagonal_of_rows(const double* diagonal) {
    if constexpr (m == 3 || m == 4) {
        const double d[] = {read_alone(diagonal), read_alone(diagonal + 1), read_alone(diagonal + 2),
                            read_alone(diagonal + m - 1)};
        if constexpr (m == 4) return __m512d{d[0], d[1], d[2], d[3], d[0], d[1], d[2], d[3]};
        return __m512d{d[0], d[1], d[2], d[0], d[1], d[2], d[0], d[1]};
    }
    constexpr const NarrowRows& rows = narrow_table[m - 1];
    return permuted(_mm512_load_si512(rows.site), _mm512_maskz_loadu_pd(rows.one, diagonal));
}

// Multiplies two sites of two columns in half a vector. The load of a whole vector would have to wait for the half that
// has just been written.
[[gnu::always_inline]] inline void narrow_pairs(const StepLattice& lattice, const double* diagonal, const double* psi_a,
                                                double* psi_b) {
    const double d0 = read_alone(diagonal), d1 = read_alone(diagonal + 1);
    const __m256d d{d0, d1, d0, d1};
    const __m256d a = _mm256_loadu_pd(psi_a), b = _mm256_loadu_pd(psi_b),
                  swapped = __builtin_shufflevector(a, a, 1, 0, 3, 2);
    const __m256d to_left{lattice.edge, 1, lattice.edge, 1}, to_right{1, lattice.edge, 1, lattice.edge};
    const __m256d sum = to_left * swapped + to_right * swapped;
    _mm256_storeu_pd(psi_b, d * a - b - lattice.hopping * sum);
}

template <std::size_t m>
[[gnu::always_inline]] inline void narrow_chain_of(const StepLattice& lattice, std::size_t first, std::size_t last,
                                                   const double* diagonal, const double* psi_a, double* psi_b) {
    if (m == 2 && first == 0 && last == 2) return narrow_pairs(lattice, diagonal, psi_a, psi_b);
    constexpr const NarrowRows& rows = narrow_table[m - 1];
    const RowNeighbours neighbours(rows, lattice.edge);
    const __m512d d = diagonal_of_rows<m>(diagonal);
    for (std::size_t j = first; j < last; j += rows.rows) {
        const std::size_t count = last - j < rows.rows ? last - j : rows.rows;
        const auto taken = static_cast<__mmask8>((1U << count * m) - 1);
        const auto load = [&](const double* from) {
            return count * m == narrow ? _mm512_loadu_pd(from) : _mm512_maskz_loadu_pd(taken, from);
        };
        const __m512d a = load(psi_a + j * m), b = load(psi_b + j * m);
        store_numbers(psi_b + j * m, count * m, d * a - b - lattice.hopping * neighbours.sum(a));
    }
}

void narrow_chain(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                  const double* psi_a, double* psi_b) {
    static constexpr decltype(&narrow_chain_of<1>) of[narrow] = {
        narrow_chain_of<1>, narrow_chain_of<2>, narrow_chain_of<3>, narrow_chain_of<4>,
        narrow_chain_of<5>, narrow_chain_of<6>, narrow_chain_of<7>, narrow_chain_of<8>};
    of[lattice.m - 1](lattice, first, last, diagonal, psi_a, psi_b);
}

template <std::size_t m>
void narrow_square_of(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                      const double* psi_a, double* psi_b) {
    constexpr std::size_t sites = m * m;
    constexpr __mmask8 one = narrow_table[m - 1].one;
    const RowNeighbours neighbours(narrow_table[m - 1], lattice.edge);
    __m512d d[m];
    for (std::size_t y = 0; y < m; ++y) d[y] = _mm512_maskz_loadu_pd(one, diagonal + y * m);
    for (std::size_t j = first; j < last; ++j) {
        const double* const a = psi_a + j * sites;
        const auto row = [&](std::size_t y) { return _mm512_maskz_loadu_pd(one, a + y * m); };
        const __m512d lowest = row(0), above_all = lattice.edge * lowest;
        __m512d here = lowest, below = lattice.edge * row(m - 1);
#pragma GCC unroll 8
        for (std::size_t y = 0; y < m; ++y) {
            double* const to = psi_b + j * sites + y * m;
            const __m512d above = y + 1 < m ? row(y + 1) : above_all, b = _mm512_maskz_loadu_pd(one, to);
            const __m512d sum = neighbours.sum(here) + (below + above);
            store_numbers(to, m, d[y] * here - b - lattice.hopping * sum);
            below = here;
            here = above;
        }
    }
}

void narrow_square(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                   const double* psi_a, double* psi_b) {
    static constexpr decltype(&narrow_square_of<1>) of[narrow] = {
        narrow_square_of<1>, narrow_square_of<2>, narrow_square_of<3>, narrow_square_of<4>,
        narrow_square_of<5>, narrow_square_of<6>, narrow_square_of<7>, narrow_square_of<8>};
    of[lattice.m - 1](lattice, first, last, diagonal, psi_a, psi_b);
}

}  // namespace
}  // namespace legato::tmm
